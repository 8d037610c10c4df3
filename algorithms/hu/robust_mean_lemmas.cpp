#include "algorithms/hu/robust_mean_lemmas.hpp"

#include <cmath>

#include "algorithms/core/binomial.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/estimators/smooth_truncation_reference.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// Lemma 4 on n draws of x = a with probability q and 0 otherwise, s = 1: the exact probability that
// the estimate is further from E x than the bound. The estimate is (N/n) E phi(a (1 + eta)), N
// binomial.
NumbersSide<5> deviation(double beta_share) {
  return [beta_share](double n, double q, double a, double beta, double zeta) {
    const double one = smooth_truncation(a, a / std::sqrt(beta));
    const double bound =
        q * a * a / 2 * (1 / beta + 1) + (beta_share * beta + std::log(2 / zeta)) / n;
    return binomial_expectation(n, q,
                                [=](double k) { return std::abs(k / n * one - q * a) > bound; });
  };
}

void add_truncation(LemmaList& lemmas) {
  const ParameterRange sign{"sign", 1, -1, 1, integer};
  lemmas.add(
      "closed_form", {{"a", 1, 1e-6, 1e12, logarithmic}, {"b", 1, 1e-6, 1e6, logarithmic}, sign},
      [](double a, double b, double sign) {
        return std::abs(smooth_truncation(sign * a, b) - smooth_truncation_reference(sign * a, b));
      },
      {{printed,
        holds,
        "(5) and the appendix's C-hat, in 100-digit arithmetic",
        "The stable evaluation of E phi(a + bZ) that this project ships agrees with the "
        "printed closed form to an absolute 5e-15.",
        5e-15,
        {},
        {},
        {},
        Text::hu}});
  lemmas.add("range",
             {{"a", 1, 1e-300, 1e300, logarithmic}, {"beta", 1, 0.01, 100, logarithmic}, sign},
             [](double a, double beta, double sign) {
               return std::abs(smooth_truncation(sign * a, a / std::sqrt(beta)));
             },
             {{corrected, holds, "the range of the smoothed truncation",
               "|E phi(a (1 + Z/sqrt beta))| <= 2 sqrt2/3 erf(sqrt(beta/2)) for every a, zero and "
               "huge ones included.",
               [](double, double beta, double) { return smooth_truncation_limit(beta) + 5e-15; }}});
  // Side 0 is the upper bound, side 1 the lower one.
  lemmas.add("truncation_inequality",
             {{"size", 1, 1e-12, 1e9, logarithmic}, sign, {"side", 0, 0, 1, integer}},
             [](double size, double sign, double side) {
               const double u = sign * size;
               return side == 0 ? soft_truncation(u) : -std::log1p(-u + u * u / 2);
             },
             {{printed, holds, "proof of Lemma 4, (16)",
               "-log(1 - u + u^2/2) <= phi(u) <= log(1 + u + u^2/2) for every real u.",
               [](double size, double sign, double side) {
                 const double u = sign * size;
                 return side == 0 ? std::log1p(u + u * u / 2) : soft_truncation(u);
               }}});
}

}  // namespace

void add_robust_mean(LemmaList& lemmas) {
  add_truncation(lemmas);
  const ParameterRange beta{"beta", 1, 0.05, 20, logarithmic};
  const auto zeta = [](double, double, double, double, double zeta) { return zeta; };
  lemmas.add("deviation",
             {{"n", 1, 1, 60, integer},
              {"q", 0.5, 1e-3, 1, logarithmic},
              {"a", 1, 1e-3, 1e3, logarithmic},
              beta,
              {"zeta", 0.5, 1e-6, 0.99, logarithmic}},
             deviation(0.5),
             {{printed, holds, "Lemma 4, (12)",
               "With probability 1 - zeta the robust mean is within tau/(2s) (1/beta + 1) + s/n "
               "(beta/2 + log(2/zeta)) of the mean, tau >= E x^2. Decided exactly on two-point "
               "laws.",
               zeta},
              {corrected,
               holds,
               "Lemma 4 with prior = posterior: no beta/2",
               "With probability 1 - zeta the robust mean is within tau/(2s) (1/beta + 1) + s/n "
               "log(2/zeta) of the mean, tau >= E x^2: the Kullback divergence of a measure from "
               "itself, for which (12) has beta/2, is 0. Decided exactly on two-point laws.",
               zeta,
               {},
               deviation(0)}},
             {"x is a with probability q and 0 otherwise, n <= 60"});
  lemmas.add("log_moment", {{"x", 1, 0.01, 10, logarithmic}},
             [](double x) { return soft_truncation(x); },
             {{printed, refuted, "proof of Lemma 4, first equality of (17)",
               "log E f(eta, x) = log E exp(phi((1 + eta) x/s)), where f(eta, x) = phi((1 + eta) "
               "x/s) and phi is the soft truncation of (2). (eta = 0 and a constant x are this "
               "check's; x in the counterexample is x/s.)",
               [](double x) { return std::log(soft_truncation(x)); }}});
  lemmas.add("lower_tail", {beta}, [](auto beta) { return 1 + 1 / beta; },
             {{printed, refuted, "proof of Lemma 4, display before (20)",
               "s times the integral of (1 + eta)^2 E x^2/s^2, that is E(1 + eta)^2 E x^2/s, is at "
               "most E x^2/(2s) (1/beta + 1), where eta is normal with mean 0 and variance 1/beta. "
               "(The two sides are given in units of E x^2/s.)",
               [](auto beta) { return (1 + 1 / beta) / 2; }}});
  lemmas.add("estimation_error",
             {{"s", 1, 1e-3, 1e3, logarithmic},
              {"tau", 1, 1e-3, 1e3, logarithmic},
              beta,
              {"m", 100, 1, 1e6, logarithmic},
              {"logarithm", 5, 0.7, 50, linear}},
             [](auto s, auto tau, auto beta, auto m, auto logarithm) {
               return tau / (2 * s) * (1 / beta + 1) + s / m * (beta / 2 + logarithm);
             },
             {{printed, holds, "proof of Lemma 5, (25)",
               "tau/s (1/beta + 1) + s/m (beta + log(2dT/zeta)) covers (22), of which it is up to "
               "twice.",
               [](auto s, auto tau, auto beta, auto m, auto logarithm) {
                 return tau / s * (1 / beta + 1) + s / m * (beta + logarithm);
               }}});
}

}  // namespace dpverify::hu
