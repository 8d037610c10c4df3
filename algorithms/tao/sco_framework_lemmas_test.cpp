#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::tao {
namespace {

LemmaClaim::Sides at(const std::string& lemma, const LemmaPoint& point) {
  return sides("tao.sco_framework.lemma." + lemma, point);
}

TEST(ScoFrameworkLemmas, NumbersOfSteps) {
  // alpha = beta = 1, V = 0.1: T = log(0.2)/log(3/2) = -3.97 as Lemma 18 prints it,
  // log(0.2)/log(3/4) = 5.59 as Theorem 7 does; V = 0.1 is a share 0.2 of 1/2.
  EXPECT_NEAR(at("iterations.printed", {{"share", 0.2}}).right, -3.969, 1e-3);
  EXPECT_NEAR(at("iterations.corrected", {{"share", 0.2}}).right, 5.594, 1e-3);
  // (0.1, 0.5): contraction 1 - 0.1/0.6 = 0.833 on the flat side, printed 1 - 1/0.6, bound 0.861.
  const LemmaPoint point{{"alpha", 0.1}, {"kappa", 5}};
  EXPECT_NEAR(at("contraction.printed", point).left, 0.8333, 1e-4);
  EXPECT_NEAR(at("contraction.printed", point).right, -0.6667, 1e-4);
  EXPECT_NEAR(at("contraction.corrected", point).right, 0.8611, 1e-4);
}

TEST(ScoFrameworkLemmas, ConvexDescentByHand) {
  // beta = r = 1, c = 0, from 1 with eta = 1/2, no bias to speak of: w = 1/2, 1/4, average 3/8;
  // bound 4/2 + 1/4.
  const auto [left, right] =
      at("convex.printed", {{"eta", 0.5}, {"T", 2}, {"B", 1e-3}, {"start", 1}});
  EXPECT_NEAR(left, std::pow(3.0 / 8, 2) / 2, 1e-3);
  EXPECT_NEAR(right, 4.0 / 2 + 0.25 + 2e-3, 1e-5);
}

}  // namespace
}  // namespace dpverify::tao
