// The formulas of parameters and bounds by hand, and where the arguments of the steps end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/test_refusals.hpp"
#include "algorithms/tao/dp_sco.hpp"
#include "algorithms/tao/median_of_means.hpp"
#include "algorithms/tao/sco_framework.hpp"
#include "algorithms/tao/sparse_optimization.hpp"
#include "algorithms/tao/truncated_mean.hpp"

namespace dpverify::tao {
namespace {

using ::testing::HasSubstr;

// The noise of a step has at most an eighth of R in expected norm, and with one step more would
// not.
TEST(TaoParameters, TheBalancedNumberOfStepsIsTheLargest) {
  const Index n = 10'000'000'000, d = 4;
  const ScoProblem problem{.radius = 1.5, .gradient_bound = 2, .moment = 3};
  DpScoParameters p = convex_balanced(n, d, problem, 0.5, 0.1, 0.1);
  ASSERT_GT(p.iterations, 10);
  EXPECT_NEAR(p.step, 2 * 1.5 / (2 * std::sqrt(static_cast<double>(p.iterations))), 1e-15);
  const auto noise = [&] { return noise_deviation(estimator_parameters(p), n, d) * 2; };
  EXPECT_LE(noise(), 0.25);
  ++p.iterations;
  EXPECT_GT(noise(), 0.25);
  EXPECT_EQ(convex_balanced(20, 1, {}, 0.5, 0.1, 0.9).iterations, 1);
}

// Where nothing else ends the search, it ends below 2^40; the theorem's T below 10^15.
TEST(TaoParameters, TheNumberOfStepsIsBounded) {
  const Index n = 9'000'000'000'000'000'000;
  const ScoProblem problem{.gradient_bound = 2};
  EXPECT_EQ(convex_balanced(n, 1, problem, 0.5, 0.1, 0.9).iterations, (Index{1} << 40) - 1);
  EXPECT_EQ(convex_from_theorem(n, 1, problem, 0.5, 0.1, 0.9).iterations,
            Index{1'000'000'000'000'000});
}

// d = 16, v = u = 1, alpha = beta = 1: V = 4 sqrt(T/n) + 8 sqrt(T/(n/2)), and T the fixed point of
// log(2 V)/log(3/4) rounded up: V(9) = 0.0459, log(0.0918)/log(0.75) = 8.3.
TEST(TaoParameters, StronglyConvexByHand) {
  const DpScoParameters p = strongly_convex_from_theorem(1'000'000, 16, {}, 0.5, 0.1, 0.1);
  EXPECT_EQ(p.iterations, 9);
  EXPECT_NEAR(p.truncation, std::sqrt(0.5e6 / (9 * 4)), 1e-10);
  EXPECT_EQ(p.step, 0.5);
  EXPECT_EQ(strongly_convex_from_theorem(2, 1, {}, 0.5, 0.1, 0.9).iterations, 1);
}

// v = 1/2 and log(1/delta) = 1, log(2 d/xi) = 2: tau = (8 * 8)^(2/3) = 16.
TEST(TaoParameters, MedianOfMeansBoundByHand) {
  const double last = 16 * (1 + std::sqrt(2 - std::log(2.0))) * 2 / 8;
  EXPECT_NEAR(median_of_means_bound(16, 1, 0.5, std::exp(-1), 8, 0.5, 2 * std::exp(-2)),
              4 * 0.5 + 8.0 / 4 + last, 1e-12);
}

TEST(TaoParameters, SparseOptimizationIsRoundedUp) {
  const auto of = [](double gamma, Index n) {
    return sparse_optimization_from_theorem(n, 9, {.gamma = gamma}, 0.5, 0.1, 0.1);
  };
  EXPECT_EQ(of(1, 2).iterations, 1);  // log 2 = 0.69
  EXPECT_EQ(of(1, 2).sparsity, 1);
  EXPECT_EQ(of(std::sqrt(4 + 1e-12), 99).sparsity, 4);
  EXPECT_EQ(of(std::sqrt(4 + 1e-7), 99).sparsity, 5);
}

TEST(TaoParameters, TheArgumentThatIsOutIsNamed) {
  const Dataset data{Matrix::Ones(4, 1), VectorXd::Ones(4)};
  EXPECT_THAT(refusal([&] {
                NoiselessReleases releases;
                dp_sco(data, DpScoParameters{.delta = 1}, releases);
              }),
              HasSubstr("delta is 1,"));
  EXPECT_THAT(refusal([] { convex_from_theorem(9, 1, {.order = 1.5}, 0.5, 0.1, 0.5); }),
              HasSubstr("order v is 1.5,"));
  EXPECT_THAT(refusal([] { convex_from_theorem(9, 1, {}, 0.5, 1, 0.5); }),
              HasSubstr("delta is 1,"));
  EXPECT_THAT(refusal([] { median_of_means_from_theorem(9, 1, 0.5, 0.1, 1, 1.5, 0.5); }),
              HasSubstr("order v is 1.5,"));
  EXPECT_THAT(refusal([] { truncated_mean_from_theorem(9, 1, 1.1, 1, 1, 0.1); }),
              HasSubstr("delta is 1.1,"));
  const DescentParameters framework{.initial = VectorXd::Zero(1)};
  EXPECT_THAT(refusal([&] {
                validate(TruncatedScoParameters{.framework = framework, .delta = 1.1}, data);
              }),
              HasSubstr("delta is 1.1,"));
  EXPECT_THAT(refusal([] {
                validate(SparseOptimizationParameters{.initial = VectorXd::Zero(1), .delta = 1}, 4,
                         1);
              }),
              HasSubstr("delta is 1,"));
  const auto sparse = [](const SparseProblem& problem, double delta, double failure) {
    return refusal([&] { sparse_optimization_from_theorem(99, 9, problem, 0.5, delta, failure); });
  };
  EXPECT_THAT(sparse({}, 1, 0.1), HasSubstr("delta is 1,"));
  EXPECT_THAT(sparse({}, 0.1, 1), HasSubstr("failure probability xi is 1,"));
}

TEST(TaoParameters, WhatIsJustInsideIsAccepted) {
  EXPECT_EQ(refusal([] { truncated_mean_from_theorem(9, 1, 1, 0.5, 1, 0.1); }), "");
  EXPECT_EQ(refusal([] {
              validate(SparseOptimizationParameters{.initial = VectorXd::Zero(1), .iterations = 1},
                       4, 1);
            }),
            "");
  EXPECT_EQ(refusal([] {
              sparse_optimization_from_theorem(
                  99, 9, {.optimum_sparsity = 1, .gamma = 0.5, .mu = 0.5, .moment = 0.5}, 0.5, 0.1,
                  0.1);
            }),
            "");
}

}  // namespace
}  // namespace dpverify::tao
