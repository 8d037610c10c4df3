#include <gtest/gtest.h>

#include "algorithms/claims/test_rates.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

namespace dpverify::wang_xu {
namespace {

TEST(WangXuRates, EverySweepCanDecide) {
  expect_sweeps_can_decide(l1_regression_second_moment_rates());
  expect_sweeps_can_decide(l1_regression_theta_moment_rates());
}

// On records that are rare and large the risk of the zero vector falls exactly with the claimed
// exponent, n^(-(theta - 1)/theta): what a run errs beside it is a share of the bound.
TEST(WangXuRates, RareInstancesShrinkAsTheirBounds) {
  int rare = 0;
  for (const Claim& claim : l1_regression_theta_moment_rates()) {
    const auto& rate = std::get<RateClaim>(claim.check);
    if (rate.variable != "n") continue;
    ++rare;
    const auto zero_risk = [&](double n) { return rate.point(n).excess_risk(VectorXd::Zero(1)); };
    EXPECT_NEAR(std::log(zero_risk(6000) / zero_risk(60)) / std::log(100.0), rate.exponent, 1e-12)
        << claim.id;
  }
  EXPECT_EQ(rare, 6);
}

}  // namespace
}  // namespace dpverify::wang_xu
