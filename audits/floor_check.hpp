// Is an estimator too good to be private?
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a FloorClaim. Independent trials, each on an instance and records
// of its own, give the mean error and bounds on it that are valid whatever the law of the errors.
//   refuted:      an upper bound lies below the floor: the mechanism is not as private as it says,
//                 or the theorem is false.
//   inconclusive: the floor is at most 0; or the trials are too few to tell a mean error below it
//                 from the floor, with the number that would do; or the same mechanism without
//                 noise does not fall below the floor, so that no fault could be seen.
//   consistent:   otherwise; says how small a share of the noise would have been refuted.
// Throws std::runtime_error if an error is outside [0, 1].
Evidence check_floor(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
