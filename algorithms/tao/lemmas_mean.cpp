// Lemmas of the two mean estimators, Algorithms 1 and 3.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/tao/lemmas.hpp"
#include "algorithms/tao/truncated_mean.hpp"

namespace dpverify::tao {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string two_point = "x is 1 with probability q and a otherwise, |a| <= 1; n <= 60";

// The mean of n two-point numbers: 1 with probability q, a otherwise.
struct TwoPoint {
  double n, q, a;

  double mean() const { return q + (1 - q) * a; }
  double raw_moment(double order) const { return q + (1 - q) * std::pow(std::abs(a), order); }
  double central_moment(double order) const {
    return q * std::pow(std::abs(1 - mean()), order) +
           (1 - q) * std::pow(std::abs(a - mean()), order);
  }
  // E f(mean of the n numbers - their expectation), exactly.
  template <class F>
  double expectation(F f) const {
    double total = 0;
    for (double k = 0; k <= n; ++k)
      total += binomial_probability(n, k, q) * f((k + (n - k) * a) / n - mean());
    return total;
  }
  // P(|mean - expectation| >= t), `t` short of a rounding error.
  double tail(double t) const {
    return expectation([t](double x) { return std::abs(x) >= t * (1 + 1e-12) ? 1.0 : 0.0; });
  }
};

TwoPoint two_point_law(const ParameterPoint& p) { return {p.at("n"), p.at("q"), p.at("a")}; }

std::vector<ParameterRange> two_point_ranges(std::vector<ParameterRange> more) {
  more.insert(more.begin(), {{"n", 1, 1, 60, Scale::integer},
                             {"q", 0.1, 1e-6, 0.999, Scale::logarithmic},
                             {"a", 0, -1, 1, Scale::linear},
                             {"v", 0.5, 0.01, 1, Scale::linear}});
  return more;
}

// ---- Algorithm 1 --------------------------------------------------------------------------------

double standard_normal_above(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

Sides bernstein(const ParameterPoint& p) {
  const TwoPoint law = two_point_law(p);
  const double logarithm = -std::log(p.at("xi"));
  return {law.tail(std::sqrt(2 * law.raw_moment(1 + p.at("v")) * logarithm / law.n) +
                   logarithm / (3 * law.n)),
          p.at("xi")};
}

// The exact delta of the Gaussian mechanism of Lemma 3 at epsilon.
Sides gaussian_mechanism(const ParameterPoint& p) {
  const double epsilon = p.at("epsilon"), delta = p.at("delta");
  return {gaussian_delta(epsilon / std::sqrt(2 * std::log(1.25 / delta)), epsilon), delta};
}

std::vector<ParameterRange> mean_ranges(double largest_xi, double largest_delta) {
  return {{"xi", std::min(0.05, largest_xi), 1e-6, largest_xi, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, largest_delta, Scale::logarithmic},
          {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear},
          {"n", 1e4, 1, 1e9, Scale::logarithmic}};
}

// The four terms of (4) for u = 1.
double error_terms(const ParameterPoint& p) {
  const double n = p.at("n"), epsilon = p.at("epsilon"), v = p.at("v");
  const double logarithm = -std::log(p.at("xi")), noise = std::log(1.25 / p.at("delta"));
  const double b = std::pow(n * epsilon / (logarithm * std::sqrt(noise)), 1 / (1 + v));
  return std::sqrt(2 * std::pow(b, 1 - v) * logarithm / n) + b * logarithm / (3 * n) +
         std::pow(b, -v) +
         4 * std::numbers::sqrt2 * b / (n * epsilon) * std::sqrt(noise * logarithm);
}

double bound(const ParameterPoint& p) {
  return truncated_mean_bound(p.at("n"), p.at("epsilon"), p.at("delta"), 1, p.at("v"), p.at("xi"));
}

// (9): the noise term exactly, and with an exponent of sqrt(log(1.25/delta))/(n epsilon).
Sides noise_exponent(const ParameterPoint& p, bool printed_exponent) {
  const double n = p.at("n"), epsilon = p.at("epsilon"), v = p.at("v");
  const double logarithm = -std::log(p.at("xi")), noise = std::sqrt(std::log(1.25 / p.at("delta")));
  const double b = std::pow(n * epsilon / (logarithm * noise), 1 / (1 + v));
  const double exponent = (printed_exponent ? 1 : v) / (1 + v);
  return {b / (n * epsilon) * noise * std::sqrt(logarithm),
          std::pow(noise / (n * epsilon), exponent) * std::pow(logarithm, (v - 1) / (2 * (1 + v))) *
              (1 + 1e-12)};
}

// P(|output - mean| > 9 times the bound), exactly, for the law of Lemma 16: tau = (u/p)^(1/(1+v))
// with probability p, 0 otherwise; u = 1.
Sides utility(const ParameterPoint& at) {
  const double n = at.at("n"), p = at.at("p"), v = at.at("v");
  const double tau = std::pow(p, -1 / (1 + v));
  const TruncatedMeanParameters algorithm = truncated_mean_from_theorem(
      static_cast<Index>(n), at.at("epsilon"), at.at("delta"), 1, v, at.at("xi"));
  const double deviation = noise_deviation(algorithm, static_cast<Index>(n));
  const double radius = 9 * bound(at);
  double failure = 0;
  for (double k = 0; k <= n; ++k) {
    const double error = (tau <= algorithm.truncation ? k * tau / n : 0) - p * tau;
    failure +=
        binomial_probability(n, k, p) * (standard_normal_above((radius - error) / deviation) +
                                         standard_normal_above((radius + error) / deviation));
  }
  return {failure, at.at("xi")};
}

std::vector<ParameterRange> hard_law_ranges(double largest_xi, double largest_delta) {
  return {{"n", 10, 1, 100, Scale::integer},
          {"p", 0.1, 1e-6, 0.999, Scale::logarithmic},
          {"epsilon", 0.5, 1e-3, 1, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, largest_delta, Scale::logarithmic},
          {"xi", std::min(0.05, largest_xi), 1e-6, largest_xi, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear}};
}

// Telling the law of Lemma 16 from a point mass at 0 by the estimate: the explicit bound of
// Acharya, Sun and Zhang (2021), Theorem 1, for any (epsilon, delta)-DP test whose samples can be
// coupled at n p expected differences, against the average error of the estimate at distance
// alpha/2.
Sides lower_bound(const ParameterPoint& at, bool is_private) {
  const double n = at.at("n"), p = at.at("p"), v = at.at("v"), epsilon = at.at("epsilon");
  const double tau = std::pow(p, -1 / (1 + v)), half = p * tau / 2;
  const TruncatedMeanParameters algorithm = truncated_mean_from_theorem(
      static_cast<Index>(n), epsilon, at.at("delta"), 1, v, at.at("xi"));
  const double deviation =
      is_private ? noise_deviation(algorithm, static_cast<Index>(n)) : 1e-9 * half;
  const bool kept = !is_private || tau <= algorithm.truncation;
  double error = 2 * standard_normal_above(half / deviation);  // on the point mass
  for (double k = 0; k <= n; ++k) {
    const double shift = (kept ? k * tau / n : 0) - p * tau;
    error += binomial_probability(n, k, p) * (standard_normal_above((half - shift) / deviation) +
                                              standard_normal_above((half + shift) / deviation));
  }
  return {(0.9 * std::exp(-10 * epsilon * n * p) - 10 * n * p * at.at("delta")) / 2, error / 2};
}

// Each record published with probability delta: of n records, p of them 1 (in units of tau), the
// estimate is the number of published ones over n delta. P(it misses the mean p by p/2 or more).
Sides publishing(const ParameterPoint& at) {
  const double n = at.at("n"), published = at.at("p") * at.at("delta");
  double far = 0;
  for (double k = 0; k <= n; ++k)
    if (std::abs(k - n * published) >= n * published / 2)
      far += binomial_probability(n, k, published);
  return {0.1, far};
}

// Lemma 10 on the Pareto law of index 1 + v + 0.05: E X 1{X > B}, its bound, and the integral that
// the proof takes it for.
struct ParetoTail {
  double index, moment, expectation, integral;
};
ParetoTail pareto_tail(const ParameterPoint& p) {
  const double a = 1 + p.at("v") + 0.05, b = p.at("B");
  return {a, a / 0.05, a / (a - 1) * std::pow(b, 1 - a), std::pow(b, 1 - a) / (a - 1)};
}
const std::vector<ParameterRange> pareto_ranges{{"v", 1, 0.01, 1, Scale::linear},
                                                {"B", 1, 1, 1e9, Scale::logarithmic}};

// ---- Algorithm 3 --------------------------------------------------------------------------------

// P(chi^2 with d degrees of freedom >= 2 y), by the finite sums for even and odd d.
double chi_square_above(int d, double y) {
  double sum = d % 2 == 0 ? 0 : std::erfc(std::sqrt(y));
  for (double k = d % 2 == 0 ? 0 : 0.5; k < d / 2.0; ++k)
    sum += std::exp(k * std::log(y) - y - std::lgamma(k + 1));
  return sum;
}

// P(X >= m/2), X binomial (m, 0.1).
double half_bad(double m) {
  double sum = 0;
  for (double k = std::ceil(m / 2); k <= m; ++k) sum += binomial_probability(m, k, 0.1);
  return sum;
}

LemmaClaim block_count(double (*round)(double)) {
  return {{{"d", 1, 1, 1e4, Scale::integer}, {"xi", 0.1, 1e-9, 0.999, Scale::logarithmic}},
          [round](const ParameterPoint& p) {
            const double m = round(4 * std::log(2 * p.at("d") / p.at("xi")));
            return Sides{p.at("d") * std::exp(-m / 4), p.at("xi") / 2};
          }};
}

const std::vector<ParameterRange> constant_data{{"m", 3, 1, 30, Scale::integer},
                                                {"block", 1, 1, 10, Scale::integer}};

}  // namespace

std::vector<Claim> truncated_mean_lemmas() {
  const Source lemma_3{paper, "Lemma 3 (Gaussian mechanism)"};
  const std::string lemma_3_text =
      "Noise of variance 2 Delta^2 log(1.25/delta)/epsilon^2 makes Delta (epsilon, delta)-DP";
  return lemma_claims(
      "tao.truncated_mean",
      {{"gaussian_mechanism",
        printed,
        refuted,
        lemma_3,
        lemma_3_text + ", for every epsilon; here up to 20, at delta = 1e-5. The witness is the "
                       "first failure.",
        {{{"epsilon", 1e-3, 1e-3, 20, Scale::linear}},
         [](const ParameterPoint& p) {
           return gaussian_mechanism({{"epsilon", p.at("epsilon")}, {"delta", 1e-5}});
         }},
        {}},
       {"gaussian_mechanism",
        proved,
        holds,
        {paper, "Lemma 3 (Gaussian mechanism), as Theorem 1 uses it"},
        lemma_3_text + ", for 0 < epsilon, delta <= 1.",
        {{{"epsilon", 1, 1e-6, 1, Scale::logarithmic},
          {"delta", 1e-5, 1e-300, 1, Scale::logarithmic}},
         gaussian_mechanism},
        {}},
       {"bernstein",
        printed,
        refuted,
        {paper, "(5), by Lemma 6"},
        "With probability 1 - xi the mean of n numbers in [-B, B] is within sqrt(2 B^(1-v) u "
        "log(1/xi)/n) + B log(1/xi)/(3n) of its expectation, on either side, for every xi in (0, "
        "1). Lemma 6 is one-sided and gives 1 - 2 xi. Decided exactly on two-point laws.",
        {two_point_ranges({{"xi", 0.999, 1e-6, 0.999, Scale::logarithmic}}), bernstein},
        {two_point, "B = 1"}},
       {"bernstein",
        corrected,
        holds,
        {here, "(5) for xi <= 1/2"},
        "The same for xi <= 1/2.",
        {two_point_ranges({{"xi", 0.1, 1e-6, 0.5, Scale::logarithmic}}), bernstein},
        {two_point, "B = 1"}},
       {"noise_tail",
        printed,
        holds,
        {paper, "(4), by Lemma 5"},
        "With probability 1 - 2 xi the noise is at most 4 sqrt2 B/(n epsilon) sqrt(log(1.25/delta) "
        "log(1/xi)).",
        {{{"xi", 0.1, 1e-12, 0.999, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{2 * standard_normal_above(2 * std::sqrt(-std::log(p.at("xi")))),
                        2 * p.at("xi")};
         }},
        {}},
       {"noise_tail",
        corrected,
        holds,
        {here, "(4), by Lemma 5"},
        "The same with probability 1 - xi^2: sqrt2 of the factor 4 sqrt2 is to spare.",
        {{{"xi", 0.1, 1e-12, 0.999, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{2 * standard_normal_above(2 * std::sqrt(-std::log(p.at("xi")))),
                        p.at("xi") * p.at("xi")};
         }},
        {}},
       {"noise_exponent",
        printed,
        refuted,
        {paper, "(9), first line"},
        "The noise term is at most 4 sqrt2 u^(1/(1+v)) (sqrt(log(1.25/delta))/(n "
        "epsilon))^(1/(1+v)) "
        "log(1/xi)^((v-1)/(2(1+v))).",
        {mean_ranges(0.999, 1), [](const ParameterPoint& p) { return noise_exponent(p, true); }},
        {}},
       {"noise_exponent",
        corrected,
        holds,
        {here, "(9), first line, with the exponent v/(1+v)"},
        "The noise term is 4 sqrt2 u^(1/(1+v)) (sqrt(log(1.25/delta))/(n epsilon))^(v/(1+v)) "
        "log(1/xi)^((v-1)/(2(1+v))).",
        {mean_ranges(0.999, 1), [](const ParameterPoint& p) { return noise_exponent(p, false); }},
        {}},
       {"bias_term",
        printed,
        refuted,
        {paper, "(8)"},
        "u^(1/(1+v)) (sqrt(log(1.25/delta)) log(2/xi)/(n epsilon))^(v/(1+v)) is at most u/B^v (the "
        "text says that they are equal): 2/xi stands for 1/xi.",
        {mean_ranges(0.999, 1),
         [](const ParameterPoint& p) {
           const double v = p.at("v"), n = p.at("n"), epsilon = p.at("epsilon");
           const double noise = std::sqrt(std::log(1.25 / p.at("delta")));
           return Sides{std::pow(noise * std::log(2 / p.at("xi")) / (n * epsilon), v / (1 + v)),
                        std::pow(noise * -std::log(p.at("xi")) / (n * epsilon), v / (1 + v))};
         }},
        {"u = 1"}},
       {"constant",
        printed,
        refuted,
        {paper, "Theorem 1, (4) to (10)"},
        "The four terms of (4) add up to at most 9 u^(1/(1+v)) (sqrt(log(1.25/delta)) log(1/xi)/(n "
        "epsilon))^(v/(1+v)) for 0 < epsilon, delta <= 1 and any xi in (0, 1).",
        {mean_ranges(0.999, 1),
         [](const ParameterPoint& p) {
           return Sides{error_terms(p), 9 * bound(p)};
         }},
        {}},
       {"constant",
        corrected,
        holds,
        {here, "(4) to (10) for log(1/xi) >= 1 and log(1.25/delta) >= 1"},
        "The same for xi <= 1/e and delta <= 1.25/e, even with 8.41.",
        {mean_ranges(0.3678, 0.4598),
         [](const ParameterPoint& p) {
           return Sides{error_terms(p), 8.41 * bound(p)};
         }},
        {}},
       {"utility",
        printed,
        holds,
        {paper, "Theorem 1 with the 9 of (10); the proof gives the probability 1 - 3 xi"},
        "On the law of Lemma 16 the error exceeds 9 times the bound with probability at most xi, "
        "for every xi in (0, 1).",
        {hard_law_ranges(0.999, 1), utility},
        {"E|x|^(1+v) = 1", "n <= 100"}},
       {"hard_law",
        printed,
        holds,
        {paper, "Theorem 2, with the law of Lemma 16 at p = 1/(n epsilon)"},
        "On its hard law the algorithm errs by at least u^(1/(1+v)) (1/(n epsilon))^(v/(1+v)) with "
        "probability at least 1/2: the truncation removes every record that is not 0.",
        {{{"n", 1e3, 10, 1e9, Scale::logarithmic},
          {"epsilon", 1, 0.2, 1, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.4, Scale::logarithmic},
          {"xi", 0.05, 1e-6, 0.3678, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           const double budget = p.at("n") * p.at("epsilon"), v = p.at("v");
           const double tau = std::pow(budget, 1 / (1 + v));
           const double b =
               truncated_mean_from_theorem(static_cast<Index>(p.at("n")), p.at("epsilon"),
                                           p.at("delta"), 1, v, p.at("xi"))
                   .truncation;
           // B < tau: the output is N(0, noise), its error symmetric about the mean p tau.
           return Sides{b, tau};
         }},
        {"log(1/xi) >= 1, delta <= 0.4"}},
       {"lower_bound",
        printed,
        holds,
        {paper, "Theorem 2 and Lemma 16, with the constants of Acharya, Sun and Zhang (2021)"},
        "Between the law of Lemma 16 and a point mass at 0, alpha apart, the average probability "
        "of an error of alpha/2 or more is at least (0.9 e^(-10 n p epsilon) - 10 n p delta)/2.",
        {hard_law_ranges(0.3678, 0.4),
         [](const ParameterPoint& p) { return lower_bound(p, true); }},
        {"n <= 100"}},
       {"lower_bound",
        mutant,
        refuted,
        {here,
         "the same for the mean without truncation and noise, which is too good to be private"},
        "Between the law of Lemma 16 and a point mass at 0, alpha apart, the average probability "
        "of an error of alpha/2 or more is at least (0.9 e^(-10 n p epsilon) - 10 n p delta)/2.",
        {hard_law_ranges(0.3678, 0.4),
         [](const ParameterPoint& p) { return lower_bound(p, false); }},
        {"n <= 100"}},
       {"any_delta",
        printed,
        refuted,
        {paper, "Theorem 2 and Lemma 16, part 2, any (epsilon, delta)-DP algorithm"},
        "On the law of Lemma 16 with p = 1/(n epsilon) the error is at least half of u^(1/(1+v)) "
        "(1/(n "
        "epsilon))^(v/(1+v)) with probability at least 0.1. Publishing each record with "
        "probability "
        "delta is (0, delta)-DP, and its rescaled mean errs less often if delta is large against "
        "epsilon.",
        {{{"n", 200, 2, 200, Scale::integer},
          {"p", 0.5, 0.005, 0.5, Scale::logarithmic},
          {"delta", 0.5, 1e-6, 0.5, Scale::logarithmic}},
         publishing},
        {"n <= 200"}},
       {"any_delta",
        corrected,
        holds,
        {here, "Theorem 2 for delta <= epsilon"},
        "The same for delta <= epsilon, for the same algorithm.",
        {{{"n", 200, 2, 200, Scale::integer},
          {"p", 0.5, 0.005, 0.5, Scale::logarithmic},
          {"delta/epsilon", 1, 1e-6, 1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double epsilon = 1 / (p.at("n") * p.at("p"));
           return publishing({{"n", p.at("n")},
                              {"p", p.at("p")},
                              {"delta", std::min(0.5, p.at("delta/epsilon") * epsilon)}});
         }},
        {"n <= 200"}},
       {"truncation_bias",
        printed,
        holds,
        {paper, "Lemma 10"},
        "E X 1{|X| > B} <= u/B^v. Pareto laws of index 1 + v + 0.05.",
        {pareto_ranges,
         [](const ParameterPoint& p) {
           const ParetoTail tail = pareto_tail(p);
           return Sides{tail.expectation, tail.moment / std::pow(p.at("B"), p.at("v"))};
         }},
        {}},
       {"truncation_bias_attained",
        corrected,
        holds,
        {here, "Lemma 10 is an equality for a two-point law"},
        "X = B (1 + 1e-9) with probability q: u/B^v <= E X 1{|X| > B} (1 + 1e-8).",
        {{{"v", 1, 0.01, 1, Scale::linear},
          {"B", 1, 1e-6, 1e6, Scale::logarithmic},
          {"q", 0.5, 1e-9, 1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double x = p.at("B") * (1 + 1e-9), v = p.at("v");
           return Sides{p.at("q") * std::pow(x, 1 + v) / std::pow(p.at("B"), v),
                        p.at("q") * x * (1 + 1e-8)};
         }},
        {}},
       {"tail_integral",
        printed,
        refuted,
        {paper, "proof of Lemma 10"},
        "The integral of P(|X| > t) over t >= B is E X 1{|X| > B}. Pareto laws of index 1 + v + "
        "0.05, where it is smaller by that factor.",
        {pareto_ranges,
         [](const ParameterPoint& p) {
           return Sides{pareto_tail(p).expectation, pareto_tail(p).integral};
         }},
        {}},
       {"tail_integral",
        corrected,
        holds,
        {here, "proof of Lemma 10 with the missing term"},
        "B P(|X| > B) plus the integral of P(|X| > t) over t >= B is E |X| 1{|X| > B}.",
        {pareto_ranges,
         [](const ParameterPoint& p) {
           const ParetoTail tail = pareto_tail(p);
           return Sides{tail.expectation,
                        (std::pow(p.at("B"), 1 - tail.index) + tail.integral) * (1 + 1e-12)};
         }},
        {}}});
}

std::vector<Claim> median_of_means_lemmas() {
  const Source lemma_13{paper, "Lemma 13"};
  const Source theorem_4{paper, "Theorem 4"};
  const auto central = [](double (*constant)(double)) {
    return LemmaClaim{
        two_point_ranges({}), [constant](const ParameterPoint& p) {
          const TwoPoint law = two_point_law(p);
          const double order = 1 + p.at("v");
          return Sides{law.central_moment(order), constant(p.at("v")) * law.raw_moment(order)};
        }};
  };
  const auto tail = [](double (*constant)(double)) {
    return LemmaClaim{two_point_ranges({{"t", 1, 1e-3, 10, Scale::logarithmic}}),
                      [constant](const ParameterPoint& p) {
                        const TwoPoint law = two_point_law(p);
                        const double v = p.at("v");
                        return Sides{law.tail(p.at("t")),
                                     constant(v) * law.raw_moment(1 + v) /
                                         (std::pow(law.n, v) * std::pow(p.at("t"), 1 + v))};
                      }};
  };
  return lemma_claims(
      "tao.median_of_means",
      {{"central_moment",
        printed,
        holds,
        lemma_13,
        "E|x - mu|^(1+v) <= 4 E|x|^(1+v).",
        central([](double) { return 4.0; }),
        {two_point}},
       {"central_moment",
        corrected,
        holds,
        {here, "Lemma 13 with 2^(1-v)"},
        "E|x - mu|^(1+v) <= 2^(1-v) E|x|^(1+v).",
        central([](double v) { return std::pow(2, 1 - v); }),
        {two_point}},
       {"raw_moment",
        printed,
        holds,
        lemma_13,
        "E|x|^(1+v) <= 2 E|x - mu|^(1+v) + 2 |mu|^(1+v).",
        {two_point_ranges({}),
         [](const ParameterPoint& p) {
           const TwoPoint law = two_point_law(p);
           const double order = 1 + p.at("v");
           return Sides{law.raw_moment(order),
                        2 * law.central_moment(order) + 2 * std::pow(std::abs(law.mean()), order)};
         }},
        {two_point}},
       {"bahr_esseen",
        printed,
        holds,
        {paper, "Lemma 12"},
        "For centred numbers with E|x|^(1+v) <= M the mean has E|mean|^(1+v) <= 2M/n^v.",
        {two_point_ranges({}),
         [](const ParameterPoint& p) {
           const TwoPoint law = two_point_law(p);
           const double order = 1 + p.at("v");
           return Sides{law.expectation([order](double x) { return std::pow(std::abs(x), order); }),
                        2 * law.central_moment(order) / std::pow(law.n, p.at("v"))};
         }},
        {two_point}},
       {"mean_tail",
        printed,
        holds,
        theorem_4,
        "P(|mean - mu| >= t) <= 8M/(n^v t^(1+v)). Decided exactly on two-point laws.",
        tail([](double) { return 8.0; }),
        {two_point}},
       {"mean_tail",
        corrected,
        holds,
        {here, "Theorem 4 with 2^(2-v)"},
        "P(|mean - mu| >= t) <= 2^(2-v) M/(n^v t^(1+v)).",
        tail([](double v) { return std::pow(2, 2 - v); }),
        {two_point}},
       {"mean_tail_nonnegative",
        corrected,
        holds,
        {here, "Theorem 4 for laws on {0, x}, with 1 in place of 8"},
        "P(|mean - mu| >= t) <= M/(n^v t^(1+v)) if x is 1 with probability q and 0 otherwise.",
        {{{"n", 1, 1, 60, Scale::integer},
          {"q", 0.1, 1e-6, 0.999, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear},
          {"t", 1, 1e-3, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const TwoPoint law{p.at("n"), p.at("q"), 0};
           return Sides{law.tail(p.at("t")),
                        law.q / (std::pow(law.n, p.at("v")) * std::pow(p.at("t"), 1 + p.at("v")))};
         }},
        {"n <= 60"}},
       {"block_means",
        printed,
        refuted,
        {paper, "Algorithm 3, line 7"},
        "On data that are all 1 every block mean (m/n) sum_{i=1}^n x_i is at most 1.",
        {constant_data,
         [](const ParameterPoint& p) {
           const double n = p.at("m") * p.at("block");
           return Sides{p.at("m") / n * n, 1};
         }},
        {}},
       {"block_means",
        corrected,
        holds,
        {here, "Algorithm 3, line 7, summed over the block"},
        "On data that are all 1 the median of the block means is 1.",
        {constant_data,
         [](const ParameterPoint& p) {
           const auto m = static_cast<Index>(p.at("m"));
           const Matrix ones = Matrix::Ones(m * static_cast<Index>(p.at("block")), 1);
           return Sides{std::abs(median_of_means(ones, m, MiddlePair::lower)[0] - 1), 1e-15};
         }},
        {}},
       {"block_count",
        printed,
        refuted,
        {paper, "Algorithm 3, line 1, and (16)"},
        "m = 4 log(2d/xi), rounded down to a number of blocks, gives d e^(-m/4) <= xi/2.",
        block_count(std::floor),
        {}},
       {"block_count",
        corrected,
        holds,
        {here, "Algorithm 3, line 1, rounded up"},
        "m = 4 log(2d/xi), rounded up, gives d e^(-m/4) <= xi/2.",
        block_count(std::ceil),
        {}},
       {"median",
        printed,
        refuted,
        {paper, "(15)"},
        "If each block mean is close to the mean with probability 0.9, the median is close with "
        "probability at most e^(-m/4).",
        {{{"m", 3, 1, 200, Scale::integer}},
         [](const ParameterPoint& p) {
           return Sides{1 - half_bad(p.at("m")), std::exp(-p.at("m") / 4)};
         }},
        {}},
       {"median",
        corrected,
        holds,
        {here, "(15), the other way round"},
        "If each block mean is far from the mean with probability 0.1, half of them or more are "
        "with probability at most e^(-m/4).",
        {{{"m", 3, 1, 200, Scale::integer}},
         [](const ParameterPoint& p) {
           return Sides{half_bad(p.at("m")), std::exp(-p.at("m") / 4)};
         }},
        {}},
       {"noise_norm",
        printed,
        holds,
        {paper, "(17)"},
        "P(||noise||_2 >= 2 sigma (sqrt d + sqrt(log(1/xi)))) <= xi/2.",
        {{{"d", 1, 1, 300, Scale::integer}, {"xi", 0.1, 1e-12, 0.999, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double radius = 2 * (std::sqrt(p.at("d")) + std::sqrt(-std::log(p.at("xi"))));
           return Sides{chi_square_above(static_cast<int>(p.at("d")), radius * radius / 2),
                        p.at("xi") / 2};
         }},
        {}}});
}

}  // namespace dpverify::tao
