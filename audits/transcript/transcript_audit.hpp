// Is a mechanism (epsilon, delta)-DP on a pair of neighbours, judged by sampled runs whose releases
// are seen? The log likelihood ratio of a transcript is exact, so that no better distinguisher of
// what was released exists; only the average over transcripts is sampled.
//
// The audit is of all releases together: of the output, if they are published. Data that reach the
// output outside the releases refute the claim.
#pragma once

#include <string>

#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/evidence.hpp"

namespace dpverify {

struct TranscriptAudit {
  // refuted:      delta at the claimed epsilon exceeds the claimed one, or data leak.
  // inconclusive: too few transcripts count to tell delta from twice the claimed one, or a release
  //               that cannot be moved hides where they would.
  // consistent:   otherwise.
  Verdict verdict = Verdict::consistent;
  double epsilon_lower = 0;      // at the claimed delta; delta = 0: the largest loss seen, exact
  double ceiling = 0;            // infinity: nothing but the transcripts drawn limits epsilon_lower
  Interval forward, backward;    // of delta at the claimed epsilon
  double delta = 0;              // the larger estimate
  double effective_samples = 0;  // (sum of contributions)^2/sum of squares, at that estimate
  double largest_loss = 0;
  double samples_needed = 0;  // a side; infinity if no contribution was seen
  // epsilon; estimate, lower, upper of delta in either direction, each bound on its own
  Table curve;
  std::string leak;
  std::uint64_t samples = 0;  // transcripts a side
  std::string reason;
};

// Draws `samples` transcripts a side, rounded up to a multiple of 3. delta(epsilon) = E[(1 -
// e^(epsilon - L))+], L the log likelihood ratio, is estimated with importance sampling towards
// large L: a transcript comes from the mechanism, or from the mechanism with the pre-noise value of
// each release moved away from the neighbour's (an objective by a linear term; a grid or a program
// cannot be moved), one third each for two distances, and is weighted
// by its density over that of the mixture (at most 3). The distances, for the claimed epsilon and
// for the claimed delta, are chosen on transcripts of their own. Bounds hold for every number of
// samples; each of the four (two ends, two directions) fails with probability at most
// significance/4, and epsilon_lower with the lower ones. `key`: seed and claim; the purposes are
// the audit's own. samples >= 1.
//
// If delta = 0 is claimed, one loss above epsilon refutes, exactly. As long as none is seen the
// audit then goes on, each time to twice as many transcripts and up to most_samples, which costs no
// significance; fewer than `samples`: it does not.
TranscriptAudit audit_transcripts(const Mechanism& mechanism, const NeighbouringPair& pair,
                                  PrivacyGuarantee claimed, Index samples, double significance,
                                  RandomStream::Key key, Index most_samples = 0);

}  // namespace dpverify
