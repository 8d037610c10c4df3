// Steps of the proof of Theorem 14 (and of 10, which it shares) that one inequality decides. Where
// a step has an unstated constant, the claim allows a generous one, and a refutation is of that
// one over the ranges that the claim states.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string here = "this project";

// The terms of (28), sigma = beta = 1 and the failure probability apart, against 20 times the bound
// of Theorem 14. Where lambda < max{beta, 1} M or T < 1 the theorem says nothing.
//   printed:  T = n epsilon/(M lambda sqrt(d l)), lambda = (sqrt(n epsilon) M/(kappa (d
//   l)^(1/4)))^(2/3),
//             l = log(1/delta), gamma = sqrt T
//   balanced: M in the numerator of T, 1/sqrt(M) in place of M in lambda
//   scaled:   neither M, gamma = sqrt T/M, and the bound with M in place of M^(4/3)
enum class Theorem14 { printed, balanced, scaled };
LemmaClaim theorem_14(Theorem14 choice, double smallest_m, double largest_m, double simplest_m) {
  return {
      {{"diameter", simplest_m, smallest_m, largest_m, Scale::logarithmic},
       {"kappa", 2, 1, 100, Scale::logarithmic},
       {"n_epsilon", 1e30, 1e3, 1e30, Scale::logarithmic},
       {"d_log", 100, 1, 1e6, Scale::logarithmic}},
      [choice](const ParameterPoint& p) {
        const double m = p.at("diameter"), kappa = p.at("kappa"), budget = p.at("n_epsilon");
        const double dl = p.at("d_log");
        const bool scaled = choice == Theorem14::scaled;
        const double in_lambda = choice == Theorem14::printed ? m : scaled ? 1 : 1 / std::sqrt(m);
        const double in_t = choice == Theorem14::printed ? 1 / m : scaled ? 1 : m;
        const double lambda =
            std::pow(in_lambda * std::sqrt(budget) / (kappa * std::pow(dl, 0.25)), 2.0 / 3);
        const double t = in_t * budget / (lambda * std::sqrt(dl));
        if (lambda < std::max(m, 1.0) || t < 1 || t > budget) return Sides{0, 0};
        const double gamma = std::sqrt(t) / (scaled ? m : 1);
        const double noise = dl * kappa * std::pow(t * (m + lambda) / budget, 2) / gamma;
        const double risk = kappa * m * m * gamma / t + m / lambda + m / std::sqrt(t) + 1 / gamma +
                            m / (std::sqrt(t) * gamma) + noise;
        return Sides{risk, 20 * std::pow(m, scaled ? 1 : 4.0 / 3) * std::pow(kappa, 2.0 / 3) *
                               std::pow(dl, 1.0 / 6) / std::cbrt(budget)};
      }};
}

// Lemma 17 in one dimension: the gradient is mean + a with probability share, mean - a share/(1 -
// share) otherwise; units beta M = 1. `which`: 0 the bias, 1 the root mean square.
LemmaClaim lemma_17(double largest_mean) {
  return {
      {{"mean", largest_mean, -largest_mean, largest_mean, Scale::linear},
       {"jump", 0, -1e3, 1e3, Scale::linear},
       {"share", 0.1, 1e-6, 0.5, Scale::logarithmic},
       {"lambda", 1, 1, 1e3, Scale::logarithmic},
       {"which", 0, 0, 1, Scale::integer}},
      [](const ParameterPoint& p) {
        const double mean = p.at("mean"), q = p.at("share"), lambda = p.at("lambda");
        const double high = mean + p.at("jump"), low = mean - p.at("jump") * q / (1 - q);
        const auto kept = [&](double g) { return std::abs(g) <= 1 + lambda ? g : 0; };
        const double variance = q * std::pow(high - mean, 2) + (1 - q) * std::pow(low - mean, 2);
        const double bias = q * kept(high) + (1 - q) * kept(low) - mean;
        const double square =
            q * std::pow(kept(high) - mean, 2) + (1 - q) * std::pow(kept(low) - mean, 2);
        const double sigma = std::sqrt(variance);
        return p.at("which") == 0
                   ? Sides{std::abs(bias),
                           (variance / (lambda * lambda) + variance / lambda) * (1 + 1e-9) + 1e-12}
                   : Sides{std::sqrt(square), (sigma + sigma / lambda) * (1 + 1e-9) + 1e-9};
      }};
}

}  // namespace

