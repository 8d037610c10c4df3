// Steps of the proofs of Theorems 6 and 7 that one inequality decides. Where a step has an unstated
// constant, the claim allows a generous one, and a refutation is of that one over the ranges that
// the claim states.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string supplement = "Su, Zhao and Wang (supplement)";
const std::string main_text = "Su, Zhao and Wang (main text)";
const std::string here = "this project";

// ||w - v||_p^2/2 against D(w, v), at points of mixed magnitudes near each other or not; on every
// fifth point v is flat and w - v alternates in sign, the worst direction for a flat v.
Sides strong_convexity(const ParameterPoint& p, const MirrorMap& map) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "convexity"});
  const auto d = static_cast<Index>(p.at("d"));
  VectorXd v(d), h(d);
  const bool flat = static_cast<Index>(p.at("seed")) % 5 == 0;
  for (Index j = 0; j < d; ++j) {
    v[j] = flat ? 1 : stream.normal() * std::exp(2 * stream.normal());
    h[j] = flat ? (j % 2 == 0 ? 1 : -1) : stream.normal();
  }
  h *= p.at("distance") * v.norm() / h.norm();
  const VectorXd w = v + h;
  // Rounding of Phi(w) - Phi(v) allowed for.
  return {std::pow(lp_norm(h, p.at("p")), 2) / 2,
          divergence(map, w, v) + 1e-13 * (value(map, w) + value(map, v))};
}

