#include "audits/black_box/one_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "audits/black_box/test_pairs.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

// P(B = k), B ~ Binomial(size, q), by adding one trial after another.
std::vector<double> masses(Index size, double q) {
  std::vector<double> mass{1};
  for (Index trial = 0; trial < size; ++trial) {
    mass.push_back(0);
    for (std::size_t k = mass.size(); k-- > 0;)
      mass[k] = mass[k] * (1 - q) + (k > 0 ? mass[k - 1] * q : 0);
  }
  return mass;
}

// The formula as it is printed.
double slow_p_value(Index m, Index r, Index v, double epsilon, double delta) {
  const std::vector<double> mass = masses(r, 1 / (1 + std::exp(-epsilon)));
  const auto between = [&](Index from, Index to) {  // from <= B < to
    double sum = 0;
    for (Index k = from; k < to; ++k) sum += mass[static_cast<std::size_t>(k)];
    return sum;
  };
  double alpha = 0;
  for (Index i = 1; i <= v; ++i)
    alpha = std::max(alpha, between(v - i, v) / static_cast<double>(i));
  return std::min(1.0, between(v, r + 1) + 2 * static_cast<double>(m) * delta * alpha);
}

TEST(OneRun, PValueIsThatOfTheFormula) {
  for (const Index r : {1, 2, 7, 60})
    for (const double epsilon : {0.0, 0.3, 1.0, 4.0})
      for (const double delta : {0.0, 1e-5, 1e-3})
        for (Index v = 0; v <= r; ++v)
          for (const Index m : {r, 3 * r}) {
            const double expected = slow_p_value(m, r, v, epsilon, delta);
            EXPECT_NEAR(one_run_p_value(m, r, v, {epsilon, delta}), expected, 1e-8 * expected)
                << m << " " << r << " " << v << " " << epsilon << " " << delta;
          }
  // By hand: two fair coins are both guessed with 1/4; with delta, 4 delta times the larger of 1/2
  // (one is) and 3/8 (half of one or none) is added.
  EXPECT_NEAR(one_run_p_value(2, 2, 2, {0, 0}), 0.25, 1e-8);
  EXPECT_NEAR(one_run_p_value(2, 2, 2, {0, 0.01}), 0.27, 1e-8);
  EXPECT_THROW(one_run_p_value(2, 3, 2, {0, 0}), std::invalid_argument);
  EXPECT_THROW(one_run_p_value(3, 2, 3, {0, 0}), std::invalid_argument);
}

// The p-value there is the significance, and grows with epsilon.
TEST(OneRun, BoundIsWhereThePValueReachesTheSignificance) {
  for (const Index v : {30, 45, 60})
    for (const double delta : {0.0, 1e-4}) {
      const double bound = one_run_epsilon_lower(80, 60, v, delta, 0.05);
      const auto p = [&](double epsilon) { return one_run_p_value(80, 60, v, {epsilon, delta}); };
      if (v == 30) {
        EXPECT_EQ(bound, 0);
        continue;
      }
      EXPECT_LE(p(bound), 0.05);
      EXPECT_GT(p(bound + 1e-6), 0.05);
      for (double epsilon = 0; epsilon < bound; epsilon += 0.01)
        EXPECT_LT(p(epsilon), p(epsilon + 0.01));
    }
}

// Randomised response of every bit at epsilon, which is shown outright with probability delta.
std::vector<Canary> respond(Index count, double epsilon, double delta, std::uint64_t seed) {
  RandomStream stream({.seed = seed, .claim = "canaries", .purpose = "responses"});
  std::vector<Canary> canaries;
  for (Index k = 0; k < count; ++k) {
    const bool included = stream.uniform() < 0.5;
    const bool kept = stream.uniform() < 1 / (1 + std::exp(-epsilon));
    const double sign = included ? 1 : -1;
    canaries.push_back({stream.uniform() < delta ? 2 * sign : (kept ? sign : -sign), included});
  }
  return canaries;
}

OneRunAudit audit(const std::vector<Canary>& canaries, PrivacyGuarantee claimed,
                  std::uint64_t seed = 1) {
  return audit_one_run(canaries, usual_guesses(static_cast<Index>(canaries.size())), claimed, 0.05,
                       RandomStream({.seed = seed, .claim = "canaries", .purpose = "ties"}));
}

