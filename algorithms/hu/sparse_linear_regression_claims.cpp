// What is claimed of the sensitivity and privacy of sparse linear regression, and its entry for the
// command line; both read one table of its parameters.
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/hu/sparse_linear_regression.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  std::optional<Index> sparsity;    // auto: Theorem 7
  std::optional<Index> iterations;  // auto: Theorem 7
  std::optional<double> clip;       // auto: Theorem 7
  std::optional<double> step;       // auto: Theorem 7
  double start = 1;                 // of claims: w^1 is this times a unit vector of s equal entries
  double epsilon = 0.5;
  double delta = 1e-5;
  Index optimum_sparsity = 1;
  double largest_eigenvalue = 1;
  double smallest_eigenvalue = 1;
};

const Fields<Settings> fields{
    field("sparsity", &Settings::sparsity)
        .range(1, 1, 4)
        .option("s, 1 to the number of features; auto: (gamma/mu)^2 s*", at_least_one),
    field("iterations", &Settings::iterations)
        .range(1, 1, 3)
        .option("T, 1 to n; auto: Theorem 7", at_least_one),
    field("clip", &Settings::clip)
        .range(1.0, 0.1, 100.0, logarithmic)
        .option("K: features and labels are clipped to [-K, K]; auto: Theorem 7", positive),
    field("step", &Settings::step)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("eta_0, positive; auto: Theorem 7", positive),
    field("start", &Settings::start).range(1.0, -1.0, 1.0),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.01, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.9, logarithmic)
        .option("privacy parameter, in (0, 0.9]", peeling_delta),
    field("optimum-sparsity", &Settings::optimum_sparsity)
        .option("s*: non-zero coefficients expected, a public guess"),
    field("largest-eigenvalue", &Settings::largest_eigenvalue)
        .option("gamma of E x x^T: a public guess"),
    field("smallest-eigenvalue", &Settings::smallest_eigenvalue)
        .option("mu of E x x^T: a public guess")};

// With w^1 = 0.
SparseRegressionParameters parameters(const Settings& settings, Index n, Index d) {
  SparseRegressionParameters p = sparse_regression_from_theorem(
      n, d, settings.optimum_sparsity, settings.epsilon, settings.delta,
      settings.largest_eigenvalue, settings.smallest_eigenvalue);
  p.sparsity = settings.sparsity.value_or(p.sparsity);
  p.iterations = settings.iterations.value_or(p.iterations);
  p.clip = settings.clip.value_or(p.clip);
  p.step = settings.step.value_or(p.step);
  return p;
}

