// Evidence in words.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// What was measured, with the witness and the command that repeats it. `file` is where it was read.
std::string evidence_in_words(const Claim& claim, const Evidence& evidence, std::string_view file);

// The same of a claim that the command line makes, of which nothing was expected.
std::string answer_in_words(const Claim& claim, const Evidence& evidence, std::string_view what);

// Of one rate claim: verdict and reading, the table of points, exponent and reason.
std::string rate_in_words(const Claim& claim, const Evidence& evidence);

}  // namespace dpverify
