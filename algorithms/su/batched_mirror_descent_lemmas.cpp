// Steps of the proof of Theorem 14 (and of 10, which it shares) that one inequality decides. Where
// a step has an unstated constant, the claim allows a generous one, and a refutation is of that
// one over the ranges that the claim states.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// sigma = beta = 1; l = log(1/delta).
template <class Real>
struct Theorem14 {
  Real m = 1, kappa = 2, budget = 1e30, dl = 100;  // budget: n epsilon; dl: d l
  static Fields<Theorem14> fields() {
    return {field("diameter", &Theorem14::m).range(1e3, 1e-3, 1e3, logarithmic),
            field("kappa", &Theorem14::kappa).range(2.0, 1.0, 100.0, logarithmic),
            field("n_epsilon", &Theorem14::budget).range(1e30, 1e3, 1e30, logarithmic),
            field("d_log", &Theorem14::dl).range(100.0, 1.0, 1e6, logarithmic)};
  }
};

//   printed:  T = n epsilon/(M lambda sqrt(d l)), lambda = (sqrt(n epsilon) M/(kappa (d
//   l)^(1/4)))^(2/3), gamma = sqrt T
//   balanced: M in the numerator of T, 1/sqrt(M) in place of M in lambda
//   scaled:   neither M, gamma = sqrt T/M, and the bound with M in place of M^(4/3)
enum class Choice { printed, balanced, scaled };

// A side of the theorem: side(parameters, lambda, T), or 0 where lambda < max{beta, 1} M or T < 1,
// of which the theorem says nothing.
template <class S>
auto where_it_speaks(Choice choice, S side) {
  return [=]<class Real>(const Theorem14<Real>& p) -> Real {
    const bool scaled = choice == Choice::scaled;
    const Real in_lambda = choice == Choice::printed ? p.m : scaled ? Real(1) : 1 / sqrt(p.m);
    const Real in_t = choice == Choice::printed ? 1 / p.m : scaled ? Real(1) : p.m;
    const Real lambda = pow(in_lambda * sqrt(p.budget) / (p.kappa * pow(p.dl, 0.25)), Real(2) / 3);
    const Real t = in_t * p.budget / (lambda * sqrt(p.dl));
    const Real nearly = 1 - 1e-12;  // what holds with equality counts as holding
    if (lambda < nearly * max(p.m, Real(1)) || t < nearly || nearly * t > p.budget) return 0;
    return side(p, lambda, t);
  };
}

// The terms of (28), the failure probability apart.
GenericSide<Theorem14> terms(Choice choice) {
  const auto sum = [choice]<class Real>(const Theorem14<Real>& p, const Real& lambda,
                                        const Real& t) -> Real {
    const Real& m = p.m;
    const Real gamma = sqrt(t) / (choice == Choice::scaled ? m : Real(1));
    const Real noise = p.dl * p.kappa * pow(t * (m + lambda) / p.budget, 2) / gamma;
    return p.kappa * m * m * gamma / t + m / lambda + m / sqrt(t) + 1 / gamma +
           m / (sqrt(t) * gamma) + noise;
  };
  return where_it_speaks(choice, sum);
}

// `times` the bound.
GenericSide<Theorem14> bound(Choice choice, double times) {
  const auto so_many = [=]<class Real>(const Theorem14<Real>& p, const Real&, const Real&) -> Real {
    return times * pow(p.m, choice == Choice::scaled ? Real(1) : Real(4) / 3) *
           pow(p.kappa, Real(2) / 3) * pow(p.dl, Real(1) / 6) / cbrt(p.budget);
  };
  return where_it_speaks(choice, so_many);
}

