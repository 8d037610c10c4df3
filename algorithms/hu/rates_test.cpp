#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/claims/test_rates.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/hu/private_lasso.hpp"
#include "algorithms/hu/robust_regression.hpp"
#include "algorithms/hu/sparse_linear_regression.hpp"
#include "algorithms/hu/sparse_optimization.hpp"

namespace dpverify::hu {
namespace {

TEST(HuRates, EverySweepCanDecide) {
  for (const auto& claims :
       {dp_frank_wolfe_rates(), peeling_rates(), private_lasso_rates(), robust_regression_rates(),
        sparse_linear_regression_rates(), sparse_optimization_rates()})
    expect_sweeps_can_decide(claims);
}

const Claim& claim_of(const std::vector<Claim>& claims, const std::string& id) {
  for (const Claim& claim : claims)
    if (claim.id == id) return claim;
  throw std::invalid_argument(id);
}

// The instances on which the bounds are attained: the more budget, the more coordinates w* has, so
// that the zero vector's risk falls as the bound does, but for logarithms.
TEST(HuRates, SpreadInstancesShrinkAsTheirBounds) {
  struct Row {
    std::vector<Claim> claims;
    std::string id;
    double exponent;
  };
  for (const Row& row :
       {Row{dp_frank_wolfe_rates(), "hu.dp_frank_wolfe.rate.printed", -1.0 / 3},
        Row{dp_frank_wolfe_rates(), "hu.dp_frank_wolfe.rate.epsilon.corrected", -1.0 / 3},
        Row{robust_regression_rates(), "hu.robust_regression.rate.printed", -0.25}}) {
    const auto& rate = std::get<RateClaim>(claim_of(row.claims, row.id).check);
    const auto zero_risk = [&](double value) {
      const RatePoint point = rate.point(value);
      return point.excess_risk(VectorXd::Zero(point.dimension));
    };
    const double from = rate.ci.values[1], to = rate.ci.values.back();
    EXPECT_NEAR(std::log(zero_risk(to) / zero_risk(from)) / std::log(to / from), row.exponent, 0.06)
        << row.id;
  }
}

// Condition numbers above 1, and more coordinates than s*: what the sweeps say that they are.
TEST(HuRates, CountedProblemsAreWhatTheirWordsSay) {
  const auto zero_risk = [](const std::vector<Claim>& claims, const std::string& id, double value) {
    const RatePoint point = std::get<RateClaim>(claim_of(claims, id).check).point(value);
    return point.excess_risk(VectorXd::Zero(point.dimension));
  };
  // (1/2 + 1) 1.04^2/2, of two features with mean 0.99 + 0.05 and curvatures 1/2 and 1.
  EXPECT_NEAR(zero_risk(sparse_optimization_rates(),
                        "hu.sparse_optimization.rate.condition.corrected", 1e9),
              0.75 * 1.04 * 1.04, 1e-12);
  // mu ||w*||^2, of one coordinate.
  EXPECT_NEAR(zero_risk(sparse_linear_regression_rates(),
                        "hu.sparse_linear_regression.rate.condition.printed", 1e11),
              0.25 / 1.5, 1e-12);
  EXPECT_NEAR(zero_risk(sparse_linear_regression_rates(),
                        "hu.sparse_linear_regression.rate.sparsity.printed", 22),
              0.25, 1e-12);
}

// The stale gradient: (2/3)^T of the risk, but for a phase, against (1/9)^T.
TEST(HuLemmas, StaleGradientContractsAsItsRootsSay) {
  const double t = std::floor(std::log(1e9));
  EXPECT_NEAR(sides("hu.sparse_optimization.lemma.stale_gradient.corrected", {{"n", 1e9}}).left,
              std::pow(1.0 / 9, t), 1e-30);
  // w_{t+1} = w_t - 2/3 w_{t-1}, w_0 = w_1 = 1: 1/3, -1/3, -5/9, -1/3 after 1 to 4 steps.
  const auto after = [](double steps) {
    const double n = std::exp(steps + 0.5);
    return sides("hu.sparse_optimization.lemma.stale_gradient.reading", {{"n", n}}).left;
  };
  EXPECT_NEAR(after(3), 25.0 / 81, 1e-12);
  EXPECT_NEAR(after(4), 1.0 / 9, 1e-12);
}

}  // namespace
}  // namespace dpverify::hu
