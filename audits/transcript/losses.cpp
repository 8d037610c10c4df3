#include "audits/transcript/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/transcript/mean_bounds.hpp"

namespace dpverify::transcripts {
namespace {

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
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
double largest_epsilon(const Losses& losses, double delta, double significance) {
  const double needed = std::log(1 / significance);
  const auto exceeds = [&](double epsilon) {
    return log_wealth(losses.contributions(epsilon), delta) >= needed;
  };
  if (losses.draws.empty() || !exceeds(0)) return 0;
  const double most = losses.largest();
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

Interval mean_interval(const std::vector<double>& values, double largest_weight, double share) {
  if (values.empty()) return {0, 1, 1 - 2 * share};
  return {mean_lower(values, share), std::min(1.0, mean_upper(values, largest_weight, share)),
          1 - 2 * share};
}

Table curve_of(const Losses& forward, const Losses& backward, double claimed, double largest_weight,
               double share) {
  Table curve{"delta(epsilon) of the transcripts",
              {"epsilon", "forward", "forward lower", "forward upper", "backward", "backward lower",
               "backward upper"},
              {}};
  for (int k = 0; k <= 8; ++k) {
    const double epsilon = claimed * k / 4;
    std::vector<double> row{epsilon};
    for (const Losses* losses : {&forward, &backward}) {
      const std::vector<double> values = losses->contributions(epsilon);
      const Interval bounds = mean_interval(values, largest_weight, share);
      row.insert(row.end(), {mean_of(values), bounds.lower, bounds.upper});
    }
    curve.rows.push_back(std::move(row));
  }
  return curve;
}

// The verdict on what was measured, and in words what the transcripts show; `shown` is the interval
// of the worse direction.
void judge(TranscriptAudit& out, PrivacyGuarantee claimed, double share, bool plain,
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
  const bool unseen = claimed.delta > 0 && plain && samples * claimed.delta < enough;
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

// Where Laplace noise of scale 1 falls beside one of two numbers, or that the number is shown.
struct NoiseDraw {
  double noise = 0;
  bool shown = false;

  double loss(double distance) const {
    return shown ? infinity : std::clamp(distance - 2 * noise, -distance, distance);
  }
};

std::vector<NoiseDraw> draw_noise(Index count, double delta, RandomStream& stream) {
  std::vector<NoiseDraw> draws(static_cast<std::size_t>(count));
  for (NoiseDraw& draw : draws) draw = {stream.laplace(), stream.uniform() < delta};
  return draws;
}

bool refuted(const std::vector<NoiseDraw>& draws, double distance, PrivacyGuarantee claimed,
             double share) {
  Losses losses;
  for (const NoiseDraw& draw : draws) losses.draws.push_back({draw.loss(distance), 1});
  if (losses.draws.empty()) return false;
  if (claimed.delta <= 0) return losses.largest() > claimed.epsilon * (1 + rounding);
  return log_wealth(losses.contributions(claimed.epsilon), claimed.delta) >= std::log(1 / share);
}

}  // namespace

std::vector<double> Losses::contributions(double epsilon) const {
  std::vector<double> out;
  out.reserve(draws.size());
  for (const Weighted& one : draws)
    out.push_back(one.loss > epsilon ? one.weight * -std::expm1(epsilon - one.loss) : 0);
  return out;
}

double Losses::largest() const {
  double largest = 0;
  for (const Weighted& one : draws) largest = std::max(largest, one.loss);
  return largest;
}

TranscriptAudit audit_losses(const Losses& forward, const Losses& backward,
                             PrivacyGuarantee claimed, double significance,
                             const Sampling& sampling) {
  const double share = significance / 4, largest_weight = sampling.largest_weight;
  const std::vector<double> ahead = forward.contributions(claimed.epsilon),
                            back = backward.contributions(claimed.epsilon);
  TranscriptAudit out;
  out.ceiling = infinity;
  out.samples = std::max(forward.draws.size(), backward.draws.size());
  out.forward = mean_interval(ahead, largest_weight, share);
  out.backward = mean_interval(back, largest_weight, share);
  const bool backward_is_worse = mean_of(back) > mean_of(ahead);
  const std::vector<double>& worse = backward_is_worse ? back : ahead;
  out.delta = mean_of(worse);
  out.effective_samples = effective(worse);
  out.largest_loss = std::max(forward.largest(), backward.largest());
  // A loss is exact: one above epsilon shows that delta(epsilon) > 0.
  out.epsilon_lower = claimed.delta > 0 ? std::max(largest_epsilon(forward, claimed.delta, share),
                                                   largest_epsilon(backward, claimed.delta, share))
                                        : out.largest_loss * (1 - rounding);
  out.curve = curve_of(forward, backward, claimed.epsilon, largest_weight, share);
  judge(out, claimed, share, sampling.plain, backward_is_worse ? out.backward : out.forward);
  return out;
}

double smallest_refuted_fault(PrivacyGuarantee claimed, Index forward, Index backward,
                              double significance) {
  constexpr std::uint64_t simulations = 20, wanted = 18;
  constexpr Index enough = 10'000;  // more tell more, and are not simulated
  std::vector<std::array<std::vector<NoiseDraw>, 2>> runs(simulations);
  const double shown = claimed.epsilon > 0 ? claimed.delta : 0;
  for (std::uint64_t k = 0; k < simulations; ++k) {
    RandomStream stream({.seed = k, .claim = "a fault of Laplace noise", .purpose = "losses"});
    runs[k] = {draw_noise(std::min(forward, enough), shown, stream),
               draw_noise(std::min(backward, enough), shown, stream)};
  }
  const auto refutes = [&](double log_fault) {
    const double fault = std::exp(log_fault);
    // The total variation between the two is 1 - exp(-distance/2).
    const double distance = claimed.epsilon > 0
                                ? fault * claimed.epsilon
                                : -2 * std::log1p(-std::min(0.999, fault * claimed.delta));
    const auto times = std::ranges::count_if(runs, [&](const auto& sides) {
      return std::ranges::any_of(sides, [&](const auto& draws) {
        return refuted(draws, distance, claimed, significance / 4);
      });
    });
    return static_cast<std::uint64_t>(times) >= wanted;
  };
  constexpr double most = 7;  // in the logarithm: a thousandfold
  return refutes(most) ? std::exp(bisect(0, most, refutes, 20).high) : infinity;
}

}  // namespace dpverify::transcripts