LemmaClaim convexity(double largest_p, const std::function<MirrorMap(double, Index)>& map) {
  return {{{"seed", 0, 0, 100'000, Scale::integer},
           {"d", 3, 2, 30, Scale::integer},
           {"p", 1.2, 1.01, largest_p, Scale::linear},
           {"distance", 0.01, 0.01, 10, Scale::logarithmic}},
          [map](const ParameterPoint& p) {
            return strong_convexity(p, map(p.at("p"), static_cast<Index>(p.at("d"))));
          }};
}

// The terms of Theorem 7's last display at T, against 5 times its bound. u = sqrt(d
// log(1/delta))/(n epsilon); the exponents alone matter, so kappa and u are free.
LemmaClaim last_display(double kappa_power) {
  return {
      {{"kappa", 1000, 1, 1000, Scale::logarithmic}, {"u", 1e-9, 1e-15, 1e-4, Scale::logarithmic}},
      [kappa_power](const ParameterPoint& p) {
        const double kappa = p.at("kappa"), u = p.at("u");
        const double t = std::pow(std::pow(kappa, kappa_power) / u, 0.4);
        return Sides{std::pow(t, 1.5) * std::sqrt(kappa) * u + t * t * kappa * u * u + kappa / t,
                     5 * std::pow(kappa, 0.8) * std::pow(u, 0.4)};
      }};
}

const std::vector<ParameterRange> theorem_ranges{{"n", 1e4, 100, 1e12, Scale::logarithmic},
                                                 {"d", 10, 2, 1e6, Scale::logarithmic},
                                                 {"kappa", 2, 1, 27, Scale::logarithmic},
                                                 {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                                                 {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}};

double iterations(const ParameterPoint& p) {
  return std::pow(p.at("n") * p.at("epsilon") * std::sqrt(p.at("kappa")) /
                      std::sqrt(p.at("d") * -std::log(p.at("delta"))),
                  0.4);
}

// alpha/beta against 1 at Theorem 7's T; the theorem's range for T is [1, n/2].
LemmaClaim small_regularisation(double smallest_n) {
  std::vector<ParameterRange> ranges = theorem_ranges;
  ranges[0] = {"n", smallest_n, smallest_n, smallest_n * 1e6, Scale::logarithmic};
  return {ranges, [](const ParameterPoint& p) {
            const double t = std::max(1.0, iterations(p));
            return Sides{4 / (t + 1) * std::log2(p.at("n") / t), 1};
          }};
}

// The epsilon that zCDP gives Algorithm 3's printed noise: rho = stretch epsilon^2/(32 l) and rho +
// 2 sqrt(rho l), l = log(1/delta), stretch = d^(2/r - 2/q) <= e for the printed kappa.
LemmaClaim concentrated(double largest_share) {
  return {{{"p", 1.5, 1.001, 1.999, Scale::linear},
           {"d", 2, 2, 1e6, Scale::logarithmic},
           {"delta", 1e-5, 1e-12, 0.9, Scale::logarithmic},
           {"share", 1, 1e-3, largest_share, Scale::logarithmic}},
          [](const ParameterPoint& p) {
            const MirrorSpace space =
                mirror_space(p.at("p"), static_cast<Index>(p.at("d")), printed);
            const double stretch = std::pow(
                std::floor(p.at("d")), 2 / std::min(space.noise_norm, space.dual) - 2 / space.dual);
            const double l = -std::log(p.at("delta")), epsilon = p.at("share") * l;
            const double rho = stretch * epsilon * epsilon / (32 * l);
            return Sides{rho + 2 * std::sqrt(rho * l), epsilon};
          }};
}

const std::vector<ParameterRange> composition_ranges{
    {"iterations", 100, 2, 300, Scale::integer},
    {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
    {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}};

PureSteps lemma_1_steps(const ParameterPoint& p) {
  const double t = p.at("iterations");
  return {p.at("epsilon") / std::sqrt(2 * t * std::log(2 / p.at("delta"))), static_cast<Index>(t)};
}

// x = alpha/(2 beta) in (0, 1/2].
const std::vector<ParameterRange> ratio_range{{"x", 0.5, 1e-6, 0.5, Scale::logarithmic}};

}  // namespace

std::vector<Claim> regularized_mirror_lemmas() {
  const Source proof_7{supplement, "proof of Theorem 7"};
  const Source phi{supplement, "proof of Theorem 7, first sentence"};
  const auto map_with = [](double logarithms, bool dual_of_next) {
    return [=](double p, Index d) {
      const double kappa = std::min(1 / (p - 1), logarithms * std::log(static_cast<double>(d)));
      return MirrorMap{kappa, dual_of_next ? 1 + 1 / kappa : kappa / (kappa - 1)};
    };
  };
  const auto noise_split = [](double share) {
    return [share](const ParameterPoint& p) {
      RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "split"});
      const MirrorSpace space = mirror_space(p.at("p"), 3, corrected);
      const VectorXd w = stream.normal_vector(3),
                     v = w + p.at("distance") * stream.normal_vector(3);
      return Sides{std::pow(lp_norm(w - v, p.at("p")), 2),
                   share * divergence(space.map, w, v) +
                       1e-13 * (value(space.map, w) + value(space.map, v))};
    };
  };
  const std::vector<ParameterRange> split_ranges{{"seed", 0, 0, 10'000, Scale::integer},
                                                 {"p", 2, 1.1, 2, Scale::linear},
                                                 {"distance", 1, 0.01, 10, Scale::logarithmic}};
  return lemma_claims(
      "su.regularized_mirror_descent",
      {{"strong_convexity", printed, refuted, phi,
        "Phi = kappa/2 ||.||_a^2 with kappa = min{1/(p - 1), 2 log d} and a = kappa/(kappa - 1) is "
        "1-strongly convex in ||.||_p: ||w - v||_p^2/2 <= D(w, v). (a is dual to kappa, where the "
        "smooth norm is that of kappa + 1; for kappa < 2 it even exceeds 2.)",
        convexity(1.99, map_with(2, false))},
       {"strong_convexity", proved, refuted, phi,
        "The same with a = (kappa + 1)/kappa, dual to the kappa-smooth norm. (False where kappa = "
        "2 log d < 1/(p - 1): the modulus is d^(2/a - 2/p), down to 1/e.)",
        convexity(1.99, map_with(2, true))},
       {"strong_convexity",
        corrected,
        holds,
        {here, "Phi of the smooth norm r = min{q, max{2, 2 log d}}"},
        "The same with kappa = (r - 1) d^(2/r - 2/q) and a = r/(r - 1), for 1 < p <= 2.",
        convexity(2, [](double p, Index d) { return mirror_space(p, d, corrected).map; })},
       {"noise_split",
        printed,
        refuted,
        {supplement, "proof of Theorem 7, before (13)"},
        "||w - v||^2/(2a) <= D(w, v)/(2a), \"due to Phi being 1-strongly convex\". (That gives ||w "
        "- v||^2 <= 2 D(w, v).)",
        {split_ranges, noise_split(1)}},
       {"noise_split",
        corrected,
        holds,
        {here, "before (13), with <g, h> <= a ||g||_*^2 + ||h||^2/(4a)"},
        "||w - v||^2/(4a) <= D(w, v)/(2a), which gives (13) as printed.",
        {split_ranges, noise_split(2)}},
       {"last_display",
        printed,
        refuted,
        {main_text, "Theorem 7, T with kappa"},
        "With T = (n epsilon kappa/sqrt(d log(1/delta)))^(2/5) the terms of the last display are "
        "at most 5 kappa^(4/5) (sqrt(d log(1/delta))/(n epsilon))^(2/5). (They grow as kappa^1.1.)",
        last_display(1)},
       {"last_display",
        proved,
        holds,
        {supplement, "Theorem 7, T with sqrt(kappa)"},
        "The same with T = (n epsilon sqrt(kappa)/sqrt(d log(1/delta)))^(2/5).",
        last_display(0.5)},
       {"iterations",
        corrected,
        holds,
        {here, "Theorem 7 without its condition n = O(epsilon^4/((d log(1/delta))^2 sqrt(kappa)))"},
        "T <= sqrt(n sqrt(kappa)) for every n, which the proof wants of that condition.",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           return Sides{iterations(p), std::sqrt(p.at("n") * std::sqrt(p.at("kappa")))};
         }}},
       {"iterations_condition",
        printed,
        refuted,
        {supplement, "end of the proof of Theorem 7"},
        "n <= 10 epsilon^4/((d log(1/delta))^2 sqrt(kappa)), the theorem's condition, is met by "
        "some n >= 1 for all d >= 2 and delta <= 0.1. (It bounds n from above where a lower bound "
        "is meant.)",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           const double dl = p.at("d") * -std::log(p.at("delta"));
           return Sides{1,
                        10 * std::pow(p.at("epsilon"), 4) / (dl * dl * std::sqrt(p.at("kappa")))};
         }}},
       {"small_regularisation",
        printed,
        refuted,
        {supplement, "proof of Theorem 7, \"assume alpha/beta <= 1\""},
        "The theorem's alpha = 4 beta/(T + 1) log2(n/T) is at most beta for every n >= 10^6.",
        small_regularisation(1e6)},
       {"growth",
        printed,
        holds,
        {supplement, "proof of Theorem 7, after (16)"},
        "(1 + x) 2^(-x/2) > 1 for 0 < x = alpha/(2 beta) <= 1/2.",
        {ratio_range,
         [](const ParameterPoint& p) {
           return Sides{1, (1 + p.at("x")) * std::pow(2, -p.at("x") / 2)};
         }}},
       {"growth_ratio",
        printed,
        holds,
        {supplement, "proof of Theorem 7, after (16)"},
        "alpha/((2 beta + alpha) 2^(-alpha/(4 beta)) - 2 beta) <= 4 for alpha <= beta.",
        {ratio_range,
         [](const ParameterPoint& p) {
           const double x = p.at("x");
           // (1 + x) 2^(-x/2) - 1 without cancellation
           const double gain = x * std::exp2(-x / 2) + std::expm1(-x / 2 * std::log(2.0));
           return Sides{x / gain, 4};
         }}},
       {"doubling",
        printed,
        holds,
        {supplement, "proof of Theorem 7, (14)"},
        "(1 + alpha/(2 beta))^T >= 2 for T >= 2 beta/alpha, alpha <= 2 beta.",
        {{{"x", 1, 1e-6, 1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{2, std::pow(1 + p.at("x"), 1 / p.at("x"))};
         }}},
       {"concentrated",
        corrected,
        holds,
        {here, "Theorem 6 by concentrated differential privacy"},
        "The printed noise, sigma^2 = 64 L^2 kappa T log(1/delta)/(n epsilon)^2, is (epsilon, "
        "delta)-DP for every p in (1, 2), d >= 2 and epsilon <= 4 log(1/delta).",
        concentrated(4)},
       {"euclidean_slack",
        corrected,
        holds,
        {here, "Theorem 6 for p = 2, kappa = 1, by exact Gaussian composition"},
        "The T printed releases spend at most 0.36 epsilon at delta.",
        {{{"epsilon", 1, 1e-3, 1, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double mu = p.at("epsilon") / (4 * std::sqrt(-std::log(p.at("delta"))));
           return Sides{gaussian_delta(mu, 0.36 * p.at("epsilon")), p.at("delta")};
         }}},
       {"composition",
        printed,
        holds,
        {main_text, "Lemma 1, epsilon' = epsilon/sqrt(2T log(2/delta))"},
        "T steps of epsilon' are together (epsilon, delta/2)-DP for epsilon <= 1: optimal "
        "composition of pure steps.",
        {composition_ranges,
         [](const ParameterPoint& p) {
           return Sides{composed_delta({lemma_1_steps(p)}, p.at("epsilon")), p.at("delta") / 2};
         }}},
       {"composition",
        proved,
        refuted,
        {main_text, "Lemma 1 by advanced composition"},
        "The same by the usual bound sqrt(2T log(2/delta)) epsilon' + T epsilon' (exp(epsilon') - "
        "1). (Its second term is extra.)",
        {composition_ranges,
         [](const ParameterPoint& p) {
           return Sides{advanced_composition({lemma_1_steps(p)}, p.at("delta") / 2),
                        p.at("epsilon")};
         }}},
       {"hidden_factor",
        printed,
        refuted,
        {supplement, "end of the proof of Theorem 7, E||w~*||^2 hidden in the rate"},
        "The minimiser w~* of the empirical risk exists, almost surely. (Logistic loss, one "
        "feature equal to 1, labels 1 with probability 1/2: if all n labels agree there is none, "
        "so that the hidden factor E||w~*||^2 is infinite for every n.)",
        {{{"n", 100, 1, 1000, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{std::exp2(1 - std::floor(p.at("n"))), 0};
         }}},
       {"advanced_composition",
        proved,
        refuted,
        {main_text, "proof of Theorem 6 by Lemma 1 (advanced composition)"},
        "The constant 64 follows from Lemma 1: 16 log(2/delta) log(T/delta) <= 64 log(1/delta).",
        {{{"iterations", 1, 1, 1e6, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double delta = p.at("delta");
           return Sides{16 * std::log(2 / delta) * std::log(p.at("iterations") / delta),
                        -64 * std::log(delta)};
         }}}});
}

}  // namespace dpverify::su
