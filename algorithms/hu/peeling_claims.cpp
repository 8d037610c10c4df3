// What is claimed of the sensitivity and privacy of Peeling, and its entry for the command line;
// both read one table of its parameters.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/hard_laws.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  Index sparsity = 1;
  double epsilon = 0.5;
  double delta = 1e-5;
  double clip = 1;
};

const Fields<Settings> fields{
    field("sparsity", &Settings::sparsity)
        .range(1, 1, 3)
        .option("s, 1 to the number of features", at_least_one),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.01, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.9, logarithmic)
        .option("privacy parameter, in (0, 0.9]", peeling_delta),
    field("clip", &Settings::clip).option("features are clipped to [-clip, clip]", positive)};

// One record of n moves each coordinate of the mean by at most 2 clip/n.
PeelingParameters parameters(const Settings& settings, Index n) {
  return {.sparsity = settings.sparsity,
          .sensitivity = 2 * settings.clip / static_cast<double>(n),
          .epsilon = settings.epsilon,
          .delta = settings.delta,
          .factor = peeling_factor};
}

VectorXd clipped_mean(const Dataset& data, double clip) {
  return data.features.cwiseMax(-clip).cwiseMin(clip).colwise().mean();
}

// s is cut to the number of features.
Family<Settings> family(bool repeats) {
  return {fields,
          [repeats](const Dataset& data, const Settings& settings, Releases& releases) {
            PeelingParameters p = parameters(settings, data.size());
            p.sparsity = std::min(p.sparsity, data.dimension());
            p.repeats = repeats;
            return peeling(clipped_mean(data, settings.clip), p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> as_printed = family(false);
const Family<Settings> with_repeats = family(true);

const std::vector<std::string> neighbours{"replace-one neighbours",
                                          "each coordinate of v moves by at most lambda"};

void add_sensitivity(ClaimList& claims) {
  const SensitivityClaim tight = as_printed.sensitivity({1, 4}, {{{.sparsity = 2}, 3, 4}}, true);
  claims.add("sensitivity", printed, holds, {Text::hu, "Algorithm 4, steps 4 and 7"},
             "At every selection the magnitudes, and at every release the value, move by at most "
             "lambda, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
}

void add_privacy(ClaimList& claims) {
  const std::string peeling_with_noise =
      "Peeling with Laplace noise of scale 2 lambda sqrt(3 s log(1/delta))/epsilon is (epsilon, "
      "delta)-DP for ";
  claims.add("privacy", printed, holds, {Text::hu, "Algorithm 4; Lemma 10"},
             peeling_with_noise + "0 < epsilon < 1 and delta up to 0.9.", neighbours,
             as_printed.privacy({{{.epsilon = 0.999}, 1, 2},
                                 {{.sparsity = 4, .epsilon = 0.999}, 1, 4},
                                 {{.epsilon = 0.999, .delta = 0.9}, 1, 1}},
                                {{{1, 0.999, 1e-5}, 10, 60},
                                 {{5, 0.999, 1e-5}, 10, 60},
                                 {{20, 0.1, 1e-5}, 10, 60},
                                 {{20, 0.999, 1e-2}, 10, 60},
                                 {{20, 0.999, 1e-5}, 10, 60},
                                 {{20, 0.999, 1e-7}, 10, 60},
                                 {{50, 0.999, 1e-7}, 10, 60},
                                 {{50, 0.999, 1e-12}, 10, 60},
                                 {{1, 0.999, 0.9}, 10, 60},
                                 {{50, 0.999, 0.9}, 10, 60}}));
  claims.add("privacy.large_delta", printed, refuted,
             {Text::hu, "Algorithm 4; Lemma 10, 0 < delta < 1"},
             peeling_with_noise +
                 "0 < epsilon < 1 and every delta < 1. (One coordinate and s = 1 are this check's; "
                 "sparsity is s.)",
             neighbours, as_printed.privacy({{{.epsilon = 0.999, .delta = 0.99999}, 1, 1}}));
  add_accounting<Settings>(
      claims, as_printed,
      {.edition = printed,
       .source = {Text::hu, "Algorithm 4; Lemma 10"},
       .releases = "The s selections of Peeling with noise of scale 2 lambda sqrt(3 s "
                   "log(1/delta))/epsilon, and its s values with the same,",
       .in_words = "5 epsilon^2/(24 log(1/delta))",
       .rho = [](const Settings& s) {
         return 5 * s.epsilon * s.epsilon / (24 * -std::log(s.delta));
       }});
  claims.add(
      "privacy.repeats", printed, holds, {Text::hu_published, "Algorithm 4, argmax over [d]"},
      "Selecting over all of [d] in each round, Peeling is (epsilon, delta)-DP all the same.",
      neighbours,
      with_repeats.privacy({}, {{{5, 0.999, 1e-5}, 10, 20}, {{20, 0.999, 1e-2}, 10, 60}}));
}

std::vector<Claim> claims() {
  ClaimList out("hu.peeling");
  add_sensitivity(out);
  add_privacy(out);
  const PrivacyGuarantee hard{0.02, 1e-6};
  add_floor(out, "", "Algorithm 4 on the mean of the clipped records",
            "Theorem 9 with the words of a linear code, by group privacy",
            estimation_floor({.words = sparse_words(2, 3), .records = 60, .probability = 1}, hard,
                             as_printed({2, hard.epsilon, hard.delta})));
  out.append(peeling_rates());
  out.append(peeling_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, const Settings& settings) {
  const PeelingParameters p = parameters(settings, data.size());
  validate(p, data.dimension());
  PreparedRun run{.mechanism =
                      [p, clip = settings.clip](const Dataset& records, Releases& releases) {
                        return peeling(clipped_mean(records, clip), p, releases);
                      },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "hu.peeling.privacy.printed",
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
      "hu.peeling",
      "private selection of the s largest means of clipped features, (epsilon, delta)-DP",
      "Hu, Ni, Xiao and Wang, Algorithm 4", fields, prepare, claims);
}

}  // namespace dpverify::hu
