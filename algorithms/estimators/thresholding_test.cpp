#include "algorithms/estimators/thresholding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dpverify {
namespace {

TEST(Thresholding, KeepsUpToTheLimitAndZeroesTheRest) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Matrix values =
      (Matrix(2, 4) << 1.5, -1.5, std::nextafter(1.5, 2), -2, 0, nan, infinity, -infinity)
          .finished();
  EXPECT_EQ(thresholded(values, 1.5), (Matrix(2, 4) << 1.5, -1.5, 0, 0, 0, 0, 0, 0).finished());
  for (const double bad : {0.0, -1.0, nan, infinity})
    EXPECT_THROW(thresholded(values, bad), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace dpverify
