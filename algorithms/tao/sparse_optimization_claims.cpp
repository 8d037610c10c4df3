// What is claimed of the sensitivity and privacy of Tao et al.'s sparse optimisation, and its entry
// for the command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/peeling.hpp"
#include "algorithms/tao/sparse_optimization.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  ClaimedLoss claimed_loss = ClaimedLoss::inner_product;  // of the claims
  Loss loss = Loss::squared;                              // of a run
  std::optional<Index> sparsity;                          // auto: Theorem 10, as the next three
  std::optional<Index> iterations;
  std::optional<double> truncation, step;
  double epsilon = 0.5;
  double delta = 1e-5;
  Index optimum_sparsity = 1;
  double smoothness = 1, strong_convexity = 1, moment = 1, order = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields{
    field("loss", &Settings::claimed_loss)
        .range(ClaimedLoss::inner_product, ClaimedLoss::distance, ClaimedLoss::squared),
    field("loss", &Settings::loss, loss_choices()).option(loss_help),
    field("sparsity", &Settings::sparsity)
        .range(1, 1, 4)
        .option("s, 1 to the number of features; auto: (gamma/mu)^2 s*"),
    field("iterations", &Settings::iterations).range(1, 1, 3).option("T, 1 to n; auto: Theorem 10"),
    field("truncation", &Settings::truncation)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("B, positive; auto: Theorem 10"),
    field("step", &Settings::step)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("eta_0, positive; auto: Theorem 10"),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.9, logarithmic)
        .option("privacy parameter, in (0, 0.9]", peeling_delta),
    field("optimum-sparsity", &Settings::optimum_sparsity)
        .option("s*: non-zero coefficients expected, a public guess"),
    field("smoothness", &Settings::smoothness).option("gamma of Assumption 2: a public guess"),
    field("strong-convexity", &Settings::strong_convexity)
        .option("mu of Assumption 2: a public guess"),
    field("moment", &Settings::moment).option("u of Assumption 2: a public guess"),
    field("order", &Settings::order).option("v, in (0, 1]", fraction_or_one),
    field("failure-probability", &Settings::failure_probability)
        .option("xi of Theorem 10, in (0, 1)", fraction)};

SparseOptimizationParameters parameters(const Settings& settings, Index n, Index d) {
  SparseOptimizationParameters p = sparse_optimization_from_theorem(
      n, d,
      {.optimum_sparsity = settings.optimum_sparsity,
       .gamma = settings.smoothness,
       .mu = settings.strong_convexity,
       .moment = settings.moment,
       .order = settings.order},
      settings.epsilon, settings.delta, settings.failure_probability);
  p.sparsity = settings.sparsity.value_or(p.sparsity);
  p.iterations = settings.iterations.value_or(p.iterations);
  p.truncation = settings.truncation.value_or(p.truncation);
  p.step = settings.step.value_or(p.step);
  return p;
}

// s and T are cut to the dataset.
SparseOptimizationParameters of_claims(const Settings& settings, const Dataset& data) {
  SparseOptimizationParameters p = parameters(settings, data.size(), data.dimension());
  p.gradients = gradient_oracle(settings.claimed_loss);
  p.sparsity = std::min(p.sparsity, data.dimension());
  p.iterations = std::min(p.iterations, data.size());
  return p;
}

Family<Settings> family(Edition edition) {
  return {fields,
          [edition](const Dataset& data, const Settings& settings, Releases& releases) {
            SparseOptimizationParameters p = of_claims(settings, data);
            p.sensitivity = edition;
            return sparse_optimization(data, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> as_printed = family(printed);
const Family<Settings> one_step_without_truncation =
    as_printed.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const SparseOptimizationParameters p = of_claims(settings, data);
      const Matrix all = p.gradients(p.initial, data.all());
      return peeling(p.initial - p.step * all.colwise().mean().transpose(),
                     {.sparsity = p.sparsity,
                      .sensitivity = coordinate_sensitivity(p, data.size()),
                      .epsilon = p.epsilon,
                      .delta = p.delta,
                      .factor = peeling_factor},
                     releases);
    });

// B = eta_0 = 1.
Settings at(Index sparsity, Index iterations, double epsilon = 0.999, double delta = 1e-5) {
  return {.sparsity = sparsity,
          .iterations = iterations,
          .truncation = 1,
          .step = 1,
          .epsilon = epsilon,
          .delta = delta};
}

const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corners{{at(1, 1), 3, 2}, {at(2, 2), 4, 3}};
  const std::string moves = "One record moves a coordinate of w^{t+0.5} by at most 2 B eta_0";
  const SensitivityClaim tight = as_printed.sensitivity({1, 4}, corners, true);
  claims.add("sensitivity", printed, holds, {Text::tao, "Algorithm 5, step 10"},
             moves + "/m, and some pair attains it.", neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity", proved, refuted, {Text::tao, "proof of Theorem 10"},
             moves +
                 " s/(3m), m the number of records of a part. (In the counterexample sparsity is "
                 "s, iterations is T, truncation is B, step is eta_0, and loss says which loss: 0 "
                 "for ||w - x||^2/2, 1 for -<w, x>, 2 for squared loss.)",
             neighbours, family(proved).sensitivity({1, 4}, corners));
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "one step of Algorithm 5 without step 5"},
             moves + "/m although no gradient is truncated.", neighbours,
             one_step_without_truncation.sensitivity({1, 4}, corners));
}

