// Amplification by shuffling against an exact law, and steps of the proofs of Theorems 9 and 10
// that one inequality decides. Where a step has an unstated constant, the claim allows a generous
// one, and a refutation is of that one over the ranges that the claim states.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/geometry/mirror_map.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string main_text = "Su, Zhao and Wang (main text)";
const std::string here = "this project";

// ---- Shuffling binary randomised response -------------------------------------------------------

// log P(k ones) for k ones among `count` reports that are each 1 with probability p.
double log_binomial(double count, double k, double p) {
  if (k < 0 || k > count) return -std::numeric_limits<double>::infinity();
  return std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) +
         k * std::log(p) + (count - k) * std::log1p(-p);
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
double closed_form(double local_epsilon, double n, double delta, double constant) {
  const double growth = std::exp(local_epsilon);
  return std::log1p(std::tanh(local_epsilon / 2) * constant *
                    (std::sqrt(growth * std::log(4 / delta) / n) + growth / n));
}

LemmaClaim amplification(double constant) {
  return {{{"n", 1000, 50, 3000, Scale::logarithmic},
           {"share", 1, 0.01, 1, Scale::logarithmic},  // of the largest local epsilon
           {"delta", 1e-2, 1e-9, 0.5, Scale::logarithmic}},
          [constant](const ParameterPoint& p) {
            const double n = std::floor(p.at("n")), delta = p.at("delta");
            const double largest = std::log(n / (16 * std::log(2 / delta)));
            if (largest <= 0) return Sides{0, 0};  // the theorem says nothing
            const double local = p.at("share") * largest;
            return Sides{shuffled_response_delta(static_cast<Index>(n), local,
                                                 closed_form(local, n, delta, constant)),
                         delta};
          }};
}

// ---- Theorem 10 ---------------------------------------------------------------------------------

// The terms of (27), beta = 1 and the failure probability apart, against 20 times Theorem 10's
// bound. Where lambda < max{beta, 1} M or T < 1 the theorem says nothing. l = log(1/delta).
//   T = M^2 n^2 epsilon^2/(lambda^2 d l), gamma = sqrt T, or, scaled, T = sigma^2 n^2
//   epsilon^2/(lambda^2 d l), gamma = sigma sqrt T/M and a bound of M sigma (kappa^2 d
//   l)^(1/4)/sqrt(n epsilon).
struct Theorem10 {
  bool sigma_in_lambda = true;
  bool scaled = false;
  bool logarithm = false;  // log(n epsilon) in the noise, as (27) has log(n/delta)
  bool logarithm_in_bound = false;
};

LemmaClaim theorem_10(const Theorem10& choice, ParameterRange diameter, ParameterRange deviation) {
  return {{std::move(diameter),
           std::move(deviation),
           {"kappa", 2, 1, 100, Scale::logarithmic},
           {"n_epsilon", 1e30, 1e3, 1e150, Scale::logarithmic},
           {"d_log", 100, 1, 1e6, Scale::logarithmic}},
          [choice](const ParameterPoint& p) {
            const double m = p.at("diameter"), sigma = p.at("sigma"), kappa = p.at("kappa");
            const double budget = p.at("n_epsilon"), dl = p.at("d_log");
            const double quarter = std::pow(kappa * kappa * dl, 0.25);
            const double lambda =
                (choice.sigma_in_lambda ? sigma : 1) * std::sqrt(budget) / quarter;
            const double t = std::pow((choice.scaled ? sigma : m) * budget / lambda, 2) / dl;
            if (lambda < std::max(m, 1.0) || t < 1) return Sides{0, 0};
            const double gamma = std::sqrt(t) * (choice.scaled ? sigma / m : 1);
            const double logarithm = std::log(budget);
            const double noise = (choice.logarithm ? logarithm : 1) * dl * t * kappa *
                                 std::pow((m + lambda) / budget, 2) / gamma;
            const double risk = kappa * m * m * gamma / t + m * sigma * sigma / lambda +
                                sigma * m / std::sqrt(t) + sigma * sigma / gamma +
                                m * sigma / (std::sqrt(t) * gamma) + noise;
            const double deviations = choice.scaled ? sigma : std::max(sigma, sigma * sigma);
            return Sides{risk, 20 * m * deviations * quarter / std::sqrt(budget) *
                                   (choice.logarithm_in_bound ? logarithm : 1)};
          }};
}

