#include "bench/rate_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

constexpr std::size_t bootstrap_draws = 400;
constexpr double display_level = 0.95;
constexpr double bent_level = 0.01;
constexpr double no_better = 0.9;
// Two-sided; below it a run that looks no better than a control may yet turn out to be.
constexpr double hopeless_level = 0.999;
// A rate needs room to show: this many powers of ten between the ends of what is fitted.
constexpr double least_decades = 1.5;
// A prediction beyond this many powers of ten is none.
constexpr double farthest_prediction = 6;

// The statistic the theorem bounds: the mean, or the (1 - zeta)-quantile.
class Statistic {
 public:
  explicit Statistic(double failure_probability) : failure_(failure_probability) {}

  bool is_mean() const { return failure_ == 0; }
  std::string words() const {
    return is_mean() ? "mean excess risk"
                     : fmt::format("{:.4g}-quantile of the excess risk", 1 - failure_);
  }

  Located locate(const std::vector<double>& values) const {
    return is_mean() ? locate_mean(values, display_level)
                     : locate_quantile(values, 1 - failure_, display_level);
  }

  // Variance of log(statistic) over resampled trials. `floor` stands for a statistic below it.
  double log_variance(std::vector<double> values, double floor, RandomStream& stream) const {
    const auto n = static_cast<Index>(values.size());
    const auto rank = static_cast<Index>(std::ceil((1 - failure_) * static_cast<double>(n)));
    if (!is_mean()) std::ranges::sort(values);
    std::vector<double> logarithms;
    for (std::size_t draw = 0; draw < bootstrap_draws; ++draw) {
      double resampled = 0;
      if (is_mean()) {
        for (Index k = 0; k < n; ++k)
          resampled += values[static_cast<std::size_t>(stream.index(n))];
        resampled /= static_cast<double>(n);
      } else {
        // The rank-th smallest of n uniform numbers, which says where in the sorted values the
        // rank-th smallest of n resampled ones stands.
        const double a = stream.gamma(static_cast<double>(rank));
        const double b = stream.gamma(static_cast<double>(n + 1 - rank));
        const auto at = static_cast<Index>(a / (a + b) * static_cast<double>(n));
        resampled = values[static_cast<std::size_t>(std::min(at, n - 1))];
      }
      logarithms.push_back(std::log(std::max(resampled, floor)));
    }
    const double error = summarise(logarithms).standard_error;
    // Resampling n values underestimates a variance by the factor (n - 1)/n.
    return error * error * static_cast<double>(bootstrap_draws) * static_cast<double>(n) /
           static_cast<double>(n - 1);
  }

 private:
  double failure_;
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr Located not_run{unknown, unknown, unknown};

// Which controls the run beats at one point, and whether it is worse than one or better by less
// than a tenth, each at the level.
struct Comparison {
  bool beats_zero = false;
  bool beats_data_free = false;
  bool learns_nothing = false;
};

Comparison compare(const RateMeasurement& point, double level) {
  const Sample run = summarise(point.risks), data_free = summarise(point.data_free_risks);
  const double wide = student_t_quantile(level, static_cast<double>(run.size - 1));
  const double margin_zero = wide * run.standard_error;
  const double margin_data_free = wide * std::hypot(run.standard_error, data_free.standard_error);
  return {
      .beats_zero = run.mean + margin_zero < point.zero_risk,
      .beats_data_free =
          run.mean +
              margin_data_free<data_free.mean, .learns_nothing = run.mean - margin_zero> no_better *
                  point.zero_risk ||
          run.mean - margin_data_free > no_better * data_free.mean};
}

// A weighted regression of logarithms on the log of the variable: as linear functions of the
// logarithms, so that errors follow from those of the points.
struct Regression {
  std::vector<double> slope;      // slope = sum_k slope[k] log(statistic_k)
  std::vector<double> curvature;  // of the parabola; empty with fewer than three points
  std::vector<double> end_slope;  // of the parabola at the end
};

Regression regression(const std::vector<double>& x, const std::vector<double>& weights,
                      double end) {
  Regression out;
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::vector<double> unit(x.size(), 0.0);
    unit[k] = 1;
    out.slope.push_back(fit_line(x, unit, weights).slope);
    if (x.size() < 3) continue;
    const Parabola parabola = fit_parabola(x, unit, weights);
    out.curvature.push_back(parabola.curvature);
    out.end_slope.push_back(parabola.slope + 2 * parabola.curvature * (end - parabola.centre));
  }
  return out;
}

