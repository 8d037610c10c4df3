#include "bench/comparisons.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using Statement = std::vector<std::vector<ErrorComparison>>;
const Statement first_is_smaller{{{0, 1, 1}}};

// 1.9, 2.1, 1.9, ...: another mean changes nothing of the spread.
std::vector<double> around(double mean, std::size_t count = 10) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = mean + (k % 2 == 0 ? -0.1 : 0.1);
  return values;
}

// The differences are 0.5 +- 0.1: t = 0.5/(0.1 sqrt(10/9)/sqrt(10)) = 15 at 9 degrees of freedom.
TEST(Comparisons, ADifferenceIsDecidedExactlyAtItsLevel) {
  const Errors errors{around(0.5), std::vector<double>(10, 1.0)};
  const Errors opposite{errors[1], errors[0]};
  const double p = boost::math::cdf(
      boost::math::complement(boost::math::students_t_distribution<double>(9), 15.0));
  EXPECT_EQ(decide(first_is_smaller, errors, p * 1.001), Confirmation::confirmed);
  EXPECT_EQ(decide(first_is_smaller, errors, p * 0.999), Confirmation::undecided);
  EXPECT_EQ(decide(first_is_smaller, opposite, p * 1.001), Confirmation::contradicted);
  EXPECT_EQ(decide(first_is_smaller, opposite, p * 0.999), Confirmation::undecided);
  // Two comparisons share the level.
  const Statement twice{{{0, 1, 1}, {0, 1, 1}}};
  EXPECT_EQ(decide(twice, errors, 2.002 * p), Confirmation::confirmed);
  EXPECT_EQ(decide(twice, errors, 1.998 * p), Confirmation::undecided);
  const Statement apart{{{0, 1, 1}}, {{0, 1, 1}}};
  EXPECT_EQ(decide(apart, errors, 1.998 * p), Confirmation::undecided);
}

TEST(Comparisons, AFactorMultipliesTheLargerSide) {
  const Errors errors{around(2), around(1.5)};
  EXPECT_EQ(decide({{{0, 1, 1}}}, errors, 0.01), Confirmation::contradicted);
  EXPECT_EQ(decide({{{0, 1.5, 1}}}, errors, 0.01), Confirmation::confirmed);
  EXPECT_EQ(decide({{{0, 4.0 / 3, 1}}}, errors, 0.01), Confirmation::undecided);
}

// Every comparison of a row, and some row.
TEST(Comparisons, RowsAreAlternatives) {
  const Errors errors{around(1), around(2), around(2)};
  const ErrorComparison right{0, 1, 1}, wrong{1, 1, 0}, open{1, 1, 2};
  const auto found = [&](const Statement& statement) { return decide(statement, errors, 0.01); };
  EXPECT_EQ(found({{right, right}}), Confirmation::confirmed);
  EXPECT_EQ(found({{right, open}}), Confirmation::undecided);
  EXPECT_EQ(found({{right, wrong}}), Confirmation::contradicted);
  EXPECT_EQ(found({{wrong, open}}), Confirmation::contradicted);
  EXPECT_EQ(found({{wrong}, {right}}), Confirmation::confirmed);
  EXPECT_EQ(found({{right}, {wrong}}), Confirmation::confirmed);
  EXPECT_EQ(found({{wrong}, {open}}), Confirmation::undecided);
  EXPECT_EQ(found({{wrong}, {wrong, right}}), Confirmation::contradicted);
}

// Trials are pairs: what moves both sides alike hides no difference.
TEST(Comparisons, TrialsArePaired) {
  Errors errors{{1, 100, 10'000, 3}, {1.1, 100.1, 10'000.1, 3.1}};
  EXPECT_EQ(decide(first_is_smaller, errors, 0.001), Confirmation::confirmed);
  std::swap(errors[0][0], errors[0][2]);
  EXPECT_EQ(decide(first_is_smaller, errors, 0.001), Confirmation::undecided);
}

TEST(Comparisons, OneTrialOrAnInfiniteErrorDecidesNothing) {
  EXPECT_EQ(decide(first_is_smaller, {{1}, {2}}, 0.4), Confirmation::undecided);
  EXPECT_EQ(decide(first_is_smaller, {{1, 1, 1}, {2, 2, infinity}}, 0.4), Confirmation::undecided);
  EXPECT_EQ(decide(first_is_smaller, {{1, 1, 1}, {2, 2, 2}}, 0.4), Confirmation::confirmed);
}

