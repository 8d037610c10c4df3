// What is claimed of the sensitivity and privacy of the private median of means, and its entry for
// the command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/median_of_means.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  std::optional<double> truncation;  // auto: Corollary 1
  std::optional<Index> blocks;       // auto: line 1
  MiddlePair middle = MiddlePair::lower;
  // The dataset is the first block of m. Blocks of records that are all tau, all -tau, all tau, ...
  // follow, then `remainder` records of 0: the first block's mean is the median.
  bool anchored = false;
  Index remainder = 0;
  double epsilon = 0.5;
  double delta = 1e-5;
  double moment = 1;
  double order = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields{
    field("truncation", &Settings::truncation)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("tau, positive; auto: Corollary 1", positive),
    field("blocks", &Settings::blocks)
        .range(1, 1, 9)
        .option("m, 1 to n; auto: line 1, rounded up", at_least_one),
    field("averaged", &Settings::middle)
        .range(MiddlePair::lower, MiddlePair::lower, MiddlePair::average),
    field("anchored", &Settings::anchored).range(true, false, true),
    field("remainder", &Settings::remainder).range(0, 0, 8),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("moment", &Settings::moment).option("u >= E|x_j|^(1+v): a public guess", positive),
    field("order", &Settings::order).option("v, in (0, 1]", fraction_or_one),
    field("failure-probability", &Settings::failure_probability)
        .option("xi of Theorem 3, in (0, 1)", fraction)};
const Fields<Settings> without_remainder = fields.within(&Settings::remainder, 0, 0, 0);

// What the algorithm gets; m is cut to the number of records.
struct Input {
  Matrix records;
  MedianOfMeansParameters parameters;
};

Input input(const Settings& settings, const Dataset& data) {
  const Index b = data.size(), m = *settings.blocks;
  Input out{data.features,
            {.truncation = *settings.truncation,
             .blocks = m,
             .epsilon = settings.epsilon,
             .delta = settings.delta,
             .middle = settings.middle}};
  if (!settings.anchored) {
    out.parameters.blocks = std::min(m, b);
    return out;
  }
  out.records = Matrix::Zero(m * b + std::min(settings.remainder, m - 1), data.dimension());
  out.records.topRows(b) = data.features;
  for (Index k = 1; k < m; ++k)
    out.records.middleRows(k * b, b).setConstant(k % 2 == 1 ? out.parameters.truncation
                                                            : -out.parameters.truncation);
  return out;
}

// The algorithm with `change` made to its parameters.
template <class Change>
Family<Settings> family(Change change) {
  return {fields,
          [change](const Dataset& data, const Settings& settings, Releases& releases) {
            auto [records, p] = input(settings, data);
            change(p, records.rows());
            return median_of_means(records, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> as_corrected = family([](MedianOfMeansParameters&, Index) {});
const Family<Settings> as_printed =
    family([](MedianOfMeansParameters& p, Index) { p.sensitivity = printed; });
const Family<Settings> if_blocks_divide = family([](MedianOfMeansParameters& p, Index n) {
                                            p.sensitivity = printed;
                                            while (n % p.blocks != 0) --p.blocks;
                                          }).over(without_remainder);
const Family<Settings> with_half_noise =
    as_corrected.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      return with_noise_times(as_corrected(settings), [](const Dataset&) { return 0.5; })(data,
                                                                                          releases);
    });

// The noise as printed, and the sensitivity that holds for blocks of floor(n/m) records.
const Family<Settings> with_printed_noise =
    as_corrected.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const auto [records, p] = input(settings, data);
      MedianOfMeansParameters as_in_print = p;
      as_in_print.sensitivity = printed;
      const Index n = records.rows(), d = records.cols();
      return releases.release(GaussianNoise{
          dpverify::median_of_means(thresholded(records, p.truncation), p.blocks, p.middle),
          l2_sensitivity(p, n, d), noise_deviation(as_in_print, n, d)});
    });

// The corrected algorithm without line 5, or without the sqrt(d) of its sensitivity and noise.
Family<Settings> faulty(bool truncates, bool root_d) {
  return as_corrected
      .running([=](const Dataset& data, const Settings& settings, Releases& releases) {
        const auto [records, p] = input(settings, data);
        const Matrix kept = truncates ? thresholded(records, p.truncation) : records;
        const Index n = kept.rows(), d = root_d ? kept.cols() : 1;
        return releases.release(GaussianNoise{dpverify::median_of_means(kept, p.blocks, p.middle),
                                              l2_sensitivity(p, n, d), noise_deviation(p, n, d)});
      })
      .over(without_remainder);
}
const Family<Settings> without_truncation = faulty(false, true);
const Family<Settings> without_root_d = faulty(true, false);

