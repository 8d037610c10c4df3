#include "bench/rate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "algorithms/core/parallel.hpp"
#include "bench/rate_reading.hpp"

namespace dpverify {
namespace {

// One non-private run, and one of each comparator, per this many trials of the first look, and none
// later: they decide nothing.
constexpr Index trials_per_non_private_run = 4;

// Trials of one point, in one look. Numbers of trials tell streams apart: no two batches of a claim
// share one.
struct Batch {
  std::uint64_t first_trial = 0;
  Index trials = 0;
  Index non_private_trials = 0;
};

// Each look doubles the trials that every one of the `count` points has.
Batch batch_of(std::size_t look, std::size_t point, std::size_t count, Index planned) {
  const Index before = look == 0 ? 0 : planned << (look - 1);
  const Index trials = look == 0 ? planned : before;
  const auto first = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(before) +
                     static_cast<std::uint64_t>(point) * static_cast<std::uint64_t>(trials);
  const Index further = (trials + trials_per_non_private_run - 1) / trials_per_non_private_run;
  return {first, trials, look == 0 ? std::max<Index>(2, further) : 0};
}

// Records that fill more memory than this are drawn while the algorithm runs.
constexpr double most_held_bytes = 256e6;

double bytes(Index records, Index dimension) {
  return 8 * static_cast<double>(records) * static_cast<double>(dimension + 1);
}

// What a trial runs on, and whether its records are held.
struct Drawn {
  Instance instance;
  bool held = true;
};

// The streams of one trial: every purpose and every block of records has its own.
class TrialStreams {
 public:
  TrialStreams(std::uint64_t seed, std::string claim, std::uint64_t trial)
      : seed_(seed), claim_(std::move(claim)), trial_(trial) {}
  RandomStream operator()(std::string_view purpose, std::uint64_t part = 0) const {
    return RandomStream(
        {.seed = seed_, .claim = claim_, .purpose = purpose, .trial = trial_, .part = part});
  }

