// A claim in words.
#pragma once

#include <string>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// What the claim says, where from, and how it is checked.
std::string claim_in_words(const Claim& claim);

}  // namespace dpverify
