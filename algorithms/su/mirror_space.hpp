// What private mirror descent on l_p^d, 1 < p <= 2, needs: a mirror map that is strongly convex in
// ||.||_p, and a norm whose Generalised Gaussian noise hides changes of gradients in the dual norm.
#pragma once

#include "algorithms/claims/claims.hpp"
#include "algorithms/geometry/mirror_map.hpp"

namespace dpverify::su {

struct MirrorSpace {
  double dual = 2;        // q = p/(p - 1): gradients are measured in ||.||_q
  double noise_norm = 2;  // r in [2, q]: the smooth norm ||.||_+
  double kappa = 1;       // ||.||_q is kappa-regular: ||.||_r^2/2 is (r - 1)-smooth
  MirrorMap map;          // Phi
};

// printed:   kappa = min{1/(p - 1), c log d}, Phi = kappa/2 ||.||_a^2 with a = kappa/(kappa - 1);
//            r = kappa + 1, the norm that is kappa-smooth. c = `logarithms`: 2 in Algorithms 3 and
//            4, 1 in Algorithm 7. Needs kappa > 1.
// corrected: r = min{q, max{2, 2 log d}}, kappa = (r - 1) d^(2/r - 2/q), a = r/(r - 1) dual to r.
//            Phi is then 1-strongly convex in ||.||_p, and the noise is private with this kappa.
// Throws std::invalid_argument for p outside (1, 2].
MirrorSpace mirror_space(double p, Index dimension, Edition edition, double logarithms = 2);

// The largest rho for which rho-zCDP gives (epsilon, delta)-DP by rho + 2 sqrt(rho log(1/delta)):
// (sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2.
double concentrated_budget(double epsilon, double delta);

// A release of `value`, a vector of so many numbers, with Generalised Gaussian noise
// exp(-||z||_r^2/(2 scale^2)) for changes of at most `sensitivity` in ||.||_q; plain Gaussian noise
// where r = 2.
VectorXd release_in(const MirrorSpace& space, Index dimension,
                    const std::function<VectorXd()>& value, double sensitivity, double scale,
                    Releases& releases);

// The exact delta(epsilon) in the plane of such noise at scale 1, for a shift of l_q length s in
// the worst of three directions: int (p(z) - e^epsilon p(z - shift))+ dz by the midpoint rule on
// +-edge, accurate to some 2%.
double plane_delta(double r, double q, double s, double epsilon, double edge);
// The same for Lemma 3's noise, scale^2 = 2 kappa s^2 log(1/delta)/epsilon^2 and r = kappa + 1.
double lemma_3_delta(double kappa, double q, double epsilon, double delta);

}  // namespace dpverify::su
