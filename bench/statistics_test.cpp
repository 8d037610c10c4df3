#include "bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

TEST(Statistics, AQuantileLiesBetweenOrderStatistics) {
  // 20 values: P(Bin(20, 3/4) <= 10) = 0.0139, P(<= 11) = 0.0409; P(>= 19) = 0.0243.
  std::vector<double> values;
  for (int k = 20; k >= 1; --k) values.push_back(k);
  const Located located = locate_quantile(values, 0.75, 0.95);
  EXPECT_EQ(located.value, 15);
  EXPECT_EQ(located.lower, 11);
  EXPECT_EQ(located.upper, 19);
  // 0.75^12 > 0.025 > 0.75^13.
  EXPECT_EQ(locate_quantile(std::vector<double>(12, 1.0), 0.75, 0.95).upper, infinity);
  // P(no value lies below the quantile) is 1/2 of one value, and 1/64 of three.
  EXPECT_EQ(locate_quantile({1}, 0.5, 0.95).lower, -infinity);
  EXPECT_EQ(locate_quantile({1, 1, 1}, 0.25, 0.95).lower, -infinity);
  EXPECT_EQ(locate_quantile({1, 1, 1}, 0.75, 0.95).lower, 1);
  EXPECT_EQ(locate_quantile(std::vector<double>(13, 1.0), 0.75, 0.95).upper, 1);
}

// Of 10 values the 8th is the first at or below which three quarters lie; of 9 the 7th.
TEST(Statistics, AQuantileOfARankThatIsNoIntegerIsTheNextValue) {
  std::vector<double> values;
  for (int k = 1; k <= 10; ++k) values.push_back(k);
  EXPECT_EQ(locate_quantile(values, 0.75, 0.5).value, 8);
  values.pop_back();
  EXPECT_EQ(locate_quantile(values, 0.75, 0.5).value, 7);
  EXPECT_EQ(locate_quantile({5}, 0.75, 0.5).value, 5);
}

// 10,000 samples of 30 uniform numbers: coverage below 0.94 has probability 3e-6 if it is 0.95.
TEST(Statistics, TheIntervalOfAQuantileCoversIt) {
  RandomStream stream({.seed = 1, .claim = "statistics", .purpose = "coverage"});
  int covered = 0;
  for (int sample = 0; sample < 10'000; ++sample) {
    std::vector<double> values(30);
    for (double& value : values) value = stream.uniform();
    const Located located = locate_quantile(values, 0.75, 0.95);
    covered += located.lower <= 0.75 && 0.75 <= located.upper ? 1 : 0;
  }
  EXPECT_GE(covered, 9'400);
}

// All sizes of two strata with up to 7 values a side, against the exact law: that of the number of
// pairs in which the second is larger, by the recurrence on which of the two has the largest value.
std::vector<double> pairs_law(std::size_t first, std::size_t second) {
  std::vector<double> law(first * second + 1, 0.0);
  if (first == 0 || second == 0) return {1.0};
  const auto total = static_cast<double>(first + second);
  const auto add = [&law](const std::vector<double>& from, std::size_t shift, double weight) {
    for (std::size_t k = 0; k < from.size(); ++k) law[k + shift] += weight * from[k];
  };
  add(pairs_law(first - 1, second), 0, static_cast<double>(first) / total);
  add(pairs_law(first, second - 1), first, static_cast<double>(second) / total);
  return law;
}

TEST(Statistics, TheRankSumIsRarerThanTheNormalLawSays) {
  int compared = 0;
  for (const auto& [n, m] : {std::pair(3, 3), std::pair(7, 7), std::pair(4, 8), std::pair(8, 8)}) {
    const auto one = pairs_law(static_cast<std::size_t>(n), static_cast<std::size_t>(m));
    // Of three strata together.
    std::vector<double> law{1.0};
    for (int stratum = 0; stratum < 3; ++stratum) {
      std::vector<double> sum(law.size() + one.size() - 1, 0.0);
      for (std::size_t a = 0; a < law.size(); ++a)
        for (std::size_t b = 0; b < one.size(); ++b) sum[a + b] += law[a] * one[b];
      law = sum;
    }
    const double pairs = n * m, deviation = std::sqrt(3 * pairs * (n + m + 1) / 12);
    double tail = 0;
    for (std::size_t k = law.size(); k-- > 0;) {
      tail += law[k];
      const double score = (static_cast<double>(k) - 3 * pairs / 2 - 0.5) / deviation;
      if (score < 3) break;
      EXPECT_LE(tail, 0.5 * std::erfc(score / std::sqrt(2.0))) << n << " " << m << " " << score;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Statistics, TheRankSumOfGivenSamples) {
  // The second is larger in 3 of 4 pairs, of 2 in the mean, with variance 2 * 2 * 5/12.
  EXPECT_NEAR(rank_sum_score({{{1, 3}, {2, 4}}}), (3 - 2 - 0.5) / std::sqrt(20.0 / 12), 1e-14);
  // Equal values speak for no change.
  EXPECT_LT(rank_sum_score({{{1, 1, 1}, {1, 1, 1}}}), 0);
  // Two strata, each 1 against 1.
  EXPECT_NEAR(rank_sum_score({{{1}, {2}}, {{30}, {20}}}), -0.5 / std::sqrt(0.5), 1e-14);
}

TEST(Statistics, AParabolaIsFoundExactly) {
  // 1 + 2x + 3x^2 about the weighted mean 1.2: slope 2 + 6 * 1.2.
  const Parabola fit = fit_parabola({0, 1, 2, 3}, {1, 6, 17, 34}, {3, 3, 3, 1});
  EXPECT_NEAR(fit.centre, 1.2, 1e-14);
  EXPECT_NEAR(fit.slope, 9.2, 1e-12);
  EXPECT_NEAR(fit.curvature, 3, 1e-12);
}

TEST(Statistics, QuantilesAndFits) {
  EXPECT_NEAR(student_t_quantile(0.025, 19), 2.093024054, 1e-8);
  EXPECT_NEAR(normal_quantile(0.025), 1.959963985, 1e-8);
  const Line line = fit_line({0, 1, 2, 3}, {1, 3, 5, 7}, {1, 2, 3, 4});
  EXPECT_NEAR(line.slope, 2, 1e-14);
  EXPECT_NEAR(line.intercept, 1, 1e-14);
  const Sample sample = summarise({1, 2, 3, 4});
  EXPECT_EQ(sample.mean, 2.5);
  EXPECT_NEAR(sample.standard_error, std::sqrt(5.0 / 3 / 4), 1e-15);
  EXPECT_EQ(summarise({7}).standard_error, 0);
  // Mean 2.5 with Student's t of 3 degrees, a twentieth in both tails.
  const Located mean = locate_mean({1, 2, 3, 4}, 0.95);
  EXPECT_EQ(mean.value, 2.5);
  EXPECT_NEAR(mean.upper, 2.5 + 3.182446305 * sample.standard_error, 1e-8);
  EXPECT_NEAR(mean.lower, 5 - mean.upper, 1e-14);
}

}  // namespace
}  // namespace dpverify
