#include "bench/rate_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "algorithms/core/parallel.hpp"
#include "bench/trials.hpp"

namespace dpverify {
namespace {

// One non-private run, and one of each comparator, per this many trials of the first look, and none
// later: they decide nothing.
constexpr Index trials_per_non_private_run = 4;

// Records that fill more memory than this are drawn while the algorithm runs.
constexpr double most_held_bytes = 256e6;

// In the records of all trials of a piece, some seconds of work; but of counts, which cost the same
// whatever they count, and of many long trials there are no more pieces of a point than this.
constexpr double most_numbers = 3e7;
constexpr Index most_pieces = 20;

// What a piece has found.
struct Measured {
  double seconds = 0;  // that it took
  std::vector<double> risks, data_free_risks, zero_risks, non_private_risks;
  std::vector<std::vector<double>> comparator_risks;
  // All of them. They go to a file in this order.
  std::vector<std::vector<double>*> lists() {
    std::vector<std::vector<double>*> all{&risks, &data_free_risks, &zero_risks,
                                          &non_private_risks};
    for (std::vector<double>& list : comparator_risks) all.push_back(&list);
    return all;
  }
};

// What a trial runs on, and whether its records are held.
struct Drawn {
  Instance instance;
  bool held = true;
};

Index dimension_of(const RateClaim& check, const RatePoint& at) {
  return at.dimension > 0 ? at.dimension : check.dimension;
}

Drawn draw(const RateClaim& check, const RatePoint& at, Index dimension,
           const TrialStreams& streams) {
  if (at.instance) {
    RandomStream stream = streams("data");
    return {at.instance(stream)};
  }
  const auto& law = at.draw ? at.draw : check.draw;
  const auto& excess_risk = at.excess_risk ? at.excess_risk : check.excess_risk;
  if (!check.by_parts) {
    RandomStream stream = streams("data");
    return {{law(at.records, stream), excess_risk}};
  }
  const RecordSource source{.records = at.records,
                            .dimension = dimension,
                            .block = [law, streams](Index block, Index count) {
                              RandomStream stream =
                                  streams("data", static_cast<std::uint64_t>(block));
                              return law(count, stream);
                            }};
  const bool holds = record_bytes(at.records, dimension) <= most_held_bytes;
  return {{holds ? held(source) : from_source(source), excess_risk}, holds};
}

// NaN is neither above nor below anything: no order, and no quantile, would mean a thing.
double number(double risk) {
  if (std::isnan(risk)) throw std::runtime_error("the risk of a run is not a number");
  return risk;
}

Measured measure(const Claim& claim, const CheckContext& context, const RatePoint& at,
                 const Batch& batch) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Index dimension = dimension_of(check, at);
  const auto count = static_cast<std::size_t>(batch.trials);
  const auto fewer = static_cast<std::size_t>(batch.non_private_trials);
  const bool compares = !check.by_parts || record_bytes(at.records, dimension) <= most_held_bytes;
  Measured found{.risks = std::vector<double>(count),
                 .data_free_risks = std::vector<double>(count),
                 .zero_risks = std::vector<double>(count),
                 .non_private_risks = std::vector<double>(fewer),
                 .comparator_risks = std::vector<std::vector<double>>(
                     at.comparators.size(), std::vector<double>(compares ? fewer : 0))};
  parallel_for(batch.trials, context.threads, [&](Index t) {
    const auto k = static_cast<std::size_t>(t);
    const TrialStreams streams(context.seed, claim.id, batch.first_trial + k);
    const Drawn drawn = draw(check, at, dimension, streams);
    const Trial trial(drawn.instance.data, drawn.instance.error, dimension, drawn.held);
    SamplingReleases releases(streams("releases"));
    found.zero_risks[k] = number(trial.zero_vector());
    found.risks[k] = number(trial.run(at.mechanism, releases));
    found.data_free_risks[k] = number(trial.data_free(at.mechanism, streams("data-free releases")));
    if (k >= fewer) return;
    found.non_private_risks[k] = number(trial.non_private(at.mechanism));
    for (std::size_t c = 0; c < at.comparators.size() && compares; ++c) {
      SamplingReleases its_own(streams(at.comparators[c].name));
      found.comparator_risks[c][k] = trial.run(at.comparators[c].mechanism, its_own);
    }
  });
  return found;
}

// A measurement as text and back, exactly. The last word shows that the text is complete.
constexpr std::string_view complete = "complete";

std::string as_text(Measured& found) {
  std::string text = fmt::format("{:.6g} {}\n", found.seconds, found.comparator_risks.size());
  for (const std::vector<double>* list : found.lists()) {
    text += fmt::format("{}", list->size());
    for (const double risk : *list) text += fmt::format(" {:a}", risk);
    text += "\n";
  }
  return text + std::string(complete) + "\n";
}

std::optional<Measured> from_text(const std::string& text, const Batch& batch) {
  std::istringstream words(text);
  std::string word;
  bool numbers = true;
  const auto number = [&] {
    words >> word;
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    numbers = numbers && end != word.c_str() && *end == '\0';
    return value;
  };
  Measured found;
  found.seconds = number();
  std::size_t comparators = 0;
  if (!(words >> comparators) || comparators > 100) return std::nullopt;
  found.comparator_risks.resize(comparators);
  for (std::vector<double>* list : found.lists()) {
    std::size_t size = 0;
    if (!(words >> size) || size > static_cast<std::size_t>(batch.trials)) return std::nullopt;
    list->reserve(size);
    for (std::size_t k = 0; k < size; ++k) list->push_back(number());
  }
  const auto trials = static_cast<std::size_t>(batch.trials);
  const auto are_of_every_trial = [&](const std::vector<double>& list) {
    return list.size() == trials &&
           std::ranges::none_of(list, [](double risk) { return std::isnan(risk); });
  };
  if (!(words >> word) || word != complete || !numbers || !are_of_every_trial(found.risks) ||
      !are_of_every_trial(found.data_free_risks) || !are_of_every_trial(found.zero_risks) ||
      found.non_private_risks.size() != static_cast<std::size_t>(batch.non_private_trials))
    return std::nullopt;
  return found;
}

Measured measured_or_recalled(const Claim& claim, const CheckContext& context, const RatePoint& at,
                              const RatePiece& piece) {
  const CheckpointStore& store = context.checkpoints;
  if (store.recall)
    if (const auto text = store.recall(piece.key))
      if (auto found = from_text(*text, piece.batch)) {
        if (store.took_before) store.took_before(found->seconds);
        return *std::move(found);
      }
  const auto start = std::chrono::steady_clock::now();
  Measured found = measure(claim, context, at, piece.batch);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (store.keep) store.keep(piece.key, as_text(found));
  return found;
}

std::vector<RatePiece> pieces_at(const RatePoint& at, const Claim& claim,
                                 const CheckContext& context, double value, const Batch& batch) {
  const auto& check = std::get<RateClaim>(claim.check);
  const double numbers = static_cast<double>(at.records) *
                         static_cast<double>(at.instance ? 1 : dimension_of(check, at) + 1);
  const Index most = std::max(
      (batch.trials + most_pieces - 1) / most_pieces,
      static_cast<Index>(std::min(most_numbers / numbers, static_cast<double>(batch.trials))));
  std::vector<RatePiece> pieces;
  for (Index before = 0; before < batch.trials; before += most) {
    const Batch part{
        .first_trial = batch.first_trial + static_cast<std::uint64_t>(before),
        .trials = std::min(most, batch.trials - before),
        .non_private_trials = std::clamp<Index>(batch.non_private_trials - before, 0, most)};
    pieces.push_back(
        {.value = value,
         .batch = part,
         .key = fmt::format("{} seed {} {} {:a} trials {} from {}", claim.id, context.seed,
                            check.variable, value, part.trials, part.first_trial),
         .work = numbers * static_cast<double>(part.trials)});
  }
  return pieces;
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Batch confirming_batch(std::size_t point, Index trials) {
  constexpr std::uint64_t beyond_all_looks = std::uint64_t{1} << 40;
  const auto first =
      beyond_all_looks + static_cast<std::uint64_t>(point) * static_cast<std::uint64_t>(trials);
  return {first, trials, std::max<Index>(2, trials / trials_per_non_private_run)};
}

Batch batch_of(std::size_t look, std::size_t point, std::size_t count, Index planned) {
  const Index before = look == 0 ? 0 : planned << (look - 1);
  const Index trials = look == 0 ? planned : before;
  const auto first = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(before) +
                     static_cast<std::uint64_t>(point) * static_cast<std::uint64_t>(trials);
  const Index further = (trials + trials_per_non_private_run - 1) / trials_per_non_private_run;
  return {first, trials, look == 0 ? std::max<Index>(2, further) : 0};
}

double record_bytes(Index records, Index dimension) {
  return 8 * static_cast<double>(records) * static_cast<double>(dimension + 1);
}

std::vector<RatePiece> pieces_of(const Claim& claim, const CheckContext& context, double value,
                                 const Batch& batch) {
  return pieces_at(std::get<RateClaim>(claim.check).point(value), claim, context, value, batch);
}

RateMeasurement measure_or_recall(const Claim& claim, const CheckContext& context, double value,
                                  const Batch& batch) {
  const RatePoint at = std::get<RateClaim>(claim.check).point(value);
  const std::vector<RatePiece> pieces = pieces_at(at, claim, context, value, batch);
  const auto count = static_cast<Index>(pieces.size());
  // One piece after the other, unless there is one for each thread.
  CheckContext inner = context;
  if (count >= context.threads) inner.threads = 1;
  std::vector<Measured> found(pieces.size());
  parallel_for(count, count >= context.threads ? context.threads : 1, [&](Index k) {
    const auto i = static_cast<std::size_t>(k);
    found[i] = measured_or_recalled(claim, inner, at, pieces[i]);
  });
  for (std::size_t i = 1; i < found.size(); ++i) {
    const auto to = found[0].lists(), from = found[i].lists();
    for (std::size_t k = 0; k < to.size(); ++k) append(*to[k], *from[k]);
  }
  return {.value = value,
          .bound = at.bound,
          .zero_risk = summarise(found[0].zero_risks).mean,
          .risks = std::move(found[0].risks),
          .data_free_risks = std::move(found[0].data_free_risks),
          .non_private_risks = std::move(found[0].non_private_risks),
          .lower_bound = at.lower_bound,
          .comparator_risks = std::move(found[0].comparator_risks)};
}

void keep_piece(const Claim& claim, const CheckContext& context, const RatePiece& piece) {
  measured_or_recalled(claim, context, std::get<RateClaim>(claim.check).point(piece.value), piece);
}

void add_trials(RateMeasurement& point, const RateMeasurement& further) {
  const auto before = static_cast<double>(point.risks.size());
  const auto added = static_cast<double>(further.risks.size());
  point.zero_risk = (before * point.zero_risk + added * further.zero_risk) / (before + added);
  append(point.risks, further.risks);
  append(point.data_free_risks, further.data_free_risks);
}

}  // namespace dpverify
