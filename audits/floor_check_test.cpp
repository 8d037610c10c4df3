#include "audits/floor_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>

#include "audits/transcript/mean_bounds.hpp"

namespace dpverify {
namespace {

using testing::HasSubstr;

// A mechanism whose error is 1 with probability `with_noise`, else 0, and so without noise.
Claim synthetic(double bound, double with_noise, double without_noise = 0) {
  const auto instance = [=](RandomStream& stream) {
    const double u = stream.uniform();
    return Instance{Dataset{Matrix::Zero(1, 1), VectorXd::Zero(1)}, [=](const VectorXd& output) {
                      return u < (output[0] == 0 ? without_noise : with_noise) ? 1.0 : 0.0;
                    }};
  };
  const Mechanism noise = [](const Dataset&, Releases& releases) {
    return releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 1});
  };
  return {.id = "test.floor.floor.printed",
          .check = FloorClaim{.problem = "errors of known probability",
                              .mechanism = noise,
                              .guarantee = {0.5, 1e-6},
                              .draw = instance,
                              .bound = bound}};
}

TEST(FloorCheck, AnErrorBelowTheFloorIsRefuted) {
  const Evidence evidence = check_floor(synthetic(0.3, 0.1), {});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  EXPECT_THAT(evidence.reason, HasSubstr("not as private as that, or the bound is false"));
  EXPECT_THAT(evidence.reason, HasSubstr("below 30 %, the least of any (0.5, 1e-06)-DP mechanism"));
  EXPECT_EQ(evidence.claimed, 0.3);
  EXPECT_NEAR(*evidence.estimate, 0.1, 7 * std::sqrt(0.1 * 0.9 / 1000));
  EXPECT_EQ(*evidence.tightness, 0.3 / evidence.interval->upper);
  EXPECT_LT(evidence.interval->lower, *evidence.estimate);
  EXPECT_GT(evidence.interval->upper, *evidence.estimate);
  EXPECT_LT(evidence.interval->upper, 0.3);
  EXPECT_EQ(evidence.samples, 1000);
}

TEST(FloorCheck, AnErrorAboveTheFloorIsConsistentIfItsNoiseIsNeeded) {
  const Evidence seen = check_floor(synthetic(0.3, 0.6), {});
  EXPECT_EQ(seen.verdict, Verdict::consistent);
  EXPECT_THAT(seen.reason, HasSubstr("which would have been refuted"));
  const Evidence blind = check_floor(synthetic(0.3, 0.6, 0.5), {});
  EXPECT_EQ(blind.verdict, Verdict::inconclusive);
  EXPECT_THAT(blind.reason, HasSubstr("no fault in the noise could be seen"));
  // 1000 trials without an error leave a probability of 0.005 open.
  const Evidence nearly = check_floor(synthetic(0.005, 0.6, 0), {});
  EXPECT_EQ(nearly.verdict, Verdict::inconclusive);
  EXPECT_THAT(nearly.reason, HasSubstr("trials would show it"));
}

// Unit noise on a mean that is exact without it; an error is to be off by log(2)/128 or more.
TEST(FloorCheck, SaysHowLittleNoiseItWouldSee) {
  Claim claim = synthetic(0.44, 0);
  std::get<FloorClaim>(claim.check).draw = [](RandomStream&) {
    return Instance{Dataset{Matrix::Zero(1, 1), VectorXd::Zero(1)}, [](const VectorXd& output) {
                      return std::abs(output[0]) >= std::log(2.0) / 128 ? 1.0 : 0.0;
                    }};
  };
  const Evidence evidence = check_floor(claim, {});
  ASSERT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  // P(error) is 0.7 with 1/64 of the noise and 1/4 with 1/256; 0.37 in 1000 trials decide. Wrong
  // with probability below 1e-12.
  EXPECT_EQ(evidence.smallest_fault, 256);
  EXPECT_THAT(evidence.reason, HasSubstr("so would 1/256 of the noise"));
}

TEST(FloorCheck, ABoundOfNothingSaysNothing) {
  for (const double bound : {0.0, -1.0, std::nan("")}) {
    const Evidence evidence = check_floor(synthetic(bound, 0), {});
    EXPECT_EQ(evidence.verdict, Verdict::inconclusive);
    EXPECT_THAT(evidence.reason, HasSubstr("says nothing"));
    EXPECT_EQ(evidence.samples, 0);
  }
}