std::vector<Claim> batched_mirror_lemmas() {
  return lemma_claims(
      "su.batched_mirror_descent",
      {{"theorem_14",
        printed,
        refuted,
        {paper, "Theorem 14"},
        "With T = n epsilon/(M lambda sqrt(d log(1/delta))) and lambda = (sqrt(n epsilon) M/(kappa "
        "(d log(1/delta))^(1/4)))^(2/3) the terms of (28) are at most 20 times the theorem's bound "
        "for 10^-3 <= M <= 10^3. (M belongs in the numerator of T: in M they grow as M^2.83 where "
        "M^1.33 is claimed.)",
        theorem_14(Theorem14::printed, 1e-3, 1e3, 1e3)},
       {"theorem_14",
        corrected,
        holds,
        {here, "Theorem 14 with T and lambda that balance (28)"},
        "The same with T = M n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n "
        "epsilon)/(kappa sqrt(M) (d log(1/delta))^(1/4)))^(2/3), for M >= 1.",
        theorem_14(Theorem14::balanced, 1, 1e3, 1e3)},
       {"theorem_14_small_diameter",
        proved,
        refuted,
        {paper, "Theorem 14, gamma = sqrt T"},
        "The same for M < 1. (The term sigma^2/gamma of (28) does not shrink with M.)",
        theorem_14(Theorem14::balanced, 1e-3, 1, 1e-3)},
       {"theorem_14_small_diameter",
        corrected,
        holds,
        {here, "Theorem 14 with gamma = sqrt T/M"},
        "With gamma = sqrt T/M, T = n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n "
        "epsilon)/(kappa (d log(1/delta))^(1/4)))^(2/3) the terms of (28) are at most 20 M "
        "kappa^(2/3) (d log(1/delta))^(1/6)/(n epsilon)^(1/3) for every M.",
        theorem_14(Theorem14::scaled, 1e-3, 1e3, 1)},
       {"kappa",
        printed,
        refuted,
        {paper, "Algorithm 7, kappa = min{1/(p - 1), log d}, with Lemma 3"},
        "In the plane Lemma 3's noise with kappa = min{q - 1, log 2}, r = kappa + 1, is (epsilon, "
        "delta)-DP. (kappa is below 1, what even one dimension needs, and r below 2, where the "
        "norm is not smooth. Algorithms 3 and 4 print 2 log d.)",
        {{{"q", 1000, 2, 1000, Scale::logarithmic},
          {"epsilon", 0.99, 0.01, 0.99, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{lemma_3_delta(std::min(p.at("q") - 1, std::log(2.0)), p), p.at("delta")};
         }}},
       {"kappa_tail",
        printed,
        refuted,
        {paper, "Algorithm 7, kappa = min{1/(p - 1), log d}, with Lemma 3"},
        "kappa >= d^(2/r - 2/q) for p near 1 and every d >= 3, r = kappa + 1: what Lemma 3's noise "
        "needs as delta falls to 0. (The loss along the flat direction exceeds epsilon with "
        "probability delta^(kappa d^(2/q - 2/r)), up to polynomial factors.)",
        {{{"d", 3, 3, 1e6, Scale::logarithmic}, {"q", 1000, 10, 1e6, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double d = std::floor(p.at("d")), kappa = std::min(p.at("q") - 1, std::log(d));
           return Sides{std::pow(d, 2 / (kappa + 1) - 2 / p.at("q")), kappa};
         }}},
       {"kappa_tail",
        corrected,
        holds,
        {here, "kappa = min{1/(p - 1), 2 log d} of Algorithms 3 and 4"},
        "The same with 2 log d in place of log d.",
        {{{"d", 3, 3, 1e6, Scale::logarithmic}, {"q", 1000, 2, 1e6, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double d = std::floor(p.at("d")), kappa = std::min(p.at("q") - 1, 2 * std::log(d));
           return Sides{std::pow(d, 2 / (kappa + 1) - 2 / p.at("q")), kappa};
         }}},
       {"exponent",
        printed,
        refuted,
        {paper, "Algorithm 7, kappa_+ = kappa/(kappa - 1)"},
        "kappa/(kappa - 1) is the exponent of a norm, at least 1, for every 1 < p < 2 and d >= 2.",
        {{{"p", 1.5, 1.01, 1.99, Scale::linear}, {"d", 3, 2, 100, Scale::integer}},
         [](const ParameterPoint& p) {
           const double kappa = std::min(1 / (p.at("p") - 1), std::log(p.at("d")));
           return Sides{1, kappa / (kappa - 1)};
         }}},
       {"truncation",
        printed,
        refuted,
        {paper, "Lemma 17 under Assumption 4"},
        "The bias and the root mean square of the truncated gradient are at most beta M "
        "(sigma/lambda)^2 + sigma^2/lambda and sigma + beta M sigma/lambda, for gradients of any "
        "mean. (A gradient that is always above beta M + lambda has sigma = 0 and bias.)",
        lemma_17(100)},
       {"truncation",
        corrected,
        holds,
        {here, "Lemma 17 for a mean of at most beta M, as for a stationary point in C"},
        "The same for a mean gradient of norm at most beta M.",
        lemma_17(1)},
       {"martingale",
        printed,
        holds,
        {paper, "proof of Theorem 10, after Lemma 18"},
        "exp(-9 tau/(2 + 3 lambda sqrt(tau)/(sigma sqrt T))) <= exp(-tau) for tau <= 5 sigma^2 "
        "T/lambda^2.",
        {{{"share", 1, 1e-6, 1, Scale::logarithmic}, {"tau", 1, 1e-3, 1e3, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           // lambda sqrt(tau)/(sigma sqrt T) = sqrt(5 share)
           return Sides{-9 * p.at("tau") / (2 + 3 * std::sqrt(5 * p.at("share"))), -p.at("tau")};
         }}}});
}

}  // namespace dpverify::su
