// Steps of the proofs of Theorems 6 and 7 that one inequality decides. Where a step has an unstated
// constant, the claim allows a generous one, and a refutation is of that one over the ranges that
// the claim states.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

using std::exp2;
Precise exp2(const Precise& x) { return pow(Precise(2), x); }

// D(w, v), rounding of Phi(w) - Phi(v) allowed for.
double divergence_or_more(const MirrorMap& map, const VectorXd& w, const VectorXd& v,
                          double factor = 1) {
  return factor * divergence(map, w, v) + 1e-13 * (value(map, w) + value(map, v));
}

// v of mixed magnitudes and w near it or not; on every fifth point v is flat and w - v alternates
// in sign, the worst direction for a flat v.
struct Convexity {
  Index seed = 0;
  double d = 3, p = 1.2, distance = 0.01;  // d stands for the largest whole number up to it
  static Fields<Convexity> fields() {
    return {field("seed", &Convexity::seed).range(0, 0, 100'000),
            field("d", &Convexity::d).range(3.0, 2.0, 1000.0, logarithmic),
            field("p", &Convexity::p).range(1.2, 1.01, 1.99),
            field("distance", &Convexity::distance).range(0.01, 0.01, 10.0, logarithmic)};
  }
  Index dimension() const { return static_cast<Index>(d); }
  std::pair<VectorXd, VectorXd> v_and_difference() const {
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed), .claim = "convexity"});
    VectorXd v(dimension()), h(dimension());
    const bool flat = seed % 5 == 0;
    for (Index j = 0; j < dimension(); ++j) {
      v[j] = flat ? 1 : stream.normal() * std::exp(2 * stream.normal());
      h[j] = flat ? (j % 2 == 0 ? 1 : -1) : stream.normal();
    }
    h *= distance * v.norm() / h.norm();
    return {v, h};
  }
  double divergence_by(const MirrorMap& map) const {
    const auto [v, h] = v_and_difference();
    return divergence_or_more(map, v + h, v);
  }
  // kappa = min{1/(p - 1), 2 log d}.
  double printed_kappa() const { return std::min(1 / (p - 1), 2 * std::log(std::floor(d))); }
};

void add_strong_convexity(LemmaList& lemmas) {
  const char* phi = "proof of Theorem 7, first sentence";
  lemmas.add<Convexity>(
      "strong_convexity",
      [](const Convexity& c) { return std::pow(lp_norm(c.v_and_difference().second, c.p), 2) / 2; },
      {{printed, refuted, phi,
        "Phi = kappa/2 ||.||_a^2 with kappa = min{1/(p - 1), 2 log d} and a = kappa/(kappa - 1) is "
        "1-strongly convex in ||.||_p: ||w - v||_p^2/2 <= D(w, v). D is the Bregman divergence of "
        "Phi. Checked for v and w in d dimensions that are drawn from the seed, with ||w - v||_2 = "
        "distance ||v||_2.",
        [](const Convexity& c) {
          const double kappa = c.printed_kappa();
          return c.divergence_by({kappa, kappa / (kappa - 1)});
        }},
       {proved, refuted, phi,
        "Phi = kappa/2 ||.||_a^2 with kappa = min{1/(p - 1), 2 log d} and a = (kappa + 1)/kappa, "
        "which is dual to the norm ||.||_(kappa + 1) whose square is kappa-smooth, is 1-strongly "
        "convex in ||.||_p by the duality of strong convexity and smoothness: ||w - v||_p^2/2 <= "
        "D(w, v). D is the Bregman divergence of Phi. Checked for v and w in d dimensions that are "
        "drawn from the seed, with ||w - v||_2 = distance ||v||_2.",
        [](const Convexity& c) {
          const double kappa = c.printed_kappa();
          return c.divergence_by({kappa, 1 + 1 / kappa});
        }},
       {corrected, holds, "Phi of the smooth norm r = min{q, max{2, 2 log d}}",
        "Phi = kappa/2 ||.||_a^2 with kappa = (r - 1) d^(2/r - 2/q) and a = r/(r - 1) is "
        "1-strongly convex in ||.||_p for 1 < p <= 2: ||w - v||_p^2/2 <= D(w, v).",
        [](const Convexity& c) {
          return c.divergence_by(mirror_space(c.p, c.dimension(), corrected).map);
        },
        Convexity::fields().within(&Convexity::p, 1.2, 1.01, 2.0)}});
}

