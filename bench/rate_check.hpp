// Does the excess risk fall as the theorem says, and does the run beat doing nothing?
#pragma once

#include "reports/evidence.hpp"

namespace dpverify {

// What the plan sweeps. Without a nightly sweep of its own, a claim gets the one of `ci` with twice
// the trials and, if the variable is n, half a decade and a decade more of it, as far as a trial's
// data fit into 4 GB.
Sweep sweep_of(const RateClaim& check, Plan plan);

// Decides a claim whose check is a RateClaim: sweeps the variable and reads the curve of the excess
// risk (see rate_reading.hpp) against the theorem's bound and two null controls, the data-free run
// and the zero vector. The non-private run stands beside them. Every finished point goes to
// context.checkpoints, and is not measured again if it is there.
Evidence check_rate(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
