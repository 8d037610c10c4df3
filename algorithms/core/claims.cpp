#include "algorithms/core/claims.hpp"

#include <array>

namespace dpverify {

std::string_view name(Edition edition) {
  constexpr std::array<std::string_view, 4> names{"printed", "proved", "corrected", "mutant"};
  return names[static_cast<std::size_t>(edition)];
}

std::string_view name(Expectation expectation) {
  return expectation == Expectation::holds ? "holds" : "refuted";
}

std::string_view name(Plan plan) { return plan == Plan::smoke ? "smoke" : "ci"; }

std::string_view kind(const Claim& claim) {
  constexpr std::array<std::string_view, 4> names{"sensitivity", "privacy", "rate", "lemma"};
  return names[claim.check.index()];
}

}  // namespace dpverify
