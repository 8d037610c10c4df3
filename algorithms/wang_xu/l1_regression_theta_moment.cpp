#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/net.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/wang_xu/lemmas.hpp"

namespace dpverify::wang_xu {
namespace {

void validate(const ThetaMomentSetting& s) {
  require(s.records >= 2, "number of records", s.records, "at least 2");
  require(s.dimension >= 1, "dimension", s.dimension, "at least 1");
  require(s.theta > 1 && s.theta < 2, "moment order theta", s.theta, "in (1, 2)");
  require(s.epsilon > 0 && std::isfinite(s.epsilon), "epsilon", s.epsilon, "positive and finite");
  require(s.tau > 0 && std::isfinite(s.tau), "tau", s.tau, "positive and finite");
  require(s.failure_probability > 0 && s.failure_probability < 1, "failure probability",
          s.failure_probability, "in (0, 1)");
}

double log_failure(const ThetaMomentSetting& s) { return -std::log(s.failure_probability); }

}  // namespace

VectorXd l1_regression_theta_moment(const Dataset& data, const L1RegressionParameters& p,
                                    Releases& releases) {
  require(p.theta > 1 && p.theta < 2, "moment order theta", p.theta, "in (1, 2) for Algorithm 2");
  const double exact = exact_sensitivity(data.size(), p);
  return draw_candidate(data, p, p.coefficient == Edition::proved ? 2 * exact : exact, releases);
}

double theta_moment_iota(const ThetaMomentSetting& s, Edition edition) {
  validate(s);
  const double share = log_failure(s) / (s.records * s.epsilon), log_n = std::log(s.records);
  if (s.moments == Moments::coordinates)
    return std::pow(share * log_n, (edition == Edition::corrected ? 1 : s.theta - 1) / s.theta) /
           s.tau;
  const double logarithms = edition == Edition::corrected ? log_n : 1;
  return std::pow(s.dimension * share * logarithms, 1 / s.theta) /
         (edition == Edition::proved ? 1 : s.tau);
}

double theta_moment_bound(const ThetaMomentSetting& s) {
  validate(s);
  const double share = std::log(s.records) * log_failure(s) / (s.records * s.epsilon);
  const double exponent = (s.theta - 1) / s.theta;
  return s.moments == Moments::norm ? s.tau * std::pow(s.dimension * share, exponent)
                                    : s.tau * s.dimension * std::pow(share, exponent);
}

L1RegressionParameters theta_moment_from_theorem(const ThetaMomentSetting& s, double radius,
                                                 Edition edition) {
  const double iota = theta_moment_iota(s, edition);
  return {.net = ball_net(static_cast<Index>(s.dimension), radius, 1 / s.records),
          .iota = iota,
          .epsilon = s.epsilon,
          .coefficient = edition,
          .theta = s.theta};
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Wang and Xu";

PrivacyGuarantee pure(const ParameterPoint& point) { return {.epsilon = point.at("epsilon")}; }

// Theorem 2 under Assumption 3 at epsilon = 1 on [-1, 1], for features without a moment of order
// `tail`.
struct ThetaProblem {
  double theta = 1.5;
  double tail = 1.75;

  ScaledNoiseModel model() const { return {.tail = tail}; }
  double tau() const { return std::pow(model().moment(theta), 1 / theta); }
  L1Theorem theorem(Edition edition) const {
    constexpr double eta = 0.25;
    return {.algorithm = l1_regression_theta_moment,
            .exponent = -(theta - 1) / theta,
            .failure_probability = eta,
            .at = [=, self = *this](Index n, double epsilon) {
              const ThetaMomentSetting setting{.records = static_cast<double>(n),
                                               .theta = self.theta,
                                               .epsilon = epsilon,
                                               .tau = self.tau(),
                                               .failure_probability = eta};
              return std::pair(theta_moment_from_theorem(setting, 1, edition),
                               theta_moment_bound(setting));
            }};
  }
};

// At theta = 1.5 the corrected edition has comparators beside it. They know tau only, no second
// moment: there is none.
RateClaim theorem_rate(Edition edition, const ThetaProblem& problem = {}) {
  const bool compares = edition == Edition::corrected && problem.theta == 1.5;
  RateClaim rate = l1_rate(problem.theorem(edition), problem.model(),
                           compares ? problem.tau() * problem.tau() : 0);
  if (compares) rate.problem += ", tau^2 in place of a second moment";
  return rate;
}

// (15) on one side: -log(1 - x + |x|^theta/theta) <= psi(x), or psi(x) <= log(1 + x + ...).
LemmaClaim::Sides truncation_sides(const ParameterPoint& point) {
  const double x = point.at("x"), theta = point.at("theta"), size = std::abs(x);
  const double psi = LogTruncation(theta)(x);
  // |x|^theta/theta - |x| and + |x|, the second without cancellation as it stands.
  const double less = excess_power(size, theta), more = less + 2 * size;
  return point.at("side") == 0 ? LemmaClaim::Sides{-std::log1p(x >= 0 ? less : more), psi}
                               : LemmaClaim::Sides{psi, std::log1p(x >= 0 ? more : less)};
}

ThetaMomentSetting setting_at(const ParameterPoint& point, Moments moments) {
  return {.records = point.at("n"),
          .dimension = point.at("dimension"),
          .theta = point.at("theta"),
          .epsilon = point.at("epsilon"),
          .tau = point.at("tau"),
          .failure_probability = point.at("eta"),
          .moments = moments};
}

// The terms of (17) and (27) with every constant 1, zeta = 1/n, log N <= d log(1/zeta), and the
// moment M >= E ||x||_2^theta: zeta M^(1/theta) + iota^(theta-1) (1 + zeta^theta) M
// + d (log(1/zeta) + log(1/eta))/(n iota epsilon).
double theorem_terms(const ThetaMomentSetting& s, double iota) {
  const double moment =
      std::pow(s.tau, s.theta) * (s.moments == Moments::coordinates ? s.dimension : 1);
  const double zeta = 1 / s.records;
  return zeta * std::pow(moment, 1 / s.theta) +
         std::pow(iota, s.theta - 1) * (1 + std::pow(zeta, s.theta)) * moment +
         s.dimension * (std::log(s.records) + log_failure(s)) / (s.records * iota * s.epsilon);
}

// left: the terms at the edition's iota; right: `constant` times the theorem's bound, times log n
// if the bound is stated up to logarithms.
LemmaClaim terms_claim(Moments moments, Edition edition, bool times_log_n, double smallest_n = 10) {
  return {.ranges = {{"n", smallest_n, smallest_n, 1e12, Scale::logarithmic},
                     {"dimension", 1, 1, 100, Scale::integer},
                     {"theta", 1.5, 1.01, 1.99, Scale::linear},
                     {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                     {"tau", 1, 0.01, 100, Scale::logarithmic},
                     {"eta", 0.05, 1e-6, 0.36, Scale::logarithmic}},
          .sides = [=](const ParameterPoint& point) {
            const ThetaMomentSetting s = setting_at(point, moments);
            return LemmaClaim::Sides{
                theorem_terms(s, theta_moment_iota(s, edition)),
                5 * (times_log_n ? std::log(s.records) : 1) * theta_moment_bound(s)};
          }};
}

}  // namespace

std::vector<Claim> l1_regression_theta_moment_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours"};
  const std::vector<ParameterRange> ranges{{"zeta", 0.5, 0.2, 1, Scale::linear},
                                           {"radius", 1, 0.5, 5, Scale::logarithmic},
                                           {"iota", 1, 1e-3, 10, Scale::logarithmic},
                                           {"epsilon", 1, 0.01, 10, Scale::logarithmic},
                                           {"theta", 1.5, 1.001, 1.999, Scale::linear}};
  // zeta = 0.5 on [-1, 1] gives two candidates, on the unit disc nine. The ranges reach nets that
  // are searched instead of listed.
  const auto at = [](double theta, double epsilon) {
    return ParameterPoint{
        {"zeta", 0.5}, {"radius", 1}, {"iota", 0.2}, {"epsilon", epsilon}, {"theta", theta}};
  };
  const std::vector<Setting> sensitivity_settings{
      {at(1.5, 1), 3, 1}, {at(1.1, 1), 3, 1}, {at(1.5, 1), 3, 2}};
  const std::vector<Setting> privacy_settings{
      {at(1.5, 1), 2, 1},    {at(1.5, 1), 5, 1}, {at(1.5, 1), 30, 1}, {at(1.1, 1), 30, 1},
      {at(1.5, 0.1), 30, 1}, {at(1.5, 3), 5, 1}, {at(1.5, 1), 30, 2}};
  ClaimList claims("wang_xu.l1_regression_theta_moment");

  claims.add("sensitivity", Edition::printed, Expectation::holds, {paper, "text before Theorem 2"},
             "The truncated risk of a candidate changes by at most 2 log theta/(2 n iota).",
             neighbours,
             SensitivityClaim{l1_family(l1_regression_theta_moment, Edition::printed), ranges, 1, 3,
                              sensitivity_settings});
  claims.add("sensitivity", Edition::proved, Expectation::holds, {paper, "proof of Theorem 2"},
             "The truncated risk of a candidate changes by at most 2 log theta/(n iota), twice "
             "what the text states.",
             neighbours,
             SensitivityClaim{l1_family(l1_regression_theta_moment, Edition::proved), ranges, 1, 3,
                              sensitivity_settings});
  const SensitivityClaim tight{l1_family(l1_regression_theta_moment, Edition::corrected),
                               ranges,
                               1,
                               3,
                               sensitivity_settings,
                               true};
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {"this project", "psi is in [0, log theta] on the absolute residuals"},
             "The truncated risk of a candidate changes by at most log theta/(n iota), and some "
             "pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);

  claims.add("privacy", Edition::printed, Expectation::refuted,
             {paper, "Algorithm 2, step 2; Theorem 2"},
             "Drawing w with probability proportional to exp(-n iota epsilon L(w)/log theta) is "
             "epsilon-DP.",
             neighbours,
             PrivacyClaim{l1_family(l1_regression_theta_moment, Edition::printed), pure,
                          privacy_settings});
  claims.add(
      "privacy", Edition::proved, Expectation::holds, {paper, "proof of Theorem 2, (20)"},
      "With the exponent -n iota epsilon L(w)/(4 log theta), which the proof's sensitivity and its "
      "(20) give, the algorithm is epsilon-DP.",
      neighbours,
      PrivacyClaim{l1_family(l1_regression_theta_moment, Edition::proved), pure, privacy_settings});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {"this project", "Algorithm 2, step 2, with the exact sensitivity"},
             "With the exponent -n iota epsilon L(w)/(2 log theta) the algorithm is epsilon-DP, "
             "and no larger coefficient is safe.",
             neighbours,
             PrivacyClaim{l1_family(l1_regression_theta_moment, Edition::corrected), pure,
                          privacy_settings});