Index refuted_of(Index seeds, const std::function<OneRunAudit(std::uint64_t)>& audited) {
  Index refuted = 0;
  for (Index seed = 0; seed < seeds; ++seed)
    if (audited(static_cast<std::uint64_t>(seed)).verdict == Verdict::refuted) ++refuted;
  return refuted;
}

// Tight: with all canaries guessed at delta = 0 the p-value is uniform but for its steps.
TEST(OneRun, TrueClaimsAreRefutedAtTheSignificanceAtMost) {
  constexpr Index seeds = 1000;
  for (const auto& [epsilon, delta] :
       {std::pair(0.5, 0.0), std::pair(1.0, 0.0), std::pair(3.0, 0.0), std::pair(1.0, 0.002)}) {
    const PrivacyGuarantee claimed{epsilon, delta};
    const auto of_all = refuted_of(seeds, [&](std::uint64_t seed) {
      return audit_one_run(respond(100, epsilon, delta, seed), {{50, 50}}, claimed, 0.05,
                           RandomStream({.seed = seed}));
    });
    EXPECT_LT(of_all, black_box::binomial_limit(seeds, 0.05)) << epsilon << " " << delta;
    const auto of_several = refuted_of(seeds, [&](std::uint64_t seed) {
      return audit(respond(100, epsilon, delta, seed), claimed, seed);
    });
    EXPECT_LT(of_several, black_box::binomial_limit(seeds, 0.05)) << epsilon << " " << delta;
    // Of a claim that is a little too small many more are refuted: the level is used.
    EXPECT_GT(refuted_of(seeds,
                         [&](std::uint64_t seed) {
                           return audit_one_run(respond(100, epsilon, delta, seed), {{50, 50}},
                                                {0.3 * epsilon, delta}, 0.05,
                                                RandomStream({.seed = seed}));
                         }),
              epsilon < 1 ? 100 : 500)
        << epsilon << " " << delta;
  }
}

// Equal scores in a file that is sorted by who was included.
TEST(OneRun, TheOrderOfTheFileTellsNothing) {
  const Index refuted = refuted_of(200, [&](std::uint64_t seed) {
    std::vector<Canary> canaries = respond(100, 0, 0, seed);
    for (Canary& canary : canaries) canary.score = 1;
    std::ranges::stable_sort(
        canaries, [](const Canary& a, const Canary& b) { return a.included && !b.included; });
    return audit(canaries, {0.1, 0}, seed);
  });
  EXPECT_LT(refuted, black_box::binomial_limit(200, 0.05));
}

TEST(OneRun, RefutesWhatIsNotPrivate) {
  const OneRunAudit found = audit(respond(2000, 2, 0, 1), {1, 1e-5});
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_GT(found.epsilon_lower, 1.5);
  EXPECT_LT(found.epsilon_lower, 2);
  EXPECT_LT(audit(respond(2000, 2, 0, 1), {1, 0}).p_value, 1e-6);
  EXPECT_EQ(audit(respond(2000, 2, 0, 1), {2.5, 1e-5}).verdict, Verdict::consistent);
  const OneRunAudit few = audit(respond(4, 20, 0, 1), {2, 0});
  EXPECT_EQ(few.verdict, Verdict::inconclusive);
  EXPECT_LT(few.ceiling, 2);
}

// Rare canaries that are shown outright: few guesses show them, the guesses of all do not.
TEST(OneRun, AbstainsWhereScoresTellNothing) {
  const std::vector<Canary> canaries = respond(2000, 0, 0.1, 3);
  EXPECT_EQ(audit(canaries, {0.5, 0}).verdict, Verdict::refuted);
  const RandomStream ties({});
  EXPECT_LT(audit_one_run(canaries, {{1000, 1000}}, {0.5, 0}, 0.05, ties).epsilon_lower, 0.3);
  const OneRunAudit right = audit_one_run(canaries, {{60, 0}}, {0.5, 0}, 0.05, ties);
  EXPECT_EQ(right.correct, 60);
  EXPECT_EQ(audit_one_run(canaries, {{0, 60}}, {0.5, 0}, 0.05, ties).correct, 60);
  for (const Guesses& bad : {Guesses{0, 0}, Guesses{2000, 1}, Guesses{-1, 5}})
    EXPECT_THROW(audit_one_run(canaries, {bad}, {1, 0}, 0.05, ties), std::invalid_argument);
}

