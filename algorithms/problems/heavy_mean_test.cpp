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

}  // namespace
}  // namespace dpverify
