// Lemmas 11 to 13, behind Theorem 7, on a mirror map that is 1-strongly convex in ||.||_p.
#include <cmath>
#include <vector>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/geometry/mirror_map.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Points {
  Index seed = 0, d = 3;
  double p = 1.5, alpha = 1;
  static Fields<Points> fields() {
    return {field("seed", &Points::seed).range(0, 0, 100'000),
            field("d", &Points::d).range(3, 1, 100), field("p", &Points::p).range(1.5, 1.01, 2.0),
            field("alpha", &Points::alpha).range(1.0, 1e-2, 1e2, logarithmic)};
  }
  MirrorMap map() const { return mirror_space(p, d, corrected).map; }
  // Vector k of mixed magnitudes.
  VectorXd vector(int k) const {
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed),
                         .claim = "relative convexity",
                         .purpose = std::to_string(k)});
    VectorXd out(d);
    for (double& x : out) x = stream.normal() * std::exp(2 * stream.normal());
    return out;
  }
};

// f(w) = <a, w>^2/(2 ||a||_q^2), 1-smooth in ||.||_p, between two points.
double smooth_divergence(const Points& at) {
  const VectorXd a = at.vector(0);
  const double slope = a.dot(at.vector(1) - at.vector(2)) / lp_norm(a, dual_exponent(at.p));
  return slope * slope / 2;
}

// Of <c_k, w> + alpha Phi(w).
VectorXd minimiser(const Points& at, int k) {
  return inverse_gradient(at.map(), -at.vector(k) / at.alpha);
}

// x_1 = z, and z* the minimiser of phi + D(., z), phi = <c, .>; the two sides of the three points.
struct ThreePoints {
  double left, right;
  explicit ThreePoints(const Points& at) {
    const MirrorMap map = at.map();
    const VectorXd c = at.vector(0), z = at.vector(1), x = at.vector(2);
    const VectorXd best = mirror_step(map, z, c, 1);
    left = c.dot(best) + divergence(map, best, z) + divergence(map, x, best);
    const double size = value(map, x) + value(map, z) + value(map, best) +
                        c.cwiseAbs().dot(x.cwiseAbs() + best.cwiseAbs());
    right = c.dot(x) + divergence(map, x, z) + 1e-11 * size;
  }
};

}  // namespace

std::vector<Claim> relative_convexity_lemmas() {
  LemmaList lemmas("su.regularized_mirror_descent", Text::su_supplement);
  const std::vector<std::string> on_map{
      "Phi = kappa/2 ||.||_a^2 with kappa = (r - 1) d^(2/r - 2/q), a = r/(r - 1)"};
  lemmas.add<Points>(
      "relative_smoothness",
      [](const Points& at) {
        return smooth_divergence(at) + at.alpha * divergence(at.map(), at.vector(1), at.vector(2));
      },
      {{printed, holds, "Lemma 11",
        "For f = <a, w>^2/(2 ||a||_q^2), 1-smooth in ||.||_p, and Phi 1-strongly convex there, f + "
        "alpha Phi is (1 + alpha)-smooth relative to Phi.",
        [](const Points& at) {
          return (1 + at.alpha) * divergence(at.map(), at.vector(1), at.vector(2)) +
                 1e-11 * (1 + at.alpha) *
                     (value(at.map(), at.vector(1)) + value(at.map(), at.vector(2)));
        }}},
      on_map);
  lemmas.add<Points>(
      "three_points", [](const Points& at) { return ThreePoints(at).left; },
      {{printed, holds, "Lemma 12",
        "phi(z*) + D(z*, z) + D(x, z*) <= phi(x) + D(x, z) where z* minimises phi + "
        "D(., z), here for linear phi.",
        [](const Points& at) { return ThreePoints(at).right; }}},
      on_map);
  lemmas.add<Points>(
      "minimisers",
      [](const Points& at) { return lp_norm(minimiser(at, 0) - minimiser(at, 1), at.p); },
      {{printed, holds, "Lemma 13",
        "The minimisers of <c, w> + alpha Phi(w) and <c', w> + alpha Phi(w) are at most 2 ||c - "
        "c'||_q/alpha apart in ||.||_p.",
        [](const Points& at) {
          return 2 / at.alpha * lp_norm(at.vector(0) - at.vector(1), dual_exponent(at.p));
        }},
       {mutant, refuted, "planted fault: a third of the distance",
        "The minimisers of <c, w> + alpha Phi(w) and <c', w> + alpha Phi(w) are at most ||c - "
        "c'||_q/(3 alpha) apart in ||.||_p.",
        [](const Points& at) {
          return lp_norm(at.vector(0) - at.vector(1), dual_exponent(at.p)) / (3 * at.alpha);
        }}},
      on_map);
  return lemmas.take();
}

}  // namespace dpverify::su
