// What is claimed of the sensitivity, privacy and rates of Wang and Xu's Algorithm 1, and its entry
// for the command line.
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/wang_xu/l1_regression_rates.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/separable_rates.hpp"
#include "algorithms/wang_xu/separable_regression.hpp"

namespace dpverify::wang_xu {
namespace {

using enum Edition;
using enum Expectation;

struct Settings {
  std::optional<double> zeta;  // auto: 1/n
  double radius = 1;
  std::optional<double> iota;  // auto: Theorem 1
  double epsilon = 1;
  double tau = 1;
  double failure_probability = 0.05;
  static constexpr double theta = 2;
};

const Fields<Settings> fields =
    l1_fields<Settings>("Theorem 1")
        .with(field("second-moment-root", &Settings::tau)
                  .option("tau of Theorem 1, E ||x||^2 <= tau^2: a public guess"))
        .with(field("failure-probability", &Settings::failure_probability)
                  .option("eta of Theorem 1"));

Family<Settings> family(Edition edition) {
  return l1_family(fields, l1_regression_second_moment, edition);
}

const std::string id = "wang_xu.l1_regression_second_moment";
const std::vector<std::string> neighbours{"replace-one neighbours"};

void add_sensitivity(ClaimList& claims) {
  // Two candidates on [-1, 1], nine on the unit disc.
  const std::vector<FamilySetting<Settings>> settings{{{.zeta = 0.5, .iota = 0.2}, 3, 1},
                                                      {{.zeta = 0.5, .iota = 0.2}, 3, 2}};
  claims.add("sensitivity", printed, holds,
             {Text::wang_xu, "text before Algorithm 1; proof of Theorem 1"},
             "The truncated risk of a candidate changes by at most 2 log 2/(n iota).", neighbours,
             family(printed).sensitivity({1, 2}, settings));
  const SensitivityClaim tight = family(corrected).sensitivity({1, 2}, settings, true);
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "psi is in [0, log 2] on the absolute residuals"},
             "The truncated risk of a candidate changes by at most log 2/(n iota), and some pair "
             "attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      {{.zeta = 0.5, .iota = 0.2}, 2, 1},
      {{.zeta = 0.5, .iota = 0.2}, 5, 1},
      {{.zeta = 0.5, .iota = 0.2}, 30, 1},
      {{.zeta = 0.5, .iota = 0.2, .epsilon = 0.1}, 30, 1},
      {{.zeta = 0.5, .iota = 0.2, .epsilon = 3}, 5, 1},
      {{.zeta = 0.5, .iota = 0.2}, 30, 2}};
  std::vector<FamilySetting<Settings>> any_epsilon = settings;
  any_epsilon.push_back({{.zeta = 0.5, .iota = 0.2, .epsilon = 0.01}, 30, 1});
  any_epsilon.push_back({{.zeta = 0.5, .iota = 0.2, .epsilon = 10}, 5, 1});
  claims.add(
      "privacy", printed, refuted, {Text::wang_xu, "Algorithm 1, step 2; Theorem 1"},
      "Drawing w with probability proportional to exp(-n iota epsilon L(w)/log 2), L being the "
      "truncated risk, is epsilon-DP for every epsilon > 0. Here w is drawn from a net of distance "
      "zeta of the Euclidean ball of the given radius, and residuals count up to 1/iota.",
      neighbours, family(printed).privacy(settings));
  claims.add("privacy", proved, holds, {Text::wang_xu, "proof of Theorem 1"},
             "With the exponent -n iota epsilon L(w)/(4 log 2), which the proof's sensitivity "
             "gives, Algorithm 1 is epsilon-DP.",
             neighbours, family(proved).privacy(any_epsilon));
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Algorithm 1, step 2, with the exact sensitivity"},
             "With the exponent -n iota epsilon L(w)/(2 log 2) Algorithm 1 is epsilon-DP, and no "
             "larger coefficient is safe.",
             neighbours, family(corrected).privacy(any_epsilon));
  add_l1_accounting(claims, fields, l1_regression_second_moment,
                    {Text::wang_xu, "proof of Theorem 1"},
                    {Text::this_project, "Algorithm 1, step 2, with the exact sensitivity"},
                    "log 2", "Algorithm 1");
}

// (7) with one feature, (8) with two.
ScaledNoiseModel model_of(Moments moments) {
  return {.tail = 2.5, .noise_scale = 0.05, .features = moments == Moments::norm ? 1 : 2};
}

double coordinate_second_moment(const ScaledNoiseModel& model) {
  return model.moment(2) / static_cast<double>(model.features);
}

L1Theorem theorem_1(Edition edition, Moments moments) {
  const ScaledNoiseModel model = model_of(moments);
  const double tau = std::sqrt(coordinate_second_moment(model)), eta = 0.25;
  return {.algorithm = l1_regression_second_moment,
          .exponent = -0.5,
          .failure_probability = eta,
          .at = [=, d = model.features](Index n, double epsilon) {
            L1RegressionParameters p = from_theorem(n, d, epsilon, 1, tau, eta, moments);
            p.coefficient = edition;
            return std::pair(p, theorem_bound(n, d, epsilon, tau, eta, moments));
          }};
}

