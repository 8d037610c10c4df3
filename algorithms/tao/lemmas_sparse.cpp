// Lemmas of Peeling and of sparse optimisation, Algorithms 4 and 5.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/mechanisms/peeling_lemmas.hpp"
#include "algorithms/tao/lemmas.hpp"
#include "algorithms/tao/peeling.hpp"
#include "algorithms/tao/sparse_optimization.hpp"

namespace dpverify::tao {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

// ---- Peeling ------------------------------------------------------------------------------------

// s selections and s values with noise of scale b, lambda = 1.
std::vector<PureSteps> steps(double s, double b) {
  const auto count = static_cast<Index>(s);
  return {{2 / b, count}, {1 / b, count}};
}

// Lemma 22 by optimal composition of its 2s steps.
Sides composition(const ParameterPoint& p) {
  const double b = noise_scale({.sparsity = static_cast<Index>(p.at("sparsity")),
                                .epsilon = p.at("epsilon"),
                                .delta = p.at("delta"),
                                .factor = peeling_factor});
  return {composed_delta(steps(p.at("sparsity"), b), p.at("epsilon")), p.at("delta")};
}

// d = s = 1: the whole of Peeling is one Laplace release that moves by lambda, whose delta at
// epsilon is 1 - e^((epsilon - lambda/b)/2) for epsilon <= lambda/b. In terms of 1 - delta.
Sides one_release(const ParameterPoint& p) {
  const double gap = p.at("1-delta"), epsilon = p.at("epsilon");
  const double b = 4 * std::sqrt(-2 * std::log1p(-gap)) / epsilon;
  return {gap, std::exp(std::min(0.0, (epsilon - 1 / b) / 2))};
}

// The smallest factor c, to 2 decimals, for which b = c lambda sqrt(s log(1/delta))/epsilon is
// certified by optimal composition at epsilon = 1, delta = 1e-5.
struct SmallestFactor {
  double sparsity, factor;
};
constexpr std::array<SmallestFactor, 4> smallest_factors{
    {{1, 0.89}, {5, 1.97}, {20, 2.37}, {50, 2.42}}};

double delta_of_factor(const SmallestFactor& row, double factor) {
  const double delta = 1e-5;
  return composed_delta(steps(row.sparsity, factor * std::sqrt(row.sparsity * -std::log(delta))),
                        1);
}

// ---- Algorithm 5 --------------------------------------------------------------------------------

// The gain of a step, (50), at s = 72 kappa^2 s*, kappa = gamma/mu.
LemmaClaim gain_at_least(double times_kappa) {
  return {{{"kappa", 1, 1, 1e4, Scale::logarithmic}}, [times_kappa](const ParameterPoint& p) {
            const double kappa = p.at("kappa");
            return Sides{times_kappa / kappa, 2 / (72 * kappa * kappa + 1) + 1 / (24 * kappa)};
          }};
}

// Lemma 25 on a diagonal quadratic of 4 coordinates, f(w) = sum_j h_j (w_j - a_j)^2/2 with mu = 1
// <= h_j: w* is the best vector with support {0}, S = {0, 1, 2}.
Sides gradient_growth(const ParameterPoint& p, bool above_optimum) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "tao lemma 25"});
  double squares = 0, distance = 0, excess = 0;
  double gain_of_optimum = -1;  // w* may have any one coordinate: 0 must be the best
  for (int j = 0; j < 4; ++j) {
    const double h = 1 + p.at("spread") * stream.uniform(), a = stream.laplace();
    const double w = j < 3 ? a + p.at("reach") * stream.laplace() : 0;
    const double best = j == 0 ? a : 0;
    if (j == 0)
      gain_of_optimum = h * a * a;
    else if (h * a * a > gain_of_optimum)
      return {0, 0};  // another support is the optimum
    if (j < 3) {
      squares += std::pow(h * (w - a), 2);
      distance += std::pow(w - best, 2);
    }
    excess += h * (std::pow(w - a, 2) - std::pow(best - a, 2)) / 2;
  }
  if (above_optimum && excess < 0) return {0, 0};
  return {excess / 2 + distance / 4, squares};
}

// P(some |w| among `count` Laplace numbers of scale 1 exceeds t).
double laplace_maximum_above(double log_count, double t) {
  // 1 - (1 - e^-t)^count
  return -std::expm1(std::exp(log_count) * std::log1p(-std::exp(-t)));
}

