// Theorem 7 of regularised mirror descent as rates.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/su/hidden_direction.hpp"
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
      problem("epsilon = 0.9"), {{{1e6, 5e6, 2e7, 1e8}, 24}, {{1e6, 3e6, 1e7, 3e7, 1e8}, 100}});
}

RateClaim in_epsilon() {
  return rate_claim(
      "epsilon",
      {.exponent = -0.4, .at = [](double e) { return theorem_point(corrected, 100'000'000, e); }},
      problem("n = 10^8"), {{{0.009, 0.04, 0.2, 0.9}, 24}, {{0.009, 0.03, 0.09, 0.3, 0.9}, 100}});
}

RegularizedMirrorParameters theorem_7(Edition edition, Index n, Index dimension, double p) {
  return regularized_mirror_from_theorem(n, dimension, p, 0.9, 1e-5, Loss::pseudo_huber, 1,
                                         edition);
}

// Where alpha, which the noise sets through T, costs what the proof allows, alpha Phi(w*): on a
// slope of alpha kappa, about, towards w* = e_1, where the regularised minimiser is a bit less than
// half of the way there. A run that knows nothing errs three times as much, so that a slower one is
// seen. (On a fixed strongly convex risk it is of the order of alpha^2.) The term that the
// proof writes for the noise itself, L sqrt(E||g||^2)/alpha for the stability of the average, is no
// run's error: two runs differ by it, upwards as often as downwards. ||w*|| = 1 in every norm, and
// so, about, is the factor E||w~*||^2 that the theorem hides.
RatePoint attained_point(Edition edition, Index n, Index dimension, double p) {
  const RegularizedMirrorParameters at = theorem_7(edition, n, dimension, p);
  const double kappa = mirror_space(p, dimension, edition).kappa;
  const HiddenDirection law{
      .dimension = dimension, .share = at.regularisation * kappa, .signal = 1};
  require(law.share <= 1, "slope towards w*", law.share, "at most L = 1");
  return {.records = n,
          .mechanism =
              [=](const Dataset& counts, Releases& releases) {
                return regularized_mirror_descent(
                    [&](const VectorXd& w) { return law.mean_gradient(counts, w, 0); }, n,
                    dimension, at, releases);
              },
          .bound = regularized_mirror_bound(n, dimension, kappa, at.epsilon, at.delta),
          .dimension = dimension,
          .instance =
              [=](RandomStream& stream) {
                HiddenDirection drawn = law;
                drawn.share *= 0.85 + 0.15 * stream.uniform();
                return Instance{drawn.draw_counts(n, stream), drawn.excess_over(1)};
              }};
}

RateProblem attained_problem(const std::string& fixed) {
  return {.words =
              "pseudo-Huber regression with one feature of d that is ever different from 0, x "
              "= (1, 0, ..., 0), drawn as counts; the label is 1 with a probability between "
              "85% and all of alpha kappa, drawn in each trial, so that w* = e_1, and else "
              "+-1000: the slope towards w* is so small that the regularised minimiser is a bit "
              "less than half of the way there; epsilon = 0.9, delta = 1e-5, " +
              fixed};
}

RateClaim attained_in_n(Edition edition, Index dimension, double p, const std::string& fixed,
                        Sweeps sweeps) {
  return rate_claim(
      "n",
      {.exponent = -0.4,
       .at =
           [=](double n) { return attained_point(edition, static_cast<Index>(n), dimension, p); }},
      attained_problem(fixed), std::move(sweeps));
}

RateClaim near_one_in_n(Edition edition) {
  return attained_in_n(edition, 30, 1.1, "d = 30, p = 1.1",
                       {{{6e7, 3e8, 1.2e9, 6e9}, 16}, {{6e7, 2e8, 6e8, 2e9, 6e9}, 40}});
}

// kappa^(4/5) grows like log d until it is (1/(p - 1))^(4/5). The logarithm is alpha's, log2(n/T):
// T falls in d.
RateClaim near_one_in_dimension(Edition edition) {
  constexpr Index n = 400'000'000;
  const auto at = [edition](double d) {
    RatePoint point = attained_point(edition, n, static_cast<Index>(d), 1.1);
    const auto iterations =
        static_cast<double>(theorem_7(edition, n, point.dimension, 1.1).iterations);
    point.bound *= 1 - std::log2(iterations) / std::log2(static_cast<double>(n));
    return point;
  };
  return rate_claim("d", {.exponent = 0.2, .at = at}, attained_problem("n = 4 10^8, p = 1.1"),
                    {{{3, 14, 65, 300}, 16}, {{3, 10, 30, 100, 300}, 40}});
}

}  // namespace

std::vector<Claim> regularized_mirror_rates() {
  const std::vector<std::string> assumptions{
      "convex loss, L-Lipschitz and beta-smooth in ||.||_p, 1 < p < 2"};
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
  claims.add(
      "rate.tight_instance", corrected, holds, with_corrections,
      "With the supplement's T and alpha and the corrected mirror map and noise, on slopes of "
      "the order of alpha," +
          falls + in_n_and_epsilon,
      assumptions,
      attained_in_n(corrected, 2, 1.5, "d = 2, p = 1.5",
                    {{{1e6, 5e6, 2e7, 1e8}, 24}, {{1e6, 3e6, 1e7, 3e7, 1e8}, 60}}));
  const auto near_one = [&](Edition edition, const Source& source, const std::string& with) {
    claims.add("rate.p_near_one", edition, holds, source,
               with + ", at p = 1.1," + falls + in_n_and_epsilon, assumptions,
               near_one_in_n(edition));
    claims.add("rate.p_near_one.dimension", edition, holds, source,
               with +
                   ", at p = 1.1, the excess risk of Algorithm 3 grows in d no faster than "
                   "kappa^(4/5) d^(1/5) log(n/T), T that of the theorem.",
               assumptions, near_one_in_dimension(edition));
  };
  near_one(printed, {Text::su, "Theorem 7, proof"}, "With the supplement's T and alpha");
  near_one(corrected, with_corrections,
           "With the supplement's T and alpha and the corrected mirror map and noise");
  claims.add("rate.epsilon", corrected, holds, with_corrections, shipped + "epsilon^(-2/5).",
             assumptions, in_epsilon());
  return claims.take();
}

}  // namespace dpverify::su
