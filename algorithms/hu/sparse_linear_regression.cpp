#include "algorithms/hu/sparse_linear_regression.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/hu/lemmas.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

void validate(const SparseRegressionParameters& p, const Dataset& data) {
  require(p.iterations >= 1 && p.iterations <= data.size(), "iterations T",
          static_cast<double>(p.iterations),
          "in 1.." + std::to_string(data.size()) + " (the number of records)");
  require(p.step > 0 && std::isfinite(p.step), "step eta_0", p.step, "positive and finite");
  require(p.epsilon > 0 && p.epsilon < 1, "epsilon", p.epsilon, "in (0, 1)");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
  validate_sparse(p.initial, p.sparsity, data.dimension());
  // The sensitivity rests on this too.
  require(p.initial.norm() <= 1 + 1e-12, "l2 norm of the initial point", p.initial.norm(),
          "at most 1");
}

double coordinate_sensitivity(const SparseRegressionParameters& p, Index part_size) {
  const auto s = static_cast<double>(p.sparsity);
  const double factor =
      p.sensitivity == RegressionSensitivity::published ? std::sqrt(s + 1) : std::sqrt(s) + 1;
  return 2 * p.clip * p.clip * p.step * factor / static_cast<double>(part_size);
}

}  // namespace

VectorXd sparse_linear_regression(const Dataset& data, const SparseRegressionParameters& p,
                                  Releases& releases) {
  validate(p, data);
  // (<x,w> - y)^2 has the derivative 2(<x,w> - y); the step of the texts uses half of it.
  const double gradient_share = p.sensitivity == RegressionSensitivity::declared_loss ? 1 : 0.5;
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const Dataset part = clipped(data.part(t, p.iterations), p.clip);  // steps 2, 3
    const VectorXd g = gradients(Loss::squared, w, part.all()).colwise().mean();
    const VectorXd half = w - p.step * gradient_share * g;  // step 5
    w = peeling(half,                                       // step 6
                {.sparsity = p.sparsity,
                 .sensitivity = coordinate_sensitivity(p, part.size()),
                 .epsilon = p.epsilon,
                 .delta = p.delta,
                 .repeats = p.repeats},
                releases);
    w /= std::max(1.0, w.norm());  // step 7
  }
  return w;
}

SparseRegressionParameters sparse_regression_from_theorem(Index n, Index dimension,
                                                          Index optimum_sparsity, double epsilon,
                                                          double delta, double gamma, double mu) {
  require(mu > 0 && gamma >= mu && std::isfinite(gamma), "smallest eigenvalue mu", mu,
          "positive and at most gamma = " + to_text(gamma));
  const double condition = gamma / mu;
  SparseRegressionParameters p;
  p.initial = VectorXd::Zero(dimension);
  // Clamped before the conversion: the condition number may be anything.
  p.sparsity = static_cast<Index>(
      std::clamp(std::ceil(condition * condition * static_cast<double>(optimum_sparsity) - 1e-9),
                 1.0, static_cast<double>(dimension)));
  p.iterations = static_cast<Index>(
      std::clamp(condition * std::log(static_cast<double>(n)), 1.0, static_cast<double>(n)));
  p.clip = std::pow(
      static_cast<double>(n) * epsilon / static_cast<double>(p.sparsity * p.iterations), 0.25);
  p.step = 2 / (3 * gamma);
  p.epsilon = epsilon;
  p.delta = delta;
  return p;
}

SparseRegressionParameters sparse_regression_from_experiments(Index n, Index dimension,
                                                              Index optimum_sparsity,
                                                              Index multiple, double epsilon) {
  require(epsilon > 0, "epsilon", epsilon, "positive");
  require(n >= 3, "records n", static_cast<double>(n), "at least 3 (T = floor(log n) parts)");
  require(optimum_sparsity >= 1, "sparsity s*", static_cast<double>(optimum_sparsity),
          "at least 1");
  require(multiple >= 1, "c of s = c s*", static_cast<double>(multiple), "at least 1");
  SparseRegressionParameters p;
  p.initial = VectorXd::Zero(dimension);
  p.sparsity = std::min(multiple * optimum_sparsity, dimension);
  p.iterations = static_cast<Index>(std::log(static_cast<double>(n)));
  p.clip = std::pow(
      static_cast<double>(n) * epsilon / static_cast<double>(p.sparsity * p.iterations), 0.25);
  p.step = 0.5;
  p.epsilon = epsilon;
  p.delta = std::pow(static_cast<double>(n), -1.1);
  return p;
}

