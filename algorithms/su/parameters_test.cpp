// The formulas of parameters and bounds by hand, and where the arguments of the steps end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "algorithms/core/test_refusals.hpp"
#include "algorithms/mechanisms/test_twins.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/kamath_sco.hpp"
#include "algorithms/su/objective_perturbation.hpp"
#include "algorithms/su/phased_sgd.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using ::testing::HasSubstr;

const double inverse_e = std::exp(-1.0);  // a delta whose log(1/delta) is 1

// Theorem 4 in one dimension, radius 2, hence ||C||_2 = 4 and G_C = 2 sqrt(2/pi); L of the whole
// loss is 1.5 + Delta/radius. n = 2: the first term of alpha is the smaller one, n = 100: the
// other.
TEST(SuParameters, StronglyConvexObjectivePerturbation) {
  const double convexity = 0.3, l = 1.65, epsilon = 0.5, log_delta = std::log(1e5);
  for (const Index n : {2, 100})
    for (const Edition edition : {Edition::printed, Edition::corrected}) {
      const auto p = approximate_objective_perturbation_from_theorem(
          edition, n, 1, epsilon, 1e-5, Loss::pseudo_huber, 1.5, 2, convexity);
      const auto size = static_cast<double>(n);
      const double alpha =
          n == 2 ? l * l * 16 / (convexity * 4)
                 : l * l * l * l * 4096 * epsilon * epsilon /
                       (std::pow(convexity * size, 3) * size * 8 / std::numbers::pi * log_delta);
      EXPECT_NEAR(p.accuracy, alpha, 1e-9 * alpha);
      EXPECT_NEAR(std::pow(p.objective.standard_deviation, 2),
                  128 * l * l * std::log(2.5e5) / (epsilon * epsilon), 1e-6);
      EXPECT_NEAR(std::pow(p.standard_deviation, 2),
                  64 * alpha * std::log(2.5e5) * 16 / (convexity * epsilon * epsilon),
                  1e-6 * alpha);
      // Twice the distance sqrt(2 alpha/modulus).
      const double modulus =
          edition == Edition::printed ? convexity / 16 : 2 * p.objective.ridge + convexity / 4;
      EXPECT_NEAR(p.approximation_sensitivity, 2 * std::sqrt(2 * alpha / modulus),
                  1e-9 * p.approximation_sensitivity);
    }
}

// n times 2 lambda ||theta||^2/2 of the mean objective.
TEST(SuParameters, AnObjectiveWithoutDataIsItsRegularisation) {
  const Dataset data{Matrix::Ones(3, 2), VectorXd::Ones(3)};
  const auto bare =
      regularised_objective(data, {.loss = Loss::logistic, .ridge = 0.25})->without_data();
  const Eigen::Vector2d theta(0.3, -0.7);
  EXPECT_EQ(bare->dimension(), 2);
  EXPECT_LE((bare->gradient(theta) - 1.5 * theta).norm(), 1e-15);
  EXPECT_LE((bare->hessian(theta) - 1.5 * Matrix::Identity(2, 2)).norm(), 1e-15);
}

