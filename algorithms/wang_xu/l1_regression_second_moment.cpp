#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/claim_list.hpp"
#include "algorithms/geometry/net.hpp"
#include "algorithms/problems/linear_model.hpp"

namespace dpverify::wang_xu {

VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& p,
                                     Releases& releases) {
  require(p.theta == 2, "moment order theta", p.theta, "2 for Algorithm 1");
  const double exact = exact_sensitivity(data.size(), p);
  return draw_candidate(data, p, p.coefficient == Edition::corrected ? exact : 2 * exact, releases);
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

MechanismFamily family(Edition edition) { return l1_family(l1_regression_second_moment, edition); }

PrivacyGuarantee pure(const ParameterPoint& point) { return {.epsilon = point.at("epsilon")}; }

// Theorem 1's parameters and bound at epsilon = 1 on [-1, 1].
RateClaim theorem_rate(Edition edition) {
  const double tail = 2.5, eta = 0.05;
  const double tau = std::sqrt(ScaledNoiseModel{.tail = tail}.moment(2));
  return l1_rate(l1_regression_second_moment, tail, -0.5, [=](Index n) {
    L1RegressionParameters p = from_theorem(n, 1, 1, 1, tau, eta);
    p.coefficient = edition;
    return std::pair(p, theorem_bound(n, 1, 1, tau, eta));
  });
}

}  // namespace

std::vector<Claim> l1_regression_second_moment_claims() {
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
  ClaimList claims("wang_xu.l1_regression_second_moment");

  claims.add("sensitivity", Edition::printed, Expectation::holds,
             {paper, "text before Algorithm 1; proof of Theorem 1"},
             "The truncated risk of a candidate changes by at most 2 log 2/(n iota).", neighbours,
             SensitivityClaim{family(Edition::printed), ranges, 1, 2, sensitivity_settings});
  claims.add(
      "sensitivity", Edition::corrected, Expectation::holds,
      {"this project", "psi is in [0, log 2] on the absolute residuals"},
      "The truncated risk of a candidate changes by at most log 2/(n iota), and some pair attains "
      "it.",
      neighbours,
      SensitivityClaim{family(Edition::corrected), ranges, 1, 2, sensitivity_settings, true});

  claims.add(
      "privacy", Edition::printed, Expectation::refuted, {paper, "Algorithm 1, step 2; Theorem 1"},
      "Drawing w with probability proportional to exp(-n iota epsilon L(w)/log 2) is epsilon-DP.",
      neighbours, PrivacyClaim{family(Edition::printed), pure, privacy_settings});
  claims.add("privacy", Edition::proved, Expectation::holds, {paper, "proof of Theorem 1"},
             "With the exponent -n iota epsilon L(w)/(4 log 2), which the proof's sensitivity "
             "gives, the algorithm is epsilon-DP.",
             neighbours, PrivacyClaim{family(Edition::proved), pure, privacy_settings});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {"this project", "Algorithm 1, step 2, with the exact sensitivity"},
             "With the exponent -n iota epsilon L(w)/(2 log 2) the algorithm is epsilon-DP, and no "
             "larger coefficient is safe.",
             neighbours, PrivacyClaim{family(Edition::corrected), pure, privacy_settings});

  const std::vector<std::string> assumption_1{"E ||x||_2^2 <= tau^2, tau known",
                                              "E(y - <x, w*>)^2 = O(tau^2) (used by the proof)",
                                              "epsilon = O(1)"};
  claims.add(
      "rate", Edition::printed, Expectation::holds, {paper, "Theorem 1, (7)"},
      "With zeta = 1/n and iota = sqrt(d log n log(1/eta)/(n epsilon tau^2)) the excess risk falls "
      "as tau sqrt(d log n log(1/eta)/(n epsilon)), with the printed (2 epsilon-DP) exponent.",
      assumption_1, theorem_rate(Edition::printed));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 1 with the largest safe coefficient"},
             "The same with the corrected exponent.", assumption_1,
             theorem_rate(Edition::corrected));

  claims.add(
      "lemma.truncation", Edition::printed, Expectation::holds, {paper, "(3) and (6)"},
      "-log(1 - x + x^2/2) <= psi(x) <= log(1 + x + x^2/2).", {},
      LemmaClaim{.ranges = {{"x", 0, -20, 20, Scale::linear}, {"side", 0, 0, 1, Scale::integer}},
                 .sides = [](const ParameterPoint& point) {
                   const double x = point.at("x"), psi = LogTruncation(2)(x);
                   return point.at("side") == 0
                              ? LemmaClaim::Sides{-std::log1p(x * (x / 2 - 1)), psi}
                              : LemmaClaim::Sides{psi, std::log1p(x * (x / 2 + 1))};
                 }});

  // One record, x = 1 and y >= 1, W = [-1, 1]: w* = 1.
  const auto second_moment = [](double factor) {
    return LemmaClaim{.ranges = {{"y", 1, 1, 10, Scale::linear}, {"w", 1, -1, 1, Scale::linear}},
                      .sides = [=](const ParameterPoint& point) {
                        const double at_optimum = std::pow(point.at("y") - 1, 2);
                        const double distance = std::pow(point.at("w") - 1, 2);
                        return LemmaClaim::Sides{std::pow(point.at("y") - point.at("w"), 2),
                                                 factor * at_optimum + 2 * distance};
                      }};
  };
  claims.add("lemma.second_moment", Edition::printed, Expectation::refuted,
             {paper, "end of the proof of Theorem 1"},
             "E(y - <x, w>)^2 <= E(y - <x, w*>)^2 + 2 E ||x||_2^2 ||w - w*||_2^2, here for the "
             "record (1, y) and W = [-1, 1].",
             {}, second_moment(1));
  claims.add("lemma.second_moment", Edition::corrected, Expectation::holds,
             {"this project", "the same step with (a + b)^2 <= 2 a^2 + 2 b^2"},
             "E(y - <x, w>)^2 <= 2 E(y - <x, w*>)^2 + 2 E ||x||_2^2 ||w - w*||_2^2.", {},
             second_moment(2));
  claims.add("lemma.failure_probability", Edition::printed, Expectation::refuted,
             {paper, "proof of Theorem 1, (14)"},
             "(9), Lemma 4, (13) and Lemma 6, which fail with probability at most eta, eta, eta "
             "and 2 eta, hold together with probability at least 1 - 4 eta by the union bound. The "
             "proof of Theorem 2 counts 5 eta for the same steps.",
             {},
             LemmaClaim{.ranges = {{"eta", 0.05, 1e-6, 0.2, Scale::logarithmic}},
                        .sides = [](const ParameterPoint& point) {
                          const double eta = point.at("eta");
                          return LemmaClaim::Sides{eta + eta + eta + 2 * eta, 4 * eta};
                        }});
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm l1_regression_second_moment_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double tau = options.number("second-moment-root");
    return prepare_l1_regression(
        l1_regression_second_moment, "wang_xu.l1_regression_second_moment", data, options, 2,
        theorem_bound(data.size(), data.dimension(), options.number("epsilon"), tau,
                      options.number("failure-probability")) /
            (tau * tau));
  };
  return {"wang_xu.l1_regression_second_moment",
          "exponential mechanism for l1-norm regression, epsilon-DP, up to 3 features",
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
