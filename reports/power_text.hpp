// How hard the checks of a run looked.
#pragma once

#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// A page of Markdown: by kind of claim, and by algorithm, the smallest faults that would have been
// refuted (see Evidence::smallest_fault), of the claims that are expected to hold. Evidence on
// claims that are not there is passed over. `origin` says in words where it was measured.
std::string power_document(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence,
                           const std::string& origin);

}  // namespace dpverify
