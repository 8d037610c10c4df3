#include "algorithms/problems/counted_regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dpverify {
namespace {

CountedRegression model() {
  return {.optimum = (VectorXd(3) << 0.5, -0.25, 0).finished(),
          .size = (VectorXd(3) << 3, 2, 1).finished(),
          .outlier = 0.5};
}

TEST(CountedRegression, MomentsAndRisk) {
  EXPECT_NEAR(model().eigenvalues()[0], 3, 1e-12);
  EXPECT_NEAR(model().eigenvalues()[2], 1.0 / 3, 1e-12);
  EXPECT_NEAR(model().fourth_moment(), 27, 1e-12);
  // 9/3 (1/2)^2 + 4/3 (1/4)^2 at 0.
  EXPECT_NEAR(model().excess_risk(VectorXd::Zero(3)), 0.75 + 1.0 / 12, 1e-12);
}

// The mean gradient of x (<x, w> - y) of counts is that of the records that they stand for.
TEST(CountedRegression, MeansAreThoseOfRecords) {
  const VectorXd w = (VectorXd(3) << 0.1, 0.2, 0.3).finished();
  const Dataset counts{(Matrix(2, 3) << 2, 0, 1, 1, 3, 0).finished(), VectorXd::Zero(2)};
  const VectorXd mean = model().mean(
      counts.all(), 10, [&](Index j, double x, double y) { return x * (x * w[j] - y); });
  EXPECT_NEAR(mean[0], (2 * 3 * (0.3 - 2) + 3 * (0.3 - 1)) / 10, 1e-12);
  EXPECT_NEAR(mean[1], 3 * 2 * (0.4 + 1) / 10, 1e-12);
  EXPECT_NEAR(mean[2], (0.3 - 0.5) / 10, 1e-12);
}

TEST(CountedRegression, EveryRecordIsCountedOnceAndFairly) {
  RandomStream stream({});
  constexpr Index parts = 40, size = 3'000'000;
  const Dataset counts = model().draw(parts, size, stream);
  for (Index t = 0; t < parts; ++t) {
    EXPECT_EQ(counts.features.middleRows(2 * t, 2).sum(), static_cast<double>(size));
    // Six cells of probability 1/6: 8 standard deviations.
    const double deviation = std::sqrt(size * 5.0 / 36);
    EXPECT_LT((counts.features.middleRows(2 * t, 2).array() - size / 6.0).abs().maxCoeff(),
              8 * deviation);
  }
}

}  // namespace
}  // namespace dpverify
