#include "algorithms/core/norms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

TEST(LpNorm, IsTheSumOfPowers) {
  const VectorXd x{{3, -4, 0.5, 0}};
  for (const double p : {1.0, 1.3, 2.0, 3.0, 7.5}) {
    double sum = 0;
    for (const double entry : x) sum += std::pow(std::abs(entry), p);
    EXPECT_NEAR(lp_norm(x, p), std::pow(sum, 1 / p), 1e-14) << p;
  }
  EXPECT_EQ(lp_norm(x, infinity), 4);
  EXPECT_EQ(lp_norm(VectorXd::Zero(3), 1.5), 0);
}

TEST(LpNorm, NeitherOverflowsNorUnderflows) {
  for (const double scale : {1e-300, 1e300})
    for (const double p : {1.5, 2.0, 10.0})
      EXPECT_NEAR(lp_norm(scale * VectorXd::Ones(4), p) / scale, std::pow(4, 1 / p), 1e-14);
  EXPECT_TRUE(std::isnan(lp_norm(VectorXd{{1, std::nan("")}}, 3)));
  EXPECT_EQ(lp_norm(VectorXd{{1, -infinity}}, 3), infinity);
  EXPECT_THROW(lp_norm(VectorXd::Ones(2), 0.9), std::invalid_argument);
}

TEST(DualExponent, Pairs) {
  EXPECT_EQ(dual_exponent(1), infinity);
  EXPECT_EQ(dual_exponent(infinity), 1);
  EXPECT_EQ(dual_exponent(2), 2);
  EXPECT_NEAR(1 / dual_exponent(1.3) + 1 / 1.3, 1, 1e-15);
}

TEST(LogBallVolume, KnownBalls) {
  EXPECT_NEAR(log_ball_volume(2, 2), std::log(std::numbers::pi), 1e-14);
  EXPECT_NEAR(log_ball_volume(2, 3), std::log(4 * std::numbers::pi / 3), 1e-14);
  EXPECT_NEAR(log_ball_volume(1, 4), std::log(16.0 / 24), 1e-14);  // 2^d/d!
  EXPECT_NEAR(log_ball_volume(infinity, 5), std::log(32.0), 1e-14);
}

}  // namespace
}  // namespace dpverify
