#include "bench/stage_levels.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

// Both stages err, each in any of its decisions.
double of_both(const StageLevels& levels, double decisions) {
  return decisions * levels.screen * (decisions * levels.confirmation);
}

TEST(StageLevels, TogetherTheyAreTheLevel) {
  for (const double level : {1e-12, 4e-9, 1e-6, 1e-3, 0.05})
    for (const double decisions : {1.0, 6.0, 16.0})
      EXPECT_NEAR(of_both(stage_levels(level, decisions), decisions) / level, 1, 1e-12);
}

// A confirmation is never easier than a screen that has more than its usual level.
TEST(StageLevels, TheScreenHasItsUsualLevelUnlessTheWholeIsLarge) {
  EXPECT_EQ(stage_levels(4e-9, 6).screen, 1e-4);
  EXPECT_EQ(stage_levels(4e-9, 1).screen, 1e-4);
  const StageLevels large = stage_levels(0.01, 2);
  EXPECT_EQ(large.screen, 0.05);
  EXPECT_DOUBLE_EQ(large.confirmation, 0.05);
}

}  // namespace
}  // namespace dpverify
