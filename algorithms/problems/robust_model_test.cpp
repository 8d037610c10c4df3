#include "algorithms/problems/robust_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

TEST(RobustModel, RiskByHand) {
  // One feature, R = 1 or 2 with weights 1 and 8^(-1/2): p = 0.738796, 1 - p = 0.261204. Squared
  // loss: the risk is E R^2 (w - w*)^2, whatever the symmetric noise.
  RobustModel model{.loss = Loss::squared, .optimum = VectorXd::Constant(1, 0.5), .levels = 2};
  EXPECT_NEAR(model.second_moment(), 0.738796125 + 4 * 0.261203875, 1e-8);
  EXPECT_NEAR(model.fourth_moment(), 0.738796125 + 16 * 0.261203875, 1e-8);
  EXPECT_NEAR(model.excess_risk(VectorXd::Constant(1, -0.5)), model.second_moment(), 1e-12);
  EXPECT_EQ(model.excess_risk(model.optimum), 0);
  // Biweight at w - w* = -1: residuals of size 1 and more have loss 1/6; the outliers of 10 stay
  // beyond 1 from every residual, so that they change nothing: 0.9/6.
  model.loss = Loss::biweight;
  EXPECT_NEAR(model.excess_risk(VectorXd::Constant(1, -0.5)), 0.15, 1e-14);
  // Two features: squared loss once more, E R^2 ||w - w*||^2 because the signs are independent.
  const RobustModel two{.loss = Loss::squared, .optimum = VectorXd::Zero(2), .levels = 1};
  EXPECT_NEAR(two.excess_risk((VectorXd(2) << 0.3, -0.4).finished()), 0.25, 1e-14);
  // Features twice as large.
  model.scale = 2;
  EXPECT_NEAR(model.second_moment(), 4 * (0.738796125 + 4 * 0.261203875), 1e-8);
  EXPECT_NEAR(model.fourth_moment(), 16 * (0.738796125 + 16 * 0.261203875), 1e-7);
}

// The closed form of the squared loss against the definition, the mean over draws.
TEST(RobustModel, SquaredLossWithManyFeatures) {
  const RobustModel model{.loss = Loss::squared,
                          .optimum = VectorXd::Constant(12, 0.2),
                          .levels = 2,
                          .outlier = 2,
                          .outlier_share = 0.3,
                          .scale = 1.5};
  const VectorXd w = VectorXd::LinSpaced(12, -0.3, 0.6);
  RandomStream stream({.seed = 6, .claim = "robust model test"});
  const Dataset data = model.draw(100'000, stream);
  const auto n = static_cast<double>(data.size());
  double mean = 0, square = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const double y = data.labels[i];
    const double excess = std::pow(data.features.row(i).dot(w) - y, 2) -
                          std::pow(data.features.row(i).dot(model.optimum) - y, 2);
    mean += excess / n;
    square += excess * excess / n;
  }
  // 7.2 standard errors: a false failure has probability 1e-12.
  EXPECT_NEAR(model.excess_risk(w), mean, 7.2 * std::sqrt(square / n));
}

// The draws follow the stated law. A false failure has probability 1e-11 a check.
TEST(RobustModel, DrawsFollowTheLaw) {
  const RobustModel model{.optimum = (VectorXd(2) << 0.5, 0.25).finished(), .levels = 3};
  RandomStream stream({.seed = 5, .claim = "robust model test"});
  const Dataset data = model.draw(50'000, stream);
  std::vector<Index> radii(3, 0), signs(4, 0), noises(3, 0);
  for (Index i = 0; i < data.size(); ++i) {
    const double radius = std::abs(data.features(i, 0));
    ASSERT_EQ(std::abs(data.features(i, 1)), radius);
    ++radii[static_cast<std::size_t>(std::lround(std::log2(radius)))];
    ++signs[static_cast<std::size_t>((data.features(i, 0) > 0) + 2 * (data.features(i, 1) > 0))];
    const double noise = data.labels[i] - 0.5 * data.features(i, 0) - 0.25 * data.features(i, 1);
    ++noises[static_cast<std::size_t>(noise == 0 ? 0 : noise < 0 ? 1 : 2)];
    ASSERT_TRUE(noise == 0 || std::abs(noise) == 10);
  }
  const double a = std::pow(8, -0.5), total = 1 + a + a * a;
  EXPECT_TRUE(
      counts_follow(radii, (VectorXd(3) << 1 / total, a / total, a * a / total).finished()));
  EXPECT_TRUE(counts_follow(signs, VectorXd::Constant(4, 0.25)));
  EXPECT_TRUE(counts_follow(noises, (VectorXd(3) << 0.9, 0.05, 0.05).finished()));
}

TEST(RobustModel, SpreadOptimaHaveNormOne) {
  EXPECT_EQ(spread_optimum(1), (VectorXd(2) << 1, 0).finished());
  EXPECT_LT((spread_optimum(0.4) - (VectorXd(5) << 0.4, 0.4, 0.2, 0, 0).finished()).norm(), 1e-15);
  for (const double entry : {0.03, 0.21, 0.25, 1.0 / 3, 0.7}) {
    const VectorXd w = spread_optimum(entry);
    EXPECT_NEAR(w.sum(), 1, 1e-14) << entry;
    EXPECT_GE(w.minCoeff(), 0) << entry;
    EXPECT_EQ(w.maxCoeff(), entry);
    EXPECT_EQ(w.size(), static_cast<Index>(std::ceil(2 / entry)));
  }
  for (const double entry : {0.0, -0.1, 1.1, std::nan("")})
    EXPECT_THROW(spread_optimum(entry), std::invalid_argument);
}

TEST(RobustModel, RejectsWhatItCannotSum) {
  EXPECT_THROW((RobustModel{.optimum = VectorXd::Zero(11)}.excess_risk(VectorXd::Zero(11))),
               std::invalid_argument);
  EXPECT_THROW((RobustModel{.optimum = VectorXd::Zero(1), .levels = 0}.second_moment()),
               std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
