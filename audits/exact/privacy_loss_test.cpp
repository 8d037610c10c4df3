#include "audits/exact/privacy_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/composition.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

void expect_encloses(const Interval& found, double truth, double width) {
  EXPECT_LE(found.lower, truth * (1 + 1e-9));
  EXPECT_GE(found.upper, truth * (1 - 1e-9));
  EXPECT_LE(found.upper - found.lower, width);
}

TEST(ComposedEpsilon, GaussianStepsAreOneGaussian) {
  for (const double mu : {0.01, 0.3, 2.0})
    for (const Index count : {1, 7, 200})
      for (const double delta : {1e-10, 1e-5, 0.05}) {
        const double truth = gaussian_epsilon(mu * std::sqrt(static_cast<double>(count)), delta);
        expect_encloses(composed_epsilon_interval({{gaussian_loss(mu), count}}, delta), truth,
                        1e-3);
      }
}

// Values published for these compositions; each takes well under a second.
TEST(ComposedEpsilon, ReferenceValues) {
  const Interval gaussian = composed_epsilon_interval({{gaussian_loss(1.0 / 20), 1000}}, 1e-6);
  expect_encloses(gaussian, 8.306225, 1e-3);
  const Interval longer = composed_epsilon_interval({{gaussian_loss(1.0 / 20), 10'000}}, 1e-6);
  expect_encloses(longer, 35.566344, 1e-3);
  const Interval laplace = composed_epsilon_interval({{laplace_loss(0.1), 1000}}, 1e-6);
  EXPECT_GE(laplace.lower, 18.9501);
  EXPECT_LE(laplace.upper, 18.9503 + 1e-4);
  EXPECT_LE(laplace.upper - laplace.lower, 1e-3);
}

TEST(ComposedEpsilon, RandomisedResponseIsOptimalComposition) {
  for (const double epsilon : {0.02, 0.1, 1.0})
    for (const Index count : {1, 20, 300})
      for (const double delta : {1e-8, 1e-3}) {
        const double truth = composed_epsilon({{epsilon, count}}, delta);
        expect_encloses(
            composed_epsilon_interval({{randomised_response_loss(epsilon), count}}, delta), truth,
            1e-3);
      }
  expect_encloses(
      composed_epsilon_interval(
          {{randomised_response_loss(0.1), 30}, {randomised_response_loss(0.07), 30}}, 1e-5),
      composed_epsilon({{0.1, 30}, {0.07, 30}}, 1e-5), 1e-3);
}

// Every one of the 4^k paths of a law on four outcomes, one of them impossible on the neighbour.
TEST(ComposedDelta, FiniteLawsAgainstAllPaths) {
  const VectorXd log_p = VectorXd{{0.5, 0.3, 0.199, 0.001}}.array().log();
  const VectorXd log_q = VectorXd{{0.4, 0.25, 0.35, 0}}.array().log();
  for (const bool forward : {true, false}) {
    const VectorXd& p = forward ? log_p : log_q;
    const VectorXd& q = forward ? log_q : log_p;
    for (const double epsilon : {0.0, 0.3, 1.0}) {
      double truth = 0;
      constexpr int steps = 5;
      for (int path = 0; path < 1 << (2 * steps); ++path) {
        double a = 0, b = 0;
        for (int k = 0; k < steps; ++k) {
          a += p[(path >> (2 * k)) & 3];
          b += q[(path >> (2 * k)) & 3];
        }
        truth += std::max(0.0, std::exp(a) - std::exp(epsilon + b));
      }
      const Interval found = composed_delta_interval({{finite_loss(p, q), steps}}, epsilon);
      EXPECT_LE(found.lower, truth * (1 + 1e-9));
      EXPECT_GE(found.upper, truth * (1 - 1e-9));
      EXPECT_LE(found.upper - found.lower, 2e-3 * truth) << epsilon << " " << forward;
    }
  }
}

TEST(ComposedDelta, GaussianTailsKeepTheirDigits) {
  for (const double epsilon : {2.0, 8.0, 20.0}) {
    const double truth = gaussian_delta(0.3 * std::sqrt(50), epsilon);
    const Interval found = composed_delta_interval({{gaussian_loss(0.3), 50}}, epsilon);
    EXPECT_LE(found.lower, truth);
    EXPECT_GE(found.upper, truth * (1 - 1e-12));
    EXPECT_LE(found.upper - found.lower, 1e-3 * found.upper) << epsilon;
  }
}

// Losses on the grid: both ends come of the same masses, and only the margin for rounding lies
// between them. One step has a closed form, with a margin too.
TEST(ComposedDelta, AMarginForRoundingLiesOnEitherSide) {
  const double together = composed_delta({{0.1, 20}}, 0.3), one = gaussian_delta(0.3, 0.2);
  const Interval of_steps = composed_delta_interval({{randomised_response_loss(0.1), 20}}, 0.3);
  const Interval of_one = composed_delta_interval({{gaussian_loss(0.3), 1}}, 0.2);
  for (const auto& [found, truth] : {std::pair(of_steps, together), std::pair(of_one, one)}) {
    EXPECT_LT(found.lower, truth * (1 - 1e-10));
    EXPECT_GT(found.upper, truth * (1 + 1e-10));
  }
}

// N(0, 1) against N(1, 1), its losses told within a range only: what lies beyond counts against an
// upper bound, above as infinite, below as the least loss of the range.
TEST(ComposedDelta, MassBeyondTheRangeCountsAgainstTheUpperBound) {
  constexpr double wide = 1;  // no grid makes it narrow
  LossLaw above = gaussian_loss(1);
  above.highest = 1;
  above.above = 0.5 * std::erfc(0.5 / std::sqrt(2.0));  // P(loss > 1), the loss N(1/2, 1)
  for (const Index count : {1, 2}) {
    const double truth = gaussian_delta(std::sqrt(static_cast<double>(count)), 0.5);
    EXPECT_GE(composed_delta_interval({{above, count}}, 0.5, wide).upper, truth) << count;
    EXPECT_EQ(composed_epsilon_interval({{above, count}}, 0.9 * above.above).upper, infinity);
  }
  LossLaw below = gaussian_loss(1);
  below.lowest = 0;
  below.below = 0.5 * std::erfc(0.5 / std::sqrt(2.0));  // P(loss <= 0)
  EXPECT_GE(composed_delta_interval({{below, 2}}, 0.5, wide).upper,
            gaussian_delta(std::sqrt(2), 0.5));
}

TEST(ComposedEpsilon, MixedStepsLieBetweenTheirParts) {
  const Interval mixed =
      composed_epsilon_interval({{gaussian_loss(0.25), 1}, {laplace_loss(0.1), 2}}, 1e-6);
  EXPECT_GT(mixed.lower, gaussian_epsilon(0.25, 1e-6));
  EXPECT_LT(mixed.upper, gaussian_epsilon(0.25, 1e-6) + 0.2);
  EXPECT_LE(mixed.upper - mixed.lower, 1e-3);
}

// An outcome that both laws have alike. At delta = 0.05: 0.3 - 0.2 e^epsilon = 0.05.
TEST(ComposedEpsilon, LossesOfNothing) {
  const auto logs = [](double a, double b, double c) {
    return VectorXd(VectorXd{{a, b, c}}.array().log());
  };
  const LossLaw law = finite_loss(logs(0.5, 0.3, 0.2), logs(0.5, 0.2, 0.3));
  const Interval found = composed_epsilon_interval({{law, 1}}, 0.05);
  EXPECT_LE(found.lower, std::log(1.25));
  EXPECT_GE(found.upper, std::log(1.25));
  EXPECT_LE(found.upper - found.lower, 1e-3);
}

TEST(ComposedEpsilon, InfiniteLosses) {
  const LossLaw law =
      finite_loss(VectorXd{{std::log(0.9), std::log(0.1)}}, VectorXd{{0.0, -infinity}});
  EXPECT_EQ(composed_epsilon_interval({{law, 1}}, 0.05).lower, infinity);
  EXPECT_EQ(composed_epsilon_interval({{law, 1}}, 0.15).upper, 0);
  // 1 - 0.9^3 = 0.271 of the mass is infinite after three steps.
  EXPECT_EQ(composed_epsilon_interval({{law, 3}}, 0.27).lower, infinity);
  EXPECT_NEAR(composed_delta_interval({{law, 3}}, 1).upper, 0.271, 1e-8);
}

TEST(ComposedEpsilon, BadInput) {
  EXPECT_THROW(gaussian_loss(0), std::invalid_argument);
  EXPECT_THROW(laplace_loss(-1), std::invalid_argument);
  EXPECT_THROW(randomised_response_loss(infinity), std::invalid_argument);
  EXPECT_THROW(finite_loss(VectorXd::Zero(1), VectorXd::Zero(2)), std::invalid_argument);
  EXPECT_THROW(composed_epsilon_interval({}, 0.1), std::invalid_argument);
  EXPECT_THROW(composed_epsilon_interval({{gaussian_loss(1), 1}}, 0), std::invalid_argument);
  EXPECT_THROW(composed_epsilon_interval({{gaussian_loss(1), 0}}, 0.1), std::invalid_argument);
  EXPECT_THROW(composed_delta_interval({{gaussian_loss(1), 1}}, -1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
