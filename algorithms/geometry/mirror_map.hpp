// Mirror maps of l_a norms: Phi(w) = kappa/2 ||w||_a^2 on R^d.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// kappa (a - 1)-strongly convex with respect to ||.||_a for a in (1, 2].
struct MirrorMap {
  double kappa = 1;     // > 0, finite
  double exponent = 2;  // a in (1, infinity)
};

double value(const MirrorMap& map, const VectorXd& w);
// kappa ||w||_a^(2-a) |w_j|^(a-1) sgn w_j; 0 at 0.
VectorXd gradient(const MirrorMap& map, const VectorXd& w);
// The w whose gradient is y: 1/kappa ||y||_b^(2-b) |y_j|^(b-1) sgn y_j, b dual to a.
VectorXd inverse_gradient(const MirrorMap& map, const VectorXd& y);
// Bregman divergence Phi(w) - Phi(v) - <grad Phi(v), w - v>.
double divergence(const MirrorMap& map, const VectorXd& w, const VectorXd& v);

// argmin over R^d of <g, w> + proximity D(w, v) + regularisation Phi(w), proximity > 0 and
// regularisation >= 0: the w with grad Phi(w) = (proximity grad Phi(v) - g)/(proximity +
// regularisation).
VectorXd mirror_step(const MirrorMap& map, const VectorXd& v, const VectorXd& g, double proximity,
                     double regularisation = 0);

// argmin over {||w||_a <= radius} of <g, w> + proximity D(w, v). The unconstrained minimiser,
// scaled down to the ball if it lies outside: with the multiplier m of ||w||_a^2 <= radius^2 the
// condition is (proximity + m) grad Phi(w) = proximity grad Phi(v) - g, and grad Phi is
// homogeneous.
VectorXd mirror_step_in_ball(const MirrorMap& map, const VectorXd& v, const VectorXd& g,
                             double proximity, double radius);

}  // namespace dpverify
