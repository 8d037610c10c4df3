// Lemmas of Algorithms 1 and 2.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/laws.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/hu/lemmas.hpp"

namespace dpverify::hu {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string both = "Hu, Ni, Xiao and Wang (preprint and published edition)";
const std::string preprint = "Hu, Ni, Xiao and Wang (preprint)";
const std::string published = "Hu, Ni, Xiao and Wang (published edition)";
const std::string here = "this project";

// (16): side 0 the upper bound, side 1 the lower one.
Sides truncation_inequality(const ParameterPoint& p) {
  const double u = p.at("sign") * p.at("size");
  if (p.at("side") == 0) return {soft_truncation(u), std::log1p(u + u * u / 2)};
  return {-std::log1p(-u + u * u / 2), soft_truncation(u)};
}

// P(fails(K)), K binomial with n trials of probability q.
double binomial_failure(double n, double q, const std::function<bool(double)>& fails) {
  double sum = 0;
  for (double k = 0; k <= n; ++k)
    if (fails(k))
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      (k > 0 ? k * std::log(q) : 0) + (k < n ? (n - k) * std::log1p(-q) : 0));
  return sum;
}

// Lemma 4 on n draws of x = a with probability q and 0 otherwise, s = 1: the exact probability that
// the estimate is further from E x than the bound. The estimate is (N/n) E phi(a (1 + eta)), N
// binomial.
Sides deviation(const ParameterPoint& p, double beta_share) {
  const double n = p.at("n"), q = p.at("q"), a = p.at("a"), beta = p.at("beta");
  const double zeta = p.at("zeta");
  const double one = smooth_truncation(a, a / std::sqrt(beta));
  const double bound =
      q * a * a / 2 * (1 / beta + 1) + (beta_share * beta + std::log(2 / zeta)) / n;
  return {binomial_failure(n, q, [=](double k) { return std::abs(k / n * one - q * a) > bound; }),
          zeta};
}

const std::vector<ParameterRange> deviation_ranges{{"n", 1, 1, 60, Scale::integer},
                                                   {"q", 0.5, 1e-3, 1, Scale::logarithmic},
                                                   {"a", 1, 1e-3, 1e3, Scale::logarithmic},
                                                   {"beta", 1, 0.05, 20, Scale::logarithmic},
                                                   {"zeta", 0.5, 1e-6, 0.99, Scale::logarithmic}};

// Lemma 1 on one best score 0 and `size` - 1 others at and below the threshold: there the bound is
// nearly attained.
Sides exponential_mechanism(const ParameterPoint& p) {
  const auto size = static_cast<Index>(p.at("size"));
  const double epsilon = p.at("epsilon"), sensitivity = p.at("sensitivity"), t = p.at("t");
  const double threshold = -2 * sensitivity / epsilon * (std::log(static_cast<double>(size)) + t);
  VectorXd scores(size);
  for (Index v = 0; v < size; ++v)
    scores[v] = v == 0 ? 0 : threshold * (1 + p.at("spread") * static_cast<double>(v - 1));
  const VectorXd log_p =
      log_probabilities(ExponentialMechanism::with_epsilon(scores, sensitivity, epsilon));
  double below = 0;
  for (Index v = 0; v < size; ++v)
    if (scores[v] <= threshold) below += std::exp(log_p[v]);
  return {below, std::exp(-t)};
}

// The curvature of w^T A w/2 on the l1 ball of radius R in three dimensions: the largest (u - v)^T
// A (u - v), at two vertices. A is the unit matrix for seed 0, random otherwise; alpha its largest
// eigenvalue.
Sides curvature(const ParameterPoint& p, bool squared_diameter) {
  Eigen::Matrix3d a = Eigen::Matrix3d::Identity();
  double alpha = 1;
  if (p.at("seed") > 0) {
    RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "curvature"});
    Eigen::Matrix3d root;
    for (double& entry : root.reshaped()) entry = stream.normal();
    a = root * root.transpose();
    alpha = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(a).eigenvalues().maxCoeff();
  }
  const double radius = p.at("radius");
  double largest = 0;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      for (const double sign : {1.0, -1.0}) {
        Eigen::Vector3d difference = Eigen::Vector3d::Zero();
        difference[i] += radius;
        difference[j] += sign * radius;
        largest = std::max(largest, difference.dot(a * difference));
      }
  return {largest, alpha * (squared_diameter ? 4 * radius * radius : 2 * radius)};
}

