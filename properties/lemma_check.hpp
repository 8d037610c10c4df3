// Does an inequality hold over its whole claimed range?
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a LemmaClaim: left <= right at every corner of the ranges, on a
// grid, and at RapidCheck's points; a failure is shrunk.
Evidence check_lemma(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
