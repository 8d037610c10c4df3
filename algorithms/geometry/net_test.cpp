#include "algorithms/geometry/net.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

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
  const Matrix line = ball_net(1, radius, zeta), disc = ball_net(2, radius, zeta);
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
  const Matrix line = ball_net(1, radius, zeta), disc = ball_net(2, radius, zeta);
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
  for (const Index d : {1, 2}) {
    const Matrix net = ball_net(d, radius, zeta);
    ASSERT_EQ(net.cols(), d);
    ASSERT_GE(net.rows(), 1);
    EXPECT_LE(net.rowwise().norm().maxCoeff(), radius * (1 + 4e-16));
    if (zeta <= radius) {
      EXPECT_LE(static_cast<double>(net.rows()),
                std::pow(3 * 2 * radius / zeta, static_cast<double>(d)));
    }
  }
}

TEST(BallNet, KnownNets) {
  EXPECT_EQ(ball_net(1, 1, 0.5), (Matrix(2, 1) << -0.5, 0.5).finished());
  EXPECT_EQ(ball_net(1, 1, 2), Matrix::Zero(1, 1));
  EXPECT_EQ(ball_net(2, 1, 2), Matrix::Zero(1, 2));
  EXPECT_EQ(ball_net(2, 1, 0.5).rows(), 9);
}

TEST(BallNet, BadArguments) {
  EXPECT_THAT([] { ball_net(3, 1, 0.1); },
              ThrowsMessage<std::invalid_argument>("dimension of a net is 3, but must be 1 or 2"));
  EXPECT_THAT([] { ball_net(2, 1, 1e-4); },
              ThrowsMessage<std::invalid_argument>(
                  "number of points of the net is 200024449, but must be at most 10^7 (take a "
                  "larger zeta)"));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, std::nan(""), infinity})
    EXPECT_THROW(ball_net(1, bad, 0.1), std::invalid_argument) << bad;
  for (const double bad : {0.0, -1.0, std::nan(""), 5e-324})
    EXPECT_THROW(ball_net(1, 1, bad), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace dpverify
