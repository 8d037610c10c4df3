// The numbered results of the papers.
#pragma once

#include <span>

#include "algorithms/claims/results.hpp"

namespace dpverify {

// In the order of the papers; the results of each by kind, then by number.
std::span<const NumberedPaper> numbered_papers();

}  // namespace dpverify
