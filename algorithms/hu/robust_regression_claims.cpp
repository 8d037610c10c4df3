// What is claimed of the sensitivity and privacy of robust regression, and its entry for the
// command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/hu/robust_regression.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  Loss loss = Loss::biweight;
  std::optional<Index> iterations;  // auto: Theorem 3
  std::optional<double> scale;      // auto: Theorem 3
  double epsilon = 1;
  double loss_constant = 1;
  double beta = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields{
    // The three robust losses stand together at the end of the enumeration.
    field("loss", &Settings::loss, loss_choices())
        .range(Loss::pseudo_huber, Loss::biweight, Loss::pseudo_huber)
        .option("biweight, geman_mcclure, pseudo_huber, squared or absolute"),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T, 1 to n; auto: Theorem 3", at_least_one),
    field("scale", &Settings::scale)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("s of the soft truncation, positive; auto: Theorem 3", positive),
    field("epsilon", &Settings::epsilon)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("privacy parameter, positive", positive),
    field("loss-constant", &Settings::loss_constant)
        .option("c of the loss, in the unit of the labels, positive", positive),
    field("beta", &Settings::beta)
        .range(1.0, 0.05, 20.0, logarithmic)
        .option("smoothing: the noise factor has variance 1/beta", positive),
    field("failure-probability", &Settings::failure_probability).option("zeta of Theorem 3")};

FrankWolfeParameters parameters(const Settings& settings, Index n, Index d) {
  FrankWolfeParameters p = robust_regression_from_theorem(n, d, settings.epsilon, settings.loss,
                                                          settings.failure_probability);
  p.iterations = settings.iterations.value_or(p.iterations);
  p.scale = settings.scale.value_or(p.scale);
  p.beta = settings.beta;
  return p;
}

Family<Settings> family(Edition edition) {
  return {fields,
          [edition](const Dataset& data, const Settings& settings, Releases& releases) {
            FrankWolfeParameters p = parameters(settings, data.size(), data.dimension());
            p.iterations = std::min(p.iterations, data.size());
            p.sensitivity = edition;
            return dp_frank_wolfe(data, p, releases);
          },
          [](const Settings& settings) { return PrivacyGuarantee{.epsilon = settings.epsilon}; }};
}

FamilySetting<Settings> at(Loss loss, Index iterations, double epsilon, Index records,
                           Index dimension) {
  return {{.loss = loss, .iterations = iterations, .scale = 0.01, .epsilon = epsilon},
          records,
          dimension};
}

std::vector<Claim> claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};
  const std::vector<FamilySetting<Settings>> corners{at(Loss::pseudo_huber, 1, 1, 4, 2),
                                                     at(Loss::biweight, 1, 1, 4, 2),
                                                     at(Loss::geman_mcclure, 2, 1, 4, 2)};
  const std::vector<FamilySetting<Settings>> settings{at(Loss::biweight, 1, 1, 20, 2),
                                                      at(Loss::geman_mcclure, 2, 0.1, 20, 2),
                                                      at(Loss::pseudo_huber, 2, 1, 40, 1)};
  ClaimList out("hu.robust_regression");
  out.add("sensitivity", printed, holds, {Text::hu, "Algorithm 1, step 6"},
          "With a biweight, Geman-McClure or pseudo-Huber loss a score changes by at most Delta "
          "= ||W||_1 4 sqrt2 s/(3m).",
          neighbours, family(printed).sensitivity({}, corners));
  const SensitivityClaim tight = family(corrected).sensitivity({}, corners, true);
  out.add("sensitivity", corrected, holds,
          {Text::this_project, "Algorithm 1, step 6, with the range of the smoothed truncation"},
          "With a biweight, Geman-McClure or pseudo-Huber loss half the range of the change of the "
          "scores is at most ||W||_1 2 sqrt2 s/(3m) erf(sqrt(beta/2)), and some pair attains it.",
          neighbours, tight);
  add_mutants(out, tight, neighbours);
  out.add("privacy", printed, holds, {Text::hu, "Theorem 1 with the loss of Theorem 3"},
          "Algorithm 1 with a biweight, Geman-McClure or pseudo-Huber loss, the constant step "
          "1/sqrt T and the printed Delta is epsilon-DP.",
          neighbours, family(printed).privacy(settings));
  out.add(
      "privacy", corrected, holds,
      {Text::this_project, "Theorem 1 with the loss of Theorem 3 and the smallest safe Delta"},
      "Algorithm 1 with a biweight, Geman-McClure or pseudo-Huber loss, the constant step 1/sqrt T "
      "and Delta = ||W||_1 2 sqrt2 s/(3m) erf(sqrt(beta/2)) is epsilon-DP.",
      neighbours, family(corrected).privacy(settings));
  add_accounting<Settings>(out, family(corrected),
                           {.edition = corrected,
                            .source = {Text::hu, "Algorithm 1, step 6; Theorem 1"},
                            .releases = "The T exponential mechanisms of Algorithm 1 with a robust "
                                        "loss, over disjoint parts and each of epsilon,",
                            .in_words = "T epsilon^2/8",
                            .rho = [](const Settings& s) {
                              return static_cast<double>(*s.iterations) * s.epsilon * s.epsilon / 8;
                            }});
  out.append(robust_regression_rates());
  out.append(robust_regression_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  const FrankWolfeParameters p = parameters(settings, data.size(), data.dimension());
  validate(p, data);
  settings.iterations = p.iterations;
  settings.scale = p.scale;
  const Index part = data.size() / p.iterations;
  // The loss with constant c is that with constant 1 in units of c.
  const double c = settings.loss_constant;
  const auto in_units = [c](const Matrix& features, const VectorXd& labels) {
    return Dataset{features / c, labels / c};
  };
  PreparedRun run{
      .mechanism =
          [p, in_units](const Dataset& records, Releases& releases) {
            return dp_frank_wolfe(in_units(records.features, records.labels), p, releases);
          },
      .guarantee = {.epsilon = p.epsilon},
      .guarantee_source = "hu.robust_regression.privacy.corrected",
      .parameters = fields.texts(settings),
      .empirical_risk =
          [loss = p.loss, c, in_units](const DataView& view, const VectorXd& w) {
            return c * c * empirical_risk(loss, w, in_units(view.features, view.labels).all());
          },
      .risk_name = mean_loss_name(p.loss)};
  run.parameters.emplace_back("records in a part", std::to_string(part));
  run.parameters.emplace_back("score sensitivity", to_text(score_sensitivity(p, part)));
  return run;
}

}  // namespace

Algorithm robust_regression_algorithm() {
  return algorithm("hu.robust_regression",
                   "robust regression with heavy-tailed features on the unit l1 ball, epsilon-DP",
                   "Hu, Ni, Xiao and Wang, Algorithm 1 with Theorem 3", fields, prepare, claims);
}

}  // namespace dpverify::hu
