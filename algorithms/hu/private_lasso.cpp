#include "algorithms/hu/private_lasso.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/geometry/polytope.hpp"
#include "algorithms/hu/lemmas.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

void validate(const PrivateLassoParameters& p, Index dimension) {
  require(p.radius > 0 && std::isfinite(p.radius), "radius", p.radius, "positive and finite");
  require(p.iterations >= 1, "iterations T", static_cast<double>(p.iterations), "at least 1");
  require(p.epsilon > 0 && p.epsilon < 1, "epsilon", p.epsilon, "in (0, 1)");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
  require(p.initial.size() == dimension, "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(dimension));
  const double norm = p.initial.lpNorm<1>();
  require(norm <= p.radius * (1 + 1e-12), "l1 norm of the initial point", norm,
          "at most the radius, " + to_text(p.radius));
}

}  // namespace

double score_sensitivity(const PrivateLassoParameters& p, Index records) {
  const double unit = p.clip * p.clip / static_cast<double>(records);
  switch (p.sensitivity) {
    case LassoSensitivity::printed_diameter:
      return 16 * p.radius * unit;
    case LassoSensitivity::printed_radius:
      return 8 * p.radius * unit;
    case LassoSensitivity::corrected:
      return 4 * p.radius * (p.radius + 1) * unit;
  }
  return 0;
}

double step_epsilon(const PrivateLassoParameters& p) {
  return p.epsilon / (2 * std::sqrt(2 * static_cast<double>(p.iterations) * -std::log(p.delta)));
}

VectorXd private_lasso(const Dataset& data, const PrivateLassoParameters& p, Releases& releases) {
  validate(p, data.dimension());
  const Polytope ball = Polytope::l1_ball(data.dimension(), p.radius);
  const Dataset small = clipped(data.all(), p.clip);  // step 2
  // Every step uses all records: their second moments say all of them that step 4 asks.
  const double factor = 2 / static_cast<double>(data.size());
  const Matrix moments = factor * small.features.transpose() * small.features;
  const VectorXd response = factor * small.features.transpose() * small.labels;
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const VectorXd g = moments * w - response;  // step 4: (2/n) sum x (<x, w> - y)
    const Index v = releases.select(ExponentialMechanism::with_epsilon(
        -ball.products(g), score_sensitivity(p, data.size()), step_epsilon(p)));
    w += 2 / (static_cast<double>(t) + 2) * (ball.vertex(v) - w);  // step 5
  }
  return w;
}

PrivateLassoParameters private_lasso_from_theorem(Index n, Index dimension, double epsilon,
                                                  double delta, double lambda_max,
                                                  double failure_probability) {
  require(epsilon > 0, "epsilon", epsilon, "positive");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  require(failure_probability > 0 && failure_probability < 1, "failure probability",
          failure_probability, "in (0, 1)");
  require(lambda_max > 0, "largest eigenvalue", lambda_max, "positive");
  const double budget = static_cast<double>(n) * epsilon;
  const double t = std::pow(std::sqrt(budget) * lambda_max /
                                (std::sqrt(-std::log(delta)) *
                                 std::log(static_cast<double>(dimension) / failure_probability)),
                            0.8);
  PrivateLassoParameters p{.initial = VectorXd::Zero(dimension),
                           .iterations = std::max<Index>(1, static_cast<Index>(t)),
                           .epsilon = epsilon,
                           .delta = delta};
  p.clip = std::pow(budget, 0.25) / std::pow(static_cast<double>(p.iterations), 0.125);
  return p;
}

PrivateLassoParameters private_lasso_from_experiments(Index n, Index dimension, double epsilon) {
  require(epsilon > 0, "epsilon", epsilon, "positive");
  const double budget = static_cast<double>(n) * epsilon;
  PrivateLassoParameters p{
      .initial = VectorXd::Zero(dimension),
      .iterations = std::max<Index>(1, static_cast<Index>(std::pow(budget, 0.4))),
      .epsilon = epsilon,
      .delta = std::pow(static_cast<double>(n), -1.1),
      .sensitivity = LassoSensitivity::printed_diameter};
  p.clip = std::pow(budget, 0.25) / std::pow(static_cast<double>(p.iterations), 0.125);
  return p;
}

