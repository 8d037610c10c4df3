#include "algorithms/core/exact_releases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int exact_draws = 40'000;

StreamBits release_bits(std::string_view purpose) {
  return StreamBits(RandomStream({.seed = 1, .claim = "exact releases", .purpose = purpose}));
}

TEST(ExactReleases, SelectionsFollowTheirLaws) {
  const VectorXd scores = (VectorXd(5) << 0.3, 1.7, -0.4, 1.69, 0).finished();
  const auto follows = [](const auto& law) {
    StreamBits bits = release_bits(law.name);
    ExactReleases releases(bits);
    std::vector<Index> counts(5);
    for (int k = 0; k < exact_draws; ++k) ++counts[static_cast<std::size_t>(releases.select(law))];
    EXPECT_THAT(releases.in_floating_point(), IsEmpty());
    return counts_follow(counts, law.log_probabilities().array().exp());
  };
  EXPECT_TRUE(follows(ExponentialMechanism{scores, 1, 0.8}));
  EXPECT_TRUE(follows(ExponentialMechanism{scores, 1, 0}));
  EXPECT_TRUE(follows(PermuteAndFlip{scores, 1, 0.8}));
  EXPECT_TRUE(follows(NoisyMax{scores, 1, 1.3, MaxNoise::laplace}));
  EXPECT_TRUE(follows(NoisyMax{scores, 1, 1.3, MaxNoise::exponential}));
}

TEST(ExactReleases, NoiseHasItsScaleAroundEachValue) {
  const VectorXd value = (VectorXd(2) << -3, 0.1).finished();
  StreamBits bits = release_bits("noise");
  ExactReleases releases(bits);
  std::vector<std::vector<double>> laplace(2), gaussian(2);
  for (int k = 0; k < exact_draws; ++k) {
    const VectorXd a = releases.release(LaplaceNoise{value, 1, 0.7});
    const VectorXd b = releases.release(GaussianNoise{value, 1, 2.5});
    for (Index j = 0; j < 2; ++j) {
      laplace[static_cast<std::size_t>(j)].push_back((a[j] - value[j]) / 0.7);
      gaussian[static_cast<std::size_t>(j)].push_back((b[j] - value[j]) / 2.5);
    }
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_TRUE(samples_follow(
        laplace[j], [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }));
    EXPECT_TRUE(
        samples_follow(gaussian[j], [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; }));
  }
  EXPECT_THAT(releases.in_floating_point(), IsEmpty());
}

TEST(ExactReleases, EveryOrderOfThreeIsAsLikely) {
  StreamBits bits = release_bits("orders");
  ExactReleases releases(bits);
  std::vector<Index> counts(27);
  VectorXd probabilities = VectorXd::Zero(27);
  for (const Index order : {5, 7, 11, 15, 19, 21}) probabilities[order] = 1.0 / 6;
  for (int k = 0; k < exact_draws; ++k) {
    const VectorXd order = releases.release(UniformPermutation{3});
    ++counts[static_cast<std::size_t>(9 * order[0] + 3 * order[1] + order[2])];
  }
  EXPECT_TRUE(counts_follow(counts, probabilities));
}

// Noise of 1.5 times the scale, scores that count for two thirds.
TEST(ExactReleases, RoomMakesEveryLawWeaker) {
  constexpr double room = 1.5;
  StreamBits bits = release_bits("room");
  ExactReleases releases(bits, room);
  const VectorXd scores = (VectorXd(4) << 0.3, 1.7, -0.4, 1.2).finished();
  const auto follows = [&](const auto& law, const auto& weaker) {
    std::vector<Index> counts(4);
    for (int k = 0; k < exact_draws; ++k) ++counts[static_cast<std::size_t>(releases.select(law))];
    return counts_follow(counts, weaker.log_probabilities().array().exp());
  };
  EXPECT_TRUE(follows(ExponentialMechanism{scores, 1, 1.8}, ExponentialMechanism{scores, 1, 1.2}));
  EXPECT_TRUE(follows(PermuteAndFlip{scores, 1, 1.8}, PermuteAndFlip{scores, 1, 1.2}));
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::exponential})
    EXPECT_TRUE(follows(NoisyMax{scores, 1, 0.8, noise}, NoisyMax{scores, 1, 1.2, noise}));
  std::vector<double> laplace, gaussian;
  for (int k = 0; k < exact_draws; ++k) {
    laplace.push_back(releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 0.8})[0] / 1.2);
    gaussian.push_back(releases.release(GaussianNoise{VectorXd::Zero(1), 1, 2})[0] / 3);
  }
  EXPECT_TRUE(samples_follow(
      laplace, [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }));
  EXPECT_TRUE(samples_follow(gaussian, [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; }));
  for (const double bad : {0.999, std::nan(""), infinity})
    EXPECT_THROW(ExactReleases(bits, bad), std::invalid_argument) << bad;
}

TEST(RoundingRoom, GrowsAsTheSquareOfTheRecordsAndIsAboveOne) {
  EXPECT_GT(rounding_room(1, 0), 1);
  EXPECT_NEAR(rounding_room(1'000'000, 0) - 1, 1e12 / std::pow(2, 50), 2e-8);
  EXPECT_GT(rounding_room(1000, 1000), rounding_room(1000, 1));
  EXPECT_THROW(rounding_room(0, 1), std::invalid_argument);
  EXPECT_THROW(rounding_room(1, -1), std::invalid_argument);
}

// Sums of doubles in [0, 1] and their means, one record replaced: they do move by more than their
// sensitivity, and never by more than that with its room.
TEST(RoundingRoom, CoversSumsOfDoubles) {
  RandomStream stream({.seed = 1, .claim = "sums of doubles"});
  int beyond = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 2 + trial * 10;
    VectorXd records(n);
    for (double& x : records) x = stream.uniform();
    const Index replaced = trial % n;
    const double room = rounding_room(n, 1);
    const auto sum_with = [&](double value) {
      records[replaced] = value;
      double sum = 0;
      for (const double x : records) sum += x;
      return sum;
    };
    const double high = sum_with(1), low = sum_with(0);
    const auto size = static_cast<double>(n);
    const double mean_moves = (high / size - low / size) * size;
    EXPECT_LE(high - low, room) << n;
    EXPECT_LE(mean_moves, room) << n;
    beyond += high - low > 1 || mean_moves > 1 ? 1 : 0;
  }
  EXPECT_GT(beyond, 30);
}

// What it does not know how to draw is drawn all the same, and named.
TEST(ExactReleases, OtherLawsAreDrawnInFloatingPointAndNamed) {
  StreamBits bits = release_bits("others");
  ExactReleases releases(bits);
  const GeneralisedGaussianNoise law{
      .value = VectorXd::Zero(2), .sensitivity = 1, .norm = 3, .change_norm = 1.5, .scale = 1};
  EXPECT_NE(releases.release(law), releases.release(law));
  releases.select(NoisyMax{VectorXd::Zero(2), 1, 1, MaxNoise::gumbel});
  EXPECT_THAT(releases.in_floating_point(),
              ElementsAre("generalised Gaussian noise", "noisy maximum"));
}

TEST(ExactReleases, RefusesWhatSamplingRefuses) {
  StreamBits bits = release_bits("refusals");
  ExactReleases releases(bits);
  EXPECT_THROW(releases.release(LaplaceNoise{VectorXd::Constant(1, std::nan("")), 1, 1}),
               NonFiniteRelease);
  EXPECT_THROW(releases.release(GaussianNoise{VectorXd::Zero(1), 1, -1}), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
