#include "reports/rate_baseline.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "bench/rate_tables.hpp"
#include "reports/atomic_file.hpp"
#include "reports/catalogue.hpp"
#include "reports/rates_command.hpp"
#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

TEST(RateBaseline, RecordsReplaceThoseOfTheSameClaimAndPlanAndComeBack) {
  const RateRecord a{.claim = "a", .seed = 7, .points = {{100, {2, 3.25}}, {1000, {0.1}}}};
  RateRecord newer = a, ci = a, b = a;
  newer.points[0].ratios = {4};
  ci.plan = Plan::ci;
  b.claim = "b";
  const auto all = with_records({b, a, ci}, {newer});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].points[0].ratios, std::vector<double>{4});
  EXPECT_EQ(all[1].plan, Plan::ci);
  const auto back = read_baseline(baseline_text(all), "text");
  EXPECT_EQ(baseline_text(back), baseline_text(all));
  EXPECT_EQ(back[1].seed, 7U);
  EXPECT_EQ(back[1].points[0].value, 100);
  EXPECT_EQ(back[1].points[0].ratios, (std::vector<double>{2, 3.25}));
}

// 20 ratios from `least` on, one apart.
RateRecord ramp(const std::string& claim, Plan plan, double least) {
  RateRecord record{.claim = claim, .plan = plan, .points = {{.value = 100}}};
  for (int k = 0; k < 20; ++k) record.points[0].ratios.push_back(least + k);
  return record;
}

// A baseline that holds both plans of a claim: what is worse than the other plan's record is no
// regression. One that holds only the other plan is still compared with.
TEST(RateBaseline, ARecordIsComparedWithThatOfItsPlan) {
  const RateRecord smoke = ramp("a", Plan::smoke, 1), ci = ramp("a", Plan::ci, 100);
  for (const auto& baseline : {std::vector{smoke, ci}, std::vector{ci, smoke}}) {
    EXPECT_TRUE(regressions(baseline, {ci}).lines.empty());
    EXPECT_TRUE(regressions(baseline, {smoke}).lines.empty());
    EXPECT_EQ(regressions(baseline, {ramp("a", Plan::smoke, 100)}).lines.size(), 1U);
  }
  EXPECT_EQ(regressions({smoke}, {ci}).lines.size(), 1U);
  EXPECT_EQ(regressions({smoke}, {ramp("b", Plan::smoke, 100)}).compared, 0);
}

// The claims share the probability of a false alarm; the line shows the limit and the medians.
TEST(RateBaseline, SaysTheMediansAndTheLimit) {
  std::vector<RateRecord> baseline, now;
  for (int claim = 0; claim < 50; ++claim) {
    baseline.push_back(ramp(fmt::format("{}", claim), Plan::smoke, 1));
    now.push_back(ramp(fmt::format("{}", claim), Plan::smoke, claim == 7 ? 101 : 1));
  }
  const Regressions found = regressions(baseline, now);
  EXPECT_EQ(found.compared, 50);
  ASSERT_EQ(found.lines.size(), 1U);
  // 400 of 400 pairs, of 200 +- sqrt(400 * 41/12) less half a pair.
  EXPECT_EQ(
      found.lines[0],
      fmt::format("7: the median of excess risk/bound is 110.5 at 100 (was 10.5); 5.4 standard "
                  "deviations of the rank sum, where more than {:.1f} is a regression",
                  normal_quantile(1e-5 / 50)));
}