// Lemma 6 on L(w) = alpha/2 ||w - (kappa, 0)||^2 over the l1 ball of radius R in the plane, nearly
// linear for a large kappa: L(w^T) - min L after T steps towards the worst vertex that (27) allows.
// Gamma = 4 alpha R^2 is the exact curvature. steps_shift 2: the printed 2/(t+2); 1: 2/(t+1).
Sides frank_wolfe(const ParameterPoint& p, double steps_shift, bool with_start) {
  const double radius = p.at("radius"), kappa = p.at("kappa"), chi = p.at("chi");
  const double gamma = 4 * radius * radius;  // alpha = 1: both sides are linear in it
  const auto iterations = static_cast<Index>(p.at("iterations"));
  // Written out, so that a large kappa does not cancel.
  const auto excess = [&](const Eigen::Vector2d& w) {
    if (kappa < radius) return (w - Eigen::Vector2d(kappa, 0)).squaredNorm() / 2;
    return (w.squaredNorm() - radius * radius) / 2 + kappa * (radius - w[0]);
  };
  const std::vector<Eigen::Vector2d> vertices{{radius, 0}, {0, radius}, {-radius, 0}, {0, -radius}};
  Eigen::Vector2d w = vertices[static_cast<std::size_t>(p.at("start"))];
  const double h_0 = excess(w);
  for (Index t = 1; t <= iterations; ++t) {
    const double eta = 2 / (static_cast<double>(t) + steps_shift);
    const Eigen::Vector2d g = w - Eigen::Vector2d(kappa, 0);
    double best = vertices[0].dot(g);
    for (const auto& v : vertices) best = std::min(best, v.dot(g));
    const Eigen::Vector2d* chosen = nullptr;
    for (const auto& v : vertices)
      if (v.dot(g) <= best + chi * eta * gamma / 2 &&
          (chosen == nullptr || v.dot(g) > chosen->dot(g)))
        chosen = &v;
    w += eta * (*chosen - w);
  }
  const auto last = static_cast<double>(iterations);
  const double start = with_start ? 2 * h_0 / ((last + 1) * (last + 2)) : 0;
  return {excess(w), start + 2 * gamma * (1 + chi) / (last + 2)};
}

const std::vector<ParameterRange> frank_wolfe_ranges{{"iterations", 1, 1, 100, Scale::integer},
                                                     {"radius", 1, 0.1, 10, Scale::logarithmic},
                                                     {"kappa", 1, 1e-3, 1e6, Scale::logarithmic},
                                                     {"chi", 1, 1e-3, 10, Scale::logarithmic},
                                                     {"start", 2, 0, 3, Scale::integer}};

// A theorem's n^exponent with `log_power` powers of log(dn/zeta), against the n^abstract of an
// abstract with constant 10 and log d log^3 n for what its O-tilde may hide. epsilon = 1, zeta =
// 0.05; n is only a number here.
LemmaClaim abstract_rate(double exponent, double log_power, double abstract) {
  return {{{"n", 1e6, 1e3, 1e40, Scale::logarithmic}, {"d", 2, 2, 1e6, Scale::logarithmic}},
          [=](const ParameterPoint& p) {
            const double n = p.at("n"), d = p.at("d");
            return Sides{std::pow(n, exponent) * std::pow(std::log(d * n / 0.05), log_power),
                         10 * std::log(d) * std::pow(std::log(n), 3) * std::pow(n, abstract)};
          }};
}