// ---- Theorem 9 ----------------------------------------------------------------------------------

// Algorithm 4's noise with `constant` for its O(): sigma_1^2 = constant log(n/delta) kappa (beta M
// + lambda)^2 log(1/delta)/(n epsilon^2), in units of kappa (beta M + lambda)^2.
double printed_variance(const ParameterPoint& p, double epsilon, double constant) {
  const double n = p.at("n"), delta = p.at("delta");
  return constant * std::log(n / delta) * -std::log(delta) / (n * epsilon * epsilon);
}

// h of mixed magnitudes and the xi that is dual to it in l_p, both sides at the best gamma.
LemmaClaim step_norm(bool euclidean) {
  return {{{"seed", 0, 0, 10'000, Scale::integer},
           {"p", 1.5, 1.05, 2, Scale::linear},
           {"d", 2, 1, 20, Scale::integer}},
          [euclidean](const ParameterPoint& point) {
            RandomStream stream(
                {.seed = static_cast<std::uint64_t>(point.at("seed")), .claim = "step norm"});
            const double p = point.at("p");
            const VectorXd h = stream.normal_vector(static_cast<Index>(point.at("d")));
            const VectorXd xi = gradient({1, p}, h);
            const double length = euclidean ? h.norm() : lp_norm(h, p);
            return Sides{xi.dot(h), length * lp_norm(xi, dual_exponent(p)) * (1 + 1e-12)};
          }};
}

// A mean of many noises at scale 1, times the root of their number, is nearly Gaussian with the
// variance of one coordinate, d Gamma(3/r) Gamma(d/r)/(Gamma(1/r) Gamma((d + 2)/r)): its mean
// square in ||.||_r, from below by the square of the mean, against d.
Sides averaged_noise(const ParameterPoint& p) {
  const double r = p.at("r"), d = std::floor(p.at("d"));
  const double variance = d * std::exp(std::lgamma(3 / r) + std::lgamma(d / r) -
                                       std::lgamma(1 / r) - std::lgamma((d + 2) / r));
  const double mean = gaussian_width({.p = dual_exponent(r), .dimension = static_cast<Index>(d)});
  return {variance * mean * mean, 1.01 * d};
}

}  // namespace

