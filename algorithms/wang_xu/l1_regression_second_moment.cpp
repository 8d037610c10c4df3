#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/net.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/wang_xu/lemmas.hpp"

namespace dpverify::wang_xu {

VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& p,
                                     Releases& releases) {
  require(p.theta == 2, "moment order theta", p.theta, "2 for Algorithm 1");
  const double exact = exact_sensitivity(data.size(), p);
  return draw_candidate(data, p, p.coefficient == Edition::corrected ? exact : 2 * exact, releases);
}

L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability, Moments moments) {
  require(n >= 2, "number of records", static_cast<double>(n), "at least 2");
  // iota = bound/E||x||_2^2, for which tau^2 or d tau^2 stands.
  const double second_moment =
      tau * tau * (moments == Moments::norm ? 1 : static_cast<double>(dimension));
  const double bound = theorem_bound(n, dimension, epsilon, tau, failure_probability, moments);
  return {.net = ball_net(dimension, radius, 1 / static_cast<double>(n)),
          .iota = bound / second_moment,
          .epsilon = epsilon};
}

double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability, Moments moments) {
  require(tau > 0, "tau", tau, "positive");
  require(failure_probability > 0 && failure_probability < 1, "failure probability",
          failure_probability, "in (0, 1)");
  const auto records = static_cast<double>(n), d = static_cast<double>(dimension);
  return tau * (moments == Moments::norm ? std::sqrt(d) : d) *
         std::sqrt(std::log(records) * -std::log(failure_probability) / (records * epsilon));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Wang and Xu";

MechanismFamily family(Edition edition) { return l1_family(l1_regression_second_moment, edition); }

PrivacyGuarantee pure(const ParameterPoint& point) { return {.epsilon = point.at("epsilon")}; }

// (7) with one feature, (8) with two.
ScaledNoiseModel rate_model(Moments moments) {
  return {.tail = 2.5, .features = moments == Moments::norm ? 1 : 2};
}

double coordinate_second_moment(Moments moments) {
  const ScaledNoiseModel model = rate_model(moments);
  return model.moment(2) / static_cast<double>(model.features);
}

// Theorem 1's parameters and bound.
L1Theorem theorem(Edition edition, Moments moments) {
  const double tau = std::sqrt(coordinate_second_moment(moments)), eta = 0.25;
  const Index d = rate_model(moments).features;
  return {.algorithm = l1_regression_second_moment,
          .exponent = -0.5,
          .failure_probability = eta,
          .at = [=](Index n, double epsilon) {
            L1RegressionParameters p = from_theorem(n, d, epsilon, 1, tau, eta, moments);
            p.coefficient = edition;
            return std::pair(p, theorem_bound(n, d, epsilon, tau, eta, moments));
          }};
}

RateClaim theorem_rate(Edition edition, Moments moments) {
  return l1_rate(theorem(edition, moments), rate_model(moments),
                 edition == Edition::corrected ? coordinate_second_moment(moments) : 0);
}

// The terms of Theorem 1's first display with every constant 1, Delta = 1, zeta = 1/n, log N = d
// log(3n): zeta M^(1/2) + iota (1 + zeta^2) M + log(N/eta)/(n iota epsilon), M >= E||x||_2^2; at
// the theorem's iota against 6 times its bound.
LemmaClaim terms_claim(Moments moments) {
  return {{{"n", 10, 10, 1e12, Scale::logarithmic},
           {"dimension", 1, 1, 100, Scale::integer},
           {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
           {"tau", 1, 0.01, 100, Scale::logarithmic},
           {"eta", 0.05, 1e-6, 0.36, Scale::logarithmic}},
          [moments](const ParameterPoint& point) {
            const double d = point.at("dimension"), eta = point.at("eta");
            const double epsilon = point.at("epsilon"), tau = point.at("tau");
            const auto records = static_cast<Index>(point.at("n"));
            const auto n = static_cast<double>(records);
            const double moment = tau * tau * (moments == Moments::norm ? 1 : d);
            const double bound =
                theorem_bound(records, static_cast<Index>(d), epsilon, tau, eta, moments);
            const double iota = bound / moment, zeta = 1 / n;
            return LemmaClaim::Sides{
                zeta * std::sqrt(moment) + iota * (1 + zeta * zeta) * moment +
                    (d * std::log(3 * n) - std::log(eta)) / (n * iota * epsilon),
                6 * bound};
          }};
}

// In units of log(N/eta)/(n iota): the logarithmic terms of (14) against 10/epsilon.
LemmaClaim final_logarithms(double largest_epsilon) {
  return {{{"epsilon", 1, 1e-3, largest_epsilon, Scale::logarithmic}},
          [](const ParameterPoint& point) {
            const double epsilon = point.at("epsilon");
            return LemmaClaim::Sides{3 + 4 * std::log(2.0) / epsilon, 10 / epsilon};
          }};
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
  const SensitivityClaim tight{family(Edition::corrected), ranges, 1, 2,
                               sensitivity_settings,       true};
  claims.add(
      "sensitivity", Edition::corrected, Expectation::holds,
      {"this project", "psi is in [0, log 2] on the absolute residuals"},
      "The truncated risk of a candidate changes by at most log 2/(n iota), and some pair attains "
      "it.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);

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
      assumption_1, theorem_rate(Edition::printed, Moments::norm));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 1 with the largest safe coefficient"},
             "The same with the corrected exponent.", assumption_1,
             theorem_rate(Edition::corrected, Moments::norm));
  claims.add(
      "rate.epsilon", Edition::corrected, Expectation::holds,
      {"this project", "Theorem 1 with the largest safe coefficient"},
      "The same in epsilon at a fixed n.", assumption_1,
      l1_epsilon_rate(theorem(Edition::corrected, Moments::norm), rate_model(Moments::norm)));
  const std::vector<std::string> assumption_2{"E x_j^2 <= tau^2 for every j, tau known",
                                              assumption_1[1], assumption_1[2]};
  claims.add("rate.coordinates", Edition::printed, Expectation::holds, {paper, "Theorem 1, (8)"},
             "With zeta = 1/n and iota = sqrt(log n log(1/eta)/(n epsilon tau^2)) the excess risk "
             "falls as tau d sqrt(log n log(1/eta)/(n epsilon)), here d = 2, with the printed (2 "
             "epsilon-DP) exponent.",
             assumption_2, theorem_rate(Edition::printed, Moments::coordinates));
  claims.add("rate.coordinates", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 1, (8), with the largest safe coefficient"},
             "The same with the corrected exponent.", assumption_2,
             theorem_rate(Edition::corrected, Moments::coordinates));

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
  add_second_moment_lemmas(claims);
  claims.add("lemma.third_lemma_logarithms", Edition::printed, Expectation::refuted,
             {paper, "Lemma 6"},
             "log(N/eta)/(n iota) covers the logarithms of its proof: log(N/eta) for the candidate "
             "near the minimiser and log(1/eta) for w*. (The same step of Theorem 2, (24), has "
             "twice that.)",
             {},
             LemmaClaim{.ranges = {{"candidates", 2, 1, 1e9, Scale::logarithmic},
                                   {"eta", 0.05, 1e-9, 0.99, Scale::logarithmic}},
                        .sides = [](const ParameterPoint& point) {
                          const double n = std::log(point.at("candidates"));
                          const double l = -std::log(point.at("eta"));
                          return LemmaClaim::Sides{n + l + l, n + l};
                        }});
  claims.add("lemma.third_lemma_assumption", Edition::printed, Expectation::refuted,
             {paper, "Lemma 6, which names Assumption 2"},
             "Under Assumption 2, E||x||_2 <= tau (the 2 zeta tau of the lemma). At x = (tau, ..., "
             "tau) it is tau sqrt d: Assumption 1 is needed.",
             {"tau = 1"},
             LemmaClaim{.ranges = {{"dimension", 2, 1, 100, Scale::integer}},
                        .sides = [](const ParameterPoint& point) {
                          return LemmaClaim::Sides{std::sqrt(point.at("dimension")), 1};
                        }});
  claims.add("lemma.noise_moment", Edition::printed, Expectation::refuted,
             {paper, "end of the proof of Theorem 1"},
             "Under Assumption 1, E(y - <x, w*>)^2 is O(Delta^2 tau^2), with constant 10. It is "
             "the variance of the label noise, which no assumption bounds.",
             {"y = <x, w*> + noise", "tau = 1"},
             LemmaClaim{.ranges = {{"noise_variance", 1, 0, 1e6, Scale::linear},
                                   {"diameter", 1, 0.1, 10, Scale::logarithmic}},
                        .sides = [](const ParameterPoint& point) {
                          return LemmaClaim::Sides{point.at("noise_variance"),
                                                   10 * std::pow(point.at("diameter"), 2)};
                        }});
  claims.add("lemma.display_logarithm", Edition::printed, Expectation::refuted,
             {paper, "Theorem 1, first display: log(N/zeta)"},
             "The log(N/eta) of (14) is at most 10 log(N/zeta), zeta the radius of the net. The "
             "failure probability eta is missing: no constant will do.",
             {"zeta = 1/n, N = 3n"},
             LemmaClaim{.ranges = {{"n", 10, 10, 1e12, Scale::logarithmic},
                                   {"eta", 0.05, 1e-300, 0.99, Scale::logarithmic}},
                        .sides = [](const ParameterPoint& point) {
                          const double n = point.at("n");
                          return LemmaClaim::Sides{std::log(3 * n) - std::log(point.at("eta")),
                                                   10 * std::log(3 * n * n)};
                        }});
  claims.add("lemma.assumption_1_terms", Edition::printed, Expectation::holds,
             {paper, "Theorem 1, (7)"},
             "At the printed iota the terms of the first display, with log(N/eta), are at most 6 "
             "times (7).",
             {"epsilon <= 1", "n >= 10", "eta <= 0.36"}, terms_claim(Moments::norm));
  claims.add("lemma.assumption_2_terms", Edition::printed, Expectation::holds,
             {paper, "Theorem 1, (8)"},
             "At the printed iota the same terms, with E||x||_2^2 <= d tau^2, are at most 6 times "
             "(8).",
             {"epsilon <= 1", "n >= 10", "eta <= 0.36"}, terms_claim(Moments::coordinates));
  claims.add("lemma.final_logarithms", Edition::printed, Expectation::refuted,
             {paper, "(14) and the first display of Theorem 1"},
             "The logarithmic terms that (14) adds, (3 + 4 log(2)/epsilon) log(N/eta)/(n iota), "
             "are O(log(N/eta)/(n iota epsilon)) for any epsilon > 0, with constant 10.",
             {}, final_logarithms(1e6));
  claims.add("lemma.final_logarithms", Edition::corrected, Expectation::holds,
             {"this project", "(14) for epsilon <= 1"}, "They are for epsilon <= 1.",
             {"epsilon <= 1"}, final_logarithms(1));
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
