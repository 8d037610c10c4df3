#include "algorithms/core/composition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algorithms/core/gaussian.hpp"

namespace dpverify {
namespace {

// The slow twin: every one of the 2^k answer patterns of k randomised responses.
double by_patterns(const std::vector<double>& epsilons, double epsilon) {
  double delta = 0;
  for (unsigned pattern = 0; pattern < 1U << epsilons.size(); ++pattern) {
    double p = 1, q = 1;
    for (std::size_t k = 0; k < epsilons.size(); ++k) {
      const double truth = std::exp(epsilons[k]) / (1 + std::exp(epsilons[k]));
      p *= pattern >> k & 1U ? truth : 1 - truth;
      q *= pattern >> k & 1U ? 1 - truth : truth;
    }
    delta += std::max(0.0, p - std::exp(epsilon) * q);
  }
  return delta;
}

TEST(Composition, MatchesEveryPatternOfRandomisedResponses) {
  for (const double epsilon : {0.0, 0.2, 1.0, 2.5}) {
    EXPECT_NEAR(composed_delta({{0.3, 6}}, epsilon),
                by_patterns({0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, epsilon), 1e-9);
    EXPECT_NEAR(composed_delta({{0.3, 3}, {0.7, 2}}, epsilon),
                by_patterns({0.3, 0.3, 0.3, 0.7, 0.7}, epsilon), 1e-9);
  }
  EXPECT_EQ(composed_delta({{0.5, 4}}, 2), 0);
  EXPECT_GE(composed_delta({{0.3, 6}}, 0.2), by_patterns(std::vector<double>(6, 0.3), 0.2));
}

TEST(Composition, EpsilonInvertsDelta) {
  const std::vector<PureSteps> steps{{0.1, 30}, {0.05, 30}};
  for (const double delta : {1e-2, 1e-5, 1e-9}) {
    const double epsilon = composed_epsilon(steps, delta);
    EXPECT_LE(composed_delta(steps, epsilon), delta);
    EXPECT_GT(composed_delta(steps, epsilon * (1 - 1e-8)), delta);
  }
  EXPECT_NEAR(composed_epsilon(steps, 0), 4.5, 1e-9);
}

// Peeling with the noise scale b = kappa lambda sqrt(s log(1/delta))/epsilon: s selections of
// 2 lambda/b and s values of lambda/b. Independent figures: numpy and scipy, to 3 digits.
std::vector<PureSteps> peeling(double kappa, double s, double epsilon, double delta) {
  const double b = kappa * std::sqrt(s * -std::log(delta)) / epsilon;
  return {{2 / b, static_cast<Index>(s)}, {1 / b, static_cast<Index>(s)}};
}

TEST(Composition, PeelingAtBothPapersScales) {
  const double hu = 2 * std::sqrt(3), tao = 4 * std::sqrt(2);
  struct Row {
    double s, epsilon, delta, drv, drv_tanh, optimal, tao_optimal;
  };
  for (const Row& row : {Row{1, 0.999, 1e-5, 0.255, 0.255, 0.255, 0.156},
                         Row{5, 0.999, 1e-5, 0.571, 0.571, 0.563, 0.341},
                         Row{20, 0.1, 1e-5, 0.916, 0.915, 0.541, 0.316},
                         Row{20, 0.999, 1e-2, 1.006, 0.958, 0.462, 0.234},
                         Row{20, 0.999, 1e-5, 0.950, 0.931, 0.661, 0.389},
                         Row{20, 0.999, 1e-7, 0.939, 0.926, 0.693, 0.412},
                         Row{50, 0.999, 1e-7, 0.939, 0.926, 0.721, 0.430}}) {
    const auto steps = peeling(hu, row.s, row.epsilon, row.delta);
    EXPECT_NEAR(advanced_composition(steps, row.delta) / row.epsilon, row.drv, 6e-4);
    EXPECT_NEAR(advanced_composition(steps, row.delta, ExpectedLoss::tanh) / row.epsilon,
                row.drv_tanh, 6e-4);
    EXPECT_NEAR(composed_epsilon(steps, row.delta) / row.epsilon, row.optimal, 6e-4);
    EXPECT_NEAR(
        composed_epsilon(peeling(tao, row.s, row.epsilon, row.delta), row.delta) / row.epsilon,
        row.tao_optimal, 6e-4);
  }
}

TEST(Composition, PrivateLassoSteps) {
  struct Row {
    double t, delta, drv, optimal, halved;
  };
  for (const Row& row :
       {Row{1, 1e-5, 0.104, 0.104, 0.052}, Row{10, 1e-5, 0.330, 0.321, 0.155},
        Row{40, 1e-5, 0.511, 0.349, 0.163}, Row{100, 1e-5, 0.511, 0.352, 0.166},
        Row{400, 1e-7, 0.508, 0.389, 0.187}, Row{400, 1e-2, 0.527, 0.199, 0.067}}) {
    const double step = 0.999 / (2 * std::sqrt(2 * row.t * -std::log(row.delta)));
    const auto count = static_cast<Index>(row.t);
    EXPECT_NEAR(advanced_composition({{step, count}}, row.delta) / 0.999, row.drv, 6e-4) << row.t;
    EXPECT_NEAR(composed_epsilon({{step, count}}, row.delta) / 0.999, row.optimal, 6e-4) << row.t;
    EXPECT_NEAR(composed_epsilon({{step / 2, count}}, row.delta) / 0.999, row.halved, 6e-4)
        << row.t;
  }
}

TEST(Composition, MergesAndRejects) {
  // The larger of two that are equal up to rounding counts, whichever comes first.
  const double larger = 0.1 * (1 + 1e-15);
  ASSERT_GT(larger, 0.1);
  for (const auto& steps :
       {merged({0.1, 0, 0.2, larger, 0.2}), merged({larger, 0, 0.2, 0.1, 0.2})}) {
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].count, 2);
    EXPECT_EQ(steps[0].epsilon, larger);
    EXPECT_EQ(steps[1].count, 2);
  }
  EXPECT_THROW(composed_delta({{-1, 2}}, 1), std::invalid_argument);
  EXPECT_THROW(composed_epsilon({{1, 2}}, 1), std::invalid_argument);
  EXPECT_THROW(composed_delta({{1, 5000}, {2, 10000}}, 1), std::invalid_argument);
}

TEST(ZcdpEpsilon, LiesBetweenTheGaussianTruthAndTheTextbookBound) {
  for (const double rho : {1e-6, 1e-3, 0.1, 1.0, 20.0})
    for (const double delta : {1e-10, 1e-5, 0.05}) {
      const double found = zcdp_epsilon(rho, delta);
      EXPECT_LE(found, (rho + 2 * std::sqrt(rho * -std::log(delta))) * (1 + 1e-11));
      // rho-zCDP holds for the Gaussian mechanism of mu = sqrt(2 rho).
      EXPECT_GE(found, gaussian_epsilon(std::sqrt(2 * rho), delta) * (1 - 1e-12));
      // The definition on a fine grid of orders.
      double best = INFINITY;
      for (double x = -20; x < 40; x += 1e-3) {
        const double alpha = 1 + std::exp(x);
        best = std::min(best, alpha * rho + std::log(1 / (alpha * delta)) / (alpha - 1) +
                                  std::log1p(-1 / alpha));
      }
      EXPECT_NEAR(found, std::max(best, 0.0), 1e-5 * (1 + best)) << rho << " " << delta;
    }
  EXPECT_EQ(zcdp_epsilon(0, 0), 0);
  EXPECT_TRUE(std::isinf(zcdp_epsilon(1, 0)));
}

}  // namespace
}  // namespace dpverify
