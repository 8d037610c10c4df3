#include "algorithms/geometry/mirror_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "algorithms/core/norms.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

// kappa/2 (sum |w_j|^a)^(2/a), written again.
double slow_value(const MirrorMap& map, const VectorXd& w) {
  double sum = 0;
  for (const double x : w) sum += std::pow(std::abs(x), map.exponent);
  return map.kappa / 2 * std::pow(sum, 2 / map.exponent);
}

double slow_divergence(const MirrorMap& map, const VectorXd& w, const VectorXd& v) {
  VectorXd slope(v.size());
  for (Index j = 0; j < v.size(); ++j) {
    VectorXd up = v, down = v;
    const double h = 1e-6;
    up[j] += h;
    down[j] -= h;
    slope[j] = (slow_value(map, up) - slow_value(map, down)) / (2 * h);
  }
  return slow_value(map, w) - slow_value(map, v) - slope.dot(w - v);
}

const MirrorMap maps[] = {{1, 2}, {2, 1.5}, {5, 1.2}, {11, 1.1}, {1.4, 3.5}};

TEST(MirrorMap, GradientIsTheSlopeAndTheInverseInvertsIt) {
  RandomStream stream({.seed = 2, .claim = "mirror map test"});
  for (const MirrorMap& map : maps)
    for (int trial = 0; trial < 50; ++trial) {
      const VectorXd w = stream.normal_vector(4);
      EXPECT_NEAR(value(map, w), slow_value(map, w), 1e-12 * slow_value(map, w));
      const VectorXd g = gradient(map, w);
      for (Index j = 0; j < 4; ++j) {
        if (std::abs(w[j]) < 1e-2) continue;  // the second difference is large near 0
        VectorXd up = w, down = w;
        up[j] += 1e-5;
        down[j] -= 1e-5;
        EXPECT_NEAR(g[j], (slow_value(map, up) - slow_value(map, down)) / 2e-5,
                    1e-5 * map.kappa * (1 + w.norm()));
      }
      EXPECT_LT((inverse_gradient(map, g) - w).norm(), 1e-12 * (1 + w.norm()));
      EXPECT_LT((gradient(map, inverse_gradient(map, w)) - w).norm(), 1e-12 * (1 + w.norm()));
      const VectorXd v = stream.normal_vector(4);
      EXPECT_NEAR(divergence(map, w, v), slow_divergence(map, w, v), 2e-4 * map.kappa);
      EXPECT_GE(divergence(map, w, v), 0);
    }
}

TEST(MirrorMap, ByHand) {
  // a = 2: Phi = kappa/2 ||w||^2.
  const VectorXd w = (VectorXd(2) << 3, -4).finished();
  EXPECT_LT((gradient({2, 2}, w) - 2 * w).norm(), 1e-14);
  EXPECT_NEAR(divergence({2, 2}, w, VectorXd::Zero(2)), 25, 1e-13);
  // a = 3/2 at (1, 4): ||w||_a = (1 + 8)^(2/3), gradient kappa ||w||^(1/2) (1, 2).
  const VectorXd u = (VectorXd(2) << 1, 4).finished();
  EXPECT_NEAR(gradient({2, 1.5}, u)[1], 4 * std::pow(9, 1.0 / 3), 1e-13);
  EXPECT_EQ(gradient({2, 1.5}, VectorXd::Zero(2)), VectorXd::Zero(2));
  EXPECT_EQ(inverse_gradient({2, 1.5}, VectorXd::Zero(2)), VectorXd::Zero(2));
  // Extreme entries neither overflow nor underflow.
  const VectorXd big = (VectorXd(2) << 1e200, -1e-200).finished();
  EXPECT_NEAR(gradient({1, 1.5}, big)[0] / 1e200, 1, 1e-12);
  EXPECT_NEAR(inverse_gradient({1, 1.5}, big)[0] / 1e200, 1, 1e-12);
}

// The minimiser in the plane by repeated grid refinement.
VectorXd slow_minimum(const std::function<double(const VectorXd&)>& f, double width,
                      const std::function<bool(const VectorXd&)>& inside) {
  VectorXd best = VectorXd::Zero(2);
  for (; width > 1e-9; width *= 0.7) {
    const VectorXd centre = best;
    for (int i = -10; i <= 10; ++i)
      for (int j = -10; j <= 10; ++j) {
        const VectorXd w = centre + width / 10 * (VectorXd(2) << i, j).finished();
        if (inside(w) && f(w) < f(best)) best = w;
      }
  }
  return best;
}

TEST(MirrorMap, StepsMinimiseTheirObjectives) {
  RandomStream stream({.seed = 3, .claim = "mirror map test"});
  for (const MirrorMap& map : maps)
    for (int trial = 0; trial < 6; ++trial) {
      const VectorXd v = 0.5 * stream.normal_vector(2), g = 2 * stream.normal_vector(2);
      const double proximity = stream.uniform(0.5, 3), regularisation = stream.uniform(0, 2);
      const auto objective = [&](const VectorXd& w, double more) {
        return g.dot(w) + proximity * divergence(map, w, v) + more * slow_value(map, w);
      };
      const auto anywhere = [](const VectorXd&) { return true; };
      const VectorXd step = mirror_step(map, v, g, proximity, regularisation);
      const VectorXd found = slow_minimum(
          [&](const VectorXd& w) { return objective(w, regularisation); }, 10, anywhere);
      EXPECT_NEAR(objective(step, regularisation), objective(found, regularisation), 1e-9);
      EXPECT_LT((step - found).norm(), 1e-3);
      const double radius = 0.6;
      const VectorXd inside = mirror_step_in_ball(map, v, g, proximity, radius);
      EXPECT_LE(lp_norm(inside, map.exponent), radius * (1 + 1e-12));
      const VectorXd searched =
          slow_minimum([&](const VectorXd& w) { return objective(w, 0); }, 2,
                       [&](const VectorXd& w) { return lp_norm(w, map.exponent) <= radius; });
      // The grid meets the curved boundary only up to its last width.
      EXPECT_LE(objective(inside, 0), objective(searched, 0) + 1e-9);
      EXPECT_NEAR(objective(inside, 0), objective(searched, 0), 1e-2);
    }
}

TEST(MirrorMap, RejectsBadArguments) {
  const VectorXd w = VectorXd::Ones(2);
  EXPECT_THROW(value({0, 2}, w), std::invalid_argument);
  EXPECT_THROW(gradient({1, 1}, w), std::invalid_argument);
  EXPECT_THROW(gradient({1, HUGE_VAL}, w), std::invalid_argument);
  EXPECT_THROW(inverse_gradient({NAN, 2}, w), std::invalid_argument);
  EXPECT_THROW(mirror_step({1, 2}, w, w, 0), std::invalid_argument);
  EXPECT_THROW(mirror_step({1, 2}, w, w, 1, -1), std::invalid_argument);
  EXPECT_THROW(mirror_step_in_ball({1, 2}, w, w, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