struct Estimate {
  double value = 0;
  double error = 0;  // standard error
};

Estimate combine(const std::vector<double>& coefficients, const std::vector<double>& values,
                 const std::vector<double>& variances) {
  Estimate out;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    out.value += coefficients[k] * values[k];
    out.error += coefficients[k] * coefficients[k] * variances[k];
  }
  out.error = std::sqrt(out.error);
  return out;
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y,
                const std::vector<double>& weights) {
  return fit_line(x, y, weights).slope;
}

}  // namespace

RateReading read_rate(const std::vector<RateMeasurement>& points, const RateQuestion& question) {
  const Statistic statistic(question.failure_probability);
  RandomStream stream(
      {.seed = question.seed, .claim = question.stream_name, .purpose = "bootstrap"});
  const std::size_t count = points.size();
  const bool falls = points.back().bound <= points.front().bound;
  const std::size_t easy = falls ? count - 1 : 0;

  RateReading out;
  out.easy = easy;
  std::vector<double> x, y, variances, weights, log_data_free, log_zero;
  for (const RateMeasurement& point : points) {
    out.run.push_back(statistic.locate(point.risks));
    out.data_free.push_back(statistic.locate(point.data_free_risks));
    out.non_private.push_back(statistic.locate(point.non_private_risks));
    out.comparators.emplace_back();
    for (const std::vector<double>& risks : point.comparator_risks)
      out.comparators.back().push_back(risks.empty() ? not_run : statistic.locate(risks));
    const double floor = 1e-12 * point.bound;  // a risk of exactly 0 has no logarithm
    x.push_back(std::log(point.value));
    y.push_back(std::log(std::max(out.run.back().value, floor)));
    variances.push_back(statistic.log_variance(point.risks, floor, stream));
    log_data_free.push_back(std::log(std::max(out.data_free.back().value, floor)));
    log_zero.push_back(std::log(std::max(point.zero_risk, floor)));
  }

  // Weights from half the point's own variance and half their mean: heavy-tailed trials hide how
  // heavy their tail is, and the point that looks best is not to decide alone.
  const double common = summarise(variances).mean;
  for (const double variance : variances)
    weights.push_back(1 / std::max((variance + common) / 2, 1e-16));

  // The fit leaves out the hard end of the sweep where the run does not yet beat doing nothing (at
  // the display level): there the risk is capped by the domain, and says nothing about the bound.
  const auto best_control = [&](std::size_t k) {
    return std::min(points[k].zero_risk, out.data_free[k].value);
  };
  // How many points from the easy end on satisfy it.
  const auto run_of = [&](const auto& satisfies) {
    std::size_t length = 0;
    while (length < count && satisfies(falls ? count - 1 - length : length)) ++length;
    return length;
  };
  const auto decades_of = [&](std::size_t length) {
    return std::log10(falls ? points.back().value / points[count - length].value
                            : points[length - 1].value / points.front().value);
  };
  out.first = 0;
  out.last = count - 1;
  if (question.attained == 0) {
    const std::size_t learning =
        run_of([&](std::size_t k) { return out.run[k].upper < best_control(k); });
    if (learning >= 2) (falls ? out.first : out.last) = falls ? count - learning : learning - 1;
  }
  out.decades = std::log10(points[out.last].value / points[out.first].value);

  const auto fitted = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(out.first),
                               all.begin() + static_cast<std::ptrdiff_t>(out.last) + 1);
  };
  const Regression fit = regression(fitted(x), fitted(weights), x[easy]);
  const std::vector<double> fit_y = fitted(y), fit_variances = fitted(variances);
  std::vector<double> fit_ratio;
  for (std::size_t k = out.first; k <= out.last; ++k)
    fit_ratio.push_back(y[k] - std::log(points[k].bound));
  const Estimate ratio = combine(fit.slope, fit_ratio, fit_variances);
  const Estimate exponent = combine(fit.slope, fit_y, fit_variances);
  const auto degrees = static_cast<double>(points.front().risks.size() - 1);
  if (!fit.curvature.empty()) {
    const Estimate curvature = combine(fit.curvature, fit_y, fit_variances);
    out.curvature = curvature.value;
    out.curvature_error = curvature.error;
    out.bent =
        std::abs(curvature.value) > student_t_quantile(bent_level / 2, degrees) * curvature.error;
    out.end_exponent = combine(fit.end_slope, fit_y, fit_variances).value;
  }
  const double display = student_t_quantile((1 - display_level) / 2, degrees);
  const double level = question.level * question.share;
  const double wide = student_t_quantile(level, degrees);
  out.exponent = exponent.value;
  out.exponent_lower = exponent.value - display * exponent.error;
  out.exponent_upper = exponent.value + display * exponent.error;
  out.ratio_slope = ratio.value;
  out.ratio_slope_error = ratio.error;
  out.detectable_slope = wide * ratio.error;
  const double easy_bound = points[easy].bound;
  out.easy_ratio = {out.run[easy].value / easy_bound, out.run[easy].lower / easy_bound,
                    out.run[easy].upper / easy_bound};

  const std::string& variable = question.variable;
  const std::string controls = fmt::format(
      "at {} = {:.6g} the {} is {:.4g}, the data-free run's {:.4g}, the zero vector's {:.4g}, the "
      "non-private run's {:.4g}",
      variable, points[easy].value, statistic.words(), out.run[easy].value,
      out.data_free[easy].value, points[easy].zero_risk, out.non_private[easy].value);
  const std::string exponents =
      fmt::format("exponent {:.3f} in [{:.3f}, {:.3f}]{} where {:.3f} is claimed", out.exponent,
                  out.exponent_lower, out.exponent_upper,
                  out.bent ? fmt::format(", of a curve that bends ({:.3f} at {} = {:.6g}),",
                                         out.end_exponent, variable, points[easy].value)
                           : "",
                  question.exponent);

  for (std::size_t k = 0; k < count; ++k) {
    const Sample run = summarise(points[k].risks);
    const double highest =
        run.mean +
        student_t_quantile(level / static_cast<double>(count), degrees) * run.standard_error;
    if (highest >= points[k].lower_bound) continue;
    out.verdict = RateVerdict::refuted;
    out.reading = "below the lower bound";
    out.reason = fmt::format(
        "Too good to be private: at {} = {:.6g} the mean excess risk {:.4g} is below {:.4g}, which "
        "no private run can beat; {}.",
        variable, points[k].value, run.mean, points[k].lower_bound, controls);
    return out;
  }

  if (question.attained > 0) {
    const double low = question.exponent - question.attained;
    const double high = question.exponent + question.attained;
    const double within =
        student_t_quantile((1 - display_level) * question.share / 2, degrees) * exponent.error;
    const bool beyond = exponent.value - wide * exponent.error > high ||
                        exponent.value + wide * exponent.error < low;
    if (exponent.value - within >= low && exponent.value + within <= high) {
      out.verdict = RateVerdict::consistent;
      out.reading = "attains the exponent";
      out.reason = fmt::format("The exponent is attained to {:.3g}: {}; {}.", question.attained,
                               exponents, controls);
    } else if (beyond) {
      out.verdict = RateVerdict::refuted;
      out.reading = "another exponent";
      out.reason = fmt::format("The exponent differs by more than {:.3g}: {}; {}.",
                               question.attained, exponents, controls);
    } else {
      out.reading = "exponent not decided";
      out.more_trials_may_decide = true;
      const double needed = std::pow(within / question.attained, 2);
      out.reason = fmt::format(
          "Not decided to {:.3g}: {}; about {:.0f} trials a point would do, if the exponent is the "
          "claimed one; {}.",
          question.attained, exponents,
          std::ceil(std::max(needed, 1.0) * static_cast<double>(points.front().risks.size()) * 4),
          controls);
    }
    return out;
  }

  Comparison compared = compare(points[easy], level);
  if (!statistic.is_mean()) {
    compared.beats_zero = compared.beats_zero && out.run[easy].upper < points[easy].zero_risk;
    compared.beats_data_free =
        compared.beats_data_free && out.run[easy].upper < out.data_free[easy].value;
  }
  const bool vacuous = !compared.beats_zero || !compared.beats_data_free;
  const bool grows = !vacuous && out.ratio_slope > out.detectable_slope;
  const std::string good =
      falls ? "falls at least as fast as the bound" : "grows no faster than the bound";
  const std::string bad =
      falls ? "falls more slowly than the bound" : "grows faster than the bound";

  if (vacuous) {
    // Where the lines through the logarithms of run and control cross, with the noise on top.
    const double noise = std::log(out.run[easy].upper / out.run[easy].value);
    const double run_slope = slope_of(x, y, weights);
    double at = x[easy];
    bool ever = std::isfinite(noise) && falls;
    const auto cross = [&](const std::vector<double>& control) {
      const double closing = slope_of(x, control, std::vector<double>(count, 1.0)) - run_slope;
      const double gap = y[easy] + noise - control[easy];
      if (gap <= 0) return;  // beaten but for the number of trials
      ever = ever && closing > 0;
      if (closing > 0) at = std::max(at, x[easy] + gap / closing);
    };
    if (!compared.beats_zero) cross(log_zero);
    if (!compared.beats_data_free) cross(log_data_free);
    ever = ever && (at - x[easy]) / std::log(10.0) <= farthest_prediction;
    if (ever) out.decides_at = std::exp(at);
    out.verdict = question.learns && compared.learns_nothing ? RateVerdict::refuted
                                                             : RateVerdict::inconclusive;
    out.more_trials_may_decide =
        out.verdict == RateVerdict::inconclusive &&
        (question.learns || !compare(points[easy], (1 - hopeless_level) / 2).learns_nothing);
    out.reading = "vacuous";
    out.reason = fmt::format(
        "Vacuous: the run does not beat {}, so its curve ({}) is no evidence of learning; {}. {}",
        !compared.beats_zero && !compared.beats_data_free ? "either null control"
        : compared.beats_zero                             ? "the data-free run"
                                                          : "the zero vector",
        exponents, controls,
        !ever ? fmt::format("As the curves run, no {} within reach would change that.", variable)
        : *out.decides_at <= points[easy].value * 1.001
            ? "More trials at the same values would decide."
            : fmt::format("As the curves run, it would from about {} = {:.2g} on.", variable,
                          *out.decides_at));
  } else if (grows) {
    out.verdict = RateVerdict::refuted;
    out.reading = bad;
    out.reason = fmt::format("The {} {} ({}); {}.", statistic.words(), bad, exponents, controls);
  } else if (out.decades < least_decades) {
    if (falls) out.decides_at = points[out.first].value * std::pow(10.0, least_decades);
    const std::size_t hopeful =
        run_of([&](std::size_t k) { return out.run[k].lower < best_control(k); });
    out.more_trials_may_decide = hopeful > 0 && decades_of(hopeful) >= least_decades;
    out.reading = "too short a sweep";
    out.reason = fmt::format(
        "The run beats both null controls over {:.2f} decades only, too few to read a rate{}; {}.",
        out.decades, falls ? fmt::format(" ({} = {:.2g} would do)", variable, *out.decides_at) : "",
        controls);
  } else {
    out.verdict = RateVerdict::consistent;
    out.reading = good;
    out.reason = fmt::format("The {} {} ({}) and beats both null controls; {}.", statistic.words(),
                             good, exponents, controls);
  }
  return out;
}

}  // namespace dpverify
