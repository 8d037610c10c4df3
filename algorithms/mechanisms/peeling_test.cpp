#include "algorithms/mechanisms/peeling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/test_statistics.hpp"
#include "algorithms/mechanisms/test_slow_peeling.hpp"

namespace dpverify {
namespace {

TEST(Peeling, NoiseScaleByHand) {
  PeelingParameters p{.sparsity = 20, .sensitivity = 0.5, .epsilon = 0.8, .delta = 1e-5};
  // 2 * 0.5 sqrt(3 * 20 log(1e5))/0.8 and 4 * 0.5 sqrt(2 * 20 log(1e5))/0.8
  EXPECT_NEAR(noise_scale(p), 32.85326106098082, 1e-12);
  p.factor = 4 * std::numbers::sqrt2;
  EXPECT_NEAR(noise_scale(p), 53.64915065723368, 1e-12);
}

TEST(Peeling, AsksForTheLawsOfTheSlowTwinInEveryOrderOfSelection) {
  const Numbers v{0.5, -3, 0, 1.25}, noise{0.1, -0.2, 30, -7};
  for (Index s = 1; s <= 4; ++s) {
    const PeelingParameters p{.sparsity = s, .sensitivity = 0.3, .epsilon = 0.7, .delta = 1e-3};
    const double b =
        2 * 0.3 * std::sqrt(3 * static_cast<double>(s) * std::log(1000.0)) / 0.7;  // line 4
    std::vector<Index> order(4);
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<ScriptedStep> script;
      const Numbers expected =
          slow_peeling(v, 0.3, b, {order.begin(), order.begin() + s}, noise, script);
      ASSERT_EQ(script.size(), static_cast<std::size_t>(2 * s));
      ScriptedReleases releases(script);
      EXPECT_EQ(peeling(to_vector(v), p, releases), to_vector(expected)) << "s = " << s;
      EXPECT_TRUE(releases.finished());
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Peeling, RepeatedSelectionIsReleasedOnce) {
  const Numbers v{0.5, -3, 1}, noise{0.1, -0.2, 30};
  const PeelingParameters p{.sparsity = 3, .epsilon = 0.7, .delta = 1e-3, .repeats = true};
  std::vector<ScriptedStep> script;
  const Numbers expected =
      slow_peeling(v, 1, 2 * std::sqrt(9 * std::log(1000.0)) / 0.7, {1, 0, 1}, noise, script, true);
  ASSERT_EQ(script.size(), 5U);  // three selections over all of [d], two values
  ScriptedReleases releases(script);
  const VectorXd out = peeling(to_vector(v), p, releases);
  EXPECT_EQ(out, to_vector(expected));
  EXPECT_EQ((out.array() != 0).count(), 2);
  EXPECT_TRUE(releases.finished());
}

// P(scores[winner] + Z_winner is the largest), Z Laplace of scale b, by the midpoint rule over 40 b
// beyond the extreme scores; error of order (step/b)^2 = 4e-7 at most for scores within 10 b.
double race_probability(const Numbers& scores, std::size_t winner, double b) {
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  const double from = *low - 40 * b, to = *high + 40 * b;
  constexpr int cells = 200'000;
  double sum = 0;
  for (int c = 0; c < cells; ++c) {
    const double x = from + (to - from) * (c + 0.5) / cells;
    double term = std::exp(-std::abs(x - scores[winner]) / b) / (2 * b);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double z = (x - scores[k]) / b;
      if (k != winner) term *= z < 0 ? std::exp(z) / 2 : 1 - std::exp(-z) / 2;
    }
    sum += term;
  }
  return sum * (to - from) / cells;
}

// Draws of the whole algorithm against the probabilities of the supports, computed from the paper's
// text. A false failure has probability 1e-11.
TEST(Peeling, SupportsHaveTheProbabilitiesOfTheLaplaceRaces) {
  const Numbers v{1, -0.4, 0.2, 0};
  const PeelingParameters p{.sparsity = 2, .sensitivity = 0.05, .epsilon = 0.9, .delta = 0.1};
  const double b = 2 * 0.05 * std::sqrt(6 * std::log(10.0)) / 0.9;  // 0.413
  VectorXd probabilities = VectorXd::Zero(16);                      // of the support as a bit mask
  for (std::size_t first = 0; first < 4; ++first)
    for (std::size_t second = 0; second < 4; ++second) {
      if (second == first) continue;
      Numbers magnitudes{1, 0.4, 0.2, 0};
      const double one = race_probability(magnitudes, first, b);
      const std::size_t place = second < first ? second : second - 1;
      magnitudes.erase(magnitudes.begin() + static_cast<std::ptrdiff_t>(first));
      probabilities[static_cast<Index>((1U << first) | (1U << second))] +=
          one * race_probability(magnitudes, place, b);
    }
  EXPECT_NEAR(probabilities.sum(), 1, 1e-6);
  std::vector<Index> counts(16, 0);
  std::vector<double> noise;
  for (std::uint64_t trial = 0; trial < 40'000; ++trial) {
    SamplingReleases releases(
        RandomStream({.seed = 7, .claim = "peeling test", .purpose = "draws", .trial = trial}));
    const VectorXd out = peeling(to_vector(v), p, releases);
    std::size_t mask = 0;
    for (Index j = 0; j < 4; ++j)
      if (out[j] != 0) mask |= std::size_t{1} << j;
    ++counts[mask];
    // The noise of the released value is independent of the selection.
    const Index j = out[0] != 0 ? 0 : out[1] != 0 ? 1 : 2;
    noise.push_back(out[j] - v[static_cast<std::size_t>(j)]);
  }
  EXPECT_TRUE(counts_follow(counts, probabilities));
  EXPECT_TRUE(samples_follow(
      noise, [b](double x) { return x < 0 ? std::exp(x / b) / 2 : 1 - std::exp(-x / b) / 2; }));
}

TEST(Peeling, WithoutNoiseKeepsTheLargestMagnitudesAndTheLowestIndexOfATie) {
  NoiselessReleases releases;
  const VectorXd v = to_vector({1, -2, 2, 0.5, -1});
  const auto kept = [&](Index s) { return peeling(v, {.sparsity = s}, releases); };
  EXPECT_EQ(kept(1), to_vector({0, -2, 0, 0, 0}));
  EXPECT_EQ(kept(3), to_vector({1, -2, 2, 0, 0}));
  EXPECT_EQ(kept(5), v);  // s = d
  EXPECT_EQ(peeling(v, {.sparsity = 3, .repeats = true}, releases), to_vector({0, -2, 0, 0, 0}));
  EXPECT_EQ(peeling(VectorXd::Constant(1, -4), {.sparsity = 1}, releases),
            VectorXd::Constant(1, -4));
}

TEST(Peeling, RejectsBadParameters) {
  const VectorXd v = to_vector({1, 2, 3});
  const auto run = [&v](PeelingParameters p) {
    SamplingReleases releases(RandomStream({}));
    return peeling(v, p, releases);
  };
  EXPECT_NO_THROW(run({.sparsity = 3}));
  EXPECT_THROW(run({.sparsity = 0}), std::invalid_argument);
  EXPECT_THROW(run({.sparsity = 4}), std::invalid_argument);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.sensitivity = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.epsilon = bad}), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, 1.0, -0.1, 2.0, nan})
    EXPECT_THROW(run({.delta = bad}), std::invalid_argument) << bad;
  SamplingReleases releases(RandomStream({}));
  EXPECT_THROW(peeling(to_vector({1, nan}), {}, releases), NonFiniteRelease);
}

TEST(Peeling, ASparseStartIsOfTheDimensionAndAsSparse) {
  const VectorXd start = to_vector({0, 2, 0});
  EXPECT_NO_THROW(validate_sparse(start, 1, 3));
  EXPECT_NO_THROW(validate_sparse(start, 3, 3));
  for (const Index sparsity : {-1, 0, 4})
    EXPECT_THROW(validate_sparse(start, sparsity, 3), std::invalid_argument) << sparsity;
  EXPECT_THROW(validate_sparse(start, 1, 4), std::invalid_argument);
  EXPECT_THROW(validate_sparse(to_vector({1, 2, 0}), 1, 3), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
