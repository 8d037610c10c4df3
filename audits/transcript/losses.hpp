// What the privacy losses of sampled transcripts say, however these were drawn.
#pragma once

#include <vector>

#include "audits/transcript/transcript_audit.hpp"

namespace dpverify::transcripts {

struct Weighted {
  double loss = 0;    // log likelihood ratio; infinity: impossible on the neighbour
  double weight = 1;  // density over that of what it was drawn from
};

// Independent transcripts of one dataset against its neighbour.
struct Losses {
  std::vector<Weighted> draws;

  // Of each transcript to delta(epsilon).
  std::vector<double> contributions(double epsilon) const;
  double largest() const;  // at least 0
};

// How the transcripts were drawn.
struct Sampling {
  double largest_weight = 1;
  // As they come: too few to see a delta by its own frequency are inconclusive.
  bool plain = false;
};

// See audit_transcripts: everything but how the transcripts are drawn. A direction without any says
// nothing. The weights of one direction average to 1.
TranscriptAudit audit_losses(const Losses& forward, const Losses& backward,
                             PrivacyGuarantee claimed, double significance,
                             const Sampling& sampling);

// The smallest fault, a factor above 1, that audit_losses() refutes with probability about 0.9, or
// more, of so many transcripts a side that are drawn as they come: Laplace noise that needs so many
// times the claimed epsilon (if that is 0: delta) and is shown outright with probability delta.
// Infinity if it would refute none. A fault that shows in rarer events only has to be larger.
// forward + backward >= 1; claimed: not epsilon = delta = 0.
double smallest_refuted_fault(PrivacyGuarantee claimed, Index forward, Index backward,
                              double significance);

}  // namespace dpverify::transcripts
