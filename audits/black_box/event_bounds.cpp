#include "audits/black_box/event_bounds.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Relative margin for the rounding of the special functions, which is some 1e-14.
constexpr double margin = 1e-11;

// The bounds below also take frequencies that are no whole numbers: what a size would give.
double lower_bound(double count, double size, double significance) {
  if (count <= 0) return 0;
  if (count >= size) return std::pow(significance, 1 / size) * (1 - margin);
  return boost::math::ibeta_inv(count, size - count + 1, significance) * (1 - margin);
}

double upper_bound(double count, double size, double significance) {
  if (count >= size) return 1;
  if (count <= 0) return std::min(1.0, -std::expm1(std::log(significance) / size) * (1 + margin));
  return std::min(1.0,
                  boost::math::ibetac_inv(count + 1, size - count, significance) * (1 + margin));
}

double epsilon_bound(double p, double q, double delta) {
  if (p <= delta) return 0;
  return std::max(0.0, std::log((p - delta) / q) - margin);
}

}  // namespace

void require_claim(PrivacyGuarantee claimed, double significance) {
  require(claimed.epsilon >= 0 && std::isfinite(claimed.epsilon), "claimed epsilon",
          claimed.epsilon, "at least 0 and finite");
  require(claimed.delta >= 0 && claimed.delta <= 1, "claimed delta", claimed.delta, "in [0, 1]");
  require(significance > 0 && significance < 1, "significance", significance, "in (0, 1)");
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
  const auto exceeds = [&](double log_significance) {
    return epsilon_lower(counts, claimed.delta, std::exp(log_significance)) > claimed.epsilon;
  };
  double high = 0;  // log significance; exceeds(high); not exceeds(low), or tiny
  if (!exceeds(high)) return 1;
  double low = -1;
  for (; exceeds(low) && low > -500; low *= 2) high = low;
  while (high - low > 1e-3) (exceeds((low + high) / 2) ? high : low) = (low + high) / 2;
  return std::exp(high);
}

double size_needed(double in_first, double in_second, PrivacyGuarantee claimed,
                   double significance) {
  const auto decides = [&](double size) {
    return epsilon_bound(lower_bound(in_first * size, size, significance / 2),
                         upper_bound(in_second * size, size, significance / 2),
                         claimed.delta) > claimed.epsilon;
  };
  constexpr double largest = 1e15;
  double low = 1, high = 2;
  while (!decides(high)) {
    if (high > largest) return infinity;
    low = high;
    high *= 2;
  }
  while (high - low > std::max(0.5, 1e-3 * high))
    (decides((low + high) / 2) ? high : low) = (low + high) / 2;
  return std::ceil(high);
}

double mu_lower(const EventCounts& counts, double significance) {
  const double p = probability_lower(counts.in_first, counts.first_size, significance / 2);
  const double q = probability_upper(counts.in_second, counts.second_size, significance / 2);
  if (p <= q) return 0;
  return std::max(0.0, normal_quantile_of(p) - normal_quantile_of(q) - margin);
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
