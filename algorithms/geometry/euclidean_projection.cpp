#include "algorithms/geometry/euclidean_projection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify {
namespace {

// Soft thresholding at the level that leaves an l1 norm of `radius`, found from the sorted
// magnitudes.
VectorXd onto_l1_ball(const VectorXd& v, double radius) {
  std::vector<double> sorted(static_cast<std::size_t>(v.size()));
  for (Index j = 0; j < v.size(); ++j) sorted[static_cast<std::size_t>(j)] = std::abs(v[j]);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, threshold = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - radius) / static_cast<double>(k + 1);
    if (sorted[k] <= candidate) break;
    threshold = candidate;
  }
  return v.unaryExpr(
      [=](double x) { return std::copysign(std::max(std::abs(x) - threshold, 0.0), x); });
}

// The t >= 0 with t + weight t^power = x, 0 < power <= 1: the left side is concave, so that
// Newton's method rises to t from where it is below x.
double stationary(double x, double weight, double power) {
  double t = std::min(x / 2, std::pow(x / (2 * weight), 1 / power));
  for (int k = 0; k < 100 && t > 0; ++k) {
    const double tail = weight * std::pow(t, power);
    const double step = (x - t - tail) / (1 + power * tail / t);
    t += step;
    if (!(step > 1e-15 * t)) break;
  }
  return t;
}

// 1 < p < 2: the multiplier of the ball by bisection of its logarithm.
VectorXd onto_lp_ball(const VectorXd& v, double p, double radius) {
  const auto at = [&](double weight) {
    return VectorXd(v.unaryExpr(
        [=](double x) { return std::copysign(stationary(std::abs(x), weight, p - 1), x); }));
  };
  double low = 1e-15, high = 1;
  while (lp_norm(at(high), p) > radius) high *= 16;
  while (high / low > 1 + 1e-14) {
    const double middle = std::sqrt(low * high);
    if (middle == low || middle == high) break;
    (lp_norm(at(middle), p) > radius ? low : high) = middle;
  }
  return at(high);
}

}  // namespace

VectorXd euclidean_projection(const ConvexBody& body, const VectorXd& v) {
  require(
      body.shape == ConvexBody::Shape::ball && body.p >= 1 && (body.p <= 2 || std::isinf(body.p)),
      "exponent p of the ball", body.p, "in [1, 2] or infinite");
  require(v.size() == body.dimension, "length of v", static_cast<double>(v.size()),
          "the dimension, " + std::to_string(body.dimension));
  require(v.allFinite(), "v", "not finite", "finite");
  if (minkowski_norm(body, v) <= 1) return v;
  if (std::isinf(body.p)) return v.cwiseMax(-body.radius).cwiseMin(body.radius);
  if (body.p == 1) return onto_l1_ball(v, body.radius);
  if (body.p == 2) return v * (body.radius / v.norm());
  return onto_lp_ball(v, body.p, body.radius);
}

}  // namespace dpverify
