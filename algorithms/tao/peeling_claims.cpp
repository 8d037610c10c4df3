// What is claimed of the sensitivity and privacy of Peeling, and its entry for the command line;
// both read one table of its parameters.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/peeling.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  Index sparsity = 1;
  double epsilon = 0.5;
  double delta = 1e-5;
  double threshold = 1;
};

const Fields<Settings> fields{
    field("sparsity", &Settings::sparsity)
        .range(1, 1, 4)
        .option("s, 1 to the number of features", at_least_one),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.9, logarithmic)
        .option("privacy parameter, in (0, 0.9]", peeling_delta),
    field("threshold", &Settings::threshold).option("features beyond it count as 0", positive)};

// One record of n moves each coordinate of the mean by at most 2 threshold/n.
PeelingParameters parameters(const Settings& settings, Index n) {
  return {.sparsity = settings.sparsity,
          .sensitivity = 2 * settings.threshold / static_cast<double>(n),
          .epsilon = settings.epsilon,
          .delta = settings.delta,
          .factor = peeling_factor};
}

VectorXd thresholded_mean(const Dataset& data, double threshold) {
  return thresholded(data.features, threshold).colwise().mean();
}

// s is cut to the number of features.
const Family<Settings> as_printed{
    fields,
    [](const Dataset& data, const Settings& settings, Releases& releases) {
      PeelingParameters p = parameters(settings, data.size());
      p.sparsity = std::min(p.sparsity, data.dimension());
      return peeling(thresholded_mean(data, settings.threshold), p, releases);
    },
    [](const Settings& settings) {
      return PrivacyGuarantee{settings.epsilon, settings.delta};
    }};
const Family<Settings> without_noise_on_values =
    as_printed.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const VectorXd out = as_printed.run(data, settings, releases);
      return VectorXd((out.array() != 0).select(thresholded_mean(data, settings.threshold), 0));
    });

const std::vector<std::string> neighbours{"replace-one neighbours",
                                          "each coordinate of v moves by at most lambda"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corner{{{.sparsity = 2}, 3, 4}};
  const SensitivityClaim tight = as_printed.sensitivity({1, 4}, corner, true);
  claims.add("sensitivity", printed, holds, {Text::tao, "Algorithm 4, lines 4 and 7"},
             "At every selection the magnitudes, and at every release the value, move by at most "
             "lambda, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.values_without_noise", mutant, refuted,
             {Text::this_project, "Algorithm 4, line 7 returning v_S"},
             "With every outcome pinned, Peeling that returns the selected entries of v as they "
             "are has the same output on both datasets.",
             neighbours, without_noise_on_values.sensitivity({1, 4}, corner));
}

void add_privacy(ClaimList& claims) {
  const std::string peeling_with_noise =
      "Peeling with Laplace noise of scale 4 lambda sqrt(2 s log(1/delta))/epsilon is (epsilon, "
      "delta)-DP for 0 < epsilon < 1 ";
  claims.add("privacy", printed, holds, {Text::tao, "Algorithm 4; Lemma 22"},
             peeling_with_noise + "(epsilon = 1 in the table) and 0 < delta <= 0.9.", neighbours,
             as_printed.privacy({{{1, 1, 1e-5}, 1, 2}, {{4, 1, 1e-5}, 1, 4}, {{1, 1, 0.9}, 1, 1}},
                                {{{1, 1, 1e-5}, 10, 60},
                                 {{5, 1, 1e-5}, 10, 60},
                                 {{10, 1, 1e-5}, 10, 60},
                                 {{20, 1, 1e-5}, 10, 60},
                                 {{50, 1, 1e-5}, 10, 60},
                                 {{50, 0.1, 1e-5}, 10, 60},
                                 {{50, 1, 1e-9}, 10, 60},
                                 {{50, 1, 0.1}, 10, 60},
                                 {{50, 1, 0.9}, 10, 60}}));
  add_accounting<Settings>(
      claims, as_printed,
      {.edition = printed,
       .source = {Text::tao, "Algorithm 4; Lemma 22"},
       .releases = "The s selections of Peeling with noise of scale 4 lambda sqrt(2 s "
                   "log(1/delta))/epsilon, and its s values with the same,",
       .in_words = "5 epsilon^2/(64 log(1/delta))",
       .rho = [](const Settings& s) {
         return 5 * s.epsilon * s.epsilon / (64 * -std::log(s.delta));
       }});
  claims.add("privacy.large_delta", printed, refuted,
             {Text::tao, "Algorithm 4; Lemma 22, 0 < delta < 1"},
             peeling_with_noise + "and every delta < 1. (sparsity is s.)", neighbours,
             as_printed.privacy({{{1, 0.999, 0.9999}, 1, 1}, {{1, 0.999, 0.99999}, 1, 1}}));
}

std::vector<Claim> claims() {
  ClaimList out("tao.peeling");
  add_sensitivity(out);
  add_privacy(out);
  const PrivacyGuarantee hard{0.02, 1e-6};
  add_floor(out, "", "Algorithm 4 on the mean of the thresholded records",
            "Lemma 27 with the words of a linear code, by group privacy",
            estimation_floor({.words = sparse_words(2, 3), .records = 60, .probability = 1}, hard,
                             as_printed({2, hard.epsilon, hard.delta})));
  out.append(peeling_rates());
  out.append(peeling_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, const Settings& settings) {
  const PeelingParameters p = parameters(settings, data.size());
  validate(p, data.dimension());
  PreparedRun run{
      .mechanism =
          [p, threshold = settings.threshold](const Dataset& records, Releases& releases) {
            return peeling(thresholded_mean(records, threshold), p, releases);
          },
      .guarantee = {p.epsilon, p.delta},
      .guarantee_source = "tao.peeling.privacy.printed",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_squared_distance,
      .risk_name = "mean squared distance of the features from w"};
  run.parameters.emplace_back("sensitivity of a coordinate", to_text(p.sensitivity));
  run.parameters.emplace_back("noise scale", to_text(noise_scale(p)));
  return run;
}

}  // namespace

Algorithm peeling_algorithm() {
  return algorithm(
      "tao.peeling",
      "private selection of the s largest means of thresholded features, (epsilon, delta)-DP",
      "Tao, Wu, Cheng and Wang, Algorithm 4", fields, prepare, claims);
}

}  // namespace dpverify::tao
