#include "bench/rate_reading.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

enum class Noise { lognormal, student };  // sigma 1; |t| with 3 degrees of freedom

double draw(Noise noise, RandomStream& stream) {
  if (noise == Noise::lognormal) return std::exp(stream.normal());
  const double chi_squared = 2 * stream.gamma(1.5);
  return 0.1 + std::abs(stream.normal()) / std::sqrt(chi_squared / 3);
}

struct Curve {
  double exponent = -0.5;
  double bend = 0;  // of log(risk) in log(value)^2, about the middle
  Noise noise = Noise::lognormal;
  std::size_t trials = 100;
  double control = 1e3;  // risk of the data-free run (times the noise) and of the zero vector
  std::vector<double> values{1e3, 3.2e3, 1e4, 3.2e4, 1e5};
};

// The bound is values^-0.5.
std::vector<RateMeasurement> synthetic(const Curve& curve, std::uint64_t seed) {
  RandomStream stream({.seed = seed, .claim = "synthetic", .purpose = "risks"});
  std::vector<RateMeasurement> points;
  for (const double value : curve.values) {
    const double t = std::log(value / 1e4);
    const double level = std::exp(curve.exponent * std::log(value) + curve.bend * t * t);
    RateMeasurement point{
        .value = value, .bound = std::pow(value, -0.5), .zero_risk = curve.control};
    for (std::size_t k = 0; k < curve.trials; ++k) {
      point.risks.push_back(level * draw(curve.noise, stream));
      point.data_free_risks.push_back(curve.control * draw(curve.noise, stream));
    }
    point.non_private_risks = {level / 2, level / 2};
    points.push_back(std::move(point));
  }
  return points;
}

RateQuestion question(double failure_probability = 0, double level = 1e-4) {
  return {.variable = "n",
          .exponent = -0.5,
          .failure_probability = failure_probability,
          .level = level,
          .stream_name = "test"};
}

// The same curves against the axis of a difficulty: the first point becomes the last.
std::vector<RateMeasurement> harder(std::vector<RateMeasurement> points) {
  std::ranges::reverse(points);
  for (RateMeasurement& point : points) point.value = 1e8 / point.value;
  return points;
}

TEST(RateReading, ASweepTowardsHarderProblemsIsReadFromItsOtherEnd) {
  // risk ~ value^b where the bound is value^0.5: b = 0.5 and 0.2 are consistent, 0.9 is not.
  RateQuestion asked = question();
  asked.variable = "d";
  asked.exponent = 0.5;
  for (const double exponent : {-0.5, -0.2}) {
    const RateReading fine =
        read_rate(harder(synthetic({.exponent = exponent, .trials = 400}, 1)), asked);
    EXPECT_EQ(fine.verdict, RateVerdict::consistent) << fine.reason;
    EXPECT_EQ(fine.easy, 0U);
    EXPECT_NEAR(fine.exponent, -exponent, 0.15);
    EXPECT_THAT(fine.reading, HasSubstr("grows no faster"));
  }
  const RateReading worse =
      read_rate(harder(synthetic({.exponent = -0.9, .trials = 400}, 1)), asked);
  EXPECT_EQ(worse.verdict, RateVerdict::refuted) << worse.reason;
  EXPECT_THAT(worse.reading, HasSubstr("grows faster"));
  EXPECT_GT(worse.tightness.value_or(0), 1);
}

TEST(RateReading, BelowALowerBoundNothingIsPrivate) {
  std::vector<RateMeasurement> points = synthetic({.noise = Noise::student}, 1);
  for (RateMeasurement& point : points) point.lower_bound = point.bound / 10;
  const RateReading before = read_rate(points, question());
  EXPECT_EQ(before.verdict, RateVerdict::consistent);
  EXPECT_LE(before.tightness.value_or(2), 1);
  points[2].lower_bound = 10 * points[2].bound;
  const RateReading reading = read_rate(points, question());
  EXPECT_EQ(reading.verdict, RateVerdict::refuted);
  EXPECT_EQ(reading.reading, "below the lower bound");
  EXPECT_GT(reading.tightness.value_or(0), 1);
}

