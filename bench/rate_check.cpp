#include "bench/rate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/plans.hpp"
#include "bench/rate_reading.hpp"
#include "bench/rate_tables.hpp"
#include "bench/stage_levels.hpp"

namespace dpverify {
namespace {

constexpr const char* method = "sweep with null controls";

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

// A stage makes six one-sided decisions: the ratio grows; the run beats, or is less than a tenth
// better than, each of the two controls; it is below a lower bound.
constexpr double decisions = 6;

struct Swept {
  Sweep sweep;
  std::vector<RateMeasurement> points;
  RateReading reading;
  std::size_t look = 0;  // the last one, from 0
  double level = 0;      // of each decision
  double share = 1;      // of it, that the last look spends

  std::size_t trials() const { return points.front().risks.size(); }
};

RateReading read(const Claim& claim, const CheckContext& context, const Swept& swept) {
  const auto& check = std::get<RateClaim>(claim.check);
  return read_rate(swept.points, {.variable = check.variable,
                                  .exponent = check.exponent,
                                  .failure_probability = check.failure_probability,
                                  .learns = check.learns,
                                  .attained = check.attained,
                                  .level = swept.level,
                                  .share = swept.share,
                                  .seed = context.seed,
                                  .stream_name = claim.id});
}

// Looks until more trials would not decide.
Swept screen(const Claim& claim, const CheckContext& context, const Sweep& sweep) {
  Swept swept{sweep, {}, {}, 0, stage_levels(context.level, decisions).screen};
  const auto most_trials = static_cast<double>(sweep.trials << (look_shares.size() - 1));
  for (;; ++swept.look) {
    for (std::size_t k = 0; k < sweep.values.size(); ++k) {
      RateMeasurement fresh =
          measure_or_recall(claim, context, sweep.values[k],
                            batch_of(swept.look, k, sweep.values.size(), sweep.trials));
      if (swept.look == 0)
        swept.points.push_back(std::move(fresh));
      else
        add_trials(swept.points[k], fresh);
    }
    swept.share = look_shares[swept.look];
    swept.reading = read(claim, context, swept);
    if (!swept.reading.more_trials_may_decide || swept.look + 1 == look_shares.size() ||
        swept.reading.trials_needed.value_or(0) > most_trials)
      return swept;
  }
}

// On twice as many trials as the screen had, none of which it has seen.
Swept confirm(const Claim& claim, const CheckContext& context, const Swept& screened) {
  Swept swept{
      screened.sweep, {}, {}, screened.look, stage_levels(context.level, decisions).confirmation};
  const auto trials = static_cast<Index>(2 * screened.trials());
  for (std::size_t k = 0; k < swept.sweep.values.size(); ++k)
    swept.points.push_back(
        measure_or_recall(claim, context, swept.sweep.values[k], confirming_batch(k, trials)));
  swept.reading = read(claim, context, swept);
  return swept;
}

double exponent_of_the_lower_bound(const std::vector<RateMeasurement>& points) {
  std::vector<double> x, y;
  for (const RateMeasurement& point : points) {
    x.push_back(std::log(point.value));
    y.push_back(std::log(point.lower_bound));
  }
  return fit_line(x, y, std::vector<double>(x.size(), 1.0)).slope;
}

std::vector<Measurement> measurements(const RateClaim& check, const Swept& swept) {
  const RateReading& reading = swept.reading;
  const std::vector<double>& values = swept.sweep.values;
  std::vector<Measurement> out{
      {"quantile of the trials (0: their mean)",
       check.failure_probability > 0 ? 1 - check.failure_probability : 0},
      {"slope of log(excess risk/bound)", reading.ratio_slope},
      {"bootstrap standard error of that slope", reading.ratio_slope_error},
      {"smallest slope that would have refuted", reading.critical_slope},
      {"slope that this look would have refuted with probability 0.95", reading.detectable_slope},
      {"curvature of log(excess risk)", reading.curvature},
      {"standard error of that curvature", reading.curvature_error},
      {"fitted from", values[reading.first]},
      {"fitted to", values[reading.last]},
      {"decades fitted", reading.decades},
      {"easy end", values[reading.easy]},
      {"excess risk/bound at the easy end", reading.easy_ratio.value},
      {"trials a point", static_cast<double>(swept.trials())},
      {"look it stopped at", static_cast<double>(swept.look + 1)},
      {"looks it may take", static_cast<double>(look_shares.size())},
      {"significance of each decision", swept.level},
      {"share of it spent at this look", swept.share}};
  if (reading.decides_at)
    out.push_back(
        {fmt::format("{} that would decide, predicted", check.variable), *reading.decides_at});
  if (swept.points.front().lower_bound > 0)
    out.push_back({"exponent of the lower bound", exponent_of_the_lower_bound(swept.points)});
  return out;
}

RateCurve curve_of(const RateClaim& check, const Swept& swept) {
  RateCurve curve{check.variable, {}, {}};
  for (const Comparator& comparator : check.point(swept.sweep.values.front()).comparators)
    curve.comparators.push_back(comparator.name);
  for (std::size_t k = 0; k < swept.points.size(); ++k) {
    const RateMeasurement& point = swept.points[k];
    curve.points.push_back({.value = point.value,
                            .run = swept.reading.run[k],
                            .bound = point.bound,
                            .data_free = swept.reading.data_free[k],
                            .zero_vector = point.zero_risk,
                            .non_private = swept.reading.non_private[k],
                            .comparators = swept.reading.comparators[k],
                            .lower_bound = point.lower_bound});
  }
  return curve;
}

// Of the mechanism.
std::uint64_t runs(const Swept& swept) {
  return (2 * swept.trials() + swept.points.front().non_private_risks.size()) *
         swept.sweep.values.size();
}

std::vector<FirstTrials> first_trials(const Swept& swept) {
  const Index shown = std::min(swept.sweep.trials, most_first_trials);
  std::vector<FirstTrials> points;
  for (const RateMeasurement& point : swept.points) {
    points.push_back({point.value, {}});
    for (std::size_t k = 0; k < static_cast<std::size_t>(shown); ++k)
      points.back().ratios.push_back(point.risks[k] / point.bound);
  }
  return points;
}

Evidence left_out(const Claim& claim, const CheckContext& context) {
  Evidence evidence{.claim = claim.id, .verdict = Verdict::not_run, .method = method};
  evidence.seed = context.seed;
  evidence.run_by = plan_that_runs(std::get<RateClaim>(claim.check));
  evidence.reason =
      fmt::format("The plan {} leaves this sweep out; {}.", name(context.plan),
                  evidence.run_by ? fmt::format("--plan {} runs it", name(*evidence.run_by))
                                  : std::string("so does every other"));
  return evidence;
}

}  // namespace

std::optional<Plan> plan_that_runs(const RateClaim& check) {
  for (const PlanBudget& row : plan_budgets)
    if (!sweep_of(check, row.plan).values.empty()) return row.plan;
  return std::nullopt;
}

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
    if (check.by_parts || record_bytes(static_cast<Index>(records), check.dimension) <= most_bytes)
      sweep.values.push_back(records);
  }
  return sweep;
}