void add_privacy(ClaimList& claims) {
  claims.add("privacy", printed, holds, {Text::tao, "Theorem 10"},
             "Algorithm 5 is (epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.9.",
             neighbours,
             as_printed.privacy({{at(1, 1), 1, 2}, {at(2, 2), 2, 2}, {at(1, 1, 0.999, 0.9), 1, 1}},
                                {{at(1, 3), 30, 5},
                                 {at(10, 3), 30, 25},
                                 {at(20, 3, 0.1), 30, 25},
                                 {at(20, 3, 0.999, 0.1), 30, 25},
                                 {at(20, 3, 0.999, 1e-10), 30, 25},
                                 {at(1, 3, 0.999, 0.9), 30, 5},
                                 {at(50, 3, 0.999, 0.9), 30, 60}}));
  claims.add(
      "privacy.large_delta", printed, refuted, {Text::tao, "Theorem 10 by Lemma 22, 0 < delta < 1"},
      "Algorithm 5 is (epsilon, delta)-DP for 0 < epsilon < 1 and every delta < 1. (In the "
      "counterexample sparsity is s, iterations is T, truncation is B, step is eta_0, and loss "
      "says which loss: 0 for ||w - x||^2/2, 1 for -<w, x>, 2 for squared loss.)",
      neighbours,
      as_printed.privacy({{at(1, 1, 0.999, 0.9999), 1, 1}, {at(1, 1, 0.999, 0.99999), 1, 1}}));
  add_accounting<Settings>(
      claims, as_printed,
      {.edition = printed,
       .source = {Text::tao, "Algorithm 5; Lemma 22"},
       .releases = "The T runs of Peeling of Algorithm 5 on disjoint parts, each with Laplace "
                   "noise of scale 4 lambda sqrt(2 s log(1/delta))/epsilon,",
       .in_words = "5 T epsilon^2/(64 log(1/delta))",
       .rho = [](const Settings& s) {
         return 5 * static_cast<double>(*s.iterations) * s.epsilon * s.epsilon /
                (64 * -std::log(s.delta));
       }});
  const Settings hard{.claimed_loss = ClaimedLoss::distance,
                      .sparsity = 2,
                      .iterations = 2,
                      .truncation = 2,
                      .step = 0.75,
                      .epsilon = 0.02,
                      .delta = 1e-6};
  add_floor(claims, "", "Algorithm 5",
            "Theorem 11 with the words of a linear code, by group privacy",
            estimation_floor({.words = sparse_words(2, 3), .records = 60, .probability = 1},
                             as_printed.guarantee(hard), as_printed(hard)));
}

std::vector<Claim> claims() {
  ClaimList out("tao.sparse_optimization");
  add_sensitivity(out);
  add_privacy(out);
  out.append(sparse_optimization_rates());
  out.append(sparse_optimization_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  SparseOptimizationParameters p = parameters(settings, data.size(), data.dimension());
  validate_labels(settings.loss, data.all());
  p.gradients = gradient_oracle(settings.loss);
  validate(p, data.size(), data.dimension());
  settings.sparsity = p.sparsity;
  settings.iterations = p.iterations;
  settings.truncation = p.truncation;
  settings.step = p.step;
  const Index part = data.size() / p.iterations;
  PreparedRun run{
      .mechanism = [p](const Dataset& records,
                       Releases& releases) { return sparse_optimization(records, p, releases); },
      .guarantee = {p.epsilon, p.delta},
      .guarantee_source = "tao.sparse_optimization.privacy.printed",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_loss(settings.loss),
      .risk_name = mean_loss_name(settings.loss)};
  run.parameters.emplace_back("records in a part", std::to_string(part));
  run.parameters.emplace_back("sensitivity of a coordinate",
                              to_text(coordinate_sensitivity(p, part)));
  return run;
}

}  // namespace

Algorithm sparse_optimization_algorithm() {
  return algorithm("tao.sparse_optimization",
                   "heavy-tailed private iterative hard thresholding, (epsilon, delta)-DP",
                   "Tao, Wu, Cheng and Wang, Algorithm 5", fields, prepare, claims);
}

}  // namespace dpverify::tao
