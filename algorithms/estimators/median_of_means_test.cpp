#include "algorithms/estimators/median_of_means.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

TEST(MedianOfMeans, ByHand) {
  // Blocks of 2 of 7 rows, the last row unused. Means of column 0: 2, 0, 10; of column 1: 0, 1, -5.
  const Matrix values =
      (Matrix(7, 2) << 1, 0, 3, 0, -1, 2, 1, 0, 20, -10, 0, 0, 1e9, 1e9).finished();
  const auto medians = [&values](Index blocks, MiddlePair middle) {
    return median_of_means(values, blocks, middle);
  };
  for (const MiddlePair middle : {MiddlePair::lower, MiddlePair::average})
    EXPECT_EQ(medians(3, middle), Eigen::Vector2d(2, 0));
  // Blocks of 3: means 1, 7 and 2/3, -10/3.
  EXPECT_EQ(medians(2, MiddlePair::lower), Eigen::Vector2d(1, -10.0 / 3));
  EXPECT_NEAR(medians(2, MiddlePair::average)[0], 4, 1e-15);
  EXPECT_NEAR(medians(2, MiddlePair::average)[1], -4.0 / 3, 1e-15);
  EXPECT_EQ(medians(7, MiddlePair::lower), Eigen::Vector2d(1, 0));
  EXPECT_NEAR(medians(1, MiddlePair::lower)[0] / 1e9, (24 / 1e9 + 1) / 7, 1e-15);
  EXPECT_THROW(medians(0, MiddlePair::lower), std::invalid_argument);
  EXPECT_THROW(medians(8, MiddlePair::lower), std::invalid_argument);
}

// The slow twin sorts the means.
TEST(MedianOfMeans, AgreesWithSorting) {
  RandomStream stream({.claim = "median of means"});
  const Matrix values = stream.normal_vector(60 * 3).reshaped<Eigen::RowMajor>(60, 3);
  for (Index blocks = 1; blocks <= 60; ++blocks)
    for (const MiddlePair middle : {MiddlePair::lower, MiddlePair::average}) {
      const VectorXd found = median_of_means(values, blocks, middle);
      for (Index j = 0; j < 3; ++j) {
        std::vector<double> means;
        for (Index k = 0, size = 60 / blocks; k < blocks; ++k)
          means.push_back(values.col(j).segment(k * size, size).mean());
        std::sort(means.begin(), means.end());
        const auto place = static_cast<std::size_t>(blocks);
        const double lower = means[(place - 1) / 2], upper = means[place / 2];
        EXPECT_NEAR(found[j], middle == MiddlePair::lower ? lower : (lower + upper) / 2, 1e-14)
            << blocks;
      }
    }
}

// 4 log(2 * 5/0.1) = 18.42 and 4 log(2 * 3/0.5) = 9.94; no more blocks than records.
TEST(MedianOfMeans, BlocksForAFailureProbability) {
  EXPECT_EQ(block_count(1000, 5, 0.1), 19);
  EXPECT_EQ(block_count(1000, 3, 0.5), 10);
  EXPECT_EQ(block_count(10, 5, 0.1), 10);
  for (const double bad : {0.0, 1.0, -0.1})
    EXPECT_THROW(block_count(10, 5, bad), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
