#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::hu {
namespace {

TEST(HuPeelingLemmas, LaplaceTailFailsWhereTheIndependentFiguresSay) {
  const auto holds = [](double d, double zeta) {
    const auto [left, right] =
        sides("hu.peeling.lemma.laplace_tail.printed", {{"d", d}, {"zeta", zeta}});
    return left <= right;
  };
  EXPECT_FALSE(holds(1, 0.5));
  EXPECT_TRUE(holds(2, 0.18));
  EXPECT_FALSE(holds(2, 0.19));
  EXPECT_TRUE(holds(3, 0.471));
  EXPECT_FALSE(holds(3, 0.473));
  EXPECT_TRUE(holds(1000, 0.603));
  EXPECT_FALSE(holds(1000, 0.605));
}

// Lemma 13 without noise by hand: with c -> infinity and v-hat the best s entries, the right side
// is the tail of v, and so is the left side as long as S holds the largest.
TEST(HuPeelingLemmas, BestApproximationIsAnEqualityWithoutNoise) {
  const LemmaPoint point{{"noise", 1e-12}, {"c", 1e9}, {"kept", 2}, {"sparsity", 2}};
  for (const double seed : {1.0, 2.0, 3.0}) {
    LemmaPoint at = point;
    at["seed"] = seed;
    const auto [left, right] = sides("hu.peeling.lemma.best_approximation.proved", at);
    EXPECT_NEAR(left / right, 1, 1e-6);
    EXPECT_GT(left, 0);
    // Repeated selection keeps one coordinate of the two: strictly worse.
    const auto repeated = sides("hu.peeling.lemma.best_approximation_repeats.printed", at);
    EXPECT_GT(repeated.left / repeated.right, 1.001);
  }
}

}  // namespace
}  // namespace dpverify::hu