std::vector<RatePiece> planned_pieces(const Claim& claim, const CheckContext& context) {
  const Sweep sweep = sweep_of(std::get<RateClaim>(claim.check), context.plan);
  std::vector<RatePiece> all;
  for (std::size_t k = 0; k < sweep.values.size(); ++k) {
    const Batch batch = batch_of(0, k, sweep.values.size(), sweep.trials);
    for (RatePiece& piece : pieces_of(claim, context, sweep.values[k], batch))
      all.push_back(std::move(piece));
  }
  return all;
}

Evidence check_rate(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep sweep = sweep_of(check, context.plan);
  if (sweep.values.empty()) return left_out(claim, context);
  const Swept screened = screen(claim, context, sweep);
  const bool confirms = screened.reading.verdict == RateVerdict::refuted;
  const Swept swept = confirms ? confirm(claim, context, screened) : screened;
  const RateReading& reading = swept.reading;

  Evidence evidence{.claim = claim.id, .verdict = verdict_of(reading.verdict), .method = method};
  evidence.seed = context.seed;
  evidence.samples = runs(screened) + (confirms ? runs(swept) : 0);
  evidence.estimate = reading.exponent;
  evidence.claimed = check.exponent;
  evidence.interval = Interval{reading.exponent_lower, reading.exponent_upper, display_level};
  evidence.tightness = reading.tightness;
  if (reading.verdict == RateVerdict::consistent) evidence.smallest_fault = reading.smallest_fault;
  evidence.reading = reading.reading;
  evidence.reason = reading.reason;
  if (confirms)
    evidence.reason += fmt::format(
        " These are {} fresh trials a point, at the level {:.2g} a decision: a screen of {}, at "
        "{:.2g}, "
        "had refuted the claim.",
        swept.trials(), swept.level, screened.trials(), screened.level);
  if (screened.look > 0)
    evidence.reason += fmt::format(" Look {} of at most {}, at {} trials a point.",
                                   screened.look + 1, look_shares.size(), screened.trials());
  evidence.measurements = measurements(check, swept);
  evidence.tables = {to_table(curve_of(check, swept)),
                     to_table(check.variable, first_trials(screened))};
  return evidence;
}

}  // namespace dpverify