TEST(RateBaseline, KeepsConsistentRatesToFourDigits) {
  std::vector<Claim> claims{bounded_by("a.rate.printed", 1), bounded_by("b.rate.printed", 1),
                            bounded_by("c.lemma.printed", 1)};
  claims[0].check = claims[1].check = RateClaim{};
  std::vector<Evidence> evidence;
  for (const Claim& claim : claims) {
    Evidence each = full_evidence(claim.id, Verdict::consistent);
    each.tables = {to_table("n", {FirstTrials{100, {0.123456, infinity}}})};
    evidence.push_back(each);
  }
  evidence[1].verdict = Verdict::refuted;
  CheckContext context;
  context.plan = Plan::ci;
  context.seed = 5;
  const auto records = rate_records(make_report(describe(context), claims, evidence, {}));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].claim, "a.rate.printed");
  EXPECT_EQ(records[0].plan, Plan::ci);
  EXPECT_EQ(records[0].seed, 5U);
  ASSERT_EQ(records[0].points.size(), 1U);
  EXPECT_EQ(records[0].points[0].ratios, (std::vector<double>{0.1235, 1e300}));
  EXPECT_EQ(read_baseline(baseline_text(records), "text")[0].points[0].ratios,
            records[0].points[0].ratios);
}

TEST(RateBaseline, RefusesOtherVersionsAndPointsWithoutTrials) {
  const std::string good = baseline_text({{.claim = "a", .points = {{100, {2}}}}});
  EXPECT_EQ(read_baseline(good, "text").size(), 1U);
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string text = good;
    return text.replace(text.find(part), part.size(), other);
  };
  for (const std::string& bad :
       {with("\"rate_baseline_version\": 2", "\"rate_baseline_version\": 1"), with("[2.0]", "[]"),
        with("\"smoke\"", "\"quick\""), with("\"seed\": 0", "\"seed\": -1")})
    EXPECT_THROW(read_baseline(bad, "text"), std::invalid_argument) << bad;
}

// Heavy tails, few trials, many claims: of 2,000 pairs of runs of one law at 88 claims each, with
// probability 0.98 none alarms at 1e-5 a run.
TEST(RateBaseline, AnUnchangedLawDoesNotAlarmWhateverItIs) {
  RandomStream stream({.seed = 1, .claim = "baseline", .purpose = "risks"});
  const auto run = [&stream] {
    std::vector<RateRecord> records;
    for (int claim = 0; claim < 88; ++claim) {
      records.push_back({.claim = fmt::format("{}", claim)});
      for (const double value : {1e2, 1e3, 1e4}) {
        records.back().points.push_back({.value = value});
        for (int trial = 0; trial < 14; ++trial)  // Pareto without a mean
          records.back().points.back().ratios.push_back(1 / stream.uniform());
      }
    }
    return records;
  };
  int alarms = 0;
  for (int pair = 0; pair < 2'000; ++pair) {
    const auto baseline = run();
    const Regressions found = regressions(baseline, run());
    EXPECT_EQ(found.compared, 88);
    alarms += found.lines.empty() ? 0 : 1;
  }
  EXPECT_EQ(alarms, 0);
  // One claim whose risks are all ten times larger is seen, and named.
  const auto baseline = run();
  auto worse = run();
  for (RateRecord::Point& point : worse[3].points)
    for (double& ratio : point.ratios) ratio *= 10;
  const Regressions found = regressions(baseline, worse);
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_THAT(found.lines[0], ::testing::StartsWith("3: the median"));
  // At other values nothing can be compared.
  for (RateRecord& each : worse)
    for (RateRecord::Point& point : each.points) point.value *= 2;
  EXPECT_EQ(regressions(baseline, worse).compared, 0);
}

TEST(RateBaseline, TheOneThatComesWithTheSourceIsOfItsClaims) {
  const auto records = read_baseline(read_file(default_baseline()), "source");
  EXPECT_GT(records.size(), 20U);
  for (const RateRecord& each : records) {
    const Claim* claim = nullptr;
    for (const Claim& known : every_claim())
      if (known.id == each.claim) claim = &known;
    ASSERT_NE(claim, nullptr) << each.claim << " is no claim: record the baseline again";
    EXPECT_TRUE(std::holds_alternative<RateClaim>(claim->check)) << each.claim;
  }
}

}  // namespace
}  // namespace dpverify
