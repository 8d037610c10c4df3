// What is claimed of the sensitivity and privacy of objective perturbation, and its entry for
// the command line.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  double epsilon = 0.5;
  double delta = 1e-5;
  Loss loss = Loss::pseudo_huber;
  double lipschitz = 1;
  double radius = 1;
};

// Where Lemma 5's noise suffices; see privacy.large_delta.
constexpr Domain up_to_0_9{[](double x) { return x > 0 && x <= 0.9; }, "in (0, 0.9]"};

const Fields<Settings> fields{
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.01, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.9, logarithmic)
        .option("privacy parameter, in (0, 0.9]", up_to_0_9),
    logistic_field(&Settings::loss),
    loss_field(&Settings::loss),
    field("lipschitz", &Settings::lipschitz)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("features are shrunk onto this Euclidean norm", positive),
    field("radius", &Settings::radius)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("radius of the Euclidean ball the parameters come from", positive)};

ObjectivePerturbationParameters parameters(const Settings& s, Edition edition,
                                           const Dataset& data) {
  return objective_perturbation_from_theorem(edition, data.size(), data.dimension(), s.epsilon,
                                             s.delta, s.loss, s.lipschitz, s.radius);
}

// Algorithm 5, its sigma_1 multiplied by `noise` and its lambda by `ridge`.
Family<Settings> family(Edition edition, double noise = 1, double ridge = 1) {
  return {fields,
          [=](const Dataset& data, const Settings& settings, Releases& releases) {
            ObjectivePerturbationParameters p = parameters(settings, edition, data);
            p.standard_deviation *= noise;
            p.ridge *= ridge;
            return objective_perturbation(data, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const std::vector<std::string> neighbours{"replace-one neighbours",
                                          "generalised linear loss, L-Lipschitz and beta-smooth"};

void add_sensitivity(ClaimList& claims) {
  const FamilySetting<Settings> plane{{}, 3, 2};
  claims.add("sensitivity", printed, holds, {Text::su_supplement, "Algorithm 5"},
             "At every theta of C one record moves the gradient of the sum of the losses by at "
             "most 2 L in the Euclidean norm, and some pair attains it.",
             neighbours, family(printed).sensitivity({}, {plane}, true));
  add_mutants(claims, family(printed).sensitivity({}, {plane}), neighbours);
}

// Audited exactly in one dimension. The tail is where a smaller delta looks: there the log
// determinant and the shift of the noise add up.
void add_privacy(ClaimList& claims) {
  const FamilySetting<Settings> tail{{.epsilon = 0.1, .delta = 1e-9, .radius = 1e3}};
  const FamilySetting<Settings> bulk{{.epsilon = 0.999, .delta = 0.1}, 3};
  const FamilySetting<Settings> large_delta{{.epsilon = 0.999, .delta = 0.9, .radius = 1e3}};
  const FamilySetting<Settings> delta_near_one{{.epsilon = 0.999, .delta = 0.99999, .radius = 1e3}};
  const std::vector<FamilySetting<Settings>> few{{{.epsilon = 0.5, .delta = 1e-5, .radius = 1e3}},
                                                 {{.epsilon = 0.999, .delta = 1e-2}, 3}};
  const Source fault{Text::this_project, "a planted fault"};
  claims.add(
      "privacy", printed, refuted, {Text::su_supplement, "Algorithm 5, line 2"},
      "Algorithm 5 with sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2 and lambda = r beta/(2 epsilon "
      "n), the least that its line 2 asks for, r = min{d, 2 rank}, is (epsilon, delta)-DP. Here C "
      "is the Euclidean ball of the given radius, and the loss is the logistic one (logistic = 1) "
      "or pseudo-Huber (logistic = 0) with features of norm at most L = lipschitz.",
      neighbours, family(printed).privacy({tail, bulk}));
  claims.add("privacy", proved, holds, {Text::su_supplement, "Lemma 5: beta <= epsilon n lambda/r"},
             "Algorithm 5 with sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2 and lambda = r "
             "beta/(epsilon n) is (epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.9.",
             neighbours, family(proved).privacy({tail, bulk, large_delta}));
  claims.add(
      "privacy.large_delta", proved, refuted, {Text::su_supplement, "Lemma 5, 0 < delta < 1"},
      "Algorithm 5 with sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2 and lambda = r beta/(epsilon n), "
      "r = min{d, 2 rank}, is (epsilon, delta)-DP for all 0 < epsilon < 1 and 0 < delta < 1. Here "
      "C is the Euclidean ball of the given radius, and the loss is the logistic one (logistic = "
      "1) or pseudo-Huber (logistic = 0) with features of norm at most L = lipschitz.",
      neighbours, family(proved).privacy({delta_near_one}));
  claims.add("privacy.noise_quartered", mutant, refuted, fault,
             "Algorithm 5 with Lemma 5's lambda and a quarter of the noise is (epsilon, delta)-DP.",
             neighbours, family(proved, 0.25).privacy(few));
  claims.add("privacy.ridge_lost", mutant, refuted, fault,
             "Algorithm 5 with a tenth of Lemma 5's lambda is (epsilon, delta)-DP.", neighbours,
             family(proved, 1, 0.1).privacy(few));
}

std::vector<Claim> claims() {
  ClaimList out("su.objective_perturbation");
  add_sensitivity(out);
  add_privacy(out);
  out.append(objective_perturbation_rates());
  out.append(objective_perturbation_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, const Settings& settings) {
  validate_labels(settings.loss, data.all());
  // The proved lambda: the corrected one of half its size is checked exactly in one dimension only.
  const ObjectivePerturbationParameters p = parameters(settings, proved, data);
  PreparedRun run{
      .mechanism = [p](const Dataset& records,
                       Releases& releases) { return objective_perturbation(records, p, releases); },
      .guarantee = {settings.epsilon, settings.delta},
      .guarantee_source = "su.objective_perturbation.privacy.proved",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_loss(p.loss),
      .risk_name = mean_loss_name(p.loss)};
  run.parameters.emplace_back("lambda", to_text(p.ridge));
  run.parameters.emplace_back("standard deviation of the linear term",
                              to_text(p.standard_deviation));
  return run;
}

}  // namespace

Algorithm objective_perturbation_algorithm() {
  return algorithm(
      "su.objective_perturbation",
      "minimiser of a regularised empirical risk with a random linear term, (epsilon, delta)-DP",
      "Su, Zhao and Wang, supplement, Algorithm 5", fields, prepare, claims);
}

}  // namespace dpverify::su
