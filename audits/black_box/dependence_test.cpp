#include "audits/black_box/dependence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

Outputs column(const std::vector<double>& values) {
  Outputs out;
  for (const double x : values) out.push_back(VectorXd::Constant(1, x));
  return out;
}

// Share of random orders of the values in which dependence is claimed.
double alarms(std::vector<double> values, double significance, int trials) {
  int count = 0;
  RandomStream stream({.seed = 3, .claim = "dependence", .purpose = "orders"});
  for (int trial = 0; trial < trials; ++trial) {
    for (std::size_t k = values.size(); k > 1; --k)
      std::swap(values[k - 1],
                values[static_cast<std::size_t>(stream.index(static_cast<Index>(k)))]);
    if (!dependence(column(values), significance).empty()) ++count;
  }
  return static_cast<double>(count) / trials;
}

// Ties and rare values would make an approximate test fail its level by far. The tails nearer than
// three standard deviations are not looked at, so that a level of 0.005 is about what can be seen.
TEST(Dependence, IsClaimedOfARandomOrderAtTheLevelOnly) {
  std::vector<double> distinct(400), binary(400), rare(400), constant(400, 1.0);
  for (std::size_t k = 0; k < distinct.size(); ++k) {
    distinct[k] = static_cast<double>(k);
    binary[k] = k % 4 == 0 ? 0 : 1;
    rare[k] = k < 2 ? 1 : 0;
  }
  constexpr int trials = 4000;
  // At most 20 expected; 36 are seen with probability 1e-3.
  for (const auto& values : {distinct, binary, rare})
    EXPECT_LE(alarms(values, 0.005, trials), 36.0 / trials);
  EXPECT_GT(alarms(distinct, 0.02, trials), 1.0 / trials);  // the test is not empty
  EXPECT_EQ(alarms(constant, 0.02, 10), 0);
}

TEST(Dependence, SeesOneRunPrintedAsMany) {
  RandomStream stream({.seed = 1, .claim = "dependence", .purpose = "path"});
  std::vector<double> losses;
  double loss = 0;
  for (int k = 0; k < 1000; ++k) losses.push_back(loss = 0.9 * loss + stream.normal());
  EXPECT_THAT(dependence(column(losses), 1e-4),
              HasSubstr("output[0] depends on the output before"));
}

TEST(Dependence, SeesADriftAndAnAlternation) {
  RandomStream stream({.seed = 2, .claim = "dependence", .purpose = "drift"});
  Outputs drift, alternating;
  for (int k = 0; k < 1000; ++k) {
    drift.push_back(Eigen::Vector2d(stream.normal(), stream.normal() + (k < 500 ? 1 : 0)));
    alternating.push_back(VectorXd::Constant(1, k % 2));
  }
  EXPECT_THAT(dependence(drift, 1e-4), HasSubstr("output[1]"));
  EXPECT_THAT(dependence(alternating, 1e-4), HasSubstr("999 times"));
}

// Seven zeros, then seven ones: of 3432 orders two have so few runs and one has no one in the first
// half. Each test gets a quarter of the significance.
TEST(Dependence, ComparesExactProbabilitiesWithAQuarterOfTheSignificance) {
  const Outputs sorted = column({0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(dependence(sorted, 4 * 0.99 / 3432), "");
  EXPECT_THAT(dependence(sorted, 4 * 1.01 / 3432), HasSubstr("0 of the 7 values"));
  EXPECT_THAT(dependence(sorted, 4 * 1.99 / 3432), HasSubstr("0 of the 7 values"));
  EXPECT_THAT(dependence(sorted, 4 * 2.01 / 3432), HasSubstr("1 times"));
  EXPECT_EQ(dependence(column({1}), 0.5), "");
  // Of two coordinates each gets half of that.
  Outputs pairs;
  for (const VectorXd& x : sorted) pairs.push_back(Eigen::Vector2d(x[0], 3));
  EXPECT_EQ(dependence(pairs, 8 * 0.99 / 3432), "");
  EXPECT_THAT(dependence(pairs, 8 * 1.01 / 3432), HasSubstr("output[0] drifts"));
  // Ten ones between two fives of zeros: of 184756 orders 2 have two runs and 18 have three.
  const Outputs three = column({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0});
  EXPECT_EQ(dependence(three, 4 * 0.99 * 20 / 184756), "");
  EXPECT_THAT(dependence(three, 4 * 1.01 * 20 / 184756), HasSubstr("crosses its median 2 times"));
}

// Fifteen ones, each between two of twenty-five zeros: all 31 runs that there can be, in C(24, 15)
// of C(40, 15) orders.
TEST(Dependence, SeesAllTheRunsThatThereCanBe) {
  std::vector<double> values;
  for (int k = 0; k < 40; ++k) values.push_back(k < 30 && k % 2 == 1 ? 1 : 0);
  constexpr double share = 1307504.0 / 40225345056.0;
  EXPECT_EQ(dependence(column(values), 4 * 0.99 * share), "");
  EXPECT_THAT(dependence(column(values), 4 * 1.01 * share),
              HasSubstr("crosses its median 30 times"));
}

// A coordinate that is missing or no number lies below every other.
TEST(Dependence, SeesAnAlternationOfFailures) {
  Outputs lengths, numbers;
  for (int k = 0; k < 200; ++k) {
    lengths.push_back(k % 2 == 0 ? VectorXd{} : VectorXd(VectorXd::Constant(1, 5)));
    numbers.push_back(VectorXd::Constant(1, k % 2 == 0 ? std::nan("") : -5));
  }
  EXPECT_THAT(dependence(lengths, 1e-4), HasSubstr("199 times"));
  EXPECT_THAT(dependence(numbers, 1e-4), HasSubstr("199 times"));
}

}  // namespace
}  // namespace dpverify
