#include "bench/rate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/parallel.hpp"
#include "bench/statistics.hpp"

namespace dpverify {
namespace {

constexpr int bootstrap_draws = 1'000;
constexpr double display_level = 0.95;
// A rate needs room to show: this many powers of ten between the ends of the sweep.
constexpr double least_decades = 1.5;

struct Point {
  double value = 0;  // of the varied quantity
  double bound = 0;
  std::vector<double> risks;            // one a trial
  std::vector<double> data_free_risks;  // one a trial
};

Point measure(const Claim& claim, const RateClaim& check, const CheckContext& context, double value,
              Index trials, std::uint64_t first_trial) {
  const RatePoint at = check.point(value);
  const auto count = static_cast<std::size_t>(trials);
  Point point{value, at.bound, std::vector<double>(count), std::vector<double>(count)};
  const Dataset nothing{Matrix::Zero(at.records, check.dimension), VectorXd::Zero(at.records)};
  parallel_for(trials, context.threads, [&](Index t) {
    const auto k = static_cast<std::size_t>(t);
    const auto stream = [&](std::string_view purpose) {
      return RandomStream(
          {.seed = context.seed, .claim = claim.id, .purpose = purpose, .trial = first_trial + k});
    };
    RandomStream data_stream = stream("data");
    const Dataset data = check.draw(at.records, data_stream);
    SamplingReleases releases(stream("releases"));
    DataFreeReleases data_free(stream("data-free releases"));
    point.risks[k] = check.excess_risk(at.mechanism(data, releases));
    point.data_free_risks[k] = check.excess_risk(at.mechanism(nothing, data_free));
  });
  return point;
}

struct Fit {
  double exponent = 0;     // of the mean excess risk
  double ratio_slope = 0;  // of log(mean/bound)
};

Fit fit(const std::vector<Point>& points, const std::vector<Sample>& samples,
        const std::vector<double>& weights) {
  std::vector<double> x, risk, ratio;
  for (std::size_t k = 0; k < points.size(); ++k) {
    x.push_back(std::log(points[k].value));
    risk.push_back(std::log(samples[k].mean));
    ratio.push_back(std::log(samples[k].mean / points[k].bound));
  }
  return {fit_line(x, risk, weights).slope, fit_line(x, ratio, weights).slope};
}

// Standard deviations of the fitted slopes over resampled trials.
Fit bootstrap(const std::vector<Point>& points, const std::vector<double>& weights,
              RandomStream stream) {
  std::vector<double> exponents, ratio_slopes;
  for (int draw = 0; draw < bootstrap_draws; ++draw) {
    std::vector<Sample> samples;
    for (const Point& point : points) {
      std::vector<double> resampled;
      for (std::size_t k = 0; k < point.risks.size(); ++k)
        resampled.push_back(point.risks[static_cast<std::size_t>(
            stream.index(static_cast<Index>(point.risks.size())))]);
      samples.push_back(summarise(resampled));
    }
    const Fit one = fit(points, samples, weights);
    exponents.push_back(one.exponent);
    ratio_slopes.push_back(one.ratio_slope);
  }
  const auto deviation = [](const std::vector<double>& values) {
    return summarise(values).standard_error * std::sqrt(static_cast<double>(values.size()));
  };
  return {deviation(exponents), deviation(ratio_slopes)};
}

}  // namespace

Evidence check_rate(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<RateClaim>(claim.check);
  const Sweep& sweep = context.plan == Plan::smoke ? check.smoke : check.ci;
  Evidence evidence{.claim = claim.id, .method = "sweep with null controls"};
  evidence.seed = context.seed;
  // Each claim's share, split over five one-sided decisions: the ratio grows; the run beats, or is
  // worse than, each of the two controls.
  const double level = context.significance / context.statistical_checks / 5;
  const double zero_risk = check.excess_risk(VectorXd::Zero(check.dimension));

  std::vector<Point> points;
  std::vector<Sample> samples;
  std::vector<double> weights;
  Table table{"points",
              {check.variable, "excess risk", "lower", "upper", "bound", "excess risk/bound",
               "data-free", "data-free lower", "data-free upper", "zero vector"},
              {}};
  const auto degrees = static_cast<double>(sweep.trials - 1);
  const double display = student_t_quantile((1 - display_level) / 2, degrees);
  std::vector<Sample> data_free_samples;
  for (std::size_t k = 0; k < sweep.values.size(); ++k) {
    points.push_back(measure(claim, check, context, sweep.values[k], sweep.trials,
                             k * static_cast<std::uint64_t>(sweep.trials)));
    const Point& point = points.back();
    const Sample run = summarise(point.risks);
    const Sample data_free = summarise(point.data_free_risks);
    data_free_samples.push_back(data_free);
    samples.push_back(run);
    // The variance of log(mean) is about (standard error/mean)^2.
    weights.push_back(std::pow(run.mean / std::max(run.standard_error, 1e-12 * run.mean), 2));
    table.rows.push_back({point.value, run.mean, run.mean - display * run.standard_error,
                          run.mean + display * run.standard_error, point.bound,
                          run.mean / point.bound, data_free.mean,
                          data_free.mean - display * data_free.standard_error,
                          data_free.mean + display * data_free.standard_error, zero_risk});
  }
  // The fit leaves out the small end of the sweep where the run does not yet beat doing nothing (at
  // the display level): there the risk is capped by the domain, and says nothing about the bound.
  const auto learns_at = [&](std::size_t k) {
    const double cap = std::min(zero_risk, data_free_samples[k].mean);
    return samples[k].mean + display * samples[k].standard_error < cap;
  };
  std::size_t first = points.size();
  while (first > 0 && learns_at(first - 1)) --first;
  const bool fitted = first + 2 <= points.size();
  const std::size_t from = fitted ? first : 0;
  const auto tail = [from](const auto& all) {
    return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
  };
  const std::vector<Point> fit_points = tail(points);
  const std::vector<double> fit_weights = tail(weights);
  const Fit slopes = fit(fit_points, tail(samples), fit_weights);
  const Fit deviations =
      bootstrap(fit_points, fit_weights,
                RandomStream({.seed = context.seed, .claim = claim.id, .purpose = "bootstrap"}));

  const double wide = student_t_quantile(level, degrees);
  const Sample& last = samples.back();
  const Sample& data_free = data_free_samples.back();
  const double margin_zero = wide * last.standard_error;
  const double margin_data_free = wide * std::hypot(last.standard_error, data_free.standard_error);
  const bool beats_zero = last.mean + margin_zero < zero_risk;
  const bool beats_data_free = last.mean + margin_data_free < data_free.mean;
  const bool vacuous = !beats_zero || !beats_data_free;
  const bool worse =
      last.mean - margin_zero > zero_risk || last.mean - margin_data_free > data_free.mean;
  const bool grows = !vacuous && slopes.ratio_slope > wide * deviations.ratio_slope;
  const double decades = std::log10(sweep.values.back() / sweep.values[from]);

  evidence.samples = static_cast<std::uint64_t>(sweep.trials) * sweep.values.size() * 2;
  evidence.estimate = slopes.exponent;
  evidence.claimed = check.exponent;
  const double half = normal_quantile((1 - display_level) / 2) * deviations.exponent;
  evidence.interval = Interval{slopes.exponent - half, slopes.exponent + half, display_level};
  evidence.measurements = {{"slope of log(excess risk/bound)", slopes.ratio_slope},
                           {"its bootstrap standard error", deviations.ratio_slope},
                           {"fitted from", sweep.values[from]},
                           {"decades fitted", decades},
                           {"trials a point", static_cast<double>(sweep.trials)},
                           {"significance of each decision", level}};
  evidence.tables = {std::move(table)};

  const std::string controls = fmt::format(
      "at {} = {:.6g} the excess risk is {:.4g}, the data-free run's {:.4g}, the zero vector's "
      "{:.4g}",
      check.variable, points.back().value, last.mean, data_free.mean, zero_risk);
  const std::string exponents =
      fmt::format("exponent {:.3f} in [{:.3f}, {:.3f}] where {:.3f} is claimed", slopes.exponent,
                  evidence.interval->lower, evidence.interval->upper, check.exponent);
  evidence.reading = grows     ? "slower than the bound"
                     : vacuous ? "vacuous"
                               : "falls at least as fast as the bound";
  if (grows) {
    evidence.verdict = Verdict::refuted;
    evidence.reason = fmt::format("The excess risk falls more slowly than the bound ({}); {}.",
                                  exponents, controls);
  } else if (vacuous) {
    evidence.verdict = check.learns && worse ? Verdict::refuted : Verdict::inconclusive;
    evidence.reason = fmt::format(
        "Vacuous: the run does not beat {}, so its falling curve ({}) is no evidence of learning; "
        "{}.",
        !beats_zero && !beats_data_free ? "either null control"
        : beats_zero                    ? "the data-free run"
                                        : "the zero vector",
        exponents, controls);
  } else if (decades < least_decades) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The run beats both null controls over {:.2f} decades only, too few to read a rate; {}.",
        decades, controls);
  } else {
    evidence.verdict = Verdict::consistent;
    evidence.reason = fmt::format(
        "The excess risk falls at least as fast as the bound ({}) and beats both null "
        "controls; {}.",
        exponents, controls);
  }
  return evidence;
}

}  // namespace dpverify
