#include "audits/transcript/transcript_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/transcript/mean_bounds.hpp"
#include "audits/transcript/transcript_side.hpp"

namespace dpverify {
namespace {

using transcripts::Side;

constexpr double largest_weight = transcripts::components;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

double effective(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// The largest epsilon at which bets against delta(epsilon) <= delta win. One test for all of them:
// its wealth falls with epsilon, as every contribution does.
double largest_epsilon(const Side& side, double delta, double significance) {
  const double needed = std::log(1 / significance);
  const auto exceeds = [&](double epsilon) {
    return log_wealth(side.contributions(epsilon), delta) >= needed;
  };
  if (!exceeds(0)) return 0;
  const double most = side.largest_loss();
  double low = 0, high = std::isfinite(most) ? most : 1;
  while (std::isinf(most) && exceeds(high)) {
    low = high;
    high *= 2;
    if (high > 1e4) return infinity;
  }
  return bisect(
             low, high, [&](double epsilon) { return !exceeds(epsilon); },
             [](double from, double to) { return to - from <= 1e-4 * to; })
      .low;
}

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
    const double largest = std::max(forward.largest_loss(), backward.largest_loss());
    const bool decided = claimed.delta > 0 || largest > claimed.epsilon * (1 + rounding) ||
                         !forward.leak.empty() || !backward.leak.empty();
    if (decided || 2 * wanted > most_samples) return samples;
  }
}

Interval mean_interval(const std::vector<double>& values, double share) {
  return {mean_lower(values, share), std::min(1.0, mean_upper(values, largest_weight, share)),
          1 - 2 * share};
}

Table curve_of(const Side& forward, const Side& backward, double claimed, double share) {
  Table curve{"delta(epsilon) of the transcripts",
              {"epsilon", "forward", "forward lower", "forward upper", "backward", "backward lower",
               "backward upper"},
              {}};
  for (int k = 0; k <= 8; ++k) {
    const double epsilon = claimed * k / 4;
    std::vector<double> row{epsilon};
    for (const Side* side : {&forward, &backward}) {
      const std::vector<double> values = side->contributions(epsilon);
      const Interval bounds = mean_interval(values, share);
      row.insert(row.end(), {mean_of(values), bounds.lower, bounds.upper});
    }
    curve.rows.push_back(std::move(row));
  }
  return curve;
}

// The verdict on what was measured, and in words what the transcripts show; `shown` is the interval
// of the worse direction.
void judge(TranscriptAudit& out, PrivacyGuarantee claimed, double share, bool complete,
           const Interval& shown) {
  const auto samples = static_cast<double>(out.samples);
  // Twice the claimed delta is told from it by about this many equal contributions.
  const double enough = 4 * std::log(1 / share);
  const bool refuted = claimed.delta > 0
                           ? std::max(out.forward.lower, out.backward.lower) > claimed.delta
                           : out.largest_loss > claimed.epsilon * (1 + rounding);
  const bool scarce =
      claimed.delta > 0 && out.effective_samples < enough && out.delta > claimed.delta / 4;
  // Where plain draws are all there is, a delta is seen by its own frequency.
  const bool unseen = claimed.delta > 0 && !complete && samples * claimed.delta < enough;
  if (scarce)
    out.samples_needed = samples * enough / out.effective_samples;
  else if (unseen)
    out.samples_needed = enough / claimed.delta;
  out.verdict = refuted            ? Verdict::refuted
                : scarce || unseen ? Verdict::inconclusive
                                   : Verdict::consistent;
  out.reason = fmt::format(
      "{} transcripts a side: delta is {:.4g} in [{:.4g}, {:.4g}] at epsilon {:.6g} ({:.4g} "
      "claimed), the largest loss seen {:.6g}.",
      out.samples, out.delta, shown.lower, shown.upper, claimed.epsilon, claimed.delta,
      out.largest_loss);
  if (out.largest_loss <= 0) out.reason += " Nothing that is released differs on this pair.";
  if (unseen && !scarce)
    out.reason += fmt::format(
        " A release cannot be moved towards its tail: about {:.2g} transcripts a side would tell "
        "twice the claimed delta.",
        out.samples_needed);
  if (scarce)
    out.reason += fmt::format(
        " Only {:.1f} transcripts' worth count; about {:.2g} a side would "
        "tell twice the claimed delta.",
        out.effective_samples, out.samples_needed);
}

}  // namespace

TranscriptAudit audit_transcripts(const Mechanism& mechanism, const NeighbouringPair& pair,
                                  PrivacyGuarantee claimed, Index samples, double significance,
                                  RandomStream::Key key, Index most_samples) {
  require(samples >= 1, "number of transcripts", static_cast<double>(samples), "at least 1");
  require(significance > 0 && significance < 1, "significance", significance, "in (0, 1)");
  Side forward(mechanism, pair, key, true);
  Side backward(mechanism, {pair.neighbour, pair.data, pair.replaced}, key, false);
  TranscriptAudit out;
  out.ceiling = infinity;
  out.samples = static_cast<std::uint64_t>(draw(forward, backward, claimed, samples, most_samples));
  for (const Side* side : {&forward, &backward}) {
    if (side->leak.empty()) continue;
    out.leak = side->leak;
    out.verdict = Verdict::refuted;
    out.epsilon_lower = infinity;
    out.reason = fmt::format(
        "Data reach the output outside the releases: {}. No guarantee follows from them.",
        out.leak);
    return out;
  }

  const double share = significance / 4;
  const std::vector<double> ahead = forward.contributions(claimed.epsilon),
                            back = backward.contributions(claimed.epsilon);
  out.forward = mean_interval(ahead, share);
  out.backward = mean_interval(back, share);
  const bool backward_is_worse = mean_of(back) > mean_of(ahead);
  const std::vector<double>& worse = backward_is_worse ? back : ahead;
  out.delta = mean_of(worse);
  out.effective_samples = effective(worse);
  out.largest_loss = std::max(forward.largest_loss(), backward.largest_loss());
  // A loss is exact: one above epsilon shows that delta(epsilon) > 0.
  out.epsilon_lower = claimed.delta > 0 ? std::max(largest_epsilon(forward, claimed.delta, share),
                                                   largest_epsilon(backward, claimed.delta, share))
                                        : out.largest_loss * (1 - rounding);
  out.curve = curve_of(forward, backward, claimed.epsilon, share);
  judge(out, claimed, share, forward.complete && backward.complete,
        backward_is_worse ? out.backward : out.forward);
  return out;
}

}  // namespace dpverify
