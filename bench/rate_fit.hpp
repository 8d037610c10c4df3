// The numbers behind a reading: the statistic at each point, and the line through its logarithms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/statistics.hpp"

namespace dpverify {

// One value of a sweep, measured: independent trials, the k-th run and the k-th data-free run from
// different random streams.
struct RateMeasurement {
  double value = 0;                       // of the varied quantity, > 0
  double bound = 0;                       // of the theorem there, > 0
  double zero_risk = 0;                   // excess risk of the zero vector
  std::vector<double> risks;              // excess risks of the private run, one a trial
  std::vector<double> data_free_risks;    // of the data-free run, as many
  std::vector<double> non_private_risks;  // without noise on the data of the first trials
  double lower_bound = 0;                 // on the mean excess risk of every private run; 0: none
  // What a user would run instead, on the data of the first trials; empty: not run.
  std::vector<std::vector<double>> comparator_risks;
};

// What the theorem says of the curve (see RateClaim), and how sure a decision must be.
struct RateQuestion {
  std::string variable;
  double exponent = 0;
  double failure_probability = 0;
  bool learns = false;
  double attained = 0;
  double level = 1e-4;  // largest probability of each of six wrong decisions
  double share = 1;     // of it, and of the display level of `attained`, that this look may spend
  std::uint64_t seed = 0;   // of the bootstrap
  std::string stream_name;  // of the bootstrap: the id of the claim
};

// How much worse than claimed an exponent must be for a check to be worth its yes: half of it, or
// 0.15, whichever is more.
double margin_of(double exponent);
// The excess in the exponent up to which nothing is refuted, however sure, a tenth of margin_of():
// T and other integers of the theorems' parameters are rounded, and so bend a curve a little.
double tolerance_of(double exponent);

// With which probability a fault of the size that is called detectable may be missed.
inline constexpr double missed_level = 0.05;

// Of the intervals that are shown.
inline constexpr double display_level = 0.95;

// "mean excess risk", or of which quantile: what the theorem bounds, with that probability of
// failure.
std::string statistic_in_words(double failure_probability);

// Natural logarithms at each point of the sweep. A risk of 0, which has none, counts as 1e-12 of
// the bound.
struct RateLogarithms {
  std::vector<double> value, run, data_free, zero;
  std::vector<double> variance;  // of `run`, by the bootstrap
  std::vector<double> weight;    // of the point in the fit
};

struct RateFit {
  // The statistic of the theorem, the mean or the (1 - zeta)-quantile, at each point; of what was
  // not run, NaN.
  std::vector<Located> run, data_free, non_private;
  std::vector<std::vector<Located>> comparators;  // by point
  RateLogarithms logarithms;

  bool falls = true;  // the bound does, as the variable grows
  // The end of the sweep where the bound is smaller: the last point, or the first.
  std::size_t easy = 0;
  // The points fitted, first to last: those at the easy end where the run beats both controls; all
  // if fewer than two do.
  std::size_t first = 0;
  std::size_t last = 0;
  double decades = 0;  // between them
  // Exponent of the statistic in the variable, by weighted regression of the logarithms: the same
  // estimand whether or not the curve looks bent. Interval at the display level.
  double exponent = 0;
  double exponent_error = 0;  // standard error
  double exponent_lower = 0;
  double exponent_upper = 0;
  // Second-order term of log(statistic) in log(value); bent: it differs from 0 at the level 0.01,
  // and end_exponent, the local one at the easy end, is worth a look.
  double curvature = 0;
  double curvature_error = 0;
  bool bent = false;
  double end_exponent = 0;
  // Slope of log(statistic/bound) and its standard error; the slope above which it is refuted, and
  // the true one that lies above it with probability 0.95.
  double ratio_slope = 0;
  double ratio_slope_error = 0;
  double critical_slope = 0;
  double detectable_slope = 0;
  // statistic/bound at the easy end.
  Located easy_ratio;
};

// Needs at least 2 points with values that rise, and at least 2 trials each.
RateFit fit_rate(const std::vector<RateMeasurement>& points, const RateQuestion& question);

// The smaller control at the k-th point.
double best_control(const RateFit& fit, const std::vector<RateMeasurement>& points, std::size_t k);

// How many points, from the easy end on, satisfy it.
template <class Condition>
std::size_t points_from_the_easy_end(const RateFit& fit, const Condition& satisfied) {
  const std::size_t count = fit.run.size();
  std::size_t length = 0;
  while (length < count && satisfied(fit.falls ? count - 1 - length : length)) ++length;
  return length;
}

}  // namespace dpverify