void add_theorem_14(LemmaList& lemmas) {
  const std::vector<std::string> hidden{
      "beta = sigma = 1; the constants of T, lambda and gamma are 1, those of the bounds this "
      "project's choice"};
  const auto diameters = [](double simplest, double lower, double upper) {
    return Theorem14<double>::fields().within(&Theorem14<double>::m, simplest, lower, upper);
  };
  lemmas.add<Theorem14>(
      "theorem_14", terms(Choice::balanced),
      {{printed,
        refuted,
        "Theorem 14",
        "With gamma = sqrt T, T = n epsilon/(M lambda sqrt(d log(1/delta))) and lambda = (sqrt(n "
        "epsilon) M/(kappa (d log(1/delta))^(1/4)))^(2/3) the terms of (28), the failure "
        "probability apart, add up to at most a constant times Theorem 14's bound, M^(4/3) "
        "kappa^(2/3) (d log(1/delta))^(1/6)/(n epsilon)^(1/3). The diameter is M, n_epsilon is n "
        "epsilon and d_log is d log(1/delta). (The constant 20 and 10^-3 <= M <= 10^3 are this "
        "check's.)",
        bound(Choice::printed, 20),
        {},
        terms(Choice::printed)},
       {corrected, holds, "Theorem 14 with T and lambda that balance (28)",
        "With T = M n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n epsilon)/(kappa "
        "sqrt(M) (d log(1/delta))^(1/4)))^(2/3) the terms of (28) are at most 9.1 times Theorem "
        "14's bound for M >= 1.",
        bound(Choice::balanced, 9.1), diameters(1e3, 1, 1e3)}},
      hidden);
  lemmas.add<Theorem14>(
      "theorem_14_small_diameter", terms(Choice::balanced),
      {{proved, refuted, "Theorem 14, gamma = sqrt T",
        "With gamma = sqrt T, T = M n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n "
        "epsilon)/(kappa sqrt(M) (d log(1/delta))^(1/4)))^(2/3), which balance (28) where the "
        "printed T and lambda do not, the terms of (28), the failure probability apart, add up to "
        "at most a constant times Theorem 14's bound, M^(4/3) kappa^(2/3) (d "
        "log(1/delta))^(1/6)/(n epsilon)^(1/3), for M < 1 too. The diameter is M, n_epsilon is n "
        "epsilon and d_log is d log(1/delta). (The constant 20 and M >= 10^-3 are this check's.)",
        bound(Choice::balanced, 20), diameters(1e-3, 1e-3, 1)},
       {corrected, holds, "Theorem 14 with gamma = sqrt T/M",
        "With gamma = sqrt T/M, T = n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n "
        "epsilon)/(kappa (d log(1/delta))^(1/4)))^(2/3) the terms of (28) are at most 9.1 M "
        "kappa^(2/3) (d log(1/delta))^(1/6)/(n epsilon)^(1/3) for every M.",
        bound(Choice::scaled, 9.1), diameters(1, 1e-3, 1e3), terms(Choice::scaled)}},
      hidden);
}

// Lemma 17 in one dimension: the gradient is mean + a with probability share, mean - a share/(1 -
// share) otherwise; units beta M = 1.
template <class Real>
struct Truncation {
  enum class Error { bias, root_mean_square };
  Real mean = 1, jump = 0, share = 0.1, lambda = 1;
  Error which = Error::bias;
  static Fields<Truncation> fields() {
    return {field("mean", &Truncation::mean).range(100.0, -100.0, 100.0),
            field("jump", &Truncation::jump).range(0.0, -1e3, 1e3),
            field("share", &Truncation::share).range(0.1, 1e-6, 0.5, logarithmic),
            field("lambda", &Truncation::lambda).range(1.0, 1.0, 1e3, logarithmic),
            field("which", &Truncation::which)
                .range(Error::bias, Error::bias, Error::root_mean_square)};
  }
  Real high() const { return mean + jump; }
  Real low() const { return mean - jump * share / (1 - share); }
  Real kept(const Real& g) const { return abs(g) <= 1 + lambda ? g : Real(0); }
  Real error() const {
    if (which == Error::bias) return abs(share * kept(high()) + (1 - share) * kept(low()) - mean);
    return sqrt(share * pow(kept(high()) - mean, 2) + (1 - share) * pow(kept(low()) - mean, 2));
  }
  // Rounding allowed for.
  Real claimed() const {
    const Real variance = share * pow(high() - mean, 2) + (1 - share) * pow(low() - mean, 2);
    if (which == Error::bias)
      return (variance / (lambda * lambda) + variance / lambda) * (1 + 1e-9) + 1e-12;
    const Real sigma = sqrt(variance);
    return (sigma + sigma / lambda) * (1 + 1e-9) + 1e-9;
  }
};

