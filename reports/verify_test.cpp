#include "reports/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "algorithms/claims/test_lemmas.hpp"
#include "reports/json.hpp"
#include "reports/test_claims.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Randomised response on the sign of the first label: reports it with odds exp(epsilon).
VectorXd randomised_response(const Dataset& data, Releases& releases, double epsilon) {
  VectorXd scores = VectorXd::Zero(2);
  scores[data.labels[0] > 0 ? 1 : 0] = 1;
  const Index answer = releases.select(
      ExponentialMechanism{.scores = scores, .sensitivity = 1, .coefficient = epsilon});
  return VectorXd::Constant(1, static_cast<double>(answer));
}

Claim claim_on_response(std::string id) {
  return {.id = std::move(id),
          .algorithm = "test.response",
          .source = {Text::folklore, "Theorem 1"},
          .statement = "randomised response is as private as it says"};
}

MechanismFamily response_family(double factor) {
  return [factor](const ParameterPoint& parameters) -> Mechanism {
    return [epsilon = factor * number(parameters, "epsilon")](const Dataset& data,
                                                              Releases& releases) {
      return randomised_response(data, releases, epsilon);
    };
  };
}

// Two candidates use half of what the exponential mechanism is certified for: private as claimed,
// and certified, if the factor is at most 1; with 4, the claim is off by two.
Claim private_response(std::string id, double factor) {
  Claim claim = claim_on_response(std::move(id));
  claim.check =
      PrivacyClaim{.mechanism = response_family(factor),
                   .guarantee =
                       [](const ParameterPoint& p) {
                         return PrivacyGuarantee{2 * number(p, "epsilon"), 0};
                       },
                   .settings = {{.parameters = {{"epsilon", 1}}, .records = 1, .dimension = 1}}};
  return claim;
}

Claim sensitive_response(std::string id) {
  Claim claim = claim_on_response(std::move(id));
  claim.check = SensitivityClaim{
      .mechanism = response_family(1),
      .ranges = {{.name = "epsilon", .simplest = 1, .lower = 0.1, .upper = 10}},
      .smallest_dimension = 1,
      .largest_dimension = 2,
      .settings = {{.parameters = {{"epsilon", 1}}, .records = 1, .dimension = 1}}};
  return claim;
}

std::vector<Claim> one_of_each_cheap_kind() {
  return {private_response("test.response.privacy.printed", 1),
          private_response("test.response.privacy.doubled.printed", 4),
          sensitive_response("test.response.sensitivity.printed"),
          bounded_by("test.bounded.lemma.printed", 2),
          throwing("test.bounded.lemma.broken.printed")};
}

CheckContext with_threads(int threads) {
  CheckContext context;
  context.threads = threads;
  return context;
}

// All but the timings, whose place at the end this relies on.
std::string deterministic_part(const Report& report) {
  const std::string text = to_json(report);
  const auto end = text.find("\n  \"timings\": {");
  EXPECT_NE(end, std::string::npos);
  return text.substr(0, end);
}

TEST(Verify, GivesEachKindToItsCheck) {
  const Report report = verify(one_of_each_cheap_kind(), {}, {});
  std::vector<std::pair<std::string, Verdict>> verdicts;
  for (const Evidence& evidence : report.evidence)
    verdicts.emplace_back(evidence.claim, evidence.verdict);
  EXPECT_THAT(verdicts,
              ElementsAre(std::pair("test.bounded.lemma.broken.printed", Verdict::error),
                          std::pair("test.bounded.lemma.printed", Verdict::consistent),
                          std::pair("test.response.privacy.doubled.printed", Verdict::refuted),
                          std::pair("test.response.privacy.printed", Verdict::consistent),
                          std::pair("test.response.sensitivity.printed", Verdict::consistent)));
  // exp(epsilon) odds either way: the smallest epsilon is exactly the mechanism's.
  EXPECT_NEAR(*report.evidence[2].tightness, 2, 1e-9);
  EXPECT_NEAR(*report.evidence[3].tightness, 0.5, 1e-9);
}

TEST(Verify, AThrowingCheckIsEvidenceAndStopsNothing) {
  const Report report = verify(
      {throwing("test.bounded.lemma.a.printed"), bounded_by("test.bounded.lemma.b.printed", 2)},
      with_threads(2), {});
  ASSERT_EQ(report.evidence.size(), 2U);
  EXPECT_EQ(report.evidence[0].verdict, Verdict::error);
  EXPECT_THAT(report.evidence[0].reason, HasSubstr("no value at this point"));
  EXPECT_EQ(report.evidence[1].verdict, Verdict::consistent);
  ASSERT_EQ(report.summary.unexpected.size(), 1U);
  EXPECT_EQ(report.summary.unexpected[0].claim, "test.bounded.lemma.a.printed");
  EXPECT_THAT(validate_report(to_json(report)), IsEmpty());
}

TEST(Verify, FillsInClaimSeedAndCommand) {
  CheckContext context;
  context.seed = 7;
  context.plan = Plan::ci;
  const Report report = verify({bounded_by("test.bounded.lemma.printed", 2)}, context, {});
  const Evidence& evidence = report.evidence.at(0);
  EXPECT_EQ(evidence.claim, "test.bounded.lemma.printed");
  EXPECT_EQ(evidence.seed, 7U);
  EXPECT_EQ(evidence.reproduce,
            "./dpverify verify --only test.bounded.lemma.printed --plan ci --seed 7");
}

