#include "algorithms/losses/gradient_oracle.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

// Each row against the differences of its loss.
TEST(GradientOracle, RowsAreGradients) {
  const Dataset data{(Matrix(2, 2) << 1, -2, 0.5, 3).finished(), Eigen::Vector2d(1, -1)};
  const Eigen::Vector2d w(0.3, -0.7);
  const auto check = [&](const GradientOracle& oracle, auto loss) {
    const Matrix g = oracle(w, data.all());
    ASSERT_EQ(g.rows(), 2);
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < 2; ++j) {
        const Eigen::Vector2d h = 1e-5 * Eigen::Vector2d::Unit(j);
        EXPECT_NEAR(g(i, j), (loss(w + h, i) - loss(w - h, i)) / 2e-5, 1e-8);
      }
  };
  const auto x = [&](Index i) { return Eigen::Vector2d(data.features.row(i)); };
  check(mean_point_gradients,
        [&](const Eigen::Vector2d& at, Index i) { return (at - x(i)).squaredNorm() / 2; });
  check(inner_product_gradients, [&](const Eigen::Vector2d& at, Index i) { return -at.dot(x(i)); });
  const auto squared = [&](const Eigen::Vector2d& at, Index i) {
    return loss_value(Loss::squared, at.dot(x(i)), data.labels[i]);
  };
  check(gradient_oracle(Loss::squared), squared);
  // As claims name them.
  check(gradient_oracle(ClaimedLoss::squared), squared);
  check(gradient_oracle(ClaimedLoss::distance),
        [&](const Eigen::Vector2d& at, Index i) { return (at - x(i)).squaredNorm() / 2; });
  check(gradient_oracle(ClaimedLoss::inner_product),
        [&](const Eigen::Vector2d& at, Index i) { return -at.dot(x(i)); });
}

}  // namespace
}  // namespace dpverify
