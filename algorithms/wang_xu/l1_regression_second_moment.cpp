#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/net.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/linear_model.hpp"

namespace dpverify::wang_xu {
namespace {

constexpr double log_two = std::numbers::ln2;

void validate(const L1RegressionParameters& p, const Dataset& data) {
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.iota > 0 && std::isfinite(p.iota), "iota", p.iota, "positive and finite");
  require(p.net.rows() >= 1, "number of candidates", static_cast<double>(p.net.rows()),
          "at least 1");
  require(p.net.cols() == data.dimension(), "dimension of the net",
          static_cast<double>(p.net.cols()),
          "the number of features, " + std::to_string(data.dimension()));
}

}  // namespace

double log_truncation(double x) {
  if (x < 0) return -log_truncation(-x);
  // log1p: 1 - x + x^2/2 loses every digit of a small x.
  return x < 1 ? -std::log1p(x * (x / 2 - 1)) : log_two;
}

VectorXd truncated_risks(const DataView& data, const L1RegressionParameters& p) {
  VectorXd risks = VectorXd::Zero(p.net.rows());
  for (Index k = 0; k < p.net.rows(); ++k) {
    const VectorXd w = p.net.row(k);
    double sum = 0;
    for (Index i = 0; i < data.size(); ++i) {
      const double residual = p.iota * std::abs(data.labels[i] - data.features.row(i).dot(w));
      sum += std::isfinite(residual) ? log_truncation(residual) : log_two;
    }
    risks[k] = sum / (static_cast<double>(data.size()) * p.iota);
  }
  return risks;
}

VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& p,
                                     Releases& releases) {
  validate(p, data);
  const double exact = log_two / (static_cast<double>(data.size()) * p.iota);
  const double stated = p.coefficient == Edition::corrected ? exact : 2 * exact;
  const double divisor = p.coefficient == Edition::printed ? exact : 2 * stated;
  const Index k = releases.select(ExponentialMechanism{.scores = -truncated_risks(data.all(), p),
                                                       .sensitivity = stated,
                                                       .coefficient = p.epsilon / divisor});
  return p.net.row(k);
}

L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability) {
  require(n >= 2, "number of records", static_cast<double>(n), "at least 2");
  // iota = sqrt(d log n log(1/eta)/(n epsilon))/tau = bound/tau^2.
  const double bound = theorem_bound(n, dimension, epsilon, tau, failure_probability);
  return {.net = ball_net(dimension, radius, 1 / static_cast<double>(n)),
          .iota = bound / (tau * tau),
          .epsilon = epsilon};
}

double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability) {
  require(tau > 0, "tau", tau, "positive");
  require(failure_probability > 0 && failure_probability < 1, "failure probability",
          failure_probability, "in (0, 1)");
  const auto records = static_cast<double>(n);
  return tau * std::sqrt(static_cast<double>(dimension) * std::log(records) *
                         -std::log(failure_probability) / (records * epsilon));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Wang and Xu";

MechanismFamily family(Edition edition) {
  return [edition](const ParameterPoint& point) -> Mechanism {
    const double zeta = point.at("zeta"), radius = point.at("radius");
    const double iota = point.at("iota"), epsilon = point.at("epsilon");
    return [=](const Dataset& data, Releases& releases) {
      return l1_regression_second_moment(data,
                                         {.net = ball_net(data.dimension(), radius, zeta),
                                          .iota = iota,
                                          .epsilon = epsilon,
                                          .coefficient = edition},
                                         releases);
    };
  };
}

PrivacyGuarantee pure(const ParameterPoint& point) { return {.epsilon = point.at("epsilon")}; }

// Theorem 1's parameters and bound at epsilon = 1 on [-1, 1].
RateClaim theorem_rate(Edition edition) {
  const ScaledNoiseModel model;
  const double tau = std::sqrt(model.second_moment()), eta = 0.05;
  RateClaim rate{
      .variable = "n",
      .problem =
          "y = x (0.5 + u), x symmetrised Pareto with tail index 2.5 (no third moment), u "
          "Laplace of scale 0.2, W = [-1, 1], epsilon = 1; closed-form population risk",
      .exponent = -0.5,
      .dimension = 1,
      .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
      .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    L1RegressionParameters p = from_theorem(records, 1, 1, 1, tau, eta);
    p.coefficient = edition;
    return RatePoint{records,
                     [p](const Dataset& data, Releases& releases) {
                       return l1_regression_second_moment(data, p, releases);
                     },
                     theorem_bound(records, 1, 1, tau, eta)};
  };
  rate.smoke = {{60, 200, 600, 2000}, 60};
  rate.ci = {{60, 200, 600, 2000, 6000}, 100};
  return rate;
}

}  // namespace

