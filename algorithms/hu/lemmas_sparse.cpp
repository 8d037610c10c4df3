// Lemmas of Algorithms 3 and 5.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/core/composition.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/hu/lemmas.hpp"
#include "algorithms/mechanisms/peeling_lemmas.hpp"

namespace dpverify::hu {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string both = "Hu, Ni, Xiao and Wang (preprint and published edition)";
const std::string preprint = "Hu, Ni, Xiao and Wang (preprint)";
const std::string published = "Hu, Ni, Xiao and Wang (published edition)";
const std::string here = "this project";

RandomStream stream_of(const ParameterPoint& p) {
  return RandomStream(
      {.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "peeling lemmas"});
}

// ---- Algorithms 3 and 5 -------------------------------------------------------------------------

// The factor of (70) at s = 72 kappa^2 s*, kappa = gamma/mu: 2s*/(s + s*) + mu/(24 gamma).
double contraction(double kappa) { return 2 / (72 * kappa * kappa + 1) + 1 / (24 * kappa); }

LemmaClaim contraction_at_least(double times_kappa) {
  return {{{"kappa", 1, 1, 1e4, Scale::logarithmic}}, [=](const ParameterPoint& p) {
            return Sides{times_kappa / p.at("kappa"), contraction(p.at("kappa"))};
          }};
}

// The terms of the proof of Theorem 7 with every constant 1 (M = 1, zeta = 0.05), s = kappa^2 s*, T
// = kappa log n, K^4 = n epsilon/(sT) and the gamma that (72) drops, summed over the iterations at
// the contraction mu/(24 gamma); against 100 times gamma^a s*^2 log n log^2(dT/zeta)
// log(1/delta)/(mu^b n epsilon).
LemmaClaim theorem_7_powers(double gamma_power, double mu_power) {
  return {{{"gamma", 100, 1e-3, 1e3, Scale::logarithmic},
           {"kappa", 1, 1, 100, Scale::logarithmic},
           {"s", 1, 1, 100, Scale::integer},
           {"d", 100, 100, 1e6, Scale::logarithmic},
           {"n", 1e6, 1e3, 1e12, Scale::logarithmic},
           {"epsilon", 1, 0.01, 1, Scale::logarithmic},
           {"delta", 1e-5, 1e-10, 0.1, Scale::logarithmic}},
          [=](const ParameterPoint& p) {
            const double gamma = p.at("gamma"), kappa = p.at("kappa"), mu = gamma / kappa;
            const double n = p.at("n"), budget = n * p.at("epsilon"), log_n = std::log(n);
            const double s = kappa * kappa * p.at("s"), t = kappa * log_n, k_4 = budget / (s * t);
            const double l = -std::log(p.at("delta")), logs = std::log(p.at("d") * t / 0.05);
            const double step = 2 / (3 * gamma);
            const double noise = std::pow(s, 3) * std::pow(step * t * logs / budget, 2) * k_4 * l;
            const double deviation = s * (t * logs / n + k_4 * std::pow(t * logs / n, 2) + 1 / k_4);
            return Sides{24 * kappa * (gamma * noise + deviation / gamma),
                         100 * std::pow(gamma, gamma_power) * std::pow(mu, -mu_power) *
                             std::pow(p.at("s"), 2) * log_n * logs * logs * l / budget};
          }};
}

const std::vector<ParameterRange> curvatures{{"mu", 10, 1e-3, 1e3, Scale::logarithmic},
                                             {"kappa", 1, 1, 100, Scale::logarithmic}};

// The excess of (1/2) E(<x,w> - y)^2, whose gradient is g^t, between the multiples of ||w - w*||^2
// = 1; E x x^T = diag(gamma, mu).
LemmaClaim excess_between(double factor) {
  std::vector<ParameterRange> ranges = curvatures;
  ranges.push_back({"angle", std::acos(0.0), 0, std::acos(0.0), Scale::linear});
  ranges.push_back({"below", 1, 0, 1, Scale::integer});
  return {ranges, [factor](const ParameterPoint& p) {
            const double mu = p.at("mu"), gamma = mu * p.at("kappa");
            const double c = std::pow(std::cos(p.at("angle")), 2);
            const double excess = (gamma * c + mu * (1 - c)) / 2;
            return p.at("below") == 1 ? Sides{factor * mu, excess} : Sides{excess, factor * gamma};
          }};
}

// Lemma 14 on L(w) = (w - w*)^T H (w - w*)/2 in three dimensions, w - w* on two of them, mu the
// smallest eigenvalue of H.
Sides restricted_gradient(const ParameterPoint& p) {
  RandomStream stream = stream_of(p);
  Eigen::Matrix3d root;
  for (double& entry : root.reshaped()) entry = stream.normal();
  const Eigen::Matrix3d h = root * root.transpose() + p.at("floor") * Eigen::Matrix3d::Identity();
  const double mu = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(h).eigenvalues()[0];
  const Eigen::Vector3d u(std::cos(p.at("angle")), std::sin(p.at("angle")), 0), g = h * u;
  return {mu / 2 * u.dot(g) / 2, g.head(2).squaredNorm() - mu * mu / 4};
}

// (61) from the line before it: (c + 1)^2/(c (c - 1)) <= 3/2 from c = smallest on.
LemmaClaim constant_from(double smallest) {
  return {{{"times", 1, 1, 1e6, Scale::logarithmic}}, [smallest](const ParameterPoint& p) {
            const double c = smallest * p.at("times");
            return Sides{(c + 1) * (c + 1) / (c * (c - 1)), 1.5};
          }};
}

// Algorithm 3 with the published lambda, short by (sqrt s + 1)/sqrt(s + 1): what the 2s steps of
// Peeling cost at the true sensitivity.
Sides published_composition(const ParameterPoint& p) {
  const double s = p.at("sparsity"), l = -std::log(p.at("delta"));
  const double step =
      p.at("epsilon") / std::sqrt(3 * s * l) * (std::sqrt(s) + 1) / std::sqrt(s + 1);
  const auto count = static_cast<Index>(s);
  return {composed_delta({{step, count}, {step / 2, count}}, p.at("epsilon")), p.at("delta")};
}

// The noise and deviation terms of the proof of Theorem 8 (beta = 1, gamma = 1) with k^2 as a
// function of the point, against 10 times the bound.
LemmaClaim truncation_scale(double (*k_squared)(const ParameterPoint&)) {
  return {{{"n", 1e6, 1e4, 1e15, Scale::logarithmic},
           {"s", 100, 1, 1e6, Scale::logarithmic},
           {"tau", 1, 0.01, 100, Scale::logarithmic},
           {"epsilon", 1, 0.01, 1, Scale::logarithmic},
           {"delta", 1e-5, 1e-10, 0.1, Scale::logarithmic},
           {"iterations", 10, 1, 100, Scale::integer}},
          [=](const ParameterPoint& p) {
            const double s = p.at("s"), t = p.at("iterations"), tau = p.at("tau");
            const double budget = p.at("n") * p.at("epsilon"), l = -std::log(p.at("delta"));
            const double logarithm = std::log(t * s / 0.05), k2 = k_squared(p);
            const double noise = std::pow(s * t * logarithm / budget, 2) * k2 * l;
            const double bias = s * tau * tau / k2;
            const double deviation = s * k2 * std::pow(t * logarithm / p.at("n"), 2);
            return Sides{noise + bias + deviation,
                         10 * tau * std::pow(s, 1.5) * t * logarithm * std::sqrt(l) / budget};
          }};
}

}  // namespace

