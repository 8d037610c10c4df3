// Claims by the patterns a user types.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// The claims whose id matches any of the globs (POSIX: *, ?, [...]), in their order; all claims if
// there is no glob. Throws std::invalid_argument, with the nearest ids, if a glob matches nothing.
std::vector<Claim> select_claims(const std::vector<Claim>& claims,
                                 const std::vector<std::string>& globs);

// What a user asks for by more than ids: each list names what may be, and an empty one anything.
// Severities as in the report, "proof_step"; papers as ids begin, "hu".
struct ClaimFilter {
  std::vector<std::string> only, exclude;  // globs of ids
  std::vector<std::string> kinds, severities, papers, editions;
  std::vector<std::string> verdicts;  // of the evidence in a report
};

// The claims that pass every list of the filter, in their order. `evidence` is called only if
// verdicts are asked for. Throws std::invalid_argument for a word that no claim has, and if no
// claim is left.
std::vector<Claim> select_claims(const std::vector<Claim>& claims, const ClaimFilter& filter,
                                 const std::function<std::vector<Evidence>()>& evidence);

// The claim with the id. Throws std::invalid_argument, with the nearest ids, if there is none.
const Claim& find_claim(const std::vector<Claim>& claims, std::string_view id);

// Fewest insertions, deletions and substitutions of characters that make the text match, where * in
// the pattern is any text and ? any character.
std::size_t edit_distance(std::string_view pattern, std::string_view text);

}  // namespace dpverify
