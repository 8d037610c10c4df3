#include "audits/privacy_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/registry.hpp"
#include "audits/exact/privacy_curve.hpp"

namespace dpverify {
namespace {

const Claim& claim(std::string_view id) {
  const auto found =
      std::find_if(claims().begin(), claims().end(), [&id](const Claim& c) { return c.id == id; });
  if (found == claims().end()) throw std::invalid_argument("no claim " + std::string(id));
  return *found;
}

// found/claimed of the table's row for these many records and parameters.
double found_at(const Evidence& evidence, double records, double dimension, double epsilon) {
  const Table& table = evidence.tables.at(0);
  const auto column = [&table](const std::string& name) {
    return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) -
                                    table.columns.begin());
  };
  for (const auto& row : table.rows)
    if (row[column("records")] == records && row[column("dimension")] == dimension &&
        row[column("epsilon")] == epsilon)
      return row[column("found/claimed")];
  throw std::invalid_argument("no such row");
}

TEST(PrivacyCheck, WangXuStepTwoAsPrintedIsRefuted) {
  const Claim& printed = claim("wang_xu.l1_regression_second_moment.privacy.printed");
  const Evidence evidence = check_privacy(printed, {});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  EXPECT_TRUE(as_expected(printed, evidence));
  // Closed form of the worst pair: log((1 + e^-n eps)/((e^-(n-1)eps + e^-eps) e^-eps)).
  EXPECT_NEAR(found_at(evidence, 2, 1, 1), 1.4338, 5e-5);
  EXPECT_NEAR(found_at(evidence, 5, 1, 1), 1.9581, 5e-5);
  EXPECT_NEAR(found_at(evidence, 30, 1, 1), 2.0000, 5e-5);
  EXPECT_NEAR(found_at(evidence, 30, 1, 0.1), 1.8955, 5e-5);
  EXPECT_LE(*evidence.tightness, 2 + 1e-9);

  // The witness stands on its own: its pair gives the figure of its row, with a visible delta.
  ASSERT_TRUE(evidence.witness && evidence.witness->pair);
  const auto& [parameters, pair, seed, outcomes, explanation] = *evidence.witness;
  const auto& check = std::get<PrivacyClaim>(printed.check);
  const OutputPair outputs = output_pair(check.mechanism(parameters), *pair);
  const double epsilon = number(parameters, "epsilon");
  EXPECT_NEAR(smallest_epsilon(outputs, 0),
              epsilon * found_at(evidence, static_cast<double>(pair->data.size()),
                                 static_cast<double>(pair->data.dimension()), epsilon),
              1e-12);
  EXPECT_GT(delta_at(outputs, epsilon), 0.01);
}

TEST(PrivacyCheck, WangXuCorrectedReachesItsEpsilonAndNeverMore) {
  const Evidence corrected =
      check_privacy(claim("wang_xu.l1_regression_second_moment.privacy.corrected"), {});
  EXPECT_EQ(corrected.verdict, Verdict::consistent);
  EXPECT_NEAR(*corrected.tightness, 1.0000, 5e-5);
  EXPECT_LE(*corrected.tightness, 1 + 1e-12);
  const Evidence proved =
      check_privacy(claim("wang_xu.l1_regression_second_moment.privacy.proved"), {});
  EXPECT_EQ(proved.verdict, Verdict::consistent);
  EXPECT_NEAR(*proved.tightness, 0.5, 1e-3);
}

TEST(PrivacyCheck, FrankWolfeEndToEnd) {
  const Evidence printed = check_privacy(claim("hu.dp_frank_wolfe.privacy.printed"), {});
  EXPECT_EQ(printed.verdict, Verdict::consistent);
  EXPECT_NEAR(found_at(printed, 100, 2, 1), 0.3413, 5e-5);  // erf(1/sqrt2)/2
  const Evidence corrected = check_privacy(claim("hu.dp_frank_wolfe.privacy.corrected"), {});
  EXPECT_EQ(corrected.verdict, Verdict::consistent);
  EXPECT_NEAR(found_at(corrected, 100, 2, 1), 1.0000, 5e-5);
  EXPECT_LE(*corrected.tightness, 1 + 1e-12);
}

TEST(PrivacyCheck, PlantedFaultsAreRefuted) {
  for (const char* fault : {"no_truncation", "step_from_data", "overlapping_parts"}) {
    const Claim& mutant = claim("hu.dp_frank_wolfe.privacy." + std::string(fault) + ".mutant");
    const Evidence evidence = check_privacy(mutant, {});
    EXPECT_EQ(evidence.verdict, Verdict::refuted) << fault;
    EXPECT_TRUE(as_expected(mutant, evidence)) << fault;
  }
}

