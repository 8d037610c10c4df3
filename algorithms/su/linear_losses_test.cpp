#include "algorithms/su/linear_losses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "algorithms/claims/test_rates.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify::su {
namespace {

// Without noise the output minimises -<sum, theta>/n + (m/2) ||theta||^2 on a fine grid of C.
TEST(LinearLosses, MinimiseTheObjectiveOverTheBody) {
  const Eigen::Vector2d sum(30, -12);
  for (const double p : {1.0, 1.5, 2.0, infinity}) {
    const ConvexBody body{.p = p, .radius = 0.8, .dimension = 2};
    ApproximateObjectivePerturbationParameters at = theorem_2_on(body, 40, 0.5, 1e-5, 1, 0);
    at.objective.ridge = 0.3;
    NoiselessReleases releases;
    const VectorXd theta = perturbed_linear_losses(sum, 40, body, at, releases);
    EXPECT_LE(minkowski_norm(body, theta), 1 + 1e-12) << p;
    const auto objective = [&](const VectorXd& w) {
      return -sum.dot(w) / 40 + 0.3 * w.squaredNorm();
    };
    for (double x = -0.8; x <= 0.8; x += 0.01)
      for (double y = -0.8; y <= 0.8; y += 0.01) {
        const Eigen::Vector2d w(x, y);
        if (minkowski_norm(body, w) > 1) continue;
        EXPECT_LE(objective(theta), objective(w) + 1e-12) << p;
      }
  }
}

// On the Euclidean ball Theorem 2's parameters are those of Algorithm 1.
TEST(LinearLosses, BodiesAgreeWithTheBall) {
  const auto ball = approximate_objective_perturbation_from_theorem(
      Edition::corrected, 1000, 3, 0.5, 1e-5, Loss::pseudo_huber, 1, 2);
  const auto body = theorem_2_on({.p = 2, .radius = 2, .dimension = 3}, 1000, 0.5, 1e-5, 1, 1);
  EXPECT_EQ(ball.objective.ridge, body.objective.ridge);
  EXPECT_EQ(ball.accuracy, body.accuracy);
  EXPECT_EQ(ball.standard_deviation, body.standard_deviation);
}

// Over the l1 ball in 1000 dimensions the width is a tenth of that of the Euclidean ball: 3.44
// against 31.6, by simulation to 1%.
TEST(LinearLosses, BoundsFollowTheWidthOfTheBody) {
  const RatePoint l1 = linear_rate_point({.p = 1, .dimension = 1000}, 1'000'000, 0.05, 1e-5, 1),
                  l2 = linear_rate_point({.p = 2, .dimension = 1000}, 1'000'000, 0.05, 1e-5, 1);
  EXPECT_NEAR(l1.bound - 2e-3, 3.44 / 31.6 * (l2.bound - 2e-3), 1e-3 * l2.bound);
  EXPECT_NEAR(l2.excess_risk(VectorXd::Zero(1000)), l2.bound - 2e-3, 1e-12);
  EXPECT_THROW(linear_rate_point({.p = 2, .dimension = 1000}, 1000, 0.05, 1e-5, 1),
               std::invalid_argument);
}

TEST(LinearLosses, EverySweepCanDecide) {
  expect_sweeps_can_decide(approximate_objective_perturbation_rates());
  expect_sweeps_can_decide(approximate_objective_perturbation_strongly_convex_rates());
}

}  // namespace
}  // namespace dpverify::su
