// Broken mechanisms that a privacy audit must catch, each with its correct twin: faults of
// published papers, of libraries and of their glue code, rebuilt here from their descriptions.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// For each row, two privacy claims on one given pair of neighbours: must_catch.<row>.privacy.mutant
// (the broken mechanism, expected refuted) and must_catch.<row>.privacy.corrected (its twin). In
// the order of the rows.
std::vector<Claim> must_catch_claims();

}  // namespace dpverify
