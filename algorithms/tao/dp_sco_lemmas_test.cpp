#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::tao {
namespace {

LemmaClaim::Sides at(const std::string& lemma, const LemmaPoint& point) {
  return sides("tao.dp_sco.lemma." + lemma, point);
}

TEST(DpScoLemmas, IterationsOfTheorem6) {
  // Independent figure: v = 0.1, d = 10, n = 1e6, epsilon = 1: T = 0.66.
  EXPECT_NEAR(at("convex_iterations.printed", {{"v", 0.1}}).right, 0.66, 5e-3);
  // m of the proof of Lemma 19 at Delta = 1: 3091 at d = 100, n = 1e5, v = 1/2; with Delta = 2, 800
  // log 2 more.
  EXPECT_NEAR(at("uniform_blocks.printed", {}).left, 3091.3 + 800 * std::log(2.0), 0.5);
}

TEST(DpScoLemmas, ThresholdedMeansJump) {
  // Records 0.995 and -0.4975 at w = 0 and -0.01: gradients -0.995, then -1.005, which becomes 0.
  const LemmaPoint point{{"x", 0.995}, {"w", 0}, {"gamma", 0.01}};
  LemmaPoint left_of = point;
  left_of["w"] = -0.01;
  EXPECT_NEAR(at("covering.printed", left_of).left, (0.995 - 0.01) / 2, 1e-12);
  EXPECT_NEAR(at("covering.corrected", left_of).left, (0.005 + 0.01) / 2, 1e-12);
  EXPECT_NEAR(at("covering.printed", point).left, 0.01, 1e-12);
}

TEST(DpScoLemmas, PrivateFanoByHand) {
  // M = 2, n = 1, p = 1/2, epsilon = 1: half a guess, half 1/(1 + e^(1/2)).
  const LemmaPoint point{{"M", 2}, {"n", 1}, {"p", 0.5}};
  EXPECT_NEAR(at("private_fano.printed", point).right, 0.25 + 0.5 / (1 + std::exp(0.5)), 1e-14);
  EXPECT_NEAR(at("private_fano_pure.printed", point).left, 0.4 * 2 * std::exp(-5.0), 1e-14);
  // n^2 p^2 + n p (1 - p) = 1/2, rho = 1/8: (1 - (1/16 + log 2)/log 2)/2.
  EXPECT_NEAR(at("private_fano.corrected", point).left, -1 / (32 * std::log(2.0)), 1e-14);
}

TEST(DpScoLemmas, LowerBoundOfThePacking) {
  // The mean: d/2 x^2 p (1 - p)/n with n = 3 * 10, d = 2, p = 1/2, v = 1: x^2 = 2.
  EXPECT_NEAR(at("lower_bound.mutant", {{"p", 0.5}, {"v", 1}}).right, 2 * 0.25 / 30, 1e-15);
  // Algorithm 3, one record a block, 3 blocks, all kept (2 <= 3 epsilon/sqrt 2): median of three
  // coins times sqrt 2, p = 1/2: error sqrt(2)/2 each way, risk 1/2; noise 2 deviation^2.
  const auto [left, right] =
      at("lower_bound.printed", {{"p", 0.5}, {"v", 1}, {"block", 1}, {"epsilon", 1}});
  const double tau = std::sqrt(3 / std::sqrt(2.0));
  const double noise = std::pow(2 * tau * std::sqrt(2.0), 2) * 2 * std::log(1.25e9);
  EXPECT_NEAR(right, 2 * noise + 0.5, 1e-9 * noise);
  EXPECT_LT(left, right);
  EXPECT_NEAR(at("iota.printed", {{"d", 8}, {"v", 1}}).left, std::sqrt(0.5), 1e-12);
}

TEST(DpScoLemmas, PackingMassByHand) {
  EXPECT_NEAR(at("packing_mass.printed", {{"d", 128}}).right,
              0.4 * std::pow(2, 7) * std::exp(-1280.0), 1e-300);
  EXPECT_EQ(at("packing_mass.corrected", {{"d", 128}}).right, 0.4);
}

// By hand at n = 10^6, d = 1: T = 999000, m = 12 blocks of 83333, tau = sqrt(999000).
TEST(DpScoLemmas, NoiseTermOfTheoremSixAtItsOwnConstants) {
  const LemmaClaim::Sides both = at("convex_noise.corrected", {});
  EXPECT_EQ(both.left, 2);
  EXPECT_NEAR(both.right / 2953.688184589075, 1, 1e-6);
}

}  // namespace
}  // namespace dpverify::tao
