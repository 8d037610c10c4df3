// What a measured curve says: a pure function of the points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/rate_fit.hpp"

namespace dpverify {

enum class RateVerdict { consistent, refuted, inconclusive };

struct RateReading : RateFit {
  RateVerdict verdict = RateVerdict::inconclusive;
  std::string reading;  // a few words: "vacuous", "falls at least as fast as the bound", ...
  std::string reason;   // one or two sentences
  // A run slower than this one by so much in the exponent would have been refuted by this look's
  // screen with probability 0.95 (by both stages: 0.9), or else have lost to a control on the way:
  // how much it is better than claimed, and what is seen beyond that.
  double smallest_fault = 0;
  // How many times the run exceeds what the claim allows, at least, at the level of the decision:
  // above 1 if and only if refuted. Of a slope, the factor by which the risk outgrows the bound
  // over the values fitted; of an exponent that is attained, its distance in units of the
  // tolerance; of a lower bound, of a control that is to be beaten, the ratio. Empty where a
  // control that need not be beaten is not, so that no slope is read.
  std::optional<double> tightness;
  // Predicted value of the variable from which the check could decide, if it could not.
  std::optional<double> decides_at;
  // Inconclusive for lack of trials, not of range or learning: more of them may decide.
  bool more_trials_may_decide = false;
  std::optional<double> trials_needed;  // a point, where it can be predicted
};

// Needs at least 2 points with values that rise, and at least 2 trials each.
//
//   the mean is significantly below the lower bound: refuted, whatever else holds;
//   vacuous at the easy end (a control is not beaten): inconclusive, or refuted if the claim
//     says that the algorithm learns and the run is significantly less than a tenth better than a
//     control;
//   statistic/bound grows significantly faster than tolerance_of() where the run beats both
//     controls: refuted;
//   less than 2 decades or 4 points where it does: inconclusive;
//   an exponent worse by margin_of() the claimed one might not have been refuted: inconclusive;
//   otherwise consistent.
// Beating a control: a smaller mean (Student's t), and for a theorem that holds with high
// probability also a smaller quantile (at the display level).
// With `attained` > 0 only the exponent counts: consistent if its interval lies within that
// distance of the claimed one, refuted if it lies beyond at the decision level.
// An inconclusive reading says whether more trials may decide. They cannot if the run is
// significantly no better than a control and the claim does not say that it learns, or if the
// range was missed even with every point that is not yet significantly above the controls.
// The points fitted are chosen by the same trials: where the curve only just beats a control, that
// raises a small level by a factor of about three.
RateReading read_rate(const std::vector<RateMeasurement>& points, const RateQuestion& question);

}  // namespace dpverify
