#include "algorithms/core/composition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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

// delta at any epsilon, also a negative one, of N(0, 1) against N(mu, 1).
double curve(double mu, double epsilon) {
  if (mu == 0) return std::max(0.0, -std::expm1(epsilon));
  if (epsilon >= 0) return gaussian_delta(mu, epsilon);
  return -std::expm1(epsilon) + std::exp(epsilon) * gaussian_delta(mu, -epsilon);
}

// E of f(z), z ~ N(0, 1), by the midpoint rule.
template <class Function>
double normal_mean(int cells, Function f) {
  constexpr double reach = 8;
  const double width = 2 * reach / cells;
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    const double z = -reach + (i + 0.5) * width;
    sum += std::exp(-z * z / 2) * f(z);
  }
  return sum * width / std::sqrt(2 * std::numbers::pi);
}

struct Point {
  double mu, other_mu, epsilon;  // epsilon beyond the log determinant
};
std::vector<Point> points() {
  std::vector<Point> out;
  for (const double mu : {0.1, 0.5, 2.0})
    for (const double other_mu : {0.0, 0.3})
      for (const double share : {0.05, 0.3, 1.0, 3.0}) out.push_back({mu, other_mu, share * mu});
  return out;
}

// Every pair of records by the definition, at every angle between their features: E over the noise
// of the delta that the worst corner of the shift leaves. The bound is never below that, and at
// most four times the worst.
TEST(ObjectivePerturbation, DeltaIsThatOfTheWorstCornerAtEveryAngle) {
  for (const auto& [mu, other_mu, epsilon] : points()) {
    double worst = 0;
    for (int k = 0; k <= 4; ++k) {
      const double a = mu * std::cos(k * std::numbers::pi / 8);
      const double b = mu * std::sin(k * std::numbers::pi / 8);
      worst = std::max(worst, normal_mean(120, [&, other = other_mu, e = epsilon](double x) {
                         return normal_mean(120, [&](double y) {
                           return curve(other, e - std::max(a * std::abs(x) + a * a / 2,
                                                            b * std::abs(y) + b * b / 2));
                         });
                       }));
    }
    const double bound = objective_perturbation_delta({mu, 0.2, false}, 0.2 + epsilon, other_mu);
    EXPECT_GE(bound * 1.02, worst) << mu << " " << other_mu << " " << epsilon;
    EXPECT_LE(bound, 4.1 * worst) << mu << " " << other_mu << " " << epsilon;
  }
}

// In one dimension the shifts a to one side and b to the other have a sum of at most mu.
TEST(ObjectivePerturbation, InOneDimensionDeltaIsThatOfTheWorstSplit) {
  for (const auto& [mu, other_mu, epsilon] : points()) {
    double worst = 0;
    for (int k = 0; k <= 8; ++k) {
      const double a = mu * k / 8, b = mu - a;
      worst = std::max(worst, normal_mean(4000, [&, other = other_mu, e = epsilon](double z) {
                         return curve(other, e - std::max(a * z + a * a / 2, b * b / 2 - b * z));
                       }));
    }
    const double bound = objective_perturbation_delta({mu, 0.2, true}, 0.2 + epsilon, other_mu);
    EXPECT_GE(bound * 1.0001, worst) << mu << " " << other_mu << " " << epsilon;
    EXPECT_LE(bound, (other_mu == 0 ? 1.0001 : 2.1) * worst) << mu << " " << epsilon;
  }
}

TEST(ObjectivePerturbation, EpsilonInvertsDelta) {
  for (const bool one_dimension : {true, false})
    for (const double other_mu : {0.0, 0.2})
      for (const double delta : {1e-9, 1e-5, 0.3}) {
        const ObjectiveCost cost{0.4, 0.2, one_dimension};
        const double epsilon = objective_perturbation_epsilon(cost, delta, other_mu);
        EXPECT_GE(epsilon, 0.2);
        EXPECT_LE(objective_perturbation_delta(cost, epsilon, other_mu), delta);
        const double below = epsilon > 0.2 + 1e-6 ? epsilon * (1 - 1e-8) : 0.1;
        EXPECT_GT(objective_perturbation_delta(cost, below, other_mu), delta);
      }
  EXPECT_NEAR(objective_perturbation_epsilon({0.4, 0.2, true}, 1e-5),
              0.2 + gaussian_epsilon(0.4, 1e-5), 1e-8);
  EXPECT_EQ(objective_perturbation_delta({0.4, 0.2, true}, 0.19), 1);
  EXPECT_TRUE(std::isinf(objective_perturbation_epsilon({0.4, 0.2, true}, 0)));
}

}  // namespace
}  // namespace dpverify
