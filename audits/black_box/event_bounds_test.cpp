#include "audits/black_box/event_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// P(Binomial(size, p) = k), in the log domain.
double binomial(Index k, Index size, double p) {
  if (p <= 0) return k == 0 ? 1 : 0;
  if (p >= 1) return k == size ? 1 : 0;
  const auto n = static_cast<double>(size), x = static_cast<double>(k);
  return std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                  x * std::log(p) + (n - x) * std::log1p(-p));
}

// The defining property: the bound is where the observed tail has exactly the significance.
TEST(EventBounds, SolveTheBinomialTail) {
  for (const Index size : {1, 7, 60, 400})
    for (const Index k : {Index{0}, Index{1}, size / 3, size - 1, size})
      for (const double significance : {0.3, 0.025, 1e-7}) {
        const double low = probability_lower(k, size, significance);
        const double high = probability_upper(k, size, significance);
        double at_least = 0, at_most = 0;
        for (Index j = k; j <= size; ++j) at_least += binomial(j, size, low);
        for (Index j = 0; j <= k; ++j) at_most += binomial(j, size, high);
        // On the safe side, and close: the margin for rounding shows where the bound is near 1.
        EXPECT_LE(at_least, (k > 0 ? significance : 1) * (1 + 1e-9)) << k << " of " << size;
        EXPECT_LE(at_most, (k < size ? significance : 1) * (1 + 1e-9)) << k << " of " << size;
        EXPECT_GE(at_least, k > 0 ? 0.95 * significance : 1 - 1e-9) << k << " of " << size;
        EXPECT_GE(at_most, k < size ? 0.95 * significance : 1 - 1e-9) << k << " of " << size;
      }
}

// Exact probability, over all outcomes, that the reported epsilon exceeds the true one.
TEST(EventBounds, ReportTooMuchAtMostAtTheSignificance) {
  const Index size = 25;
  for (const double significance : {0.05, 0.4})
    for (const double p : {0.02, 0.3, 0.5, 0.97, 1.0})
      for (const double ratio : {1.0, 1.5, 20.0}) {
        const double q = p / ratio;
        double failure = 0;
        for (Index a = 0; a <= size; ++a)
          for (Index b = 0; b <= size; ++b) {
            const EventCounts counts{a, size, b, size};
            if (epsilon_lower(counts, 0, significance) > std::log(ratio) + 1e-12)
              failure += binomial(a, size, p) * binomial(b, size, q);
          }
        EXPECT_LE(failure, significance);
      }
}

TEST(EventBounds, CeilingInClosedForm) {
  const double p = std::pow(0.025, 1.0 / 500), q = 1 - std::pow(0.025, 1.0 / 300);
  EXPECT_NEAR(epsilon_ceiling(500, 300, 0, 0.05), std::log(p / q), 1e-9);
  EXPECT_NEAR(epsilon_ceiling(500, 300, 0.1, 0.05), std::log((p - 0.1) / q), 1e-9);
  EXPECT_EQ(epsilon_ceiling(500, 300, 1, 0.05), 0);
  EXPECT_EQ(epsilon_ceiling(1, 1, 0, 0.05), 0);
}

TEST(EventBounds, PValueIsTheSignificanceThatJustRefutes) {
  for (const EventCounts counts : {EventCounts{40, 100, 5, 100}, EventCounts{3, 10, 0, 4000}}) {
    const PrivacyGuarantee claimed{.epsilon = 0.5, .delta = 0.01};
    const double p = p_value(counts, claimed);
    EXPECT_LT(p, 0.01);
    EXPECT_GT(epsilon_lower(counts, claimed.delta, 1.000001 * p), claimed.epsilon);
    EXPECT_LE(epsilon_lower(counts, claimed.delta, 0.999999 * p), claimed.epsilon);
  }
  EXPECT_EQ(p_value({5, 100, 5, 100}, {.epsilon = 0.5, .delta = 0}), 1);
  EXPECT_EQ(p_value({0, 100, 0, 100}, {.epsilon = 0, .delta = 0}), 1);
  // So small that it is no longer resolved, but no rounding to 0.
  const double tiny = p_value({100'000, 100'000, 0, 100'000}, {.epsilon = 0, .delta = 0});
  EXPECT_GT(tiny, 0);
  EXPECT_LT(tiny, 1e-100);
}

TEST(EventBounds, SizeNeeded) {
  // The ceiling at this size exceeds the claim, that of a size 1 % smaller does not.
  const PrivacyGuarantee claimed{.epsilon = 3, .delta = 0.05};
  const double size = size_needed(1, 0, claimed, 0.01);
  const auto n = static_cast<Index>(size), less = static_cast<Index>(0.99 * size) - 1;
  EXPECT_GT(epsilon_ceiling(n, n, claimed.delta, 0.01), claimed.epsilon);
  EXPECT_LE(epsilon_ceiling(less, less, claimed.delta, 0.01), claimed.epsilon);
  EXPECT_EQ(size_needed(0.3, 0.2, {.epsilon = 0.5, .delta = 0}, 0.01), infinity);
  EXPECT_EQ(size_needed(1, 0, {.epsilon = 0.5, .delta = 1}, 0.01), infinity);
  EXPECT_LT(size_needed(0.3, 0.1, {.epsilon = 0.5, .delta = 0}, 0.01),
            size_needed(0.3, 0.15, {.epsilon = 0.5, .delta = 0}, 0.01));
}

TEST(EventBounds, NormalQuantile) {
  EXPECT_NEAR(normal_quantile_of(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile_of(1e-20), -9.262340089798408, 1e-12);
  EXPECT_EQ(normal_quantile_of(0), -infinity);
  EXPECT_EQ(normal_quantile_of(1), infinity);
  for (const double x : {-8.0, -1.0, 0.0, 0.3, 4.0})
    EXPECT_NEAR(normal_quantile_of(normal_probability(x)), x, 1e-9);
}

TEST(EventBounds, RefuseBadClaims) {
  EXPECT_THROW(require_claim({.epsilon = -1, .delta = 0}, 0.05), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = infinity, .delta = 0}, 0.05), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = 1, .delta = 1.5}, 0.05), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = 1, .delta = -1e-9}, 0.05), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = 1, .delta = std::nan("")}, 0.05), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = 1, .delta = 0}, 0), std::invalid_argument);
  EXPECT_THROW(require_claim({.epsilon = 1, .delta = 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
