// Amplification by shuffling against an exact law, and steps of the proofs of Theorems 9 and 10
// that one inequality decides. Where a step has an unstated constant, the claim allows a generous
// one, and a refutation is of that one over the ranges that the claim states.
#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// ---- Shuffling binary randomised response -------------------------------------------------------

// log P(k ones) for k ones among `count` reports that are each 1 with probability p.
double log_binomial(double count, double k, double p) {
  if (k < 0 || k > count) return -infinity;
  return log_gamma(count + 1) - log_gamma(k + 1) - log_gamma(count - k + 1) + k * std::log(p) +
         (count - k) * std::log1p(-p);
}

}  // namespace

double shuffled_response_delta(Index n, double local_epsilon, double epsilon) {
  const double keep = 1 / (1 + std::exp(-local_epsilon)), flip = 1 - keep;
  const auto others = static_cast<double>(n - 1);
  double forward = 0, backward = 0;
  // Beyond 12 standard deviations the terms are below 10^-30.
  const double spread = 12 * std::sqrt(others * keep * flip) + 12;
  const double first = std::max(0.0, std::floor(others * flip - spread));
  const double last = std::min(others + 1, std::ceil(others * flip + spread));
  for (double k = first; k <= last; ++k) {
    const double without = std::exp(log_binomial(others, k, flip));   // the one report is 0
    const double with = std::exp(log_binomial(others, k - 1, flip));  // the one report is 1
    const double p = flip * with + keep * without;  // the record is 0, like all the others
    const double q = keep * with + flip * without;  // the record is 1
    forward += std::max(0.0, p - std::exp(epsilon) * q);
    backward += std::max(0.0, q - std::exp(epsilon) * p);
  }
  return std::max(forward, backward);
}

