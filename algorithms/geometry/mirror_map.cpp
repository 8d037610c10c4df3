#include "algorithms/geometry/mirror_map.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/geometry/convex_body.hpp"

namespace dpverify {
namespace {

void validate(const MirrorMap& map) {
  require(positive_and_finite, "kappa", map.kappa);
  require(map.exponent > 1 && std::isfinite(map.exponent), "exponent a", map.exponent,
          "in (1, inf)");
}

// Gradient of ||v||_a^2/2: ||v||_a (|v_j|/||v||_a)^(a-1) sgn v_j.
VectorXd half_square_gradient(const VectorXd& v, double a) {
  const double norm = lp_norm(v, a);
  if (norm == 0) return VectorXd::Zero(v.size());
  return v.unaryExpr(
      [norm, a](double x) { return std::copysign(norm * std::pow(std::abs(x) / norm, a - 1), x); });
}

}  // namespace

double value(const MirrorMap& map, const VectorXd& w) {
  validate(map);
  return map.kappa / 2 * std::pow(lp_norm(w, map.exponent), 2);
}

VectorXd gradient(const MirrorMap& map, const VectorXd& w) {
  validate(map);
  return map.kappa * half_square_gradient(w, map.exponent);
}

VectorXd inverse_gradient(const MirrorMap& map, const VectorXd& y) {
  validate(map);
  return half_square_gradient(y, dual_exponent(map.exponent)) / map.kappa;
}

double divergence(const MirrorMap& map, const VectorXd& w, const VectorXd& v) {
  return value(map, w) - value(map, v) - gradient(map, v).dot(w - v);
}

VectorXd mirror_step(const MirrorMap& map, const VectorXd& v, const VectorXd& g, double proximity,
                     double regularisation) {
  require(positive_and_finite, "proximity", proximity);
  require(not_negative_and_finite, "regularisation", regularisation);
  return inverse_gradient(map, (proximity * gradient(map, v) - g) / (proximity + regularisation));
}

VectorXd mirror_step_in_ball(const MirrorMap& map, const VectorXd& v, const VectorXd& g,
                             double proximity, double radius) {
  return shrunk(mirror_step(map, v, g, proximity), map.exponent, radius);
}

}  // namespace dpverify