// P(a mean of m records that are 1 with probability q exceeds its expectation by `threshold`, in
// one of d independent coordinates).
double some_mean_above(double d, double m, double q, double threshold) {
  double above = 0;
  for (double k = 0; k <= m; ++k)
    if (k / m - q > threshold) above += binomial_probability(m, k, q);
  return -std::expm1(d * std::log1p(-std::min(above, 1 - 1e-16)));
}

// (54) with B = u = 1 and v = 1, the law of the records two-point: E x^2 = q. The logarithms of the
// first and of the second term, over T independent steps.
Sides deviation(const ParameterPoint& p, double first, double second, double steps) {
  const double m = p.at("m"), q = p.at("q");
  return {some_mean_above(p.at("d") * steps, m, q, std::sqrt(2 * q * first / m) + second / (3 * m)),
          p.at("xi")};
}
std::vector<ParameterRange> deviation_ranges(double largest_steps) {
  return {{"d", 1e4, 1, 1e8, Scale::logarithmic},
          {"m", 50, 1, 60, Scale::integer},
          {"q", 0.002, 1e-6, 0.5, Scale::logarithmic},
          {"xi", 0.1, 1e-6, 0.5, Scale::logarithmic},
          {"T", largest_steps, 1, largest_steps, Scale::integer}};
}

const std::string two_points =
    "independent coordinates, each 1 with probability q and else 0; B = 1";

// T = factor kappa log n steps that shrink the risk by 1 - 1/(24 kappa) each.
Sides shrinkage(const ParameterPoint& p, double factor) {
  const double kappa = p.at("kappa"), v = p.at("v");
  return {std::exp(factor * kappa * p.at("log n") * std::log1p(-1 / (24 * kappa))),
          std::exp(-2 * v / (1 + v) * p.at("log n"))};
}
const std::vector<ParameterRange> iteration_ranges{{"log n", 10, 1, 30, Scale::linear},
                                                   {"kappa", 1, 1, 1e3, Scale::logarithmic},
                                                   {"v", 1, 0.05, 1, Scale::linear}};

// (55) at u = 1: variance, bias and noise, in units of (56), the logarithms set apart.
Sides balance(const ParameterPoint& p) {
  const double n = p.at("n"), epsilon = p.at("epsilon"), s = p.at("s"), t = p.at("T");
  const double v = p.at("v"), gamma = p.at("gamma");
  const double logarithm = std::log(p.at("d") / 0.05),
               root = std::sqrt(s * -std::log(p.at("delta")));
  const double b = std::pow(gamma * n * epsilon / (t * logarithm * root), 1 / (1 + v));
  const double variance = s * t * std::pow(b, 1 - v) * logarithm / n;
  const double bias = s * std::pow(b, -2 * v);
  const double noise = s * std::pow(t * b * root * logarithm / (gamma * n * epsilon), 2);
  return {variance + bias + noise,
          3 * s * std::pow(t * logarithm * root / (gamma * n * epsilon), 2 * v / (1 + v))};
}
std::vector<ParameterRange> balance_ranges(double largest_gamma) {
  return {{"n", 1e6, 1e3, 1e12, Scale::logarithmic},
          {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
          {"s", 10, 1, 1e4, Scale::logarithmic},
          {"T", 10, 1, 100, Scale::integer},
          {"d", 1e3, 1, 1e9, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.3, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear},
          {"gamma", 1, 0.01, largest_gamma, Scale::logarithmic}};
}

}  // namespace

