#include "algorithms/geometry/euclidean_projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "algorithms/core/norms.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

TEST(EuclideanProjection, ByHand) {
  const Eigen::Vector2d v(3, -1);
  EXPECT_TRUE(euclidean_projection({.p = 1, .radius = 1, .dimension = 2}, v)
                  .isApprox(Eigen::Vector2d(1, 0)));
  EXPECT_TRUE(euclidean_projection({.p = 1, .radius = 3, .dimension = 2}, v)
                  .isApprox(Eigen::Vector2d(2.5, -0.5)));
  EXPECT_TRUE(
      euclidean_projection({.p = 2, .radius = 1, .dimension = 2}, v).isApprox(v / std::sqrt(10.0)));
  EXPECT_TRUE(euclidean_projection({.p = infinity, .radius = 2, .dimension = 2}, v)
                  .isApprox(Eigen::Vector2d(2, -1)));
  EXPECT_EQ(euclidean_projection({.p = 1.5, .radius = 4, .dimension = 2}, v), v);  // inside
}

// w is the nearest point of C to v iff <v - w, u - w> <= 0 for every u of C: the largest <v - w, u>
// over the ball is its radius times the dual norm.
TEST(EuclideanProjection, MeetsTheVariationalInequality) {
  RandomStream stream({.seed = 3, .claim = "projection test"});
  for (const double p : {1.0, 1.05, 1.5, 1.9, 2.0, infinity})
    for (const Index d : {1, 3, 200}) {
      const ConvexBody body{.p = p, .radius = 0.7, .dimension = d};
      const VectorXd v = 5 * stream.normal_vector(d), w = euclidean_projection(body, v);
      EXPECT_LE(minkowski_norm(body, w), 1 + 1e-12) << p << ' ' << d;
      const double largest = body.radius * lp_norm(v - w, dual_exponent(p));
      EXPECT_NEAR(largest, (v - w).dot(w), 1e-9 * (1 + largest)) << p << ' ' << d;
    }
}

TEST(EuclideanProjection, RefusesWhatItCannotProject) {
  EXPECT_THROW(euclidean_projection({.p = 3, .dimension = 1}, VectorXd::Ones(1)),
               std::invalid_argument);
  EXPECT_THROW(euclidean_projection({.p = 1, .dimension = 2}, VectorXd::Ones(1)),
               std::invalid_argument);
  EXPECT_THROW(euclidean_projection({.p = 1, .dimension = 1}, VectorXd::Constant(1, infinity)),
               std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
