// Claims by the patterns a user types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// The claims whose id matches any of the globs (POSIX: *, ?, [...]), in their order; all claims if
// there is no glob. Throws std::invalid_argument, with the nearest ids, if a glob matches nothing.
std::vector<Claim> select_claims(const std::vector<Claim>& claims,
                                 const std::vector<std::string>& globs);

// The claim with the id. Throws std::invalid_argument, with the nearest ids, if there is none.
const Claim& find_claim(const std::vector<Claim>& claims, std::string_view id);

// Fewest insertions, deletions and substitutions of characters that make the text match, where * in
// the pattern is any text and ? any character.
std::size_t edit_distance(std::string_view pattern, std::string_view text);

}  // namespace dpverify