  const std::vector<std::string> assumption_3{
      "E ||x||_2^theta <= tau^theta, tau known",
      "E |y - <x, w*>|^theta = O(tau^theta) (used by the proof)", "epsilon = O(1)"};
  claims.add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 2, (18)"},
             "With zeta = 1/n and iota = (d log(1/eta)/(n epsilon))^(1/theta)/tau the excess risk "
             "falls as tau (d log n log(1/eta)/(n epsilon))^((theta - 1)/theta), here theta = 1.5, "
             "with the printed (2 epsilon-DP) exponent.",
             assumption_3, theorem_rate(Edition::printed));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 2 with the largest safe coefficient and log n in iota"},
             "The same with the corrected exponent and iota = (d log n log(1/eta)/(n "
             "epsilon))^(1/theta)/tau.",
             assumption_3, theorem_rate(Edition::corrected));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 2 with the largest safe coefficient and log n in iota"},
             "The same in epsilon at a fixed n, theta = 1.5.", assumption_3,
             l1_epsilon_rate(ThetaProblem{}.theorem(Edition::corrected), ThetaProblem{}.model()));
  for (const auto& [what, theta, tail] :
       {std::tuple{"rate.theta_low", 1.2, 1.4}, {"rate.theta_high", 1.8, 1.95}}) {
    claims.add(what, Edition::printed, Expectation::holds, {paper, "Theorem 2, (18)"},
               fmt::format("The printed rate at theta = {}.", theta), assumption_3,
               theorem_rate(Edition::printed, {theta, tail}));
    claims.add(what, Edition::corrected, Expectation::holds,
               {"this project", "Theorem 2 with the largest safe coefficient and log n in iota"},
               fmt::format("The corrected rate at theta = {}.", theta), assumption_3,
               theorem_rate(Edition::corrected, {theta, tail}));
  }

  claims.add("lemma.truncation", Edition::printed, Expectation::holds, {paper, "(15) and (16)"},
             "-log(1 - x + |x|^theta/theta) <= psi(x) <= log(1 + x + |x|^theta/theta).", {},
             LemmaClaim{.ranges = {{"x", 0, -20, 20, Scale::linear},
                                   {"theta", 1.5, 1.0001, 1.9999, Scale::linear},
                                   {"side", 0, 0, 1, Scale::integer}},
                        .sides = truncation_sides});

  const std::vector<std::string> small_epsilon{"epsilon <= 1", "n >= 10", "eta <= 0.36"};
  claims.add("lemma.assumption_3_terms", Edition::printed, Expectation::holds,
             {paper, "(17) and (18)"},
             "At the printed iota the terms of (17) are at most 5 log n times (18), which is "
             "stated up to logarithms.",
             small_epsilon, terms_claim(Moments::norm, Edition::printed, true));
  claims.add("lemma.assumption_3_terms", Edition::proved, Expectation::refuted,
             {paper, "end of the proof of Theorem 2"},
             "The same at the proof's iota = (d log(1/eta)/(n epsilon))^(1/theta), without 1/tau.",
             small_epsilon, terms_claim(Moments::norm, Edition::proved, true));
  claims.add("lemma.assumption_3_terms", Edition::corrected, Expectation::holds,
             {"this project", "(17) at the iota that balances it"},
             "At iota = (d log n log(1/eta)/(n epsilon))^(1/theta)/tau the terms of (17) are at "
             "most 5 times (18).",
             small_epsilon, terms_claim(Moments::norm, Edition::corrected, false));
  claims.add("lemma.assumption_4_terms", Edition::printed, Expectation::refuted, {paper, "(19)"},
             "At iota = (log n log(1/eta)/(n epsilon))^((theta - 1)/theta)/tau the terms of (17), "
             "with E ||x||_2^theta <= d tau^theta, are at most 5 times (19). Their moment term "
             "falls as n^(-(theta - 1)^2/theta) only.",
             {"epsilon in [0.001, 1]", "n >= 10^6: log n log(1/eta) < n epsilon", "eta <= 0.36"},
             terms_claim(Moments::coordinates, Edition::printed, false, 1e6));
  claims.add("lemma.assumption_4_terms", Edition::corrected, Expectation::holds,
             {"this project", "(19) with the exponent 1/theta in iota"},
             "At iota = (log n log(1/eta)/(n epsilon))^(1/theta)/tau the same terms are at most 5 "
             "times (19).",
             small_epsilon, terms_claim(Moments::coordinates, Edition::corrected, false));

  const auto norms = [](double printed_power) {
    return LemmaClaim{.ranges = {{"first", 1, 0, 100, Scale::linear},
                                 {"second", 1, 0, 100, Scale::linear},
                                 {"theta", 1.5, 1.01, 1.99, Scale::linear}},
                      .sides = [=](const ParameterPoint& point) {
                        const double a = point.at("first"), b = point.at("second");
                        const double theta = point.at("theta");
                        const double power = printed_power > 0 ? printed_power : theta;
                        return LemmaClaim::Sides{std::pow(std::hypot(a, b), power),
                                                 std::pow(a, theta) + std::pow(b, theta)};
                      }};
  };
  claims.add("lemma.norms", Edition::printed, Expectation::refuted,
             {paper, "end of the proof of (19)"},
             "||x||_2^2 <= |x_1|^theta + ... + |x_d|^theta, the step from Assumption 4 (whose "
             "right side has expectation d tau^theta), here for d = 2.",
             {}, norms(2));
  claims.add("lemma.norms", Edition::corrected, Expectation::holds,
             {"this project", "the same step with powers theta"},
             "||x||_2^theta <= |x_1|^theta + ... + |x_d|^theta.", {}, norms(0));

  // (26) adds (20), Lemma 7, (23) and (24); (24) itself adds Lemma 9 and (25). In units of
  // iota^(theta - 1) sup E|y - <x, w>|^theta/theta: 1 + 1 + 2^(theta - 1) + 1. In units of
  // log(N/eta)/(n iota): 4 log(theta)/epsilon + 1 + 1 + 2.
  const auto moments = [](auto right) {
    return LemmaClaim{.ranges = {{"theta", 1.5, 1.0001, 1.9999, Scale::linear}},
                      .sides = [=](const ParameterPoint& point) {
                        const double doubled = std::exp2(point.at("theta") - 1);
                        return LemmaClaim::Sides{3 + doubled, right(doubled)};
                      }};
  };
  claims.add("lemma.final_moments", Edition::printed, Expectation::refuted,
             {paper, "(24) and (26)"},
             "2 (2 iota)^(theta - 1)/theta sup E|y - <x, w>|^theta covers the moment terms that "
             "(26) adds: those of Lemma 7, (23), Lemma 9 and (25). (24) gives its factor 2 to the "
             "zeta^theta term instead.",
             {}, moments([](double doubled) { return 2 * doubled; }));
  claims.add("lemma.final_moments", Edition::corrected, Expectation::holds,
             {"this project", "(26) with the constant of (14)"},
             "5 iota^(theta - 1)/theta sup E|y - <x, w>|^theta covers them.", {},
             moments([](double) { return 5.0; }));

  // In units of log(N/eta)/(n iota). `share` is epsilon/log theta where the range depends on theta.
  const auto logarithms = [](ParameterRange range, auto right) {
    const std::string varied = range.name;
    return LemmaClaim{
        .ranges = {{"theta", 1.5, 1.0001, 1.9999, Scale::linear}, std::move(range)},
        .sides = [=](const ParameterPoint& point) {
          const double log_theta = LogTruncation(point.at("theta")).largest();
          const double epsilon = point.at(varied) * (varied == "share" ? log_theta : 1);
          return LemmaClaim::Sides{4 + 4 * log_theta / epsilon, right(log_theta, epsilon)};
        }};
  };
  const auto printed_constant = [](double log_theta, double epsilon) {
    return 8 * log_theta / epsilon;
  };
  claims.add("lemma.final_logarithms", Edition::printed, Expectation::refuted, {paper, "(26)"},
             "8 log theta/(n iota epsilon) log(N/eta) covers the logarithmic terms that (26) adds, "
             "(4 + 4 log(theta)/epsilon)/(n iota) log(N/eta), for any epsilon > 0.",
             {}, logarithms({"epsilon", 1, 1e-3, 100, Scale::logarithmic}, printed_constant));
  claims.add("lemma.final_logarithms", Edition::proved, Expectation::holds, {paper, "(26)"},
             "It does for epsilon <= log theta.", {"epsilon = share log theta <= log theta"},
             logarithms({"share", 1, 1e-3, 1, Scale::logarithmic}, printed_constant));
  claims.add("lemma.final_logarithms", Edition::corrected, Expectation::holds,
             {"this project", "(26) without log theta"},
             "8/(n iota epsilon) log(N/eta) covers them for epsilon <= 1.", {"epsilon <= 1"},
             logarithms({"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                        [](double, double epsilon) { return 8 / epsilon; }));
  add_theta_moment_lemmas(claims);
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm l1_regression_theta_moment_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const std::string moments = options.text("moments");
    require(moments == "norm" || moments == "coordinates", "--moments", moments,
            "norm or coordinates");
    const ThetaMomentSetting setting{
        .records = static_cast<double>(data.size()),
        .dimension = static_cast<double>(data.dimension()),
        .theta = options.number("theta"),
        .epsilon = options.number("epsilon"),
        .tau = options.number("moment-root"),
        .failure_probability = options.number("failure-probability"),
        .moments = moments == "norm" ? Moments::norm : Moments::coordinates};
    return prepare_l1_regression(l1_regression_theta_moment, "wang_xu.l1_regression_theta_moment",
                                 data, options, setting.theta,
                                 theta_moment_iota(setting, Edition::corrected));
  };
  return {"wang_xu.l1_regression_theta_moment",
          "exponential mechanism for l1-norm regression without a second moment, epsilon-DP, up to "
          "3 features",
          "Wang and Xu, Algorithm 2",
          {{"epsilon", "1", "privacy parameter, positive"},
           {"theta", "1.5", "order of the bounded moment, in (1, 2)"},
           {"radius", "1", "of the Euclidean ball of candidates"},
           {"zeta", "auto", "net distance, positive; auto: 1/n"},
           {"iota", "auto", "truncation: residuals count up to 1/iota; auto: Theorem 2"},
           {"moments", "norm", "norm: E ||x||^theta <= tau^theta; coordinates: of each |x_j|"},
           {"moment-root", "1", "tau of Theorem 2: a public guess"},
           {"failure-probability", "0.05", "eta of Theorem 2"}},
          prepare,
          l1_regression_theta_moment_claims};
}

}  // namespace dpverify::wang_xu