// Of the seeds 1..count, how many curves are refuted.
int refutations(const Curve& curve, const RateQuestion& asked, std::uint64_t count) {
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed)
    refuted += read_rate(synthetic(curve, seed), asked).verdict == RateVerdict::refuted ? 1 : 0;
  return refuted;
}

// ---- How often it errs ------------------------------------------------------------------------

// At the level 0.005 a decision, a slope that is worse by just the tolerance is refuted in at most
// twice as many seeds, whether the noise has every moment or two, for the mean and for the
// quantile, with few trials or more.
TEST(RateReading, ATrueSlopeIsRefutedInAtMostOnePercentOfTheSeeds) {
  for (const Noise noise : {Noise::lognormal, Noise::student})
    for (const double zeta : {0.0, 0.25})
      EXPECT_LE(refutations({.exponent = -0.475, .noise = noise, .trials = 16},
                            question(zeta, 0.005), 1000),
                10)
          << "noise " << static_cast<int>(noise) << ", zeta " << zeta;
  EXPECT_LE(refutations({.exponent = -0.475, .trials = 60}, question(0, 0.005), 1000), 10);
  EXPECT_LE(refutations({.exponent = -0.475, .trials = 60}, question(0.25, 0.005), 1000), 10);
}

TEST(RateReading, ASlopeOffByATenthOverTwoDecadesIsRefuted) {
  EXPECT_GE(refutations({.exponent = -0.4, .trials = 1100}, question(0, 1e-6), 60), 57);
  EXPECT_GE(refutations({.exponent = -0.4, .trials = 1500}, question(0.25, 1e-6), 60), 57);
}

// The 95% interval of the exponent covers the true one in at least 90% of 500 seeds.
TEST(RateReading, TheIntervalOfTheExponentCoversIt) {
  for (const double zeta : {0.0, 0.25}) {
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      const RateReading reading = read_rate(synthetic({}, seed), question(zeta));
      covered += reading.exponent_lower <= -0.5 && -0.5 <= reading.exponent_upper ? 1 : 0;
    }
    EXPECT_GE(covered, 450) << zeta;
  }
}

// ---- What it says -----------------------------------------------------------------------------

TEST(RateReading, TheStatisticIsTheTheorems) {
  const auto points = synthetic({}, 1);
  const RateReading mean = read_rate(points, question());
  const RateReading quantile = read_rate(points, question(0.25));
  EXPECT_EQ(mean.run[0].value, locate_mean(points[0].risks, 0.95).value);
  EXPECT_EQ(quantile.run[0].value, locate_quantile(points[0].risks, 0.75, 0.95).value);
  EXPECT_THAT(mean.reason, HasSubstr("mean excess risk"));
  EXPECT_THAT(quantile.reason, HasSubstr("0.75-quantile of the excess risk"));
}

TEST(RateReading, ABendIsReportedBesideTheExponentOfTheWholeFit) {
  // Slope at the end: -0.8 + 2 * 0.05 * log(10) = -0.57. By symmetry about the middle the whole fit
  // has slope -0.8.
  const RateReading bent =
      read_rate(synthetic({.exponent = -0.8, .bend = 0.05, .trials = 1000}, 1), question());
  EXPECT_TRUE(bent.bent);
  EXPECT_NEAR(bent.exponent, -0.8, 0.05);
  EXPECT_NEAR(bent.end_exponent, -0.8 + 0.1 * std::log(10), 0.1);
  EXPECT_THAT(bent.reason, HasSubstr(fmt::format("({:.3f} at n = 100000)", bent.end_exponent)));
  EXPECT_EQ(bent.verdict, RateVerdict::consistent) << bent.reason;
  int straight = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    straight += read_rate(synthetic({}, seed), question()).bent ? 0 : 1;
  EXPECT_GE(straight, 190);  // binomial with p = 0.99: fewer with probability 3e-6
}

TEST(RateReading, TheFitLeavesOutTheEndWhereNothingIsLearnt) {
  auto points = synthetic({.trials = 200, .control = 3}, 1);
  for (const std::size_t k : {0U, 1U}) points[k].risks = points[k].data_free_risks;
  const RateReading reading = read_rate(points, question());
  EXPECT_EQ(reading.first, 2U);
  EXPECT_EQ(reading.last, 4U);
  EXPECT_NEAR(reading.decades, 1, 1e-12);
}