const std::vector<std::string> neighbours{"replace-one neighbours", "blocks chosen by index"};

struct Corner {
  Index blocks = 1, block_size = 1, remainder = 0, dimension = 1;
  MiddlePair middle = MiddlePair::lower;
  double epsilon = 0.999, delta = 1e-5;
};
FamilySetting<Settings> at(const Corner& corner) {
  return {{.truncation = 1,
           .blocks = corner.blocks,
           .middle = corner.middle,
           .anchored = true,
           .remainder = corner.remainder,
           .epsilon = corner.epsilon,
           .delta = corner.delta},
          corner.block_size,
          corner.dimension};
}

void add_sensitivity(ClaimList& claims) {
  constexpr MiddlePair average = MiddlePair::average;
  const Source proof{Text::tao, "proof of Theorem 3"};
  claims.add("sensitivity", printed, holds, proof,
             "If m divides n, one record moves the vector of medians by at most 2 tau m sqrt(d)/n "
             "in l2, and some pair attains it for odd m.",
             neighbours,
             if_blocks_divide.sensitivity({},
                                          {at({.blocks = 1, .block_size = 3}),
                                           at({.blocks = 3, .block_size = 2, .dimension = 2}),
                                           at({.blocks = 9, .dimension = 3}), at({.blocks = 4}),
                                           at({.blocks = 4, .block_size = 2, .middle = average})},
                                          true));
  claims.add(
      "sensitivity.remainder", printed, refuted, proof,
      "One record moves the vector of medians by at most 2 tau m sqrt(d)/n in l2 for every "
      "m <= n, with blocks of floor(n/m) records. (That reading of n/m is this check's. m is "
      "blocks and tau truncation. If anchored is 1, the dataset shown is the first block, "
      "records of tau, -tau, tau, ... fill the others in turn, and remainder records of 0 "
      "follow; averaged is 1 if an even m's two middle means are averaged.)",
      neighbours,
      as_printed.sensitivity(
          {}, {at({.blocks = 3, .remainder = 2}), at({.blocks = 9, .remainder = 8})}));
  const SensitivityClaim tight = as_corrected.sensitivity(
      {},
      {at({.blocks = 3, .block_size = 2, .remainder = 2, .dimension = 2}),
       at({.blocks = 4, .remainder = 3}), at({.blocks = 2, .middle = average}),
       at({.blocks = 8, .block_size = 2, .dimension = 2, .middle = average})},
      true);
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "Algorithm 3 with blocks of floor(n/m) records"},
             "One record moves the vector of medians by at most 2 tau sqrt(d)/floor(n/m), and by "
             "half of that if m is even and the two middle means are averaged; some pair attains "
             "each.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "Algorithm 3 without line 5"},
             "Without the truncation of line 5 one record moves the vector of medians by at most 2 "
             "tau sqrt(d)/floor(n/m).",
             neighbours, without_truncation.sensitivity({}, {at({.blocks = 1})}));
  claims.add("sensitivity.without_root_d", mutant, refuted,
             {Text::this_project, "Algorithm 3 with the sensitivity of one coordinate"},
             "One record moves the vector of medians by at most 2 tau/floor(n/m).", neighbours,
             without_root_d.sensitivity({}, {at({.blocks = 3, .dimension = 3})}));
}

const std::vector<FamilySetting<Settings>> claimed{
    at({.blocks = 3}),
    at({.blocks = 9, .block_size = 2, .dimension = 2}),
    at({.blocks = 4, .middle = MiddlePair::average}),
    at({.blocks = 3, .epsilon = 0.01}),
    at({.blocks = 3, .delta = 1e-12}),
    at({.blocks = 3, .delta = 0.01}),
    at({.blocks = 3, .delta = 0.9})};

