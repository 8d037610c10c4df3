// What is claimed of the sensitivity, privacy and rates of Wang and Xu's Algorithm 2, and its entry
// for the command line.
#include <fmt/format.h>

#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/wang_xu/l1_regression_rates.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"
#include "algorithms/wang_xu/separable_rates.hpp"
#include "algorithms/wang_xu/separable_regression.hpp"

namespace dpverify::wang_xu {
namespace {

using enum Edition;
using enum Expectation;

struct Settings {
  std::optional<double> zeta;  // auto: 1/n
  double radius = 1;
  std::optional<double> iota;  // auto: Theorem 2
  double epsilon = 1;
  double theta = 1.5;
  Moments moments = Moments::norm;
  double tau = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields =
    l1_fields<Settings>("Theorem 2")
        .with(field("theta", &Settings::theta)
                  .range(1.5, 1.001, 1.999)
                  .option("order of the bounded moment, in (1, 2)"))
        .with(field("moments", &Settings::moments,
                    {{"norm", Moments::norm}, {"coordinates", Moments::coordinates}})
                  .option("norm: E ||x||^theta <= tau^theta; coordinates: of each |x_j|"))
        .with(field("moment-root", &Settings::tau).option("tau of Theorem 2: a public guess"))
        .with(field("failure-probability", &Settings::failure_probability)
                  .option("eta of Theorem 2"));

Family<Settings> family(Edition edition) {
  return l1_family(fields, l1_regression_theta_moment, edition);
}

const std::string id = "wang_xu.l1_regression_theta_moment";
const std::vector<std::string> neighbours{"replace-one neighbours"};

// Two candidates on [-1, 1], nine on the unit disc. The ranges reach nets that are searched instead
// of listed.
void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      {{.zeta = 0.5, .iota = 0.2}, 3, 1},
      {{.zeta = 0.5, .iota = 0.2, .theta = 1.1}, 3, 1},
      {{.zeta = 0.5, .iota = 0.2}, 3, 2}};
  claims.add("sensitivity", printed, holds, {Text::wang_xu, "text before Theorem 2"},
             "The truncated risk of a candidate changes by at most 2 log theta/(2 n iota).",
             neighbours, family(printed).sensitivity({}, settings));
  claims.add("sensitivity", proved, holds, {Text::wang_xu, "proof of Theorem 2"},
             "The truncated risk of a candidate changes by at most 2 log theta/(n iota), twice "
             "what the text states.",
             neighbours, family(proved).sensitivity({}, settings));
  const SensitivityClaim tight = family(corrected).sensitivity({}, settings, true);
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "psi is in [0, log theta] on the absolute residuals"},
             "The truncated risk of a candidate changes by at most log theta/(n iota), and some "
             "pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      {{.zeta = 0.5, .iota = 0.2}, 2, 1},
      {{.zeta = 0.5, .iota = 0.2}, 5, 1},
      {{.zeta = 0.5, .iota = 0.2}, 30, 1},
      {{.zeta = 0.5, .iota = 0.2, .theta = 1.1}, 30, 1},
      {{.zeta = 0.5, .iota = 0.2, .epsilon = 0.1}, 30, 1},
      {{.zeta = 0.5, .iota = 0.2, .epsilon = 3}, 5, 1},
      {{.zeta = 0.5, .iota = 0.2}, 30, 2}};
  std::vector<FamilySetting<Settings>> any_epsilon = settings;
  any_epsilon.push_back({{.zeta = 0.5, .iota = 0.2, .epsilon = 0.01}, 30, 1});
  any_epsilon.push_back({{.zeta = 0.5, .iota = 0.2, .epsilon = 10}, 5, 1});
  claims.add(
      "privacy", printed, refuted, {Text::wang_xu, "Algorithm 2, step 2; Theorem 2"},
      "Drawing w with probability proportional to exp(-n iota epsilon L(w)/log theta), L being the "
      "truncated risk, is epsilon-DP for every epsilon > 0. Here w is drawn from a net of distance "
      "zeta of the Euclidean ball of the given radius, and residuals count up to 1/iota.",
      neighbours, family(printed).privacy(settings));
  claims.add("privacy", proved, holds, {Text::wang_xu, "proof of Theorem 2, (20)"},
             "With the exponent -n iota epsilon L(w)/(4 log theta), which the proof's sensitivity "
             "and its (20) give, Algorithm 2 is epsilon-DP.",
             neighbours, family(proved).privacy(any_epsilon));
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Algorithm 2, step 2, with the exact sensitivity"},
             "With the exponent -n iota epsilon L(w)/(2 log theta) Algorithm 2 is epsilon-DP, and "
             "no larger coefficient is safe.",
             neighbours, family(corrected).privacy(any_epsilon));
  add_l1_accounting(claims, fields, l1_regression_theta_moment,
                    {Text::wang_xu, "proof of Theorem 2, (20)"},
                    {Text::this_project, "Algorithm 2, step 2, with the exact sensitivity"},
                    "log theta", "Algorithm 2");
}

