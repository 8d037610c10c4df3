#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::tao {
namespace {

LemmaClaim::Sides lemma(const std::string& what, const LemmaPoint& point) {
  return sides("tao.median_of_means.lemma." + what, point);
}

TEST(MedianOfMeansLemmas, TwoPointLawsByHand) {
  // One number, 1 with probability q = 0.2, else 0: E|x - q|^2 = 0.16, E x^2 = 0.2.
  const LemmaPoint at{{"q", 0.2}, {"v", 1}, {"n", 1}, {"a", 0}};
  const auto central = lemma("central_moment.printed", at);
  EXPECT_NEAR(central.left, 0.16, 1e-15);
  EXPECT_NEAR(central.right, 0.8, 1e-15);
  LemmaPoint tail = at;
  tail["t"] = 0.5;  // only x = 1, 0.8 away
  EXPECT_NEAR(lemma("mean_tail.printed", tail).left, 0.2, 1e-14);
  EXPECT_NEAR(lemma("mean_tail.printed", tail).right, 8 * 0.2 / 0.25, 1e-13);
  // Two of them: mean 0, 1/2, 1 with 0.64, 0.32, 0.04; E(mean - 0.2)^2 = 0.08.
  LemmaPoint two = at;
  two["n"] = 2;
  EXPECT_NEAR(lemma("bahr_esseen.printed", two).left, 0.08, 1e-14);
  // v = 0.01: the constant of Lemma 13 comes near 2.
  const auto near = lemma("central_moment.corrected", {{"q", 0.01}, {"v", 0.01}});
  EXPECT_GT(near.left / near.right, 0.95);
}

TEST(MedianOfMeansLemmas, MediansAndNoise) {
  // P(Bin(3, 0.1) >= 2) = 3 * 0.009 + 0.001
  EXPECT_NEAR(lemma("median.corrected", {}).left, 0.028, 1e-15);
  // P(Bin(2, 0.1) >= 1)
  EXPECT_NEAR(lemma("median.corrected", {{"m", 2}}).left, 0.19, 1e-15);
  // chi-squared tails: 2 degrees of freedom at radius r: e^(-r^2/2).
  const double r = 2 * (std::sqrt(2.0) + std::sqrt(std::log(10.0)));
  EXPECT_NEAR(lemma("noise_norm.printed", {{"d", 2}}).left / std::exp(-r * r / 2), 1, 1e-12);
  // 3 degrees at y = r^2/2: erfc(sqrt y) + 2 sqrt(y/pi) e^-y.
  const double r3 = 2 * (std::sqrt(3.0) + std::sqrt(std::log(10.0))), y = r3 * r3 / 2;
  EXPECT_NEAR(lemma("noise_norm.printed", {{"d", 3}}).left /
                  (std::erfc(std::sqrt(y)) + 2 * std::sqrt(y / std::acos(-1)) * std::exp(-y)),
              1, 1e-12);
  // d = 5, xi = 0.25: m = 14.75...; independent figures 0.0318 against 0.025 at 4 log(2d/xi)
  // rounded down for some d and xi; here 5 e^(-14/4) = 0.151 against 0.125.
  const auto down = lemma("block_count.printed", {{"d", 5}, {"xi", 0.25}});
  EXPECT_NEAR(down.left, 5 * std::exp(-3.5), 1e-14);
  EXPECT_EQ(down.right, 0.125);
  EXPECT_EQ(lemma("block_means.printed", {{"m", 24}}).left, 24);
  EXPECT_EQ(lemma("block_means.corrected", {{"m", 24}}).left, 1);
}

}  // namespace
}  // namespace dpverify::tao