// A comparison of means that are equal: wrong decisions either way are as rare as the level says.
TEST(Comparisons, TheLevelIsThatOfWrongDecisions) {
  constexpr int repeats = 4000;
  constexpr double level = 0.05;
  int confirmed = 0, contradicted = 0;
  for (std::uint64_t k = 0; k < repeats; ++k) {
    RandomStream stream({.claim = "comparisons", .trial = k});
    Errors errors(2, std::vector<double>(6));
    for (auto& values : errors)
      for (double& value : values) value = stream.normal();
    const Confirmation found = decide(first_is_smaller, errors, level);
    confirmed += found == Confirmation::confirmed ? 1 : 0;
    contradicted += found == Confirmation::contradicted ? 1 : 0;
  }
  const double margin = 4.5 * std::sqrt(level * (1 - level) * repeats);
  EXPECT_NEAR(confirmed, level * repeats, margin);
  EXPECT_NEAR(contradicted, level * repeats, margin);
}

// Fieller's interval, in closed form: the roots r of (A - r B)^2 = t^2 (V_aa - 2 r V_ab + r^2
// V_bb).
TEST(Comparisons, RatiosHaveFiellersInterval) {
  const Errors errors{{3, 3.4, 2.6, 3.1, 2.9, 3.3}, {1.9, 2.2, 1.8, 2.1, 2, 2.3}};
  constexpr double level = 0.01;
  double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    a += errors[0][k] / 6;
    b += errors[1][k] / 6;
  }
  for (std::size_t k = 0; k < 6; ++k) {
    aa += std::pow(errors[0][k] - a, 2) / 30;
    ab += (errors[0][k] - a) * (errors[1][k] - b) / 30;
    bb += std::pow(errors[1][k] - b, 2) / 30;
  }
  const double t = boost::math::quantile(
      boost::math::complement(boost::math::students_t_distribution<double>(5), level));
  const double p = b * b - t * t * bb, q = a * b - t * t * ab, r = a * a - t * t * aa;
  const double root = std::sqrt(q * q - p * r);
  const MeanRatio plain = ratio_of_means({0, 1, 1}, errors, level);
  EXPECT_NEAR(plain.estimate, a / b, 1e-12);
  EXPECT_NEAR(plain.lower, (q - root) / p, 1e-12);
  EXPECT_NEAR(plain.upper, (q + root) / p, 1e-12);
  // Over a multiple of the second mean.
  const MeanRatio half = ratio_of_means({0, 2, 1}, errors, level);
  EXPECT_NEAR(half.estimate, plain.estimate / 2, 1e-12);
  EXPECT_NEAR(half.lower, plain.lower / 2, 1e-12);
  EXPECT_NEAR(half.upper, plain.upper / 2, 1e-12);
}

TEST(Comparisons, RatiosThatNothingBoundsSaySo) {
  const std::vector<double> open{-1, 1, 0.1, -0.1};
  const MeanRatio unknown = ratio_of_means({0, 1, 1}, {open, open}, 0.01);
  EXPECT_EQ(unknown.lower, 0);
  EXPECT_EQ(unknown.upper, infinity);
  const MeanRatio over_zero = ratio_of_means({0, 1, 1}, {{1, 1.1}, {0, 0}}, 0.1);
  EXPECT_EQ(over_zero.estimate, infinity);
  EXPECT_GT(over_zero.lower, 1e15);
  EXPECT_EQ(ratio_of_means({0, 1, 1}, {{0, 0}, {0, 0}}, 0.1).estimate, 1);
  const MeanRatio nothing = ratio_of_means({0, 1, 1}, {{0, 0}, {1, 1.1}}, 0.1);
  EXPECT_EQ(nothing.estimate, 0);
  EXPECT_EQ(nothing.lower, 0);
  EXPECT_LT(nothing.upper, 1e-15);
}

TEST(Comparisons, CountsTheComparisonsOfAllRows) {
  EXPECT_EQ(number_of_comparisons({{{0, 1, 1}}, {{0, 1, 1}, {1, 1, 0}}}), 3U);
  EXPECT_EQ(std::string(name(Confirmation::confirmed)), "confirmed");
  EXPECT_EQ(std::string(name(Confirmation::contradicted)), "contradicted");
  EXPECT_EQ(std::string(name(Confirmation::undecided)), "undecided");
}

}  // namespace
}  // namespace dpverify
