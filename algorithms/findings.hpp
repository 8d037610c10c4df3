// What the refuted claims about the papers mean.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// Gives each of the claims its finding. Throws std::logic_error if one is about a claim that is not
// there.
void attach_findings(std::vector<Claim>& claims);

}  // namespace dpverify