// s is cut to the number of features, T to that of records.
Family<Settings> family(RegressionSensitivity sensitivity) {
  return {fields,
          [sensitivity](const Dataset& data, const Settings& settings, Releases& releases) {
            SparseRegressionParameters p = parameters(settings, data.size(), data.dimension());
            p.sparsity = std::min(p.sparsity, data.dimension());
            p.iterations = std::min(p.iterations, data.size());
            p.sensitivity = sensitivity;
            p.initial.head(p.sparsity)
                .setConstant(settings.start / std::sqrt(static_cast<double>(p.sparsity)));
            return sparse_linear_regression(data, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> as_printed = family(RegressionSensitivity::preprint);
const Family<Settings> as_published = family(RegressionSensitivity::published);
const Family<Settings> with_declared_loss = family(RegressionSensitivity::declared_loss);

const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index",
                                          "w^1 s-sparse with l2 norm at most 1"};

FamilySetting<Settings> corner(Index s) {
  return {{.sparsity = s, .iterations = 1, .clip = 1, .step = 1}, 2, s + 1};
}

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corners{corner(1), corner(5), corner(10), corner(20),
                                                     corner(100)};
  const SensitivityClaim tight = as_printed.sensitivity({1, 5}, corners, true);
  claims.add("sensitivity", printed, holds, {Text::hu_preprint, "Algorithm 3, step 6; Theorem 6"},
             "One record moves a coordinate of w^{t+0.5} by at most lambda = 2 K^2 eta_0 (sqrt s + "
             "1)/m, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add(
      "sensitivity.published", reading, refuted,
      {Text::hu_published, "Algorithm 3, step 6, in the copy read here"},
      "One record moves a coordinate of w^{t+0.5} by at most lambda = 2 K^2 eta_0 sqrt(s + 1)/m, "
      "which is what the copy read here has in step 6 of Algorithm 3. The copy garbles the root: "
      "step 6 of the preprint and its proof of Theorem 6 have sqrt(s) + 1. Nothing in the paper "
      "falls.",
      neighbours, as_published.sensitivity({1, 5}, corners));
  claims.add("sensitivity.declared_loss", mutant, refuted,
             {Text::this_project, "Algorithm 3 with the gradient of the loss that step 1 declares"},
             "With the gradient of (<x,w> - y)^2, twice that of step 5, one record moves a "
             "coordinate of w^{t+0.5} by at most the preprint's lambda.",
             neighbours, with_declared_loss.sensitivity({1, 5}, {corner(5)}));
}

void add_privacy(ClaimList& claims) {
  const auto certified = [](Index s, double epsilon, double delta = 1e-5) {
    return FamilySetting<Settings>{
        {.sparsity = s, .iterations = 3, .clip = 1, .step = 1, .epsilon = epsilon, .delta = delta},
        30,
        60};
  };
  claims.add("privacy", printed, holds, {Text::hu_preprint, "Theorem 6"},
             "Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.9.",
             neighbours,
             as_printed.privacy({}, {certified(5, 0.999), certified(20, 0.1), certified(20, 0.999),
                                     certified(20, 0.999, 1e-12), certified(50, 0.999, 1e-2),
                                     certified(1, 0.999, 0.9), certified(50, 0.999, 0.9)}));
  claims.add("privacy.large_delta", printed, refuted,
             {Text::hu_preprint, "Theorem 6 by Lemma 10, 0 < delta < 1"},
             "Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon < 1 and every delta < 1. (One "
             "feature and s = T = K = eta_0 = 1 are this check's; sparsity is s, iterations is T, "
             "clip is K, step is eta_0 and start is w^1.)",
             neighbours,
             as_printed.privacy({{{.sparsity = 1,
                                   .iterations = 1,
                                   .clip = 1,
                                   .step = 1,
                                   .epsilon = 0.999,
                                   .delta = 0.99999},
                                  2,
                                  1}}));
}

std::vector<Claim> claims() {
  ClaimList out("hu.sparse_linear_regression");
  add_sensitivity(out);
  add_privacy(out);
  add_accounting<Settings>(
      out, as_printed,
      {.edition = printed,
       .source = {Text::hu_preprint, "Algorithm 3; Theorem 6; Lemma 10"},
       .releases = "The T runs of Peeling of Algorithm 3 on disjoint parts, each with Laplace "
                   "noise of scale 2 lambda sqrt(3 s log(1/delta))/epsilon,",
       .in_words = "5 T epsilon^2/(24 log(1/delta))",
       .rho = [](const Settings& s) {
         return 5 * static_cast<double>(*s.iterations) * s.epsilon * s.epsilon /
                (24 * -std::log(s.delta));
       }});
  out.append(sparse_linear_regression_rates());
  out.append(sparse_linear_regression_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  const SparseRegressionParameters p = parameters(settings, data.size(), data.dimension());
  validate(p, data.size(), data.dimension());
  settings.sparsity = p.sparsity;
  settings.iterations = p.iterations;
  settings.clip = p.clip;
  settings.step = p.step;
  PreparedRun run{.mechanism =
                      [p](const Dataset& records, Releases& releases) {
                        return sparse_linear_regression(records, p, releases);
                      },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "hu.sparse_linear_regression.privacy.printed",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(Loss::squared),
                  .risk_name = mean_loss_name(Loss::squared)};
  const Index part = data.size() / p.iterations;
  run.parameters.emplace_back("records in a part", std::to_string(part));
  run.parameters.emplace_back("sensitivity of a coordinate",
                              to_text(coordinate_sensitivity(p, part)));
  return run;
}

}  // namespace

Algorithm sparse_linear_regression_algorithm() {
  return algorithm("hu.sparse_linear_regression",
                   "heavy-tailed private sparse linear regression, (epsilon, delta)-DP",
                   "Hu, Ni, Xiao and Wang, Algorithm 3", fields, prepare, claims);
}

}  // namespace dpverify::hu
