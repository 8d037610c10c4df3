#include "algorithms/geometry/convex_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/norms.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using Shape = ConvexBody::Shape;

TEST(ConvexBody, GaussianWidthsByHand) {
  const double root = std::sqrt(2 / std::numbers::pi);  // E|g|
  for (const double p : {1.0, 1.3, 2.0, 3.0, 30.0, infinity})
    EXPECT_NEAR(gaussian_width({Shape::ball, p, 2, 1}), 2 * root, 2e-8)
        << p;  // d = 1: all the same
  EXPECT_NEAR(gaussian_width({Shape::ball, 2, 1, 2}), std::sqrt(std::numbers::pi / 2), 1e-12);
  EXPECT_NEAR(gaussian_width({Shape::ball, infinity, 1, 7}), 7 * root, 1e-12);
  // E max{|g_1|, |g_2|} = 2/sqrt(pi); E max{g_1, g_2} = 1/sqrt(pi); of three 3/(2 sqrt(pi)).
  EXPECT_NEAR(gaussian_width({Shape::ball, 1, 1, 2}), 2 / std::sqrt(std::numbers::pi), 1e-8);
  EXPECT_NEAR(gaussian_width({Shape::simplex, 1, 3, 2}), 3 / std::sqrt(std::numbers::pi), 1e-8);
  EXPECT_NEAR(gaussian_width({Shape::simplex, 1, 1, 3}), 1.5 / std::sqrt(std::numbers::pi), 1e-8);
  EXPECT_NEAR(gaussian_width({Shape::simplex, 1, 1, 1}), 0, 1e-8);
  // The quadrature near exponents with a closed form.
  EXPECT_NEAR(gaussian_width({Shape::ball, 2 + 1e-9, 1, 5}), gaussian_width({Shape::ball, 2, 1, 5}),
              1e-7);
}

// Twin: the mean of sup <g, w> over draws, which |sup - mean| exceeds by 7.5 standard errors with
// probability below 1e-13 (normal approximation over 20000 draws).
TEST(ConvexBody, GaussianWidthsFollowDraws) {
  constexpr int draws = 20'000;
  for (const Index d : {2, 10, 100})
    for (const double p : {1.0, 1.2, 1.5, 2.0, 3.0, 20.0, 0.0}) {
      const bool simplex = p == 0;
      const ConvexBody body{simplex ? Shape::simplex : Shape::ball, simplex ? 1 : p, 1.5, d};
      RandomStream stream({.seed = 4, .claim = "gaussian width test"});
      double sum = 0, squares = 0;
      for (int t = 0; t < draws; ++t) {
        const VectorXd g = stream.normal_vector(d);
        double best = 0;
        if (simplex) {
          best = 1.5 * g.maxCoeff();
        } else if (p == 1) {
          best = 1.5 * g.cwiseAbs().maxCoeff();
        } else {
          const double q = p / (p - 1);
          for (const double x : g) best += std::pow(std::abs(x), q);
          best = 1.5 * std::pow(best, 1 / q);
        }
        sum += best;
        squares += best * best;
      }
      const double mean = sum / draws;
      const double error = std::sqrt((squares / draws - mean * mean) / draws);
      EXPECT_NEAR(gaussian_width(body), mean, 7.5 * error) << "d = " << d << ", p = " << p;
    }
}

// In the plane a Gaussian vector is a length of mean sqrt(pi/2) times a point of the unit circle:
// the mean of the circle's dual norms by the midpoint rule, for narrow and wide balls.
TEST(ConvexBody, GaussianWidthsInThePlaneByQuadrature) {
  for (const double q : {1.05, 1.3, 3.0, 8.0, 20.0, 60.0}) {
    constexpr int points = 100'000;
    double sum = 0;
    for (int k = 0; k < points; ++k) {
      const double angle = std::numbers::pi / 2 * (k + 0.5) / points;
      sum += std::pow(std::pow(std::cos(angle), q) + std::pow(std::sin(angle), q), 1 / q);
    }
    const double expected = std::sqrt(std::numbers::pi / 2) * sum / points;
    EXPECT_NEAR(gaussian_width({.p = q / (q - 1), .radius = 1, .dimension = 2}) / expected, 1, 1e-8)
        << q;
  }
}

TEST(ConvexBody, MinkowskiNormsAndRadii) {
  const VectorXd v = (VectorXd(2) << 3, 4).finished();
  EXPECT_EQ(minkowski_norm({Shape::ball, 2, 2, 2}, v), 2.5);
  EXPECT_EQ(minkowski_norm({Shape::ball, 1, 2, 2}, -v), 3.5);
  EXPECT_EQ(minkowski_norm({Shape::ball, infinity, 2, 2}, v), 2);
  EXPECT_EQ(minkowski_norm({Shape::simplex, 1, 2, 2}, v), 3.5);
  EXPECT_EQ(minkowski_norm({Shape::simplex, 1, 2, 2}, -v), infinity);
  // A coordinate of 0 lies on the simplex' boundary, one below 0 outside its cone.
  EXPECT_EQ(minkowski_norm({Shape::simplex, 1, 2, 2}, VectorXd{{0, 5}}), 2.5);
  EXPECT_EQ(minkowski_norm({Shape::simplex, 1, 2, 2}, VectorXd{{-1e-9, 5}}), infinity);
  EXPECT_EQ(euclidean_radius({Shape::ball, 1.5, 3, 4}), 3);
  EXPECT_NEAR(euclidean_radius({Shape::ball, infinity, 3, 4}), 6, 1e-14);
  EXPECT_NEAR(euclidean_radius({Shape::ball, 4, 1, 16}), 2, 1e-14);
  EXPECT_EQ(euclidean_radius({Shape::simplex, 1, 3, 4}), 3);
}

TEST(ConvexBody, ShrunkStopsAtTheBall) {
  const VectorXd v = (VectorXd(2) << 3, -4).finished();
  EXPECT_EQ(shrunk(v, 2, 5), v);
  EXPECT_LT((shrunk(v, 2, 1) - v / 5).norm(), 1e-15);
  EXPECT_LT((shrunk(v, 1, 1) - v / 7).norm(), 1e-15);
  EXPECT_LT((shrunk(v, infinity, 2) - v / 2).norm(), 1e-15);
  EXPECT_EQ(shrunk(VectorXd::Zero(3), 2, 1), VectorXd::Zero(3));
  const VectorXd huge = VectorXd::Constant(2, std::numeric_limits<double>::max());
  EXPECT_NEAR(shrunk(huge, 2, 1)[0], std::sqrt(0.5), 1e-15);
}

TEST(ConvexBody, RejectsBadArguments) {
  EXPECT_THROW(gaussian_width({Shape::ball, 0.5, 1, 2}), std::invalid_argument);
  EXPECT_THROW(gaussian_width({Shape::ball, 2, 0, 2}), std::invalid_argument);
  EXPECT_THROW(gaussian_width({Shape::ball, 2, 1, 0}), std::invalid_argument);
  EXPECT_THROW(minkowski_norm({Shape::ball, 2, 1, 2}, VectorXd::Ones(3)), std::invalid_argument);
  EXPECT_THROW(shrunk(VectorXd::Ones(2), 2, -1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
