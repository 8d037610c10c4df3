// Steps of the proofs of Theorems 10 and 11 of Tao, Wu, Cheng and Wang that one inequality decides.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/binomial.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/tao/sparse_optimization.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// kappa = gamma/mu.
template <class Real>
struct Gain {
  Real kappa = 1;
  static Fields<Gain> fields() {
    return {field("kappa", &Gain::kappa).range(1.0, 1.0, 1e4, logarithmic)};
  }
  // (50) at s = 72 kappa^2 s*.
  Real of_step() const { return 2 / (72 * kappa * kappa + 1) + 1 / (24 * kappa); }
};

template <class Real>
struct Steps {
  Real t = 1, kappa = 1;
  static Fields<Steps> fields() {
    return {field("T", &Steps::t).range(1, 1, 100, integer),
            field("kappa", &Steps::kappa).range(1.0, 1.0, 1e3, logarithmic)};
  }
  Real factor() const { return 1 - 1 / (12 * kappa); }
};

// Lemma 25 on a diagonal quadratic of 4 coordinates, f(w) = sum_j h_j (w_j - a_j)^2/2 with mu = 1
// <= h_j: w* is the best vector with support {0}, S = {0, 1, 2}.
struct Quadratic {
  Index seed = 0;
  double reach = 1, spread = 0;
  static Fields<Quadratic> fields() {
    return {field("seed", &Quadratic::seed).range(0.0, 0.0, 1e5),
            field("reach", &Quadratic::reach).range(1.0, 0.01, 10.0, logarithmic),
            field("spread", &Quadratic::spread).range(0, 0, 3)};
  }
};

struct Growth {
  double left = 0, right = 0;  // both 0 where the lemma says nothing
};
Growth gradient_growth(const Quadratic& p, bool above_optimum) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(p.seed), .claim = "tao lemma 25"});
  double squares = 0, distance = 0, excess = 0;
  double gain_of_optimum = -1;  // w* may have any one coordinate: 0 must be the best
  for (int j = 0; j < 4; ++j) {
    const double h = 1 + p.spread * stream.uniform(), a = stream.laplace();
    const double w = j < 3 ? a + p.reach * stream.laplace() : 0;
    const double best = j == 0 ? a : 0;
    if (j == 0)
      gain_of_optimum = h * a * a;
    else if (h * a * a > gain_of_optimum)
      return {};  // another support is the optimum
    if (j < 3) {
      squares += std::pow(h * (w - a), 2);
      distance += std::pow(w - best, 2);
    }
    excess += h * (std::pow(w - a, 2) - std::pow(best - a, 2)) / 2;
  }
  if (above_optimum && excess < 0) return {};
  return {excess / 2 + distance / 4, squares};
}

template <class Real>
struct LaplaceNumbers {
  Real log_d = 1, vectors = 100, xi = 0.1;
  static Fields<LaplaceNumbers> fields() {
    return {field("log d", &LaplaceNumbers::log_d).range(1, 0, 200),
            field("vectors", &LaplaceNumbers::vectors).range(100.0, 1.0, 1e6, logarithmic),
            field("xi", &LaplaceNumbers::xi).range(0.1, 1e-6, 0.5, logarithmic)};
  }
  Real log_count() const { return log_d + log(vectors); }
  // P(some |w| among them, of scale 1, exceeds t) = 1 - (1 - e^-t)^count.
  Real maximum_above(const Real& t) const { return -expm1(exp(log_count()) * log1p(-exp(-t))); }
};

