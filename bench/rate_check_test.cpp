#include "bench/rate_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/statistics.hpp"

namespace dpverify {
namespace {

// A mechanism whose output, and so its "risk" |w|, follows a law we choose: scale * n^exponent
// times a heavy-tailed positive factor of mean 1, plus nothing else. Its data-free run returns
// `data_free`, the zero vector has risk `zero`.
struct Synthetic {
  double exponent = -0.5;
  double bound_exponent = -0.5;
  double data_free = 10;
  double zero = 10;
  bool learns = false;
  double first = 100;
};

Claim rate_claim(const Synthetic& s) {
  RateClaim rate;
  rate.variable = "n";
  rate.exponent = s.bound_exponent;
  rate.learns = s.learns;
  rate.dimension = 1;
  rate.point = [s](double n) {
    const Mechanism mechanism = [s, n](const Dataset& data, Releases& releases) {
      // With data always outcome 0, without a fair coin: 40 zeros have probability 1e-12.
      VectorXd scores(2);
      scores << 1e6, 0;
      bool with_data = true;
      for (int flip = 0; flip < 40; ++flip)
        with_data &= releases.select(ExponentialMechanism{scores, 1, 1}) == 0;
      return VectorXd::Constant(1,
                                with_data ? std::pow(n, s.exponent) * data.labels[0] : s.data_free);
    };
    return RatePoint{1, mechanism, std::pow(n, s.bound_exponent)};
  };
  rate.draw = [](Index, RandomStream& stream) {
    // Pareto with tail index 3 and mean 1.
    return Dataset{Matrix::Zero(1, 1),
                   VectorXd::Constant(1, 2.0 / 3 * std::pow(stream.uniform(), -1.0 / 3))};
  };
  rate.excess_risk = [s](const VectorXd& w) { return w[0] == 0 ? s.zero : w[0]; };
  rate.smoke = {{s.first, 1e3, 1e4, 1e5}, 60};
  rate.ci = rate.smoke;
  return {.id = "test.synthetic.rate.printed", .check = rate};
}

TEST(RateCheck, APowerLawThatMatchesItsBoundIsConsistent) {
  const Evidence evidence = check_rate(rate_claim({}), {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  EXPECT_NEAR(*evidence.estimate, -0.5, 0.1);
  EXPECT_LE(evidence.interval->lower, -0.5);
  EXPECT_GE(evidence.interval->upper, -0.5);
}

TEST(RateCheck, AFasterFallIsConsistentAndASlowerOneRefuted) {
  EXPECT_EQ(check_rate(rate_claim({.exponent = -0.8}), {}).verdict, Verdict::consistent);
  const Evidence slower = check_rate(rate_claim({.exponent = -0.2}), {});
  EXPECT_EQ(slower.verdict, Verdict::refuted) << slower.reason;
  EXPECT_EQ(slower.reading, "slower than the bound");
}

TEST(RateCheck, AFallingCurveThatBeatsNobodyIsVacuous) {
  // The risk falls as claimed, but the zero vector, or the data-free run, is better.
  for (const Synthetic& s : {Synthetic{.zero = 1e-6}, Synthetic{.data_free = 1e-6}}) {
    const Evidence evidence = check_rate(rate_claim(s), {});
    EXPECT_EQ(evidence.reading, "vacuous");
    EXPECT_EQ(evidence.verdict, Verdict::inconclusive) << "a bound alone promises no more";
    Synthetic learning = s;
    learning.learns = true;
    // 60 trials of a heavy-tailed risk cannot decide at the default 1e-6.
    const Evidence worse = check_rate(rate_claim(learning), {.significance = 1e-3});
    EXPECT_EQ(worse.verdict, Verdict::refuted) << worse.reason;
  }
}

TEST(RateCheck, AShortSweepDecidesNothing) {
  const Evidence evidence = check_rate(rate_claim({.first = 4e3}), {});
  EXPECT_EQ(evidence.verdict, Verdict::inconclusive) << evidence.reason;
}

TEST(RateCheck, DoesNotDependOnThreads) {
  const Evidence one = check_rate(rate_claim({}), {.threads = 1});
  const Evidence two = check_rate(rate_claim({}), {.threads = 2});
  EXPECT_EQ(one.tables[0].rows, two.tables[0].rows);
  EXPECT_EQ(*one.estimate, *two.estimate);
}

// Under a true power law the ratio's slope exceeds the limit with the stated probability only. At
// level 0.05/5 = 0.01 a decision, 200 seeds: at most 12 refutations with probability 1 - 1e-6 if
// the level held exactly (binomial), and the t quantile leaves room for the bootstrap.
TEST(RateCheck, TypeOneErrorStaysNearItsLevel) {
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    refuted += check_rate(rate_claim({}), {.seed = seed, .significance = 0.05}).verdict ==
               Verdict::refuted;
  EXPECT_LE(refuted, 12);
}

TEST(Statistics, QuantilesAndFits) {
  EXPECT_NEAR(student_t_quantile(0.025, 19), 2.093024054, 1e-8);
  EXPECT_NEAR(normal_quantile(0.025), 1.959963985, 1e-8);
  const Line line = fit_line({0, 1, 2, 3}, {1, 3, 5, 7}, {1, 2, 3, 4});
  EXPECT_NEAR(line.slope, 2, 1e-14);
  EXPECT_NEAR(line.intercept, 1, 1e-14);
  const Sample sample = summarise({1, 2, 3, 4});
  EXPECT_EQ(sample.mean, 2.5);
  EXPECT_NEAR(sample.standard_error, std::sqrt(5.0 / 3 / 4), 1e-15);
}

}  // namespace
}  // namespace dpverify
