#include "audits/transcript/mean_bounds.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

// The bets as products, in long double.
double wealth_twin(const std::vector<double>& values, double m) {
  long double sum = 0;
  for (const double share : {0.99, 0.9, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.06, 0.03, 0.01, 3e-3,
                             1e-3, 3e-4, 1e-4, 1e-5}) {
    long double wealth = 1;
    for (const double x : values) wealth *= 1 - share + share * x / m;
    sum += wealth;
  }
  return static_cast<double>(std::log(sum / 16));
}

TEST(MeanBounds, WealthIsTheAverageOfTheBets) {
  const std::vector<double> values{0, 0, 0.3, 1.5, 0, 2.9, 0.01};
  for (const double m : {0.05, 0.3, 0.7, 2.0})
    EXPECT_NEAR(log_wealth(values, m), wealth_twin(values, m), 1e-12) << m;
  EXPECT_EQ(log_wealth(values, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(log_wealth({0, 0}, 0), 0);
}

TEST(MeanBounds, EncloseTheSampleMeanAndTighten) {
  std::vector<double> few(100), many(10'000);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = i % 4 == 0 ? 1 : 0;
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = i % 4 == 0 ? 1 : 0;
  const double low_few = mean_lower(few, 0.01), low_many = mean_lower(many, 0.01);
  const double high_few = mean_upper(few, 1, 0.01), high_many = mean_upper(many, 1, 0.01);
  EXPECT_LT(low_few, low_many);
  EXPECT_LT(low_many, 0.25);
  EXPECT_LT(0.25, high_many);
  EXPECT_LT(high_many, high_few);
  EXPECT_NEAR(low_many, 0.25, 0.02);
  EXPECT_NEAR(high_many, 0.25, 0.02);
  EXPECT_EQ(mean_lower(std::vector<double>(50, 0.0), 0.01), 0);
  EXPECT_EQ(mean_upper(std::vector<double>(50, 3.0), 3, 0.01), 3);
}

// The bets against the bound win 1/significance, those against what lies a little nearer do not: a
// level of twice the significance would be off by 0.7 in the logarithm.
TEST(MeanBounds, AreWhereTheBetsWinOneOverTheSignificance) {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 5 == 0 ? 0.3 : i % 7 == 0 ? 2 : 0;
  std::vector<double> rest(values);
  for (double& x : rest) x = 3 - x;
  for (const double significance : {0.5, 0.05, 1e-6}) {
    const double needed = std::log(1 / significance), low = mean_lower(values, significance);
    EXPECT_GE(log_wealth(values, low), needed);
    EXPECT_LT(log_wealth(values, low * (1 + 2e-3)), needed);
    const double high = mean_upper(values, 3, significance);
    EXPECT_GE(log_wealth(rest, 3 - high), needed);
    EXPECT_LT(log_wealth(rest, 3 - high * (1 - 2e-3)), needed);
  }
}

// 1,000 samples of 300 heavy-tailed values with mean 0.01: each bound may miss with probability
// 0.05. More misses than the binomial quantile at 1e-12 would be a false failure.
TEST(MeanBounds, HoldAtTheirLevel) {
  constexpr int seeds = 1'000;
  int too_high = 0, too_low = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomStream stream({.seed = seed, .claim = "mean_bounds_test", .purpose = "coverage"});
    std::vector<double> values(300);
    // In [0, 3]: 3 u^8 on a share of 0.03, mean 0.03 * 3/9.
    for (double& x : values) x = stream.uniform() < 0.03 ? 3 * std::pow(stream.uniform(), 8) : 0;
    too_high += mean_lower(values, 0.05) > 0.01;
    too_low += mean_upper(values, 3, 0.05) < 0.01;
  }
  const boost::math::binomial_distribution<> misses(seeds, 0.05);
  const double most = boost::math::quantile(boost::math::complement(misses, 1e-12));
  EXPECT_LE(too_high, most);
  EXPECT_LE(too_low, most);
}

}  // namespace
}  // namespace dpverify
