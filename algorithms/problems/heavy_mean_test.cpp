#include "algorithms/problems/heavy_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

TEST(HeavyMean, MomentsByHand) {
  const HeavyMean model{.dimension = 2, .centre = -2, .share = 0.25, .tail = 3};
  EXPECT_NEAR(model.mean(), 0.75 * -2 + 0.25 * 1.5, 1e-15);
  EXPECT_NEAR(model.moment(2), 0.75 * 4 + 0.25 * 3, 1e-15);
  EXPECT_NEAR(model.error(Eigen::Vector2d(model.mean() + 3, model.mean() - 4)), 5, 1e-14);
}

// False-failure probability 1e-11.
TEST(HeavyMean, DrawsFollowTheLaw) {
  const HeavyMean model{.dimension = 2, .centre = 0.5, .share = 0.25, .tail = 1.5};
  RandomStream stream({.seed = 5, .claim = "heavy mean test", .purpose = "data"});
  const Dataset data = model.draw(20'000, stream);
  EXPECT_EQ(data.features.cols(), 2);
  std::vector<double> tails;
  for (const double x : data.features.reshaped())
    if (x != 0.5) tails.push_back(x);
  EXPECT_TRUE(samples_follow(tails, [](double t) { return 1 - std::pow(t, -1.5); }));
  const auto heavy = static_cast<Index>(tails.size());
  EXPECT_TRUE(counts_follow({40'000 - heavy, heavy}, Eigen::Vector2d(0.75, 0.25)));
}

// P(x >= 4^k) = 8^-k at tail 3/2.
TEST(HeavyMean, RoundedDownToPowersOfFour) {
  const HeavyMean model{.dimension = 2, .centre = 0.5, .share = 0.25, .tail = 1.5};
  const CountedMean law = model.rounded_down();
  EXPECT_EQ(law.dimension, 2);
  EXPECT_EQ(law.informative, 2);
  ASSERT_EQ(law.values.size(), 12U);
  EXPECT_EQ(law.values[0], 0.5);
  EXPECT_EQ(law.values[1], 1);
  EXPECT_EQ(law.values[3], 16);
  EXPECT_EQ(law.values[11], 1'048'576);
  EXPECT_NEAR(law.probabilities[0], 0.75, 1e-15);
  EXPECT_NEAR(law.probabilities[1], 0.21875, 1e-15);
  EXPECT_NEAR(law.probabilities[3], 0.25 * 7 / 512, 1e-15);
  EXPECT_NEAR(law.probabilities[11], 0.25 / std::pow(8, 10), 1e-22);
  double sum = 0;
  for (const double probability : law.probabilities) sum += probability;
  EXPECT_NEAR(sum, 1, 1e-15);
}

}  // namespace
}  // namespace dpverify
