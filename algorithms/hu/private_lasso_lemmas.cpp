// Steps of the proofs of Theorems 4 and 5 of Hu, Ni, Xiao and Wang that one inequality decides.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/binomial.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/hu/abstracts.hpp"
#include "algorithms/hu/private_lasso.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// T steps of epsilon/(2 sqrt(2T log(1/share of delta))).
std::vector<PureSteps> steps(Index t, double epsilon, double log_share) {
  return {{epsilon / (2 * std::sqrt(2 * static_cast<double>(t) * log_share)), t}};
}

void add_composition(LemmaList& lemmas) {
  const ParameterRange t{"iterations", 1, 1, 400, integer},
      epsilon{"epsilon", 0.999, 0.01, 0.999, logarithmic},
      delta{"delta", 0.9, 1e-8, 0.99, logarithmic};
  const auto delta_itself = [](double, double, double delta) { return delta; };
  const std::vector<std::string> up_to_400{"T <= 400"};
  lemmas.add(
      "advanced_composition", {t, epsilon, delta},
      [](Index t, double epsilon, double delta) {
        return advanced_composition(steps(t, epsilon, -std::log(delta)), delta);
      },
      {{proved, refuted, "proof of Theorem 4 by Lemma 2 (advanced composition)",
        "Advanced composition of the T steps of e = epsilon/(2 sqrt(2T log(1/delta))) certifies "
        "epsilon at delta for all 0 < epsilon < 1 and 0 < delta <= 0.99. (The form sqrt(2 T "
        "log(1/delta)) e + T e (exp(e) - 1), or T e where that is less, delta <= 0.99 and T <= 400 "
        "are this check's; iterations is T.)",
        [](double, double epsilon, double) { return epsilon; }}},
      up_to_400);
  lemmas.add(
      "optimal_composition", {t, epsilon, delta},
      [](Index t, double epsilon, double delta) {
        return composed_delta(steps(t, epsilon, -std::log(delta)), epsilon);
      },
      {{corrected, holds, "Theorem 4 by optimal composition",
        "Optimal composition of the T steps of epsilon/(2 sqrt(2T log(1/delta))) certifies "
        "epsilon at delta for all 0 < epsilon < 1, 0 < delta <= 0.99.",
        delta_itself}},
      up_to_400);
  const ParameterRange any_delta{"delta", 1e-5, 1e-12, 1 - 1e-9, logarithmic};
  lemmas.add(
      "composition", {t, epsilon, any_delta},
      [](Index t, double epsilon, double delta) {
        return composed_delta(steps(t, epsilon, std::log(2 / delta)), epsilon);
      },
      {{printed, holds, "Lemma 2",
        "T mechanisms, each epsilon/(2 sqrt(2T log(2/delta)))-DP, are together (epsilon, "
        "delta)-DP for 0 < epsilon, delta < 1, by optimal composition. (The delta' of each "
        "step add up to the other T delta'.)",
        delta_itself}},
      up_to_400);
}