// The points fitted are chosen by the trials that are fitted: where the curve only just beats the
// control, the first one is low by selection. That costs a factor of about three of a small level.
TEST(RateReading, TheSelectionOfThePointsHardlyRefutesATrueSlope) {
  EXPECT_LE(refutations({.exponent = -0.475, .control = 0.03}, question(0, 0.005), 500), 12);
  EXPECT_LE(refutations({.exponent = -0.475, .control = 0.03}, question(0.25, 0.005), 500), 12);
}

TEST(RateReading, ACurveThatBeatsNoControlIsVacuousAndSaysWhenItWould) {
  // Mean risk exp(1/2) n^-1/2 against 0.002: they meet at n = 6.8e5.
  RateQuestion asked = question();
  const auto points = synthetic({.trials = 1000, .control = 0.002}, 1);
  const RateReading vacuous = read_rate(points, asked);
  EXPECT_EQ(vacuous.reading, "vacuous");
  EXPECT_EQ(vacuous.verdict, RateVerdict::inconclusive);
  ASSERT_TRUE(vacuous.decides_at);
  EXPECT_GT(*vacuous.decides_at, 5e5);
  EXPECT_LT(*vacuous.decides_at, 1.5e6);
  asked.learns = true;
  EXPECT_EQ(read_rate(points, asked).verdict, RateVerdict::refuted);
}

TEST(RateReading, ACurveThatDoesNotFallNeverDecides) {
  const RateReading flat =
      read_rate(synthetic({.exponent = 0, .trials = 200, .control = 0.1}, 1), question());
  EXPECT_EQ(flat.reading, "vacuous");
  EXPECT_FALSE(flat.decides_at);
  EXPECT_THAT(flat.reason, HasSubstr("no n within reach"));
}

TEST(RateReading, AShortSweepSaysHowLongItMustBe) {
  const RateReading short_sweep = read_rate(synthetic({.values = {1e4, 3e4, 1e5}}, 1), question());
  EXPECT_EQ(short_sweep.verdict, RateVerdict::inconclusive);
  ASSERT_TRUE(short_sweep.decides_at);
  EXPECT_NEAR(*short_sweep.decides_at, 1e6, 1);
  // Wide enough, but of three points.
  const RateReading sparse =
      read_rate(synthetic({.trials = 600, .values = {1e3, 1e4, 1e5}}, 1), question());
  EXPECT_EQ(sparse.reading, "too short a sweep");
  EXPECT_FALSE(sparse.decides_at);
  EXPECT_FALSE(sparse.more_trials_may_decide);
}

// ---- What a yes is worth ----------------------------------------------------------------------

struct Verdicts {
  int consistent = 0;
  int refuted = 0;
};

Verdicts verdicts(const Curve& curve, const RateQuestion& asked, std::uint64_t count) {
  Verdicts out;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RateVerdict verdict = read_rate(synthetic(curve, seed), asked).verdict;
    out.consistent += verdict == RateVerdict::consistent ? 1 : 0;
    out.refuted += verdict == RateVerdict::refuted ? 1 : 0;
  }
  return out;
}

// Whatever the number of trials: what is worse than claimed by the margin is called consistent in
// at most a tenth of the seeds (15 of 80: more with probability 5e-3 at a tenth), for the mean and
// the quantile; and what is flat never.
TEST(RateReading, ACurveOfHalfTheExponentIsRarelyConsistentAndAFlatOneNever) {
  for (const Noise noise : {Noise::lognormal, Noise::student})
    for (const double zeta : {0.0, 0.25})
      for (const std::size_t trials : {12U, 25U, 50U, 100U}) {
        const auto where =
            fmt::format("noise {}, zeta {}, {} trials", static_cast<int>(noise), zeta, trials);
        EXPECT_LE(
            verdicts({.exponent = -0.25, .noise = noise, .trials = trials}, question(zeta), 80)
                .consistent,
            15)
            << where;
        EXPECT_EQ(verdicts({.exponent = 0, .noise = noise, .trials = trials}, question(zeta), 80)
                      .consistent,
                  0)
            << where;
      }
}

