// All that this program can check: the claims of the algorithms and the must-catch suite.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"
#include "reports/command_line.hpp"

namespace dpverify {

// Sorted by id. Throws std::logic_error if two share an id.
const std::vector<Claim>& every_claim();

// What the commands of the program dpverify work on.
Catalogue own_catalogue();

}  // namespace dpverify