// 13 or fewer of 20 have probability 0.0004 where each has 0.9.
TEST(OneRun, FaultsOfTheSmallestSizeAreRefuted) {
  const std::vector<Guesses> tried = usual_guesses(300);
  const double fault = smallest_refuted_one_run_fault(300, tried, {1, 0}, 0.05);
  EXPECT_GT(fault, 1.1);
  EXPECT_LT(fault, 2);
  EXPECT_GE(refuted_of(20,
                       [&](std::uint64_t seed) {
                         return audit(respond(300, fault, 0, seed), {1, 0}, seed);
                       }),
            14);
  EXPECT_EQ(smallest_refuted_one_run_fault(10, usual_guesses(10), {3, 0}, 0.05), infinity);
}

// By adding up: of so many guesses, each right with the probability that the fault gives it, the
// number that is reached with probability 0.9 has a p-value of at most the share of one of them.
TEST(OneRun, TheSmallestFaultIsTheOneThatItsSlowTwinRefutes) {
  const Index size = 60;
  const std::vector<Guesses> tried = usual_guesses(size);
  const double share = 0.05 / static_cast<double>(tried.size());
  for (const PrivacyGuarantee& claimed :
       {PrivacyGuarantee{1, 0}, PrivacyGuarantee{0.5, 1e-4}, PrivacyGuarantee{0, 1e-3}}) {
    const auto refutes = [&](double fault) {
      const double right = claimed.epsilon > 0 ? 1 / (1 + std::exp(-fault * claimed.epsilon))
                                               : (1 + fault * claimed.delta) / 2;
      return std::ranges::any_of(tried, [&](const Guesses& guesses) {
        const std::vector<double> mass = masses(guesses.total(), right);
        double tail = 0;
        Index reached = guesses.total() + 1;
        while (reached > 0 && tail < 0.9) tail += mass[static_cast<std::size_t>(--reached)];
        return slow_p_value(size, guesses.total(), reached, claimed.epsilon, claimed.delta) <=
               share;
      });
    };
    const double fault = smallest_refuted_one_run_fault(size, tried, claimed, 0.05);
    ASSERT_LT(fault, 1 / std::max(1e-3, claimed.delta)) << claimed.epsilon;
    ASSERT_GT(fault, 1.01);
    EXPECT_TRUE(refutes(fault * (1 + 1e-6))) << claimed.epsilon;
    EXPECT_FALSE(refutes(fault * (1 - 1e-6))) << claimed.epsilon;
  }
}

TEST(OneRun, FairCoins) {
  EXPECT_EQ(fair_coins_p_value({{0, true}, {0, false}}), 1);
  const std::vector<Canary> all(20, {0, true});
  EXPECT_NEAR(fair_coins_p_value(all), std::ldexp(1, -19), 1e-12);
}

TEST(OneRun, ReadsCanariesAndSaysWhatItCannotRead) {
  const std::string path = ::testing::TempDir() + "one_run_test_" + std::to_string(getpid());
  const auto read = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return read_canaries(path);
  };
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  for (const char* text :
       {"score,included\n1.5,1\n-inf,0\n", "1.5 1\n-inf\t0", " 1.5 , 1\r\n-inf,0\r\n"}) {
    const std::vector<Canary> canaries = read(text);
    ASSERT_EQ(canaries.size(), 2U) << text;
    EXPECT_EQ(canaries[0].score, 1.5);
    EXPECT_TRUE(canaries[0].included);
    EXPECT_EQ(canaries[1].score, -infinity);
    EXPECT_FALSE(canaries[1].included);
  }
  for (const char* bad : {"1,1\n2,2\n", "1,1\n\n2,0\n", "1,1\nnan,0\n", "1,1\n2\n", "1,1\n2,0,3\n",
                          "1,1\nx,0\n", "1,1\n2,yes\n", "1,1\n2x,0\n", "1,1\n1e999,0\n"})
    EXPECT_THAT(complaint(bad), HasSubstr("line 2 of ")) << bad;
  EXPECT_THAT(complaint("x,1\n1,0\n"), HasSubstr("line 1 of "));
  EXPECT_THAT(complaint("score,included\n1,0\n"), HasSubstr("number of canaries"));
  EXPECT_THAT(complaint(""), HasSubstr("is 0, but must be at least 2"));
  std::filesystem::remove(path);
  EXPECT_THROW(read_canaries(path), std::invalid_argument);
  EXPECT_THROW(read_canaries(::testing::TempDir()), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