double sparse_regression_bound(Index n, Index dimension, Index optimum_sparsity, double epsilon,
                               double delta, double gamma, double mu, double fourth_moment,
                               double failure_probability) {
  const auto records = static_cast<double>(n), s = static_cast<double>(optimum_sparsity);
  const double logarithm = std::log(static_cast<double>(dimension) / failure_probability);
  return fourth_moment * std::pow(gamma, 4) * s * s * std::log(records) * logarithm * logarithm *
         -std::log(delta) / (std::pow(mu, 7) * records * epsilon);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

MechanismFamily family(RegressionSensitivity sensitivity) {
  return [sensitivity](const ParameterPoint& point) -> Mechanism {
    return [sensitivity, point](const Dataset& data, Releases& releases) {
      const Index d = data.dimension();
      SparseRegressionParameters p;
      p.sparsity = std::min(static_cast<Index>(point.at("sparsity")), d);
      p.iterations = std::min(static_cast<Index>(point.at("iterations")), data.size());
      p.clip = point.at("clip");
      p.step = point.at("step");
      p.epsilon = point.at("epsilon");
      p.sensitivity = sensitivity;
      // The unit vector with s equal coordinates: the corner of the feasible set.
      p.initial = VectorXd::Zero(d);
      p.initial.head(p.sparsity)
          .setConstant(point.at("start") / std::sqrt(static_cast<double>(p.sparsity)));
      return sparse_linear_regression(data, p, releases);
    };
  };
}

constexpr double rate_epsilon = 0.9, failure_probability = 0.25;

// w* has the norm 1/2, on `sparsity` coordinates. Independent signs make gamma = mu, so that s = s*
// will do; the larger gamma is, the sooner the run beats the zero vector, for the noise of Peeling
// has eta_0 ~ 1/gamma.
RobustModel sign_model(Index dimension, Index sparsity, Index levels, double scale) {
  RobustModel model{.loss = Loss::squared,
                    .optimum = VectorXd::Zero(dimension),
                    .levels = levels,
                    .outlier = 1,
                    .outlier_share = 0.2,
                    .scale = scale};
  model.optimum.head(sparsity).setConstant(0.5 / std::sqrt(static_cast<double>(sparsity)));
  return model;
}

// Theorem 7's parameters and bound.
RatePoint theorem_point(Index n, double epsilon, double delta, Index sparsity,
                        const RobustModel& model) {
  const Index d = model.optimum.size();
  const double gamma = model.second_moment();
  const SparseRegressionParameters p =
      sparse_regression_from_theorem(n, d, sparsity, epsilon, delta, gamma, gamma);
  return {
      .records = n,
      .mechanism = [p](const Dataset& data,
                       Releases& releases) { return sparse_linear_regression(data, p, releases); },
      .bound = sparse_regression_bound(n, d, sparsity, epsilon, delta, gamma, gamma,
                                       model.fourth_moment(), failure_probability),
      .dimension = d,
      .draw = [model](Index count, RandomStream& stream) { return model.draw(count, stream); },
      .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
}

RateClaim theorem_rate(std::string variable, double exponent) {
  return {.variable = std::move(variable),
          .exponent = exponent,
          .failure_probability = failure_probability,
          .dimension = 4,
          .by_parts = true};
}

RateClaim records_rate() {
  const RobustModel model = sign_model(4, 1, 3, 2);
  RateClaim rate = theorem_rate("n", -1);
  rate.problem =
      "linear regression, 4 features 2 R(+-1, ..., +-1) with P(R = 2^k) ~ 8^(-k/2), k = 0..2, one "
      "label in five moved by +-1, w* = (0.5, 0, 0, 0), epsilon = 0.9, delta = 1e-5; closed-form "
      "population risk";
  rate.point = [=](double n) {
    RatePoint point = theorem_point(static_cast<Index>(n), rate_epsilon, 1e-5, 1, model);
    point.comparators = usual_comparators(
        {.loss = Loss::squared,
         .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = 1, .sparsity = 1},
         .initial = VectorXd::Zero(4),
         .smoothness = 2 * model.second_moment(),
         .second_moment = 4 * (model.fourth_moment() + 0.2 * model.second_moment())},
        point.records, rate_epsilon, 1e-5);
    return point;
  };
  rate.smoke = {{1e4, 3.2e5}, 22};
  rate.ci = {{7e3, 2.2e4, 7e4, 2.3e5}, 250};
  rate.nightly = {{7e3, 2.2e4, 7e4, 2.3e5, 7e5, 2.3e6}, 60};
  return rate;
}

RateClaim epsilon_rate() {
  constexpr Index records = 100'000;
  RateClaim rate = theorem_rate("epsilon", -1);
  rate.problem =
      "linear regression, 2 features of independent signs times 4, one label in five moved by +-1, "
      "w* = (0.5, 0), n = 100000, delta = 1e-5; closed-form population risk";
  rate.point = [=](double epsilon) {
    return theorem_point(records, epsilon, 1e-5, 1, sign_model(2, 1, 1, 4));
  };
  rate.smoke = {{0.03, 0.96}, 24};
  rate.ci = {{0.03, 0.096, 0.3, 0.96}, 200};
  return rate;
}

RateClaim dimension_rate() {
  constexpr Index records = 10'000;
  RateClaim rate = theorem_rate("d", 0);
  rate.problem =
      "linear regression, d features 3 R(+-1, ..., +-1) with P(R = 2^k) ~ 8^(-k/2), k = 0, 1, one "
      "label in five moved by +-1, w* = (0.5, 0, ..., 0), n = 10000, epsilon = 0.9, delta = 1e-5; "
      "closed-form population risk";
  rate.point = [=](double d) {
    return theorem_point(records, rate_epsilon, 1e-5, 1,
                         sign_model(static_cast<Index>(d), 1, 2, 3));
  };
  rate.smoke = {{2, 64}, 24};
  rate.ci = {{2, 6, 20, 64}, 200};
  return rate;
}

// The larger delta is what lets w* be found with so few records when s* is 32.
RateClaim sparsity_rate() {
  constexpr Index records = 32'000;
  constexpr double delta = 0.2;
  RateClaim rate = theorem_rate("s", 2);
  rate.problem =
      "linear regression, s* + 1 features of independent signs times 5, one label in five moved by "
      "+-1, w* of norm 1/2 with s* equal entries, n = 32000, epsilon = 0.9, delta = 0.2; "
      "closed-form population risk";
  rate.point = [=](double value) {
    const auto sparsity = static_cast<Index>(value);
    return theorem_point(records, rate_epsilon, delta, sparsity,
                         sign_model(sparsity + 1, sparsity, 1, 5));
  };
  rate.smoke = {{1, 32}, 14};
  rate.ci = {{1, 3, 10, 32}, 100};
  return rate;
}

// Section 6.5, Figure 7, on a smaller scale: features of variance 5, w* of norm 1 on s*
// coordinates, the printed eta_0 = 0.5, which is beyond 2/gamma = 0.4. At the largest n the Laplace
// scale is 4.1 times a coordinate of w*, as in the figure (n = 5 * 10^4, s* = 20, d = 200). The
// noise of the labels is normal here: it matters little.
RateClaim experiments_rate() {
  LinearModel model{.optimum = VectorXd::Zero(40),
                    .features = {ScalarLaw::Kind::student_t, 30, std::sqrt(5.0 * 28 / 30)},
                    .noise = {ScalarLaw::Kind::normal, 0.5}};
  model.optimum.head(10).setConstant(1 / std::sqrt(10.0));
  RateClaim rate{.variable = "n",
                 .problem =
                     "linear regression as in Section 6.5: 40 features of variance 5 (nearly "
                     "normal), w* of norm 1 with s* = 10 equal coordinates, s = s*, epsilon = "
                     "0.99, delta = n^-1.1; closed-form population risk",
                 .exponent = -1,
                 .learns = true,
                 .dimension = 40,
                 .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  rate.point = [](double n) {
    const auto records = static_cast<Index>(n);
    const SparseRegressionParameters p =
        sparse_regression_from_experiments(records, 40, 10, 1, 0.99);
    // The figure is read against the rate alone: the text gives no constant.
    return RatePoint{records,
                     [p](const Dataset& data, Releases& releases) {
                       return sparse_linear_regression(data, p, releases);
                     },
                     1 / n};
  };
  rate.smoke = {{500, 5e3}, 20};
  rate.ci = {{1e3, 3e3, 1e4}, 80};
  rate.nightly = {{1e3, 1e4, 5e4}, 60};
  return rate;
}

}  // namespace

std::vector<Claim> sparse_linear_regression_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index",
                                            "w^1 s-sparse with l2 norm at most 1"};
  const std::vector<ParameterRange> ranges{
      {"sparsity", 1, 1, 4, Scale::integer},     {"iterations", 1, 1, 3, Scale::integer},
      {"clip", 1, 0.1, 100, Scale::logarithmic}, {"step", 1, 0.01, 10, Scale::logarithmic},
      {"start", 1, -1, 1, Scale::linear},        {"epsilon", 0.5, 0.01, 0.999, Scale::logarithmic}};
  const auto corner = [](double s) {
    return Setting{{{"sparsity", s},
                    {"iterations", 1},
                    {"clip", 1},
                    {"step", 1},
                    {"start", 1},
                    {"epsilon", 0.5}},
                   2,
                   static_cast<Index>(s) + 1};
  };
  const std::vector<Setting> corners{corner(1), corner(5), corner(10), corner(20), corner(100)};
  const auto certified = [](double s, double epsilon) {
    return Setting{{{"sparsity", s},
                    {"iterations", 3},
                    {"clip", 1},
                    {"step", 1},
                    {"start", 1},
                    {"epsilon", epsilon}},
                   30,
                   25};
  };
  ClaimList claims("hu.sparse_linear_regression");
  const SensitivityClaim tight{
      family(RegressionSensitivity::preprint), ranges, 1, 5, corners, true};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds,
      {"Hu, Ni, Xiao and Wang (preprint)", "Algorithm 3, step 6; Theorem 6"},
      "One record moves a coordinate of w^{t+0.5} by at most lambda = 2 K^2 eta_0 (sqrt s + 1)/m, "
      "and some pair attains it.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add(
      "sensitivity.published", Edition::reading, Expectation::refuted,
      {"Hu, Ni, Xiao and Wang (published edition)", "Algorithm 3, step 6, in the copy read here"},
      "One record moves a coordinate of w^{t+0.5} by at most lambda = 2 K^2 eta_0 sqrt(s + 1)/m, "
      "which is what the copy read here has in step 6 of Algorithm 3. The copy garbles the root: "
      "step 6 of the preprint and its proof of Theorem 6 have sqrt(s) + 1. Nothing in the paper "
      "falls.",
      neighbours,
      SensitivityClaim{family(RegressionSensitivity::published), ranges, 1, 5, corners});
  claims.add(
      "sensitivity.declared_loss", Edition::printed, Expectation::refuted,
      {"Hu, Ni, Xiao and Wang (preprint and published edition)",
       "Algorithm 3, the loss of step 1 with the lambda of step 6"},
      "With the gradient of the declared loss (<x,w> - y)^2, twice that of step 5, one record "
      "moves a coordinate of w^{t+0.5} by at most the preprint's lambda.",
      neighbours,
      SensitivityClaim{family(RegressionSensitivity::declared_loss), ranges, 1, 5, {corner(5)}});
  claims.add(
      "privacy", Edition::printed, Expectation::holds,
      {"Hu, Ni, Xiao and Wang (preprint)", "Theorem 6"},
      "Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
      PrivacyClaim{.mechanism = family(RegressionSensitivity::preprint),
                   .guarantee =
                       [](const ParameterPoint& point) {
                         return PrivacyGuarantee{point.at("epsilon"), 1e-5};
                       },
                   .certified = {certified(5, 0.999), certified(20, 0.1), certified(20, 0.999)}});
  claims.add(
      "rate", Edition::printed, Expectation::holds,
      {"Hu, Ni, Xiao and Wang (preprint)", "Theorem 7"},
      "With T = (gamma/mu) log n, K = (n epsilon/(sT))^(1/4) and eta_0 = 2/(3 gamma) the excess "
      "risk falls as M gamma^4 s*^2 log n log^2(d/zeta) log(1/delta)/(mu^7 n epsilon).",
      neighbours, records_rate());
  const Source theorem_7{"Hu, Ni, Xiao and Wang (preprint)", "Theorem 7"};
  claims.add("rate.epsilon", Edition::printed, Expectation::holds, theorem_7,
             "The same in epsilon at a fixed n.", neighbours, epsilon_rate());
  claims.add("rate.dimension", Edition::printed, Expectation::holds, theorem_7,
             "The same in the number of features: log^2(d/zeta).", neighbours, dimension_rate());
  claims.add("rate.sparsity", Edition::printed, Expectation::holds, theorem_7,
             "The same in s*: s*^2.", neighbours, sparsity_rate());
  claims.add("rate.experiments", Edition::printed, Expectation::refuted,
             {"Hu, Ni, Xiao and Wang (preprint)", "Sections 6.2 and 6.5, Figure 7"},
             "With the experiments' T = floor(log n), K = (n epsilon/(sT))^(1/4) and eta = 0.5 the "
             "algorithm learns.",
             neighbours, experiments_rate());
  claims.append(sparse_regression_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm sparse_linear_regression_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    SparseRegressionParameters p = sparse_regression_from_theorem(
        data.size(), data.dimension(), options.integer("optimum-sparsity"),
        options.number("epsilon"), options.number("delta"), options.number("largest-eigenvalue"),
        options.number("smallest-eigenvalue"));
    if (!options.is_auto("sparsity")) p.sparsity = options.integer("sparsity");
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("clip")) p.clip = options.number("clip");
    if (!options.is_auto("step")) p.step = options.number("step");
    require(p.clip > 0, "--clip", p.clip, "positive");
    validate(p, data);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return sparse_linear_regression(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "hu.sparse_linear_regression.privacy.printed";
    const Index part = data.size() / p.iterations;
    run.parameters = {{"sparsity", std::to_string(p.sparsity)},
                      {"iterations", std::to_string(p.iterations)},
                      {"records in a part", std::to_string(part)},
                      {"clip", to_text(p.clip)},
                      {"step", to_text(p.step)},
                      {"sensitivity of a coordinate", to_text(coordinate_sensitivity(p, part))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return empirical_risk(Loss::squared, w, view);
    };
    run.risk_name = "mean squared loss";
    return run;
  };
  return {"hu.sparse_linear_regression",
          "heavy-tailed private sparse linear regression, (epsilon, delta)-DP",
          "Hu, Ni, Xiao and Wang, Algorithm 3",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"optimum-sparsity", "1", "s*: non-zero coefficients expected, a public guess"},
           {"sparsity", "auto", "s, 1 to the number of features; auto: (gamma/mu)^2 s*"},
           {"iterations", "auto", "T, 1 to n; auto: Theorem 7"},
           {"clip", "auto", "K: features and labels are clipped to [-K, K]; auto: Theorem 7"},
           {"step", "auto", "eta_0, positive; auto: Theorem 7"},
           {"largest-eigenvalue", "1", "gamma of E x x^T: a public guess"},
           {"smallest-eigenvalue", "1", "mu of E x x^T: a public guess"}},
          prepare,
          sparse_linear_regression_claims};
}

}  // namespace dpverify::hu
