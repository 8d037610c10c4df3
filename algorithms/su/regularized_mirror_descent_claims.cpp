// What is claimed of the sensitivity and privacy of regularised mirror descent, and its entry for
// the command line; both read one table of its parameters.
#include <cmath>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

enum class SmoothLoss { pseudo_huber, logistic };

struct Settings {
  SmoothLoss loss = SmoothLoss::pseudo_huber;
  double p = 1.5;
  std::optional<double> lipschitz;       // auto: d^(1 - 1/p)
  std::optional<Index> iterations;       // auto: Theorem 7
  std::optional<double> regularisation;  // auto: Theorem 7
  double epsilon = 1;
  double delta = 1e-5;
};

// Claims speak of the loss as "logistic", 0 or 1, and of the regularisation as the text's alpha.
const Fields<Settings> fields{
    field("logistic", &Settings::loss)
        .range(SmoothLoss::pseudo_huber, SmoothLoss::pseudo_huber, SmoothLoss::logistic),
    field("loss", &Settings::loss,
          {{"pseudo_huber", SmoothLoss::pseudo_huber}, {"logistic", SmoothLoss::logistic}})
        .option("pseudo_huber or logistic (labels -1 and 1)"),
    field("p", &Settings::p)
        .range(2.0, 1.01, 2.0)
        .option("in (1, 2]: w is measured in l_p, features in the dual norm"),
    field("lipschitz", &Settings::lipschitz)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("L: records with longer features (dual norm) are shrunk to this; auto: d^(1 - "
                "1/p), which features in [-1, 1] never exceed",
                positive),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T, at least 1; auto: Theorem 7", at_least_one),
    field("alpha", &Settings::regularisation).range(0.1, 1e-3, 10.0, logarithmic),
    field("regularisation", &Settings::regularisation)
        .option("alpha, positive; auto: Theorem 7", positive),
    field("epsilon", &Settings::epsilon)
        .range(1.0, 1e-3, 1.0, logarithmic)
        .option("privacy parameter, positive", positive),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction)};

Loss loss(const Settings& s) {
  return s.loss == SmoothLoss::logistic ? Loss::logistic : Loss::pseudo_huber;
}

RegularizedMirrorParameters parameters(const Settings& s, Edition edition) {
  return {.loss = loss(s),
          .p = s.p,
          .lipschitz = s.lipschitz.value(),
          .iterations = s.iterations.value(),
          .regularisation = s.regularisation.value(),
          .epsilon = s.epsilon,
          .delta = s.delta,
          .edition = edition};
}

// With the noise of epsilon/noise.
Family<Settings> family(Edition edition, double noise = 1) {
  return {fields,
          [=](const Dataset& data, const Settings& settings, Releases& releases) {
            RegularizedMirrorParameters p = parameters(settings, edition);
            p.epsilon /= noise;
            return regularized_mirror_descent(data, p, releases);
          },
          [](const Settings& s) {
            return PrivacyGuarantee{s.epsilon, s.delta};
          }};
}

const Family<Settings> as_printed =
    family(printed).over(fields.within(&Settings::p, 1.9, 1.01, 1.9));
const Family<Settings> as_corrected = family(corrected);

Settings at(double p, Index iterations, double epsilon = 1, double delta = 1e-5) {
  return {.p = p,
          .lipschitz = 1,
          .iterations = iterations,
          .regularisation = 0.1,
          .epsilon = epsilon,
          .delta = delta};
}

// The corners of what is claimed.
std::vector<FamilySetting<Settings>> corners_of(const std::vector<double>& epsilons,
                                                const std::vector<double>& deltas) {
  std::vector<FamilySetting<Settings>> out;
  for (const double p : {1.99, 1.5, 1.2, 1.01})
    for (const Index iterations : {1, 20})
      for (const double epsilon : epsilons)
        for (const double delta : deltas) out.push_back({at(p, iterations, epsilon, delta), 20, 3});
  return out;
}

const std::vector<std::string> assumptions{
    "replace-one neighbours", "convex loss, L-Lipschitz and beta-smooth in ||.||_p, 1 < p < 2"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corners{
      {at(1.5, 2), 4, 2}, {at(1.1, 2), 4, 2}, {at(4.0 / 3, 1), 10, 3}};
  const Source line_4{Text::su, "Algorithm 3; proof of Theorem 6"};
  const SensitivityClaim attained = as_corrected.sensitivity({1, 4}, corners, true);
  const std::string moves =
      "One record moves the mean gradient by at most 2L/n in the dual norm, and some pair attains "
      "it";
  claims.add("sensitivity", printed, holds, line_4, moves + ".", assumptions,
             as_printed.sensitivity({2, 4}, corners, true));
  claims.add("sensitivity", corrected, holds, line_4,
             moves +
                 ": with the corrected mirror map and noise, in any dimension and for 1 < p <= "
                 "2.",
             assumptions, attained);
  add_mutants(claims, attained, assumptions);
}