// Theorem 2 under Assumption 3 on [-1, 1].
L1Theorem theorem_2(Edition edition, double theta, double tau) {
  constexpr double eta = 0.25;
  return {.algorithm = l1_regression_theta_moment,
          .exponent = -(theta - 1) / theta,
          .failure_probability = eta,
          .at = [=](Index n, double epsilon) {
            const ThetaMomentSetting setting{.records = static_cast<double>(n),
                                             .theta = theta,
                                             .epsilon = epsilon,
                                             .tau = tau,
                                             .failure_probability = eta};
            return std::pair(theta_moment_from_theorem(setting, 1, edition),
                             theta_moment_bound(setting));
          }};
}

// Theorem 2 at theta = 1.5 on the cube in the unit ball.
SeparableTheorem on_a_cube(Edition edition, Moments moments, double exponent, double epsilon) {
  constexpr double eta = 0.25, theta = 1.5;
  const auto at = [=](Index n, Index d, double tau) {
    const ThetaMomentSetting setting{.records = static_cast<double>(n),
                                     .dimension = static_cast<double>(d),
                                     .theta = theta,
                                     .epsilon = epsilon,
                                     .tau = tau,
                                     .failure_probability = eta,
                                     .moments = moments};
    return std::pair(L1RegressionParameters{.net = cube_net(d, n),
                                            .iota = theta_moment_iota(setting, edition),
                                            .epsilon = epsilon,
                                            .coefficient = edition,
                                            .theta = theta,
                                            .largest_listed = 0},
                     theta_moment_bound(setting));
  };
  return {exponent, eta, moments, theta, epsilon, at};
}

RateClaim in_dimension(Moments moments) {
  return dimension_rate(on_a_cube(corrected, moments, moments == Moments::norm ? 1.0 / 3 : 1.0, 3),
                        6000, 1.75, {{}, {{1, 5, 22, 100}, 160}});
}

RateClaim under_assumption_4(Edition edition) {
  return outvoted_rate(
      on_a_cube(edition, Moments::coordinates, -1.0 / 3, 1), 1.0 / 3,
      {{{5e3, 2.3e4, 1.1e5, 5e5}, edition == printed ? 40 : 80}, {{5e3, 2.3e4, 1.1e5, 5e5}, 80}});
}

// In epsilon, at theta = 1.5, on features without a second moment.
RateClaim epsilon_rate() {
  const ScaledNoiseModel model{.tail = 1.75, .noise_scale = 0.05};
  const double tau = std::pow(model.moment(1.5), 1 / 1.5);
  return l1_epsilon_rate(theorem_2(corrected, 1.5, tau), model, 520);
}

PreparedRun prepare(const Dataset& data, const Settings& s) {
  const ThetaMomentSetting setting{.records = static_cast<double>(data.size()),
                                   .dimension = static_cast<double>(data.dimension()),
                                   .theta = s.theta,
                                   .epsilon = s.epsilon,
                                   .tau = s.tau,
                                   .failure_probability = s.failure_probability,
                                   .moments = s.moments};
  return prepare_l1(family(corrected), id, data, s, theta_moment_iota(setting, corrected));
}

std::vector<Claim> claims() {
  ClaimList out(id);
  add_sensitivity(out);
  add_privacy(out);
  add_l1_floor(out, l1_regression_theta_moment, 1.5, "Algorithm 2");
  out.append(l1_regression_theta_moment_rates());
  out.append(l1_regression_theta_moment_lemmas());
  return out.take();
}

}  // namespace