std::vector<Claim> sparse_regression_lemmas() {
  return lemma_claims(
      "hu.sparse_linear_regression",
      {{"contraction",
        printed,
        refuted,
        {preprint, "proof of Theorem 7, after (71)"},
        "(70) gives a contraction of at least 5/72 mu/gamma.",
        contraction_at_least(5.0 / 72)},
       {"contraction",
        corrected,
        holds,
        {here, "(70) with 1/24 mu/gamma"},
        "(70) gives a contraction of at least mu/(24 gamma).",
        contraction_at_least(1.0 / 24)},
       {"sparsity_constant",
        printed,
        holds,
        {preprint, "proof of Theorem 7, before (69)"},
        "With eta = 2/3 and s = 72 (gamma/mu)^2 s*: 3s*/(s + s*) <= mu^2/(24 gamma (gamma - eta "
        "mu)) <= 1/8.",
        {{{"kappa", 1, 1, 1e4, Scale::logarithmic}, {"second", 0, 0, 1, Scale::integer}},
         [](const ParameterPoint& p) {
           const double kappa = p.at("kappa");
           const double middle = 1 / (24 * kappa * (kappa - 2.0 / 3));
           return p.at("second") == 1 ? Sides{middle, 0.125}
                                      : Sides{3 / (72 * kappa * kappa + 1), middle};
         }}},
       {"powers",
        printed,
        refuted,
        {both, "Theorem 7: M gamma^4/mu^7"},
        "The terms of the proof, with the gamma that (72) drops, sum to O(gamma^4 s*^2 log n "
        "log^2(d/zeta) log(1/delta)/(mu^7 n epsilon)), with constant 100. They are gamma mu times "
        "that: features twice as large make the bound 4 times smaller and the risk 4 times larger.",
        theorem_7_powers(4, 7)},
       {"powers",
        corrected,
        holds,
        {here, "Theorem 7 with gamma^5/mu^6"},
        "The same with gamma^5/mu^6.",
        theorem_7_powers(5, 6)},
       {"geometric_sum",
        printed,
        refuted,
        {preprint, "last display of the proof of Theorem 7"},
        "Summing the error of (74), in units of its s^2 T M log^2 log/(n epsilon) 1/gamma^2, at "
        "the contraction 5/72 mu/gamma gives O(1/(mu^2 gamma)), with constant 100.",
        {curvatures,
         [](const ParameterPoint& p) {
           const double mu = p.at("mu"), gamma = mu * p.at("kappa");
           return Sides{72.0 / 5 * (gamma / mu) / (gamma * gamma), 100 / (mu * mu * gamma)};
         }}},
       {"geometric_sum",
        corrected,
        holds,
        {here, "last display of the proof of Theorem 7 with 1/(mu gamma)"},
        "It gives O(1/(mu gamma)), with constant 15.",
        {curvatures,
         [](const ParameterPoint& p) {
           const double mu = p.at("mu"), gamma = mu * p.at("kappa");
           return Sides{72.0 / 5 * (gamma / mu) / (gamma * gamma), 15 / (mu * gamma)};
         }}},
       {"sample_size",
        printed,
        refuted,
        {preprint, "proof of Theorem 7, the condition on n"},
        "At n = 100 s^2 T M log^2 log/(mu^3 gamma^2 epsilon) the noise share of mu ||w - w*||^2, "
        "gamma/(mu gamma^2) s^2 T M log^2 log/(n epsilon), is at most mu/8.",
        {curvatures,
         [](const ParameterPoint& p) {
           const double mu = p.at("mu"), gamma = mu * p.at("kappa");
           return Sides{std::pow(mu, 3) * gamma * gamma / 100 / (mu * gamma), mu / 8};
         }}},
       {"curvature_bounds",
        printed,
        refuted,
        {preprint, "proof of Theorem 7, before (74)"},
        "For the risk whose gradient is g^t: mu ||w - w*||^2 <= L(w) - L(w*) <= gamma ||w - "
        "w*||^2. (It is half the squared loss; the lower bound is that of the whole.)",
        excess_between(1)},
       {"curvature_bounds",
        corrected,
        holds,
        {here, "proof of Theorem 7 with halves"},
        "mu/2 ||w - w*||^2 <= L(w) - L(w*) <= gamma/2 ||w - w*||^2.",
        excess_between(0.5)},
       {"restricted_gradient",
        printed,
        holds,
        {preprint, "Lemma 14 (Lemma 6 of its source), (71)"},
        "||g_(S and S*)||^2 - mu^2/4 ||w - w*||^2 >= mu/2 (L(w) - L(w*)).",
        {{{"seed", 0, 0, 100'000, Scale::integer},
          {"floor", 1, 1e-6, 10, Scale::logarithmic},
          {"angle", 0, 0, 7, Scale::linear}},
         restricted_gradient},
        {"quadratic risks in three dimensions, w and w* on two of them"}},
       {"squares",
        printed,
        holds,
        {preprint, "proof of Theorem 7, before (52)"},
        "(1 - 1/c) a^2 - (c - 1) b^2 <= (a + b)^2 <= (1 + 1/c) a^2 + (1 + c) b^2 for c > 1.",
        {{{"a", 1, -100, 100, Scale::linear},
          {"b", 1, -100, 100, Scale::linear},
          {"c", 2, 1, 1e6, Scale::logarithmic},
          {"below", 0, 0, 1, Scale::integer}},
         [](const ParameterPoint& p) {
           const double a = p.at("a"), b = p.at("b"), c = p.at("c"), middle = (a + b) * (a + b);
           // Moved to the side where no term is subtracted.
           return p.at("below") == 1 ? Sides{a * a + b * b, middle + a * a / c + c * b * b}
                                     : Sides{middle, (1 + 1 / c) * a * a + (1 + c) * b * b};
         }}},
       {"constant_c",
        printed,
        refuted,
        {preprint, "proof of Theorem 7, before (61)"},
        "For c >= sqrt 3/(sqrt 3 - sqrt 2) = 5.45: (c + 1)^2/(c (c - 1)) <= 3/2.",
        constant_from(std::sqrt(3.0) / (std::sqrt(3.0) - std::sqrt(2.0)))},
       {"constant_c",
        corrected,
        holds,
        {here, "(61) with c >= (7 + sqrt 57)/2"},
        "For c >= (7 + sqrt 57)/2 = 7.27 it is.",
        constant_from((7 + std::sqrt(57.0)) / 2)},
       {"support_size",
        printed,
        refuted,
        {preprint, "proof of Theorem 7: |S^{t+1}| <= 2"},
        "Peeling keeps at most 2 coordinates. (It keeps s.)",
        {PeelingSelections::fields().ranges(),
         [](const ParameterPoint& p) {
           return Sides{coordinates_kept(PeelingSelections::fields().read(p)), 2};
         }},
        {"12 coordinates"}},
       {"peeled_sensitivity",
        printed,
        refuted,
        {both, "proof of Theorem 6, which bounds w^{t+0.75} for w^{t+0.5}"},
        "Before its noise the peeled vector moves by at most lambda. With s = 1, v = (1, 1 - "
        "lambda) and v' = (1 - lambda, 1) keep different coordinates.",
        {{{"lambda", 0.1, 1e-6, 0.5, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{1, p.at("lambda")};
         }}},
       {"published_composition",
        reading,
        holds,
        {published, "Theorem 6 with step 6 of Algorithm 3, in the copy read here"},
        "Even with lambda = 2 K^2 eta_0 sqrt(s + 1)/m, which is what the copy read here has in "
        "step 6 of Algorithm 3 where the preprint has sqrt(s) + 1, each iteration is (epsilon, "
        "delta)-DP: optimal composition of Peeling's 2s steps at the true sensitivity.",
        {{{"sparsity", 20, 1, 40, Scale::integer},
          {"epsilon", 0.999, 0.01, 0.999, Scale::logarithmic},
          {"delta", 1e-2, 1e-10, 1e-2, Scale::logarithmic}},
         published_composition}},
       {"initial_condition",
        proved,
        refuted,
        {preprint, "proof of Theorem 7: ||w^1 - w*||^2 <= mu/(2 gamma)"},
        "If ||w^1 - w*||^2 <= mu/(2 gamma) and ||w*|| <= 1/2, then mu ||w - w*||^2 <= gamma (1 - "
        "c)^t ||w^1 - w*||^2 keeps ||w^{t+0.75}|| <= 1 (t = 1, the noise term apart): the bound is "
        "1/2 + sqrt((1 - c)/2).",
        {{{"kappa", 1, 1, 100, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double c = 5 / (72 * p.at("kappa"));
           return Sides{0.5 + std::sqrt((1 - c) / 2), 1};
         }}},
       {"bias_term",
        printed,
        refuted,
        {preprint, "proof of Theorem 7, before (73)"},
        "With K = (n epsilon/(sT))^(1/4) the bias s M^2/K^4 is O(s T M log(d/zeta)/(n epsilon)), "
        "with constant 10. (It is s^2 T M^2/(n epsilon).)",
        {{{"n_epsilon", 1e6, 1e3, 1e12, Scale::logarithmic},
          {"s", 1000, 1, 1e4, Scale::logarithmic},
          {"iterations", 1, 1, 100, Scale::integer},
          {"moment", 1, 0.1, 10, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double s = p.at("s"), t = p.at("iterations"), m = p.at("moment");
           const double k_4 = p.at("n_epsilon") / (s * t);
           return Sides{s * m * m / k_4,
                        10 * s * t * m * std::log(2 * s / 0.05) / p.at("n_epsilon")};
         }},
        {"d = 2s, zeta = 0.05"}},
       {"contributions",
        reading,
        refuted,
        {published, "list of contributions, in the copy read here"},
        "Theorem 7's s*^2 log^2 d/(n epsilon) is within O-tilde(s* log^2 d/(n epsilon)), which is "
        "what the copy read here has in the list of contributions, with constant 10 and log^3 d. "
        "The copy garbles the exponent of s*: Theorem 7, the abstract, the conclusions and the "
        "preprint's list have s*^2. Nothing in the paper falls.",
        {{{"s", 1e6, 1, 1e12, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double s = p.at("s");
           return Sides{s * s, 10 * s * std::pow(std::log(2 * s), 3)};
         }},
        {"d = 2s*"}}});
}

std::vector<Claim> sparse_optimization_lemmas() {
  return lemma_claims(
      "hu.sparse_optimization",
      {{"scale_theorem",
        printed,
        refuted,
        {both, "Theorem 8: k = sqrt(n epsilon tau)"},
        "With the theorem's k the noise and the deviation are O(tau s^(3/2) T log(Ts/zeta) "
        "sqrt(log 1/delta)/(n epsilon)), with constant 10.",
        truncation_scale(
            [](const ParameterPoint& p) { return p.at("n") * p.at("epsilon") * p.at("tau"); })},
       {"scale_proof",
        printed,
        refuted,
        {preprint, "proof of Theorem 8: k = (n^2 epsilon^2 tau^2/((sT)^2 log(Ts/zeta)))^(1/4)"},
        "The same with the proof's k.",
        truncation_scale([](const ParameterPoint& p) {
          const double s = p.at("s"), t = p.at("iterations");
          return p.at("n") * p.at("epsilon") * p.at("tau") /
                 (s * t * std::sqrt(std::log(t * s / 0.05)));
        })},
       {"scale_experiments",
        printed,
        refuted,
        {preprint, "Section 6.2: k = c_2 n epsilon, c_2 = 1"},
        "The same with the experiments' k.",
        truncation_scale(
            [](const ParameterPoint& p) { return std::pow(p.at("n") * p.at("epsilon"), 2); })},
       {"scale",
        corrected,
        holds,
        {here, "Theorem 8 with the k that balances noise and bias"},
        "The same with k = (n^2 epsilon^2 tau^2/(s T^2 log^2(Ts/zeta) log(1/delta)))^(1/4).",
        truncation_scale([](const ParameterPoint& p) {
          const double s = p.at("s"), t = p.at("iterations");
          return p.at("n") * p.at("epsilon") * p.at("tau") /
                 (std::sqrt(s) * t * std::log(t * s / 0.05) * std::sqrt(-std::log(p.at("delta"))));
        })},
       {"experiments_noise",
        printed,
        refuted,
        {preprint, "Section 6.2: k = c_2 n epsilon, eta = 0.5, s = 2s*, T = floor(log n)"},
        "With the experiments' k the Laplace scale of Peeling falls below 1, the norm of w*, for "
        "some n up to 10^12. (4 sqrt2 k eta/m cancels n: it grows like log(n)^(3/2).)",
        {{{"n", 1e6, 1e4, 1e12, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double n = p.at("n"), t = std::floor(std::log(n)), s = 40;
           const double lambda = 4 * std::sqrt(2.0) * n * 0.5 / (n / t);
           return Sides{2 * lambda * std::sqrt(3 * s * 1.1 * std::log(n)), 1};
         }},
        {"epsilon = 1, s* = 20, delta = n^-1.1"}},
       {"contraction",
        printed,
        refuted,
        {preprint, "proof of Theorem 8, after (45): 1 - mu/(12 gamma)"},
        "(44) gives a contraction of at least mu/(12 gamma).",
        contraction_at_least(1.0 / 12)},
       {"abstract",
        reading,
        holds,
        {both, "conclusions, and the published abstract, in the copies read here"},
        "Theorem 8's s*^(3/2) is within s*^3, which is what the copies read here have in the "
        "conclusions and in the published abstract. They garble the exponent: Theorem 8, the "
        "preprint's abstract and both lists of contributions have 3/2.",
        {{{"s", 1, 1, 1e12, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           return Sides{std::pow(p.at("s"), 1.5), std::pow(p.at("s"), 3)};
         }}},
       {"near_optimality",
        printed,
        refuted,
        {both, "after Theorem 9: a gap of O-tilde(sqrt s*) between Theorems 8 and 9"},
        "tau s^(3/2) log d sqrt(log 1/delta)/(n epsilon) over tau min{s log d, log 1/delta}/(n "
        "epsilon) is at most 10 sqrt(s) log d sqrt(log 1/delta). It is not where log(1/delta) is "
        "below s/10: there the lower bound does not grow with s.",
        {{{"s", 1000, 1, 1e4, Scale::logarithmic},
          {"d", 1e5, 2e4, 1e8, Scale::logarithmic},
          {"delta", 1e-5, 1e-300, 0.1, Scale::logarithmic}},
         [](const ParameterPoint& p) {
           const double s = p.at("s"), log_d = std::log(p.at("d")), l = -std::log(p.at("delta"));
           return Sides{std::pow(s, 1.5) * log_d * std::sqrt(l) / std::min(s * log_d, l),
                        10 * std::sqrt(s) * log_d * std::sqrt(l)};
         }}}});
}

}  // namespace dpverify::hu
