#include "algorithms/core/exact_releases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "algorithms/core/checked.hpp"
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
