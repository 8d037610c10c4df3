// Theorem 14 of batched mirror descent as rates.
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// Two features of independent signs, so that E||gradient||_3^2 <= ||(1, 1)||_3^2 = 2^(2/3); labels
// without noise.
SignModel model() { return {.optimum = (VectorXd(2) << 0.4, -0.3).finished(), .outlier_share = 0}; }

RateProblem problem(const std::string& fixed) {
  return {.words =
              "pseudo-Huber regression, 2 features of independent signs, w* = (0.4, -0.3), no "
              "label noise, drawn as counts; C the Euclidean ball of radius 1/2; p = 1.5, delta = "
              "1e-5; population risk by exact summation; " +
              fixed,
          .dimension = 2,
          .excess_risk = [m = model()](const VectorXd& w) { return m.excess_risk(w); }};
}

RatePoint theorem_point(Edition theorem, Index n, double epsilon) {
  const double p = 1.5, radius = 0.5, delta = 1e-5, sigma = std::cbrt(2.0);
  const BatchedMirrorParameters at =
      batched_mirror_from_theorem(n, 2, p, radius, 1, sigma, epsilon, delta, theorem);
  const MirrorSpace space = mirror_space(at, 2);
  const auto descent = [=, m = model(), limit = threshold(at, 2)](const Dataset& counts,
                                                                  Releases& releases) {
    const auto gradient = [&](const VectorXd& w, Index t) {
      return m.mean_gradient(counts, w, t - 1, space.dual, limit);
    };
    return batched_mirror_descent(gradient, n, 2, at, releases);
  };
  return {.records = n,
          .mechanism = descent,
          .bound = batched_mirror_bound(n, 2, diameter(p, radius, space, 2), sigma, space.kappa,
                                        epsilon, delta),
          .draw = [m = model(), batches = at.batches](Index records, RandomStream& stream) {
            return m.draw_counts(records, stream, batches);
          }};
}

RateClaim in_n(Edition theorem) {
  return rate_claim(
      "n",
      {.exponent = -1.0 / 3,
       .at = [=](double n) { return theorem_point(theorem, static_cast<Index>(n), 0.9); }},
      problem("epsilon = 0.9"), {{{6e4, 2e5, 6e5, 2e6}, 20}, {{6e4, 2e5, 6e5, 2e6}, 60}});
}

RateClaim in_epsilon() {
  return rate_claim(
      "epsilon",
      {.exponent = -1.0 / 3, .at = [](double e) { return theorem_point(corrected, 700'000, e); }},
      problem("n = 700,000"), {{{0.03, 0.17, 0.95}, 16}, {{0.03, 0.1, 0.3, 0.95}, 80}});
}

}  // namespace

std::vector<Claim> batched_mirror_rates() {
  const std::vector<std::string> deviation{"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"};
  const Source balanced{Text::this_project, "Theorem 14 with T and lambda that balance its terms"};
  ClaimList claims("su.batched_mirror_descent");
  const std::string falls =
      " the excess risk of Algorithm 7 falls as (M^2 kappa)^(2/3) (d log(1/delta))^(1/6)/(n "
      "epsilon)^(1/3) in n.";
  claims.add("rate", printed, holds,
             {Text::su_supplement, "Theorem 14, its T and lambda (kappa and noise corrected)"},
             "With Theorem 14's printed T and lambda" + falls, deviation, in_n(printed));
  claims.add("rate", corrected, holds, balanced,
             "With T and lambda that balance the terms of Theorem 14" + falls, deviation,
             in_n(corrected));
  claims.add("rate.epsilon", corrected, holds, balanced,
             "With T and lambda that balance the terms of Theorem 14 the excess risk of Algorithm "
             "7 falls as epsilon^(-1/3).",
             deviation, in_epsilon());
  return claims.take();
}

}  // namespace dpverify::su