TEST(Verify, TheReportDependsNeitherOnThreadsNorOnTheRun) {
  const auto claims = one_of_each_cheap_kind();
  const std::string once = deterministic_part(verify(claims, with_threads(1), {}));
  EXPECT_EQ(deterministic_part(verify(claims, with_threads(1), {})), once);
  EXPECT_EQ(deterministic_part(verify(claims, with_threads(2), {})), once);
  EXPECT_EQ(deterministic_part(verify(claims, with_threads(7), {})), once);
}

// Of errors that are drawn; the report names its seed in any case.
TEST(Verify, TheSeedReachesTheChecks) {
  Claim claim = erring_half("test.bounded.floor.printed", 0.1);
  std::get<FloorClaim>(claim.check).draw = [](RandomStream& stream) {
    return Instance{.data = {Matrix::Zero(1, 1), VectorXd::Zero(1)},
                    .error = [drawn = stream.uniform()](const VectorXd&) { return drawn; }};
  };
  const auto estimate = [&](std::uint64_t seed) {
    CheckContext context;
    context.seed = seed;
    return verify({claim}, context, {}).evidence.at(0).estimate;
  };
  EXPECT_EQ(estimate(1), estimate(1));
  EXPECT_NE(estimate(1), estimate(2));
}

TEST(Verify, AClaimAloneGivesTheSameEvidence) {
  const auto claims = one_of_each_cheap_kind();
  const auto evidence_of = [](const Report& report, const std::string& id) {
    const auto json = nlohmann::ordered_json::parse(to_json(report));
    for (const auto& each : json["evidence"])
      if (each["claim"] == id) return each.dump();
    return std::string("none");
  };
  const Report all = verify(claims, with_threads(2), {});
  for (const Claim& claim : claims)
    EXPECT_EQ(evidence_of(verify({claim}, with_threads(1), {}), claim.id),
              evidence_of(all, claim.id));
}

TEST(Verify, ReportsProgress) {
  std::vector<std::size_t> finished;
  double seconds_left = -1;
  verify(claims_as_expected(), {}, [&](const ProgressState& state) {
    EXPECT_EQ(state.claims, 3U);
    EXPECT_GE(state.seconds_left, 0);
    finished.push_back(state.finished);
    seconds_left = state.seconds_left;
  });
  EXPECT_THAT(finished, ElementsAre(0, 1, 1, 2, 2, 3));
  EXPECT_EQ(seconds_left, 0);
}

// Longest kinds first, so that no thread waits for the last one.
TEST(Verify, StartsWithTheLongestKind) {
  std::vector<Claim> claims = one_of_each_cheap_kind();
  claims.push_back(bounded_by("test.bounded.rate.printed", 1));
  claims.back().check = RateClaim{};
  std::vector<std::string> started;
  verify(claims, with_threads(1), [&](const ProgressState& state) {
    if (started.empty() || started.back() != state.claim) started.push_back(state.claim);
  });
  EXPECT_THAT(
      started,
      ElementsAre("test.bounded.rate.printed", "test.response.privacy.printed",
                  "test.response.privacy.doubled.printed", "test.response.sensitivity.printed",
                  "test.bounded.lemma.printed", "test.bounded.lemma.broken.printed"));
}

// What was found is used again for the same seed, plan and level only.
TEST(Verify, EvidenceIsKeptForItsSeedPlanAndLevel) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "verify_test_kept";
  int checks = 0;
  Claim claim = bounded_by("test.bounded.lemma.printed", 2);
  std::get<LemmaClaim>(claim.check).sides = [&checks](const ParameterPoint&) {
    ++checks;
    return LemmaClaim::Sides{.left = 0, .right = 1};
  };
  const auto checks_with = [&](auto change) {
    CheckpointFiles files(folder, "program");
    CheckContext context;
    change(context);
    checks = 0;
    verify({claim}, context, {}, &files);
    return checks;
  };
  EXPECT_GT(checks_with([](CheckContext&) {}), 0);
  EXPECT_EQ(checks_with([](CheckContext&) {}), 0);
  EXPECT_GT(checks_with([](CheckContext& context) { context.seed = 9; }), 0);
  EXPECT_GT(checks_with([](CheckContext& context) { context.plan = Plan::ci; }), 0);
  EXPECT_GT(checks_with([](CheckContext& context) { context.level /= 2; }), 0);
  EXPECT_EQ(checks_with([](CheckContext&) {}), 0);
  std::filesystem::remove_all(folder);
}

TEST(Verify, TimingsCoverEveryClaim) {
  const Report report = verify(claims_as_expected(), with_threads(2), {});
  EXPECT_EQ(report.timings.threads, 2);
  ASSERT_EQ(report.timings.claims.size(), 3U);
  EXPECT_EQ(report.timings.claims[0].claim, "test.bounded.lemma.corrected");
  EXPECT_THAT(report.timings.started,
              ::testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T.*Z"));
}

// A line that repeats the plan which left the claim out would decide nothing.
TEST(Verify, TheReproduceLineOfWhatAPlanLeavesOutNamesAPlanThatRunsIt) {
  const auto line = [](Sweep ci, Sweep nightly) {
    Claim claim = bounded_by("test.bounded.rate.printed", 1);
    claim.check = RateClaim{.variable = "n", .ci = std::move(ci), .nightly = std::move(nightly)};
    const Evidence evidence = verify({claim}, {}, {}).evidence.at(0);
    EXPECT_EQ(evidence.verdict, Verdict::not_run);
    return evidence.reproduce;
  };
  EXPECT_THAT(line({{10, 100}, 2}, {}), ::testing::HasSubstr("--plan ci "));
  EXPECT_THAT(line({}, {{10, 100}, 2}), ::testing::HasSubstr("--plan nightly "));
}

}  // namespace
}  // namespace dpverify