struct Split {
  Index seed = 0;
  double p = 2, distance = 1;
  static Fields<Split> fields() {
    return {field("seed", &Split::seed).range(0, 0, 10'000),
            field("p", &Split::p).range(2.0, 1.1, 2.0),
            field("distance", &Split::distance).range(1.0, 0.01, 10.0, logarithmic)};
  }
  std::pair<VectorXd, VectorXd> points() const {
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed), .claim = "split"});
    const VectorXd w = stream.normal_vector(3);
    return {w, w + distance * stream.normal_vector(3)};
  }
  double divergences(double factor) const {
    const auto [w, v] = points();
    return divergence_or_more(mirror_space(p, 3, corrected).map, w, v, factor);
  }
};

void add_noise_split(LemmaList& lemmas) {
  lemmas.add<Split>("noise_split",
                    [](const Split& s) {
                      const auto [w, v] = s.points();
                      return std::pow(lp_norm(w - v, s.p), 2);
                    },
                    {{printed, refuted, "proof of Theorem 7, before (13)",
                      "||w - v||^2/(2a) <= D(w, v)/(2a) for every a > 0, \"due to Phi being "
                      "1-strongly convex\" in ||.|| = ||.||_p, D being its Bregman divergence. "
                      "Checked with such a Phi in three dimensions (this check's), for w drawn "
                      "from the seed and v - w a drawn vector times distance.",
                      [](const Split& s) { return s.divergences(1); }},
                     {corrected, holds, "before (13), with <g, h> <= a ||g||_*^2 + ||h||^2/(4a)",
                      "||w - v||^2/(4a) <= D(w, v)/(2a), which gives (13) as printed.",
                      [](const Split& s) { return s.divergences(2); }}},
                    {"three dimensions"});
}