void add_concentration(LemmaList& lemmas) {
  const ParameterRange n{"n", 1, 1, 60, integer}, q{"q", 0.5, 1e-3, 0.999, logarithmic},
      t{"t", 1, 1e-3, 50, logarithmic};
  const std::vector<std::string> few{"n <= 60"};
  lemmas.add(
      "bernstein", {n, q, t},
      [](double n, double q, double t) {
        const double threshold =
            std::sqrt(2.0) * (std::max(q, 1 - q) * t / n + std::sqrt(q * (1 - q) * t / n));
        return binomial_expectation(n, q, [=](double k) { return k / n - q > threshold; });
      },
      {{printed,
        holds,
        "Lemma 9",
        "For independent zero-mean |X_i| <= s, E X_i^2 <= r: the mean exceeds C (st/n + "
        "sqrt(rt/n)) with probability at most e^-t; C = sqrt 2 will do. Decided exactly on "
        "two-point laws.",
        [](double, double, double t) { return std::exp(-t); },
        {},
        {},
        {},
        Text::hu_preprint}},
      few);
  lemmas.add("concentration",
             {{"x", 10, 0.1, 1e3, logarithmic},
              {"n", 1e6, 1, 1e12, logarithmic},
              {"t", 1, 1, 50, logarithmic}},
             [](double x, double n, double t) {
               const double clipped = std::min(x, 1.0);
               const double margin = 10 * (x * x * std::sqrt(t / n) + t / n);
               return x * x - clipped * clipped > margin ? 1.0 : 0.0;
             },
             {{reading,
               refuted,
               "proof of Lemma 8, (34) and (35), in the copy read here",
               "The clipped mean is within C (sqrt(Mt/n) + K^2 t/n) of the unclipped expectation "
               "sigma with probability 1 - e^-t, with C = 10, which is what the copy read here has "
               "in (34) and (35). With x constant and above K the bias stays as n grows: no C will "
               "do. Two lines above sigma-tilde, the clipped expectation, stands in its place, and "
               "(37) adds the bias. Nothing in the paper falls.",
               [](double, double, double t) { return std::exp(-t); },
               {},
               {},
               {},
               Text::hu_preprint}},
             {"x_j = x_k = x always, K = 1"});
  // The clipped products are K^2 = 1 with probability q and 0 otherwise.
  lemmas.add(
      "concentration", {n, q, t},
      [](double n, double q, double t) {
        const double threshold = std::sqrt(2.0) * (std::sqrt(q * t / n) + t / n);
        return binomial_expectation(n, q,
                                    [=](double k) { return std::abs(k / n - q) > threshold; });
      },
      {{corrected, holds, "(34) with sigma-tilde, two-sided",
        "The clipped mean is within sqrt 2 (sqrt(Mt/n) + K^2 t/n) of the expectation of the "
        "clipped products with probability 1 - 2 e^-t. Decided exactly on two-point laws.",
        [](double, double, double t) { return 2 * std::exp(-t); }}},
      few);
}

void add_union_bound(LemmaList& lemmas) {
  const ParameterRange d{"d", 2, 2, 1e6, logarithmic}, zeta{"zeta", 0.5, 1e-9, 0.99, logarithmic};
  lemmas.add(
      "union_bound", {d, zeta},
      [](auto d, auto zeta) { return (d * d + d) * exp(-zeta / (d * d * d)); },
      {{printed,
        refuted,
        "proof of Lemma 8, before (39)",
        "With t = zeta/d^3 the failure probability (d^2 + d) e^-t of (37) and (38) is at "
        "most zeta.",
        [](auto, auto zeta) { return zeta; },
        {},
        {},
        {},
        Text::hu_preprint},
       {corrected,
        holds,
        "proof of Lemma 8 with t = log(d^3/zeta)",
        "With t = log(d^3/zeta) the failure probability (d^2 + d) e^-t is at most zeta for d "
        ">= 2.",
        [](auto, auto zeta) { return zeta; },
        {},
        [](auto d, auto zeta) { return (d * d + d) * zeta / (d * d * d); }}});
}

