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

// One non-private run per this many trials: it has the least noise and decides nothing.
constexpr Index trials_per_non_private_run = 4;

Index non_private_trials(Index trials) {
  return std::max<Index>(2, (trials + trials_per_non_private_run - 1) / trials_per_non_private_run);
}

RateMeasurement measure(const Claim& claim, const RateClaim& check, const CheckContext& context,
                        double value, Index trials, std::uint64_t first_trial) {
  const RatePoint at = check.point(value);
  const Index dimension = at.dimension > 0 ? at.dimension : check.dimension;
  const auto& draw = at.draw ? at.draw : check.draw;
  const auto& excess_risk = at.excess_risk ? at.excess_risk : check.excess_risk;
  const auto count = static_cast<std::size_t>(trials);
  RateMeasurement point{.value = value,
                        .bound = at.bound,
                        .zero_risk = excess_risk(VectorXd::Zero(dimension)),
                        .risks = std::vector<double>(count),
                        .data_free_risks = std::vector<double>(count),
                        .non_private_risks = std::vector<double>(
                            static_cast<std::size_t>(non_private_trials(trials)))};
  const Dataset nothing{Matrix::Zero(at.records, dimension), VectorXd::Zero(at.records)};
  parallel_for(trials, context.threads, [&](Index t) {
    const auto k = static_cast<std::size_t>(t);
    const auto stream = [&](std::string_view purpose) {
      return RandomStream(
          {.seed = context.seed, .claim = claim.id, .purpose = purpose, .trial = first_trial + k});
    };
    RandomStream data_stream = stream("data");
    const Dataset data = draw(at.records, data_stream);
    SamplingReleases releases(stream("releases"));
    DataFreeReleases data_free(stream("data-free releases"));
    point.risks[k] = excess_risk(at.mechanism(data, releases));
    point.data_free_risks[k] = excess_risk(at.mechanism(nothing, data_free));
    if (k < point.non_private_risks.size()) {
      NoiselessReleases noiseless;
      point.non_private_risks[k] = excess_risk(at.mechanism(data, noiseless));
    }
  });
  return point;
}

// A measurement as text and back, exactly. The last word shows that the text is complete.
constexpr std::string_view complete = "complete";

std::string as_text(const RateMeasurement& point) {
  std::string text = fmt::format("{:a} {:a} {:a}\n", point.value, point.bound, point.zero_risk);
  for (const auto* list : {&point.risks, &point.data_free_risks, &point.non_private_risks}) {
    text += fmt::format("{}", list->size());
    for (const double risk : *list) text += fmt::format(" {:a}", risk);
    text += "\n";
  }
  return text + std::string(complete) + "\n";
}

std::optional<RateMeasurement> from_text(const std::string& text, Index trials) {
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
  for (auto* list : {&point.risks, &point.data_free_risks, &point.non_private_risks}) {
    std::size_t size = 0;
    if (!(words >> size) || size > static_cast<std::size_t>(trials)) return std::nullopt;
    list->reserve(size);
    for (std::size_t k = 0; k < size; ++k) list->push_back(number());
  }
  if (!(words >> word) || word != complete ||
      point.risks.size() != static_cast<std::size_t>(trials) ||
      point.data_free_risks.size() != point.risks.size() ||
      point.non_private_risks.size() != static_cast<std::size_t>(non_private_trials(trials)))
    return std::nullopt;
  return point;
}

std::string key_of(const Claim& claim, const std::string& variable, std::uint64_t seed,
                   double value, Index trials, std::uint64_t first_trial) {
  return fmt::format("{} seed {} {} {:a} trials {} from {}", claim.id, seed, variable, value,
                     trials, first_trial);
}

std::uint64_t first_trial_of(std::size_t point, Index trials) {
  return point * static_cast<std::uint64_t>(trials);
}

