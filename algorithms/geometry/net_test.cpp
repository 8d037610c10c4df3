#include "algorithms/geometry/net.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

Matrix list(Index dimension, double radius, double zeta) {
  return list_candidates(ball_net(dimension, radius, zeta));
}

double distance_to(const Matrix& net, const VectorXd& point) {
  return (net.rowwise() - point.transpose()).rowwise().norm().minCoeff();
}

class Net : public ::testing::TestWithParam<std::pair<double, double>> {};  // radius, zeta

INSTANTIATE_TEST_SUITE_P(RadiusAndZeta, Net,
                         ::testing::Values(std::pair{1.0, 1.0}, std::pair{1.0, 0.7},
                                           std::pair{1.0, 0.5}, std::pair{1.0, 0.1},
                                           std::pair{3.0, 0.4}, std::pair{1e-3, 1e-4},
                                           std::pair{1e6, 1.3e5}, std::pair{1.0, 5.0}));

TEST_P(Net, CoversTheBall) {
  const auto [radius, zeta] = GetParam();
  const double allowed = zeta * (1 + 1e-12);
  RandomStream stream({.seed = 1, .claim = "net_test", .purpose = "points of the ball"});
  const Matrix line = list(1, radius, zeta), disc = list(2, radius, zeta);
  const auto covered = [&, zeta = zeta](const Matrix& net, const VectorXd& point) {
    EXPECT_LE(distance_to(net, point), allowed) << point.transpose() << ", zeta " << zeta;
  };
  for (int i = 0; i < 4000; ++i) {
    const double angle = stream.uniform(0, 2 * std::numbers::pi);
    // Inside, and on the circle, where cells are cut and centres were moved.
    for (const double r : {radius * std::sqrt(stream.uniform()), radius})
      covered(disc, r * (VectorXd(2) << std::cos(angle), std::sin(angle)).finished());
    covered(line, VectorXd::Constant(1, stream.uniform(-radius, radius)));
  }
  covered(line, VectorXd::Constant(1, radius));
  covered(line, VectorXd::Constant(1, -radius));
  for (const double x : {-radius, radius}) {
    covered(disc, (VectorXd(2) << x, 0).finished());
    covered(disc, (VectorXd(2) << 0, x).finished());
  }
}

TEST_P(Net, CoversTheCornersOfItsCells) {
  // The points furthest from the candidates, where a cell a little too large would show.
  const auto [radius, zeta] = GetParam();
  const Matrix line = list(1, radius, zeta), disc = list(2, radius, zeta);
  const double half = line.rows() > 1 ? (line(1, 0) - line(0, 0)) / 2 : radius;
  for (Index k = 0; k < line.rows(); ++k)
    EXPECT_LE(distance_to(line, VectorXd::Constant(1, line(k, 0) + half)), zeta * (1 + 1e-12));
  const auto cells = std::max(1.0, std::ceil(radius * std::numbers::sqrt2 / zeta));
  const double side = 2 * radius / cells;
  for (double a = 0; a <= cells; ++a) {
    for (double b = 0; b <= cells; ++b) {
      const VectorXd corner = (VectorXd(2) << a * side - radius, b * side - radius).finished();
      if (corner.norm() <= radius) {
        EXPECT_LE(distance_to(disc, corner), zeta * (1 + 1e-12)) << corner.transpose();
      }
    }
  }
}

TEST_P(Net, LiesInTheBallAndIsSmall) {
  const auto [radius, zeta] = GetParam();
  for (const Index d : {1, 2, 3}) {
    const Matrix net = list(d, radius, zeta);
    ASSERT_EQ(net.cols(), d);
    ASSERT_GE(net.rows(), 1);
    EXPECT_LE(net.rowwise().norm().maxCoeff(), radius * (1 + 4e-16));
    if (zeta <= radius) {
      EXPECT_LE(static_cast<double>(net.rows()),
                std::pow(3 * 2 * radius / zeta, static_cast<double>(d)));
    }
  }
}

