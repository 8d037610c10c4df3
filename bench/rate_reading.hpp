// What a measured curve says: a pure function of the points.
#pragma once

#include <cstdint>
#include <optional>
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
  double level = 1e-9;  // largest probability of each of six wrong decisions
  double share = 1;     // of it, and of the display level of `attained`, that this look may spend
  std::uint64_t seed = 0;   // of the bootstrap
  std::string stream_name;  // of the bootstrap: the id of the claim
};

enum class RateVerdict { consistent, refuted, inconclusive };

struct RateReading {
  RateVerdict verdict = RateVerdict::inconclusive;
  std::string reading;  // a few words: "vacuous", "falls at least as fast as the bound", ...
  std::string reason;   // one or two sentences

  // The statistic of the theorem, the mean or the (1 - zeta)-quantile, at each point; of what was
  // not run, NaN.
  std::vector<Located> run, data_free, non_private;
  std::vector<std::vector<Located>> comparators;  // by point

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
  double exponent_lower = 0;
  double exponent_upper = 0;
  // Second-order term of log(statistic) in log(value); bent: it differs from 0 at the level 0.01,
  // and end_exponent, the local one at the easy end, is worth a look.
  double curvature = 0;
  double curvature_error = 0;
  bool bent = false;
  double end_exponent = 0;
  // Slope of log(statistic/bound) and its standard error; the smallest that would have refuted.
  double ratio_slope = 0;
  double ratio_slope_error = 0;
  double detectable_slope = 0;
  // statistic/bound at the easy end.
  Located easy_ratio;
  // Predicted value of the variable from which the check could decide, if it could not.
  std::optional<double> decides_at;
  // Inconclusive for lack of trials, not of range or learning: more of them may decide.
  bool more_trials_may_decide = false;
};

// Needs at least 2 points with values that rise, and at least 2 trials each.
//
//   vacuous at the easy end (a control is not beaten): inconclusive, or refuted if the claim
//     says that the algorithm learns and the run is significantly less than a tenth better than a
//     control;
//   the mean is significantly below the lower bound: refuted, whatever else holds;
//   statistic/bound grows significantly where the run beats both controls: refuted;
//   less than 1.5 decades where it does: inconclusive; otherwise consistent.
// Beating a control: a smaller mean (Student's t), and for a theorem that holds with high
// probability also a smaller quantile (at the display level).
// With `attained` > 0 only the exponent counts: consistent if its interval lies within that
// distance of the claimed one, refuted if it lies beyond at the decision level.
// An inconclusive reading says whether more trials may decide. They cannot if the run is
// significantly no better than a control and the claim does not say that it learns, or if 1.5
// decades were missed even with every point that is not yet significantly above the controls.
// The points fitted are chosen by the same trials: where the curve only just beats a control, that
// raises a small level by a factor of about three.
RateReading read_rate(const std::vector<RateMeasurement>& points, const RateQuestion& question);

}  // namespace dpverify
