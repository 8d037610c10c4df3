// All that this program can check: the claims of the algorithms and the must-catch suite.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// Sorted by id. Throws std::logic_error if two share an id.
const std::vector<Claim>& every_claim();

}  // namespace dpverify