TEST(SuParameters, SmallestSteps) {
  // n = 2: lambda is max{beta, 1} M, M = 2 radius, and gamma sqrt T.
  const BatchedMirrorParameters batched =
      batched_mirror_from_theorem(2, 1, 1.5, 1, 0.5, 1, 1, 1e-5);
  EXPECT_EQ(batched.truncation, 2);
  EXPECT_EQ(batched.proximity, 1);
  const ShuffledMirrorParameters shuffled =
      shuffled_mirror_from_theorem(2, 1, 1.5, 1, 0.5, 1, 1, 1e-5);
  EXPECT_EQ(shuffled.truncation, 2);
  EXPECT_EQ(shuffled.batches, 1);
  EXPECT_EQ(shuffled.proximity, 1);
  EXPECT_EQ(shuffled_mirror_from_theorem(2, 1, 1.5, 1, 3, 1, 1, 1e-5).proximity, 6);  // 2 beta
  // min{4/sqrt n, epsilon/(2 sqrt d log(1/delta))}/L, the first one; 1/beta = 4/L^2 is smaller.
  EXPECT_NEAR(phased_step(PhasedStep::theorem_13, 10'000, 1, 100, 0.1, 2), 0.02, 1e-15);
  EXPECT_NEAR(phased_sgd_from_theorem(1, 1, 2, 0.1, Loss::logistic, 10).step, 0.04, 1e-15);
  // kamath_sco: T is not more than what a count can hold.
  EXPECT_EQ(kamath_sco_from_theorem(Index{9'000'000'000'000'000'000}, 1, 1, 2, 5, 1e6, 0.1, 0.95)
                .iterations,
            Index{1'000'000'000'000'000});
}

// M = 1, kappa = 1, n epsilon = 10^6 and log(1/delta) = log 10^5.
TEST(SuParameters, ShuffledMirrorDescentByHand) {
  const Index n = 1'000'000;
  const double l = std::log(1e5);
  const ShuffledMirrorParameters p = shuffled_mirror_from_theorem(n, 1, 1.5, 0.5, 1, 2, 1, 1e-5);
  const double lambda = 2 * 1000 / std::pow(l, 0.25);
  EXPECT_NEAR(p.truncation, lambda, 1e-9);
  EXPECT_EQ(p.batches, static_cast<Index>(1e12 / (lambda * lambda * l)));
  EXPECT_NEAR(p.proximity, std::sqrt(static_cast<double>(p.batches)), 1e-9);
  EXPECT_NEAR(
      p.local_delta,
      0.5e-5 / (1e6 * (std::exp(p.local_epsilon) + 1) * (1 + std::exp(-p.local_epsilon) / 2)),
      1e-15 * p.local_delta + 1e-25);
  // More than the amplification can spend: the largest local epsilon that has one.
  const double edge = std::log(1e6 / (16 * std::log(4e5)));
  EXPECT_NEAR(shuffled_mirror_from_theorem(n, 1, 1.5, 0.5, 1, 2, 2, 1e-5).local_epsilon, edge,
              1e-12);
}

TEST(SuParameters, AmplificationEndsWhereItsTheoremDoes) {
  const double edge = std::log(1e6 / (16 * std::log(2e6)));
  EXPECT_LT(amplified_epsilon(edge - 1e-9, 1'000'000, 1e-6), 1.5);
  EXPECT_EQ(amplified_epsilon(edge + 1e-9, 1'000'000, 1e-6), edge + 1e-9);
  // The reports' deltas come to 0.7: no guarantee but the local one.
  const double factor = (std::exp(0.5) + 1) * (1 + std::exp(-0.5) / 2);
  EXPECT_EQ(
      shuffled_guarantee({.local_epsilon = 0.5, .local_delta = 0.7e-6 / factor}, 1'000'000).epsilon,
      0.5);
}

TEST(SuParameters, BoundsByHand) {
  // (M^2 sigma kappa)^(2/3) (d log(1/delta))^(1/6)/(n epsilon)^(1/3) = 8^(2/3) 64^(1/6)/27^(1/3)
  EXPECT_NEAR(batched_mirror_bound(54, 64, 2, 1, 2, 0.5, inverse_e), 8.0 / 3, 1e-14);
  // M max{sigma, sigma^2} (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon) = 2 * 9 * 16^(1/4)/3
  EXPECT_NEAR(shuffled_mirror_bound(18, 1, 2, 3, 4, 0.5, inverse_e), 12, 1e-13);
  EXPECT_NEAR(shuffled_mirror_bound(18, 1, 2, 0.5, 4, 0.5, inverse_e), 2.0 / 3, 1e-14);
  // 32^(4/5) (1/32)^(2/5) log2 64
  EXPECT_NEAR(regularized_mirror_bound(64, 1, 32, 0.5, inverse_e), 24, 1e-13);
  // 2 * 3^2 (1/10 + 2/50)
  EXPECT_NEAR(phased_sgd_bound(100, 4, 0.5, inverse_e, 2, 3), 2.52, 1e-14);
}

TEST(SuParameters, SpacesByHand) {
  // 16^(1/1.25 - 1/2) = 2^1.2
  EXPECT_NEAR(diameter(1.25, 3, {.map = {1, 2}}, 16), 6 * std::pow(2, 1.2), 1e-13);
  EXPECT_EQ(diameter(2, 3, {.map = {1, 1.5}}, 16), 6);
}

// One record in the first phase, of twice the norm allowed: w = eta/2 x from the slope 1/2 at 0.
TEST(SuParameters, PhasedSgdShrinksItsRecords) {
  const Dataset data{Matrix::Constant(2, 2, std::numbers::sqrt2), VectorXd::Ones(2)};
  CapturingReleases releases;
  phased_sgd(data, {.loss = Loss::logistic, .lipschitz = 1, .step = 0.8}, releases);
  ASSERT_EQ(releases.laws.size(), 1U);
  const double entry = 0.2 / 2 / std::numbers::sqrt2 / 2;  // the mean with w_0
  EXPECT_LE((releases.laws[0].value - VectorXd::Constant(2, entry)).norm(), 1e-15);
}

TEST(SuParameters, TheArgumentThatIsOutIsNamed) {
  const auto phased = [](double step, double epsilon, double delta) {
    return refusal([=] {
      validate(PhasedSgdParameters{
          .loss = Loss::pseudo_huber, .step = step, .epsilon = epsilon, .delta = delta});
    });
  };
  EXPECT_EQ(phased(8, 2, inverse_e), "");
  EXPECT_THAT(phased(8.001, 1, inverse_e), HasSubstr("step eta is 8.001, but must be in (0, 8]"));
  EXPECT_THAT(phased(1, 2.001, inverse_e), HasSubstr("epsilon is 2.001, but must be in (0, 2]"));
  EXPECT_THAT(phased(1, 1, 1), HasSubstr("delta is 1,"));
  EXPECT_THAT(refusal([] { amplified_epsilon(0.5, 10, 1); }), HasSubstr("delta is 1,"));
  EXPECT_THAT(refusal([] { shuffled_mirror_from_theorem(100, 1, 1.5, 1, 1, 1, 1, 1); }),
              HasSubstr("delta is 1,"));
  EXPECT_THAT(refusal([] { kamath_sco_from_theorem(10, 1, 1, 2, 5, 0.5, 1, 0.5); }),
              HasSubstr("delta is 1,"));
  EXPECT_THAT(
      refusal([] {
        validate(BatchedMirrorParameters{.proximity = std::numeric_limits<double>::infinity()}, 10);
      }),
      HasSubstr("proximity gamma is inf"));
}

TEST(SuParameters, WhatIsJustInsideIsAccepted) {
  const KamathScoParameters p{.clip = 0.5, .blocks = 1};
  EXPECT_EQ(refusal([&] { validate(p, 4); }), "");
  KamathScoParameters bad = p;
  bad.delta = 1;
  EXPECT_THAT(refusal([&] { validate(bad, 4); }), HasSubstr("delta is 1,"));
  EXPECT_EQ(refusal([] { kamath_sco_from_theorem(10, 1, 1, 2, 0, 0.5, 0.1, 0.5); }), "");
  EXPECT_EQ(refusal([] {
              approximate_objective_perturbation_from_theorem(Edition::corrected, 1, 1, 0.5, 0.1,
                                                              Loss::pseudo_huber, 1, 1);
            }),
            "");
}

}  // namespace
}  // namespace dpverify::su
