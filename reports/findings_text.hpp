// What is wrong in the papers, gravest first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/claims/results.hpp"

namespace dpverify {

// Of the paper "hu", of the algorithm "hu.peeling", or of everything if `where` is empty: each
// finding with what is claimed, by how much it fails, what falls with it, the counterexample, the
// repair and the command that shows it; ranked by severity, then by how far it fails, there or by
// the same defect elsewhere. Unless `every_one`, the gravest five of a paper, each defect once and
// no slips; the others are counted. What the evidence does not hold is left
// out of the entry. Printable, but for the colours of the severities, if `colours`. Throws
// std::invalid_argument if there is no such paper or algorithm.
std::string findings_in_words(std::span<const NumberedPaper> papers,
                              const std::vector<Claim>& claims,
                              const std::vector<Evidence>& evidence, std::string_view where,
                              bool every_one, bool colours);

}  // namespace dpverify