void add_truncation(LemmaList& lemmas) {
  const auto claimed = [](const auto& p) { return p.claimed(); };
  lemmas.add<Truncation>(
      "truncation", [](const auto& p) { return p.error(); },
      {{printed, refuted, "Lemma 17 under Assumption 4",
        "For gradients of any mean and with standard deviation sigma, set to 0 above beta M + "
        "lambda, lambda >= beta M, the bias is at most beta M (sigma/lambda)^2 + sigma^2/lambda "
        "and the root mean square of the error at most sigma + beta M sigma/lambda. Checked in one "
        "dimension with beta M = 1 (this check's): the gradient is mean + jump with probability "
        "share and mean - jump share/(1 - share) otherwise. which = 0 is the bias, which = 1 the "
        "root mean square.",
        claimed},
       {corrected, holds, "Lemma 17 for a mean of at most beta M, as for a stationary point in C",
        "The bias and the root mean square of the truncated gradient are at most beta M "
        "(sigma/lambda)^2 + sigma^2/lambda and sigma + beta M sigma/lambda, for a mean gradient of "
        "norm at most beta M.",
        claimed, Truncation<double>::fields().within(&Truncation<double>::mean, 1.0, -1.0, 1.0)}});
  lemmas.add(
      "martingale", {{"share", 1, 1e-6, 1, logarithmic}, {"tau", 1, 1e-3, 1e3, logarithmic}},
      [](auto share, auto tau) {  // lambda sqrt(tau)/(sigma sqrt T) = sqrt(5 share)
        return -9 * tau / (2 + 3 * sqrt(5 * share));
      },
      {{printed, holds, "proof of Theorem 10, after Lemma 18",
        "exp(-9 tau/(2 + 3 lambda sqrt(tau)/(sigma sqrt T))) <= exp(-tau) for tau <= 5 sigma^2 "
        "T/lambda^2.",
        [](auto, auto tau) { return -tau; }}});
}

// d stands for the largest whole number up to it.
struct Tail {
  double d = 3, q = 1000, epsilon = 1, delta = 1e-5;
  static Fields<Tail> fields() {
    return {field("d", &Tail::d).range(3.0, 3.0, 1e6, logarithmic),
            field("q", &Tail::q).range(1000.0, 10.0, 1e6, logarithmic)};
  }
  // kappa = min{1/(p - 1), log d}.
  double kappa() const { return std::min(q - 1, std::log(std::floor(d))); }
  // How much longer a change in ||.||_q may be in ||.||_r, squared.
  double stretch(double r) const { return std::pow(std::floor(d), 2 / r - 2 / q); }
  // What Lemma 3's noise costs at delta with the kappa and r of the mirror space: its Renyi
  // divergence of order a is at most a (r - 1) times the squared change in ||.||_r over 2 sigma^2.
  double cost() const {
    const MirrorSpace space = mirror_space(q / (q - 1), static_cast<Index>(d), corrected);
    const double rho = (space.noise_norm - 1) * stretch(space.noise_norm) * epsilon * epsilon /
                       (4 * space.kappa * -std::log(delta));
    return zcdp_epsilon(rho, delta);
  }
};

