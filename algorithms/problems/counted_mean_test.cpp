#include "algorithms/problems/counted_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/test_statistics.hpp"
#include "algorithms/problems/counted_records.hpp"

namespace dpverify {
namespace {

TEST(CountedMean, MomentsByHand) {
  const CountedMean law{3, 2, {-2, 3}, {0.25, 0.5}};
  EXPECT_EQ(law.mean(), Eigen::Vector3d(1, 1, 0));
  EXPECT_NEAR(law.moment(2), 0.25 * 4 + 0.5 * 9, 1e-15);
}

// 20000 records by value; a false failure has probability 1e-11.
TEST(CountedMean, DrawsFollowTheLaw) {
  const CountedMean law{2, 1, {5, 1}, {0.2, 0.3}};
  RandomStream stream({.seed = 3, .claim = "counted mean test"});
  const Dataset counts = law.draw(40, 500, stream);
  EXPECT_EQ(counts.size(), 80);
  EXPECT_EQ(counts.features.col(1).cwiseAbs().sum(), 0);  // not informative
  double fives = 0, ones = 0;
  for (Index b = 0; b < 40; ++b) {
    fives += counts.features(2 * b, 0);
    ones += counts.features(2 * b + 1, 0);
    EXPECT_LE(counts.features(2 * b, 0) + counts.features(2 * b + 1, 0), 500);
  }
  const auto five = static_cast<Index>(fives), one = static_cast<Index>(ones);
  EXPECT_TRUE(counts_follow({five, one, 20'000 - five - one}, Eigen::Vector3d(0.2, 0.3, 0.5)));
}

TEST(CountedMean, ProbabilitiesOfSumOneLeaveNoZeros) {
  const CountedMean law{1, 1, {5, 1}, {0.01, 0.99}};
  RandomStream stream({.seed = 4, .claim = "counted mean test"});
  const Dataset counts = law.draw(30, 1000, stream);
  for (Index b = 0; b < 30; ++b)
    EXPECT_EQ(counts.features(2 * b, 0) + counts.features(2 * b + 1, 0), 1000);
}

TEST(CountedMean, BlockMeansAreThoseOfTheRecords) {
  const CountedMean law{3, 2, {-2, 3, 0.5}, {0.25, 0.3, 0.2}};
  RandomStream stream({.seed = 5, .claim = "counted mean test"});
  const Dataset counts = law.draw(4, 7, stream);
  const Dataset records = counted_records(law, counts, 7);
  const auto value = [](Index j, double x) { return static_cast<double>(j + 1) * x * x - x + 1; };
  const Matrix means = law.block_means(counts.all(), 7, value);
  ASSERT_EQ(means.rows(), 4);
  for (Index b = 0; b < 4; ++b)
    for (Index j = 0; j < 3; ++j) {
      double sum = 0;
      for (Index i = 0; i < 7; ++i) sum += value(j, records.features(b * 7 + i, j));
      EXPECT_NEAR(means(b, j), sum / 7, 1e-13);
    }
  // No counts: records of 0.
  const Dataset nothing{Matrix::Zero(6, 3), VectorXd::Zero(6)};
  EXPECT_EQ(law.block_means(nothing.all(), 7, value), Matrix::Ones(2, 3));
}

}  // namespace
}  // namespace dpverify
