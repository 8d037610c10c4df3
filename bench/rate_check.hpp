// Does the excess risk fall as the theorem says, and does the run beat doing nothing?
#pragma once

#include <string>
#include <vector>

#include "reports/evidence.hpp"

namespace dpverify {

// What the plan sweeps; no values: the plan leaves the claim out. Without a nightly sweep of its
// own, a claim gets the one of `ci` with twice the trials and, if the variable is n, half a decade
// and a decade more of it, as far as a trial's data fit into 4 GB.
Sweep sweep_of(const RateClaim& check, Plan plan);

// One point of the sweep, by the key under which it is kept, and how much work it is: the records
// of all trials. The first points of a sweep come first.
struct PlannedPoint {
  std::string key;
  double work = 0;
};
std::vector<PlannedPoint> planned_points(const Claim& claim, const CheckContext& context);

// Names of measurements that a comparison of two runs reads; see RateReading.
inline constexpr const char* exponent_margin_name = "half width of the exponent's 0.999 interval";
inline constexpr const char* ratio_name = "excess risk/bound at the easy end";
inline constexpr const char* log_ratio_margin_name = "half width of its logarithm's 0.999 interval";
inline constexpr const char* easy_end_name = "easy end";

// The column of the table of points that holds the lower bound.
inline constexpr const char* lower_bound_column = "lower bound";

// Decides a claim whose check is a RateClaim: sweeps the variable and reads the curve of the excess
// risk (see rate_reading.hpp) against the theorem's bound and two null controls, the data-free run
// and the zero vector. The non-private run and the comparators stand beside them. Every finished
// point goes to context.checkpoints, and is not measured again if it is there.
Evidence check_rate(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
