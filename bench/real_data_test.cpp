#include "bench/real_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "bench/problem_claims.hpp"

namespace dpverify {
namespace {

// The fourth central moment over the squared second.
double kurtosis(const VectorXd& x) {
  const Eigen::ArrayXd centred = x.array() - x.mean();
  return centred.pow(4).mean() / std::pow(centred.square().mean(), 2);
}

TEST(RealData, HasItsShapeItsTailAndAnIntercept) {
  using Expected = std::tuple<const char*, const char*, Index, Index, double>;
  for (const auto& [name, target, records, dimension, tail] :
       {Expected{"flights", "delay_minutes", 200'000, 3, 102.87},
        Expected{"medical-visits", "visits", 4406, 22, 23.21},
        Expected{"breast-cancer", "label", 569, 31, 0}}) {
    const Dataset data = real_data(name, target);
    EXPECT_EQ(data.size(), records) << name;
    EXPECT_EQ(data.dimension(), dimension) << name;
    EXPECT_TRUE((data.features.col(0).array() == 1).all()) << name;
    if (tail > 0) {
      EXPECT_NEAR(kurtosis(data.labels), tail, 0.005) << name;
    }
  }
  // 0 minutes late, 1452 miles, midnight.
  const Dataset flights = real_data("flights", "delay_minutes");
  EXPECT_NEAR(flights.labels[0], -1 + 2 * 60.0 / 420, 1e-15);
  EXPECT_NEAR(flights.features(0, 1), -1 + 2 * 1452.0 / 3000, 1e-15);
  EXPECT_EQ(flights.features(0, 2), -1);
  EXPECT_THROW(real_data("no-such-data", "y"), std::invalid_argument);
}

TEST(ProblemClaims, DrawTheDimensionTheySay) {
  const std::vector<Claim> claims = problem_claims();
  EXPECT_EQ(claims.size(), 7U);
  for (const Claim& claim : claims) {
    const auto& rate = std::get<RateClaim>(claim.check);
    RandomStream stream({.seed = 1, .claim = claim.id});
    EXPECT_EQ(rate.draw(3, stream).dimension(), rate.dimension) << claim.id;
    const VectorXd zero = VectorXd::Zero(rate.dimension);
    EXPECT_GT(rate.excess_risk(zero), 0) << claim.id;
    EXPECT_GT(rate.point(1e4).bound, 0) << claim.id;
  }
}

}  // namespace
}  // namespace dpverify