double private_lasso_bound(Index n, Index dimension, double epsilon, double delta,
                           double lambda_max, double failure_probability) {
  const auto records = static_cast<double>(n);
  const double logs = std::sqrt(-std::log(delta)) *
                      std::log(static_cast<double>(dimension) * records / failure_probability);
  return std::pow(lambda_max, 0.2) * std::pow(logs, 0.8) / std::pow(records * epsilon, 0.4);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Hu, Ni, Xiao and Wang (preprint and published edition)";

double at(const ParameterPoint& point, const char* name, double otherwise) {
  const auto found = point.find(name);
  return found == point.end() ? otherwise : found->second;
}

// `start` is the share of the way from 0 to the vertex R e_0 where the run starts.
MechanismFamily family(LassoSensitivity sensitivity) {
  return [sensitivity](const ParameterPoint& point) -> Mechanism {
    return [sensitivity, point](const Dataset& data, Releases& releases) {
      PrivateLassoParameters p{.radius = at(point, "radius", 1),
                               .initial = VectorXd::Zero(data.dimension()),
                               .clip = at(point, "clip", 1),
                               .iterations = static_cast<Index>(at(point, "iterations", 1)),
                               .epsilon = at(point, "epsilon", 0.5),
                               .delta = at(point, "delta", 1e-5),
                               .sensitivity = sensitivity};
      p.initial[0] = p.radius * at(point, "start", 0);
      return private_lasso(data, p, releases);
    };
  };
}

PrivacyGuarantee approximate(const ParameterPoint& point) {
  return {point.at("epsilon"), point.at("delta")};
}

constexpr double rate_delta = 1e-5, failure_probability = 0.25;

VectorXd two_coordinates(Index dimension) {
  VectorXd out = VectorXd::Zero(dimension);
  out[0] = 0.7;
  out[1] = -0.3;
  return out;
}

// Theorem 5's parameters and bound.
RatePoint theorem_point(LassoSensitivity sensitivity, Index n, double epsilon, Index dimension,
                        double lambda_max) {
  PrivateLassoParameters p = private_lasso_from_theorem(n, dimension, epsilon, rate_delta,
                                                        lambda_max, failure_probability);
  p.sensitivity = sensitivity;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return private_lasso(data, p, releases); },
          .bound = private_lasso_bound(n, dimension, epsilon, rate_delta, lambda_max,
                                       failure_probability)};
}

RateClaim records_rate(LassoSensitivity sensitivity) {
  const LinearModel model{.optimum = two_coordinates(4),
                          .features = {ScalarLaw::Kind::student_t, 10, 3}};
  const double lambda_max = model.smoothness() / 2;
  RateClaim rate{.variable = "n",
                 .problem =
                     "linear regression, 4 features with Student's t law (10 degrees of freedom, "
                     "scale 3), noise N(0, 0.1), w* = (0.7, -0.3, 0, 0), unit l1 ball, "
                     "epsilon = 0.9, delta = 1e-5; closed-form population risk",
                 .exponent = -0.4,
                 .failure_probability = failure_probability,
                 .dimension = 4,
                 .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  const bool corrected = sensitivity == LassoSensitivity::corrected;
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    RatePoint point = theorem_point(sensitivity, records, 0.9, 4, lambda_max);
    if (corrected)
      point.comparators =
          usual_comparators({.loss = Loss::squared,
                             .feasible = {.kind = FeasibleSet::Kind::l1_ball, .radius = 1},
                             .initial = VectorXd::Zero(4),
                             .smoothness = model.smoothness(),
                             .second_moment = model.gradient_second_moment(2)},
                            records, 0.9, rate_delta);
    return point;
  };
  if (corrected) {
    rate.smoke = {{3e3, 1.7e4, 9.6e4}, 16};
    rate.ci = {{3e3, 1e4, 3.2e4, 1e5}, 60};
    rate.nightly = {{3e3, 1e4, 3.2e4, 1e5, 3.2e5, 1e6}, 60};
  } else {
    rate.smoke = {{6e3, 3.4e4, 2e5}, 16};
    rate.ci = {{6e3, 2e4, 6.4e4, 2e5}, 60};
    rate.nightly = {{6e3, 2e4, 6.4e4, 2e5, 6.4e5}, 60};
  }
  return rate;
}

