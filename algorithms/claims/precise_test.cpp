#include "algorithms/claims/precise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace dpverify {
namespace {

double difference(const Precise& a, const Precise& b) { return static_cast<double>(abs(a - b)); }

TEST(Precise, KeepsWhatDoublesLose) {
  const Precise tiny = pow(Precise(10), -90);
  EXPECT_LT(difference((1 + tiny) - 1, tiny), 1e-98);
  EXPECT_NEAR(static_cast<double>(tiny) / 1e-90, 1, 1e-15);
  EXPECT_EQ(static_cast<double>(Precise(0.1)), 0.1);
  EXPECT_GT(difference(Precise(1) / 10, Precise(0.1)), 5e-18);  // 0.1 is not a tenth
}

TEST(Precise, FunctionsAreInverseToEachOther) {
  const Precise x(0.7);
  EXPECT_LT(difference(log(exp(x)), x), 1e-95);
  EXPECT_LT(difference(log1p(expm1(x)), x), 1e-95);
  EXPECT_LT(difference(sqrt(x) * sqrt(x), x), 1e-95);
  EXPECT_LT(difference(cbrt(x) * cbrt(x) * cbrt(x), x), 1e-95);
  EXPECT_LT(difference(pow(x, 2.5), x * x * sqrt(x)), 1e-95);
  EXPECT_LT(difference(sinh(x) / cosh(x), tanh(x)), 1e-95);
  EXPECT_LT(difference(erf(x) + erfc(x), 1), 1e-95);
  EXPECT_LT(difference(tgamma(x + 2), x * (x + 1) * tgamma(x)), 1e-95);
}

// Functions of which each does the other's work (erf and erfc), or that are scaled alike (sinh and
// cosh), agree with each other all the same.
TEST(Precise, FunctionsAtKnownPoints) {
  const auto expect_near = [](const Precise& found, double expected) {
    EXPECT_NEAR(static_cast<double>(found), expected, 2e-16 * std::abs(expected));
  };
  expect_near(exp(Precise(1)), std::numbers::e);
  expect_near(log(Precise(2)), std::numbers::ln2);
  expect_near(expm1(Precise(1)), std::numbers::e - 1);
  expect_near(log1p(Precise(1)), std::numbers::ln2);
  expect_near(sqrt(Precise(2)), std::numbers::sqrt2);
  expect_near(cbrt(Precise(27)), 3);
  expect_near(erf(Precise(1)), 0.8427007929497149);
  expect_near(tgamma(Precise(5)), 24);
  expect_near(sinh(Precise(1)), 1.1752011936438014);
}

TEST(Precise, ComparesAndAssigns) {
  Precise x = 2;
  x += 1;
  x -= 0.5;
  x *= 4;
  x /= -1;
  EXPECT_EQ(static_cast<double>(x), -10);
  EXPECT_TRUE(x < 0 && x <= -10 && -x > 9.5 && x == -10 && x != 10);
  EXPECT_EQ(max(x, Precise(1)), 1);
  EXPECT_EQ(min(x, Precise(1)), x);
  EXPECT_EQ(static_cast<double>(abs(x)), 10);
  const Precise nan = log(Precise(-1));
  EXPECT_FALSE(nan < 1 || nan > 1 || nan == 1);
}

}  // namespace
}  // namespace dpverify
