#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "audits/black_box/black_box.hpp"
#include "audits/black_box/test_pairs.hpp"

namespace dpverify::black_box {
namespace {

void sequential_calibration(Index seeds, Index largest_samples) {
  constexpr double significance = 0.05;
  count_false_refutations(seeds, significance, [&](const Pair& pair, std::uint64_t seed) {
    return audit_sequentially(pair.first, pair.second, {pair.epsilon, pair.delta}, significance,
                              largest_samples, {.seed = seed, .claim = pair.name}, pair.model)
               .verdict == Verdict::refuted;
  });
}

// False-failure probability 1e-12 a mechanism. The one over 2000 seeds takes minutes, too long for
// every change: disabled here, and run by .ci/nightly.
TEST(Sequential, TrueClaimsAreRefutedAtTheSignificanceAtMost) { sequential_calibration(120, 200); }
TEST(Sequential, DISABLED_TrueClaimsAreRefutedAtTheSignificanceAtMost) {
  sequential_calibration(2000, 500);
}

Index median_samples(const Pair& pair, double claimed, Index seeds) {
  std::vector<Index> samples(static_cast<std::size_t>(seeds));
  parallel_for(seeds, 2, [&](Index seed) {
    const SequentialAudit found = audit_sequentially(
        pair.first, pair.second, {claimed, 0}, 0.05, 5000,
        {.seed = static_cast<std::uint64_t>(seed), .claim = pair.name}, pair.model);
    samples[static_cast<std::size_t>(seed)] = found.verdict == Verdict::refuted
                                                  ? static_cast<Index>(found.samples)
                                                  : std::numeric_limits<Index>::max();
  });
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

// One outcome of probability p against p e^-epsilon, the rest the same on both sides or nearly so.
// A test of one fixed number of outputs with the best event known needs 110 and 400 a side for a
// power of 90 % at 95 %; the median here stays within 4 times that, though the event is learnt.
TEST(Sequential, StopsEarly) {
  struct Setting {
    double p, epsilon, claimed;
    Index fixed_size;
  };
  for (const Setting& s : {Setting{0.3, 1, 0.5, 110}, Setting{0.05, 1.75, 1, 400}}) {
    const double q = s.p * std::exp(-s.epsilon);
    const Pair one_event{"one event", finite(VectorXd{{s.p, 1 - s.p}}.array().log()),
                         finite(VectorXd{{q, 1 - q}}.array().log()), s.epsilon, OutputModel::reals};
    const Pair both{"both directions", finite(VectorXd{{s.p, q, 1 - s.p - q}}.array().log()),
                    finite(VectorXd{{q, s.p, 1 - s.p - q}}.array().log()), s.epsilon,
                    OutputModel::reals};
    for (const Pair& pair : {one_event, both}) {
      const Index median = median_samples(pair, s.claimed, 200);
      std::printf("%s, %g against %g: median %td outputs a side\n", pair.name.c_str(), s.epsilon,
                  s.claimed, median);
      EXPECT_LE(median, 4 * s.fixed_size) << pair.name;
    }
  }
}

TEST(Sequential, BrokenMechanisms) {
  const std::vector<Pair> pairs{
      {"half the noise", laplace(0, 0.5), laplace(1, 0.5), 2, OutputModel::reals},
      {"holes", naive_laplace(0, 10, 53), naive_laplace(1, 10, 53)},
      {"support", noisy_maximum(0, 2, true), noisy_maximum(1, 2, true), infinity,
       OutputModel::reals},
      {"one byte", one_byte_seed(0), one_byte_seed(1), infinity, OutputModel::reals}};
  for (const Pair& pair : pairs) {
    const SequentialAudit found =
        audit_sequentially(pair.first, pair.second, {.epsilon = 1, .delta = 0}, 1e-6, 20'000,
                           {.claim = pair.name}, pair.model);
    EXPECT_EQ(found.verdict, Verdict::refuted) << pair.name << ": " << found.reason;
    EXPECT_GE(found.log_wealth, std::log(1e6));
    EXPECT_GE(found.epsilon_lower, 1);
    EXPECT_LE(found.epsilon_lower, pair.epsilon == 0 ? infinity : pair.epsilon);
    EXPECT_FALSE(found.event.empty());
  }
}

TEST(Sequential, SaysWhenItCannotDecide) {
  const Pair pair{"disjoint", constant(scalar(0)), constant(scalar(nan))};
  const PrivacyGuarantee claimed{.epsilon = 4, .delta = 0.1};
  const auto run = [&](Index most) {
    return audit_sequentially(pair.first, pair.second, claimed, 0.05, most, {});
  };
  EXPECT_EQ(run(0).verdict, Verdict::inconclusive);
  EXPECT_EQ(run(16).verdict, Verdict::inconclusive);
  EXPECT_EQ(run(100).verdict, Verdict::inconclusive);
  EXPECT_EQ(run(100).samples, 100U);
  // After 16 outputs that are only looked at, every pair wins the largest stake at most.
  const double goal = std::log(20), one_pair = std::log1p((1 - 0.1) / (std::exp(4) + 0.1));
  const auto fewest = 16 + static_cast<Index>(std::ceil(goal / one_pair));
  EXPECT_EQ(run(fewest - 1).verdict, Verdict::inconclusive);
  EXPECT_NE(run(fewest).verdict, Verdict::inconclusive);
  const SequentialAudit enough = run(400);
  EXPECT_EQ(enough.verdict, Verdict::refuted);
  EXPECT_LT(enough.samples, 400U);
  EXPECT_THROW(
      audit_sequentially(pair.first, pair.second, {.epsilon = -1, .delta = 0}, 0.05, 10, {}),
      std::invalid_argument);
}

// One outcome is ten times likelier on one dataset: the bets are on it.
TEST(Sequential, NamesTheEventThatWasBetOn) {
  const Sampler often = finite(VectorXd{{0.3, 0.7}}.array().log()),
                rarely = finite(VectorXd{{0.03, 0.97}}.array().log());
  const auto event = [&](bool swapped) {
    const SequentialAudit found = audit_sequentially(
        swapped ? rarely : often, swapped ? often : rarely, {.epsilon = 1, .delta = 0}, 0.05, 5000,
        {.claim = "named"}, OutputModel::reals);
    EXPECT_EQ(found.verdict, Verdict::refuted);
    return found.event;
  };
  EXPECT_EQ(event(false), "output[0] <= 0");
  EXPECT_EQ(event(true), "output[0] <= 0");
}

TEST(Sequential, DoesNotDependOnThreads) {
  const RandomStream::Key key{.seed = 5, .claim = "threads"};
  const auto run = [&](int threads) {
    return audit_sequentially(laplace(0, 0.5), laplace(1, 0.5), {.epsilon = 1, .delta = 0}, 0.05,
                              2000, key, OutputModel::reals, threads);
  };
  EXPECT_EQ(run(1).samples, run(3).samples);
  EXPECT_EQ(run(1).log_wealth, run(3).log_wealth);
}

}  // namespace
}  // namespace dpverify::black_box
