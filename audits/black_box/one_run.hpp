// The audit of a training by one run of it (Steinke, Nasr and Jagielski, "Privacy Auditing with One
// (1) Training Run", 2023): many canaries, each included or not by a fair coin of its own, of which
// an auditor guesses some from scores that the trained model gives them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {

struct Canary {
  double score = 0;  // not NaN; the larger, the likelier it was included
  bool included = false;
};

// How many canaries are guessed: those of the largest scores to be included, those of the smallest
// not to be. The auditor abstains from the others.
struct Guesses {
  Index included = 0;
  Index excluded = 0;

  Index total() const { return included + excluded; }
};

// Of `correct` of `guesses` of `canaries` guesses being right: an upper bound on the probability of
// so many or more if the training is (epsilon, delta)-DP for adding or removing a canary, whatever
// else it does and however the guesses follow from what it gives out (Corollary 5.4):
//
//   P[B >= v] + 2 m delta max_{1 <= i <= v} P[v > B >= v - i] / i,    B ~ Binomial(r, q),
//
// m canaries, r guesses, v right ones, q = 1/(1 + exp(-epsilon)) the accuracy of randomised
// response. Where delta = 0 every guess is right with probability at most q, given the output and
// the coins of the other canaries: the first term. Otherwise B + F stochastically dominates the
// number of right guesses, F >= 0 independent of B with mean at most 2 m delta, and
// P[v > B >= v - F] is at most F times the largest of these P[v > B >= v - i] / i. At most 1.
// epsilon >= 0; 0 <= correct <= guesses <= canaries.
double one_run_p_value(Index canaries, Index guesses, Index correct, PrivacyGuarantee claimed);

// The largest epsilon whose p-value is at most the significance, rounded down; 0 if there is none.
double one_run_epsilon_lower(Index canaries, Index guesses, Index correct, double delta,
                             double significance);

struct OneRunAudit {
  Verdict verdict = Verdict::consistent;  // inconclusive if no guesses could have refuted the claim
  double epsilon_lower = 0;
  double ceiling = 0;  // with every guess right
  double p_value = 1;  // of the claim, for these guesses, all others taken into account
  Guesses guesses;     // those that show most
  Index correct = 0;
  std::string reason;
};

// Refutes a true claim with probability at most `significance`. Tries the given numbers of guesses,
// each with its share of the significance: they must not have been chosen by looking at who was
// included. Canaries of equal scores are guessed in a random order. Throws std::invalid_argument
// unless there are at least 2 canaries and every number of guesses is from 1 to that of canaries.
OneRunAudit audit_one_run(const std::vector<Canary>& canaries, const std::vector<Guesses>& tried,
                          PrivacyGuarantee claimed, double significance, RandomStream ties);

// The smallest factor on the claimed epsilon (if that is 0: delta), above 1, at which randomised
// response of every canary is refuted with probability 0.9; infinity if it is at none.
double smallest_refuted_one_run_fault(Index canaries, const std::vector<Guesses>& tried,
                                      PrivacyGuarantee claimed, double significance);

// As many on either side: all canaries, a half, a quarter, ..., 1/32 of them, as far as these are
// at least one a side.
std::vector<Guesses> usual_guesses(Index canaries);

// The probability that fair coins include so few or so many of the canaries: 1 for half of them.
double fair_coins_p_value(const std::vector<Canary>& canaries);

// A line a canary: its score and whether it was included (0 or 1), between a comma or blanks; the
// first line may be a header. Throws std::invalid_argument, naming the line, for anything else.
std::vector<Canary> read_canaries(const std::string& path);

}  // namespace dpverify