template <class Real>
struct Theorem7 {
  Real n = 1e4, d = 10, kappa = 2, epsilon = 1, delta = 1e-5;
  static Fields<Theorem7> fields() {
    return {field("n", &Theorem7::n).range(1e4, 100.0, 1e12, logarithmic),
            field("d", &Theorem7::d).range(10.0, 2.0, 1e6, logarithmic),
            field("kappa", &Theorem7::kappa).range(2.0, 1.0, 27.0, logarithmic),
            field("epsilon", &Theorem7::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("delta", &Theorem7::delta).range(1e-5, 1e-12, 0.1, logarithmic)};
  }
  Real iterations() const { return pow(n * epsilon * sqrt(kappa) / sqrt(d * -log(delta)), 0.4); }
};

void add_theorem_7(LemmaList& lemmas) {
  // The terms of the last display at T; u = sqrt(d log(1/delta))/(n epsilon). The exponents alone
  // matter, so kappa and u are free.
  const auto terms = [](double kappa_power) {
    return [=](auto kappa, auto u) {
      const auto t = pow(pow(kappa, kappa_power) / u, 0.4);
      return pow(t, 1.5) * sqrt(kappa) * u + t * t * kappa * u * u + kappa / t;
    };
  };
  const auto bound = [](double times) {
    return [times](auto kappa, auto u) { return times * pow(kappa, 0.8) * pow(u, 0.4); };
  };
  lemmas.add(
      "last_display",
      {{"kappa", 1000, 1, 1000, logarithmic}, {"u", 1e-9, 1e-15, 1e-4, logarithmic}}, terms(0.5),
      {{printed,
        refuted,
        "Theorem 7, T with kappa",
        "With the T of the main text, (n epsilon kappa/sqrt(d log(1/delta)))^(2/5) = "
        "(kappa/u)^(2/5), the terms T^(3/2) sqrt(kappa) u + T^2 kappa u^2 + kappa/T of the last "
        "display of Theorem 7's proof are O(kappa^(4/5) u^(2/5)), where u = sqrt(d "
        "log(1/delta))/(n epsilon) (the constant 5 is this check's).",
        bound(5),
        {},
        terms(1),
        {},
        Text::su_main},
       {proved, holds, "Theorem 7, T with sqrt(kappa)",
        "With T = (n epsilon sqrt(kappa)/sqrt(d log(1/delta)))^(2/5) the terms of the last "
        "display of Theorem 7's proof are at most 2.05 kappa^(4/5) (sqrt(d log(1/delta))/(n "
        "epsilon))^(2/5).",
        bound(2.05)}},
      {"sqrt(d log(1/delta))/(n epsilon) <= 10^-4, kappa <= 1000; the constant of the bound is "
       "this project's choice"});
  lemmas.add<Theorem7>(
      "iterations", [](const auto& p) { return p.iterations(); },
      {{corrected, holds,
        "Theorem 7 without its condition n = O(epsilon^4/((d log(1/delta))^2 sqrt(kappa)))",
        "Theorem 7's T = (n epsilon sqrt(kappa)/sqrt(d log(1/delta)))^(2/5) is at most sqrt(n "
        "sqrt(kappa)) for every n, which the proof wants of the theorem's condition on n.",
        [](const auto& p) { return sqrt(p.n * sqrt(p.kappa)); }}});
  lemmas.add<Theorem7>(
      "iterations_condition", 1,
      {{printed, refuted, "end of the proof of Theorem 7",
        "Theorem 7's condition n = O(epsilon^4/((d log(1/delta))^2 sqrt(kappa))) is met by some n "
        ">= 1 for all d >= 2 and delta <= 0.1: the bound on n is at least 1 (the constant 10 of "
        "the O() is this check's, and n itself plays no part).",
        [](const auto& p) {
          const auto dl = p.d * -log(p.delta);
          return 10 * pow(p.epsilon, 4) / (dl * dl * sqrt(p.kappa));
        }}});
}

// x = alpha/(2 beta).
void add_growth(LemmaList& lemmas) {
  const ParameterRange up_to_half{"x", 0.5, 1e-6, 0.5, logarithmic};
  lemmas.add("growth", {up_to_half}, 1,
             {{printed, holds, "proof of Theorem 7, after (16)",
               "(1 + x) 2^(-x/2) > 1 for 0 < x = alpha/(2 beta) <= 1/2.",
               [](auto x) { return (1 + x) * pow(decltype(x)(2), -x / 2); }}});
  lemmas.add(
      "growth_ratio", {up_to_half},
      [](auto x) {  // (1 + x) 2^(-x/2) - 1 without cancellation
        return x / (x * exp2(-x / 2) + expm1(-x / 2 * log(decltype(x)(2))));
      },
      {{printed, holds, "proof of Theorem 7, after (16)",
        "alpha/((2 beta + alpha) 2^(-alpha/(4 beta)) - 2 beta) <= 4 for alpha <= beta.", 4}});
  lemmas.add("doubling", {{"x", 1, 1e-6, 1, logarithmic}}, 2,
             {{printed, holds, "proof of Theorem 7, (14)",
               "(1 + alpha/(2 beta))^T >= 2 for T >= 2 beta/alpha, alpha <= 2 beta.",
               [](auto x) { return pow(1 + x, 1 / x); }}});
  lemmas.add("hidden_factor", {{"n", 100, 1, 1000, logarithmic}},
             [](double n) { return std::exp2(1 - std::floor(n)); },
             {{printed, refuted, "end of the proof of Theorem 7, E||w~*||^2 hidden in the rate",
               "The minimiser w~* of the empirical risk exists almost surely, so that the factor "
               "E||w~*||^2 hidden in the rate is finite. Checked for the logistic loss with one "
               "feature equal to 1 and labels that are 1 or -1 with probability 1/2 each: the "
               "probability that n records have no minimiser is at most 0.",
               0}});
}

PureSteps lemma_1_steps(Index t, double epsilon, double delta) {
  return {epsilon / std::sqrt(2 * static_cast<double>(t) * std::log(2 / delta)), t};
}

const ParameterRange to_one{"epsilon", 1, 1e-3, 1, logarithmic},
    to_tenth{"delta", 1e-5, 1e-12, 0.1, logarithmic};

void add_printed_noise(LemmaList& lemmas) {
  // rho = stretch epsilon^2/(32 l) and rho + 2 sqrt(rho l), l = log(1/delta), stretch = d^(2/r -
  // 2/q) <= e for the printed kappa; share = epsilon/l.
  lemmas.add(
      "concentrated",
      {{"p", 1.5, 1.001, 1.999, linear},
       {"d", 2, 2, 1e6, logarithmic},
       {"delta", 1e-5, 1e-12, 0.9, logarithmic},
       {"share", 1, 1e-3, 4, logarithmic}},
      [](double p, double d, double delta, double share) {
        const MirrorSpace space = mirror_space(p, static_cast<Index>(d), printed);
        const double stretch =
            std::pow(std::floor(d), 2 / std::min(space.noise_norm, space.dual) - 2 / space.dual);
        const double l = -std::log(delta), epsilon = share * l;
        const double rho = stretch * epsilon * epsilon / (32 * l);
        return rho + 2 * std::sqrt(rho * l);
      },
      {{corrected, holds, "Theorem 6 by concentrated differential privacy",
        "Algorithm 3 with the printed noise, sigma^2 = 64 L^2 kappa T log(1/delta)/(n "
        "epsilon)^2, is (epsilon, delta)-DP for every p in (1, 2), d >= 2 and epsilon <= 4 "
        "log(1/delta).",
        [](double, double, double delta, double share) { return share * -std::log(delta); }}});
  lemmas.add("euclidean_slack", {to_one, to_tenth},
             [](double epsilon, double delta) {
               return gaussian_epsilon(epsilon / (4 * std::sqrt(-std::log(delta))), delta);
             },
             {{corrected, holds, "Theorem 6 for p = 2, kappa = 1, by exact Gaussian composition",
               "For p = 2 the T releases of Algorithm 3 with the printed noise spend at most 0.36 "
               "epsilon at delta.",
               [](double epsilon, double) { return 0.36 * epsilon; }}});
}

// Of the main text.
void add_composition(LemmaList& lemmas) {
  lemmas.add(
      "composition", {{"iterations", 100, 2, 300, integer}, to_one, to_tenth},
      [](Index t, double epsilon, double delta) {
        return composed_delta({lemma_1_steps(t, epsilon, delta)}, epsilon);
      },
      {{printed, holds, "Lemma 1, epsilon' = epsilon/sqrt(2T log(2/delta))",
        "T steps of epsilon' = epsilon/sqrt(2T log(2/delta)) are together (epsilon, delta/2)-DP "
        "for epsilon <= 1: optimal composition of pure steps.",
        [](double, double, double delta) { return delta / 2; }},
       {proved,
        refuted,
        "Lemma 1 by advanced composition",
        "T steps that are epsilon'-DP each, epsilon' = epsilon/sqrt(2T log(2/delta)), are together "
        "(epsilon, delta/2)-DP for epsilon <= 1 by the usual bound of advanced composition: "
        "sqrt(2T log(2/delta)) epsilon' + T epsilon' (exp(epsilon') - 1) <= epsilon. The T is "
        "iterations.",
        [](double, double epsilon, double) { return epsilon; },
        {},
        [](Index t, double epsilon, double delta) {
          return advanced_composition({lemma_1_steps(t, epsilon, delta)}, delta / 2);
        }}});
  lemmas.add(
      "advanced_composition", {{"iterations", 1, 1, 1e6, logarithmic}, to_tenth},
      [](auto t, auto delta) { return 16 * log(2 / delta) * log(t / delta); },
      {{proved, refuted, "proof of Theorem 6 by Lemma 1 (advanced composition)",
        "The noise of Theorem 6, sigma^2 = 64 L^2 kappa T log(1/delta)/(n epsilon)^2, is at least "
        "what Lemma 1 and Lemma 3 ask for, at least 16 L^2 kappa T log(2/delta) log(T/delta)/(n "
        "epsilon)^2: that is 16 log(2/delta) log(T/delta) <= 64 log(1/delta). The T is iterations.",
        [](auto, auto delta) { return -64 * log(delta); }}});
}

// For noise z and the same shifted by s along an axis (epsilon, delta)-DP asks of the half-plane
// between them 1 - P(z_1 > s/2) <= e^epsilon P(z_1 > s/2) + delta. In the plane ||z||_r^2, at least
// z_1^2, is exponential with mean 2 sigma^2: P(z_1 > s/2) <= exp(-s^2/(8 sigma^2))/2.
void add_delta_near_one(LemmaList& lemmas) {
  lemmas.add(
      "delta_near_one",
      {{"gap", 1e-4, 1e-5, 0.5, logarithmic},  // 1 - delta
       {"epsilon", 0.999, 0.1, 0.999, linear},
       {"p", 1.8, 1.73, 1.99, linear}},
      [](auto gap, auto, auto) { return gap; },
      {{printed, refuted, "Theorem 6, 0 < delta < 1",
        "Algorithm 3 is (epsilon, delta)-DP for all 0 < epsilon < 1 and 0 < delta < 1. Checked for "
        "one step (T = 1) in the plane with noise z of sigma^2 = 64 L^2 kappa log(1/delta)/(n "
        "epsilon)^2 and a gradient that changes by s = 2L/n along an axis. Then privacy implies "
        "gap <= (1 + e^epsilon) P(z_1 > s/2), where gap is 1 - delta. (T and the dimension are "
        "this check's, and P(z_1 > s/2) is replaced by its bound exp(-s^2/(8 sigma^2))/2.)",
        [](auto gap, auto epsilon, auto p) {
          const auto kappa = 1 / (p - 1);  // <= 2 log 2
          return (1 + exp(epsilon)) / 2 * exp(epsilon * epsilon / (128 * kappa * log1p(-gap)));
        }}});
}

}  // namespace

std::vector<Claim> regularized_mirror_lemmas() {
  ClaimList all("su.regularized_mirror_descent");
  LemmaList supplement("su.regularized_mirror_descent", Text::su_supplement);
  add_strong_convexity(supplement);
  add_noise_split(supplement);
  add_theorem_7(supplement);
  add_growth(supplement);
  add_printed_noise(supplement);
  add_delta_near_one(supplement);
  all.append(supplement.take());
  LemmaList main_text("su.regularized_mirror_descent", Text::su_main);
  add_composition(main_text);
  all.append(main_text.take());
  return all.take();
}

}  // namespace dpverify::su
