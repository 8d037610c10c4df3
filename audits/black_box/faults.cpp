#include "audits/black_box/faults.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/parallel.hpp"
#include "audits/black_box/black_box.hpp"

namespace dpverify {
namespace {

// Thresholds between the two numbers, as shares of their distance.
constexpr std::array shares{0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0};

// Laplace noise of scale 1 on one of two numbers `distance` apart, shown outright with probability
// delta.
struct NoisyNumber {
  double distance = 0;
  double delta = 0;

  VectorXd draw(bool first, RandomStream& stream) const {
    const double number = first ? distance : 0;
    if (stream.uniform() < delta) return VectorXd::Constant(1, first ? 1e6 : -1e6);
    return VectorXd::Constant(1, number + stream.laplace());
  }
  // The probability that the noise on either number is above this one.
  double above(bool first, double threshold) const {
    const double x = threshold - (first ? distance : 0);
    const double tail = x < 0 ? 1 - std::exp(x) / 2 : std::exp(-x) / 2;
    return (first ? delta : 0) + (1 - delta) * tail;
  }
};

// One that needs `fault` times what is claimed, and no less.
NoisyNumber faulty(PrivacyGuarantee claimed, double fault) {
  if (claimed.epsilon > 0) return {fault * claimed.epsilon, claimed.delta};
  // The total variation between the two is 1 - exp(-distance/2).
  return {-2 * std::log1p(-std::min(0.999, fault * claimed.delta)), 0};
}

// Whether a fixed audit would refute it: each half counts the best threshold that the other finds.
bool would_refute(const NoisyNumber& fault, PrivacyGuarantee claimed, Index first, Index second,
                  double share) {
  constexpr double bad_luck = 1.645;  // standard deviations, on either side: 0.9 together
  const Index half = first / 2, other_half = second / 2;
  const auto n = static_cast<double>(half), m = static_cast<double>(other_half);
  return std::ranges::any_of(shares, [&](double at) {
    const double p = fault.above(true, at * fault.distance),
                 q = fault.above(false, at * fault.distance);
    const double in_first = n * p - bad_luck * std::sqrt(n * p * (1 - p)),
                 in_second = m * q + bad_luck * std::sqrt(m * q * (1 - q));
    const EventCounts counts{std::max<Index>(0, static_cast<Index>(std::floor(in_first))), half,
                             std::min(other_half, static_cast<Index>(std::ceil(in_second))),
                             other_half};
    return epsilon_lower(counts, claimed.delta, share) > claimed.epsilon;
  });
}

}  // namespace

std::optional<Index> runs_to_refute(PrivacyGuarantee claimed, double fault, double significance,
                                    Index most, int threads) {
  constexpr Index simulations = 20, wanted = 18;
  const NoisyNumber needed = faulty(claimed, fault);
  // What the frequencies of the best threshold would have to be enough for.
  double enough = infinity;
  for (const double share : {0.5, 0.625, 0.75, 0.875, 1.0})
    enough = std::min(
        enough, size_needed(needed.above(true, share * needed.distance),
                            needed.above(false, share * needed.distance), claimed, significance));
  if (enough > static_cast<double>(most)) return std::nullopt;
  const auto sampler = [&](bool first) -> Sampler {
    return [needed, first](RandomStream& s) { return needed.draw(first, s); };
  };
  std::vector<Index> runs(simulations);
  parallel_for(simulations, threads, [&](Index k) {
    const SequentialAudit found = audit_sequentially(
        sampler(true), sampler(false), claimed, significance, most,
        {.seed = static_cast<std::uint64_t>(k), .claim = "a fault of Laplace noise"},
        OutputModel::reals);
    runs[static_cast<std::size_t>(k)] = found.verdict == Verdict::refuted
                                            ? static_cast<Index>(found.samples)
                                            : std::numeric_limits<Index>::max();
  });
  std::ranges::sort(runs);
  const Index answer = runs[wanted - 1];
  return answer <= most ? std::optional(answer) : std::nullopt;
}

double smallest_refuted_fault(PrivacyGuarantee claimed, Index first_size, Index second_size,
                              double significance) {
  const double share = significance / 4;  // as audit_outputs() has it for each event
  const auto refuted = [&](double log_fault) {
    const NoisyNumber fault = faulty(claimed, std::exp(log_fault));
    return would_refute(fault, claimed, first_size, second_size, share);
  };
  constexpr double most = 7;  // in the logarithm: a thousandfold
  if (!refuted(most)) return infinity;
  return std::exp(bisect(
                      0, most, [&](double x) { return refuted(x); }, 30)
                      .high);
}

}  // namespace dpverify
