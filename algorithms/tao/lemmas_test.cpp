#include "algorithms/tao/lemmas.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dpverify::tao {
namespace {

// Both sides of a lemma at a point; parameters not given are at their simplest.
LemmaClaim::Sides sides(const std::string& id, const ParameterPoint& point) {
  for (const auto& make :
       {peeling_lemmas, sparse_optimization_lemmas, dp_sco_lemmas, sco_framework_lemmas})
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

TEST(TaoLemmas, PeelingNearDeltaOne) {
  // epsilon = 1, 1 - delta = 1e-5: b = 4 sqrt(2e-5) = 0.01789, exact 1 - delta = e^((1 - 55.9)/2).
  const auto [left, right] = sides("peeling.lemma.one_release.printed", {{"1-delta", 1e-5}});
  EXPECT_EQ(left, 1e-5);
  EXPECT_NEAR(std::log(right), (1 - 1 / (4 * std::sqrt(2e-5))) / 2, 1e-3);
}

TEST(TaoLemmas, StepsOfTheorem10) {
  // Independent figures of the gain at mu/gamma = 1 and 0.1.
  EXPECT_NEAR(sides("sparse_optimization.lemma.gain.printed", {{"kappa", 1}}).right, 0.0691, 5e-5);
  EXPECT_NEAR(sides("sparse_optimization.lemma.gain.printed", {{"kappa", 10}}).right, 0.0044, 5e-5);
  // One coordinate, m = 1: P(1 > q + threshold) = q.
  EXPECT_NEAR(sides("sparse_optimization.lemma.deviation.printed",
                    {{"d", 1}, {"m", 1}, {"q", 0.01}, {"xi", 0.5}})
                  .left,
              0.01, 1e-14);
  EXPECT_NEAR(sides("sparse_optimization.lemma.noise_union.corrected",
                    {{"log d", 0}, {"Ts", 1}, {"xi", 0.1}})
                  .left,
              0.1, 1e-15);
}

TEST(TaoLemmas, StepsAndPartsOfTheorem10) {
  // T = kappa log n, kappa large: e^(-log n/24).
  const auto [left, right] =
      sides("sparse_optimization.lemma.iterations.printed", {{"kappa", 1000}, {"log n", 24}});
  EXPECT_NEAR(left, std::exp(-1), 1e-4);
  EXPECT_NEAR(right, std::exp(-24), 1e-24);
  // Two steps of one record with q = 0.01: 1 - 0.99^2.
  EXPECT_NEAR(sides("sparse_optimization.lemma.deviation_of_every_step.printed",
                    {{"T", 2}, {"d", 1}, {"m", 1}, {"q", 0.01}, {"xi", 0.5}})
                  .left,
              0.0199, 1e-12);
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