// (54) with B = u = 1 and v = 1, T independent steps on records that are 1 with probability q: E
// x^2 = q.
struct TwoPoints {
  double d = 1e4, m = 50, q = 0.002, xi = 0.1, t = 1;
  static Fields<TwoPoints> fields() {
    return {field("d", &TwoPoints::d).range(1e4, 1.0, 1e8, logarithmic),
            field("m", &TwoPoints::m).range(50, 1, 60, integer),
            field("q", &TwoPoints::q).range(0.002, 1e-6, 0.5, logarithmic),
            field("xi", &TwoPoints::xi).range(0.1, 1e-6, 0.5, logarithmic),
            field("T", &TwoPoints::t).range(1000, 1, 1000, integer)};
  }
  // P(one of the d T means exceeds its expectation by sqrt(2 q first/m) + second/(3m)).
  double some_mean_above(double first, double second) const {
    const double threshold = std::sqrt(2 * q * first / m) + second / (3 * m);
    const double above =
        binomial_expectation(m, q, [this, threshold](double k) { return k / m - q > threshold; });
    return -std::expm1(d * t * std::log1p(-std::min(above, 1 - 1e-16)));
  }
};

template <class Real>
struct Iterations {
  Real log_n = 10, kappa = 1, v = 1;
  static Fields<Iterations> fields() {
    return {field("log n", &Iterations::log_n).range(10, 1, 30),
            field("kappa", &Iterations::kappa).range(1.0, 1.0, 1e3, logarithmic),
            field("v", &Iterations::v).range(1.0, 0.05, 1.0)};
  }
  // By T = factor kappa log n steps that shrink the risk by 1 - 1/(24 kappa) each.
  Real shrinkage(const Real& factor) const {
    return exp(factor * kappa * log_n * log1p(-1 / (24 * kappa)));
  }
};

