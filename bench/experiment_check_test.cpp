#include "bench/experiment_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using testing::HasSubstr;

// Two places with normal errors around these means, of standard deviation 0.1.
Claim comparing(double first, double second) {
  ExperimentClaim check{.problem = "errors of known means",
                        .places = {"the first error", "the second error"},
                        .alternatives = {{{0, 1, 1}}},
                        .smallest_plan = Plan::smoke,
                        .trials = 12};
  check.errors = [=](std::uint64_t seed, Index trial) {
    RandomStream stream(
        {.seed = seed, .claim = "errors", .trial = static_cast<std::uint64_t>(trial)});
    return std::vector{first + 0.1 * stream.normal(), second + 0.1 * stream.normal()};
  };
  return {.id = "test.pair.experiment.printed", .check = check};
}

ExperimentClaim& check_of(Claim& claim) { return std::get<ExperimentClaim>(claim.check); }

TEST(ExperimentCheck, WhatTheErrorsShowIsConsistent) {
  const Evidence evidence = check_experiment(comparing(1, 2), {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  EXPECT_EQ(evidence.samples, 12U);
  EXPECT_NEAR(*evidence.estimate, 0.5, 0.1);
  EXPECT_EQ(evidence.claimed, 1);
  EXPECT_LT(evidence.interval->lower, *evidence.estimate);
  EXPECT_GT(evidence.interval->upper, *evidence.estimate);
  EXPECT_EQ(evidence.interval->level, 1 - 2 * (1e-4 * 0.5));
  EXPECT_EQ(*evidence.tightness, evidence.interval->lower);
  EXPECT_EQ(*evidence.smallest_fault, 1 / evidence.interval->lower);
  EXPECT_THAT(evidence.reason, HasSubstr("The mean of the first error is"));
  EXPECT_THAT(evidence.reason, HasSubstr("that of the second error"));
  EXPECT_EQ(evidence.measurements[0].name, "mean of the first error");
  EXPECT_NEAR(evidence.measurements[0].value, 1, 0.2);
  EXPECT_NEAR(evidence.measurements[1].value, 2, 0.2);
  EXPECT_EQ(evidence.measurements[2].value, 12);
  EXPECT_EQ(evidence.measurements[3].value, 1e-4);
  EXPECT_EQ(evidence.measurements[4].value, 0.5);
}

TEST(ExperimentCheck, TheOppositeIsRefutedByTrialsThatTheScreenHasNotSeen) {
  Claim claim = comparing(2, 1);
  std::mutex lock;
  std::multiset<Index> numbers;
  check_of(claim).errors = [&, errors = check_of(claim).errors](std::uint64_t seed, Index trial) {
    const std::scoped_lock held(lock);
    numbers.insert(trial);
    return errors(seed, trial);
  };
  const Evidence evidence = check_experiment(claim, {.threads = 2});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  EXPECT_GT(*evidence.tightness, 1);
  EXPECT_NEAR(*evidence.estimate, 2, 0.3);
  EXPECT_FALSE(evidence.smallest_fault);
  EXPECT_EQ(evidence.samples, 36U);
  EXPECT_EQ(numbers.size(), 36U);
  EXPECT_EQ(std::set<Index>(numbers.begin(), numbers.end()).size(), 36U);
  EXPECT_THAT(evidence.reason, HasSubstr("24 fresh trials, at the level 4e-05 a decision: a screen "
                                         "of 12, at 0.0001, had refuted"));
}

// The confirmation stands: a screen that was unlucky refutes nothing.
TEST(ExperimentCheck, WhatTheSecondStageSaysStands) {
  Claim claim = comparing(1, 2);
  check_of(claim).errors = [errors = check_of(claim).errors](std::uint64_t seed, Index trial) {
    std::vector<double> found = errors(seed, trial);
    if (trial < 96) std::swap(found[0], found[1]);
    return found;
  };
  const Evidence evidence = check_experiment(claim, {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  EXPECT_THAT(evidence.reason, HasSubstr("had refuted the claim"));
}

TEST(ExperimentCheck, EqualMeansDecideNothing) {
  const Evidence evidence = check_experiment(comparing(1, 1), {});
  EXPECT_EQ(evidence.verdict, Verdict::inconclusive);
  EXPECT_EQ(evidence.samples, 96U);
  EXPECT_THAT(evidence.reason, HasSubstr("Look 4 of at most 4, at 96 trials."));
  EXPECT_LT(*evidence.tightness, 1);
  EXPECT_FALSE(evidence.smallest_fault);
}

TEST(ExperimentCheck, WrongVerdictsAreAsRareAsTheLevelsSay) {
  constexpr int seeds = 2000;
  constexpr double level = 0.04;  // a screen alone would err in one of five
  int refuted = 0, consistent = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Verdict verdict =
        check_experiment(comparing(1, 1), {.seed = seed, .level = level}).verdict;
    refuted += verdict == Verdict::refuted ? 1 : 0;
    consistent += verdict == Verdict::consistent ? 1 : 0;
  }
  // Looks at the same trials spend less than the sum of their shares.
  EXPECT_LE(refuted, level * seeds + 4.5 * std::sqrt(level * seeds));
  EXPECT_GE(refuted, level * seeds / 4);
  EXPECT_LE(consistent, 0.01 * seeds + 4.5 * std::sqrt(0.01 * seeds));
  EXPECT_GE(consistent, 0.01 * seeds / 4);
}

// Seven tenths of a standard deviation, where 12 trials rarely decide and 96 do.
TEST(ExperimentCheck, GoesOnWhileTrialsAreLacking) {
  int further = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Evidence evidence = check_experiment(comparing(1, 1.07), {.seed = seed});
    EXPECT_TRUE(evidence.samples == 12 || evidence.samples == 24 || evidence.samples == 48 ||
                evidence.samples == 96)
        << evidence.samples;
    decided += evidence.verdict == Verdict::consistent ? 1 : 0;
    further += evidence.samples > 12 ? 1 : 0;
  }
  EXPECT_GE(decided, 177);  // 191 expected, with a standard deviation of 3
  EXPECT_GE(further, 150);
}

// Of several rows the one that holds best, of its comparisons the worst.
TEST(ExperimentCheck, SaysTheComparisonThatDecides) {
  Claim claim = comparing(1, 2);
  check_of(claim).alternatives = {{{1, 1, 0}}, {{0, 1, 1}, {0, 0.75, 1}}};
  const Evidence evidence = check_experiment(claim, {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  EXPECT_NEAR(*evidence.estimate, 1 / 1.5, 0.1);
  EXPECT_THAT(evidence.reason, HasSubstr("times 0.75 times that of the second error"));
}

TEST(ExperimentCheck, ErrorsWithoutARatioAreDecidedByTheirDifference) {
  const Evidence negative = check_experiment(comparing(-1, 2), {});
  EXPECT_EQ(negative.verdict, Verdict::consistent);
  EXPECT_FALSE(negative.tightness);
  EXPECT_THAT(negative.reason, HasSubstr("have no ratio"));
  Claim claim = comparing(1, 2);
  check_of(claim).errors = [](std::uint64_t, Index) { return std::vector{1.0, infinity}; };
  EXPECT_EQ(check_experiment(claim, {}).verdict, Verdict::inconclusive);
}

TEST(ExperimentCheck, ASmallerPlanLeavesItOut) {
  Claim claim = comparing(1, 2);
  check_of(claim).smallest_plan = Plan::nightly;
  for (const Plan plan : {Plan::smoke, Plan::ci}) {
    const Evidence evidence = check_experiment(claim, {.plan = plan});
    EXPECT_EQ(evidence.verdict, Verdict::not_run);
    EXPECT_EQ(evidence.run_by, Plan::nightly);
    EXPECT_THAT(evidence.reason, HasSubstr("--plan nightly runs it"));
    EXPECT_FALSE(is_statistical(claim, plan));
  }
  EXPECT_EQ(check_experiment(claim, {.plan = Plan::nightly}).verdict, Verdict::consistent);
  EXPECT_TRUE(is_statistical(claim, Plan::nightly));
}

TEST(ExperimentCheck, FinishedTrialsAreNotRunAgain) {
  Claim claim = comparing(2, 1);
  std::mutex lock;
  std::map<std::string, std::string> kept;
  CheckContext context;
  context.checkpoints.recall = [&](const std::string& key) -> std::optional<std::string> {
    const auto found = kept.find(key);
    return found == kept.end() ? std::nullopt : std::optional(found->second);
  };
  context.checkpoints.keep = [&](const std::string& key, const std::string& text) {
    const std::scoped_lock held(lock);
    kept[key] = text;
  };
  const Evidence first = check_experiment(claim, context);
  EXPECT_EQ(kept.size(), 36U);
  std::atomic<int> runs = 0;
  check_of(claim).errors = [&, errors = check_of(claim).errors](std::uint64_t seed, Index trial) {
    ++runs;
    return errors(seed, trial);
  };
  const Evidence again = check_experiment(claim, context);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(again.estimate, first.estimate);
  EXPECT_EQ(again.reason, first.reason);
  // One that is cut short is run again, and so is every one of another seed.
  kept.begin()->second = "1\n";
  EXPECT_EQ(check_experiment(claim, context).reason, first.reason);
  EXPECT_EQ(runs, 1);
  context.seed = 2;
  check_experiment(claim, context);
  EXPECT_EQ(runs, 37);
}

TEST(ExperimentCheck, AnErrorTooManyIsNoError) {
  Claim claim = comparing(1, 2);
  check_of(claim).errors = [](std::uint64_t, Index) { return std::vector{1.0, 2.0, 3.0}; };
  EXPECT_THROW(check_experiment(claim, {}), std::logic_error);
}

}  // namespace
}  // namespace dpverify
