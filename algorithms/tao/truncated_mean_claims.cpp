// What is claimed of the sensitivity and privacy of the truncated mean, and its entry for the
// command line; both read one table of its parameters.
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/truncated_mean.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  std::optional<double> truncation;  // auto: step 1
  double epsilon = 0.5;
  double delta = 1e-5;
  double moment = 1;
  double order = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields{
    field("truncation", &Settings::truncation)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("B, positive; auto: step 1", positive),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 1.0, logarithmic)
        .option("privacy parameter, in (0, 1]", fraction_or_one),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 1.0, logarithmic)
        .option("privacy parameter, in (0, 1]", fraction_or_one),
    field("moment", &Settings::moment).option("u >= E|x|^(1+v): a public guess", positive),
    field("order", &Settings::order).option("v, in (0, 1]", fraction_or_one),
    field("failure-probability", &Settings::failure_probability)
        .option("xi of Theorem 1, in (0, 1)", fraction)};

TruncatedMeanParameters parameters(const Settings& settings) {
  return {.truncation = *settings.truncation, .epsilon = settings.epsilon, .delta = settings.delta};
}

const Family<Settings> as_printed{
    fields,
    [](const Dataset& data, const Settings& settings, Releases& releases) {
      return truncated_mean(data, parameters(settings), releases);
    },
    [](const Settings& settings) {
      return PrivacyGuarantee{settings.epsilon, settings.delta};
    }};
const Family<Settings> without_truncation =
    as_printed.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const TruncatedMeanParameters p = parameters(settings);
      const Index n = data.size();
      return releases.release(GaussianNoise{data.features.colwise().mean(), mean_sensitivity(p, n),
                                            noise_deviation(p, n)});
    });
const Family<Settings> with_half_noise =
    as_printed.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      return with_noise_times(as_printed(settings), [](const Dataset&) { return 0.5; })(data,
                                                                                        releases);
    });

const std::vector<std::string> neighbours{"replace-one neighbours"};

FamilySetting<Settings> at(double epsilon, double delta) {
  return {{.truncation = 1, .epsilon = epsilon, .delta = delta}, 3, 1};
}

void add_sensitivity(ClaimList& claims) {
  const Dimensions one{1, 1};
  const SensitivityClaim tight = as_printed.sensitivity(one, {at(0.5, 1e-5)}, true);
  claims.add("sensitivity", printed, holds, {Text::tao, "proof of Theorem 1"},
             "One record moves the truncated mean by at most 2B/n, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "Algorithm 1 without step 1"},
             "One record moves the mean of records that are not truncated by at most 2B/n.",
             neighbours, without_truncation.sensitivity(one, {at(0.5, 1e-5)}));
}

// Around the smallest epsilon at which the printed noise is too small, by delta.
std::vector<FamilySetting<Settings>> beyond_one() {
  std::vector<FamilySetting<Settings>> out;
  for (const auto& [delta, first] : {std::pair{0.9, 3.79},
                                     {0.1, 5.75},
                                     {1e-2, 6.78},
                                     {1e-3, 7.47},
                                     {1e-5, 8.42},
                                     {1e-6, 8.79},
                                     {1e-9, 9.63}}) {
    out.push_back(at(first - 0.03, delta));
    out.push_back(at(first + 0.03, delta));
  }
  out.push_back(at(16, 1e-5));
  return out;
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      at(1e-3, 1e-5), at(0.1, 1e-5), at(0.5, 1e-5), at(1, 1e-12),   at(1, 1e-5),
      at(1, 1e-2),    at(1, 0.5),    at(1, 0.9),    at(1, 1 - 1e-9)};
  claims.add("privacy", printed, holds, {Text::tao, "Theorem 1"},
             "Algorithm 1 is (epsilon, delta)-DP for 0 < epsilon, delta <= 1.", neighbours,
             as_printed.privacy(settings));
  add_accounting<Settings>(
      claims, as_printed,
      {.edition = printed,
       .source = {Text::tao, "Algorithm 1; Lemma 3"},
       .releases = "The one release of Algorithm 1, with Gaussian noise of sqrt(2 "
                   "log(1.25/delta))/epsilon sensitivities,",
       .in_words = "epsilon^2/(4 log(1.25/delta))",
       .rho =
           [](const Settings& s) { return s.epsilon * s.epsilon / (4 * std::log(1.25 / s.delta)); },
       .features = 1});
  claims.add("privacy.large_epsilon", mutant, refuted,
             {Text::this_project, "Algorithm 1 with Lemma 3's noise beyond epsilon = 1"},
             "Algorithm 1 is (epsilon, delta)-DP for every epsilon. The settings lie 0.03 below "
             "and above the smallest epsilon at which the noise is too small. (Theorem 1 claims no "
             "more than epsilon <= 1.)",
             neighbours, as_printed.privacy(beyond_one()));
  claims.add("privacy.half_noise", mutant, refuted,
             {Text::this_project, "Algorithm 1 with half of its noise"},
             "Algorithm 1 with half of its noise is (epsilon, delta)-DP for 0 < epsilon, delta <= "
             "1.",
             neighbours, with_half_noise.privacy({at(0.1, 1e-5), at(1, 1e-5)}));
}

// Theorem 2 for the point masses at 1 and at -1.
void add_floors(ClaimList& claims) {
  const HardLaws laws{.words = sign_words(1), .records = 14, .probability = 1};
  const PrivacyGuarantee guarantee{0.05, 1e-6};
  const FloorClaim floor = estimation_floor(
      laws, guarantee,
      as_printed(
          {.truncation = laws.size, .epsilon = guarantee.epsilon, .delta = guarantee.delta}));
  add_floor(claims, "", "Algorithm 1", "Theorem 2 for two point masses, by group privacy", floor);
  FloorClaim too_little = floor;
  too_little.mechanism = with_noise_times(
      floor.mechanism, [](const Dataset& data) { return 1 / static_cast<double>(data.size()); });
  claims.add(
      "floor.noise_over_n", mutant, refuted,
      {Text::this_project, "Algorithm 1 with its noise divided by n twice"},
      "Of fourteen records that are all 1 or all -1, Algorithm 1 with its noise divided by n "
      "twice shows the sign as rarely as any (0.05, 1e-06)-DP mechanism must.",
      neighbours, too_little);
}

std::vector<Claim> claims() {
  ClaimList out("tao.truncated_mean");
  add_sensitivity(out);
  add_privacy(out);
  add_floors(out);
  out.append(truncated_mean_rates());
  out.append(truncated_mean_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  const Index n = data.size();
  if (!settings.truncation)
    settings.truncation =
        truncated_mean_from_theorem(n, settings.epsilon, settings.delta, settings.moment,
                                    settings.order, settings.failure_probability)
            .truncation;
  const TruncatedMeanParameters p = parameters(settings);
  validate(p, data);
  PreparedRun run{.mechanism = as_printed(settings),
                  .guarantee = as_printed.guarantee(settings),
                  .guarantee_source = "tao.truncated_mean.privacy.printed",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_squared_distance,
                  .risk_name = "mean squared distance of the feature from w"};
  run.parameters.emplace_back("sensitivity", to_text(mean_sensitivity(p, n)));
  run.parameters.emplace_back("noise standard deviation", to_text(noise_deviation(p, n)));
  return run;
}

}  // namespace

Algorithm truncated_mean_algorithm() {
  return algorithm("tao.truncated_mean",
                   "private mean of one heavy-tailed feature, (epsilon, delta)-DP",
                   "Tao, Wu, Cheng and Wang, Algorithm 1", fields, prepare, claims);
}

}  // namespace dpverify::tao