void add_kappa(LemmaList& lemmas) {
  const char* lemma_3 = "Algorithm 7, kappa = min{1/(p - 1), log d}, with Lemma 3";
  lemmas.add("kappa",
             {{"q", 1000, 2, 1000, logarithmic},
              {"epsilon", 0.99, 0.01, 0.99, logarithmic},
              {"delta", 1e-5, 1e-12, 0.1, logarithmic}},
             [](double q, double epsilon, double delta) {
               return lemma_3_delta(std::min(q - 1, std::log(2.0)), q, epsilon, delta);
             },
             {{printed, refuted, lemma_3,
               "With the kappa of Algorithm 7, min{1/(p - 1), log d}, Lemma 3's noise is (epsilon, "
               "delta)-DP: sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2 in the norm ||.||_r, r = "
               "kappa + 1, for changes of at most s in ||.||_q, q = p/(p - 1). Checked in the "
               "plane, where kappa = min{q - 1, log 2}.",
               [](double, double, double delta) { return delta; }}});
  lemmas.add<Tail>(
      "kappa_tail", [](const Tail& p) { return p.stretch(p.kappa() + 1); },
      {{printed, refuted, lemma_3,
        "With the kappa of Algorithm 7, min{1/(p - 1), log d}, Lemma 3's noise is (epsilon, "
        "delta)-DP for every delta > 0: sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2 in the norm "
        "||.||_r, r = kappa + 1, for changes of at most s in ||.||_q, q = p/(p - 1). As delta "
        "falls to 0 that asks for kappa >= d^(2/r - 2/q), which is what is compared, for every d "
        ">= 3 and q >= 10.",
        [](const Tail& p) { return p.kappa(); }},
       {corrected, holds, "Lemma 3 with the kappa of a smooth norm",
        "Lemma 3's noise, sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2, with kappa = (r - 1) "
        "d^(2/r - 2/q) and r = min{q, max{2, 2 log d}} costs at most epsilon at delta for 1 < p "
        "<= 2, every d, epsilon <= 1 and delta <= 1/2: zCDP by the smoothness of ||.||_r^2, "
        "converted optimally. (The 2 log d of Algorithms 3 and 4 meets what the tails need and is "
        "still not enough: the flat direction at d = 1000, epsilon = 1, delta = 10^-9.)",
        [](const Tail& p) { return p.epsilon; },
        Tail::fields()
            .within(&Tail::d, 3.0, 1.0, 1e6)
            .within(&Tail::q, 1000.0, 2.0, 1e6)
            .with(field("epsilon", &Tail::epsilon).range(1.0, 1e-3, 1.0, logarithmic))
            .with(field("delta", &Tail::delta).range(1e-5, 1e-40, 0.5, logarithmic)),
        [](const Tail& p) { return p.cost(); }}});
  lemmas.add("exponent", {{"p", 1.5, 1.01, 1.99, linear}, {"d", 3, 2, 100, integer}}, 1,
             {{printed, refuted, "Algorithm 7, kappa_+ = kappa/(kappa - 1)",
               "The exponent kappa_+ = kappa/(kappa - 1) of the norm in Algorithm 7's Phi, kappa = "
               "min{1/(p - 1), log d}, is at least 1, as the exponent of a norm has to be, for "
               "every 1 < p < 2 and d >= 2.",
               [](auto p, auto d) -> decltype(p) {
                 const auto kappa = min(1 / (p - 1), log(d));
                 return kappa / (kappa - 1);
               }}});
}

// For noise z and the same shifted by s along an axis (epsilon, delta)-DP asks of the half-space
// between them 1 - P(z_1 > s/2) <= e^epsilon P(z_1 > s/2) + delta. In three dimensions ||z||_r, at
// least |z_1|, is sigma times the root of a chi-squared variable of three degrees of freedom.
void add_delta_near_one(LemmaList& lemmas) {
  lemmas.add(
      "delta_near_one",
      {{"gap", 1e-4, 1e-5, 0.5, logarithmic},  // 1 - delta
       {"epsilon", 0.999, 0.1, 0.999, linear},
       {"p", 1.95, 1.92, 1.99, linear}},
      [](auto gap, auto, auto) { return gap; },
      {{printed, refuted, "Theorem 14, 0 < delta < 1",
        "Algorithm 7 is (epsilon, delta)-DP for all 0 < epsilon < 1 and 0 < delta < 1. "
        "Checked for one batch (T = 1) in three dimensions with noise z of sigma^2 = 8 "
        "kappa (beta M + lambda)^2 log(1/delta)/(n epsilon)^2 and a mean gradient that "
        "changes by s = 2 (beta M + lambda)/n along an axis. Then privacy implies gap <= (1 "
        "+ e^epsilon) P(z_1 > s/2), where gap is 1 - delta. (The constant 8 for the O() "
        "that the paper leaves open is this check's, and so are T and the dimension; kappa is "
        "1/(p - 1). P(z_1 > s/2) is replaced by its upper bound P(||z|| > s/2)/2.)",
        [](auto gap, auto epsilon, auto p) {
          using Real = decltype(gap);
          const Real kappa = 1 / (p - 1);  // <= log 3
          const Real x = epsilon / sqrt(-8 * kappa * log1p(-gap));
          const Real tail =
              erfc(x / sqrt(Real(2))) + std::sqrt(2 / std::numbers::pi) * x * exp(-x * x / 2);
          return (1 + exp(epsilon)) / 2 * tail;
        }}});
}

}  // namespace

std::vector<Claim> batched_mirror_lemmas() {
  LemmaList lemmas("su.batched_mirror_descent", Text::su_supplement);
  add_theorem_14(lemmas);
  add_truncation(lemmas);
  add_kappa(lemmas);
  add_delta_near_one(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::su