TEST(RateReading, TooFewTrialsSayHowManyWouldDoAndThatManyDo) {
  const RateReading few = read_rate(synthetic({.trials = 20}, 1), question());
  EXPECT_EQ(few.verdict, RateVerdict::inconclusive);
  EXPECT_EQ(few.reading, "too few trials");
  EXPECT_TRUE(few.more_trials_may_decide);
  ASSERT_TRUE(few.trials_needed);
  EXPECT_THAT(few.reason, HasSubstr("worse by 0.25 might not have been refuted"));
  const auto enough = static_cast<std::size_t>(2 * *few.trials_needed);
  EXPECT_GE(verdicts({.trials = enough}, question(), 40).consistent, 38);
  const RateReading many = read_rate(synthetic({.trials = enough}, 1), question());
  EXPECT_LE(many.detectable_slope, 0.25);
  // A third more than is said do in half of the seeds at least.
  const auto just = static_cast<std::size_t>(1.3 * *few.trials_needed);
  EXPECT_GE(verdicts({.trials = just}, question(), 40).consistent, 20);
}

// The size that is said to be detected is detected: at it, 0.95 of the seeds refute (fewer than 178
// of 200 with probability 1e-3), for noise whose size is the same at every point.
TEST(RateReading, AFaultOfTheSizeThatIsSaidIsRefuted) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    sum += read_rate(synthetic({}, seed), question()).detectable_slope;
  EXPECT_GE(verdicts({.exponent = -0.5 + sum / 50}, question(), 200).refuted, 178);
  EXPECT_LE(verdicts({.exponent = -0.5 + sum / 100}, question(), 200).refuted, 160);
}

TEST(RateReading, TheMarginIsHalfTheExponentOrFifteenHundredths) {
  EXPECT_EQ(margin_of(-1), 0.5);
  EXPECT_EQ(margin_of(1.25), 0.625);
  EXPECT_EQ(margin_of(-0.2), 0.15);
  EXPECT_EQ(margin_of(0), 0.15);
}

TEST(RateReading, AnExponentIsAttainedMissedOrUndecided) {
  RateQuestion asked = question();
  asked.attained = 0.05;
  // A hard instance: nothing is better than the controls.
  Curve curve{.trials = 4000, .control = 1e-9};
  EXPECT_EQ(read_rate(synthetic(curve, 1), asked).verdict, RateVerdict::consistent);
  curve.exponent = -0.8;  // faster is another exponent too
  EXPECT_EQ(read_rate(synthetic(curve, 1), asked).verdict, RateVerdict::refuted);
  const RateReading undecided = read_rate(synthetic({.trials = 16, .control = 1e-9}, 1), asked);
  EXPECT_EQ(undecided.verdict, RateVerdict::inconclusive);
  EXPECT_THAT(undecided.reason, HasSubstr("trials a point would do"));
}

// ---- Whether more trials may decide -----------------------------------------------------------

TEST(RateReading, MoreTrialsMayDecideWhatNoiseHides) {
  // Twice the mean risk exp(1/2) n^-1/2 at the easy end: beaten, but not shown by 16 trials.
  RateQuestion asked = question();
  const Curve close{.trials = 16, .control = 0.0104};
  const RateReading hidden = read_rate(synthetic(close, 1), asked);
  EXPECT_EQ(hidden.reading, "vacuous");
  EXPECT_TRUE(hidden.more_trials_may_decide);
  // A control far below the run: no number of trials beats it.
  EXPECT_FALSE(
      read_rate(synthetic({.trials = 60, .control = 1e-6}, 1), asked).more_trials_may_decide);
  // Unless the claim says that it learns: then it is to be refuted.
  asked.learns = true;
  EXPECT_TRUE(
      read_rate(synthetic({.trials = 16, .control = 0.003}, 1), asked).more_trials_may_decide);
  // Nothing decided is decided again.
  for (const double exponent : {-0.5, -0.1}) {
    const RateReading reading =
        read_rate(synthetic({.exponent = exponent, .trials = 600}, 1), question());
    EXPECT_NE(reading.verdict, RateVerdict::inconclusive);
    EXPECT_FALSE(reading.more_trials_may_decide);
  }
}