std::vector<Claim> shuffled_mirror_lemmas() {
  const Source theorem{"Su, Zhao and Wang (supplement)", "Theorem 10, (27)"};
  const ParameterRange one{"sigma", 1, 1, 1, Scale::linear};
  const std::vector<ParameterRange> small{{"epsilon0", 0.5, 1e-6, 0.5, Scale::logarithmic}};
  return lemma_claims(
      "su.shuffled_mirror_descent",
      {{"amplification",
        printed,
        holds,
        {"Feldman, McMillan and Talwar (2021), as Lemma 16 of the supplement cites it",
         "closed form with constant 8"},
        "Shuffled binary randomised response of n <= 3000 reports, one against all the others, is "
        "(epsilon, delta)-DP in both directions with epsilon = log(1 + tanh(e/2) 8 (sqrt(exp(e) "
        "log(4/delta)/n) + exp(e)/n)) for e <= log(n/(16 log(2/delta))): exact sums.",
        amplification(8)},
       {"amplification",
        mutant,
        refuted,
        {here, "planted fault: constant 1 in place of 8"},
        "The same with 1 in place of 8.",
        amplification(1)},
       {"small_epsilon",
        printed,
        holds,
        {paper, "proof of Theorem 9"},
        "exp(e/2) - exp(-e/2) <= 3e/2 and exp(e) - 1 <= 2e for e <= 1/2.",
        {small,
         [](const ParameterPoint& p) {
           const double e = p.at("epsilon0");
           return Sides{std::max(2 * std::sinh(e / 2) / (1.5 * e), std::expm1(e) / (2 * e)), 1};
         }}},
       {"proof_kappa",
        printed,
        refuted,
        {paper,
         "proof of Theorem 9, epsilon_0 = c kappa (beta M + lambda) sqrt(log(1/delta_0))/sigma_1"},
        "kappa <= 4 sqrt(kappa), kappa = 2 log d: the proof's sigma_1 agrees with sigma_1^2 = "
        "O(kappa (beta M + lambda)^2 log(1/delta_0)/epsilon_0^2) two lines before.",
        {{{"d", 1e6, 2, 1e9, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double kappa = 2 * std::log(p.at("d"));
           return Sides{kappa, 4 * std::sqrt(kappa)};
         }}},
       {"theorem_10", printed, refuted, theorem,
        "With lambda = sigma sqrt(n epsilon)/(kappa^2 d log(1/delta))^(1/4) the terms of (27), "
        "log(n/delta) apart, are at most 20 M max{sigma, sigma^2} (kappa^2 d "
        "log(1/delta))^(1/4)/sqrt(n epsilon), for sigma = 1 and 10^-3 <= M <= 10^3. (The term "
        "sigma^2/gamma, printed M sigma^2/gamma one line later, grows as 1/M.)",
        theorem_10({}, {"diameter", 1e-3, 1e-3, 1e3, Scale::logarithmic}, one)},
       {"theorem_10_sigma", printed, refuted, theorem,
        "The same for M = 1 and 1 <= sigma <= 1000. (sigma^2/gamma grows as sigma^3.)",
        theorem_10({}, {"diameter", 1, 1, 1, Scale::linear},
                   {"sigma", 1e3, 1, 1e3, Scale::logarithmic})},
       {"theorem_10",
        corrected,
        holds,
        {here, "Theorem 10 for M >= 1 and sigma <= 1"},
        "The same for M >= 1 and sigma <= 1.",
        theorem_10({}, {"diameter", 1, 1, 1e3, Scale::logarithmic},
                   {"sigma", 1, 1e-3, 1, Scale::logarithmic})},
       {"theorem_10_scaled",
        corrected,
        holds,
        {here, "Theorem 10 with gamma = sigma sqrt T/M"},
        "With gamma = sigma sqrt T/M and T = sigma^2 n^2 epsilon^2/(lambda^2 d log(1/delta)) they "
        "are at most 20 M sigma (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon) for every M and "
        "sigma.",
        theorem_10({.scaled = true}, {"diameter", 1, 1e-3, 1e3, Scale::logarithmic},
                   {"sigma", 1, 1e-3, 1e3, Scale::logarithmic})},
       {"theorem_10_logarithm", printed, refuted, theorem,
        "For M >= 1 and sigma = 1 with the log(n/delta) of (27)'s noise. (The bound has lost it.)",
        theorem_10({.logarithm = true}, {"diameter", 1, 1, 1e3, Scale::logarithmic}, one)},
       {"theorem_10_logarithm",
        corrected,
        holds,
        {here, "Theorem 10 with log(n/delta)"},
        "The same with the logarithm in the bound too.",
        theorem_10({.logarithm = true, .logarithm_in_bound = true},
                   {"diameter", 1, 1, 1e3, Scale::logarithmic}, one)},
       {"theorem_10_lambda",
        printed,
        refuted,
        {main_text, "Theorem 10, lambda without sigma"},
        "For M >= 1 and sigma <= 1 with lambda = sqrt(n epsilon)/(kappa^2 d log(1/delta))^(1/4).",
        theorem_10({.sigma_in_lambda = false}, {"diameter", 1, 1, 1e3, Scale::logarithmic},
                   {"sigma", 1e-3, 1e-3, 1, Scale::logarithmic})},
       {"noise",
        corrected,
        holds,
        {here, "Theorem 9 with the constant 1000"},
        "With sigma_1^2 = 1000 log(n/delta) kappa (beta M + lambda)^2 log(1/delta)/(n epsilon^2) "
        "each report is (epsilon_0, delta/(5n))-DP by Lemma 3 with epsilon_0 <= 1/2, and shuffling "
        "gives epsilon at delta/2, for epsilon <= sqrt(log(n/delta)/n), n >= 1000, delta <= 0.1.",
        {{{"n", 1e5, 1e3, 1e12, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic},
          {"share", 1, 1e-3, 1, Scale::logarithmic},
          {"second", 0, 0, 1, Scale::integer}},
         [](const ParameterPoint& p) {
           const double n = p.at("n"), delta = p.at("delta");
           const double epsilon = p.at("share") * std::sqrt(std::log(n / delta) / n);
           const double local =
               std::sqrt(8 * std::log(5 * n / delta) / printed_variance(p, epsilon, 1000));
           return p.at("second") == 1 ? Sides{local, 0.5}
                                      : Sides{closed_form(local, n, delta / 2, 8), epsilon};
         }}},
       {"noise",
        mutant,
        refuted,
        {here, "planted fault: the limit on epsilon dropped"},
        "With the same noise it is (epsilon, delta)-DP for every epsilon <= 1. (d = 1: if n - 1 "
        "reports are around -(beta M + lambda) and one around beta M + lambda, some report is "
        "positive with probability P(Z < x) or more, against 1 - P(Z < x)^n without it, x = (beta "
        "M + lambda)/sigma_1.)",
        {{{"n", 1e8, 1e3, 1e12, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic},
          {"epsilon", 1, 1e-3, 1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double x = 1 / std::sqrt(printed_variance(p, p.at("epsilon"), 1000));
           const double tail = std::erfc(x / std::sqrt(2.0)) / 2;
           return Sides{
               1 - tail + std::exp(p.at("epsilon")) * std::expm1(p.at("n") * std::log1p(-tail)),
               p.at("delta")};
         }}},
       {"step_norm",
        printed,
        refuted,
        {paper, "proof of Theorem 10, after (25)"},
        "<xi, h> <= gamma ||h||_2^2/4 + ||xi||_q^2/gamma for 1 < p <= 2, q dual to p.",
        step_norm(true)},
       {"step_norm",
        corrected,
        holds,
        {here, "proof of Theorem 10 with ||.||_p"},
        "The same with ||h||_p in place of ||h||_2.",
        step_norm(false)},
       {"variance_term",
        printed,
        refuted,
        {paper, "proof of Theorem 10, (27)"},
        "The deviation 18 lambda sigma sqrt(T tau) of sum ||x_t||^2 is at most 100 M sigma sqrt(T "
        "tau), as (27) has it, for lambda >= M.",
        {{{"ratio", 10, 1, 1e6, Scale::logarithmic}},  // lambda/M
         [](const ParameterPoint& p) {
           return Sides{18 * p.at("ratio"), 100};
         }}},
       {"largest_deviation",
        printed,
        refuted,
        {paper, "Lemma 19"},
        "||x_t||_q <= 2M + lambda for M <= lambda. (A kept gradient of norm beta M + lambda "
        "against a mean gradient -beta M gives 2 beta M + lambda, as Lemma 17 says.)",
        {{{"beta", 10, 0.1, 100, Scale::logarithmic}, {"lambda", 1, 1, 1000, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{2 * p.at("beta") + p.at("lambda"), 2 + p.at("lambda")};  // M = 1
         }}},
       {"averaged_noise",
        printed,
        refuted,
        {paper, "proof of Theorem 10, g^2"},
        "The mean of |B| noises has E||.||_r^2 <= d sigma_1^2/|B| (1% allowed for), as one of them "
        "over |B|. (Only in the Euclidean norm do the squares of independent vectors add up; here "
        "the limit of many.)",
        {{{"r", 8, 2, 16, Scale::linear}, {"d", 2000, 2, 2000, Scale::logarithmic}},
         averaged_noise}}});
}

}  // namespace dpverify::su