double step_budget(const ParameterPoint& p) {
  return p.at("epsilon") / (2 * std::sqrt(2 * p.at("iterations") * -std::log(p.at("delta"))));
}

const std::vector<ParameterRange> lasso_composition_ranges{
    {"iterations", 1, 1, 400, Scale::integer},
    {"epsilon", 0.999, 0.01, 0.999, Scale::logarithmic},
    {"delta", 0.9, 1e-8, 0.99, Scale::logarithmic}};

// (42) at the theorem's K and T (T a real number), M = 1 and epsilon <= 1, against 10 times the
// bound with lambda_max to the given power.
Sides balance(const ParameterPoint& p, double power) {
  const double budget = p.at("n_epsilon"), lambda = p.at("lambda_max");
  const double logs = std::sqrt(-std::log(p.at("delta"))) * std::log(p.at("d") / 0.05);
  const double t = std::pow(std::sqrt(budget) * lambda / logs, 0.8);
  const double k_squared = std::sqrt(budget) / std::pow(t, 0.25);
  return {lambda / t + k_squared * std::sqrt(t) * logs / budget + 1 / k_squared,
          10 * std::pow(lambda, power) * std::pow(logs, 0.8) / std::pow(budget, 0.4)};
}

const std::vector<ParameterRange> balance_ranges{{"n_epsilon", 1e4, 1e2, 1e15, Scale::logarithmic},
                                                 {"lambda_max", 1, 1e-6, 1e6, Scale::logarithmic},
                                                 {"delta", 1e-5, 1e-10, 0.1, Scale::logarithmic},
                                                 {"d", 2, 2, 1e6, Scale::logarithmic}};

// The bias of clipping at K the product of x = a and y = b, both 0 but with probability q; M bounds
// the fourth moments. 4 is the constant of the Cauchy-Schwarz steps of (36).
Sides clipping_bias(const ParameterPoint& p, double power_of_m) {
  const double a = p.at("a"), b = p.at("b"), q = p.at("q"), k = p.at("k");
  const double m = q * std::pow(std::max(a, b), 4);
  return {q * (a * b - std::min(a, k) * std::min(b, k)), 4 * std::pow(m, power_of_m) / (k * k)};
}

const std::vector<ParameterRange> clipping_ranges{{"a", 1000, 1e-2, 1e4, Scale::logarithmic},
                                                  {"b", 1000, 1e-2, 1e4, Scale::logarithmic},
                                                  {"q", 1, 1e-6, 1, Scale::logarithmic},
                                                  {"k", 100, 1e-2, 1e4, Scale::logarithmic}};

const std::vector<ParameterRange> bernstein_ranges{{"n", 1, 1, 60, Scale::integer},
                                                   {"q", 0.5, 1e-3, 0.999, Scale::logarithmic},
                                                   {"t", 1, 1e-3, 50, Scale::logarithmic}};

// Lemma 9 with C = sqrt 2 for the mean of n copies of (1 with probability q, else 0) minus q.
Sides bernstein(const ParameterPoint& p) {
  const double n = p.at("n"), q = p.at("q"), t = p.at("t");
  const double threshold =
      std::sqrt(2.0) * (std::max(q, 1 - q) * t / n + std::sqrt(q * (1 - q) * t / n));
  return {binomial_failure(n, q, [=](double k) { return k / n - q > threshold; }), std::exp(-t)};
}

// (34) around the mean of the clipped products, which are K^2 = 1 with probability q and 0
// otherwise.
Sides clipped_concentration(const ParameterPoint& p) {
  const double n = p.at("n"), q = p.at("q"), t = p.at("t");
  const double threshold = std::sqrt(2.0) * (std::sqrt(q * t / n) + t / n);
  return {binomial_failure(n, q, [=](double k) { return std::abs(k / n - q) > threshold; }),
          2 * std::exp(-t)};
}

}  // namespace