// (55) at u = 1.
template <class Real>
struct Balance {
  Real n = 1e6, epsilon = 1, s = 10, t = 10, d = 1e3, delta = 1e-5, v = 0.5, gamma = 1;
  static Fields<Balance> fields() {
    return {field("n", &Balance::n).range(1e6, 1e3, 1e12, logarithmic),
            field("epsilon", &Balance::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("s", &Balance::s).range(10.0, 1.0, 1e4, logarithmic),
            field("T", &Balance::t).range(10, 1, 100, integer),
            field("d", &Balance::d).range(1e3, 1.0, 1e9, logarithmic),
            field("delta", &Balance::delta).range(1e-5, 1e-12, 0.3, logarithmic),
            field("v", &Balance::v).range(0.5, 0.01, 1.0),
            field("gamma", &Balance::gamma).range(1.0, 0.01, 1e6, logarithmic)};
  }
  Real logarithm() const { return log(d / 0.05); }
  Real root() const { return sqrt(s * -log(delta)); }
  Real budget() const { return gamma * n * epsilon; }
  // Variance, bias and noise, in units of (56), the logarithms set apart.
  Real terms() const {
    const Real b = pow(budget() / (t * logarithm() * root()), 1 / (1 + v));
    const Real variance = s * t * pow(b, 1 - v) * logarithm() / n;
    const Real bias = s * pow(b, -2 * v);
    const Real noise = s * pow(t * b * root() * logarithm() / budget(), 2);
    return variance + bias + noise;
  }
};

template <class Real>
struct Optimality {
  Real log_n = 14, log_d = 10, s = 1, v = 1;
  static Fields<Optimality> fields() {
    return {field("log n", &Optimality::log_n).range(14, 5, 60),
            field("log d", &Optimality::log_d).range(10, 1, 200),
            field("s", &Optimality::s).range(1, 1, 100, integer),
            field("v", &Optimality::v).range(1.0, 0.01, 1.0)};
  }
  Real share() const { return 2 * v / (1 + v); }
};

template <class Real>
struct Packing {
  Real quarter = 1;  // of s*
  static Fields<Packing> fields() {
    return {field("quarter", &Packing::quarter).range(1, 1, 250, integer)};
  }
  // Of two words at Hamming distance s*/2, zeros against nonzeros, after division by sqrt(2 s*).
  Real distance() const {
    const Real s = 4 * quarter;
    return sqrt(s / 2 / (2 * s));
  }
};

void add_steps(LemmaList& lemmas) {
  const auto gain = [](const auto& p) { return p.of_step(); };
  const auto share = [](int numerator, int denominator) {
    return [=](const auto& p) { return decltype(p.kappa)(numerator) / denominator / p.kappa; };
  };
  lemmas.add<Gain>(
      "gain", share(5, 72),
      {{printed, refuted, "proof of Theorem 10, after (52)",
        "With s = 72 kappa^2 s* and kappa = gamma/mu, a step shrinks the excess risk, noise apart, "
        "by a share of at least 5/72 mu/gamma of it: (50)'s share, 2 s*/(s + s*) + mu/(24 gamma), "
        "is at least that.",
        gain},
       {corrected, holds, "(50) with mu/(24 gamma)", "A step gains at least mu/(24 gamma) by (50).",
        gain, std::nullopt, share(1, 24)}});
  lemmas.add<Gain>("gain_final", share(1, 12),
                   {{printed, refuted, "proof of Theorem 10, last display",
                     "With s = 72 kappa^2 s* and kappa = gamma/mu, a step shrinks the excess risk, "
                     "noise apart, by a share of at least mu/(12 gamma) of it: (50)'s share, 2 "
                     "s*/(s + s*) + mu/(24 gamma), is at least that.",
                     gain}});
  lemmas.add<Steps>(
      "steps", [](const auto& p) { return pow(p.factor(), p.t); },
      {{printed, refuted, "proof of Theorem 10, last display",
        "T steps from w^1, each of which multiplies the excess risk by 1 - mu/(12 gamma), the "
        "noise apart, multiply it by at most (1 - mu/(12 gamma))^(T+1). (kappa is gamma/mu.)",
        [](const auto& p) { return pow(p.factor(), p.t + 1); }}});
  const std::string growth =
      "mu/2 (L(w) - L(w*)) + mu^2/4 ||w* - w||^2 <= ||g_{S and S*}||^2 for every s-sparse w";
  lemmas.add<Quadratic>(
      "gradient_growth", [](const Quadratic& p) { return gradient_growth(p, false).left; },
      {{printed, refuted, "Lemma 25, with w^t s-sparse and w* s*-sparse, s > s*",
        growth +
            ". S and S* are the supports of w and of w*, the best s*-sparse vector, g is the "
            "gradient of L at w, taken on the union of the two, and L is mu-strongly convex. "
            "(Checked on L(w) = sum_j h_j (w_j - a_j)^2/2 with mu = 1: seed draws a and w, reach "
            "is the scale of w - a on S, and the h_j lie between 1 and 1 + spread.)",
        [](const Quadratic& p) { return gradient_growth(p, false).right; }},
       {proved, holds, "Lemma 25 for L(w) >= L(w*)", growth + " with L(w) >= L(w*).",
        [](const Quadratic& p) { return gradient_growth(p, true).right; }, std::nullopt,
        [](const Quadratic& p) { return gradient_growth(p, true).left; }}},
      {"diagonal quadratics in 4 dimensions, s* = 1, s = 3"});
  const auto wanted = [](const auto& p) { return exp(-2 * p.v / (1 + p.v) * p.log_n); };
  lemmas.add<Iterations>(
      "iterations", [](const auto& p) { return p.shrinkage(48 * p.v / (1 + p.v) * (1 + 1e-12)); },
      {{corrected, holds, "Theorem 10's T = O((gamma/mu) log n), with a constant that suffices",
        "T = (48 v/(1+v)) (gamma/mu) log n steps that shrink the risk by 1 - mu/(24 gamma) each "
        "shrink it by n^(-2v/(1+v)).",
        wanted}});
}

void add_noise(LemmaList& lemmas) {
  const auto xi = [](const auto& p) { return p.xi; };
  lemmas.add<LaplaceNumbers>(
      "noise_union", [](const auto& p) { return p.maximum_above(p.log_count() - log(p.xi)); },
      {{printed, refuted, "proof of Theorem 10, union bound after Lemma 26",
        "With probability 1 - xi no entry of the N = T (s + 1) Laplace noise vectors of d numbers "
        "exceeds 10 log(N/xi) times their scale. (The text has O(log(Ts/xi)); the 10 and N, which "
        "is more than Ts, are this check's. In the counterexample vectors is N.)",
        xi, std::nullopt,
        [](const auto& p) { return p.maximum_above(10 * log(p.vectors / p.xi)); }},
       {corrected, holds, "the union bound with d",
        "With probability 1 - xi no entry of the N = T (s + 1) noise vectors of d numbers exceeds "
        "log(d N/xi) times their scale.",
        xi}});
  const std::vector<std::string> two_points{
      "independent coordinates, each 1 with probability q and else 0; B = 1"};
  const auto with_d = [](const TwoPoints& p) {
    const double logarithm = std::log(p.d / p.xi);
    return p.some_mean_above(logarithm, logarithm);
  };
  const std::string within =
      "With probability 1 - xi every one of d coordinates of the truncated "
      "mean is within sqrt(2 B^(1-v) u log(";
  const Fields<TwoPoints> one_step = TwoPoints::fields().within(&TwoPoints::t, 1, 1, 1);
  lemmas.add<TwoPoints>(
      "deviation", with_d,
      {{printed, refuted, "(54): B log(1/xi)/(3m) without d",
        within + "d/xi)/m) + B log(1/xi)/(3m) of its expectation. (m is the number of records of a "
                 "step; v = 1 and u = q are this check's, and T = 1: one step.)",
        xi, one_step,
        [](const TwoPoints& p) {
          return p.some_mean_above(std::log(p.d / p.xi), -std::log(p.xi));
        }},
       {corrected, holds, "(54) with log(d/xi) in both terms",
        within + "d/xi)/m) + B log(d/xi)/(3m) of its expectation.", xi, one_step}},
      two_points);
  lemmas.add<TwoPoints>(
      "deviation_of_every_step", with_d,
      {{printed, refuted, "(54) to (56), for all t in [T] with probability 1 - xi",
        within + "d/xi)/m) + B log(d/xi)/(3m) of its expectation in every step t = 1..T. (m is the "
                 "number of records of a step; v = 1 and u = q are this check's, and so is the "
                 "log(d/xi) of the second term, where (54) has log(1/xi).)",
        xi},
       {corrected, holds, "(54) with log(dT/xi), as in Theorem 10's B",
        within + "dT/xi)/m) + B log(dT/xi)/(3m) of its expectation in every step t = 1..T.", xi,
        std::nullopt,
        [](const TwoPoints& p) {
          const double logarithm = std::log(p.d * p.t / p.xi);
          return p.some_mean_above(logarithm, logarithm);
        }}},
      two_points);
}

void add_bounds(LemmaList& lemmas) {
  const auto of_56 = [](const auto& p) {
    return 3 * p.s * pow(p.t * p.logarithm() * p.root() / p.budget(), 2 * p.v / (1 + p.v));
  };
  const std::string balance =
      "At the printed B the variance, bias and noise terms of (55) are together at most 3 times "
      "(56), for ";
  lemmas.add<Balance>(
      "balance", [](const auto& p) { return p.terms(); },
      {{printed, refuted, "(55) and (56), any gamma",
        balance + "every gamma. (B is (gamma u n epsilon/(T log(d/xi) sqrt(s "
                  "log(1/delta))))^(1/(1+v)); the constant 3, xi = 0.05 and log(d/xi) in the noise "
                  "term, where (55) has log(Ts/xi), are this check's.)",
        of_56},
       {corrected, holds, "(55) and (56) for gamma <= 1", balance + "gamma <= 1.", of_56,
        Balance<double>::fields().within(&Balance<double>::gamma, 1.0, 0.01, 1.0)}},
      {"u = 1, logarithms as printed"});
  // In units of u^(2/(1+v)) (sqrt(log(1/delta))/(n epsilon))^(2v/(1+v)), xi = 1.
  lemmas.add<Optimality>(
      "optimality",
      [](const auto& p) {
        return pow(p.s, (1 + 2 * p.v) / (1 + p.v)) * pow(p.log_n * p.log_d, p.share());
      },
      {{printed, refuted, "abstract and Section 6: Theorem 10 is optimal up to a factor O(s*)",
        "Theorem 10's bound (2) is optimal up to a factor O(s*): it is at most 10 s* times the "
        "lower bound of Theorem 11 under (epsilon, delta)-DP. (The 10 is this check's; s is s*.)",
        [](const auto& p) { return 10 * p.s * pow(p.s * p.log_d, p.share() / 2); }}},
      {"xi = 1"});
  const std::string words =
      "Words of {-1, 0, 1}^d with s* nonzeros at Hamming distance s*/2 or more are ";
  const auto distance = [](const auto& p) { return p.distance(); };
  lemmas.add<Packing>(
      "packing_distance", 0.5,
      {{printed, refuted, "proof of Theorem 11",
        words + "at least sqrt2 apart after division by sqrt(2 s*). (quarter is s*/4.)", distance,
        std::nullopt, [](const auto& p) { return sqrt(decltype(p.quarter)(2)); }},
       {corrected, holds, "proof of Theorem 11",
        words + "at least 1/2 apart after division by sqrt(2 s*).", distance}},
      {"s* divisible by 4"});
}

// Of x = q^(-1/(1+v)) with probability q, else 0, E|x|^(1+v) = 1, and of signs, at the point w.
struct Example {
  double q = 0.5, v = 0.5, w = 0;
  static Fields<Example> fields() {
    return {field("q", &Example::q).range(0.5, 1e-9, 1.0, logarithmic),
            field("v", &Example::v).range(0.5, 0.01, 0.9),
            field("w", &Example::w).range(0.0, -1e3, 1e3)};
  }
  double moment() const {
    return (std::pow(std::abs(w + 1), 1 + v) + std::pow(std::abs(w - 1), 1 + v)) / 2;
  }
};

// Assumption 2 and what is said to meet it.
void add_examples(LemmaList& lemmas) {
  const Fields<Example> mean = Example::fields().without(&Example::q),
                        logistic = Example::fields().without(&Example::w);
  lemmas.add<Example>(
      "example_mean", &Example::moment,
      {{printed, refuted, "Assumption 2 and its example, mean estimation",
        "Mean estimation meets Assumption 2, which asks for one bound on the moments of the "
        "gradient for every s-sparse w: for the loss ||x - w||^2/2, x_j a fair sign, E|w_j - "
        "x_j|^(1+v) <= 100. (The law and the constant 100 are this check's; w is the entry w_j.)",
        100.0, mean},
       {corrected, holds, "Assumption 2's moments where |w_j| <= 1",
        "For ||x - w||^2/2, x_j a fair sign, E|w_j - x_j|^(1+v) <= 2^v (1 + E|x_j|^(1+v)) where "
        "|w_j| <= 1.",
        [](const Example& p) { return 2 * std::pow(2, p.v) * (1 + 1e-12); },
        mean.within(&Example::w, 0.0, -1.0, 1.0)}});
  lemmas.add<Example>(
      "example_logistic", [](const Example& p) { return std::pow(p.q, 1 - 2 / (1 + p.v)) / 4; },
      {{printed, refuted, "Assumption 2 and its example, regularised logistic regression",
        "Regularised logistic regression meets Assumption 2 if the features have a bounded "
        "(1+v)-th moment: if E|x_j|^(1+v) = 1, the logistic risk is 100-smooth along a coordinate, "
        "so that its curvature at w = 0, E x_j^2/4, is at most 100. (x_j = q^(-1/(1+v)) with "
        "probability q and else 0, v <= 0.9 and the constant 100 are this check's.)",
        100.0, logistic}});
}

}  // namespace

std::vector<Claim> sparse_optimization_lemmas() {
  LemmaList lemmas("tao.sparse_optimization", Text::tao);
  add_steps(lemmas);
  add_noise(lemmas);
  add_bounds(lemmas);
  add_examples(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