// Twice the stated number of trials without an error decide, half of it do not.
TEST(FloorCheck, TooFewTrialsSayHowManyWouldDecide) {
  const CheckContext context;
  const Evidence evidence = check_floor(synthetic(0.005, 0), context);
  ASSERT_EQ(evidence.verdict, Verdict::inconclusive) << evidence.reason;
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(evidence.reason, found, std::regex("about ([0-9]+) trials would decide")));
  const double needed = std::stod(found[1]);
  const auto upper = [&](double trials) {
    return mean_upper(std::vector<double>(static_cast<std::size_t>(trials)), 1, context.level / 2);
  };
  EXPECT_LT(upper(2 * needed), 0.005);
  EXPECT_GT(upper(needed / 2), 0.005);
}

// An error exactly at the floor is refuted in at most the share of the runs that the level
// grants; one at half of it in every run.
TEST(FloorCheck, FalseRefutationsStayWithinTheLevel) {
  constexpr int runs = 200;
  int refuted = 0, refuted_below = 0;
  for (int run = 0; run < runs; ++run) {
    CheckContext context;
    context.seed = static_cast<std::uint64_t>(run);
    if (run % 10 == 0)  // 20 standard deviations apart
      refuted_below += check_floor(synthetic(0.4, 0.2), context).verdict == Verdict::refuted;
    context.level = 0.4;
    refuted += check_floor(synthetic(0.4, 0.4), context).verdict == Verdict::refuted;
  }
  const boost::math::binomial allowed(runs, 0.2);  // one of two decisions
  EXPECT_LT(refuted, boost::math::quantile(boost::math::complement(allowed, 1e-12)));
  EXPECT_EQ(refuted_below, runs / 10);
}

// Each of the two decisions has half of the level: no error in any trial bounds the mean as it
// does.
TEST(FloorCheck, EachDecisionHasHalfOfTheLevel) {
  const CheckContext context;
  const Evidence evidence = check_floor(synthetic(0.3, 0), context);
  const std::vector<double> none(static_cast<std::size_t>(evidence.samples), 0.0);
  ASSERT_TRUE(evidence.interval);
  EXPECT_DOUBLE_EQ(evidence.interval->upper, mean_upper(none, 1, context.level / 2));
  EXPECT_DOUBLE_EQ(1 - evidence.interval->level, 1 - (1 - context.level));
}

TEST(FloorCheck, ASmallerLevelWidensTheInterval) {
  CheckContext context;
  const Evidence loose = check_floor(synthetic(0.3, 0.1), context);
  context.level /= 1000;
  const Evidence strict = check_floor(synthetic(0.3, 0.1), context);
  EXPECT_EQ(loose.estimate, strict.estimate);
  EXPECT_GT(strict.interval->upper, loose.interval->upper);
  EXPECT_GT(strict.interval->level, loose.interval->level);
}

// Other checks of a run, however many, change nothing.
TEST(FloorCheck, TheNumberOfStatisticalChecksChangesNothing) {
  const Evidence alone = check_floor(synthetic(0.3, 0.1), {});
  const Evidence among = check_floor(synthetic(0.3, 0.1), {.statistical_checks = 1000});
  EXPECT_EQ(alone.interval->upper, among.interval->upper);
  EXPECT_EQ(alone.reason, among.reason);
}

TEST(FloorCheck, TheNumberOfThreadsChangesNothing) {
  CheckContext context;
  const Evidence one = check_floor(synthetic(0.3, 0.6, 0.1), context);
  context.threads = 4;
  const Evidence four = check_floor(synthetic(0.3, 0.6, 0.1), context);
  EXPECT_EQ(one.reason, four.reason);
  EXPECT_EQ(one.estimate, four.estimate);
}

TEST(FloorCheck, AnErrorOutsideTheUnitIntervalStopsTheCheck) {
  for (const double error : {-0.1, 1.5, std::nan("")}) {
    Claim claim = synthetic(0.3, 0.6);
    auto& check = std::get<FloorClaim>(claim.check);
    check.draw = [honest = check.draw, error](RandomStream& stream) {
      Instance instance = honest(stream);
      instance.error = [error](const VectorXd&) { return error; };
      return instance;
    };
    EXPECT_THROW(check_floor(claim, {}), std::runtime_error) << error;
  }
}

}  // namespace
}  // namespace dpverify
