#include "bench/rate_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {
namespace {

using Points = std::vector<RateMeasurement>;

constexpr double no_better = 0.9;
// Two-sided; below it a run that looks no better than a control may yet turn out to be.
constexpr double hopeless_level = 0.999;
// A rate needs room to show: this many points, and powers of ten between the ends of them.
constexpr std::size_t least_points = 4;
constexpr double least_decades = 2;
constexpr double enough_decades = least_decades - 1e-9;  // of values that are rounded
// A prediction beyond this many powers of ten is none.
constexpr double farthest_prediction = 6;

// Which controls the run beats at one point, and whether it is worse than one or better by less
// than a tenth, each at the level.
struct Comparison {
  bool beats_zero = false;
  bool beats_data_free = false;
  bool learns_nothing = false;
  double of_a_control = 0;  // the run over nine tenths of a control, the larger of two, at least
};

Comparison compare(const RateMeasurement& point, double level) {
  const Sample run = summarise(point.risks), data_free = summarise(point.data_free_risks);
  const double wide = student_t_quantile(level, static_cast<double>(run.size - 1));
  const double margin_zero = wide * run.standard_error;
  const double margin_data_free = wide * std::hypot(run.standard_error, data_free.standard_error);
  Comparison compared;
  compared.beats_zero = run.mean + margin_zero < point.zero_risk;
  compared.beats_data_free = run.mean + margin_data_free < data_free.mean;
  compared.learns_nothing = run.mean - margin_zero > no_better * point.zero_risk ||
                            run.mean - margin_data_free > no_better * data_free.mean;
  compared.of_a_control =
      std::max(times_claimed(run.mean - margin_zero, no_better * point.zero_risk),
               times_claimed(run.mean - margin_data_free, no_better * data_free.mean));
  return compared;
}

enum class Conclusion {
  below_lower_bound,
  attained,
  another_exponent,
  exponent_not_decided,
  vacuous,
  slower_than_the_bound,
  short_sweep,
  too_few_trials,
  as_the_bound
};

struct Decision {
  Conclusion conclusion = Conclusion::as_the_bound;
  std::size_t point = 0;  // below_lower_bound: the first such
  Comparison compared;    // vacuous: with the controls at the easy end
};

double level_of(const RateQuestion& question) { return question.level * question.share; }

// ---- Decide ------------------------------------------------------------------------------------

// The mean of a point is at most this, at the level split over the points.
double highest_mean(const RateMeasurement& point, const Points& points,
                    const RateQuestion& question) {
  const Sample run = summarise(point.risks);
  const double level = level_of(question) / static_cast<double>(points.size());
  return run.mean +
         student_t_quantile(level, static_cast<double>(run.size - 1)) * run.standard_error;
}

// The first point whose mean is significantly below its lower bound; as many as there are if none.
std::size_t below_the_lower_bound(const Points& points, const RateQuestion& question) {
  return static_cast<std::size_t>(
      std::ranges::find_if(points,
                           [&](const RateMeasurement& point) {
                             return highest_mean(point, points, question) < point.lower_bound;
                           }) -
      points.begin());
}

Decision decide_exponent(RateReading& out, const Points& points, const RateQuestion& question) {
  const double low = question.exponent - question.attained;
  const double high = question.exponent + question.attained;
  const std::size_t trials = points.front().risks.size();
  const auto degrees = static_cast<double>(trials - 1);
  const double wide = student_t_quantile(level_of(question), degrees);
  const double within =
      student_t_quantile((1 - display_level) * question.share / 2, degrees) * out.exponent_error;
  out.smallest_fault = question.attained + std::abs(out.exponent - question.exponent) +
                       (wide + student_t_quantile(missed_level, degrees)) * out.exponent_error;
  const bool beyond = out.exponent - wide * out.exponent_error > high ||
                      out.exponent + wide * out.exponent_error < low;
  const double apart = std::abs(out.exponent - question.exponent) - wide * out.exponent_error;
  const double tolerances = times_claimed(apart, question.attained);
  out.tightness = beyond ? above_claimed(tolerances) : at_most_claimed(tolerances);
  if (out.exponent - within >= low && out.exponent + within <= high) {
    out.verdict = RateVerdict::consistent;
    return {.conclusion = Conclusion::attained};
  }
  if (beyond) {
    out.verdict = RateVerdict::refuted;
    return {.conclusion = Conclusion::another_exponent};
  }
  out.more_trials_may_decide = true;
  const double needed = std::pow(within / question.attained, 2);
  out.trials_needed = std::ceil(std::max(needed, 1.0) * static_cast<double>(trials) * 4);
  return {.conclusion = Conclusion::exponent_not_decided};
}

// Where the lines through the logarithms of the run, with its noise on top, and of the controls
// that it does not beat cross.
std::optional<double> crossing(const RateReading& out, const Comparison& compared) {
  const RateLogarithms& logs = out.logarithms;
  const double noise = std::log(out.run[out.easy].upper / out.run[out.easy].value);
  const double run_slope = fit_line(logs.value, logs.run, logs.weight).slope;
  const double easy = logs.value[out.easy];
  double at = easy;
  bool ever = std::isfinite(noise) && out.falls;
  const auto cross = [&](const std::vector<double>& control) {
    const std::vector<double> equal(control.size(), 1.0);
    const double closing = fit_line(logs.value, control, equal).slope - run_slope;
    const double gap = logs.run[out.easy] + noise - control[out.easy];
    if (gap <= 0) return;  // beaten but for the number of trials
    ever = ever && closing > 0;
    if (closing > 0) at = std::max(at, easy + gap / closing);
  };
  if (!compared.beats_zero) cross(logs.zero);
  if (!compared.beats_data_free) cross(logs.data_free);
  ever = ever && (at - easy) / std::log(10.0) <= farthest_prediction;
  return ever ? std::optional(std::exp(at)) : std::nullopt;
}

Decision decide_vacuous(RateReading& out, const Points& points, const RateQuestion& question,
                        const Comparison& compared) {
  out.decides_at = crossing(out, compared);
  out.verdict =
      question.learns && compared.learns_nothing ? RateVerdict::refuted : RateVerdict::inconclusive;
  if (question.learns)
    out.tightness = out.verdict == RateVerdict::refuted ? above_claimed(compared.of_a_control)
                                                        : at_most_claimed(compared.of_a_control);
  out.more_trials_may_decide =
      out.verdict == RateVerdict::inconclusive &&
      (question.learns || !compare(points[out.easy], (1 - hopeless_level) / 2).learns_nothing);
  return {.conclusion = Conclusion::vacuous, .compared = compared};
}

Decision decide_short_sweep(RateReading& out, const Points& points) {
  if (out.falls && out.decades < enough_decades)
    out.decides_at = points[out.first].value * std::pow(10.0, least_decades);
  const std::size_t hopeful = points_from_the_easy_end(
      out, [&](std::size_t k) { return out.run[k].lower < best_control(out, points, k); });
  const auto decades = [&] {
    return std::log10(out.falls ? points.back().value / points[points.size() - hopeful].value
                                : points[hopeful - 1].value / points.front().value);
  };
  out.more_trials_may_decide = hopeful >= least_points && decades() >= enough_decades;
  return {.conclusion = Conclusion::short_sweep};
}

Decision decide_too_few_trials(RateReading& out, const Points& points, double exponent) {
  const auto trials = static_cast<double>(points.front().risks.size());
  const double tolerance = tolerance_of(exponent);
  const double seen = out.detectable_slope - tolerance, wanted = margin_of(exponent) - tolerance;
  out.trials_needed = std::ceil(trials * std::pow(seen / wanted, 2));
  out.more_trials_may_decide = true;
  return {.conclusion = Conclusion::too_few_trials};
}

Decision decide(RateReading& out, const Points& points, const RateQuestion& question) {
  if (const std::size_t k = below_the_lower_bound(points, question); k < points.size()) {
    out.verdict = RateVerdict::refuted;
    out.tightness = above_claimed(
        times_claimed(points[k].lower_bound, highest_mean(points[k], points, question)));
    return {.conclusion = Conclusion::below_lower_bound, .point = k};
  }
  if (question.attained > 0) return decide_exponent(out, points, question);
  const std::size_t easy = out.easy;
  Comparison compared = compare(points[easy], level_of(question));
  if (question.failure_probability > 0) {
    compared.beats_zero = compared.beats_zero && out.run[easy].upper < points[easy].zero_risk;
    compared.beats_data_free =
        compared.beats_data_free && out.run[easy].upper < out.data_free[easy].value;
  }
  if (!compared.beats_zero || !compared.beats_data_free)
    return decide_vacuous(out, points, question, compared);
  out.smallest_fault = out.detectable_slope - out.ratio_slope;
  const double outgrown =
      std::pow(10.0, std::abs(out.decades) * (out.ratio_slope - out.critical_slope));
  out.tightness = at_most_claimed(outgrown);
  if (out.ratio_slope > out.critical_slope) {
    out.verdict = RateVerdict::refuted;
    out.tightness = above_claimed(outgrown);
    return {.conclusion = Conclusion::slower_than_the_bound};
  }
  if (out.decades < enough_decades || out.last - out.first + 1 < least_points)
    return decide_short_sweep(out, points);
  if (out.detectable_slope > margin_of(question.exponent))
    return decide_too_few_trials(out, points, question.exponent);
  out.verdict = RateVerdict::consistent;
  return {};
}

// ---- Words -------------------------------------------------------------------------------------

std::string controls_in_words(const RateReading& out, const Points& points,
                              const RateQuestion& question) {
  const std::size_t easy = out.easy;
  return fmt::format(
      "at {} = {:.6g} the {} is {:.4g}, the data-free run's {:.4g}, the zero vector's {:.4g}, the "
      "non-private run's {:.4g}",
      question.variable, points[easy].value, statistic_in_words(question.failure_probability),
      out.run[easy].value, out.data_free[easy].value, points[easy].zero_risk,
      out.non_private[easy].value);
}

std::string exponents_in_words(const RateReading& out, const Points& points,
                               const RateQuestion& question) {
  return fmt::format("exponent {:.3f} in [{:.3f}, {:.3f}]{} where {:.3f} is claimed", out.exponent,
                     out.exponent_lower, out.exponent_upper,
                     out.bent
                         ? fmt::format(", of a curve that bends ({:.3f} at {} = {:.6g}),",
                                       out.end_exponent, question.variable, points[out.easy].value)
                         : "",
                     question.exponent);
}

std::string vacuous_in_words(const RateReading& out, const Points& points,
                             const RateQuestion& question, const Comparison& compared) {
  const std::string& variable = question.variable;
  const std::string prediction =
      !out.decides_at
          ? fmt::format("As the curves run, no {} within reach would change that.", variable)
      : *out.decides_at <= points[out.easy].value * 1.001
          ? "More trials at the same values would decide."
          : fmt::format("As the curves run, it would from about {} = {:.2g} on.", variable,
                        *out.decides_at);
  return fmt::format(
      "Vacuous: the run does not beat {}, so its curve ({}) is no evidence of learning; {}. {}",
      !compared.beats_zero && !compared.beats_data_free ? "either null control"
      : compared.beats_zero                             ? "the data-free run"
                                                        : "the zero vector",
      exponents_in_words(out, points, question), controls_in_words(out, points, question),
      prediction);
}

std::string_view reading_in_words(Conclusion conclusion, bool falls) {
  switch (conclusion) {
    case Conclusion::below_lower_bound:
      return "below the lower bound";
    case Conclusion::attained:
      return "attains the exponent";
    case Conclusion::another_exponent:
      return "another exponent";
    case Conclusion::exponent_not_decided:
      return "exponent not decided";
    case Conclusion::vacuous:
      return "vacuous";
    case Conclusion::slower_than_the_bound:
      return falls ? "falls more slowly than the bound" : "grows faster than the bound";
    case Conclusion::short_sweep:
      return "too short a sweep";
    case Conclusion::too_few_trials:
      return "too few trials";
    case Conclusion::as_the_bound:
      return falls ? "falls at least as fast as the bound" : "grows no faster than the bound";
  }
  return "";
}

std::string reason_in_words(const Decision& decision, const RateReading& out, const Points& points,
                            const RateQuestion& question) {
  const std::string& variable = question.variable;
  const std::string controls = controls_in_words(out, points, question);
  const std::string exponents = exponents_in_words(out, points, question);
  const std::string statistic = statistic_in_words(question.failure_probability);
  switch (decision.conclusion) {
    case Conclusion::below_lower_bound: {
      const RateMeasurement& point = points[decision.point];
      return fmt::format(
          "Too good to be private: at {} = {:.6g} the mean excess risk {:.4g} is below {:.4g}, "
          "which no private run can beat; {}.",
          variable, point.value, summarise(point.risks).mean, point.lower_bound, controls);
    }
    case Conclusion::attained:
      return fmt::format("The exponent is attained to {:.3g}: {}; {}.", question.attained,
                         exponents, controls);
    case Conclusion::another_exponent:
      return fmt::format("The exponent differs by more than {:.3g}: {}; {}.", question.attained,
                         exponents, controls);
    case Conclusion::exponent_not_decided:
      return fmt::format(
          "Not decided to {:.3g}: {}; about {:.0f} trials a point would do, if the exponent is the "
          "claimed one; {}.",
          question.attained, exponents, *out.trials_needed, controls);
    case Conclusion::vacuous:
      return vacuous_in_words(out, points, question, decision.compared);
    case Conclusion::slower_than_the_bound:
      return fmt::format("The {} {} ({}); {}.", statistic, out.reading, exponents, controls);
    case Conclusion::short_sweep:
      return fmt::format(
          "The run beats both null controls at {} points over {:.2f} decades, where a rate is read "
          "from {} over {}{}; {}.",
          out.last - out.first + 1, out.decades, least_points, least_decades,
          out.decides_at ? fmt::format(" ({} = {:.2g} would do)", variable, *out.decides_at) : "",
          controls);
    case Conclusion::too_few_trials:
      return fmt::format(
          "Not decided: {} and beats both null controls, but an exponent worse by {:.3g} might not "
          "have been refuted, only one worse by {:.3g}; about {:.0f} trials a point would do; {}.",
          exponents, margin_of(question.exponent), out.detectable_slope, *out.trials_needed,
          controls);
    case Conclusion::as_the_bound:
      return fmt::format(
          "The {} {} ({}) and beats both null controls; a run slower by {:.3g} in the exponent "
          "would not be called so; {}.",
          statistic, out.reading, exponents, out.smallest_fault, controls);
  }
  return "";
}

}  // namespace

RateReading read_rate(const Points& points, const RateQuestion& question) {
  RateReading out{fit_rate(points, question)};
  const Decision decision = decide(out, points, question);
  out.reading = reading_in_words(decision.conclusion, out.falls);
  out.reason = reason_in_words(decision, out, points, question);
  return out;
}

}  // namespace dpverify