RateMeasurement measure_or_recall(const Claim& claim, const RateClaim& check,
                                  const CheckContext& context, double value, Index trials,
                                  std::uint64_t first_trial) {
  const CheckpointStore& store = context.checkpoints;
  const std::string key = key_of(claim, check.variable, context.seed, value, trials, first_trial);
  if (store.recall)
    if (const auto text = store.recall(key))
      if (auto point = from_text(*text, trials)) return *std::move(point);
  RateMeasurement point = measure(claim, check, context, value, trials, first_trial);
  if (store.keep) store.keep(key, as_text(point));
  return point;
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
                   const RateReading& reading) {
  Table table{"points",
              {variable, "excess risk", "lower", "upper", "bound", "excess risk/bound", "data-free",
               "data-free lower", "data-free upper", "zero vector", "non-private",
               "non-private lower", "non-private upper"},
              {}};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RateMeasurement& point = points[k];
    const Located &run = reading.run[k], &data_free = reading.data_free[k],
                  &non_private = reading.non_private[k];
    table.rows.push_back({point.value, run.value, run.lower, run.upper, point.bound,
                          run.value / point.bound, data_free.value, data_free.lower,
                          data_free.upper, point.zero_risk, non_private.value, non_private.lower,
                          non_private.upper});
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
  const double bytes = 8 * static_cast<double>(check.dimension + 1);
  for (const double factor : {3.0, 10.0})
    if (factor * last * bytes <= most_bytes) sweep.values.push_back(factor * last);
  return sweep;
}

std::vector<PlannedPoint> planned_points(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep sweep = sweep_of(check, context.plan);
  std::vector<PlannedPoint> points;
  for (std::size_t k = 0; k < sweep.values.size(); ++k)
    points.push_back({key_of(claim, check.variable, context.seed, sweep.values[k], sweep.trials,
                             first_trial_of(k, sweep.trials)),
                      static_cast<double>(check.point(sweep.values[k]).records) *
                          static_cast<double>(sweep.trials)});
  return points;
}

Evidence check_rate(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep sweep = sweep_of(check, context.plan);
  // Each claim's share, split over five one-sided decisions: the ratio grows; the run beats, or is
  // less than a tenth better than, each of the two controls.
  const double level = context.significance / context.statistical_checks / 5;

  std::vector<RateMeasurement> points;
  for (std::size_t k = 0; k < sweep.values.size(); ++k)
    points.push_back(measure_or_recall(claim, check, context, sweep.values[k], sweep.trials,
                                       first_trial_of(k, sweep.trials)));
  const RateReading reading = read_rate(points, {.variable = check.variable,
                                                 .exponent = check.exponent,
                                                 .failure_probability = check.failure_probability,
                                                 .learns = check.learns,
                                                 .attained = check.attained,
                                                 .level = level,
                                                 .seed = context.seed,
                                                 .stream_name = claim.id});

  Evidence evidence{.claim = claim.id,
                    .verdict = verdict_of(reading.verdict),
                    .method = "sweep with null controls"};
  evidence.seed = context.seed;
  evidence.samples =
      static_cast<std::uint64_t>(2 * sweep.trials + non_private_trials(sweep.trials)) *
      sweep.values.size();
  evidence.estimate = reading.exponent;
  evidence.claimed = check.exponent;
  evidence.interval = Interval{reading.exponent_lower, reading.exponent_upper, 0.95};
  evidence.reading = reading.reading;
  evidence.reason = reading.reason;
  evidence.measurements = {
      {"quantile of the trials (0: their mean)",
       check.failure_probability > 0 ? 1 - check.failure_probability : 0},
      {"slope of log(excess risk/bound)", reading.ratio_slope},
      {"its bootstrap standard error", reading.ratio_slope_error},
      {"smallest slope that would have refuted", reading.detectable_slope},
      {"curvature of log(excess risk)", reading.curvature},
      {"its standard error", reading.curvature_error},
      {"fitted from", sweep.values[reading.first]},
      {"fitted to", sweep.values[reading.last]},
      {"decades fitted", reading.decades},
      {exponent_margin_name, reading.exponent_margin},
      {easy_end_name, check.exponent <= 0 ? sweep.values.back() : sweep.values.front()},
      {ratio_name, reading.easy_ratio.value},
      {log_ratio_margin_name, reading.log_ratio_margin},
      {"trials a point", static_cast<double>(sweep.trials)},
      {"significance of each decision", level}};
  if (reading.decides_at)
    evidence.measurements.push_back(
        {fmt::format("{} that would decide, predicted", check.variable), *reading.decides_at});
  evidence.tables = {points_table(check.variable, points, reading)};
  return evidence;
}

}  // namespace dpverify