std::vector<Claim> frank_wolfe_lemmas() {
  return lemma_claims(
      "hu.dp_frank_wolfe",
      {{"truncation_inequality",
        printed,
        holds,
        {preprint, "proof of Lemma 4, (16)"},
        "-log(1 - u + u^2/2) <= phi(u) <= log(1 + u + u^2/2) for every real u.",
        {{{"size", 1, 1e-12, 1e9, Scale::logarithmic},
          {"sign", 1, -1, 1, Scale::integer},
          {"side", 0, 0, 1, Scale::integer}},
         truncation_inequality}},
       {"deviation",
        printed,
        holds,
        {preprint, "Lemma 4, (12)"},
        "With probability 1 - zeta the robust mean is within tau/(2s) (1/beta + 1) + s/n (beta/2 + "
        "log(2/zeta)) of the mean, tau >= E x^2. Decided exactly on two-point laws.",
        {deviation_ranges, [](const ParameterPoint& p) { return deviation(p, 0.5); }},
        {"x is a with probability q and 0 otherwise, n <= 60"}},
       {"deviation",
        corrected,
        holds,
        {here, "Lemma 4 with prior = posterior: no beta/2"},
        "The same without beta/2: the Kullback divergence of a measure from itself is 0.",
        {deviation_ranges, [](const ParameterPoint& p) { return deviation(p, 0); }},
        {"x is a with probability q and 0 otherwise, n <= 60"}},
       {"log_moment",
        printed,
        refuted,
        {preprint, "proof of Lemma 4, first equality of (17)"},
        "log E f(eta, x) = log E exp phi((1 + eta) x/s): the exponential is missing, here at eta = "
        "0 "
        "and a constant x/s.",
        {{{"x", 1, 0.01, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double f = soft_truncation(p.at("x"));
           return Sides{f, std::log(f)};
         }}},
       {"lower_tail",
        printed,
        refuted,
        {preprint, "proof of Lemma 4, display before (20)"},
        "1/s E(1 + eta)^2 E x^2 is at most E x^2/(2s) (1/beta + 1): the display drops the 1/2 of "
        "the logarithm's argument. (The result (20) is right.)",
        {{{"beta", 1, 0.05, 20, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{1 + 1 / p.at("beta"), (1 + 1 / p.at("beta")) / 2};
         }}},
       {"estimation_error",
        printed,
        holds,
        {preprint, "proof of Lemma 5, (25)"},
        "tau/s (1/beta + 1) + s/m (beta + log(2dT/zeta)) covers (22), of which it is up to twice.",
        {{{"s", 1, 1e-3, 1e3, Scale::logarithmic},
          {"tau", 1, 1e-3, 1e3, Scale::logarithmic},
          {"beta", 1, 0.05, 20, Scale::logarithmic},
          {"m", 100, 1, 1e6, Scale::logarithmic},
          {"logarithm", 5, 0.7, 50, Scale::linear}},
         [](const ParameterPoint& p) {
           const double s = p.at("s"), tau = p.at("tau"), beta = p.at("beta");
           const double share = s / p.at("m"), logarithm = p.at("logarithm");
           return Sides{tau / (2 * s) * (1 / beta + 1) + share * (beta / 2 + logarithm),
                        tau / s * (1 / beta + 1) + share * (beta + logarithm)};
         }}},
       {"lasso_smoothness",
        printed,
        refuted,
        {both, "Corollary 1"},
        "E(<x,w> - y)^2 is lambda_max(E x x^T)-smooth: its excess over the tangent at distance 1 "
        "is "
        "at most lambda_max/2. (One feature.)",
        {{{"lambda_max", 1, 1e-3, 1e3, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{p.at("lambda_max"), p.at("lambda_max") / 2};
         }}},
       {"lasso_smoothness",
        corrected,
        holds,
        {here, "Corollary 1 with 2 lambda_max"},
        "It is 2 lambda_max-smooth, and no smoother.",
        {{{"lambda_max", 1, 1e-3, 1e3, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{p.at("lambda_max"), 2 * p.at("lambda_max") / 2};
         }}},
       {"exponential_mechanism",
        printed,
        holds,
        {both, "Lemma 1"},
        "The exponential mechanism scores at most OPT - 2 Delta/epsilon (ln |R| + t) with "
        "probability at most e^-t. Decided exactly on finite laws.",
        {{{"size", 2, 1, 50, Scale::integer},
          {"t", 1, 1e-3, 50, Scale::logarithmic},
          {"spread", 0, 0, 1, Scale::linear},
          {"epsilon", 1, 0.01, 10, Scale::logarithmic},
          {"sensitivity", 1, 1e-3, 1e3, Scale::logarithmic}},
         exponential_mechanism}},
       {"selection_logarithms",
        printed,
        refuted,
        {preprint, "Lemma 5, (24) and (23)"},
        "The union bound over Lemma 1, ln |V| + ln(T/zeta), is O(log |V| log(T/zeta)): at most 10 "
        "times the product. The product tends to 0 as T/zeta tends to 1: no constant will do.",
        {{{"vertices", 2, 2, 1e6, Scale::logarithmic},
          {"iterations", 1, 1, 1000, Scale::integer},
          {"zeta", 0.99, 1e-6, 0.99, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double a = std::log(p.at("vertices"));
           const double b = std::log(p.at("iterations") / p.at("zeta"));
           return Sides{a + b, 10 * a * b};
         }}},
       {"large_epsilon",
        printed,
        refuted,
        {preprint, "proof of Theorem 2, (28)"},
        "For any epsilon > 0 the sampling term beta + log(dT/zeta) is O(beta log|V| "
        "log(T/zeta)/epsilon) (here with constant 10, beta = 1, |V| = 2d, zeta <= 0.05), so that "
        "the risk falls as (n epsilon)^(-1/3) alone.",
        {{{"epsilon", 1e3, 0.01, 1e6, Scale::logarithmic},
          {"d", 2, 1, 1e6, Scale::logarithmic},
          {"iterations", 1, 1, 1000, Scale::integer},
          {"zeta", 0.05, 1e-6, 0.05, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double b = std::log(p.at("iterations") / p.at("zeta"));
           return Sides{1 + std::log(p.at("d")) + b,
                        10 * std::log(2 * p.at("d")) * b / p.at("epsilon")};
         }}},
       {"large_epsilon",
        corrected,
        holds,
        {here, "(28) for epsilon <= 1"},
        "The same for epsilon <= 1.",
        {{{"epsilon", 1, 0.01, 1, Scale::logarithmic},
          {"d", 2, 1, 1e6, Scale::logarithmic},
          {"iterations", 1, 1, 1000, Scale::integer},
          {"zeta", 0.05, 1e-6, 0.05, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double b = std::log(p.at("iterations") / p.at("zeta"));
           return Sides{1 + std::log(p.at("d")) + b,
                        10 * std::log(2 * p.at("d")) * b / p.at("epsilon")};
         }}},
       {"curvature",
        printed,
        refuted,
        {preprint, "Lemma 6: Gamma_L <= alpha ||W||_1"},
        "The curvature of an alpha-smooth function on the l1 ball of radius R is at most alpha "
        "||W||_1 = 2 alpha R. On ||w||^2/2 it is 4 R^2.",
        {{{"seed", 0, 0, 1000, Scale::integer}, {"radius", 1, 0.1, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) { return curvature(p, false); }}},
       {"curvature",
        corrected,
        holds,
        {here, "Lemma 6 with the squared l2 diameter"},
        "The curvature of an alpha-smooth function on the l1 ball of radius R is at most alpha "
        "diam_2^2 = 4 alpha R^2.",
        {{{"seed", 0, 0, 1000, Scale::integer}, {"radius", 1, 0.1, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) { return curvature(p, true); }}},
       {"frank_wolfe",
        printed,
        refuted,
        {preprint, "Lemma 6 with eta_{t-1} = 2/(t+2)"},
        "After t steps of size 2/(t+2) the excess is at most 2 Gamma (1 + chi)/(t + 2), Gamma the "
        "exact curvature. On a nearly linear function Gamma tends to 0, and 2 h_0/((t+1)(t+2)) "
        "remains.",
        {frank_wolfe_ranges, [](const ParameterPoint& p) { return frank_wolfe(p, 2, false); }}},
       {"frank_wolfe",
        proved,
        holds,
        {preprint, "Lemma 6 with the source's steps 2/(t+1)"},
        "After t steps of size 2/(t+1), the first of them 1, the excess is at most 2 Gamma (1 + "
        "chi)/(t + 2).",
        {frank_wolfe_ranges, [](const ParameterPoint& p) { return frank_wolfe(p, 1, false); }}},
       {"frank_wolfe",
        corrected,
        holds,
        {here, "Lemma 6 with the start's share"},
        "After t steps of size 2/(t+2) the excess is at most 2 h_0/((t+1)(t+2)) + 2 Gamma (1 + "
        "chi)/(t + 2).",
        {frank_wolfe_ranges, [](const ParameterPoint& p) { return frank_wolfe(p, 2, true); }}},
       {"abstract_preprint",
        reading,
        refuted,
        {preprint, "abstract, and text before Algorithm 2, in the copy read here"},
        "Theorem 2's (n epsilon)^(-1/3) is within O-tilde(log d/(n epsilon)^(2/3)), which is what "
        "the copy read here has for the abstract and for Corollary 1 in the text before Algorithm "
        "2. The copy garbles the exponent: Theorem 2, Corollary 1 itself, the introduction and the "
        "conclusions have 1/3. Nothing in the paper falls.",
        abstract_rate(-1.0 / 3, 1.0 / 3, -2.0 / 3)},
       {"abstract_published",
        reading,
        refuted,
        {published, "abstract, in the copy read here"},
        "Theorem 2's (n epsilon)^(-1/3) is within O-tilde(log d/(n epsilon)^(3/5)), which is what "
        "the copy read here has for the abstract. The copy garbles the exponent: Theorem 2, "
        "Corollary 1, the list of contributions and the conclusions have 1/3. Nothing in the paper "
        "falls.",
        abstract_rate(-1.0 / 3, 1.0 / 3, -3.0 / 5)}});
}

std::vector<Claim> private_lasso_lemmas() {
  return lemma_claims(
      "hu.private_lasso",
      {{"advanced_composition",
        proved,
        refuted,
        {both, "proof of Theorem 4 by Lemma 2 (advanced composition)"},
        "Advanced composition of the T steps of epsilon/(2 sqrt(2T log(1/delta))) certifies "
        "epsilon at delta for all 0 < epsilon < 1, 0 < delta <= 0.99. (It does up to delta = 0.8.)",
        {lasso_composition_ranges,
         [](const ParameterPoint& p) {
           const auto count = static_cast<Index>(p.at("iterations"));
           return Sides{advanced_composition({{step_budget(p), count}}, p.at("delta")),
                        p.at("epsilon")};
         }}},
       {"optimal_composition",
        corrected,
        holds,
        {here, "Theorem 4 by optimal composition"},
        "Optimal composition of the T steps certifies epsilon at delta for all 0 < epsilon < 1, 0 "
        "< delta <= 0.99.",
        {lasso_composition_ranges,
         [](const ParameterPoint& p) {
           const auto count = static_cast<Index>(p.at("iterations"));
           return Sides{composed_delta({{step_budget(p), count}}, p.at("epsilon")), p.at("delta")};
         }}},
       {"composition",
        printed,
        holds,
        {both, "Lemma 2"},
        "T mechanisms, each epsilon/(2 sqrt(2T log(2/delta)))-DP, are together (epsilon, delta)-DP "
        "for 0 < epsilon < 1, 0 < delta <= 0.99, by optimal composition. (The delta' of each step "
        "add up to the other T delta'.)",
        {lasso_composition_ranges,
         [](const ParameterPoint& p) {
           const double step =
               p.at("epsilon") /
               (2 * std::sqrt(2 * p.at("iterations") * std::log(2 / p.at("delta"))));
           return Sides{
               composed_delta({{step, static_cast<Index>(p.at("iterations"))}}, p.at("epsilon")),
               p.at("delta")};
         }}},
       {"bernstein",
        printed,
        holds,
        {preprint, "Lemma 9"},
        "For independent zero-mean |X_i| <= s, E X_i^2 <= r: the mean exceeds C (st/n + "
        "sqrt(rt/n)) "
        "with probability at most e^-t; C = sqrt 2 will do. Decided exactly on two-point laws.",
        {bernstein_ranges, bernstein},
        {"n <= 60"}},
       {"concentration",
        printed,
        refuted,
        {preprint, "proof of Lemma 8, (34) and (35): sigma"},
        "The clipped mean is within C (sqrt(Mt/n) + K^2 t/n) of the unclipped expectation with "
        "probability 1 - e^-t, with C = 10. With x constant and above K the bias stays as n grows: "
        "no C will do.",
        {{{"x", 10, 0.1, 1e3, Scale::logarithmic},
          {"n", 1e6, 1, 1e12, Scale::logarithmic},
          {"t", 1, 1, 50, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double x = p.at("x"), n = p.at("n"), t = p.at("t"), clipped = std::min(x, 1.0);
           const double margin = 10 * (x * x * std::sqrt(t / n) + t / n);
           return Sides{x * x - clipped * clipped > margin ? 1.0 : 0.0, std::exp(-t)};
         }},
        {"x_j = x_k = x always, K = 1"}},
       {"concentration",
        corrected,
        holds,
        {here, "(34) with sigma-tilde, two-sided"},
        "It is within sqrt 2 (sqrt(Mt/n) + K^2 t/n) of the expectation of the clipped products "
        "with "
        "probability 1 - 2 e^-t. Decided exactly on two-point laws.",
        {bernstein_ranges, clipped_concentration},
        {"n <= 60"}},
       {"moments_of_remark_2",
        printed,
        holds,
        {both, "Remark 2"},
        "Assumption 1 at w = 0 and w = e_k, E(x_j y)^2 <= tau and E(x_j (x_k - y))^2 <= tau, gives "
        "E(x_j x_k)^2 <= 4 tau.",
        {{{"x_k", 1, -100, 100, Scale::linear}, {"y", 0.5, -100, 100, Scale::linear}},
         [](const ParameterPoint& p) {
           const double x = p.at("x_k"), y = p.at("y");
           return Sides{x * x, 4 * std::max(y * y, (x - y) * (x - y))};
         }},
        {"x_j = 1"}},
       {"balance",
        printed,
        holds,
        {both, "Theorem 5, (9), from (42)"},
        "At the theorem's K and T the three terms of (42) are O(lambda_max^(1/5) (sqrt(log "
        "1/delta) log(d/zeta))^(4/5)/(n epsilon)^(2/5)), with constant 10.",
        {balance_ranges, [](const ParameterPoint& p) { return balance(p, 0.2); }}},
       {"balance_43",
        printed,
        refuted,
        {preprint, "proof of Theorem 5, (43)"},
        "The same with lambda_max where (9) has lambda_max^(1/5): too small for a small "
        "lambda_max.",
        {balance_ranges, [](const ParameterPoint& p) { return balance(p, 1); }}},
       {"union_bound",
        printed,
        refuted,
        {preprint, "proof of Lemma 8, before (39)"},
        "With t = zeta/d^3 the failure probability (d^2 + d) e^-t of (37) and (38) is at most "
        "zeta.",
        {{{"d", 2, 2, 1e6, Scale::logarithmic}, {"zeta", 0.5, 1e-9, 0.99, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double d = p.at("d"), zeta = p.at("zeta");
           return Sides{(d * d + d) * std::exp(-zeta / (d * d * d)), zeta};
         }}},
       {"union_bound",
        corrected,
        holds,
        {here, "proof of Lemma 8 with t = log(d^3/zeta)"},
        "With t = log(d^3/zeta) the failure probability (d^2 + d) e^-t is at most zeta for d >= 2.",
        {{{"d", 2, 2, 1e6, Scale::logarithmic}, {"zeta", 0.5, 1e-9, 0.99, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double d = p.at("d"), zeta = p.at("zeta");
           return Sides{(d * d + d) * zeta / (d * d * d), zeta};
         }}},
       {"clipping_bias",
        printed,
        holds,
        {preprint, "proof of Lemma 8, (36)"},
        "Clipping at K moves E x_j x_k by at most O(M/K^2), with the proof's constant 4.",
        {clipping_ranges, [](const ParameterPoint& p) { return clipping_bias(p, 1); }},
        {"x_j = a, x_k = b with probability q, both 0 otherwise"}},
       {"clipping_bias_label",
        printed,
        refuted,
        {preprint, "proof of Lemma 8, (38)"},
        "Clipping at K moves E x_j y by at most O(sqrt(M)/K^2), with constant 4. (The derivation "
        "gives M/K^2.)",
        {clipping_ranges, [](const ParameterPoint& p) { return clipping_bias(p, 0.5); }},
        {"x_j = a, y = b with probability q, both 0 otherwise"}},
       {"abstract_preprint",
        reading,
        refuted,
        {preprint, "abstract, in the copy read here"},
        "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(log d/(n epsilon)^(5/8)), which is what "
        "the copy read here has for the abstract. The copy garbles the exponent: Theorem 5, the "
        "introduction and the conclusions have 2/5. Nothing in the paper falls.",
        abstract_rate(-0.4, 0.8, -5.0 / 8)},
       {"abstract_published",
        reading,
        refuted,
        {published, "abstract, in the copy read here"},
        "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(log d/(n epsilon)^(5/3)), which is what "
        "the copy read here has for the abstract. The copy garbles the exponent: Theorem 5 and the "
        "conclusions have 2/5. Nothing in the paper falls.",
        abstract_rate(-0.4, 0.8, -5.0 / 3)},
       {"text",
        reading,
        refuted,
        {published, "text before Algorithm 2, in the copy read here"},
        "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(1/(n epsilon)^(2/3)), which is what the "
        "copy read here has in the text before Algorithm 2. The copy garbles the exponent: Theorem "
        "5 and the conclusions have 2/5, and the preprint's copy of the same sentence yet another "
        "figure. Nothing in the paper falls.",
        abstract_rate(-0.4, 0.8, -2.0 / 3)},
       {"text_preprint",
        reading,
        holds,
        {preprint, "text before Algorithm 2, in the copy read here"},
        "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(1/(n epsilon)^(1/5)), which is what the "
        "copy read here has in the text before Algorithm 2. The copy garbles the exponent: Theorem "
        "5, the introduction and the conclusions have 2/5.",
        abstract_rate(-0.4, 0.8, -0.2)},
       {"contributions",
        reading,
        holds,
        {published, "list of contributions, in the copy read here"},
        "Theorem 5's (n epsilon)^(-2/5) is within O-tilde(log d/(n epsilon)^(1/3)), which is what "
        "the copy read here has in the list of contributions, for the polytope and for the LASSO "
        "alike. The copy garbles the second exponent: the preprint's list, Theorem 5 and the "
        "conclusions have 2/5.",
        abstract_rate(-0.4, 0.8, -1.0 / 3)}});
}

}  // namespace dpverify::hu
