#include "reports/report.hpp"

#include <gtest/gtest.h>

#include <array>

#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

Evidence with_verdict(std::string claim, Verdict verdict) {
  Evidence evidence;
  evidence.claim = std::move(claim);
  evidence.verdict = verdict;
  evidence.reason = "reason of " + evidence.claim;
  return evidence;
}

Claim holds(std::string id) { return bounded_by(std::move(id), 1); }
Claim mutant(std::string id) {
  return bounded_by(std::move(id), 1, Expectation::refuted, Edition::mutant);
}

TEST(Report, CountsVerdictsAndMutants) {
  const Report report = make_report(
      {},
      {holds("d"), holds("c"), mutant("m1"), mutant("m2"), mutant("m3"), holds("a"), holds("b")},
      {with_verdict("a", Verdict::consistent), with_verdict("b", Verdict::refuted),
       with_verdict("c", Verdict::inconclusive), with_verdict("d", Verdict::error),
       with_verdict("m1", Verdict::refuted), with_verdict("m2", Verdict::consistent),
       with_verdict("m3", Verdict::refuted)},
      {});
  const Summary& summary = report.summary;
  EXPECT_EQ(summary.claims, 7);
  EXPECT_EQ(summary.verdicts, (std::array{2, 3, 1, 0, 1}));
  EXPECT_EQ(summary.as_expected, 3);  // a, m1, m3
  EXPECT_EQ(summary.mutants, 3);
  EXPECT_EQ(summary.mutants_refuted, 2);
  ASSERT_TRUE(summary.mutation_score);
  EXPECT_DOUBLE_EQ(*summary.mutation_score, 2.0 / 3);
  ASSERT_EQ(summary.unexpected.size(), 4U);
  EXPECT_EQ(summary.unexpected[0].claim, "b");
  EXPECT_EQ(summary.unexpected[0].verdict, Verdict::refuted);
  EXPECT_EQ(summary.unexpected[0].expectation, Expectation::holds);
  EXPECT_EQ(summary.unexpected[0].reason, "reason of b");
  EXPECT_EQ(summary.unexpected[3].claim, "m2");
  EXPECT_EQ(summary.unexpected[3].expectation, Expectation::refuted);
}

// A check that the plan leaves out is neither as expected nor not.
TEST(Report, ExpectsNothingOfWhatIsNotRun) {
  const Summary summary =
      make_report({}, {holds("a"), holds("b")},
                  {with_verdict("a", Verdict::consistent), with_verdict("b", Verdict::not_run)}, {})
          .summary;
  EXPECT_EQ(summary.claims, 2);
  EXPECT_EQ(summary.as_expected, 1);
  EXPECT_TRUE(summary.unexpected.empty());
}

// Of a channel: the broken mechanisms and the twins that it looked at, and which of them it
// refuted; after them what the channels refuted together.
TEST(Report, ScoresTheChannels) {
  const auto with = [](std::string id, Verdict verdict,
                       const std::vector<std::pair<const char*, Verdict>>& channels) {
    Evidence evidence = with_verdict(std::move(id), verdict);
    for (const auto& [channel, found] : channels)
      evidence.channels.push_back({.channel = channel, .verdict = found});
    return evidence;
  };
  const auto refuted = Verdict::refuted, consistent = Verdict::consistent;
  const Report report = make_report(
      {}, {mutant("m1"), mutant("m2"), mutant("m3"), holds("t1"), holds("t2"), holds("u")},
      {with("m1", refuted, {{"exact", refuted}, {"black-box", consistent}}),
       with("m2", consistent, {{"exact", consistent}, {"black-box", Verdict::inconclusive}}),
       with("m3", refuted, {{"exact", Verdict::not_run}, {"black-box", refuted}}),
       with("t1", refuted, {{"exact", consistent}, {"black-box", refuted}}),
       with("t2", consistent, {{"exact", Verdict::not_run}, {"black-box", consistent}}),
       with_verdict("u", consistent)},
      {});
  const auto& scores = report.summary.channels;
  ASSERT_EQ(scores.size(), 3U);
  const auto expect = [&](std::size_t k, const char* channel, std::array<int, 4> counts) {
    EXPECT_EQ(scores[k].channel, channel);
    EXPECT_EQ((std::array{scores[k].broken, scores[k].caught, scores[k].twins, scores[k].flagged}),
              counts)
        << channel;
  };
  expect(0, "exact", {2, 1, 1, 0});
  expect(1, "black-box", {3, 1, 2, 1});
  expect(2, "any", {3, 2, 2, 1});
}

TEST(Report, HasNoMutationScoreWithoutMutants) {
  const Report report = make_report({}, {holds("a")}, {with_verdict("a", Verdict::consistent)}, {});
  EXPECT_FALSE(report.summary.mutation_score);
}

TEST(Report, IsSortedByClaim) {
  const Report report =
      make_report({}, {holds("b"), holds("a")},
                  {with_verdict("b", Verdict::refuted), with_verdict("a", Verdict::consistent)},
                  {.threads = 1, .started = "", .seconds = 0, .claims = {{"b", 2}, {"a", 1}}});
  EXPECT_EQ(report.claims[0].id, "a");
  EXPECT_EQ(report.evidence[0].claim, "a");
  EXPECT_EQ(report.evidence[0].verdict, Verdict::consistent);
  EXPECT_EQ(report.timings.claims[0].seconds, 1);
}

TEST(Report, NeedsOnePieceOfEvidencePerClaim) {
  EXPECT_THROW(make_report({}, {holds("a")}, {}, {}), std::logic_error);
  EXPECT_THROW(make_report({}, {holds("a")}, {with_verdict("b", Verdict::consistent)}, {}),
               std::logic_error);
  EXPECT_THROW(
      make_report({}, {holds("a"), holds("a")},
                  {with_verdict("a", Verdict::consistent), with_verdict("a", Verdict::consistent)},
                  {}),
      std::logic_error);
}

}  // namespace
}  // namespace dpverify
