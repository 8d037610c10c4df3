// Is a mechanism really (epsilon, delta)-DP? The audit that a run of all checks asks for.
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// audit_claim() with audit_request(), of audits/audit.hpp.
Evidence check_privacy(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
