#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dpverify::hu