RateClaim records_rate(Edition edition, Moments moments) {
  const ScaledNoiseModel model = model_of(moments);
  // Two features cost four times as much as one, and their errors vary less.
  const Sweeps sweeps = moments == Moments::norm
                            ? Sweeps{{{20, 93, 430, 2e3}, 400}, {{60, 280, 1.3e3, 6e3}, 600}}
                            : Sweeps{{{20, 93, 430, 2e3}, 135}, {{60, 280, 1.3e3, 6e3}, 200}};
  return l1_rate(theorem_1(edition, moments), model, sweeps,
                 edition == corrected ? coordinate_second_moment(model) : 0);
}

// With the corrected exponent.
RateClaim in_dimension(Moments moments) {
  constexpr double eta = 0.25, epsilon = 3;
  const auto at = [=](Index n, Index d, double tau) {
    const double bound = theorem_bound(n, d, epsilon, tau, eta, moments);
    const double second_moment =
        tau * tau * (moments == Moments::norm ? 1 : static_cast<double>(d));
    return std::pair(L1RegressionParameters{.net = cube_net(d, n),
                                            .iota = bound / second_moment,
                                            .epsilon = epsilon,
                                            .largest_listed = 0},
                     bound);
  };
  return dimension_rate({.exponent = moments == Moments::norm ? 0.5 : 1.0,
                         .failure_probability = eta,
                         .moments = moments,
                         .epsilon = epsilon,
                         .at = at},
                        6000, 2.5, in_both({{1, 5, 22, 100}, 120}));
}

PreparedRun prepare(const Dataset& data, const Settings& settings) {
  const double tau = settings.tau;
  return prepare_l1(family(corrected), id, data, settings,
                    theorem_bound(data.size(), data.dimension(), settings.epsilon, tau,
                                  settings.failure_probability) /
                        (tau * tau));
}

std::vector<Claim> claims() {
  ClaimList out(id);
  add_sensitivity(out);
  add_privacy(out);
  add_l1_floor(out, l1_regression_second_moment, 2, "Algorithm 1");
  out.append(l1_regression_second_moment_rates());
  out.append(l1_regression_second_moment_lemmas());
  return out.take();
}

}  // namespace

std::vector<Claim> l1_regression_second_moment_rates() {
  const std::string norm =
      "With zeta = 1/n and iota = sqrt(d log n log(1/eta)/(n epsilon tau^2)) the excess risk ";
  const std::string norm_bound = "as tau sqrt(d log n log(1/eta)/(n epsilon))";
  const std::string coordinates =
      "With zeta = 1/n and iota = sqrt(log n log(1/eta)/(n epsilon tau^2)) the excess risk falls "
      "as tau d sqrt(log n log(1/eta)/(n epsilon)), here d = 2, with the ";
  const std::string as_printed = "printed (2 epsilon-DP) exponent.";
  const std::string as_corrected = "corrected exponent -n iota epsilon L(w)/(2 log 2).";
  const std::string largest_safe = "with the largest safe coefficient";
  const std::vector<std::string> assumption_1{"E ||x||_2^2 <= tau^2, tau known",
                                              "E(y - <x, w*>)^2 = O(tau^2) (used by the proof)",
                                              "epsilon = O(1)"};
  const std::vector<std::string> assumption_2{"E x_j^2 <= tau^2 for every j, tau known",
                                              assumption_1[1], assumption_1[2]};
  ClaimList out(id);
  out.add("rate", printed, holds, {Text::wang_xu, "Theorem 1, (7)"},
          norm + "falls " + norm_bound + ", with the " + as_printed, assumption_1,
          records_rate(printed, Moments::norm));
  out.add("rate", corrected, holds, {Text::this_project, "Theorem 1 " + largest_safe},
          norm + "falls " + norm_bound + ", with the " + as_corrected, assumption_1,
          records_rate(corrected, Moments::norm));
  out.add("rate.epsilon", corrected, holds, {Text::this_project, "Theorem 1 " + largest_safe},
          norm + "at a fixed n falls with epsilon " + norm_bound + ", with the " + as_corrected,
          assumption_1,
          l1_epsilon_rate(theorem_1(corrected, Moments::norm), model_of(Moments::norm), 320));
  out.add("rate.coordinates", printed, holds, {Text::wang_xu, "Theorem 1, (8)"},
          coordinates + as_printed, assumption_2, records_rate(printed, Moments::coordinates));
  out.add("rate.coordinates", corrected, holds,
          {Text::this_project, "Theorem 1, (8), " + largest_safe}, coordinates + as_corrected,
          assumption_2, records_rate(corrected, Moments::coordinates));
  out.add("rate.dimension", corrected, holds,
          {Text::this_project, "Theorem 1, (7), " + largest_safe},
          norm +
              "grows in d no faster than tau sqrt(d log n log(1/eta)/(n epsilon)) under "
              "Assumption 1, with the " +
              as_corrected,
          assumption_1, in_dimension(Moments::norm));
  out.add("rate.coordinates.dimension", corrected, holds,
          {Text::this_project, "Theorem 1, (8), " + largest_safe},
          "With zeta = 1/n and iota = sqrt(log n log(1/eta)/(n epsilon tau^2)) the excess risk "
          "grows in d no faster than tau d sqrt(log n log(1/eta)/(n epsilon)) under Assumption 2, "
          "with the " +
              as_corrected,
          assumption_2, in_dimension(Moments::coordinates));
  return out.take();
}

Algorithm l1_regression_second_moment_algorithm() {
  return algorithm(id, "exponential mechanism for l1-norm regression, epsilon-DP, up to 3 features",
                   "Wang and Xu, Algorithm 1", fields, prepare, claims);
}

}  // namespace dpverify::wang_xu
