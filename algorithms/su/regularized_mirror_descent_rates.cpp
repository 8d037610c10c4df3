// Theorem 7 of regularised mirror descent as rates.
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// Two features of independent signs, so that L = ||(1, 1)||_3 for p = 1.5.
SignModel model() {
  return {.optimum = (VectorXd(2) << 0.5, -0.5).finished(), .outlier_share = 0.02};
}

RateProblem problem(const std::string& fixed) {
  return {
      "pseudo-Huber regression, 2 features of independent signs, w* = (1/2, -1/2), one label "
      "in fifty moved by +-10, drawn as counts; p = 1.5, delta = 1e-5; population risk by "
      "exact summation; " +
          fixed,
      2, [m = model()](Index n, RandomStream& stream) { return m.draw_counts(n, stream); },
      [m = model()](const VectorXd& w) { return m.excess_risk(w); }};
}

RatePoint theorem_point(Edition edition, Index n, double epsilon) {
  const double p = 1.5, delta = 1e-5;
  const RegularizedMirrorParameters at = regularized_mirror_from_theorem(
      n, 2, p, epsilon, delta, Loss::pseudo_huber, std::cbrt(2.0), edition);
  return {
      .records = n,
      .mechanism =
          [n, at, m = model()](const Dataset& counts, Releases& releases) {
            return regularized_mirror_descent(
                [&](const VectorXd& w) { return m.mean_gradient(counts, w, 0); }, n, 2, at,
                releases);
          },
      .bound = regularized_mirror_bound(n, 2, mirror_space(p, 2, edition).kappa, epsilon, delta)};
}

RateClaim in_n(Edition edition) {
  return rate_claim(
      "n",
      {.exponent = -0.4,
       .at = [=](double n) { return theorem_point(edition, static_cast<Index>(n), 0.9); }},
      problem("epsilon = 0.9"), {{{3e5, 1e6, 3e6, 1e7}, 24}, {{3e5, 1e6, 3e6, 1e7}, 100}});
}

RateClaim in_epsilon() {
  return rate_claim(
      "epsilon",
      {.exponent = -0.4, .at = [](double e) { return theorem_point(corrected, 10'000'000, e); }},
      problem("n = 10^7"), {{{0.027, 0.15, 0.9}, 24}, {{0.027, 0.09, 0.3, 0.9}, 100}});
}

}  // namespace

std::vector<Claim> regularized_mirror_rates() {
  const std::vector<std::string> assumptions{
      "replace-one neighbours", "convex loss, L-Lipschitz and beta-smooth in ||.||_p, 1 < p < 2"};
  const Source with_corrections{Text::this_project,
                                "Theorem 7 with the corrected mirror map and noise"};
  ClaimList claims("su.regularized_mirror_descent");
  const std::string falls = " the excess risk of Algorithm 3 falls as ",
                    in_n_and_epsilon =
                        "kappa^(4/5) (sqrt(d log(1/delta))/(n epsilon))^(2/5), log n apart.",
                    shipped =
                        "With the supplement's T and alpha and the corrected mirror map and "
                        "noise" +
                        falls;
  claims.add("rate", printed, holds, {Text::su, "Theorem 7, proof"},
             "With the supplement's T and alpha" + falls + in_n_and_epsilon, assumptions,
             in_n(printed));
  claims.add("rate", corrected, holds, with_corrections, shipped + in_n_and_epsilon, assumptions,
             in_n(corrected));
  claims.add("rate.epsilon", corrected, holds, with_corrections, shipped + "epsilon^(-2/5).",
             assumptions, in_epsilon());
  return claims.take();
}

}  // namespace dpverify::su
