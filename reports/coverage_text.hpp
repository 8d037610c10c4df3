// Which claims speak of which numbered result of the papers, and what was found.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/claims/results.hpp"

namespace dpverify {

// A page of Markdown: for each paper its numbered results with the claims on its own conclusion and
// those on steps of its proof or that use it, each with its verdict and what that rests on; then
// the claims on other places of the text. Mutants stand in no row. `origin` says in words where it
// was measured.
std::string coverage_document(std::span<const NumberedPaper> papers,
                              const std::vector<Claim>& claims,
                              const std::vector<Evidence>& evidence, const std::string& origin);

}  // namespace dpverify
