// Is a mechanism with finite laws really (epsilon, delta)-DP? Exact, without sampling error.
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a PrivacyClaim. At each setting it searches the worst replace-one
// pair, computes both output distributions exactly by walking every outcome path, and compares the
// smallest epsilon at the claimed delta with the claimed epsilon. A pair that needs more refutes
// the claim (data that reaches the output outside the releases makes it infinite). Otherwise
// consistent: the figure is a lower bound on the true epsilon, the largest over the pairs searched.
// For settings with continuous laws or too many paths it composes what the releases declare: an
// upper bound on the true epsilon, given the sensitivity claims.
Evidence check_privacy(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
