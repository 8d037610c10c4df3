#include "algorithms/estimators/clipping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dpverify {
namespace {

TEST(Clipping, MovesEveryEntryToTheNearestPointOfTheInterval) {
  const double huge = std::numeric_limits<double>::max();
  const Dataset data{(Matrix(2, 4) << 2, -2, 1.5, huge, -huge, 0, -0.1, 2.5).finished(),
                     (VectorXd(2) << -2, 3).finished()};
  const Dataset out = clipped(data.all(), 2);
  // Exactly K and -K stay; larger magnitudes keep their sign.
  EXPECT_EQ(out.features, (Matrix(2, 4) << 2, -2, 1.5, 2, -2, 0, -0.1, 2).finished());
  EXPECT_EQ(out.labels, (VectorXd(2) << -2, 2).finished());
  EXPECT_EQ(data.features(0, 3), huge);  // the data themselves are left alone
  // One step beyond the limit moves, one step inside does not.
  const Dataset edge{(Matrix(1, 2) << std::nextafter(2, 3), std::nextafter(2, 1)).finished(),
                     VectorXd::Zero(1)};
  EXPECT_EQ(clipped(edge.all(), 2).features, (Matrix(1, 2) << 2, std::nextafter(2, 1)).finished());
}

TEST(Clipping, OfAPartReadsThatPartOnly) {
  const Dataset data{(Matrix(4, 1) << 1, 5, -5, 9).finished(), VectorXd::Constant(4, 7)};
  const Dataset out = clipped(data.part(2, 2), 3);
  EXPECT_EQ(out.features, (Matrix(2, 1) << -3, 3).finished());
  EXPECT_EQ(out.labels, VectorXd::Constant(2, 3));
}

TEST(Clipping, RejectsALimitThatIsNotPositiveAndFinite) {
  const Dataset data{Matrix::Zero(1, 1), VectorXd::Zero(1)};
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(clipped(data.all(), bad), std::invalid_argument) << bad;
}

TEST(Clipping, EntriesOfAMatrix) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Matrix values = (Matrix(2, 3) << 1, -9, nan, infinity, -infinity, 0.5).finished();
  EXPECT_EQ(clipped_entries(values, 2), (Matrix(2, 3) << 1, -2, 0, 2, -2, 0.5).finished());
  for (const double bad : {0.0, -1.0, nan, infinity})
    EXPECT_THROW(clipped_entries(values, bad), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace dpverify
