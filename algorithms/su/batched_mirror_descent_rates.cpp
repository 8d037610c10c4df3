// Theorem 14 of batched mirror descent as rates.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/hidden_direction.hpp"
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
      problem("epsilon = 0.9"), {{{4e4, 2e5, 8e5, 4e6}, 20}, {{4e4, 1.2e5, 4e5, 1.2e6, 4e6}, 60}});
}

RateClaim in_epsilon() {
  return rate_claim(
      "epsilon",
      {.exponent = -1.0 / 3, .at = [](double e) { return theorem_point(corrected, 4'000'000, e); }},
      problem("n = 4 10^6"),
      {{{0.0095, 0.04, 0.2, 0.95}, 20}, {{0.0095, 0.03, 0.1, 0.3, 0.95}, 60}});
}

// Where the noise's own term is attained: on a linear loss of slope `steepness` kappa R/sqrt T, of
// the size of the noise. Without noise a small part of the T steps of 1/sqrt T leads from 0 to the
// end R of C; with it the iterates point there more than elsewhere, and no more.
RatePoint attained_point(Edition theorem, Index n, Index dimension, double p, double steepness) {
  const double radius = 0.5, epsilon = 0.9, delta = 1e-5, sigma = 1;
  const BatchedMirrorParameters at =
      batched_mirror_from_theorem(n, dimension, p, radius, 1, sigma, epsilon, delta, theorem);
  const MirrorSpace space = mirror_space(at, dimension);
  const HiddenDirection law{
      .dimension = dimension,
      .share = steepness * space.kappa * radius / std::sqrt(static_cast<double>(at.batches))};
  require(law.share <= 1, "slope of the loss", law.share, "at most L = 1");
  const auto descent = [=](const Dataset& counts, Releases& releases) {
    const auto gradient = [&](const VectorXd& w, Index t) {
      return law.mean_gradient(counts, w, t - 1);
    };
    return batched_mirror_descent(gradient, n, dimension, at, releases);
  };
  return hidden_direction_point(
      law, radius, n, at.batches,
      batched_mirror_bound(n, dimension, diameter(p, radius, space, dimension), sigma, space.kappa,
                           epsilon, delta),
      descent);
}

RateProblem attained_problem(const std::string& fixed) {
  return {
      .words =
          "pseudo-Huber regression with one feature of d that is ever different from 0, x "
          "= (1, 0, ..., 0), drawn as counts; the labels are +-1000, so unbalanced that "
          "the loss has on C a slope of a few times kappa/sqrt T, of the size of the noise; C the "
          "ball of radius 1/2 of the map's norm; epsilon = 0.9, delta = 1e-5, " +
          fixed};
}

RateClaim near_one_in_n(Edition theorem) {
  return rate_claim("n",
                    {.exponent = -1.0 / 3,
                     .at =
                         [=](double n) {
                           return attained_point(theorem, static_cast<Index>(n), 10, 1.1,
                                                 theorem == printed ? 7 : 10);
                         }},
                    attained_problem("d = 10, p = 1.1"),
                    {theorem == printed ? Sweep{} : Sweep{{5e4, 2.5e5, 1e6, 5e6}, 14},
                     {{5e4, 1.5e5, 5e5, 1.5e6, 5e6}, 40}});
}

// p = 1.5 and d above 4, where the map's norm is that of l_p^d, M = 1 and kappa = 2.
RateClaim in_dimension() {
  return rate_claim("d",
                    {.exponent = 1.0 / 6,
                     .at =
                         [](double d) {
                           return attained_point(corrected, 200'000, static_cast<Index>(d), 1.5,
                                                 12);
                         }},
                    attained_problem("n = 200,000, p = 1.5"),
                    {{{5, 25, 100, 500}, 20}, {{5, 15, 50, 150, 500}, 40}});
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
  const std::vector<std::string> smaller{"E||gradient - its mean||_q^2 <= sigma^2 = 1"};
  claims.add("rate.p_near_one", printed, holds,
             {Text::su_supplement, "Theorem 14, its T and lambda (kappa and noise corrected)"},
             "At p = 1.1 and with Theorem 14's printed T and lambda" + falls, smaller,
             near_one_in_n(printed));
  claims.add("rate.p_near_one", corrected, holds, balanced,
             "At p = 1.1 and with T and lambda that balance the terms of Theorem 14" + falls,
             smaller, near_one_in_n(corrected));
  claims.add("rate.dimension", corrected, holds, balanced,
             "With T and lambda that balance the terms of Theorem 14 the excess risk of Algorithm "
             "7 grows in d no faster than d^(1/6).",
             smaller, in_dimension());
  return claims.take();
}

}  // namespace dpverify::su
