// Does the excess risk fall as the theorem says, and does the run beat doing nothing?
#pragma once

#include "reports/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a RateClaim: sweeps the variable, compares the mean excess risk
// with the theorem's bound and with two null controls, the data-free run and the zero vector.
Evidence check_rate(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