std::vector<Claim> peeling_lemmas() {
  const auto factor = [](double offset, bool certified) {
    return LemmaClaim{{{"row", 0, 0, smallest_factors.size() - 1.0, Scale::integer}},
                      [=](const ParameterPoint& p) {
                        const SmallestFactor& row =
                            smallest_factors[static_cast<std::size_t>(p.at("row"))];
                        const double delta = delta_of_factor(row, row.factor + offset);
                        return certified ? Sides{delta, 1e-5} : Sides{1e-5, delta};
                      }};
  };
  const auto composed = [](double largest_delta) {
    return LemmaClaim{{{"sparsity", 1, 1, 60, Scale::integer},
                       {"epsilon", 0.5, 1e-3, 1, Scale::logarithmic},
                       {"delta", 1e-5, 1e-12, largest_delta, Scale::logarithmic}},
                      composition};
  };
  std::vector<Claim> claims = lemma_claims(
      "tao.peeling",
      {{"composition",
        proved,
        holds,
        {paper, "Lemma 22 by optimal composition"},
        "Optimal composition of the 2s steps certifies epsilon at delta for 0 < epsilon <= 1, 0 < "
        "delta <= 0.9.",
        composed(0.9),
        {}},
       {"one_release",
        printed,
        refuted,
        {paper, "Lemma 22 and Theorem 10, 0 < delta < 1"},
        "With s = d = 1 the only release that matters, one Laplace number moved by lambda, is "
        "(epsilon, delta)-DP for every delta < 1. The noise shrinks like sqrt(1 - delta) near 1, "
        "where the exact delta is larger. Sides: 1 - delta, and 1 - exact delta.",
        {{{"epsilon", 1, 0.01, 1, Scale::logarithmic},
          {"1-delta", 1e-6, 1e-9, 0.9, Scale::logarithmic}},
         one_release},
        {}},
       {"one_release",
        corrected,
        holds,
        {here, "Lemma 22 for delta <= 0.999"},
        "The same for delta <= 0.999.",
        {{{"epsilon", 1, 0.01, 1, Scale::logarithmic},
          {"1-delta", 0.001, 0.001, 0.9999, Scale::logarithmic}},
         one_release},
        {}},
       {"smallest_factor",
        corrected,
        holds,
        {here, "Lemma 22 at epsilon = 1, delta = 1e-5, by optimal composition"},
        "Scale c lambda sqrt(s log(1/delta))/epsilon is certified for c = 0.89 (s = 1), 1.97 (5), "
        "2.37 (20), 2.42 (50), where the text has 4 sqrt2 = 5.66.",
        factor(0, true),
        {}},
       {"smaller_factor",
        corrected,
        holds,
        {here, "Lemma 22 at epsilon = 1, delta = 1e-5, by optimal composition"},
        "With 0.01 less than these factors optimal composition certifies no delta below 1e-5.",
        factor(-0.01, false),
        {}},
       {"laplace_density",
        printed,
        refuted,
        {paper, "Lemma 2"},
        "exp(-x/lambda)/(2 lambda) is a density: its integral over [-t, t], sinh(t/lambda), is at "
        "most 1.",
        {{{"t", 1, 0.01, 10, Scale::linear}, {"lambda", 1, 0.1, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{std::sinh(p.at("t") / p.at("lambda")), 1};
         }},
        {}},
       {"laplace_density",
        corrected,
        holds,
        {here, "Lemma 2 with |x|"},
        "exp(-|x|/lambda)/(2 lambda) has the integral 1 - e^(-t/lambda) <= 1 over [-t, t].",
        {{{"t", 1, 0.01, 10, Scale::linear}, {"lambda", 1, 0.1, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{-std::expm1(-p.at("t") / p.at("lambda")), 1};
         }},
        {}}});
  LemmaList shared("tao.peeling", Text::tao);
  add_peeling_lemmas(shared, {"Lemma 23", "Lemma 24", "Lemma 26", "Lemma 26"});
  for (Claim& lemma : shared.take()) claims.push_back(std::move(lemma));
  return claims;
}

std::vector<Claim> sparse_optimization_lemmas() {
  const Source theorem_10{paper, "proof of Theorem 10"};
  return lemma_claims(
      "tao.sparse_optimization",
      {{"gain",
        printed,
        refuted,
        {paper, "proof of Theorem 10, after (52)"},
        "A step gains at least 5/72 mu/gamma by (50): true for mu = gamma only to 2 digits.",
        gain_at_least(5.0 / 72),
        {}},
       {"gain_final",
        printed,
        refuted,
        {paper, "proof of Theorem 10, last display"},
        "A step gains at least mu/(12 gamma) by (50).",
        gain_at_least(1.0 / 12),
        {}},
       {"gain",
        corrected,
        holds,
        {here, "(50) with mu/(24 gamma)"},
        "A step gains at least mu/(24 gamma) by (50).",
        gain_at_least(1.0 / 24),
        {}},
       {"steps",
        printed,
        refuted,
        {paper, "proof of Theorem 10, last display"},
        "T steps from w^1 shrink the excess risk by (1 - mu/(12 gamma))^(T+1), the noise apart.",
        {{{"T", 1, 1, 100, Scale::integer}, {"kappa", 1, 1, 1e3, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double factor = 1 - 1 / (12 * p.at("kappa"));
           return Sides{std::pow(factor, p.at("T")), std::pow(factor, p.at("T") + 1)};
         }},
        {}},
       {"gradient_growth",
        printed,
        refuted,
        {paper, "Lemma 25, with w^t s-sparse and w* s*-sparse, s > s*"},
        "mu/2 (L(w) - L(w*)) + mu^2/4 ||w* - w||^2 <= ||g_{S and S*}||^2 for every s-sparse w. It "
        "fails where w, with more coordinates, has less risk than w*.",
        {{{"seed", 0, 0, 1e5, Scale::integer},
          {"reach", 1, 0.01, 10, Scale::logarithmic},
          {"spread", 0, 0, 3, Scale::linear}},
         [](const ParameterPoint& p) { return gradient_growth(p, false); }},
        {"diagonal quadratics in 4 dimensions, s* = 1, s = 3"}},
       {"gradient_growth",
        proved,
        holds,
        {paper, "Lemma 25 for L(w) >= L(w*)"},
        "The same where L(w) >= L(w*).",
        {{{"seed", 0, 0, 1e5, Scale::integer},
          {"reach", 1, 0.01, 10, Scale::logarithmic},
          {"spread", 0, 0, 3, Scale::linear}},
         [](const ParameterPoint& p) { return gradient_growth(p, true); }},
        {"diagonal quadratics in 4 dimensions, s* = 1, s = 3"}},
       {"noise_union",
        printed,
        refuted,
        {paper, "proof of Theorem 10, union bound after Lemma 26"},
        "With probability 1 - xi no entry of the T (s + 1) noise vectors of d numbers exceeds 10 "
        "log(Ts/xi) times their scale: d is missing from the logarithm, and no constant makes up "
        "for it.",
        {{{"log d", 1, 0, 200, Scale::linear},
          {"Ts", 100, 1, 1e6, Scale::logarithmic},
          {"xi", 0.1, 1e-6, 0.5, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{laplace_maximum_above(p.at("log d") + std::log(p.at("Ts")),
                                              10 * std::log(p.at("Ts") / p.at("xi"))),
                        p.at("xi")};
         }},
        {}},
       {"noise_union",
        corrected,
        holds,
        {here, "the union bound with d"},
        "With probability 1 - xi no entry of T s noise vectors of d numbers exceeds log(d T s/xi) "
        "times their scale.",
        {{{"log d", 1, 0, 200, Scale::linear},
          {"Ts", 100, 1, 1e6, Scale::logarithmic},
          {"xi", 0.1, 1e-6, 0.5, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double count = p.at("log d") + std::log(p.at("Ts"));
           return Sides{laplace_maximum_above(count, count - std::log(p.at("xi"))), p.at("xi")};
         }},
        {}},
       {"deviation",
        printed,
        refuted,
        {paper, "(54): B log(1/xi)/(3m) without d"},
        "With probability 1 - xi every one of d coordinates of the truncated mean is within sqrt(2 "
        "B^(1-v) u log(d/xi)/m) + B log(1/xi)/(3m) of its expectation.",
        {deviation_ranges(1),
         [](const ParameterPoint& p) {
           return deviation(p, std::log(p.at("d") / p.at("xi")), -std::log(p.at("xi")), 1);
         }},
        {two_points}},
       {"deviation",
        corrected,
        holds,
        {here, "(54) with log(d/xi) in both terms"},
        "The same with B log(d/xi)/(3m).",
        {deviation_ranges(1),
         [](const ParameterPoint& p) {
           const double logarithm = std::log(p.at("d") / p.at("xi"));
           return deviation(p, logarithm, logarithm, 1);
         }},
        {two_points}},
       {"deviation_of_every_step",
        printed,
        refuted,
        {paper, "(54) to (56), for all t in [T] with probability 1 - xi"},
        "With probability 1 - xi that holds, with log(d/xi) in both terms, for every step t = "
        "1..T: "
        "T is missing from the logarithm of the proof's B, not of the theorem's.",
        {deviation_ranges(1000),
         [](const ParameterPoint& p) {
           const double logarithm = std::log(p.at("d") / p.at("xi"));
           return deviation(p, logarithm, logarithm, p.at("T"));
         }},
        {two_points}},
       {"deviation_of_every_step",
        corrected,
        holds,
        {here, "(54) with log(dT/xi), as in Theorem 10's B"},
        "The same with log(dT/xi).",
        {deviation_ranges(1000),
         [](const ParameterPoint& p) {
           const double logarithm = std::log(p.at("d") * p.at("T") / p.at("xi"));
           return deviation(p, logarithm, logarithm, p.at("T"));
         }},
        {two_points}},
       {"iterations",
        printed,
        refuted,
        {paper, "Theorem 10's T = O((gamma/mu) log n), with constant 1"},
        "T = (gamma/mu) log n steps that shrink the risk by 1 - mu/(24 gamma) each shrink it by "
        "n^(-2v/(1+v)): by n^(-1/24) only.",
        {iteration_ranges, [](const ParameterPoint& p) { return shrinkage(p, 1); }},
        {}},
       {"iterations",
        corrected,
        holds,
        {here, "T = (48 v/(1+v)) (gamma/mu) log n"},
        "T = (48 v/(1+v)) (gamma/mu) log n steps do.",
        {iteration_ranges,
         [](const ParameterPoint& p) {
           return shrinkage(p, 48 * p.at("v") / (1 + p.at("v")) * (1 + 1e-12));
         }},
        {}},
       {"balance",
        printed,
        refuted,
        {paper, "(55) and (56), any gamma"},
        "At the printed B the variance, bias and noise terms of (55) are together at most 3 times "
        "(56), for every gamma: the variance term grows with gamma, (56) falls.",
        {balance_ranges(1e6), balance},
        {"u = 1, logarithms as printed"}},
       {"balance",
        corrected,
        holds,
        {here, "(55) and (56) for gamma <= 1"},
        "The same for gamma <= 1.",
        {balance_ranges(1), balance},
        {"u = 1, logarithms as printed"}},
       {"optimality",
        printed,
        refuted,
        {paper, "abstract and Section 6: Theorem 10 is optimal up to a factor O(s*)"},
        "(2) is at most 10 s* times the (epsilon, delta) bound of Theorem 11. The gap is s* (log "
        "d)^(v/(1+v)) (log n)^(2v/(1+v)).",
        {{{"log n", 14, 5, 60, Scale::linear},
          {"log d", 10, 1, 200, Scale::linear},
          {"s", 1, 1, 100, Scale::integer},
          {"v", 1, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           // In units of u^(2/(1+v)) (sqrt(log(1/delta))/(n epsilon))^(2v/(1+v)), xi = 1.
           const double v = p.at("v"), s = p.at("s"), share = 2 * v / (1 + v);
           return Sides{
               std::pow(s, (1 + 2 * v) / (1 + v)) * std::pow(p.at("log n") * p.at("log d"), share),
               10 * s * std::pow(s * p.at("log d"), share / 2)};
         }},
        {"xi = 1"}},
       {"packing_distance",
        printed,
        refuted,
        {paper, "proof of Theorem 11"},
        "Words of {-1, 0, 1}^d with s* nonzeros at Hamming distance s*/2 or more are sqrt2 apart "
        "after division by sqrt(2 s*). At distance s*/2 with zeros against nonzeros: 1/2.",
        {{{"quarter", 1, 1, 250, Scale::integer}},
         [](const ParameterPoint& p) {
           const double s = 4 * p.at("quarter");
           return Sides{std::numbers::sqrt2, std::sqrt(s / 2 / (2 * s))};
         }},
        {"s* divisible by 4"}},
       {"packing_distance",
        corrected,
        holds,
        {here, "proof of Theorem 11"},
        "They are at least 1/2 apart.",
        {{{"quarter", 1, 1, 250, Scale::integer}},
         [](const ParameterPoint& p) {
           const double s = 4 * p.at("quarter");
           return Sides{0.5, std::sqrt(s / 2 / (2 * s))};
         }},
        {"s* divisible by 4"}}});
}

}  // namespace dpverify::tao