TEST(PrivacyCheck, EvidenceIsTheSameForEqualSeeds) {
  const Claim& printed = claim("wang_xu.l1_regression_second_moment.privacy.printed");
  const Evidence first = check_privacy(printed, {.threads = 1});
  const Evidence second = check_privacy(printed, {.threads = 2});
  EXPECT_EQ(first.reason, second.reason);
  EXPECT_EQ(first.samples, second.samples);
}

// A program that tells the truth about the first label with probability e^weight/(1 + e^weight):
// it declares no cost.
Claim randomised_response(double weight, PrivacyGuarantee guarantee) {
  const MechanismFamily response = [weight](const ParameterPoint&) -> Mechanism {
    return [weight](const Dataset& data, Releases& releases) {
      const Index truth = data.labels[0] > 0 ? 1 : 0;
      VectorXd log_probabilities(2);
      log_probabilities[truth] = -std::log1p(std::exp(-weight));
      log_probabilities[1 - truth] = -std::log1p(std::exp(weight));
      const Index said = releases.select(HiddenSelection{
          .count = 2,
          .draw =
              [=](RandomStream& stream) {
                return std::log(stream.uniform()) < log_probabilities[truth] ? truth : 1 - truth;
              },
          .log_probabilities = [=] { return log_probabilities; }});
      return VectorXd::Constant(1, static_cast<double>(said));
    };
  };
  return Claim{.id = "test.response.privacy.printed",
               .check = PrivacyClaim{
                   response, [=](const ParameterPoint&) { return guarantee; }, {{{}, 1, 1}}}};
}

// (epsilon, delta): randomised response with weight e^1.5 is not 1-DP, but (1, delta)-DP from
// delta = p - e q on, p = e^1.5/(1 + e^1.5), q = 1 - p: 0.3217.
TEST(PrivacyCheck, DeltaCounts) {
  const auto with_delta = [](double delta) { return randomised_response(1.5, {1, delta}); };
  EXPECT_EQ(check_privacy(with_delta(0), {}).verdict, Verdict::refuted);
  EXPECT_EQ(check_privacy(with_delta(0.32), {}).verdict, Verdict::refuted);
  EXPECT_EQ(check_privacy(with_delta(0.323), {}).verdict, Verdict::consistent);
}