void add_privacy(ClaimList& claims) {
  const Source theorem{Text::tao, "Theorem 3"};
  claims.add("privacy", printed, holds, theorem,
             "If m divides n, Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours, if_blocks_divide.privacy(claimed));
  claims.add(
      "privacy.remainder", printed, refuted, theorem,
      "Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon, delta < 1 for every m <= n, with blocks "
      "of floor(n/m) records. (That reading of n/m is this check's. m is blocks and tau "
      "truncation. If "
      "anchored is 1, the dataset shown is the first block, records of tau, -tau, tau, ... fill "
      "the others in turn, and remainder records of 0 follow; averaged is 1 if an even m's two "
      "middle means are averaged.)",
      neighbours,
      as_printed.privacy({at({.blocks = 3, .remainder = 2}), at({.blocks = 19, .remainder = 18}),
                          at({.blocks = 19, .block_size = 2, .remainder = 18}),
                          at({.blocks = 19, .block_size = 10, .remainder = 18}),
                          at({.blocks = 3, .remainder = 2, .delta = 0.01})}));
  claims.add("privacy.remainder", corrected, holds,
             {Text::this_project, "Theorem 3 with blocks of at least 4 records"},
             "Algorithm 3 is (epsilon, 1e-5)-DP for 0 < epsilon < 1 for every m <= n/4, with "
             "blocks of floor(n/m) records: the sensitivity is below 1.25 times the one of its "
             "noise, and Lemma 3's noise is at least 1.298 times what the exact condition needs.",
             neighbours,
             with_printed_noise.privacy(
                 {at({.blocks = 19, .block_size = 4, .remainder = 18}),
                  at({.blocks = 99, .block_size = 4, .remainder = 98}),
                  at({.blocks = 99, .block_size = 4, .remainder = 98, .epsilon = 0.01})}));
  std::vector<FamilySetting<Settings>> and_remainder = claimed;
  and_remainder.push_back(at({.blocks = 19, .remainder = 18}));
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Theorem 3 with the exact sensitivity"},
             "Algorithm 3 with Delta = 2 tau sqrt(d)/floor(n/m), halved for averaged middles, is "
             "(epsilon, delta)-DP for 0 < epsilon, delta < 1, whatever m and n.",
             neighbours, as_corrected.privacy(and_remainder));
  add_accounting<Settings>(claims, as_corrected,
                           {.edition = corrected,
                            .source = {Text::tao, "Algorithm 3; Lemma 3"},
                            .releases = "The medians of Algorithm 3, with Gaussian noise of sqrt(2 "
                                        "log(1.25/delta))/epsilon sensitivities,",
                            .in_words = "epsilon^2/(4 log(1.25/delta))",
                            .rho = [](const Settings& s) {
                              return s.epsilon * s.epsilon / (4 * std::log(1.25 / s.delta));
                            }});
  claims.add(
      "privacy.half_noise", mutant, refuted,
      {Text::this_project, "Algorithm 3 with half of its noise"},
      "Algorithm 3 with half of its noise is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
      neighbours, with_half_noise.privacy({at({.blocks = 3}), at({.blocks = 4, .dimension = 2})}));
}

void add_floors(ClaimList& claims) {
  const HardLaws laws{.words = sign_words(4), .records = 60, .probability = 1};
  const PrivacyGuarantee guarantee{0.025, 1e-6};
  add_floor(claims, "", "Algorithm 3",
            "Lemma 21 with the rows of a Hadamard matrix, by group privacy",
            estimation_floor(laws, guarantee,
                             as_corrected({.truncation = laws.size,
                                           .blocks = 3,
                                           .epsilon = guarantee.epsilon,
                                           .delta = guarantee.delta})));
}

std::vector<Claim> claims() {
  ClaimList out("tao.median_of_means");
  add_sensitivity(out);
  add_privacy(out);
  add_floors(out);
  out.append(median_of_means_rates());
  out.append(median_of_means_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  const Index n = data.size(), d = data.dimension();
  MedianOfMeansParameters p =
      median_of_means_from_theorem(n, d, settings.epsilon, settings.delta, settings.moment,
                                   settings.order, settings.failure_probability);
  p.truncation = settings.truncation.value_or(p.truncation);
  p.blocks = settings.blocks.value_or(p.blocks);
  validate(p, n);
  settings.truncation = p.truncation;
  settings.blocks = p.blocks;
  PreparedRun run{.mechanism =
                      [p](const Dataset& records, Releases& releases) {
                        return median_of_means(records.features, p, releases);
                      },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "tao.median_of_means.privacy.corrected",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_squared_distance,
                  .risk_name = "mean squared distance of the features from w"};
  run.parameters.emplace_back("records in a block", std::to_string(n / p.blocks));
  run.parameters.emplace_back("sensitivity of a coordinate", to_text(coordinate_sensitivity(p, n)));
  run.parameters.emplace_back("noise standard deviation", to_text(noise_deviation(p, n, d)));
  return run;
}

}  // namespace

Algorithm median_of_means_algorithm() {
  return algorithm("tao.median_of_means",
                   "private mean of heavy-tailed features by a median of block means, (epsilon, "
                   "delta)-DP",
                   "Tao, Wu, Cheng and Wang, Algorithm 3", fields, prepare, claims);
}

}  // namespace dpverify::tao
