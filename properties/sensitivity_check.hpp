// Does the pre-noise value of every release change by at most the declared sensitivity?
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a SensitivityClaim, in two ways:
//   1. a RapidCheck property over the claimed range of every parameter, small datasets with tiny,
//      equal, huge and heavy-tailed values, and reachable prefixes of outcomes; a failure is
//      shrunk;
//   2. a search of the worst replace-one pair at the claim's settings, which gives the tightness.
// Refuted if any change exceeds the declared sensitivity by more than a relative 1e-9 (rounding),
// is NaN, or if data escapes outside the releases.
Evidence check_sensitivity(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
