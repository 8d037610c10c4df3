#include "algorithms/problems/scalar_law.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace dpverify {
namespace {

using Kind = ScalarLaw::Kind;
constexpr double infinite = std::numeric_limits<double>::infinity();

const std::vector<ScalarLaw> laws_with_moments{
    {Kind::normal, 5},         {Kind::lognormal, 0.1}, {Kind::student_t, 20},
    {Kind::laplace, 5},        {Kind::pareto, 9.5},    {Kind::logistic, 0.5},
    {Kind::log_logistic, 9.5}, {Kind::log_gamma, 0.5}, {Kind::pareto, 10, 3},
    {Kind::lognormal, 0.1, 3}};

// Means over 4 * 10^5 draws at ten standard errors, which use the moments of twice the order; a
// false failure has probability below 1e-20 in the normal limit.
TEST(ScalarLaw, HasItsMoments) {
  for (const ScalarLaw& law : laws_with_moments) {
    RandomStream stream({.seed = 5, .claim = law.in_words()});
    constexpr int n = 400'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const double x = law.draw(stream);
      sum += x;
      squares += x * x;
    }
    const double second = law.second_moment();
    EXPECT_NEAR(sum / n, law.mean(), 10 * std::sqrt(law.variance() / n)) << law.in_words();
    EXPECT_NEAR(squares / n, second, 10 * std::sqrt((law.fourth_moment() - second * second) / n))
        << law.in_words();
    EXPECT_NEAR(law.variance(), second - law.mean() * law.mean(), 1e-12 * second);
  }
}

// The fourth moment is an integral of a density written here a second time, from the definition of
// the law, over the logarithm of |x|.
TEST(ScalarLaw, FourthMomentsAreIntegralsOfTheDensities) {
  const auto density = [](const ScalarLaw& law, double x) {
    const double p = law.parameter;
    switch (law.kind) {
      case Kind::normal:
        return std::exp(-x * x / (2 * p)) / std::sqrt(2 * M_PI * p);
      case Kind::lognormal:
        return x <= 0
                   ? 0
                   : std::exp(-std::pow(std::log(x), 2) / (2 * p)) / (x * std::sqrt(2 * M_PI * p));
      case Kind::student_t:
        return std::tgamma((p + 1) / 2) / (std::sqrt(p * M_PI) * std::tgamma(p / 2)) *
               std::pow(1 + x * x / p, -(p + 1) / 2);
      case Kind::laplace:
        return std::exp(-std::abs(x) / p) / (2 * p);
      case Kind::pareto:
        return std::abs(x) < 1 ? 0 : p / 2 * std::pow(std::abs(x), -p - 1);
      case Kind::logistic:
        return std::exp(-std::abs(x) / p) / (p * std::pow(1 + std::exp(-std::abs(x) / p), 2));
      case Kind::log_logistic:
        return x <= 0 ? 0 : p * std::pow(x, -p - 1) / std::pow(1 + std::pow(x, -p), 2);
      case Kind::log_gamma:
        return std::exp(p * x - std::exp(x)) / std::tgamma(p);
      case Kind::none:
        break;
    }
    return 0.0;
  };
  for (const ScalarLaw& law : laws_with_moments) {
    if (law.scale != 1) continue;
    const auto side = [&](double sign) {
      // Pareto densities jump at 1: the two halves of the axis of logarithms are apart.
      const auto integrand = [&](double u) {
        const double x = sign * std::exp(u);
        return std::pow(x, 4) * density(law, x) * std::exp(u);
      };
      using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
      return Rule::integrate(integrand, -20, 0, 15, 1e-12) +
             Rule::integrate(integrand, 0, 12, 15, 1e-12);
    };
    EXPECT_NEAR((side(1) + side(-1)) / law.fourth_moment(), 1, 1e-8) << law.in_words();
  }
}

TEST(ScalarLaw, MomentsThatDivergeAreInfinite) {
  EXPECT_EQ((ScalarLaw{Kind::pareto, 2}.second_moment()), infinite);
  EXPECT_EQ((ScalarLaw{Kind::pareto, 2.5}.second_moment()), 5);
  EXPECT_EQ((ScalarLaw{Kind::pareto, 4}.fourth_moment()), infinite);
  EXPECT_EQ((ScalarLaw{Kind::pareto, 1.5}.variance()), infinite);
  EXPECT_EQ((ScalarLaw{Kind::log_logistic, 0.1}.mean()), infinite);
  EXPECT_EQ((ScalarLaw{Kind::log_logistic, 1.5}.variance()), infinite);
}

TEST(ScalarLaw, HaveTheirDistributionFunctions) {
  // P(x <= 1), by hand: logistic 1/(1 + e^-2), log-logistic 1/2 for every c, log-gamma
  // P(gamma(1/2) <= e) = erf(sqrt e); Pareto P(x <= 2) with tail index 1: 3/4.
  const std::vector<std::pair<ScalarLaw, double>> laws{
      {{Kind::logistic, 0.5}, 1 / (1 + std::exp(-2.0))},
      {{Kind::log_logistic, 0.1}, 0.5},
      {{Kind::log_gamma, 0.5}, std::erf(std::exp(0.5))},
      {{Kind::pareto, 1, 0.5}, 0.75},
      {{Kind::none}, 1}};
  for (const auto& [law, expected] : laws) {
    RandomStream stream({.seed = 6, .claim = law.in_words()});
    constexpr int n = 100'000;
    int below = 0;
    for (int i = 0; i < n; ++i) below += law.draw(stream) <= 1 ? 1 : 0;
    // Hoeffding: beyond this with probability below 2 exp(-2 n t^2) < 1e-13.
    EXPECT_NEAR(static_cast<double>(below) / n, expected, 0.0125) << law.in_words();
  }
}

}  // namespace
}  // namespace dpverify
