#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algorithms/claims/test_rates.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"
#include "algorithms/wang_xu/separable_regression.hpp"

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
    if (rate.variable != "n" || claim.id.find(".coordinates") != std::string::npos) continue;
    ++rare;
    const auto zero_risk = [&](double n) { return rate.point(n).excess_risk(VectorXd::Zero(1)); };
    EXPECT_NEAR(std::log(zero_risk(6000) / zero_risk(60)) / std::log(100.0), rate.exponent, 1e-12)
        << claim.id;
  }
  EXPECT_EQ(rare, 6);
}

// The draw of one coordinate after the other is that of the exponential mechanism over the product
// of their nets: the law of 3 x 3 candidates, from listed joint scores.
TEST(SeparableRegression, DrawsFromTheProductOfTheNets) {
  Dataset sparse{Matrix(3, 2), VectorXd(3)}, dense{Matrix::Zero(3, 2), VectorXd(3)};
  sparse.features << 0, 2, 1, -1, 0, 1;
  sparse.labels << 1, 0.2, -0.4;
  for (Index i = 0; i < 3; ++i)
    dense.features(i, static_cast<Index>(sparse.features(i, 0))) = sparse.features(i, 1);
  dense.labels = sparse.labels;
  const L1RegressionParameters p{
      .net = ball_net(1, 1, 0.34), .iota = 0.4, .epsilon = 4, .theta = 1.5};
  Matrix joint(9, 2);
  VectorXd expected(9);
  const LogTruncation psi(p.theta);
  for (Index k = 0; k < 9; ++k) {
    joint.row(k) << centre(std::get<BallNet>(p.net), k / 3),
        centre(std::get<BallNet>(p.net), k % 3);
    expected[k] = std::exp(-exponent_coefficient(3, p) *
                           truncated_risk(dense.all(), joint.row(k), p.iota, psi));
  }
  expected /= expected.sum();
  SamplingReleases releases(RandomStream({.seed = 2, .claim = "separable regression"}));
  constexpr int draws = 40'000;
  VectorXd seen = VectorXd::Zero(9);
  for (int t = 0; t < draws; ++t) {
    const VectorXd w = separable_l1_regression(sparse, 2, p, releases);
    Index nearest = 0;
    (joint.rowwise() - w.transpose()).rowwise().norm().minCoeff(&nearest);
    seen[nearest] += 1.0 / draws;
  }
  // 6 standard errors.
  for (Index k = 0; k < 9; ++k)
    EXPECT_NEAR(seen[k], expected[k], 6 * std::sqrt(expected[k] / draws)) << k;
}

}  // namespace
}  // namespace dpverify::wang_xu
