#include "algorithms/tao/lemmas.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dpverify::tao {
namespace {

// Both sides of a lemma at a point; parameters not given are at their simplest.
LemmaClaim::Sides sides(const std::string& id, const ParameterPoint& point) {
  for (const auto& make :
       {truncated_mean_lemmas, median_of_means_lemmas, dp_sco_lemmas, sco_framework_lemmas})
    for (const Claim& claim : make()) {
      if (claim.id != "tao." + id) continue;
      const auto& check = std::get<LemmaClaim>(claim.check);
      ParameterPoint all;
      for (const ParameterRange& range : check.ranges) all[range.name] = range.simplest;
      for (const auto& [name, value] : point) all.at(name) = value;
      return check.sides(all);
    }
  throw std::invalid_argument("no lemma " + id);
}

TEST(TaoLemmas, GaussianMechanismFirstFailsWhereTheIndependentFiguresSay) {
  for (const auto& [epsilon, fails] : {std::pair{8.41, false}, {8.43, true}}) {
    const auto [left, right] =
        sides("truncated_mean.lemma.gaussian_mechanism.printed", {{"epsilon", epsilon}});
    EXPECT_EQ(left > right, fails) << epsilon;
  }
  // Exact delta over claimed at (1, 1e-5): 4.11e-3.
  const auto [left, right] = sides("truncated_mean.lemma.gaussian_mechanism.proved", {});
  EXPECT_NEAR(left / right, 4.11e-3, 2e-5);
}

TEST(TaoLemmas, StepsOfTheorem1ByHand) {
  // v = 0.2, n = 1e4, epsilon = 1, delta = 1e-5, xi = 0.05: independent figures.
  const ParameterPoint at{{"v", 0.2}};
  const auto printed = sides("truncated_mean.lemma.noise_exponent.printed", at);
  EXPECT_NEAR(printed.left, 0.1835, 1e-4);
  EXPECT_NEAR(printed.right, 9.0e-4, 5e-6);
  const auto corrected = sides("truncated_mean.lemma.noise_exponent.corrected", at);
  EXPECT_NEAR(corrected.right / corrected.left, 1, 1e-10);
  // log(1/xi) = log(1.25/delta) = epsilon = 1: the four terms are sqrt2, 1/3, 1 and 4 sqrt2 times
  // the bound.
  const auto sum = sides("truncated_mean.lemma.constant.printed",
                         {{"xi", std::exp(-1)}, {"delta", 1.25 * std::exp(-1)}, {"v", 0.7}});
  EXPECT_NEAR(9 * sum.left / sum.right, 5 * std::sqrt(2.0) + 4.0 / 3, 1e-9);
}

TEST(TaoLemmas, TailIntegralIsOffByTheIndexOfTheParetoLaw) {
  for (const auto& [v, factor] : {std::pair{0.1, 1.15}, {0.25, 1.30}, {0.5, 1.55}, {1.0, 2.05}}) {
    const auto [left, right] =
        sides("truncated_mean.lemma.tail_integral.printed", {{"v", v}, {"B", 10}});
    EXPECT_NEAR(left / right, factor, 1e-12);
  }
}

TEST(TaoLemmas, TwoPointLawsByHand) {
  // One number, 1 with probability q = 0.2, else 0: E|x - q|^2 = 0.16, E x^2 = 0.2.
  const ParameterPoint at{{"q", 0.2}, {"v", 1}, {"n", 1}, {"a", 0}};
  const auto central = sides("median_of_means.lemma.central_moment.printed", at);
  EXPECT_NEAR(central.left, 0.16, 1e-15);
  EXPECT_NEAR(central.right, 0.8, 1e-15);
  ParameterPoint tail = at;
  tail["t"] = 0.5;  // only x = 1, 0.8 away
  EXPECT_NEAR(sides("median_of_means.lemma.mean_tail.printed", tail).left, 0.2, 1e-14);
  EXPECT_NEAR(sides("median_of_means.lemma.mean_tail.printed", tail).right, 8 * 0.2 / 0.25, 1e-13);
  // Two of them: mean 0, 1/2, 1 with 0.64, 0.32, 0.04; E(mean - 0.2)^2 = 0.08.
  ParameterPoint two = at;
  two["n"] = 2;
  EXPECT_NEAR(sides("median_of_means.lemma.bahr_esseen.printed", two).left, 0.08, 1e-14);
  // v = 0.01: the constant of Lemma 13 comes near 2.
  const auto near =
      sides("median_of_means.lemma.central_moment.corrected", {{"q", 0.01}, {"v", 0.01}});
  EXPECT_GT(near.left / near.right, 0.95);
}

TEST(TaoLemmas, MediansAndNoise) {
  // P(Bin(3, 0.1) >= 2) = 3 * 0.009 + 0.001
  EXPECT_NEAR(sides("median_of_means.lemma.median.corrected", {}).left, 0.028, 1e-15);
  // chi-squared tails: 2 degrees of freedom at radius r: e^(-r^2/2).
  const double r = 2 * (std::sqrt(2.0) + std::sqrt(std::log(10.0)));
  EXPECT_NEAR(
      sides("median_of_means.lemma.noise_norm.printed", {{"d", 2}}).left / std::exp(-r * r / 2), 1,
      1e-12);
  // 3 degrees at y = r^2/2: erfc(sqrt y) + 2 sqrt(y/pi) e^-y.
  const double r3 = 2 * (std::sqrt(3.0) + std::sqrt(std::log(10.0))), y = r3 * r3 / 2;
  EXPECT_NEAR(sides("median_of_means.lemma.noise_norm.printed", {{"d", 3}}).left /
                  (std::erfc(std::sqrt(y)) + 2 * std::sqrt(y / std::acos(-1)) * std::exp(-y)),
              1, 1e-12);
  // d = 5, xi = 0.25: m = 14.75...; independent figures 0.0318 against 0.025 at 4 log(2d/xi)
  // rounded down for some d and xi; here 5 e^(-14/4) = 0.151 against 0.125.
  const auto down = sides("median_of_means.lemma.block_count.printed", {{"d", 5}, {"xi", 0.25}});
  EXPECT_NEAR(down.left, 5 * std::exp(-3.5), 1e-14);
  EXPECT_EQ(down.right, 0.125);
  EXPECT_EQ(sides("median_of_means.lemma.block_means.printed", {{"m", 24}}).left, 24);
}

TEST(TaoLemmas, NumbersOfSteps) {
  // alpha = beta = 1, V = 0.1: T = log(0.2)/log(3/2) = -3.97 as Lemma 18 prints it,
  // log(0.2)/log(3/4) = 5.59 as Theorem 7 does; V = 0.1 is a share 0.2 of 1/2.
  EXPECT_NEAR(sides("sco_framework.lemma.iterations.printed", {{"share", 0.2}}).right, -3.969,
              1e-3);
  EXPECT_NEAR(sides("sco_framework.lemma.iterations.corrected", {{"share", 0.2}}).right, 5.594,
              1e-3);
  // (0.1, 0.5): contraction 1 - 0.1/0.6 = 0.833 on the flat side, printed 1 - 1/0.6, bound 0.861.
  const ParameterPoint at{{"alpha", 0.1}, {"kappa", 5}};
  EXPECT_NEAR(sides("sco_framework.lemma.contraction.printed", at).left, 0.8333, 1e-4);
  EXPECT_NEAR(sides("sco_framework.lemma.contraction.printed", at).right, -0.6667, 1e-4);
  EXPECT_NEAR(sides("sco_framework.lemma.contraction.corrected", at).right, 0.8611, 1e-4);
}

TEST(TaoLemmas, ConvexDescentByHand) {
  // beta = r = 1, c = 0, from 1 with eta = 1/2, no bias to speak of: w = 1/2, 1/4, average 3/8;
  // bound 4/2 + 1/4.
  const auto [left, right] = sides("sco_framework.lemma.convex.printed",
                                   {{"eta", 0.5}, {"T", 2}, {"B", 1e-3}, {"start", 1}});
  EXPECT_NEAR(left, std::pow(3.0 / 8, 2) / 2, 1e-3);
  EXPECT_NEAR(right, 4.0 / 2 + 0.25 + 2e-3, 1e-5);
}

TEST(TaoLemmas, IterationsOfTheorem6) {
  // Independent figure: v = 0.1, d = 10, n = 1e6, epsilon = 1: T = 0.66.
  EXPECT_NEAR(sides("dp_sco.lemma.convex_iterations.printed", {{"v", 0.1}}).right, 0.66, 5e-3);
  // m of the proof of Lemma 19 at Delta = 1: 3091 at d = 100, n = 1e5, v = 1/2; with Delta = 2, 800
  // log 2 more.
  EXPECT_NEAR(sides("dp_sco.lemma.uniform_blocks.printed", {}).left, 3091.3 + 800 * std::log(2.0),
              0.5);
}

TEST(TaoLemmas, PrivateFanoByHand) {
  // M = 2, n = 1, p = 1/2, epsilon = 1: half a guess, half 1/(1 + e^(1/2)).
  const ParameterPoint at{{"M", 2}, {"n", 1}, {"p", 0.5}};
  EXPECT_NEAR(sides("dp_sco.lemma.private_fano.printed", at).right,
              0.25 + 0.5 / (1 + std::exp(0.5)), 1e-14);
  EXPECT_NEAR(sides("dp_sco.lemma.private_fano_pure.printed", at).left, 0.4 * 2 * std::exp(-5.0),
              1e-14);
  // n^2 p^2 + n p (1 - p) = 1/2, rho = 1/8: (1 - (1/16 + log 2)/log 2)/2.
  EXPECT_NEAR(sides("dp_sco.lemma.private_fano.corrected", at).left, -1 / (32 * std::log(2.0)),
              1e-14);
}

TEST(TaoLemmas, LowerBoundOfThePacking) {
  // The mean: d/2 x^2 p (1 - p)/n with n = 3 * 10, d = 2, p = 1/2, v = 1: x^2 = 2.
  EXPECT_NEAR(sides("dp_sco.lemma.lower_bound.mutant", {{"p", 0.5}, {"v", 1}}).right, 2 * 0.25 / 30,
              1e-15);
  // Algorithm 3, one record a block, 3 blocks, all kept (2 <= 3 epsilon/sqrt 2): median of three
  // coins times sqrt 2, p = 1/2: error sqrt(2)/2 each way, risk 1/2; noise 2 deviation^2.
  const auto [left, right] = sides("dp_sco.lemma.lower_bound.printed",
                                   {{"p", 0.5}, {"v", 1}, {"block", 1}, {"epsilon", 1}});
  const double tau = std::sqrt(3 / std::sqrt(2.0));
  const double noise = std::pow(2 * tau * std::sqrt(2.0), 2) * 2 * std::log(1.25e9);
  EXPECT_NEAR(right, 2 * noise + 0.5, 1e-9 * noise);
  EXPECT_LT(left, right);
  EXPECT_NEAR(sides("dp_sco.lemma.iota.printed", {{"d", 8}, {"v", 1}}).left, std::sqrt(0.5), 1e-12);
}

TEST(TaoLemmas, LowerBoundsThatAskTooMuch) {
  // n = 2, p = 1/2, delta = 1/2: published ones are Bin(2, 1/4), mean 1/2: 0 and 1 miss it by 1/2,
  // 2 by 3/2, all at least 1/4.
  EXPECT_NEAR(sides("truncated_mean.lemma.any_delta.printed", {{"n", 2}}).right, 1, 1e-14);
  // n = 4, p = 1/2, delta = 1/2: Bin(4, 1/4), mean 1: only 1 is within 1/2.
  EXPECT_NEAR(sides("truncated_mean.lemma.any_delta.printed", {{"n", 4}}).right,
              1 - 4 * 0.25 * std::pow(0.75, 3), 1e-14);
  EXPECT_NEAR(sides("dp_sco.lemma.packing_mass.printed", {{"d", 128}}).right,
              0.4 * std::pow(2, 7) * std::exp(-1280.0), 1e-300);
  EXPECT_EQ(sides("dp_sco.lemma.packing_mass.corrected", {{"d", 128}}).right, 0.4);
}

TEST(TaoLemmas, ThresholdedMeansJump) {
  // Records 0.995 and -0.4975 at w = 0 and -0.01: gradients -0.995, then -1.005, which becomes 0.
  const ParameterPoint at{{"x", 0.995}, {"w", 0}, {"gamma", 0.01}};
  ParameterPoint left_of = at;
  left_of["w"] = -0.01;
  EXPECT_NEAR(sides("dp_sco.lemma.covering.printed", left_of).left, (0.995 - 0.01) / 2, 1e-12);
  EXPECT_NEAR(sides("dp_sco.lemma.covering.corrected", left_of).left, (0.005 + 0.01) / 2, 1e-12);
  EXPECT_NEAR(sides("dp_sco.lemma.covering.printed", at).left, 0.01, 1e-12);
}

}  // namespace
}  // namespace dpverify::tao
