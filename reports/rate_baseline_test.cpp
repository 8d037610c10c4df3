#include "reports/rate_baseline.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/core/random.hpp"
#include "reports/atomic_file.hpp"
#include "reports/catalogue.hpp"
#include "reports/rates_command.hpp"

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
