// Lemmas of stochastic convex optimisation, Algorithms 2 and 6, and of its lower bounds.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/tao/dp_sco.hpp"
#include "algorithms/tao/lemmas.hpp"

namespace dpverify::tao {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

// ---- Lemma 17 -----------------------------------------------------------------------------------

// Gradient descent on beta (w - c)^2/2 over [-r, r] with gradients off by B, in a direction that is
// constant (0), away from (1) or towards (2) the optimum: the risk of the average of w_1 to w_T
// against the lemma's bound at V = B.
Sides convex_descent(const ParameterPoint& p) {
  const double beta = p.at("beta"), r = p.at("r"), c = r * p.at("c"), eta = p.at("eta");
  const double bias = p.at("B"), kind = p.at("kind");
  double w = r * p.at("start"), sum = 0;
  for (double t = 1; t <= p.at("T"); ++t) {
    const double side = kind == 0 ? 1 : (kind == 1 ? 1 : -1) * (w > c ? 1 : -1);
    w = std::clamp(w - eta * (beta * (w - c) + bias * side), -r, r);
    sum += w;
  }
  const double steps = p.at("T"), diameter = 2 * r, gradient = beta * (r + std::abs(c));
  return {beta * std::pow(sum / steps - c, 2) / 2, diameter * diameter / (2 * eta * steps) +
                                                       eta * gradient * gradient / 2 +
                                                       eta * bias * bias / 2 + diameter * bias};
}

// ---- Lemma 18 -----------------------------------------------------------------------------------

double contraction(double alpha, double beta) {
  return 1 - alpha * beta / std::pow(alpha + beta, 2);
}
double printed_contraction(double alpha, double beta) {
  return 1 - (alpha + beta) / std::pow(alpha + beta, 2);
}

// ||w_T - w*|| on h (w - w*)^2/2, alpha <= h <= beta, from ||w_0 - w*|| = Delta with gradients that
// are off by V away from w*; eta = 1/(alpha + beta).
double distance_after(double h, double alpha, double beta, double diameter, double v, double t) {
  const double factor = std::pow(1 - h / (alpha + beta), t);
  return factor * diameter + v / h * (1 - factor);
}

struct Quadratic {
  double alpha, beta, h, diameter, v, t;
};
Quadratic quadratic(const ParameterPoint& p) {
  const double alpha = p.at("alpha"), beta = alpha * p.at("kappa");
  return {alpha,         beta,      alpha * std::pow(p.at("kappa"), p.at("where")),
          p.at("Delta"), p.at("V"), p.at("T")};
}
const std::vector<ParameterRange> quadratic_ranges{
    {"alpha", 1, 0.01, 100, Scale::logarithmic}, {"kappa", 1, 1, 1e3, Scale::logarithmic},
    {"where", 0, 0, 1, Scale::linear},           {"Delta", 1, 0.01, 1e3, Scale::logarithmic},
    {"V", 0.1, 1e-6, 10, Scale::logarithmic},    {"T", 1, 1, 50, Scale::integer}};

// T as printed: log((alpha + beta) V/(alpha beta)) over the logarithm of `denominator`.
double iterations(double alpha, double beta, double v, double denominator) {
  return std::log((alpha + beta) * v / (alpha * beta)) / std::log(denominator);
}

// V as a share of alpha beta/(alpha + beta), below which gradients are worth following.
const std::vector<ParameterRange> iteration_ranges{{"alpha", 1, 0.01, 100, Scale::logarithmic},
                                                   {"kappa", 1, 1, 1e3, Scale::logarithmic},
                                                   {"share", 0.1, 1e-6, 0.5, Scale::logarithmic}};
Sides at_least_one_step(const ParameterPoint& p, bool theorem_7) {
  const double alpha = p.at("alpha"), beta = alpha * p.at("kappa");
  const double v = p.at("share") * alpha * beta / (alpha + beta);
  const double sum = alpha * alpha + beta * beta, numerator = sum + alpha * beta;
  const double t = theorem_7 ? iterations(alpha, beta, v, numerator / std::pow(alpha + beta, 2))
                             : iterations(alpha, beta, v, numerator / sum);
  return {1, t};
}

// The risk after the T of Theorem 7 against c (alpha + beta)^2 (Delta + 1)^2 V^2/(2 alpha^2 beta^2)
// with c = 1 or beta.
Sides risk(const ParameterPoint& p, bool printed_constant) {
  const Quadratic q = quadratic(p);
  const double t =
      std::max(1.0, std::ceil(iterations(q.alpha, q.beta, q.v, contraction(q.alpha, q.beta))));
  // The lemma's proof needs rho^T <= (alpha + beta) V/(alpha beta).
  if (std::pow(contraction(q.alpha, q.beta), t) > (q.alpha + q.beta) * q.v / (q.alpha * q.beta))
    return {0, 0};
  const double distance =
      std::min(q.diameter, distance_after(q.h, q.alpha, q.beta, q.diameter, q.v, t));
  const double constant =
      std::pow((q.alpha + q.beta) * (q.diameter + 1) * q.v / (q.alpha * q.beta), 2) / 2;
  return {q.h * distance * distance / 2, (printed_constant ? 1 : q.beta) * constant};
}

// ---- Theorems 6 and 7 ---------------------------------------------------------------------------

// Theorem 3 for a step of Theorem 7 with n/T records, logarithms set aside, u = 1, against 4 times
// what Lemma 20 and the theorem need.
Sides truncation(const ParameterPoint& p, double tau_power) {
  const double d = p.at("d"), t = p.at("T"), budget = p.at("n") * p.at("epsilon"), v = p.at("v");
  const double tau =
      std::pow(budget / (tau_power == 1.5 ? std::pow(d, 1.5) * std::sqrt(t) : t * std::sqrt(d)),
               1 / (1 + v));
  return {std::sqrt(d) * std::pow(tau, -v) + tau * d * t / budget,
          4 * std::pow(d, (1 + 2 * v) / (2 + 2 * v)) * std::pow(t / budget, v / (1 + v))};
}
const std::vector<ParameterRange> truncation_ranges{{"n", 1e6, 1e3, 1e12, Scale::logarithmic},
                                                    {"d", 100, 1, 1e4, Scale::integer},
                                                    {"T", 10, 1, 100, Scale::integer},
                                                    {"epsilon", 1, 0.01, 1, Scale::logarithmic},
                                                    {"v", 1, 0.01, 1, Scale::linear}};

// T of Theorem 6, before rounding; R = 1.
double convex_iterations(double n, double epsilon, double d, double v) {
  return std::pow(epsilon * n, 2 * v / (1 + v)) / std::pow(d, (1 + 4 * v) / (1 + v));
}

// Lemma 17 at Theorem 6's parameters and Lemma 19's bias and variance, logarithms set aside, R = 1,
// Delta = 1, against 6 moment(u) (T^(-1/2) + T^(-3/2)).
Sides convex_bound(const ParameterPoint& p, double (*moment)(double)) {
  const double n = p.at("n"), d = p.at("d"), epsilon = p.at("epsilon"), v = p.at("v"),
               u = p.at("u");
  const double tau = std::pow(epsilon * n / std::pow(d, 1.5), 1 / (1 + v));
  const double t = std::pow(epsilon * n / (tau * d * d), 2), eta = 1 / std::sqrt(t);
  const double sampling = std::pow(u, 1 / (1 + v)) * std::pow(d, (1 + 3 * v) / (2 * (1 + v))) /
                          std::pow(n, v / (1 + v));
  const double bias = sampling + u * std::sqrt(d) / std::pow(tau, v);
  const double variance = std::pow(tau * d * d / (epsilon * n), 2) * t + sampling * sampling +
                          u * u * d / std::pow(tau, 2 * v);
  return {1 / (2 * eta * t) + eta / 2 + eta * variance / 2 + bias,
          6 * moment(u) * (std::pow(t, -0.5) + std::pow(t, -1.5))};
}
const std::vector<ParameterRange> convex_ranges{{"n", 1e6, 1e2, 1e12, Scale::logarithmic},
                                                {"d", 1, 1, 1e3, Scale::integer},
                                                {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                                                {"v", 0.5, 0.01, 1, Scale::linear},
                                                {"u", 1, 1e-6, 1e3, Scale::logarithmic}};

// ---- Lower bounds -------------------------------------------------------------------------------

// M laws, each 0 with probability 1 - p and else a point of its own, at equal distances: the
// exponential mechanism on the counts of the points, epsilon/2 a record, names the wrong law with
// this probability. It is epsilon-DP, so (epsilon, delta)-DP for every delta.
double wrong_law(double words, double n, double p, double epsilon) {
  double wrong = 0;
  for (double k = 0; k <= n; ++k)
    wrong += binomial_probability(n, k, p) * (words - 1) / (words - 1 + std::exp(epsilon * k / 2));
  return wrong;
}

// Lemma 15's bound on the error in units of alpha, its second term, with rho for
// epsilon^2/(4 log(1/delta)).
double fano(double words, double n, double p, double rho) {
  return (1 - (rho * (n * n * p * p + n * p * (1 - p)) + std::numbers::ln2) / std::log(words)) / 2;
}

const std::vector<ParameterRange> fano_ranges{{"M", 16, 2, 1e6, Scale::integer},
                                              {"n", 100, 1, 200, Scale::integer},
                                              {"p", 0.5, 1e-4, 0.999, Scale::logarithmic},
                                              {"epsilon", 1, 0.01, 1, Scale::logarithmic},
                                              {"log(1/delta)", 1e4, 20, 1e4, Scale::logarithmic}};

// Theorem 8's law with u = 1: x theta with probability p, 0 otherwise, theta of weight d/2. E||A(x)
// - mu||^2 for Algorithm 3 with an odd number of blocks, exactly, or for the mean of the records.
struct PackingLaw {
  double n, d, p, v;
  double size() const { return std::pow(p, -1 / (1 + v)); }
  double iota() const { return p * size() * std::sqrt(d / 2); }
  double mean_risk() const { return d / 2 * size() * size() * p * (1 - p) / n; }
};

double median_risk(const PackingLaw& law, double blocks, double block, double epsilon,
                   double delta) {
  const MedianOfMeansParameters algorithm{
      .truncation = std::pow(epsilon * law.n / std::sqrt(law.d), 1 / (1 + law.v)),
      .blocks = static_cast<Index>(blocks),
      .epsilon = epsilon,
      .delta = delta};
  const double deviation =
      noise_deviation(algorithm, static_cast<Index>(law.n), static_cast<Index>(law.d));
  const double target = law.p * law.size();
  double risk = target * target;  // all truncated
  if (law.size() <= algorithm.truncation) {
    risk = 0;
    double below = 0, before = 0;  // P(a block's count <= k), P(the median's count <= k - 1)
    for (double k = 0; k <= block; ++k) {
      below = std::min(1.0, below + binomial_probability(block, k, law.p));
      double at_most = below < 1 ? 0 : 1;
      if (below < 1)
        for (double j = (blocks + 1) / 2; j <= blocks; ++j)
          at_most += binomial_probability(blocks, j, below);
      risk += (at_most - before) * std::pow(k * law.size() / block - target, 2);
      before = at_most;
    }
  }
  return law.d * deviation * deviation + law.d / 2 * risk;
}

Sides packing_bound(const ParameterPoint& p, bool is_private) {
  const double blocks = 2 * p.at("half blocks") + 1, block = p.at("block");
  const double d = 2 * p.at("half d"), epsilon = p.at("epsilon");
  const PackingLaw law{blocks * block, d, p.at("p"), p.at("v")};
  const double log_words = 7.0 / 128 * d * std::numbers::ln2;
  const double bound =
      0.4 * law.iota() / 2 * std::exp(std::min(0.0, log_words - 10 * epsilon * law.n * law.p));
  return {bound * bound,
          is_private ? median_risk(law, blocks, block, epsilon, 1e-9) : law.mean_risk()};
}
const std::vector<ParameterRange> packing_ranges{
    {"half blocks", 1, 1, 4, Scale::integer},      {"block", 10, 1, 40, Scale::integer},
    {"half d", 1, 1, 100, Scale::integer},         {"p", 0.1, 1e-4, 0.999, Scale::logarithmic},
    {"epsilon", 0.5, 1e-3, 1, Scale::logarithmic}, {"v", 0.5, 0.01, 1, Scale::linear}};

// What Lemma 14 leaves of alpha with p = constant * d/(n epsilon) and 2^(7d/128) words.
Sides packing_mass(double d, double constant) {
  const double exponent = 7.0 / 128 * d * std::numbers::ln2 - 10 * constant * d;
  return {0.05, 0.4 * std::exp(std::min(0.0, exponent))};
}

// The mean gradient of two records of the loss (w - x)^2/2, cut off at 1, at w and w + gamma.
Sides covering(const ParameterPoint& p, Matrix (*cut)(const Matrix&)) {
  const Eigen::Vector2d records(p.at("x"), -p.at("x") / 2);
  const auto mean = [&](double w) {
    const Matrix gradients = (w - records.array()).matrix();
    return cut(gradients).mean();
  };
  const double w = p.at("w"), gamma = p.at("gamma");
  return {std::abs(mean(w + gamma) - mean(w)), gamma * (1 + 1e-9) + 1e-15};
}
const std::vector<ParameterRange> covering_ranges{{"x", 1, -3, 3, Scale::linear},
                                                  {"w", 0, -1, 1, Scale::linear},
                                                  {"gamma", 0.01, 1e-6, 1, Scale::logarithmic}};

// Two words of weight d/2 at Hamming distance `distance` d: ||mu - mu'|| in units of iota.
double word_distance(double distance) { return std::sqrt(2 * distance); }

// ||mu|| = iota at the smallest n that the theorem allows, p = d/(n epsilon) or sqrt(d
// log(1/delta))/(n epsilon).
Sides iota(const ParameterPoint& p) {
  const double v = p.at("v"), d = p.at("d"), epsilon = p.at("epsilon"), u = p.at("u");
  const bool pure = p.at("pure") == 1;
  const double logarithm = -std::log(p.at("delta"));
  const double n = std::pow(u, 1 / v) * std::pow(d, ((pure ? 3 : 2) * v + 1) / (2 * v)) *
                   (pure ? 1 : std::sqrt(logarithm)) / epsilon;
  const double mass = (pure ? d : std::sqrt(d * logarithm)) / (n * epsilon);
  return {std::pow(u, 1 / (1 + v)) * std::pow(mass, v / (1 + v)) * std::sqrt(d / 2), 1};
}

}  // namespace

std::vector<Claim> sco_framework_lemmas() {
  const Source lemma_18{paper, "Lemma 18"};
  return lemma_claims(
      "tao.sco_framework",
      {{"convex",
        printed,
        holds,
        {paper, "Lemma 17"},
        "The average of w_1 to w_T has excess risk at most Delta^2/(2 eta T) + eta R^2/2 + eta "
        "V^2/2 + Delta B.",
        {{{"beta", 1, 0.01, 100, Scale::logarithmic},
          {"r", 1, 0.01, 100, Scale::logarithmic},
          {"c", 0, -1, 1, Scale::linear},
          {"start", 1, -1, 1, Scale::linear},
          {"eta", 1, 1e-3, 1e3, Scale::logarithmic},
          {"B", 0.1, 1e-3, 1e3, Scale::logarithmic},
          {"kind", 0, 0, 2, Scale::integer},
          {"T", 1, 1, 50, Scale::integer}},
         convex_descent},
        {"quadratics in one dimension, gradients off by exactly B"}},
       {"contraction",
        printed,
        refuted,
        lemma_18,
        "A step with exact gradients shrinks the distance to w* at least to 1 - (alpha + "
        "beta)/(alpha + beta)^2 of it.",
        {quadratic_ranges,
         [](const ParameterPoint& p) {
           const Quadratic q = quadratic(p);
           return Sides{1 - q.h / (q.alpha + q.beta), printed_contraction(q.alpha, q.beta)};
         }},
        {}},
       {"contraction",
        corrected,
        holds,
        {here, "Lemma 18 with 1 - alpha beta/(alpha + beta)^2"},
        "A step with exact gradients shrinks the distance to w* at least to 1 - alpha beta/(alpha "
        "+ beta)^2 of it.",
        {quadratic_ranges,
         [](const ParameterPoint& p) {
           const Quadratic q = quadratic(p);
           return Sides{1 - q.h / (q.alpha + q.beta), contraction(q.alpha, q.beta)};
         }},
        {}},
       {"strongly_convex",
        printed,
        refuted,
        lemma_18,
        "The excess risk of w_T is at most (1 - (alpha + beta)/(alpha + beta)^2)^T Delta + (alpha "
        "+ beta) V/(alpha beta): a risk against a distance.",
        {quadratic_ranges,
         [](const ParameterPoint& p) {
           const Quadratic q = quadratic(p);
           const double distance = distance_after(q.h, q.alpha, q.beta, q.diameter, q.v, q.t);
           return Sides{q.h * std::pow(std::min(distance, q.diameter), 2) / 2,
                        std::pow(printed_contraction(q.alpha, q.beta), q.t) * q.diameter +
                            (q.alpha + q.beta) * q.v / (q.alpha * q.beta)};
         }},
        {}},
       {"strongly_convex",
        corrected,
        holds,
        {here, "Lemma 18 for the distance"},
        "||w_T - w*|| is at most (1 - alpha beta/(alpha + beta)^2)^T Delta + (alpha + beta) "
        "V/(alpha beta).",
        {quadratic_ranges,
         [](const ParameterPoint& p) {
           const Quadratic q = quadratic(p);
           return Sides{distance_after(q.h, q.alpha, q.beta, q.diameter, q.v, q.t),
                        std::pow(contraction(q.alpha, q.beta), q.t) * q.diameter +
                            (q.alpha + q.beta) * q.v / (q.alpha * q.beta)};
         }},
        {"quadratics, gradients off by exactly V"}},
       {"iterations",
        printed,
        refuted,
        lemma_18,
        "T = log((alpha + beta) V/(alpha beta))/log((alpha^2 + beta^2 + alpha beta)/(alpha^2 + "
        "beta^2)) is at least 1 for V below alpha beta/(2 (alpha + beta)). It is negative.",
        {iteration_ranges, [](const ParameterPoint& p) { return at_least_one_step(p, false); }},
        {}},
       {"iterations",
        corrected,
        holds,
        {paper, "Theorem 7's T, with V for its G"},
        "T with the denominator log((alpha^2 + beta^2 + alpha beta)/(alpha + beta)^2) is at least "
        "1 there.",
        {iteration_ranges, [](const ParameterPoint& p) { return at_least_one_step(p, true); }},
        {}},
       {"risk",
        printed,
        refuted,
        {paper, "Lemma 18, second display"},
        "After that many steps the excess risk is at most (alpha + beta)^2 (Delta + 1)^2 V^2/(2 "
        "alpha^2 beta^2).",
        {quadratic_ranges, [](const ParameterPoint& p) { return risk(p, true); }},
        {}},
       {"risk",
        corrected,
        holds,
        {here, "Lemma 18, second display, with beta once in the denominator, as in Theorem 7"},
        "After that many steps the excess risk is at most (alpha + beta)^2 (Delta + 1)^2 V^2/(2 "
        "alpha^2 beta).",
        {quadratic_ranges, [](const ParameterPoint& p) { return risk(p, false); }},
        {"quadratics, gradients off by exactly V"}}});
}

std::vector<Claim> dp_sco_lemmas() {
  const Source lemma_15{paper, "Lemma 15, by which Theorems 8, 9 and 11 treat (epsilon, delta)-DP"};
  const Source theorem_8{paper, "proof of Theorem 8"};
  const Source theorem_9{paper, "proof of Theorem 9"};
  const std::vector<ParameterRange> point{{"w", 0.5, -1, 1, Scale::linear},
                                          {"x", 1, -10, 10, Scale::linear}};
  return lemma_claims(
      "tao.dp_sco",
      {{"composition",
        printed,
        holds,
        {paper, "Lemma 1"},
        "m mechanisms that are (epsilon/(2 sqrt(2m ln(2/delta))), delta/(2m))-DP are together "
        "(epsilon, delta)-DP, 0 < epsilon, delta < 1, by optimal composition.",
        {{{"m", 1, 1, 2000, Scale::integer},
          {"epsilon", 0.5, 1e-3, 0.999, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double m = p.at("m"), delta = p.at("delta");
           const double step = p.at("epsilon") / (2 * std::sqrt(2 * m * std::log(2 / delta)));
           const double pure = composed_delta({{step, static_cast<Index>(m)}}, p.at("epsilon"));
           const double log_none = m * std::log1p(-delta / (2 * m)) + std::log1p(-pure);
           return Sides{-std::expm1(log_none), delta};
         }},
        {}},
       {"truncation",
        printed,
        refuted,
        {paper, "Theorem 7's tau with Theorem 3"},
        "tau = (u epsilon n/(d^(3/2) sqrt T))^(1/(1+v)) gives a step the error u^(1/(1+v)) "
        "d^((1+2v)/(2+2v)) (T/(epsilon n))^(v/(1+v)), times 4, logarithms set aside.",
        {truncation_ranges, [](const ParameterPoint& p) { return truncation(p, 1.5); }},
        {"u = 1"}},
       {"truncation",
        corrected,
        holds,
        {here, "Corollary 1's tau on n/T records"},
        "tau = (u epsilon n/(T sqrt d))^(1/(1+v)) does.",
        {truncation_ranges, [](const ParameterPoint& p) { return truncation(p, 0.5); }},
        {"u = 1"}},
       {"introduction",
        printed,
        refuted,
        {paper, "Section 1, strongly convex bound, against Theorem 7"},
        "d^((1+4v)/(1+v)) of the introduction is at most 10 times d^((1+2v)/(1+v)) of Theorem 7.",
        {{{"d", 10, 1, 1e4, Scale::integer}, {"v", 1, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           const double d = p.at("d"), v = p.at("v");
           return Sides{std::pow(d, (1 + 4 * v) / (1 + v)),
                        10 * std::pow(d, (1 + 2 * v) / (1 + v))};
         }},
        {}},
       {"convex_iterations",
        printed,
        refuted,
        {paper, "Theorem 6's T"},
        "T = R^2 epsilon^2 n^2/(tau^2 d^4) is at least 1 for every n >= d, here up to 10^6.",
        {{{"n", 1e6, 1e2, 1e6, Scale::logarithmic},
          {"d", 10, 1, 100, Scale::integer},
          {"epsilon", 1, 0.1, 1, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           return Sides{1, convex_iterations(p.at("n"), p.at("epsilon"), p.at("d"), p.at("v"))};
         }},
        {"R = 1"}},
       {"convex_iterations",
        corrected,
        holds,
        {here, "Theorem 6's T"},
        "T is at least 1 once epsilon n >= d^((1+4v)/(2v)) (2 percent above it: rounding).",
        {{{"d", 10, 1, 100, Scale::integer},
          {"epsilon", 1, 0.1, 1, Scale::logarithmic},
          {"v", 0.5, 0.05, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           const double v = p.at("v"), d = p.at("d");
           const double n = 1.02 * std::pow(d, (1 + 4 * v) / (2 * v)) / p.at("epsilon");
           return Sides{1, convex_iterations(n, p.at("epsilon"), d, v)};
         }},
        {"R = 1"}},
       {"moment_power",
        printed,
        refuted,
        {paper, "Theorem 6 by Lemmas 17 and 19"},
        "The four terms of Lemma 17 are at most 6 Delta u^2 (T^(-1/2) + T^(-3/2)), logarithms set "
        "aside. For u < 1 the first two do not fall with u.",
        {convex_ranges,
         [](const ParameterPoint& p) { return convex_bound(p, [](double u) { return u * u; }); }},
        {"R = Delta = 1"}},
       {"moment_power",
        corrected,
        holds,
        {here, "Theorem 6 with max(1, u^2)"},
        "They are at most 6 Delta max(1, u^2) (T^(-1/2) + T^(-3/2)).",
        {convex_ranges,
         [](const ParameterPoint& p) {
           return convex_bound(p, [](double u) { return std::max(1.0, u * u); });
         }},
        {"R = Delta = 1"}},
       {"uniform_blocks",
        printed,
        refuted,
        {paper, "proof of Lemma 19: xi = (gamma/Delta)^(2d), gamma = n^(-v/(1+v))"},
        "The number of blocks that the proof needs, 4 (log(2d) + 2d log(Delta n^(v/(1+v)))), is "
        "that of Algorithm 3, line 1, for some xi >= 1e-6.",
        {{{"d", 100, 1, 1e3, Scale::integer},
          {"n", 1e5, 1e2, 1e9, Scale::logarithmic},
          {"v", 0.5, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           const double d = p.at("d"), v = p.at("v");
           return Sides{
               4 * (std::log(2 * d) + 2 * d * std::log(2 * std::pow(p.at("n"), v / (1 + v)))),
               4 * std::log(2 * d / 1e-6)};
         }},
        {"Delta = 2"}},
       {"noise_variance",
        printed,
        refuted,
        {paper, "proof of Lemma 19, second part"},
        "8 log(1.25/delta')/epsilon'^2 is at most 64 T log((2.5T + 2)/delta)/epsilon^2: one "
        "logarithm where there are two.",
        {{{"T", 10, 1, 1e6, Scale::integer}, {"delta", 1e-5, 1e-12, 0.5, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double t = p.at("T"), delta = p.at("delta");
           return Sides{8 * std::log(2.5 * t / delta) * 8 * t * std::log(2 / delta),
                        64 * t * std::log((2.5 * t + 2) / delta)};
         }},
        {}},
       {"noise_variance",
        corrected,
        holds,
        {here, "proof of Lemma 19, second part"},
        "8 log(1.25/delta')/epsilon'^2 is at most 64 T log(2/delta) log((2.5T + 2)/delta)/"
        "epsilon^2.",
        {{{"T", 10, 1, 1e6, Scale::integer}, {"delta", 1e-5, 1e-12, 0.5, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double t = p.at("T"), delta = p.at("delta");
           return Sides{8 * std::log(2.5 * t / delta) * 8 * t * std::log(2 / delta),
                        64 * t * std::log(2 / delta) * std::log((2.5 * t + 2) / delta)};
         }},
        {}},
       {"private_fano_pure",
        printed,
        holds,
        {paper, "Lemma 14"},
        "The exponential mechanism, epsilon-DP, tells M laws at distance p apart wrongly with "
        "probability at least 0.4 min{1, M e^(-10 epsilon n p)}.",
        {fano_ranges,
         [](const ParameterPoint& p) {
           const double exponent =
               std::log(p.at("M")) - 10 * p.at("epsilon") * p.at("n") * p.at("p");
           // A random guess errs with probability 1 - 1/M.
           return Sides{0.4 * std::exp(std::min(0.0, exponent)),
                        wrong_law(p.at("M"), p.at("n"), p.at("p"), p.at("epsilon"))};
         }},
        {"laws with points of their own, n <= 200"}},
       {"private_fano",
        printed,
        refuted,
        lemma_15,
        "Every (epsilon, delta)-DP algorithm, epsilon <= log(1/delta)/20, tells M laws at distance "
        "p apart wrongly with probability at least (1 - (epsilon^2/(4 log(1/delta)) (n^2 p^2 + n p "
        "(1 - p)) + log 2)/log M)/2. The exponential mechanism, epsilon-DP and so (epsilon, "
        "delta)-DP for every delta, does not. (The proof uses that zCDP implies (epsilon, "
        "delta)-DP, where it needs the converse.)",
        {fano_ranges,
         [](const ParameterPoint& p) {
           const double epsilon = p.at("epsilon");
           return Sides{fano(p.at("M"), p.at("n"), p.at("p"),
                             epsilon * epsilon / (4 * p.at("log(1/delta)"))),
                        wrong_law(p.at("M"), p.at("n"), p.at("p"), epsilon)};
         }},
        {"laws with points of their own, n <= 200"}},
       {"private_fano",
        corrected,
        holds,
        {here, "Lemma 15 for rho-zCDP"},
        "Every rho-zCDP algorithm does with rho in place of epsilon^2/(4 log(1/delta)); for the "
        "exponential mechanism rho = epsilon^2/8.",
        {fano_ranges,
         [](const ParameterPoint& p) {
           const double epsilon = p.at("epsilon");
           return Sides{fano(p.at("M"), p.at("n"), p.at("p"), epsilon * epsilon / 8),
                        wrong_law(p.at("M"), p.at("n"), p.at("p"), epsilon)};
         }},
        {"laws with points of their own, n <= 200"}},
       {"packing_distance",
        printed,
        refuted,
        theorem_8,
        "Means of words of weight d/2 at Hamming distance d/8 or more are 2 iota apart, iota = "
        "||mu||. Even at distance d they are sqrt2 iota apart.",
        {{{"distance", 1, 0.125, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           return Sides{2, word_distance(p.at("distance"))};
         }},
        {}},
       {"packing_distance",
        corrected,
        holds,
        {here, "proof of Theorem 8 with iota/2"},
        "They are at least iota/2 apart.",
        {{{"distance", 1, 0.125, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           return Sides{0.5, word_distance(p.at("distance"))};
         }},
        {}},
       {"packing_mass",
        printed,
        refuted,
        {paper, "proofs of Theorems 8 and 9, p = d/(n epsilon), by Lemma 14"},
        "With p = d/(n epsilon) and 2^(7d/128) words Lemma 14 leaves an error of at least "
        "alpha/20: "
        "0.4 min{1, 2^(7d/128) e^(-10 epsilon n p)} >= 1/20. It falls like e^(-9.96 d): the "
        "constant "
        "of p must be below 0.0038.",
        {{{"d", 2, 2, 1000, Scale::integer}},
         [](const ParameterPoint& p) { return packing_mass(p.at("d"), 1); }},
        {}},
       {"packing_mass",
        corrected,
        holds,
        {here, "the same with p = (7 log 2/1280) d/(n epsilon)"},
        "With p = (7 log 2/1280) d/(n epsilon) it does.",
        {{{"d", 2, 2, 1000, Scale::integer}},
         [](const ParameterPoint& p) {
           return packing_mass(p.at("d"), 7 * std::numbers::ln2 / 1280);
         }},
        {}},
       {"rates_match",
        corrected,
        holds,
        {here, "Theorem 7 against Theorem 8, (epsilon, delta)"},
        "In d the upper bound d^((1+2v)/(1+v)) is no larger than the lower bound d (sqrt "
        "d)^(2v/(1+v)): no factor Poly(d) is left.",
        {{{"d", 10, 1, 1e6, Scale::integer}, {"v", 1, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& p) {
           const double d = p.at("d"), v = p.at("v");
           return Sides{std::pow(d, (1 + 2 * v) / (1 + v)),
                        d * std::pow(std::sqrt(d), 2 * v / (1 + v)) * (1 + 1e-12)};
         }},
        {}},
       {"covering",
        printed,
        refuted,
        {paper, "proof of Lemma 19, first term"},
        "If the loss is beta-smooth, the means of thresholded gradients at two points gamma apart "
        "differ by at most beta gamma. A gradient that crosses the threshold jumps to 0.",
        {covering_ranges,
         [](const ParameterPoint& p) {
           return covering(p, [](const Matrix& g) { return thresholded(g, 1); });
         }},
        {"loss (w - x)^2/2, beta = 1, tau = 1"}},
       {"covering",
        corrected,
        holds,
        {here, "proof of Lemma 19 with clipping for thresholding"},
        "The means of clipped gradients do.",
        {covering_ranges,
         [](const ParameterPoint& p) {
           return covering(p, [](const Matrix& g) { return clipped_entries(g, 1); });
         }},
        {"loss (w - x)^2/2, beta = 1, limit 1"}},
       {"iota",
        printed,
        holds,
        {paper, "Theorem 8, conditions on n"},
        "At the smallest n allowed the means lie in the unit ball, iota <= 1.",
        {{{"v", 1, 0.05, 1, Scale::linear},
          {"d", 10, 1, 1e4, Scale::integer},
          {"epsilon", 1, 0.01, 1, Scale::logarithmic},
          {"u", 1, 0.01, 100, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic},
          {"pure", 1, 0, 1, Scale::integer}},
         iota},
        {}},
       {"gradient_moment",
        printed,
        refuted,
        {paper, "Theorem 8: E|grad_j|^(1+v) <= u for every w"},
        "For ||w - x||^2/2 on the unit ball and the law of the proof, at w = -e_j, E|w_j - "
        "x_j|^(1+v) <= u; u = 1.",
        {{{"p", 0.01, 1e-6, 0.5, Scale::logarithmic}, {"v", 1, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& at) {
           const double p = at.at("p"), v = at.at("v");
           return Sides{(1 - p) + p * std::pow(1 + std::pow(p, -1 / (1 + v)), 1 + v), 1};
         }},
        {}},
       {"gradient_sign",
        printed,
        refuted,
        theorem_8,
        "The gradient of (x - w)^2/2 in w is x - w: a small step along it does not lower the loss.",
        {point,
         [](const ParameterPoint& p) {
           const double w = p.at("w"), x = p.at("x"), h = 1e-3;
           return Sides{std::pow(x - w, 2) / 2, std::pow(x - w - h * (x - w), 2) / 2};
         }},
        {}},
       {"nonnegative",
        printed,
        refuted,
        {paper, "Theorem 9's loss against Assumption 1, part 2"},
        "The loss -<w, x> is at least 0 (one coordinate).",
        {point,
         [](const ParameterPoint& p) {
           return Sides{0, -p.at("w") * p.at("x")};
         }},
        {}},
       {"stationary",
        printed,
        refuted,
        {paper, "Theorem 9's loss against Assumption 1, part 3"},
        "The gradient of the risk at its minimiser, -mu of norm iota, is 0.",
        {{{"p", 0.01, 1e-6, 1, Scale::logarithmic},
          {"d", 2, 2, 1e3, Scale::integer},
          {"v", 1, 0.01, 1, Scale::linear}},
         [](const ParameterPoint& at) {
           return Sides{PackingLaw{1, at.at("d"), at.at("p"), at.at("v")}.iota(), 0};
         }},
        {}},
       {"lower_bound",
        printed,
        holds,
        {paper, "Theorem 8 by Lemma 14, with its constants and separation iota/2"},
        "On the packing of Theorem 8 Algorithm 3 has E||A(x) - mu||^2 >= (0.2 iota min{1, "
        "2^(7d/128) e^(-10 epsilon n p)})^2.",
        {packing_ranges, [](const ParameterPoint& p) { return packing_bound(p, true); }},
        {"u = 1, m odd, n <= 360"}},
       {"lower_bound",
        mutant,
        refuted,
        {here,
         "the same for the mean without truncation and noise, which is too good to be private"},
        "On the packing of Theorem 8 the mean has E||A(x) - mu||^2 >= (0.2 iota min{1, 2^(7d/128) "
        "e^(-10 epsilon n p)})^2.",
        {packing_ranges, [](const ParameterPoint& p) { return packing_bound(p, false); }},
        {"u = 1, n <= 360"}}});
}

}  // namespace dpverify::tao
