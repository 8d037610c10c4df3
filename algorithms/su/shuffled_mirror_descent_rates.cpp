// Theorem 10 of shuffled mirror descent as a rate.
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// The theorem bounds, with probability 1 - delta' over the data, the mean over the noise by
// sqrt(log(1/delta')) times what stands here; so it bounds the mean over both.
RatePoint theorem_point(Index n) {
  const double p = 1.5, radius = 0.5, epsilon = 0.9, delta = 1e-5, sigma = std::cbrt(2.0);
  const MirrorSpace space = mirror_space(p, 2, corrected);
  ShuffledMirrorParameters at =
      shuffled_mirror_from_theorem(n, 2, p, radius, 1, sigma, epsilon, delta);
  at.loss = Loss::pseudo_huber;
  return {
      .records = n,
      .mechanism = [at](const Dataset& data,
                        Releases& releases) { return shuffled_mirror_descent(data, at, releases); },
      .bound = shuffled_mirror_bound(n, 2, diameter(p, radius, space, 2), sigma, space.kappa,
                                     epsilon, delta)};
}

// Two features of independent signs, so that E||gradient||_3^2 <= 2^(2/3).
RateClaim in_n() {
  const RobustModel model{.loss = Loss::pseudo_huber,
                          .optimum = (VectorXd(2) << 0.4, -0.3).finished(),
                          .levels = 1,
                          .outlier = 10,
                          .outlier_share = 0};
  RateClaim rate = rate_claim(
      "n", {.exponent = -0.5, .at = [](double n) { return theorem_point(static_cast<Index>(n)); }},
      rate_problem("pseudo-Huber regression, two features of independent signs, w* = (0.4, -0.3), "
                   "no label noise; C the Euclidean ball of radius 1/2; p = 1.5, epsilon = 0.9, "
                   "delta = 1e-5; population risk by exact summation",
                   model),
      {{{300, 1e3, 3e3, 1e4}, 24}, {{300, 1e3, 1e4, 1e5}, 40}, {{300, 1e3, 1e4, 1e5, 4e5}, 80}});
  rate.learns = true;
  return rate;
}

}  // namespace

std::vector<Claim> shuffled_mirror_rates() {
  ClaimList claims("su.shuffled_mirror_descent");
  claims.add("rate", printed, refuted,
             {Text::su,
              "Theorem 10 (supplement), every hidden constant 1; kappa and noise "
              "corrected"},
             "With Theorem 10's T and lambda the run learns, and its excess risk falls as M "
             "max{sigma^2, sigma} (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon). The reports' "
             "noise, whose local epsilon grows like log n only, walks through T steps of 1/sqrt T "
             "more than 60 times the diameter M of C, for every n from 300 to 10^12.",
             {"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"}, in_n());
  return claims.take();
}

}  // namespace dpverify::su
