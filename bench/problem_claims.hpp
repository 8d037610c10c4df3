// Rate claims of the algorithms on further problems: the papers' other data models, tails that
// they do not try, and real data.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

std::vector<Claim> problem_claims();

}  // namespace dpverify
