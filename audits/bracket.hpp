// The rule by which the bracket around the true epsilon decides a privacy claim.
#pragma once

#include <optional>
#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Where nothing can certify, the worst pair found has to need at least this share of the claimed
// epsilon: a claim of half as much would have been refuted. A search that reaches less says more of
// itself than of the claim.
inline constexpr double least_share_found = 0.5;

// Both ends, in units of the claimed epsilon, at the setting where each is largest. The claim is
// not refuted.
struct Bracket {
  std::optional<double> found;      // the lower end
  std::optional<double> certified;  // the upper end; empty: nothing is certified
  std::string problem;              // then why, in words that follow "because"
  // A release declares no cost at all (a program), so that nothing could certify.
  bool beyond_certificates = false;
  // The strongest way in which a channel could have refuted the claim, and did not.
  std::optional<Strength> looked;
  // The claim is about this pair and no other: nothing is left to search.
  bool pair_is_given = false;
};

struct Decision {
  Verdict verdict = Verdict::inconclusive;
  std::optional<Strength> strength;
  std::string reason;  // a sentence
};

// Certified at most the claimed epsilon: consistent, certified. On a given pair, what looked
// decides. Where a release declares no cost, exact laws on the worst searched pair do, if that pair
// reaches least_share_found. Anything else is open, hence inconclusive, between both ends.
Decision decide(const Bracket& bracket);

// "Composition certifies nothing, because ...", or nothing.
std::string certifies_nothing(const std::string& problem);

// The smallest fault that a lower end would have refuted: a claim of so many times less; at least
// 1. Empty where no pair needs any epsilon.
std::optional<double> smallest_fault(const std::optional<double>& found);

}  // namespace dpverify