RatePoint sign_point(LassoSensitivity sensitivity, Index n, double epsilon,
                     const RobustModel& model) {
  RatePoint point =
      theorem_point(sensitivity, n, epsilon, model.optimum.size(), model.second_moment());
  point.dimension = model.optimum.size();
  point.draw = [model](Index count, RandomStream& stream) { return model.draw(count, stream); };
  point.excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); };
  return point;
}

RobustModel sign_model(Index dimension, Index levels, double scale) {
  return {.loss = Loss::squared,
          .optimum = two_coordinates(dimension),
          .levels = levels,
          .outlier = 1,
          .outlier_share = 0.1,
          .scale = scale};
}

RateClaim epsilon_rate() {
  constexpr Index records = 60'000;
  RateClaim rate{.variable = "epsilon",
                 .problem =
                     "linear regression, 2 features 3 R(+-1, +-1) with P(R = 2^k) ~ 8^(-k/2), k = "
                     "0, 1, one label in ten moved by +-1, w* = (0.7, -0.3), unit l1 ball, n = "
                     "60000, delta = 1e-5; closed-form population risk",
                 .exponent = -0.4,
                 .failure_probability = failure_probability};
  rate.point = [=](double epsilon) {
    return sign_point(LassoSensitivity::corrected, records, epsilon, sign_model(2, 2, 3));
  };
  rate.smoke = {{0.03, 0.17, 0.96}, 16};
  rate.ci = {{0.03, 0.096, 0.3, 0.96}, 100};
  return rate;
}

}  // namespace

