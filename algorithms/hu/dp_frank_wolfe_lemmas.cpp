// Steps of the proofs of Theorems 1 and 2 of Hu, Ni, Xiao and Wang that one inequality decides.
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/estimators/smooth_truncation_reference.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/hu/lemmas.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// E phi(a + bZ), a of either sign.
struct Smoothed {
  double a = 1, b = 1, sign = 1;
  static Fields<Smoothed> fields() {
    return {field("a", &Smoothed::a).range(1.0, 1e-6, 1e12, logarithmic),
            field("b", &Smoothed::b).range(1.0, 1e-6, 1e6, logarithmic),
            field("sign", &Smoothed::sign).range(1, -1, 1, integer)};
  }
};

// E phi(a (1 + Z/sqrt beta)), a of either sign.
struct Multiplied {
  double a = 1, beta = 1, sign = 1;
  static Fields<Multiplied> fields() {
    return {field("a", &Multiplied::a).range(1.0, 1e-300, 1e300, logarithmic),
            field("beta", &Multiplied::beta).range(1.0, 0.01, 100.0, logarithmic),
            field("sign", &Multiplied::sign).range(1, -1, 1, integer)};
  }
};

struct Spread {
  Index iterations = 1, more_coordinates = 1, seed = 0;
  static Fields<Spread> fields() {
    return {field("iterations", &Spread::iterations).range(1, 1, 32),
            field("more_coordinates", &Spread::more_coordinates).range(1, 1, 32),
            field("seed", &Spread::seed).range(0, 0, 1000)};
  }
  Index dimension() const { return iterations + more_coordinates; }
};

// ||w^T - w*||_2^2 for w* = (1, ..., 1)/d, after T steps from a vertex of the simplex, on records
// of independent signs, one label in ten moved by +-1.
double distance_from_spread(const Spread& s) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(s.seed),
                       .claim = "hu.dp_frank_wolfe",
                       .purpose = "spread"});
  const Index d = s.dimension();
  const VectorXd optimum = VectorXd::Constant(d, 1 / static_cast<double>(d));
  FrankWolfeParameters p;
  p.polytope = Polytope::simplex(d, 1);
  p.initial = p.polytope.vertex(0);
  p.iterations = s.iterations;
  p.scale = 10;
  p.epsilon = 100;
  const RobustModel model{
      .loss = Loss::squared, .optimum = optimum, .levels = 1, .outlier = 1, .outlier_share = 0.1};
  const Dataset data = model.draw(20 * s.iterations, stream);
  SamplingReleases releases(stream);
  return (dp_frank_wolfe(data, p, releases) - optimum).squaredNorm();
}

}  // namespace

std::vector<Claim> dp_frank_wolfe_lemmas() {
  LemmaList lemmas("hu.dp_frank_wolfe", Text::hu);
  lemmas.add<Smoothed>(
      "closed_form",
      [](const Smoothed& x) {
        return std::abs(smooth_truncation(x.sign * x.a, x.b) -
                        smooth_truncation_reference(x.sign * x.a, x.b));
      },
      {{printed, holds, "(5) and the appendix's C-hat, in 100-digit arithmetic",
        "The stable evaluation of E phi(a + bZ) that this project ships agrees with the printed "
        "closed form to an absolute 5e-15.",
        5e-15}});
  lemmas.add<Multiplied>(
      "range",
      [](const Multiplied& x) {
        return std::abs(smooth_truncation(x.sign * x.a, x.a / std::sqrt(x.beta)));
      },
      {{corrected, holds, "the range of the smoothed truncation",
        "|E phi(a (1 + Z/sqrt beta))| <= 2 sqrt2/3 erf(sqrt(beta/2)) for every a, zero and huge "
        "ones included.",
        [](const Multiplied& x) { return smooth_truncation_limit(x.beta) + 5e-15; }}});
  lemmas.add<Spread>(
      "steps",
      [](const Spread& s) {
        return 1 / (static_cast<double>(s.iterations) + 1) - 1 / static_cast<double>(s.dimension());
      },
      {{corrected, holds, "Frank-Wolfe's lower bound (Jaggi, 2013), for Theorem 2's T",
        "On the simplex, T < d steps from a vertex leave every run 1/(T + 1) - 1/d or more away "
        "from w* = (1, ..., 1)/d, in squared distance: with T ~ (n epsilon)^(1/3) no exponent "
        "better than the theorem's -1/3 holds for every d. (On a fixed w* of few coordinates the "
        "rates above fall faster.)",
        [](const Spread& s) { return distance_from_spread(s) + 1e-14; }}});
  std::vector<Claim> claims = lemmas.take();
  for (Claim& claim : frank_wolfe_lemmas()) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace dpverify::hu
