// Every claim as a page to read.
#pragma once

#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// In Markdown: a section an algorithm, a row a claim, with the verdict that it is expected to get,
// its statement and where the statement is from. The mutants of an algorithm are one row.
std::string claims_document(const std::vector<Claim>& claims);

}  // namespace dpverify
