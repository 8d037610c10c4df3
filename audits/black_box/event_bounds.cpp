#include "audits/black_box/event_bounds.hpp"

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// Relative margin for the rounding of the tails and of the search.
constexpr double margin = 1e-11;

// P(B >= count) and P(B <= count) for B ~ Binomial(size, p), also between whole numbers.
using Precision = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
double at_least(double count, double size, double p) {
  if (count <= 0 || p >= 1) return 1;
  return boost::math::ibeta(count, size - count + 1, p, Precision());
}
double at_most(double count, double size, double p) {
  if (count >= size) return 1;
  if (p >= 1) return 0;
  return boost::math::ibetac(count + 1, size - count, p, Precision());
}

constexpr int halvings = 45;  // too narrow to matter

double lower_bound(double count, double size, double significance) {
  if (count <= 0) return 0;
  // P(B >= count) <= P(B >= 1) <= size p, so the root is at least significance/size.
  const auto beyond = [&](double x) { return at_least(count, size, std::exp(x)) > significance; };
  return std::exp(bisect(std::log(significance / size), 0, beyond, halvings).low) * (1 - margin);
}

double upper_bound(double count, double size, double significance) {
  if (count >= size) return 1;
  // P(B <= count) >= P(B = 0) >= 1 - size p.
  const auto beyond = [&](double x) { return at_most(count, size, std::exp(x)) < significance; };
  const double high = bisect(std::log((1 - significance) / size), 0, beyond, halvings).high;
  return std::min(1.0, std::exp(high) * (1 + margin));
}

double epsilon_bound(double p, double q, double delta) {
  if (p <= delta) return 0;
  return std::max(0.0, std::log((p - delta) / q) - margin);
}

}  // namespace

void require_claim(PrivacyGuarantee claimed, double significance) {
  require(not_negative_and_finite, "claimed epsilon", claimed.epsilon);
  require(probability, "claimed delta", claimed.delta);
  require(fraction, "significance", significance);
}

double probability_lower(Index count, Index size, double significance) {
  return lower_bound(static_cast<double>(count), static_cast<double>(size), significance);
}

double probability_upper(Index count, Index size, double significance) {
  return upper_bound(static_cast<double>(count), static_cast<double>(size), significance);
}

double epsilon_lower(const EventCounts& counts, double delta, double significance) {
  return epsilon_bound(probability_lower(counts.in_first, counts.first_size, significance / 2),
                       probability_upper(counts.in_second, counts.second_size, significance / 2),
                       delta);
}

double epsilon_ceiling(Index first_size, Index second_size, double delta, double significance) {
  return epsilon_lower({.in_first = first_size,
                        .first_size = first_size,
                        .in_second = 0,
                        .second_size = second_size},
                       delta, significance);
}

double p_value(const EventCounts& counts, PrivacyGuarantee claimed) {
  // The bounds p and q at significance s meet at p = e^epsilon q + delta where both tails are s/2.
  const auto a = static_cast<double>(counts.in_first), n = static_cast<double>(counts.first_size);
  const auto b = static_cast<double>(counts.in_second), m = static_cast<double>(counts.second_size);
  const auto first_tail = [&](double x) {
    return at_least(a, n, std::exp(claimed.epsilon + x) + claimed.delta);
  };
  const auto second_tail = [&](double x) { return at_most(b, m, std::exp(x)); };
  const auto beyond = [&](double log_q) { return first_tail(log_q) > second_tail(log_q); };
  const auto [low, high] = bisect(-700, 0, beyond, halvings);
  return std::clamp(2 * std::max(first_tail(high), second_tail(low)) * (1 + margin), 1e-300, 1.0);
}

double size_needed(double in_first, double in_second, PrivacyGuarantee claimed,
                   double significance) {
  const auto decides = [&](double size) {
    return epsilon_bound(lower_bound(in_first * size, size, significance / 2),
                         upper_bound(in_second * size, size, significance / 2),
                         claimed.delta) > claimed.epsilon;
  };
  // Both bounds are wider than the frequencies themselves.
  if (in_first - claimed.delta <= std::exp(claimed.epsilon) * in_second) return infinity;
  constexpr double largest = 1e15;
  double low = 1, high = 2;
  while (!decides(high)) {
    if (high > largest) return infinity;
    low = high;
    high *= 2;
  }
  return std::ceil(bisect(low, high, decides, [](double from, double to) {
                     return to - from <= std::max(0.5, 1e-3 * to);
                   }).high);
}

double normal_quantile_of(double probability) {
  if (probability <= 0) return -infinity;
  if (probability >= 1) return infinity;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * probability);
}

double normal_probability(double quantile) {
  return 0.5 * std::erfc(-quantile / std::numbers::sqrt2);
}

}  // namespace dpverify
