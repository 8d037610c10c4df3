#include "algorithms/core/log_gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

TEST(LogGamma, OfFactorialsHalvesAndTheSmallest) {
  double factorial = 0;
  for (int n = 1; n < 200; ++n) {
    EXPECT_NEAR(log_gamma(n), factorial, 1e-14 * factorial) << n;
    factorial += std::log(n);
  }
  EXPECT_NEAR(log_gamma(0.5), std::log(std::acos(-1)) / 2, 1e-15);
  EXPECT_NEAR(log_gamma(1e-300), 300 * std::log(10), 1e-12);
  EXPECT_EQ(log_gamma(0), infinity);
  for (double x = 1e-10; x < 1e10; x *= 1.7) EXPECT_EQ(log_gamma(x), std::lgamma(x)) << x;
}

}  // namespace
}  // namespace dpverify
