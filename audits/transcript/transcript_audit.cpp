#include "audits/transcript/transcript_audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/transcript/losses.hpp"
#include "audits/transcript/transcript_side.hpp"

namespace dpverify {
namespace {

using transcripts::Side;

// Both directions, each with `samples` transcripts, or up to `most_samples` where delta = 0 is
// claimed and no loss above epsilon is seen; how many a side.
Index draw(Side& forward, Side& backward, PrivacyGuarantee claimed, Index samples,
           Index most_samples) {
  forward.choose_distances(claimed);
  backward.choose_distances(claimed);
  for (Index wanted = samples;; wanted *= 2) {
    // Each component has its exact share: then the average of the means is that of the mixture, and
    // the expected wealth at most 1 by the inequality of the means.
    static_assert(transcripts::components == 3);
    samples = (wanted + 2) / 3 * 3;
    for (Side* side : {&forward, &backward})
      if (forward.leak.empty()) side->draw(samples);
    const double largest = std::max(forward.losses.largest(), backward.losses.largest());
    const bool decided = claimed.delta > 0 || largest > claimed.epsilon * (1 + rounding) ||
                         !forward.leak.empty() || !backward.leak.empty();
    if (decided || 2 * wanted > most_samples) return samples;
  }
}

}  // namespace

TranscriptAudit audit_transcripts(const Mechanism& mechanism, const NeighbouringPair& pair,
                                  PrivacyGuarantee claimed, Index samples, double significance,
                                  RandomStream::Key key, Index most_samples) {
  require(samples >= 1, "number of transcripts", static_cast<double>(samples), "at least 1");
  require(fraction, "significance", significance);
  Side forward(mechanism, pair, key, true);
  Side backward(mechanism, {pair.neighbour, pair.data, pair.replaced}, key, false);
  const Index drawn = draw(forward, backward, claimed, samples, most_samples);
  for (const Side* side : {&forward, &backward}) {
    if (side->leak.empty()) continue;
    TranscriptAudit out{.verdict = Verdict::refuted,
                        .epsilon_lower = infinity,
                        .ceiling = infinity,
                        .leak = side->leak,
                        .samples = static_cast<std::uint64_t>(drawn)};
    out.reason = fmt::format(
        "Data reach the output outside the releases: {}. No guarantee follows from them.",
        out.leak);
    return out;
  }
  return transcripts::audit_losses(forward.losses, backward.losses, claimed, significance,
                                   {.largest_weight = transcripts::components,
                                    .plain = !forward.complete || !backward.complete});
}

}  // namespace dpverify
