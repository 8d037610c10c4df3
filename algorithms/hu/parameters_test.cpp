// The least that the formulas of the parameters give, and where the arguments of the steps end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/releases.hpp"
#include "algorithms/core/test_refusals.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/hu/private_lasso.hpp"
#include "algorithms/hu/robust_regression.hpp"
#include "algorithms/hu/sparse_linear_regression.hpp"
#include "algorithms/hu/sparse_optimization.hpp"

namespace dpverify::hu {
namespace {

using ::testing::HasSubstr;

Dataset four_records() { return {Matrix::Ones(4, 2), VectorXd::Ones(4)}; }

// eta_0 = 2/(1 + 1) = 1: the first iterate is the vertex drawn, whatever the start.
TEST(HuParameters, TheFirstStepOfTheExperimentsGoesToTheVertex) {
  FrankWolfeParameters p{.polytope = Polytope::l1_ball(2, 1),
                         .initial = Eigen::Vector2d(0.3, -0.2),
                         .step = Step::experiments};
  RandomStream stream({});
  SamplingReleases releases(stream);
  const VectorXd w = dp_frank_wolfe(four_records(), p, releases);
  EXPECT_NEAR(w.lpNorm<1>(), 1, 1e-15);
  EXPECT_NEAR(w.lpNorm<Eigen::Infinity>(), 1, 1e-15);
}

// n epsilon = 0.002: every formula for T falls below 1, and that of the experiments' scale.
TEST(HuParameters, FewRecordsGiveOneIteration) {
  const double epsilon = 1e-3;
  EXPECT_EQ(from_theorem(2, epsilon, Polytope::l1_ball(2, 1), Loss::squared, {}).iterations, 1);
  const FrankWolfeParameters p =
      from_experiments(2, epsilon, Polytope::l1_ball(2, 1), Loss::squared);
  EXPECT_EQ(p.iterations, 1);
  EXPECT_EQ(p.scale, 1);
  EXPECT_EQ(robust_regression_from_theorem(2, 2, epsilon, Loss::biweight, 0.05).iterations, 1);
  EXPECT_EQ(private_lasso_from_theorem(2, 2, epsilon, 0.1, 1, 0.05).iterations, 1);
  EXPECT_EQ(private_lasso_from_experiments(2, 2, epsilon).iterations, 1);
  // T = log 2 = 0.69 and s = s* = 1.
  EXPECT_EQ(sparse_regression_from_theorem(2, 5, 1, epsilon, 0.1, 1, 1).iterations, 1);
  EXPECT_EQ(sparse_regression_from_theorem(2, 5, 1, epsilon, 0.1, 1, 1).sparsity, 1);
  EXPECT_EQ(sparse_optimization_from_theorem(2, 5, 1, epsilon, 0.1, 1, 1, 1).iterations, 1);
  EXPECT_EQ(sparse_optimization_from_theorem(2, 5, 1, epsilon, 0.1, 1, 1, 1).sparsity, 1);
  // floor(log 3) = 1.
  EXPECT_EQ(sparse_regression_from_experiments(3, 5, 1, 1, epsilon).iterations, 1);
  EXPECT_EQ(sparse_regression_from_experiments(3, 5, 1, 1, epsilon).sparsity, 1);
  EXPECT_EQ(sparse_optimization_from_experiments(3, 5, 1, epsilon).iterations, 1);
  EXPECT_EQ(sparse_optimization_from_experiments(3, 5, 1, epsilon).sparsity, 2);
}

// s is (gamma/mu)^2 s* rounded up, but for a condition number that is off by rounding.
TEST(HuParameters, TheSparsityIsRoundedUp) {
  const double below = std::sqrt(4 + 1e-12), above = std::sqrt(4 + 1e-7);
  EXPECT_EQ(sparse_regression_from_theorem(99, 9, 1, 0.5, 0.1, below, 1).sparsity, 4);
  EXPECT_EQ(sparse_regression_from_theorem(99, 9, 1, 0.5, 0.1, above, 1).sparsity, 5);
  EXPECT_EQ(sparse_optimization_from_theorem(99, 9, 1, 0.5, 0.1, below, 1, 1).sparsity, 4);
  EXPECT_EQ(sparse_optimization_from_theorem(99, 9, 1, 0.5, 0.1, above, 1, 1).sparsity, 5);
}

TEST(HuParameters, OfEpsilonAndDeltaTheOneThatIsOutIsNamed) {
  const auto lasso = [](double epsilon, double delta) {
    return refusal([=] {
      validate(
          PrivateLassoParameters{.initial = VectorXd::Zero(2), .epsilon = epsilon, .delta = delta},
          2);
    });
  };
  const auto regression = [](double epsilon, double delta) {
    return refusal([=] {
      validate(
          SparseRegressionParameters{
              .initial = VectorXd::Zero(2), .epsilon = epsilon, .delta = delta},
          4, 2);
    });
  };
  const auto optimization = [](double epsilon, double delta) {
    return refusal([=] {
      validate(
          SparseOptimizationParameters{
              .initial = VectorXd::Zero(2), .epsilon = epsilon, .delta = delta},
          4, 2);
    });
  };
  const auto expect_limits = [](const auto& says) {
    EXPECT_EQ(says(0.999, 0.999), "");
    for (const double out : {0.0, 1.0}) {
      EXPECT_THAT(says(out, 0.5), HasSubstr("epsilon is ")) << out;
      EXPECT_THAT(says(0.5, out), HasSubstr("delta is ")) << out;
    }
  };
  expect_limits(lasso);
  expect_limits(regression);
  expect_limits(optimization);
}

TEST(HuParameters, ProbabilitiesOfOneAreRefused) {
  for (const double out : {0.0, 1.0})
    EXPECT_THAT(refusal([=] {
                  from_theorem(9, 1, Polytope::l1_ball(2, 1), Loss::squared,
                               {.failure_probability = out});
                }),
                HasSubstr("failure probability is "));
  EXPECT_THAT(refusal([] { sparse_optimization_from_theorem(9, 2, 1, 0.5, 1, 1, 1, 1); }),
              HasSubstr("delta is 1,"));
}

// A start on the boundary may be off by rounding, and by no more.
TEST(HuParameters, AStartOutsideOfTheBallIsRefused) {
  const auto lasso = [](double norm) {
    return refusal(
        [=] { validate(PrivateLassoParameters{.initial = Eigen::Vector2d(0, -norm)}, 2); });
  };
  const auto regression = [](double norm) {
    return refusal(
        [=] { validate(SparseRegressionParameters{.initial = Eigen::Vector2d(0, -norm)}, 4, 2); });
  };
  for (const double inside : {1.0, 1 + 1e-13}) {
    EXPECT_EQ(lasso(inside), "");
    EXPECT_EQ(regression(inside), "");
  }
  EXPECT_THAT(lasso(1 + 1e-10), HasSubstr("l1 norm of the initial point"));
  EXPECT_THAT(regression(1 + 1e-10), HasSubstr("l2 norm of the initial point"));
}

}  // namespace
}  // namespace dpverify::hu
