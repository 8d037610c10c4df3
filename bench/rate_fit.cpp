#include "bench/rate_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

constexpr std::size_t bootstrap_draws = 400;
constexpr double bent_level = 0.01;

// The statistic the theorem bounds: the mean, or the (1 - zeta)-quantile.
class Statistic {
 public:
  explicit Statistic(double failure_probability) : failure_(failure_probability) {}

  bool is_mean() const { return failure_ == 0; }
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

void locate(RateFit& fit, const std::vector<RateMeasurement>& points,
            const RateQuestion& question) {
  const Statistic statistic(question.failure_probability);
  RandomStream stream(
      {.seed = question.seed, .claim = question.stream_name, .purpose = "bootstrap"});
  RateLogarithms& logs = fit.logarithms;
  for (const RateMeasurement& point : points) {
    fit.run.push_back(statistic.locate(point.risks));
    fit.data_free.push_back(statistic.locate(point.data_free_risks));
    fit.non_private.push_back(statistic.locate(point.non_private_risks));
    fit.comparators.emplace_back();
    for (const std::vector<double>& risks : point.comparator_risks)
      fit.comparators.back().push_back(risks.empty() ? not_run : statistic.locate(risks));
    const double floor = 1e-12 * point.bound;
    logs.value.push_back(std::log(point.value));
    logs.run.push_back(std::log(std::max(fit.run.back().value, floor)));
    logs.variance.push_back(statistic.log_variance(point.risks, floor, stream));
    logs.data_free.push_back(std::log(std::max(fit.data_free.back().value, floor)));
    logs.zero.push_back(std::log(std::max(point.zero_risk, floor)));
  }
  // Weights from half the point's own variance and half their mean: heavy-tailed trials hide how
  // heavy their tail is, and the point that looks best is not to decide alone.
  const double common = summarise(logs.variance).mean;
  for (const double variance : logs.variance)
    logs.weight.push_back(1 / std::max((variance + common) / 2, 1e-16));
}

// The fit leaves out the hard end of the sweep where the run does not yet beat doing nothing (at
// the display level): there the risk is capped by the domain, and says nothing about the bound.
void choose_points(RateFit& fit, const std::vector<RateMeasurement>& points,
                   const RateQuestion& question) {
  const std::size_t count = points.size();
  fit.first = 0;
  fit.last = count - 1;
  if (question.attained == 0) {
    const std::size_t learning = points_from_the_easy_end(
        fit, [&](std::size_t k) { return fit.run[k].upper < best_control(fit, points, k); });
    if (learning >= 2)
      (fit.falls ? fit.first : fit.last) = fit.falls ? count - learning : learning - 1;
  }
  fit.decades = std::log10(points[fit.last].value / points[fit.first].value);
}

void regress(RateFit& fit, const std::vector<RateMeasurement>& points,
             const RateQuestion& question) {
  const RateLogarithms& logs = fit.logarithms;
  const auto fitted = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(fit.first),
                               all.begin() + static_cast<std::ptrdiff_t>(fit.last) + 1);
  };
  const Regression line = regression(fitted(logs.value), fitted(logs.weight), logs.value[fit.easy]);
  const std::vector<double> run = fitted(logs.run), variances = fitted(logs.variance);
  std::vector<double> ratios;
  for (std::size_t k = fit.first; k <= fit.last; ++k)
    ratios.push_back(logs.run[k] - std::log(points[k].bound));
  const Estimate ratio = combine(line.slope, ratios, variances);
  const Estimate exponent = combine(line.slope, run, variances);
  const auto degrees = static_cast<double>(points.front().risks.size() - 1);
  if (!line.curvature.empty()) {
    const Estimate curvature = combine(line.curvature, run, variances);
    fit.curvature = curvature.value;
    fit.curvature_error = curvature.error;
    fit.bent =
        std::abs(curvature.value) > student_t_quantile(bent_level / 2, degrees) * curvature.error;
    fit.end_exponent = combine(line.end_slope, run, variances).value;
  }
  const double display = student_t_quantile((1 - display_level) / 2, degrees);
  fit.exponent = exponent.value;
  fit.exponent_error = exponent.error;
  fit.exponent_lower = exponent.value - display * exponent.error;
  fit.exponent_upper = exponent.value + display * exponent.error;
  fit.ratio_slope = ratio.value;
  fit.ratio_slope_error = ratio.error;
  const double wide = student_t_quantile(question.level * question.share, degrees);
  fit.critical_slope = tolerance_of(question.exponent) + wide * ratio.error;
  fit.detectable_slope =
      fit.critical_slope + student_t_quantile(missed_level, degrees) * ratio.error;
}

}  // namespace

double margin_of(double exponent) { return std::max(std::abs(exponent) / 2, 0.15); }

double tolerance_of(double exponent) { return margin_of(exponent) / 10; }

std::string statistic_in_words(double failure_probability) {
  return failure_probability == 0
             ? "mean excess risk"
             : fmt::format("{:.4g}-quantile of the excess risk", 1 - failure_probability);
}

double best_control(const RateFit& fit, const std::vector<RateMeasurement>& points, std::size_t k) {
  return std::min(points[k].zero_risk, fit.data_free[k].value);
}

RateFit fit_rate(const std::vector<RateMeasurement>& points, const RateQuestion& question) {
  RateFit fit;
  fit.falls = points.back().bound <= points.front().bound;
  fit.easy = fit.falls ? points.size() - 1 : 0;
  locate(fit, points, question);
  choose_points(fit, points, question);
  regress(fit, points, question);
  const Located& run = fit.run[fit.easy];
  const double bound = points[fit.easy].bound;
  fit.easy_ratio = {run.value / bound, run.lower / bound, run.upper / bound};
  return fit;
}

}  // namespace dpverify
