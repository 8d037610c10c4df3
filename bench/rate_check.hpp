// Does the excess risk fall as the theorem says, and does the run beat doing nothing?
#pragma once

#include "reports/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a RateClaim: sweeps the variable, compares the mean excess risk
// with the theorem's bound and with two null controls, the data-free run and the zero vector.
//   vacuous at the largest value (a control is not beaten): inconclusive, or refuted if the claim
//     says that the algorithm learns and the run is significantly worse than a control;
//   risk/bound grows significantly where the run beats both controls: refuted;
//   less than 1.5 decades where it does: inconclusive; otherwise consistent.
Evidence check_rate(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