std::vector<Claim> l1_regression_theta_moment_rates() {
  const std::vector<std::string> assumption_3{
      "E ||x||_2^theta <= tau^theta, tau known",
      "E |y - <x, w*>|^theta = O(tau^theta) (used by the proof)", "epsilon = O(1)"};
  const Source theorem{Text::wang_xu, "Theorem 2, (18)"};
  const Source largest_safe{Text::this_project,
                            "Theorem 2 with the largest safe coefficient and log n in iota"};
  const std::string bound = "as tau (d log n log(1/eta)/(n epsilon))^((theta - 1)/theta)";
  const std::string as_corrected =
      "With zeta = 1/n, iota = (d log n log(1/eta)/(n epsilon))^(1/theta)/tau and the corrected "
      "exponent -n iota epsilon L(w)/(2 log theta) the excess risk ";
  ClaimList out(id);
  struct Order {
    const char* what;
    double theta;
    Index trials;
  };
  for (const auto& [what, theta, trials] :
       {Order{"rate", 1.5, 520}, {"rate.theta_low", 1.2, 850}, {"rate.theta_high", 1.8, 400}}) {
    const std::string falls = fmt::format("falls {}, here theta = {}", bound, theta);
    out.add(what, printed, holds, theorem,
            fmt::format("With zeta = 1/n and iota = (d log(1/eta)/(n epsilon))^(1/theta)/tau the "
                        "excess risk {}, with the printed (2 epsilon-DP) exponent.",
                        falls),
            assumption_3, l1_rare_rate(theorem_2(printed, theta, 1), theta, trials));
    out.add(what, corrected, holds, largest_safe, as_corrected + falls + ".", assumption_3,
            l1_rare_rate(theorem_2(corrected, theta, 1), theta, trials));
  }
  const std::vector<std::string> assumption_4{"E|x_j|^theta <= tau^theta for every j, tau known",
                                              assumption_3[1], assumption_3[2]};
  const std::string coordinates = "(log n log(1/eta)/(n epsilon))^((theta - 1)/theta)";
  out.add("rate.coordinates", printed, refuted, {Text::wang_xu, "Theorem 2, (19)"},
          "With zeta = O(1/n), iota = " + coordinates +
              "/tau and the printed exponent -n iota epsilon L(w)/log theta the excess risk falls "
              "as tau d " +
              coordinates +
              " (zeta = 20/n, theta = 1.5, d = 2 and the law of the records are this check's).",
          assumption_4, under_assumption_4(printed));
  out.add("rate.coordinates", corrected, holds,
          {Text::this_project,
           "(19) with the exponent 1/theta in iota and the largest safe "
           "coefficient"},
          "With zeta = 20/n, iota = (log n log(1/eta)/(n epsilon))^(1/theta)/tau and the corrected "
          "exponent -n iota epsilon L(w)/(2 log theta) the excess risk falls as tau d " +
              coordinates + ", here theta = 1.5 and d = 2.",
          assumption_4, under_assumption_4(corrected));
  out.add("rate.dimension", corrected, holds, largest_safe,
          as_corrected +
              "grows in d no faster than tau (d log n log(1/eta)/(n epsilon))^((theta - "
              "1)/theta) under Assumption 3, here theta = 1.5.",
          assumption_3, in_dimension(Moments::norm));
  out.add("rate.coordinates.dimension", corrected, holds,
          {Text::this_project,
           "(19) with the exponent 1/theta in iota and the largest safe "
           "coefficient"},
          "With zeta = 1/n, iota = (log n log(1/eta)/(n epsilon))^(1/theta)/tau and the corrected "
          "exponent -n iota epsilon L(w)/(2 log theta) the excess risk grows in d no faster than "
          "tau d " +
              coordinates + " under Assumption 4, here theta = 1.5.",
          assumption_4, in_dimension(Moments::coordinates));
  out.add("rate.epsilon", corrected, holds, largest_safe,
          as_corrected + "at a fixed n falls with epsilon " + bound + ", here theta = 1.5.",
          assumption_3, epsilon_rate());
  return out.take();
}

Algorithm l1_regression_theta_moment_algorithm() {
  return algorithm(
      id,
      "exponential mechanism for l1-norm regression without a second moment, epsilon-DP, up to 3 "
      "features",
      "Wang and Xu, Algorithm 2", fields, prepare, claims);
}

}  // namespace dpverify::wang_xu