 private:
  std::uint64_t seed_;
  std::string claim_;
  std::uint64_t trial_;
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
  const bool holds = bytes(at.records, dimension) <= most_held_bytes;
  return {{holds ? held(source) : from_source(source), excess_risk}, holds};
}

// As many records that are zero.
Dataset no_data(Index records, Index dimension, bool holds) {
  if (holds) return {Matrix::Zero(records, dimension), VectorXd::Zero(records)};
  return from_source({records, dimension, [dimension](Index, Index count) {
                        return Dataset{Matrix::Zero(count, dimension), VectorXd::Zero(count)};
                      }});
}

RateMeasurement measure(const Claim& claim, const RateClaim& check, const CheckContext& context,
                        double value, const Batch& batch) {
  const RatePoint at = check.point(value);
  const Index dimension = at.dimension > 0 ? at.dimension : check.dimension;
  const auto count = static_cast<std::size_t>(batch.trials);
  const auto fewer = static_cast<std::size_t>(batch.non_private_trials);
  const bool compares = !check.by_parts || bytes(at.records, dimension) <= most_held_bytes;
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
    const auto& [data, excess_risk] = drawn.instance;
    SamplingReleases releases(streams("releases"));
    DataFreeReleases data_free(streams("data-free releases"));
    zero_risks[k] = excess_risk(VectorXd::Zero(dimension));
    point.risks[k] = excess_risk(at.mechanism(data, releases));
    point.data_free_risks[k] =
        excess_risk(at.mechanism(no_data(data.size(), dimension, drawn.held), data_free));
    if (k >= fewer) return;
    NoiselessReleases noiseless;
    point.non_private_risks[k] = excess_risk(at.mechanism(data, noiseless));
    for (std::size_t c = 0; c < at.comparators.size() && compares; ++c) {
      SamplingReleases its_own(streams(at.comparators[c].name));
      point.comparator_risks[c][k] = excess_risk(at.comparators[c].mechanism(data, its_own));
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
  const auto number = [&] {
    words >> word;
    return std::strtod(word.c_str(), nullptr);
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
  if (!(words >> word) || word != complete ||
      point.risks.size() != static_cast<std::size_t>(batch.trials) ||
      point.data_free_risks.size() != point.risks.size() ||
      point.non_private_risks.size() != static_cast<std::size_t>(batch.non_private_trials))
    return std::nullopt;
  return point;
}

std::string key_of(const Claim& claim, const std::string& variable, std::uint64_t seed,
                   double value, const Batch& batch) {
  return fmt::format("{} seed {} {} {:a} trials {} from {}", claim.id, seed, variable, value,
                     batch.trials, batch.first_trial);
}

RateMeasurement measure_or_recall(const Claim& claim, const RateClaim& check,
                                  const CheckContext& context, double value, const Batch& batch) {
  const CheckpointStore& store = context.checkpoints;
  const std::string key = key_of(claim, check.variable, context.seed, value, batch);
  if (store.recall)
    if (const auto text = store.recall(key))
      if (auto point = from_text(*text, batch)) return *std::move(point);
  RateMeasurement point = measure(claim, check, context, value, batch);
  if (store.keep) store.keep(key, as_text(point));
  return point;
}

// Adds the trials of a later look to a point.
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

Verdict verdict_of(RateVerdict verdict) {
  switch (verdict) {
    case RateVerdict::consistent:
      return Verdict::consistent;
    case RateVerdict::refuted:
      return Verdict::refuted;
    case RateVerdict::inconclusive:
      break;
  }
  return Verdict::inconclusive;
}

Table points_table(const std::string& variable, const std::vector<RateMeasurement>& points,
                   const RateReading& reading, const std::vector<Comparator>& comparators) {
  Table table{"points",
              {variable, "excess risk", "lower", "upper", "bound", "excess risk/bound", "data-free",
               "data-free lower", "data-free upper", "zero vector", "non-private",
               "non-private lower", "non-private upper"},
              {}};
  const auto put = [](std::vector<double>& row, const Located& at) {
    for (const double each : {at.value, at.lower, at.upper}) row.push_back(each);
  };
  for (const auto& comparator : comparators)
    for (const char* end : {"", " lower", " upper"}) table.columns.push_back(comparator.name + end);
  const bool bounded = points.front().lower_bound > 0;
  if (bounded) table.columns.emplace_back(lower_bound_column);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RateMeasurement& point = points[k];
    std::vector<double> row{point.value};
    put(row, reading.run[k]);
    row.push_back(point.bound);
    row.push_back(reading.run[k].value / point.bound);
    put(row, reading.data_free[k]);
    row.push_back(point.zero_risk);
    put(row, reading.non_private[k]);
    for (const Located& each : reading.comparators[k]) put(row, each);
    if (bounded) row.push_back(point.lower_bound);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table table_of_first_trials(const std::string& variable, const std::vector<RateMeasurement>& points,
                            Index planned) {
  const auto shown = static_cast<std::size_t>(std::min(planned, most_first_trials));
  Table table{first_trials_table, {variable}, {}};
  for (std::size_t k = 1; k <= shown; ++k) table.columns.push_back(fmt::format("trial {}", k));
  for (const RateMeasurement& point : points) {
    std::vector<double> row{point.value};
    for (std::size_t k = 0; k < shown; ++k) row.push_back(point.risks[k] / point.bound);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Sweep sweep_of(const RateClaim& check, Plan plan) {
  if (plan == Plan::smoke) return check.smoke;
  if (plan == Plan::ci) return check.ci;
  if (!check.nightly.values.empty()) return check.nightly;
  constexpr double most_bytes = 4e9;
  Sweep sweep = check.ci;
  sweep.trials *= 2;
  if (check.variable != "n" || sweep.values.empty()) return sweep;
  const double last = sweep.values.back();
  for (const double factor : {3.0, 10.0}) {
    const double records = factor * last;
    if (check.by_parts || bytes(static_cast<Index>(records), check.dimension) <= most_bytes)
      sweep.values.push_back(records);
  }
  return sweep;
}

std::vector<PlannedPoint> planned_points(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep sweep = sweep_of(check, context.plan);
  std::vector<PlannedPoint> points;
  for (std::size_t k = 0; k < sweep.values.size(); ++k)
    points.push_back({key_of(claim, check.variable, context.seed, sweep.values[k],
                             batch_of(0, k, sweep.values.size(), sweep.trials)),
                      static_cast<double>(check.point(sweep.values[k]).records) *
                          static_cast<double>(sweep.trials)});
  return points;
}

Evidence check_rate(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep sweep = sweep_of(check, context.plan);
  if (sweep.values.empty())
    return {.claim = claim.id,
            .verdict = Verdict::not_run,
            .method = "sweep with null controls",
            .seed = context.seed,
            .reason = fmt::format("The plan {} leaves this sweep out; --plan ci runs it.",
                                  name(context.plan))};
  // The claim's level, split over six one-sided decisions: the ratio grows; the run beats, or is
  // less than a tenth better than, each of the two controls; it is below a lower bound.
  const double level = context.level / 6;

  std::vector<RateMeasurement> points;
  RateReading reading;
  std::size_t look = 0;
  for (;; ++look) {
    for (std::size_t k = 0; k < sweep.values.size(); ++k) {
      RateMeasurement fresh =
          measure_or_recall(claim, check, context, sweep.values[k],
                            batch_of(look, k, sweep.values.size(), sweep.trials));
      if (look == 0)
        points.push_back(std::move(fresh));
      else
        add_trials(points[k], fresh);
    }
    reading = read_rate(points, {.variable = check.variable,
                                 .exponent = check.exponent,
                                 .failure_probability = check.failure_probability,
                                 .learns = check.learns,
                                 .attained = check.attained,
                                 .level = level,
                                 .share = look_shares[look],
                                 .seed = context.seed,
                                 .stream_name = claim.id});
    if (!reading.more_trials_may_decide || look + 1 == look_shares.size()) break;
  }
  const std::size_t trials = points.front().risks.size();

  Evidence evidence{.claim = claim.id,
                    .verdict = verdict_of(reading.verdict),
                    .method = "sweep with null controls"};
  evidence.seed = context.seed;
  evidence.samples = (2 * trials + points.front().non_private_risks.size()) * sweep.values.size();
  evidence.estimate = reading.exponent;
  evidence.claimed = check.exponent;
  evidence.interval = Interval{reading.exponent_lower, reading.exponent_upper, 0.95};
  evidence.reading = reading.reading;
  evidence.reason = reading.reason;
  if (look > 0)
    evidence.reason += fmt::format(" Look {} of at most {}, at {} trials a point.", look + 1,
                                   look_shares.size(), trials);
  evidence.measurements = {{"quantile of the trials (0: their mean)",
                            check.failure_probability > 0 ? 1 - check.failure_probability : 0},
                           {"slope of log(excess risk/bound)", reading.ratio_slope},
                           {"its bootstrap standard error", reading.ratio_slope_error},
                           {"smallest slope that would have refuted", reading.detectable_slope},
                           {"curvature of log(excess risk)", reading.curvature},
                           {"its standard error", reading.curvature_error},
                           {"fitted from", sweep.values[reading.first]},
                           {"fitted to", sweep.values[reading.last]},
                           {"decades fitted", reading.decades},
                           {"easy end", sweep.values[reading.easy]},
                           {"excess risk/bound at the easy end", reading.easy_ratio.value},
                           {"trials a point", static_cast<double>(trials)},
                           {"look it stopped at", static_cast<double>(look + 1)},
                           {"looks it may take", static_cast<double>(look_shares.size())},
                           {"significance of each decision", level},
                           {"share of it spent at this look", look_shares[look]}};
  if (reading.decides_at)
    evidence.measurements.push_back(
        {fmt::format("{} that would decide, predicted", check.variable), *reading.decides_at});
  if (points.front().lower_bound > 0) {
    std::vector<double> x, y;
    for (const RateMeasurement& point : points) {
      x.push_back(std::log(point.value));
      y.push_back(std::log(point.lower_bound));
    }
    evidence.measurements.push_back(
        {"exponent of the lower bound", fit_line(x, y, std::vector<double>(x.size(), 1.0)).slope});
  }
  evidence.tables = {
      points_table(check.variable, points, reading, check.point(sweep.values.front()).comparators),
      table_of_first_trials(check.variable, points, sweep.trials)};
  return evidence;
}

}  // namespace dpverify
