#include "algorithms/mechanisms/projected_descent.hpp"

#include <gtest/gtest.h>

#include "algorithms/mechanisms/test_twins.hpp"

namespace dpverify {
namespace {

const PrivateMean plain_mean = [](const LazyMatrix& gradients, Releases&) {
  return VectorXd(gradients().colwise().mean());
};

// 1-D quadratic with gradients off by V: w - w* -> -V, so the risk tends to V^2/2.
TEST(ProjectedDescent, ConstantBiasHasItsFixedPoint) {
  const Dataset data = column(Numbers(20, 0.3));
  const PrivateMean biased = [](const LazyMatrix& gradients, Releases&) {
    return VectorXd(gradients().colwise().mean().array() + 0.25);
  };
  NoiselessReleases releases;
  const DescentParameters p{.gradients = mean_point_gradients,
                            .initial = VectorXd::Ones(1),
                            .step = 0.5,
                            .iterations = 60,
                            .split = false};
  EXPECT_NEAR(projected_descent(data, p, biased, releases).back()[0], 0.3 - 0.25, 1e-12);
}

TEST(ProjectedDescent, IteratesByHandOnPartsAndOnAllTheData) {
  const Dataset data = column({1, 3, -1, -3, 100});
  NoiselessReleases releases;
  DescentParameters p{.gradients = mean_point_gradients,
                      .radius = 1.5,
                      .initial = VectorXd::Constant(1, 1),
                      .step = 0.5,
                      .iterations = 2};
  // Parts (1, 3) and (-1, -3): 1 - (1 - 2)/2 = 1.5, then 1.5 - (1.5 + 2)/2 = -0.25.
  const std::vector<VectorXd> parts = projected_descent(data, p, plain_mean, releases);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0][0], 1.5);
  EXPECT_EQ(parts[1][0], -0.25);
  p.split = false;  // mean 20: 1 + 19/2 is projected to 1.5, twice
  for (const VectorXd& w : projected_descent(data, p, plain_mean, releases)) EXPECT_EQ(w[0], 1.5);
}

TEST(ProjectedDescent, ProjectsOntoTheBall) {
  const Dataset data{(Matrix(1, 2) << 30, 40).finished(), VectorXd::Zero(1)};
  NoiselessReleases releases;
  const DescentParameters p{
      .gradients = inner_product_gradients, .radius = 5, .initial = VectorXd::Zero(2), .step = 1};
  EXPECT_TRUE(projected_descent(data, p, plain_mean, releases)
                  .back()
                  .isApprox(Eigen::Vector2d(3, 4), 1e-15));
}

}  // namespace
}  // namespace dpverify
