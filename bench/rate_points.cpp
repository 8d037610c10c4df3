#include "bench/rate_points.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// What a trial runs on, and whether its records are held.
struct Drawn {
  Instance instance;
  bool held = true;
};

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

RateMeasurement measure(const Claim& claim, const RateClaim& check, const CheckContext& context,
                        double value, const Batch& batch) {
  const RatePoint at = check.point(value);
  const Index dimension = at.dimension > 0 ? at.dimension : check.dimension;
  const auto count = static_cast<std::size_t>(batch.trials);
  const auto fewer = static_cast<std::size_t>(batch.non_private_trials);
  const bool compares = !check.by_parts || record_bytes(at.records, dimension) <= most_held_bytes;
  RateMeasurement point{.value = value,
                        .bound = at.bound,
                        .risks = std::vector<double>(count),
                        .data_free_risks = std::vector<double>(count),
                        .non_private_risks = std::vector<double>(fewer),
                        .lower_bound = at.lower_bound,
                        .comparator_risks = std::vector<std::vector<double>>(
                            at.comparators.size(), std::vector<double>(compares ? fewer : 0))};
  std::vector<double> zero_risks(count);
  parallel_for(batch.trials, context.threads, [&](Index t) {
    const auto k = static_cast<std::size_t>(t);
    const TrialStreams streams(context.seed, claim.id, batch.first_trial + k);
    const Drawn drawn = draw(check, at, dimension, streams);
    const Trial trial(drawn.instance.data, drawn.instance.error, dimension, drawn.held);
    SamplingReleases releases(streams("releases"));
    zero_risks[k] = number(trial.zero_vector());
    point.risks[k] = number(trial.run(at.mechanism, releases));
    point.data_free_risks[k] = number(trial.data_free(at.mechanism, streams("data-free releases")));
    if (k >= fewer) return;
    point.non_private_risks[k] = number(trial.non_private(at.mechanism));
    for (std::size_t c = 0; c < at.comparators.size() && compares; ++c) {
      SamplingReleases its_own(streams(at.comparators[c].name));
      point.comparator_risks[c][k] = trial.run(at.comparators[c].mechanism, its_own);
    }
  });
  point.zero_risk = summarise(zero_risks).mean;
  return point;
}

// A measurement as text and back, exactly. The last word shows that the text is complete.
constexpr std::string_view complete = "complete";

std::string as_text(const RateMeasurement& point) {
  std::string text = fmt::format("{:a} {:a} {:a} {:a} {}\n", point.value, point.bound,
                                 point.zero_risk, point.lower_bound, point.comparator_risks.size());
  std::vector<std::vector<double>> lists{point.risks, point.data_free_risks,
                                         point.non_private_risks};
  lists.insert(lists.end(), point.comparator_risks.begin(), point.comparator_risks.end());
  for (const std::vector<double>& list : lists) {
    text += fmt::format("{}", list.size());
    for (const double risk : list) text += fmt::format(" {:a}", risk);
    text += "\n";
  }
  return text + std::string(complete) + "\n";
}

std::optional<RateMeasurement> from_text(const std::string& text, const Batch& batch) {
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
  RateMeasurement point;
  point.value = number();
  point.bound = number();
  point.zero_risk = number();
  point.lower_bound = number();
  std::size_t comparators = 0;
  if (!(words >> comparators) || comparators > 100) return std::nullopt;
  point.comparator_risks.resize(comparators);
  std::vector<std::vector<double>*> lists{&point.risks, &point.data_free_risks,
                                          &point.non_private_risks};
  for (std::vector<double>& list : point.comparator_risks) lists.push_back(&list);
  for (auto* list : lists) {
    std::size_t size = 0;
    if (!(words >> size) || size > static_cast<std::size_t>(batch.trials)) return std::nullopt;
    list->reserve(size);
    for (std::size_t k = 0; k < size; ++k) list->push_back(number());
  }
  const auto has_nan = [](const std::vector<double>& list) {
    return std::ranges::any_of(list, [](double risk) { return std::isnan(risk); });
  };
  if (!(words >> word) || word != complete || !numbers || has_nan(point.risks) ||
      has_nan(point.data_free_risks) || has_nan(point.non_private_risks) ||
      point.risks.size() != static_cast<std::size_t>(batch.trials) ||
      point.data_free_risks.size() != point.risks.size() ||
      point.non_private_risks.size() != static_cast<std::size_t>(batch.non_private_trials))
    return std::nullopt;
  return point;
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

std::string point_key(const Claim& claim, const CheckContext& context, double value,
                      const Batch& batch) {
  return fmt::format("{} seed {} {} {:a} trials {} from {}", claim.id, context.seed,
                     std::get<RateClaim>(claim.check).variable, value, batch.trials,
                     batch.first_trial);
}

RateMeasurement measure_or_recall(const Claim& claim, const CheckContext& context, double value,
                                  const Batch& batch) {
  const CheckpointStore& store = context.checkpoints;
  const std::string key = point_key(claim, context, value, batch);
  if (store.recall)
    if (const auto text = store.recall(key))
      if (auto point = from_text(*text, batch)) return *std::move(point);
  RateMeasurement point = measure(claim, std::get<RateClaim>(claim.check), context, value, batch);
  if (store.keep) store.keep(key, as_text(point));
  return point;
}

void add_trials(RateMeasurement& point, const RateMeasurement& further) {
  const auto before = static_cast<double>(point.risks.size());
  const auto added = static_cast<double>(further.risks.size());
  point.zero_risk = (before * point.zero_risk + added * further.zero_risk) / (before + added);
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(point.risks, further.risks);
  append(point.data_free_risks, further.data_free_risks);
}

}  // namespace dpverify