namespace {

// The closed form, its constant 8 replaced by `constant`.
template <class Real>
Real closed_form(const Real& local_epsilon, const Real& n, const Real& delta, double constant) {
  const Real growth = exp(local_epsilon);
  return log1p(tanh(local_epsilon / 2) * constant *
               (sqrt(growth * log(4 / delta) / n) + growth / n));
}

// n reports; share: of the largest local epsilon; 0 where the theorem says nothing.
double largest_local(double n, double delta) {
  return std::max(0.0, std::log(std::floor(n) / (16 * std::log(2 / delta))));
}
double shuffled_delta(double n, double share, double delta, double constant) {
  const double largest = largest_local(n, delta), reports = std::floor(n), local = share * largest;
  if (largest <= 0) return 0;
  return shuffled_response_delta(static_cast<Index>(reports), local,
                                 closed_form(local, reports, delta, constant));
}

void add_amplification(LemmaList& lemmas) {
  const std::string by_exact_sums =
      "(sqrt(exp(e) log(4/delta)/n) + exp(e)/n)) for e <= log(n/(16 log(2/delta))): exact sums.";
  const std::string response =
      "Shuffled binary randomised response of n <= 3000 reports, one against all the others, is "
      "(epsilon, delta)-DP in both directions with epsilon = log(1 + tanh(e/2) ";
  const auto delta_or_0 = [](double n, double, double delta) {
    return largest_local(n, delta) <= 0 ? 0 : delta;
  };
  lemmas.add(
      "amplification",
      {{"n", 1000, 50, 3000, logarithmic},
       {"share", 1, 0.01, 1, logarithmic},
       {"delta", 1e-2, 1e-9, 0.5, logarithmic}},
      [](double n, double share, double delta) { return shuffled_delta(n, share, delta, 8); },
      {{printed,
        holds,
        "closed form with constant 8, as Lemma 16 of the supplement cites it",
        response + "8 " + by_exact_sums,
        delta_or_0,
        {},
        {},
        {},
        Text::feldman_2021},
       {mutant,
        refuted,
        "planted fault: constant 1 in place of 8",
        response + by_exact_sums,
        delta_or_0,
        {},
        [](double n, double share, double delta) { return shuffled_delta(n, share, delta, 1); }}});
  lemmas.add("small_epsilon", {{"epsilon0", 0.5, 1e-6, 0.5, logarithmic}},
             [](auto e) { return max(2 * sinh(e / 2) / (1.5 * e), expm1(e) / (2 * e)); },
             {{printed, holds, "proof of Theorem 9",
               "exp(e/2) - exp(-e/2) <= 3e/2 and exp(e) - 1 <= 2e for e <= 1/2.", 1}});
  lemmas.add("proof_kappa", {{"d", 1e6, 2, 1e9, logarithmic}}, [](auto d) { return 2 * log(d); },
             {{printed, refuted,
               "proof of Theorem 9, epsilon_0 = c kappa (beta M + lambda) "
               "sqrt(log(1/delta_0))/sigma_1",
               "The line epsilon_0 = c kappa (beta M + lambda) sqrt(log(1/delta_0))/sigma_1 of "
               "Theorem 9's proof agrees up to a constant with sigma_1^2 = O(kappa (beta M + "
               "lambda)^2 log(1/delta_0)/epsilon_0^2) before it, that is kappa <= 4 sqrt(kappa), "
               "for kappa = 2 log d in every dimension d (the constant 4 is this check's).",
               [](auto d) { return 4 * sqrt(2 * log(d)); }}});
}

// ---- Theorem 10 ---------------------------------------------------------------------------------

// beta = 1; l = log(1/delta).
template <class Real>
struct Theorem10 {
  Real m = 1, sigma = 1, kappa = 2, budget = 1e30, dl = 100;  // budget: n epsilon; dl: d l
  static Fields<Theorem10> fields() {
    return {field("diameter", &Theorem10::m).range(1.0, 1.0, 1e3, logarithmic),
            field("sigma", &Theorem10::sigma).range(1.0, 1.0, 1.0),
            field("kappa", &Theorem10::kappa).range(2.0, 1.0, 100.0, logarithmic),
            field("n_epsilon", &Theorem10::budget).range(1e30, 1e3, 1e150, logarithmic),
            field("d_log", &Theorem10::dl).range(100.0, 1.0, 1e6, logarithmic)};
  }
};

//   T = M^2 n^2 epsilon^2/(lambda^2 d l), gamma = sqrt T, or, scaled, T = sigma^2 n^2
//   epsilon^2/(lambda^2 d l), gamma = sigma sqrt T/M and a bound of M sigma (kappa^2 d
//   l)^(1/4)/sqrt(n epsilon).
struct Choice {
  bool sigma_in_lambda = true;
  bool scaled = false;
  bool logarithm = false;  // log(n epsilon) in the noise, as (27) has log(n/delta)
  bool logarithm_in_bound = false;
};

// A side of the theorem: side(parameters, (kappa^2 d l)^(1/4), lambda, T), or 0 where lambda <
// max{beta, 1} M or T < 1, of which the theorem says nothing.
template <class S>
auto where_it_speaks(Choice choice, S side) {
  return [=]<class Real>(const Theorem10<Real>& p) -> Real {
    const Real quarter = pow(p.kappa * p.kappa * p.dl, 0.25);
    const Real lambda = (choice.sigma_in_lambda ? p.sigma : Real(1)) * sqrt(p.budget) / quarter;
    const Real t = pow((choice.scaled ? p.sigma : p.m) * p.budget / lambda, 2) / p.dl;
    const Real nearly = 1 - 1e-12;  // what holds with equality counts as holding
    if (lambda < nearly * max(p.m, Real(1)) || t < nearly) return 0;
    return side(p, quarter, lambda, t);
  };
}

// The terms of (27), the failure probability apart.
GenericSide<Theorem10> terms(Choice choice) {
  const auto sum = [choice]<class Real>(const Theorem10<Real>& p, const Real&, const Real& lambda,
                                        const Real& t) -> Real {
    const Real &m = p.m, &sigma = p.sigma;
    const Real gamma = sqrt(t) * (choice.scaled ? sigma / m : Real(1));
    const Real noise = (choice.logarithm ? log(p.budget) : Real(1)) * p.dl * t * p.kappa *
                       pow((m + lambda) / p.budget, 2) / gamma;
    return p.kappa * m * m * gamma / t + m * sigma * sigma / lambda + sigma * m / sqrt(t) +
           sigma * sigma / gamma + m * sigma / (sqrt(t) * gamma) + noise;
  };
  return where_it_speaks(choice, sum);
}

// `times` the bound.
GenericSide<Theorem10> bound(Choice choice, double times) {
  const auto so_many = [=]<class Real>(const Theorem10<Real>& p, const Real& quarter, const Real&,
                                       const Real&) -> Real {
    const Real deviations = choice.scaled ? p.sigma : max(p.sigma, p.sigma * p.sigma);
    return times * p.m * deviations * quarter / sqrt(p.budget) *
           (choice.logarithm_in_bound ? log(p.budget) : Real(1));
  };
  return where_it_speaks(choice, so_many);
}

void add_theorem_10(LemmaList& lemmas) {
  const std::string steps =
      "With gamma = sqrt T, T = M^2 n^2 epsilon^2/(lambda^2 d log(1/delta)) and lambda = ";
  const std::string lambda = "sigma sqrt(n epsilon)/(kappa^2 d log(1/delta))^(1/4)";
  const std::string terms_of_27 =
      ", the terms of (27), log(n/delta) and the failure probability apart, add up to O(M "
      "max{sigma, sigma^2} (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon)), here for ";
  const std::string names =
      " The diameter is M, n_epsilon is n epsilon and d_log is d log(1/delta). (The constant 20 "
      "and ";
  const std::vector<std::string> hidden{
      "beta = 1; the constants of T, lambda and gamma are 1, those of the bounds this project's "
      "choice"};
  using P = Theorem10<double>;
  const Fields<P> of_m = P::fields();
  const auto of_sigma = [&](double simplest, double lower, double upper) {
    return of_m.within(&P::sigma, simplest, lower, upper, logarithmic);
  };
  const char* theorem = "Theorem 10, (27)";
  const Choice plain{}, scaled{.scaled = true}, logarithm{.logarithm = true},
      logarithms{.logarithm = true, .logarithm_in_bound = true}, no_sigma{.sigma_in_lambda = false};
  lemmas.add<Theorem10>(
      "theorem_10", terms(plain),
      {{printed, refuted, theorem,
        steps + lambda + terms_of_27 + "sigma = 1 and any M." + names +
            "10^-3 <= M <= 10^3 are this check's.)",
        bound(plain, 20), of_m.within(&P::m, 1e-3, 1e-3, 1e3)},
       {corrected, holds, "Theorem 10 for M >= 1 and sigma <= 1",
        "With lambda = " + lambda +
            " the terms of (27), log(n/delta) apart, are at most 9.1 M max{sigma, sigma^2} "
            "(kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon), for M >= 1 and sigma <= 1.",
        bound(plain, 9.1), of_sigma(1, 1e-3, 1)}},
      hidden);
  lemmas.add<Theorem10>(
      "theorem_10_sigma", terms(plain),
      {{printed, refuted, theorem,
        steps + lambda + terms_of_27 + "M = 1 and any sigma >= 1." + names +
            "sigma <= 1000 are this check's.)",
        bound(plain, 20), of_sigma(1e3, 1, 1e3).within(&P::m, 1.0, 1.0, 1.0, linear)}},
      hidden);
  lemmas.add<Theorem10>(
      "theorem_10_scaled", terms(scaled),
      {{corrected, holds, "Theorem 10 with gamma = sigma sqrt T/M",
        "With gamma = sigma sqrt T/M and T = sigma^2 n^2 epsilon^2/(lambda^2 d log(1/delta)) the "
        "terms of (27), log(n/delta) apart, are at most 9.1 M sigma (kappa^2 d "
        "log(1/delta))^(1/4)/sqrt(n epsilon) for every M and sigma.",
        bound(scaled, 9.1), of_sigma(1, 1e-3, 1e3).within(&P::m, 1.0, 1e-3, 1e3)}},
      hidden);
  lemmas.add<Theorem10>(
      "theorem_10_logarithm", terms(logarithm),
      {{printed, refuted, theorem,
        steps + lambda +
            ", the terms of (27), with the log(n/delta) of its noise and the failure probability "
            "apart, add up to O(M max{sigma, sigma^2} (kappa^2 d log(1/delta))^(1/4)/sqrt(n "
            "epsilon)), here for M >= 1 and sigma = 1." +
            names + "log(n epsilon), the smaller one, in place of log(n/delta) are this check's.)",
        bound(logarithm, 20)},
       {corrected, holds, "Theorem 10 with log(n/delta)",
        "With lambda = " + lambda +
            " the terms of (27), with the log(n/delta) of its noise, are at most 5 M (kappa^2 d "
            "log(1/delta))^(1/4)/sqrt(n epsilon) times that logarithm, for M >= 1 and sigma = 1.",
        bound(logarithms, 5)}},
      hidden);
  lemmas.add<Theorem10>(
      "theorem_10_lambda", terms(no_sigma),
      {{printed,
        refuted,
        "Theorem 10, lambda without sigma",
        steps + "sqrt(n epsilon)/(kappa^2 d log(1/delta))^(1/4), as the main text has it" +
            terms_of_27 + "M >= 1 and sigma <= 1." + names + "sigma >= 10^-3 are this check's.)",
        bound(no_sigma, 20),
        of_sigma(1e-3, 1e-3, 1),
        {},
        {},
        Text::su_main}},
      hidden);
}

// ---- Theorem 9 ----------------------------------------------------------------------------------

// Algorithm 4's noise with the constant 1000 for its O(): sigma_1^2 = 1000 log(n/delta) kappa (beta
// M + lambda)^2 log(1/delta)/(n epsilon^2), in units of kappa (beta M + lambda)^2.
template <class Real>
Real printed_variance(const Real& n, const Real& delta, const Real& epsilon) {
  return 1000 * log(n / delta) * -log(delta) / (n * epsilon * epsilon);
}

// Each report is (epsilon_0, delta/(7n))-DP.
template <class Real>
struct Amplified {
  enum class Side { epsilon, local, delta };
  Real n = 1e5, delta = 1e-5, share = 1;
  Side side = Side::epsilon;
  static Fields<Amplified> fields() {
    return {field("n", &Amplified::n).range(1e5, 1e3, 1e12, logarithmic),
            field("delta", &Amplified::delta).range(1e-5, 1e-12, 0.1, logarithmic),
            field("share", &Amplified::share).range(1.0, 1e-3, 1.0, logarithmic),
            field("second", &Amplified::side).range(Side::epsilon, Side::epsilon, Side::delta)};
  }
  Real epsilon() const { return share * sqrt(log(n / delta) / n); }
  Real local() const {
    return sqrt(8 * log(7 * n / delta) / printed_variance(n, delta, epsilon()));
  }
  // What the closed form, at delta/2, and the n reports cost of delta (Theorem 3.8 of Feldman,
  // McMillan and Talwar).
  Real share_of_delta() const {
    return Real(0.5) + (exp(epsilon()) + 1) * (1 + exp(-local()) / 2) / 7;
  }
};

void add_noise(LemmaList& lemmas) {
  lemmas.add<Amplified>(
      "noise",
      []<class Real>(const Amplified<Real>& p) -> Real {
        using Side = typename Amplified<Real>::Side;
        if (p.side == Side::delta) return p.share_of_delta();
        return p.side == Side::local ? p.local()
                                     : closed_form<Real>(p.local(), p.n, p.delta / 2, 8);
      },
      {{corrected, holds, "Theorem 9 with the constant 1000",
        "With sigma_1^2 = 1000 log(n/delta) kappa (beta M + lambda)^2 log(1/delta)/(n epsilon^2), "
        "kappa = (r - 1) d^(2/r - 2/q) and r = min{q, max{2, 2 log d}}, each report is (epsilon_0, "
        "delta/(7n))-DP by Lemma 3 with epsilon_0 <= 1/2, and shuffling gives epsilon at delta/2 "
        "plus (e^epsilon + 1) (1 + e^-epsilon_0/2) delta/7 <= delta/2, for epsilon <= "
        "sqrt(log(n/delta)/n), n >= 1000, delta <= 0.1.",
        []<class Real>(const Amplified<Real>& p) -> Real {
          using Side = typename Amplified<Real>::Side;
          if (p.side == Side::delta) return 1;
          return p.side == Side::local ? Real(0.5) : p.epsilon();
        }}});
  lemmas.add("theorem_10_vacuous",
             {{"n", 1e18, 1e3, 1e18, logarithmic},
              {"delta", 1e-5, 1e-12, 1e-5, logarithmic},
              {"d", 2, 2, 1e4, logarithmic},
              {"kappa", 1, 1, 100, logarithmic}},
             1,
             {{corrected, holds, "(27) with the noise that is proved to be enough for Theorem 9",
               "With T and lambda of Theorem 10 and sigma_1^2 = 1000 log(n/delta) kappa (beta M + "
               "lambda)^2 log(1/delta)/(n epsilon^2), the term of the noise in (27) is M sigma at "
               "least for every n <= 10^18, within Theorem 9's epsilon <= sqrt(log(n/delta)/n). "
               "(delta <= 10^-5, d >= 2, gamma = sqrt T; every constant but the 1000 is 1, and "
               "1000 is what this project's proof asks for, not the least that is private.)",
               [](auto n, auto delta, auto d, auto kappa) {
                 const auto logarithm = log(n / delta), budget = sqrt(n * logarithm);
                 return 1000 * logarithm * sqrt(kappa) * pow(d * -log(delta), 0.25) / sqrt(budget);
               }}});
  lemmas.add("noise",
             {{"n", 1e8, 1e3, 1e12, logarithmic},
              {"delta", 1e-5, 1e-12, 0.1, logarithmic},
              {"epsilon", 1, 1e-3, 1, logarithmic}},
             [](auto n, auto delta, auto epsilon) {
               const auto x = 1 / sqrt(printed_variance(n, delta, epsilon));
               const auto tail = erfc(x / sqrt(decltype(x)(2))) / 2;
               return 1 - tail + exp(epsilon) * expm1(n * log1p(-tail));
             },
             {{mutant, refuted, "planted fault: the limit on epsilon dropped",
               "With sigma_1^2 = 1000 log(n/delta) kappa (beta M + lambda)^2 log(1/delta)/(n "
               "epsilon^2) Algorithm 4 is (epsilon, delta)-DP for every epsilon <= 1. (d = 1: if n "
               "- 1 reports are around -(beta M + lambda) and one around beta M + lambda, some "
               "report is positive with probability P(Z < x) or more, against 1 - P(Z < x)^n "
               "without it, x = (beta M + lambda)/sigma_1.)",
               [](auto, auto delta, auto) { return delta; }}});
}

// All gradients but one at -(beta M + lambda) = -1: its `constant` for Theorem 9's O().
double delta_of_reports(double n, double delta, double constant) {
  const auto reports = static_cast<Index>(n);
  const double records = static_cast<double>(reports), logarithm = std::log(records / delta);
  const double epsilon = std::sqrt(logarithm / records);
  const double variance = constant * logarithm * -std::log(delta) / (records * epsilon * epsilon);
  return shuffled_reports_delta(reports, std::sqrt(variance), epsilon, 0.25);
}

void add_reports(LemmaList& lemmas) {
  const auto statement = [](const std::string& noise) {
    return "At epsilon = sqrt(log(n/delta)/n), d = T = 1 and sigma_1^2 = " + noise +
           ", 10 <= n <= 40 reports in random order, one of which changes from -(beta M + lambda) "
           "to beta M + lambda while all others are -(beta M + lambda), are together (epsilon, "
           "delta)-DP in both directions.";
  };
  const std::string noise = "log(n/delta) kappa (beta M + lambda)^2 log(1/delta)/(n epsilon^2)";
  const auto delta = [](double, double delta) { return delta; };
  lemmas.add(
      "reports", {{"n", 40, 10, 40, logarithmic}, {"delta", 1e-5, 1e-9, 0.1, logarithmic}},
      [](double n, double delta) { return delta_of_reports(n, delta, 1); },
      {{printed, holds, "Theorem 9, the constant of its O() 1", statement(noise), delta},
       {mutant, refuted, "planted fault: half of the variance", statement(noise + "/2"), delta,
        std::nullopt, [](double n, double delta) { return delta_of_reports(n, delta, 0.5); }}});
}

}  // namespace

std::vector<Claim> shuffled_mirror_lemmas() {
  LemmaList lemmas("su.shuffled_mirror_descent", Text::su_supplement);
  add_amplification(lemmas);
  add_theorem_10(lemmas);
  add_noise(lemmas);
  add_reports(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::su