TEST_P(Net, CoversTheBallInSpace) {
  const auto [radius, zeta] = GetParam();
  const double allowed = zeta * (1 + 1e-12);
  const Matrix net = list(3, radius, zeta);
  RandomStream stream({.seed = 2, .claim = "net_test", .purpose = "points of the ball in space"});
  for (int i = 0; i < 400; ++i) {
    const VectorXd direction = stream.normal_vector(3).normalized();
    for (const double r : {radius * std::cbrt(stream.uniform()), radius})
      EXPECT_LE(distance_to(net, r * direction), allowed) << r * direction.transpose();
  }
  for (Index j = 0; j < 3; ++j)
    for (const double x : {-radius, radius})
      EXPECT_LE(distance_to(net, x * VectorXd::Unit(3, j)), allowed);
  const auto cells = static_cast<double>(ball_net(3, radius, zeta).cells);
  const double side = 2 * radius / cells;
  for (int i = 0; i < 400; ++i) {
    VectorXd corner(3);
    for (double& x : corner)
      x = static_cast<double>(stream.index(static_cast<Index>(cells) + 1)) * side - radius;
    if (corner.norm() <= radius) {
      EXPECT_LE(distance_to(net, corner), allowed) << corner.transpose();
    }
  }
}

TEST(BallNet, KnownNets) {
  EXPECT_EQ(list(1, 1, 0.5), (Matrix(2, 1) << -0.5, 0.5).finished());
  EXPECT_EQ(list(1, 1, 2), Matrix::Zero(1, 1));
  EXPECT_EQ(list(2, 1, 2), Matrix::Zero(1, 2));
  EXPECT_EQ(list(2, 1, 0.5).rows(), 9);
  EXPECT_EQ(list(3, 1, 2), Matrix::Zero(1, 3));
  // Two cells an axis: the eight centres (+-1/2, +-1/2, +-1/2) have norm sqrt(3)/2.
  const Matrix eight = list(3, 1, 0.9);
  ASSERT_EQ(eight.rows(), 8);
  EXPECT_EQ(eight.cwiseAbs(), Matrix::Constant(8, 3, 0.5));
  // In the plane the corner cells of four an axis meet the disc: their centres (3/4, 3/4) are moved
  // to (1, 1)/sqrt 2.
  const Matrix sixteen = list(2, 1, 0.36);
  ASSERT_EQ(sixteen.rows(), 16);
  EXPECT_NEAR(sixteen(0, 0), -std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(sixteen(0, 1), -std::sqrt(0.5), 1e-15);
}

// Of a cell of side 2 radius/cells: sqrt(d)/2 sides.
TEST(BallNet, HalfDiagonals) {
  for (const int d : {1, 2, 3})
    EXPECT_NEAR(half_diagonal({d, 1.5, 6}), std::sqrt(d) / 4, 1e-15) << d;
}

TEST(BallNet, CellsAreInLexicographicOrder) {
  const BallNet net = ball_net(3, 1, 0.6);  // 3 cells an axis
  ASSERT_EQ(net.cells, 3);
  EXPECT_EQ(cell_count(net), 27);
  EXPECT_EQ(cell_indices(net, 0), (CellIndices{0, 0, 0}));
  EXPECT_EQ(cell_indices(net, 5), (CellIndices{0, 1, 2}));
  EXPECT_EQ(cell_indices(net, 26), (CellIndices{2, 2, 2}));
  EXPECT_NEAR(candidate(net, {0, 1, 1})[0], -2.0 / 3, 1e-15);
}

TEST(BallNet, BadArguments) {
  EXPECT_THAT([] { ball_net(4, 1, 0.1); }, ThrowsMessage<std::invalid_argument>(
                                               "dimension of a net is 4, but must be 1, 2 or 3"));
  EXPECT_THAT([] { list(2, 1, 1e-4); },
              ThrowsMessage<std::invalid_argument>(
                  "number of cells to list is 200024449, but must be at most 10^7 (take a larger "
                  "zeta)"));
  EXPECT_THROW(ball_net(3, 1, 1e-7), std::invalid_argument);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, std::nan(""), infinity})
    EXPECT_THROW(ball_net(1, bad, 0.1), std::invalid_argument) << bad;
  for (const double bad : {0.0, -1.0, std::nan(""), 5e-324})
    EXPECT_THROW(ball_net(1, 1, bad), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace dpverify