TEST(RateReading, MoreTrialsDoNotMakeASweepLonger) {
  // All three points learn: a decade is a decade.
  EXPECT_FALSE(read_rate(synthetic({.trials = 600, .values = {1e4, 3e4, 1e5}}, 1), question())
                   .more_trials_may_decide);
  // Two decades of which the hard end is 3 % below the control, which 600 trials do not show.
  auto points = synthetic({.trials = 600}, 1);
  points[0].zero_risk = 1.03 * std::exp(0.5) * std::pow(1e3, -0.5);
  points[1].zero_risk = 1.03 * std::exp(0.5) * std::pow(3.2e3, -0.5);
  const RateReading hidden = read_rate(points, question());
  EXPECT_EQ(hidden.reading, "too short a sweep") << hidden.reason;
  EXPECT_TRUE(hidden.more_trials_may_decide);
  // Where it is clearly above the control, the range is what is lacking.
  points[1].zero_risk = 1e-6;
  const RateReading capped = read_rate(points, question());
  EXPECT_EQ(capped.reading, "too short a sweep") << capped.reason;
  EXPECT_FALSE(capped.more_trials_may_decide);
}

TEST(RateReading, ALookSpendsNoMoreThanItsShare) {
  RateQuestion asked = question(0, 1e-3);
  const auto points = synthetic({}, 1);
  const RateReading whole = read_rate(points, asked);
  asked.share = 0.25;
  const RateReading part = read_rate(points, asked);
  const double tolerance = tolerance_of(-0.5);
  EXPECT_EQ(tolerance, 0.025);
  EXPECT_NEAR((whole.critical_slope - tolerance) / whole.ratio_slope_error,
              student_t_quantile(1e-3, 99), 1e-12);
  EXPECT_NEAR((part.critical_slope - tolerance) / part.ratio_slope_error,
              student_t_quantile(2.5e-4, 99), 1e-12);
  // What is seen with probability 0.95 lies beyond what is refuted by so much.
  EXPECT_NEAR((whole.detectable_slope - whole.critical_slope) / whole.ratio_slope_error,
              student_t_quantile(0.05, 99), 1e-12);
  // The interval that is shown does not depend on it.
  EXPECT_EQ(whole.exponent_lower, part.exponent_lower);
}

TEST(RateReading, ARiskThatGrowsWithTheVariableIsReadFromTheSmallEnd) {
  // Risk and bound both as d; the control is beaten up to about d = 60.
  std::vector<RateMeasurement> points;
  RandomStream stream({.seed = 1, .claim = "synthetic", .purpose = "risks"});
  for (const double d : {1.0, 4.0, 16.0, 64.0, 256.0}) {
    RateMeasurement point{.value = d, .bound = d, .zero_risk = 60};
    for (int k = 0; k < 200; ++k) {
      point.risks.push_back(d < 60 ? d * std::exp(0.3 * stream.normal()) : 60);
      point.data_free_risks.push_back(60);
    }
    point.non_private_risks = {0, 0};
    points.push_back(point);
  }
  RateQuestion asked = question();
  asked.variable = "d";
  asked.exponent = 1;
  const RateReading reading = read_rate(points, asked);
  EXPECT_EQ(reading.first, 0U);
  EXPECT_EQ(reading.last, 2U);
  EXPECT_EQ(reading.verdict, RateVerdict::inconclusive) << "1.2 decades";
  for (RateMeasurement& point : points) point.bound = std::sqrt(point.value);
  EXPECT_EQ(read_rate(points, asked).verdict, RateVerdict::refuted);
}

TEST(RateReading, ARiskOfZeroHasAReading) {
  auto points = synthetic({.trials = 200}, 1);
  for (double& risk : points.back().risks) risk = 0;
  const RateReading reading = read_rate(points, question(0.25));
  EXPECT_TRUE(std::isfinite(reading.exponent));
  EXPECT_EQ(reading.verdict, RateVerdict::consistent) << reading.reason;
}

}  // namespace
}  // namespace dpverify