// What is true but for rounding holds: log p - log q is epsilon in no more than 15 digits.
TEST(PrivacyCheck, AClaimThatIsReachedIsNotRefutedByRounding) {
  for (int k = 1; k <= 100; ++k) {
    const Evidence evidence = check_privacy(randomised_response(0.07 * k, {0.07 * k, 0}), {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent) << k;
    EXPECT_NEAR(*evidence.tightness, 1, 1e-12) << k;
  }
}

// One setting or two: each adds the runs of its own search.
TEST(PrivacyCheck, RunsOfEverySettingAreCounted) {
  Claim response = randomised_response(1, {1, 0});
  const std::uint64_t one = check_privacy(response, {}).samples;
  EXPECT_GT(one, 0);
  EXPECT_LT(one, 1'000'000);
  auto& settings = std::get<PrivacyClaim>(response.check).settings;
  settings.push_back(settings.front());
  const std::uint64_t two = check_privacy(response, {}).samples;
  EXPECT_GT(two, one);
  EXPECT_LT(two, 3 * one);
}

// Nothing can certify it: what the worst pair needs decides, if that is half of the claim.
TEST(PrivacyCheck, AProgramIsConsistentAsFarAsTheSearchReaches) {
  const Evidence near = check_privacy(randomised_response(0.8, {1, 0}), {});
  EXPECT_EQ(near.verdict, Verdict::consistent);
  EXPECT_EQ(near.strength, Strength::exact_on_searched_pairs);
  EXPECT_NEAR(*near.smallest_fault, 1.25, 1e-9);
  const Evidence far = check_privacy(randomised_response(0.4, {1, 0}), {});
  EXPECT_EQ(far.verdict, Verdict::inconclusive);
  EXPECT_FALSE(far.strength);
  EXPECT_NEAR(*far.smallest_fault, 2.5, 1e-9);
}

// Noise that is five times too small for what is claimed: the worst pair found does not show it,
// the certificate does.
TEST(PrivacyCheck, ACertificateAboveTheClaimIsOpen) {
  Claim peeling = claim("hu.peeling.privacy.printed");
  const Evidence honest = check_privacy(peeling, {});
  EXPECT_EQ(honest.verdict, Verdict::consistent);
  EXPECT_EQ(honest.strength, Strength::certified);
  EXPECT_GT(*honest.smallest_fault, 5);
  auto& check = std::get<PrivacyClaim>(peeling.check);
  check.guarantee = [honest = check.guarantee](const ParameterPoint& point) {
    PrivacyGuarantee guarantee = honest(point);
    guarantee.epsilon /= 5;
    return guarantee;
  };
  const Evidence open = check_privacy(peeling, {});
  EXPECT_EQ(open.verdict, Verdict::inconclusive) << open.reason;
  EXPECT_FALSE(open.strength);
  EXPECT_NE(open.reason.find("Open: the smallest epsilon is between"), std::string::npos);
}

TEST(PrivacyCheck, ARefutedClaimHasNoStrength) {
  const Evidence refuted =
      check_privacy(claim("wang_xu.l1_regression_second_moment.privacy.printed"), {});
  EXPECT_FALSE(refuted.strength || refuted.smallest_fault);
}

// Laplace noise for epsilon = 1 claimed at `epsilon`: no exact audit, only the certificate speaks.
Evidence laplace_claimed_at(double epsilon, double declared = 2) {
  const Claim claim{
      .id = "test.laplace.privacy.printed",
      .check = PrivacyClaim{.mechanism = [declared](const ParameterPoint&) -> Mechanism {
                              return [declared](const Dataset& data, Releases& releases) {
                                const VectorXd sum = VectorXd::Constant(
                                    1, data.labels.cwiseMax(-1).cwiseMin(1).sum());
                                return releases.release(LaplaceNoise{sum, declared, 2});
                              };
                            },
                            .guarantee =
                                [epsilon](const ParameterPoint&) {
                                  return PrivacyGuarantee{epsilon, 0};
                                },
                            .certified = {{{}, 3, 1}}}};
  return check_privacy(claim, {});
}

TEST(PrivacyCheck, NothingShownIsInconclusive) {
  const Evidence certified = laplace_claimed_at(1.5);
  EXPECT_EQ(certified.verdict, Verdict::consistent);
  EXPECT_EQ(certified.strength, Strength::certified);
  EXPECT_FALSE(certified.smallest_fault);  // no lower end: no claim would have been refuted
  const Evidence open = laplace_claimed_at(0.5);
  EXPECT_EQ(open.verdict, Verdict::inconclusive);
  EXPECT_NE(open.reason.find("Open: "), std::string::npos);
}

// Declared half of what it is, the sensitivity would certify half of the epsilon.
TEST(PrivacyCheck, AFalseSensitivityCertifiesNothing) {
  const Evidence evidence = laplace_claimed_at(0.5, 1);
  EXPECT_EQ(evidence.verdict, Verdict::inconclusive);
  EXPECT_NE(evidence.reason.find("certifies nothing, because release 1 moves by "),
            std::string::npos)
      << evidence.reason;
}

// One outcome has the given chance if the record says yes, and e^-loss times that if not; 1-DP is
// claimed.
Evidence of_outcomes(const std::vector<std::pair<double, double>>& chances_and_losses) {
  PrivacyClaim check{
      .mechanism = [](const ParameterPoint& point) -> Mechanism {
        return [chance = number(point, "chance"), loss = number(point, "loss")](
                   const Dataset& data, Releases& releases) {
          const double first = data.labels[0] > 0 ? chance : chance * std::exp(-loss);
          const VectorXd laws{{std::log(first), std::log1p(-first)}};
          const Index outcome = releases.select(HiddenSelection{
              .count = 2,
              .draw = [first](RandomStream& stream) { return stream.uniform() < first ? 0 : 1; },
              .log_probabilities = [laws] { return laws; }});
          return VectorXd(VectorXd::Constant(1, static_cast<double>(outcome)));
        };
      },
      .guarantee =
          [](const ParameterPoint&) {
            return PrivacyGuarantee{1, 0};
          }};
  for (const auto& [chance, loss] : chances_and_losses) {
    ParameterPoint point;
    point.add("chance", chance);
    point.add("loss", loss);
    check.settings.push_back({point, 1, 1});
  }
  return check_privacy({.id = "test.outcomes.privacy.printed", .check = check}, {});
}

// A reader is to see it happen: delta at the claimed epsilon is 9e-5, 0.0009, 0.0012, 0.01 and 0.4.
TEST(PrivacyCheck, ShowsTheWorstPairThatIsSeenOnceInAThousandRuns) {
  const Evidence some = of_outcomes({{1e-4, 10}, {9e-4, 7}, {0.5, 3}, {1.2e-3, 6}, {0.01, 5}});
  EXPECT_EQ(some.verdict, Verdict::refuted);
  EXPECT_NEAR(*some.estimate, 10, 1e-9);
  EXPECT_EQ(number(some.witness->parameters, "loss"), 6) << some.reason;
  EXPECT_NE(some.reason.find("another pair, where it is seen more often: epsilon is at least 6 "),
            std::string::npos)
      << some.reason;
  const Evidence none = of_outcomes({{1e-4, 10}, {9e-4, 7}});
  EXPECT_EQ(number(none.witness->parameters, "loss"), 7) << none.reason;
}

}  // namespace
}  // namespace dpverify