std::vector<Claim> private_lasso_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "w^0 in the l1 ball"};
  const auto ranges = [](double largest_radius) {
    return std::vector<ParameterRange>{{"radius", 1, 0.1, largest_radius, Scale::logarithmic},
                                       {"clip", 1, 0.1, 100, Scale::logarithmic},
                                       {"iterations", 1, 1, 4, Scale::integer},
                                       {"start", 1, 0, 1, Scale::linear},
                                       {"epsilon", 0.5, 0.01, 0.99, Scale::logarithmic}};
  };
  const auto corner = [](double radius) {
    return Setting{{{"radius", radius}, {"clip", 1}, {"start", 1}}, 3, 2};
  };
  ClaimList claims("hu.private_lasso");
  const Source step_4{paper, "Algorithm 2, step 4"};
  claims.add("sensitivity", Edition::printed, Expectation::refuted, step_4,
             "A score changes by at most 8 ||W||_1 K^2/n, ||W||_1 = 2R the l1 diameter, for an l1 "
             "ball of any radius R. The exact figure is 4R(R+1)K^2/n, larger for R > 3.",
             neighbours,
             SensitivityClaim{family(LassoSensitivity::printed_diameter),
                              ranges(10),
                              1,
                              3,
                              {corner(1), corner(3), corner(3.5)}});
  claims.add(
      "sensitivity", Edition::proved, Expectation::holds, step_4,
      "For R <= 3 a score changes by at most 16 R K^2/n, and for R = 3 some pair attains it.",
      neighbours,
      SensitivityClaim{family(LassoSensitivity::printed_diameter),
                       ranges(3),
                       1,
                       3,
                       {corner(1), corner(3)},
                       true});
  claims.add(
      "sensitivity.radius_reading", Edition::printed, Expectation::refuted, step_4,
      "A score changes by at most 8 ||W||_1 K^2/n with ||W||_1 read as the radius.", neighbours,
      SensitivityClaim{
          family(LassoSensitivity::printed_radius), ranges(10), 1, 3, {corner(1), corner(2)}});
  const SensitivityClaim tight{family(LassoSensitivity::corrected),
                               ranges(10),
                               1,
                               3,
                               {corner(0.5), corner(1), corner(3.5), corner(5)},
                               true};
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {"this project", "Algorithm 2, step 4"},
             "A score changes by at most 4R(R+1)K^2/n, and some pair attains it.", neighbours,
             tight);
  add_mutants(claims, tight, neighbours);

  const auto exact = [](double iterations, double epsilon, double records, double dimension) {
    return Setting{
        {{"iterations", iterations}, {"epsilon", epsilon}, {"delta", 1e-5}, {"start", 1}},
        static_cast<Index>(records),
        static_cast<Index>(dimension)};
  };
  const auto composed = [](double iterations, double delta) {
    return Setting{{{"iterations", iterations}, {"epsilon", 0.999}, {"delta", delta}}, 40, 2};
  };
  const std::vector<Setting> exact_settings{exact(1, 0.999, 50, 2), exact(2, 0.5, 10, 1)};
  const std::vector<Setting> composed_settings{composed(1, 1e-5),   composed(10, 1e-5),
                                               composed(40, 1e-5),  composed(100, 1e-5),
                                               composed(400, 1e-7), composed(400, 1e-2)};
  const Source theorem_4{paper, "Theorem 4 (which names Algorithm 1 by mistake)"};
  claims.add("privacy", Edition::printed, Expectation::holds, theorem_4,
             "Algorithm 2 with the printed Delta (diameter reading, R = 1) is (epsilon, delta)-DP "
             "for 0 < epsilon, delta < 1.",
             neighbours,
             PrivacyClaim{family(LassoSensitivity::printed_diameter), approximate, exact_settings,
                          composed_settings});
  claims.add(
      "privacy", Edition::corrected, Expectation::holds,
      {"this project", "Theorem 4 with the exact score sensitivity"},
      "Algorithm 2 with Delta = 4R(R+1)K^2/n is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
      neighbours,
      PrivacyClaim{family(LassoSensitivity::corrected), approximate, exact_settings,
                   composed_settings});

  const std::vector<std::string> assumption_3{"E(x_j x_k)^2 <= M, E y^4 <= M",
                                              "lambda_max(E x x^T) known"};
  claims.add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 5, (9)"},
             "With the theorem's T and K the excess risk falls as lambda_max^(1/5) "
             "(sqrt(log(1/delta)) log(dn/zeta))^(4/5)/(n epsilon)^(2/5).",
             assumption_3, records_rate(LassoSensitivity::printed_diameter));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 5 with the exact score sensitivity"},
             "The same with the corrected Delta.", assumption_3,
             records_rate(LassoSensitivity::corrected));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 5 with the exact score sensitivity"},
             "The same in epsilon at a fixed n.", assumption_3, epsilon_rate());
  claims.append(private_lasso_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm private_lasso_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Index d = data.dimension();
    const double radius = options.number("radius");
    PrivateLassoParameters p = private_lasso_from_theorem(
        data.size(), d, options.number("epsilon"), options.number("delta"),
        options.number("largest-eigenvalue"), options.number("failure-probability"));
    p.radius = radius;
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("clip")) p.clip = options.number("clip");
    validate(p, d);
    require(p.clip > 0, "--clip", p.clip, "positive");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return private_lasso(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "hu.private_lasso.privacy.corrected";
    run.parameters = {{"radius", to_text(radius)},
                      {"iterations", std::to_string(p.iterations)},
                      {"clip", to_text(p.clip)},
                      {"epsilon of one iteration", to_text(step_epsilon(p))},
                      {"score sensitivity", to_text(score_sensitivity(p, data.size()))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return empirical_risk(Loss::squared, w, view);
    };
    run.risk_name = "mean squared loss";
    return run;
  };
  return {"hu.private_lasso",
          "heavy-tailed private LASSO on an l1 ball, (epsilon, delta)-DP",
          "Hu, Ni, Xiao and Wang, Algorithm 2",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"radius", "1", "of the l1 ball"},
           {"iterations", "auto", "T, at least 1; auto: Theorem 5"},
           {"clip", "auto", "K: features and labels are clipped to [-K, K]; auto: Theorem 5"},
           {"largest-eigenvalue", "1", "of E x x^T: a public guess"},
           {"failure-probability", "0.05", "zeta of Theorem 5"}},
          prepare,
          private_lasso_claims};
}

}  // namespace dpverify::hu