// The bias of clipping at K the product of x = a and y = b, both 0 but with probability q; M bounds
// the fourth moments. 4 is the constant of the Cauchy-Schwarz steps of (36).
void add_bias(LemmaList& lemmas) {
  const ParameterRange a{"a", 1000, 1e-2, 1e4, logarithmic}, b{"b", 1000, 1e-2, 1e4, logarithmic},
      q{"q", 1, 1e-6, 1, logarithmic}, k{"k", 100, 1e-2, 1e4, logarithmic};
  const auto bias = [](auto a, auto b, auto q, auto k) {
    return q * (a * b - min(a, k) * min(b, k));
  };
  const auto allowed = [](double power) {
    return [power](auto a, auto b, auto q, auto k) {
      return 4 * pow(q * pow(max(a, b), 4), power) / (k * k);
    };
  };
  lemmas.add("clipping_bias", {a, b, q, k}, bias,
             {{printed,
               holds,
               "proof of Lemma 8, (36)",
               "Clipping at K moves E x_j x_k by at most O(M/K^2), with the proof's constant 4.",
               allowed(1),
               {},
               {},
               {},
               Text::hu_preprint}},
             {"x_j = a, x_k = b with probability q, both 0 otherwise"});
  lemmas.add("clipping_bias_label", {a, b, q, k}, bias,
             {{printed,
               refuted,
               "proof of Lemma 8, (38)",
               "Clipping x_j and y at K moves E x_j y by at most O(sqrt(M)/K^2), M a bound on the "
               "fourth moments. (The constant 4 and the law, x_j = a and y = b with probability q "
               "and both 0 otherwise, M = q max(a, b)^4, are this check's; k is K.)",
               allowed(0.5),
               {},
               {},
               {},
               Text::hu_preprint}},
             {"x_j = a, y = b with probability q, both 0 otherwise"});
  lemmas.add(
      "moments_of_remark_2", {{"x_k", 1, -100, 100, linear}, {"y", 0.5, -100, 100, linear}},
      [](auto x, auto) { return x * x; },
      {{printed, holds, "Remark 2",
        "Assumption 1 at w = 0 and w = e_k, E(x_j y)^2 <= tau and E(x_j (x_k - y))^2 <= tau, "
        "gives E(x_j x_k)^2 <= 4 tau.",
        [](auto x, auto y) { return 4 * max(y * y, (x - y) * (x - y)); }}},
      {"x_j = 1"});
  lemmas.add(
      "weaker_assumption", {{"q", 0.5, 1e-9, 0.5, logarithmic}, {"y", 1, 1e-2, 1e6, logarithmic}},
      [](auto q, auto y) { return q * pow(y, 4); },
      {{printed, refuted, "Remark 2: Assumption 3 is weaker than Assumption 1",
        "Assumption 3 is weaker than Assumption 1, whose E(gradient)^2 <= tau gives the moments of "
        "Assumption 3, among them E y^4 = O(tau). (The constant 100 and the law are this check's: "
        "x = 0 and label y with probability q, else x = 1 and label 0, so that tau = 4.)",
        400.0}},
      {"x = 0 and label y with probability q, else x = 1 and label 0: E(gradient)^2 <= 4 = tau"});
}

// (42) at the theorem's K and T (T a real number), M = 1 and epsilon <= 1.
void add_balance(LemmaList& lemmas) {
  const ParameterRange budget{"n_epsilon", 1e4, 1e2, 1e15, logarithmic},
      lambda{"lambda_max", 1, 1e-6, 1e6, logarithmic},
      delta{"delta", 1e-5, 1e-10, 0.1, logarithmic}, d{"d", 2, 2, 1e6, logarithmic};
  const std::vector<std::string> one{
      "M = 1, zeta = 0.05, the constants of K and T are 1; that of the bound is this project's "
      "choice"};
  const auto three_terms = [](auto budget, auto lambda, auto delta, auto d) {
    const auto logs = sqrt(-log(delta)) * log(d / 0.05);
    const auto t = pow(sqrt(budget) * lambda / logs, 0.8);
    const auto k_squared = sqrt(budget) / pow(t, 0.25);
    return lambda / t + k_squared * sqrt(t) * logs / budget + 1 / k_squared;
  };
  const auto allowed = [](double times, double power) {
    return [=](auto budget, auto lambda, auto delta, auto d) {
      const auto logs = sqrt(-log(delta)) * log(d / 0.05);
      return times * pow(lambda, power) * pow(logs, 0.8) / pow(budget, 0.4);
    };
  };
  lemmas.add("balance", {budget, lambda, delta, d}, three_terms,
             {{printed, holds, "Theorem 5, (9), from (42)",
               "At the theorem's K and T the three terms of (42) are O(lambda_max^(1/5) (sqrt(log "
               "1/delta) log(d/zeta))^(4/5)/(n epsilon)^(2/5)), with constant 2.2.",
               allowed(2.2, 0.2)}},
             one);
  lemmas.add(
      "balance_one_root", {budget, lambda, delta, d},
      [](auto budget, auto lambda, auto delta, auto d) {
        const auto l = -log(delta), log_d = log(d / 0.05);
        const auto t = pow(sqrt(budget) * lambda / sqrt(l * log_d), 0.8);
        const auto k_squared = sqrt(budget) / pow(t, 0.25);
        return lambda / t + k_squared * sqrt(t * l) * log_d / budget + 1 / k_squared;
      },
      {{reading, refuted, "Theorem 5, T and (9), in the copies read here",
        "At T = (sqrt(n epsilon) lambda_max/sqrt(log(1/delta) log(d/zeta)))^(4/5) the three terms "
        "of (42), log(d/zeta) outside the root as Lemma 1 has it, are O(lambda_max^(1/5) "
        "(log(1/delta) log(d/zeta))^(2/5)/(n epsilon)^(2/5)), with constant 2.2: one root over "
        "both logarithms, which is what the copies read here have. With log(d/zeta) outside the "
        "root, in T and in the bound, 2.2 suffices. Nothing in the paper falls.",
        [](auto budget, auto lambda, auto delta, auto d) {
          return 2.2 * pow(lambda, 0.2) * pow(-log(delta) * log(d / 0.05), 0.4) / pow(budget, 0.4);
        }}},
      one);
  lemmas.add("balance_43", {budget, lambda, delta, d}, three_terms,
             {{reading,
               refuted,
               "proof of Theorem 5, (43), in the copy read here",
               "At the theorem's K and T the three terms of (42) are O(lambda_max (sqrt(log "
               "1/delta) log(d/zeta))^(4/5)/(n epsilon)^(2/5)), with constant 10, which is what "
               "the copy read here has in (43): lambda_max where Theorem 5's (9) has "
               "lambda_max^(1/5), too small for a small lambda_max. Nothing in the paper falls.",
               allowed(10, 1),
               {},
               {},
               {},
               Text::hu_preprint}},
             one);
}