std::vector<Claim> l1_regression_second_moment_claims() {
  const std::string id = "wang_xu.l1_regression_second_moment";
  const std::vector<std::string> neighbours{"replace-one neighbours"};
  const std::vector<ParameterRange> ranges{{"zeta", 0.5, 0.2, 1, Scale::linear},
                                           {"radius", 1, 0.5, 5, Scale::logarithmic},
                                           {"iota", 1, 1e-3, 10, Scale::logarithmic},
                                           {"epsilon", 1, 0.01, 10, Scale::logarithmic}};
  // zeta = 0.5 on [-1, 1] gives two candidates, on the unit disc nine.
  const auto at = [](double epsilon, double zeta) {
    return ParameterPoint{{"zeta", zeta}, {"radius", 1}, {"iota", 0.2}, {"epsilon", epsilon}};
  };
  const std::vector<Setting> sensitivity_settings{{at(1, 0.5), 3, 1}, {at(1, 0.5), 3, 2}};
  const std::vector<Setting> privacy_settings{{at(1, 0.5), 2, 1},  {at(1, 0.5), 5, 1},
                                              {at(1, 0.5), 30, 1}, {at(0.1, 0.5), 30, 1},
                                              {at(3, 0.5), 5, 1},  {at(1, 0.5), 30, 2}};
  std::vector<Claim> claims;
  const auto add = [&](const std::string& what, Edition edition, Expectation expectation,
                       Source source, std::string statement, std::vector<std::string> assumptions,
                       auto check) {
    claims.push_back({id + "." + what + "." + std::string(name(edition)), id, edition, expectation,
                      std::move(source), std::move(statement), std::move(assumptions),
                      std::move(check)});
  };

  add("sensitivity", Edition::printed, Expectation::holds,
      {paper, "text before Algorithm 1; proof of Theorem 1"},
      "The truncated risk of a candidate changes by at most 2 log 2/(n iota).", neighbours,
      SensitivityClaim{family(Edition::printed), ranges, 1, 2, sensitivity_settings});
  add("sensitivity", Edition::corrected, Expectation::holds,
      {"this project", "psi is in [0, log 2] on the absolute residuals"},
      "The truncated risk of a candidate changes by at most log 2/(n iota), and some pair attains "
      "it.",
      neighbours,
      SensitivityClaim{family(Edition::corrected), ranges, 1, 2, sensitivity_settings, true});

  add("privacy", Edition::printed, Expectation::refuted, {paper, "Algorithm 1, step 2; Theorem 1"},
      "Drawing w with probability proportional to exp(-n iota epsilon L(w)/log 2) is epsilon-DP.",
      neighbours, PrivacyClaim{family(Edition::printed), pure, privacy_settings});
  add("privacy", Edition::proved, Expectation::holds, {paper, "proof of Theorem 1"},
      "With the exponent -n iota epsilon L(w)/(4 log 2), which the proof's sensitivity gives, the "
      "algorithm is epsilon-DP.",
      neighbours, PrivacyClaim{family(Edition::proved), pure, privacy_settings});
  add("privacy", Edition::corrected, Expectation::holds,
      {"this project", "Algorithm 1, step 2, with the exact sensitivity"},
      "With the exponent -n iota epsilon L(w)/(2 log 2) the algorithm is epsilon-DP, and no larger "
      "coefficient is safe.",
      neighbours, PrivacyClaim{family(Edition::corrected), pure, privacy_settings});

  const std::vector<std::string> assumption_1{"E ||x||_2^2 <= tau^2, tau known",
                                              "E(y - <x, w*>)^2 = O(tau^2) (used by the proof)",
                                              "epsilon = O(1)"};
  add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 1, (7)"},
      "With zeta = 1/n and iota = sqrt(d log n log(1/eta)/(n epsilon tau^2)) the excess risk falls "
      "as tau sqrt(d log n log(1/eta)/(n epsilon)), with the printed (2 epsilon-DP) exponent.",
      assumption_1, theorem_rate(Edition::printed));
  add("rate", Edition::corrected, Expectation::holds,
      {"this project", "Theorem 1 with the largest safe coefficient"},
      "The same with the corrected exponent.", assumption_1, theorem_rate(Edition::corrected));

  add("lemma.truncation", Edition::printed, Expectation::holds, {paper, "(3) and (6)"},
      "-log(1 - x + x^2/2) <= psi(x) <= log(1 + x + x^2/2).", {},
      LemmaClaim{.ranges = {{"x", 0, -20, 20, Scale::linear}, {"side", 0, 0, 1, Scale::integer}},
                 .sides = [](const ParameterPoint& point) {
                   const double x = point.at("x"), psi = log_truncation(x);
                   return point.at("side") == 0
                              ? LemmaClaim::Sides{-std::log1p(x * (x / 2 - 1)), psi}
                              : LemmaClaim::Sides{psi, std::log1p(x * (x / 2 + 1))};
                 }});
  return claims;
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm l1_regression_second_moment_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Index n = data.size(), d = data.dimension();
    require(d <= 2, "number of features", static_cast<double>(d),
            "1 or 2 for this algorithm (its net grows as (1/zeta)^d)");
    const double epsilon = options.number("epsilon");
    require(epsilon > 0, "--epsilon", epsilon, "positive");
    const double radius = options.number("radius"), tau = options.number("second-moment-root");
    L1RegressionParameters p;
    p.epsilon = epsilon;
    const double zeta =
        options.is_auto("zeta") ? 1 / static_cast<double>(n) : options.number("zeta");
    p.net = ball_net(d, radius, zeta);
    p.iota =
        options.is_auto("iota")
            ? theorem_bound(n, d, epsilon, tau, options.number("failure-probability")) / (tau * tau)
            : options.number("iota");
    validate(p, data);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return l1_regression_second_moment(records, p, releases);
    };
    run.guarantee = {.epsilon = epsilon};
    run.guarantee_source = "wang_xu.l1_regression_second_moment.privacy.corrected";
    run.parameters = {{"radius", to_text(radius)},
                      {"zeta", to_text(zeta)},
                      {"candidates", std::to_string(p.net.rows())},
                      {"iota", to_text(p.iota)}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return empirical_risk(Loss::absolute, w, view);
    };
    run.risk_name = "mean absolute loss";
    return run;
  };
  return {"wang_xu.l1_regression_second_moment",
          "exponential mechanism for l1-norm regression, epsilon-DP, 1 or 2 features",
          "Wang and Xu, Algorithm 1",
          {{"epsilon", "1", "privacy parameter, positive"},
           {"radius", "1", "of the Euclidean ball of candidates"},
           {"zeta", "auto", "net distance, positive; auto: 1/n"},
           {"iota", "auto", "truncation: residuals count up to 1/iota; auto: Theorem 1"},
           {"second-moment-root", "1", "tau of Theorem 1, E ||x||^2 <= tau^2: a public guess"},
           {"failure-probability", "0.05", "eta of Theorem 1"}},
          prepare,
          l1_regression_second_moment_claims};
}

}  // namespace dpverify::wang_xu
