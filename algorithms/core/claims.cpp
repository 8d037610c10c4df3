#include "algorithms/core/claims.hpp"

#include <array>

#include "algorithms/core/claim_list.hpp"

namespace dpverify {

std::string_view name(Edition edition) {
  constexpr std::array<std::string_view, 5> names{"printed", "proved", "corrected", "reading",
                                                  "mutant"};
  return names[static_cast<std::size_t>(edition)];
}

std::string_view name(Expectation expectation) {
  return expectation == Expectation::holds ? "holds" : "refuted";
}

std::string_view name(Plan plan) {
  constexpr std::array<std::string_view, 3> names{"smoke", "ci", "nightly"};
  return names[static_cast<std::size_t>(plan)];
}

std::string_view kind(const Claim& claim) {
  constexpr std::array<std::string_view, 5> names{"sensitivity", "privacy", "rate", "lemma",
                                                  "floor"};
  return names[claim.check.index()];
}

std::vector<Claim> lemma_claims(const std::string& algorithm, std::vector<Lemma> lemmas) {
  ClaimList claims(algorithm);
  for (Lemma& lemma : lemmas)
    claims.add(std::string("lemma.") + lemma.what, lemma.edition, lemma.expectation,
               std::move(lemma.source), std::move(lemma.statement), std::move(lemma.assumptions),
               std::move(lemma.check));
  return claims.take();
}

}  // namespace dpverify