void add_privacy(ClaimList& claims) {
  const FamilySetting<Settings> one{at(2, 1), 4, 1}, three{at(2, 3), 4, 1};
  claims.add("privacy", printed, holds, {Text::su, "Theorem 6"},
             "Algorithm 3 with sigma^2 = 64 L^2 kappa T log(1/delta)/(n^2 epsilon^2) is (epsilon, "
             "delta)-DP for 0 < epsilon < 1 and delta up to 0.77. (For larger delta see "
             "lemma.delta_near_one.)",
             assumptions, as_printed.privacy({}, corners_of({1e-3, 1}, {1e-12, 1e-5, 1e-2, 0.77})));
  claims.add(
      "privacy", corrected, holds,
      {Text::this_project, "Theorem 6 by concentrated differential privacy"},
      "With kappa = (r - 1) d^(2/r - 2/q) and sigma^2 = kappa T (2L/n)^2/(2 rho), rho + 2 "
      "sqrt(rho log(1/delta)) = epsilon, Algorithm 3 is (epsilon, delta)-DP for 0 < delta < "
      "1 and every epsilon > 0.",
      assumptions,
      as_corrected.privacy({one, three}, corners_of({1e-3, 1, 100}, {1e-12, 1e-5, 0.5, 0.99999})));
  add_accounting<Settings>(
      claims, as_corrected,
      {.edition = corrected,
       .source = {Text::this_project, "Theorem 6 by concentrated differential privacy"},
       .releases = "The T mean gradients of corrected Algorithm 3 with generalised Gaussian noise, "
                   "each of rho/T,",
       .in_words = "(sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2",
       .rho = [](const Settings& s) {
         return std::pow(std::sqrt(s.epsilon - std::log(s.delta)) - std::sqrt(-std::log(s.delta)),
                         2);
       }});
  add_accounting_alone<Settings>(
      claims, as_printed.over(fields.within(&Settings::p, 1.9, 1.5, 1.9)),
      {.edition = printed,
       .source = {Text::su, "Theorem 6"},
       .releases = "The T mean gradients of Algorithm 3 with sigma^2 = 64 L^2 kappa T "
                   "log(1/delta)/(n^2 epsilon^2) and kappa = 1/(p - 1)",
       .in_words = "epsilon^2/(32 log(1/delta))",
       .rho = [](const Settings& s) { return s.epsilon * s.epsilon / (-32 * std::log(s.delta)); }});
  claims.add("privacy.half_noise", mutant, refuted,
             {Text::this_project, "planted fault: half of the noise (p = 2)"},
             "Corrected Algorithm 3 is (epsilon, delta)-DP with noise for twice the epsilon.",
             assumptions, family(corrected, 0.5).privacy({one}));
}

std::vector<Claim> claims() {
  ClaimList out("su.regularized_mirror_descent");
  add_sensitivity(out);
  add_privacy(out);
  out.append(regularized_mirror_rates());
  out.append(regularized_mirror_lemmas());
  out.append(relative_convexity_lemmas());
  out.append(generalised_gaussian_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(loss(settings), data.all());
  if (!settings.lipschitz)
    settings.lipschitz = std::pow(static_cast<double>(data.dimension()), 1 - 1 / settings.p);
  const RegularizedMirrorParameters theorem = regularized_mirror_from_theorem(
      data.size(), data.dimension(), settings.p, settings.epsilon, settings.delta, loss(settings),
      *settings.lipschitz, corrected);
  settings.iterations = settings.iterations.value_or(theorem.iterations);
  settings.regularisation = settings.regularisation.value_or(theorem.regularisation);
  const RegularizedMirrorParameters p = parameters(settings, corrected);
  validate(p);
  const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
  PreparedRun run{.mechanism =
                      [p](const Dataset& records, Releases& releases) {
                        return regularized_mirror_descent(records, p, releases);
                      },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "su.regularized_mirror_descent.privacy.corrected",
                  .parameters = fields.texts(settings),
                  .empirical_risk =
                      [p, dual = space.dual](const DataView& view, const VectorXd& w) {
                        return lipschitz_risk(p.loss, w, view, dual, p.lipschitz);
                      },
                  .risk_name = mean_loss_name(p.loss) + ", features shrunk as above"};
  run.parameters.emplace_back("norm of the noise", to_text(space.noise_norm));
  run.parameters.emplace_back("noise scale",
                              to_text(noise_scale(p, data.size(), data.dimension())));
  return run;
}

}  // namespace

Algorithm regularized_mirror_algorithm() {
  return algorithm("su.regularized_mirror_descent",
                   "noisy regularised mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
                   "Su, Zhao and Wang, Algorithm 3", fields, prepare, claims);
}

}  // namespace dpverify::su