void add_abstracts(LemmaList& lemmas) {
  const auto add = [&](const char* what, Expectation expectation, Text text, const char* where,
                       double exponent, const std::string& reads) {
    lemmas.add<Abstract>(what, theorem_rate(-0.4, 0.8),
                         {{reading,
                           expectation,
                           where,
                           "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(" + reads,
                           abstract_rate(exponent),
                           {},
                           {},
                           {},
                           text}});
  };
  add("abstract_preprint", refuted, Text::hu_preprint, "abstract, in the copy read here", -5.0 / 8,
      "log d/(n epsilon)^(5/8)), which is what the copy read here has for the abstract. The copy "
      "garbles the exponent: Theorem 5, the introduction and the conclusions have 2/5. Nothing in "
      "the paper falls.");
  add("abstract_published", refuted, Text::hu_published, "abstract, in the copy read here",
      -5.0 / 3,
      "log d/(n epsilon)^(5/3)), which is what the copy read here has for the abstract. The copy "
      "garbles the exponent: Theorem 5 and the conclusions have 2/5. Nothing in the paper falls.");
  add("text", refuted, Text::hu_published, "text before Algorithm 2, in the copy read here",
      -2.0 / 3,
      "1/(n epsilon)^(2/3)), which is what the copy read here has in the text before Algorithm 2. "
      "The copy garbles the exponent: Theorem 5 and the conclusions have 2/5, and the preprint's "
      "copy of the same sentence yet another figure. Nothing in the paper falls.");
  add("text_preprint", holds, Text::hu_preprint, "text before Algorithm 2, in the copy read here",
      -0.2,
      "1/(n epsilon)^(1/5)), which is what the copy read here has in the text before Algorithm 2. "
      "The copy garbles the exponent: Theorem 5, the introduction and the conclusions have 2/5.");
  add("contributions", holds, Text::hu_published, "list of contributions, in the copy read here",
      -1.0 / 3,
      "log d/(n epsilon)^(1/3)), which is what the copy read here has in the list of "
      "contributions, "
      "for the polytope and for the LASSO alike. The copy garbles the second exponent: the "
      "preprint's list, Theorem 5 and the conclusions have 2/5.");
}

}  // namespace

std::vector<Claim> private_lasso_lemmas() {
  LemmaList lemmas("hu.private_lasso", Text::hu);
  add_composition(lemmas);
  add_concentration(lemmas);
  add_union_bound(lemmas);
  add_bias(lemmas);
  add_balance(lemmas);
  add_abstracts(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::hu
