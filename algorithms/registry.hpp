// Every algorithm of the papers, and every claim about one.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"

namespace dpverify {

// In the order of the papers.
const std::vector<Algorithm>& algorithms();

// Sorted by id. Throws std::logic_error if two share an id.
const std::vector<Claim>& claims();

}  // namespace dpverify
