#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::hu {
namespace {

TEST(Lemmas, TruncationInequalityIsTightToTheFourthOrder) {
  // The gap is u^4/8 near 0 (series of log(1 + u + u^2/2) - u + u^3/6).
  for (const double sign : {1.0, -1.0})
    for (const double side : {0.0, 1.0}) {
      const auto [left, right] = sides("hu.dp_frank_wolfe.lemma.truncation_inequality.printed",
                                       {{"size", 0.01}, {"sign", sign}, {"side", side}});
      EXPECT_NEAR((right - left) / 1e-8, 0.125, 2e-3);
    }
}

TEST(Lemmas, DeviationByHand) {
  // One draw, a = 1e3, q = 1/2, beta = 1, zeta = 1/2: the bound, of order tau = 5e5, holds surely.
  EXPECT_EQ(sides("hu.dp_frank_wolfe.lemma.deviation.printed", {{"a", 1e3}}).left, 0);
  // 60 draws of a = 0.1 (H(0.1) = 0.1 to 1e-3) with q = 1/2, zeta = 0.99, beta = 0.05: the bound
  // 0.0525 + (0.025 + 0.7032)/60 = 0.0646 is above the largest deviation, 0.05.
  EXPECT_EQ(sides("hu.dp_frank_wolfe.lemma.deviation.printed",
                  {{"n", 60}, {"a", 0.1}, {"beta", 0.05}, {"zeta", 0.99}})
                .left,
            0);
  // 40 draws of a = 1, q = 0.01, beta = 20, zeta = 0.3, without beta/2: the bound is 0.005 * 1.05 +
  // log(20/3)/40 = 0.05268; H(1) = 0.81 or so, so that 0, 1 and 2 ones deviate by 0.01, 0.0103 and
  // 0.0306, and 4 ones by 0.071: failure from 4 ones on (3: 0.0508).
  double failure = 0;
  for (int k = 4; k <= 40; ++k)
    failure += std::exp(std::lgamma(41) - std::lgamma(k + 1) - std::lgamma(41 - k)) *
               std::pow(0.01, k) * std::pow(0.99, 40 - k);
  EXPECT_NEAR(sides("hu.dp_frank_wolfe.lemma.deviation.corrected",
                    {{"n", 40}, {"q", 0.01}, {"a", 1}, {"beta", 20}, {"zeta", 0.3}})
                  .left,
              failure, 1e-12);
}

TEST(Lemmas, ExponentialMechanismByHand) {
  // Two candidates, the worse one exactly at the threshold: its weight is e^-1/2.
  const auto [left, right] =
      sides("hu.dp_frank_wolfe.lemma.exponential_mechanism.printed", {{"size", 2}, {"t", 1}});
  EXPECT_NEAR(left, 0.15536240349696362, 1e-14);  // (e^-1/2)/(1 + e^-1/2)
  EXPECT_NEAR(right, 0.36787944117144233, 1e-16);
}

TEST(Lemmas, CurvatureAndStepsOfFrankWolfe) {
  const auto at = [](double radius) {
    return sides("hu.dp_frank_wolfe.lemma.curvature.printed", {{"radius", radius}});
  };
  EXPECT_EQ(at(1).left, 4);
  EXPECT_EQ(at(1).right, 2);
  EXPECT_EQ(at(5).left, 100);
  EXPECT_EQ(at(5).right, 10);
  // Nearly linear from the opposite vertex: h_t = 2 h_0/((t+1)(t+2)), h_0 = 2 kappa R.
  const auto [left, right] = sides("hu.dp_frank_wolfe.lemma.frank_wolfe.printed",
                                   {{"iterations", 9}, {"kappa", 1e6}, {"chi", 1e-3}});
  EXPECT_NEAR(left / 1e6, 4.0 / 110, 1e-5);
  EXPECT_NEAR(right, 8 * 1.001 / 11, 1e-12);
  const auto corrected = sides("hu.dp_frank_wolfe.lemma.frank_wolfe.corrected",
                               {{"iterations", 9}, {"kappa", 1e6}, {"chi", 1e-3}});
  EXPECT_NEAR(corrected.right / 1e6, 4.0 / 110, 1e-5);
}

TEST(Lemmas, LaplaceTailFailsWhereTheIndependentFiguresSay) {
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

TEST(Lemmas, ContractionFactors) {
  struct Row {
    double kappa, derived, printed;
  };
  // 2/(72 kappa^2 + 1) + 1/(24 kappa) and 5/(72 kappa) to 4 digits.
  for (const Row& row : {Row{1, 0.06906, 0.06944}, Row{2, 0.02775, 0.03472},
                         Row{5, 0.009444, 0.01389}, Row{20, 0.002153, 0.003472}}) {
    const auto [left, right] =
        sides("hu.sparse_linear_regression.lemma.contraction.printed", {{"kappa", row.kappa}});
    EXPECT_NEAR(left / row.printed, 1, 3e-4);
    EXPECT_NEAR(right / row.derived, 1, 3e-4);
  }
  // gamma = mu: the second inequality of the sparsity constant is an equality.
  EXPECT_NEAR(
      sides("hu.sparse_linear_regression.lemma.sparsity_constant.printed", {{"second", 1}}).left,
      0.125, 1e-15);
}

TEST(Lemmas, ExperimentsNoiseOfAlgorithm5) {
  const auto scale = [](double n) {
    return sides("hu.sparse_optimization.lemma.experiments_noise.printed", {{"n", n}}).left;
  };
  EXPECT_NEAR(scale(1e4), 1775, 0.5);  // independent figures
  EXPECT_NEAR(scale(5e4), 2138, 0.5);
  EXPECT_NEAR(scale(1e6), 3140, 0.5);
}

TEST(Lemmas, ScalesOfTheorem8GrowWithTheStatedPowersOfS) {
  // Slope of log(left side) between s = 1e5 and 1e6. With l = log(200 s): the theorem's and the
  // experiments' noise grow like s^2 l^2, the proof's bias like s^2 sqrt l, both balanced terms
  // like s^(3/2) l. The other terms are smaller by 1/s.
  const auto slope = [](const std::string& what) {
    const auto left = [&what](double s) {
      return sides("hu.sparse_optimization.lemma." + what, {{"s", s}}).left;
    };
    return std::log10(left(1e6) / left(1e5));
  };
  const double l = std::log10(std::log(2e8) / std::log(2e7));
  EXPECT_NEAR(slope("scale_theorem.printed"), 2 + 2 * l, 1e-3);
  EXPECT_NEAR(slope("scale_experiments.printed"), 2 + 2 * l, 1e-3);
  EXPECT_NEAR(slope("scale_proof.printed"), 2 + l / 2, 0.03);
  EXPECT_NEAR(slope("scale.corrected"), 1.5 + l, 1e-3);
}

TEST(Lemmas, LowerBoundSteps) {
  // First branch, delta small: (|V| - 1)/(4(2|V| - 1)) with |V| = (d - 2)/1 = 98 words at s = 2.
  const auto last = sides("hu.sparse_optimization.lemma.last_step.printed", {{"delta", 1e-12}});
  EXPECT_NEAR(last.right, 97.0 / (4 * 195), 1e-12);
  // n p = 1 at epsilon = 0.01, almost no delta: 2 (97)(e^-0.01/2)/(1 + 97 e^-0.01).
  const auto chain = sides("hu.sparse_optimization.lemma.constant_estimator.printed",
                           {{"epsilon", 0.01}, {"delta", 1e-12}});
  EXPECT_NEAR(chain.left, 97 * std::exp(-0.01) / (1 + 97 * std::exp(-0.01)), 1e-9);
  EXPECT_EQ(chain.right, 0.5);
  for (const double quarter : {1.0, 7.0})
    EXPECT_NEAR(
        sides("hu.sparse_optimization.lemma.packing_distance.printed", {{"quarter", quarter}})
            .right,
        0.5, 1e-15);
}

TEST(Lemmas, LowerBoundByHand) {
  // H(5) in 7 places: C(7, 5) 2^5 = 672 words. Within distance 2: 1, 5 and C(5, 2) = 10 turned
  // signs and 5 * 2 * 2 = 20 swaps.
  const auto packing =
      sides("hu.sparse_optimization.lemma.packing_size.printed", {{"s", 5}, {"zeros", 2}});
  EXPECT_NEAR(packing.right, std::log(672.0 / 36), 1e-12);
  EXPECT_NEAR(packing.left, 2.5 * std::log(0.8), 1e-12);
  // Three records, 10 words, epsilon = 1: summed term by term in exact binomials elsewhere.
  const auto testing =
      sides("hu.sparse_optimization.lemma.private_testing.corrected",
            {{"n", 3}, {"p", 0.25}, {"words", 10}, {"epsilon", 1}, {"delta", 0.01}});
  EXPECT_NEAR(testing.right, 0.854679525252708, 1e-14);
  EXPECT_NEAR(testing.left, 0.363138103156396, 1e-14);
  // The undivided words are s/2 = 2 apart (squared), the divided ones 1/4.
  const auto apart = sides("hu.sparse_optimization.lemma.undivided_words.corrected", {{"p", 0.5}});
  EXPECT_NEAR(apart.left, 2 * 4 * 0.5 / 4, 1e-15);
  EXPECT_NEAR(apart.right, 0.5 * 2, 1e-15);
  // Peeling's noise: 2 s b^2/(p tau/2), b = 2 lambda sqrt(3 s l)/epsilon, lambda = 2 sqrt(tau/(2 s
  // p))/n, with n p epsilon = log 98 - 0.5 at s = 2, d = 100 and delta small, l = log 10^12.
  const double budget = std::log(98.0) - 0.5, l = 12 * std::log(10.0);
  EXPECT_NEAR(sides("hu.sparse_optimization.lemma.lower_bound.printed",
                    {{"delta", 1e-12}, {"estimator", 1}})
                  .right,
              2 * 2 * 4 * 3 * 2 * l * 4 / (2 * 2) / (budget * budget), 1e-9);
}

TEST(Lemmas, Theorem7ByHand) {
  // Twice the features: gamma and mu times 4, K and the moments left alone. The printed bound falls
  // by 4^-3, the corrected one by 4^-1, the terms of the proof by 4^-1.
  const auto at = [](const std::string& edition, double gamma) {
    return sides("hu.sparse_linear_regression.lemma.powers." + edition, {{"gamma", gamma}});
  };
  EXPECT_NEAR(at("printed", 4).right / at("printed", 1).right, 1.0 / 64, 1e-12);
  EXPECT_NEAR(at("corrected", 4).right / at("corrected", 1).right, 0.25, 1e-12);
  EXPECT_NEAR(at("corrected", 4).left / at("corrected", 1).left, 0.25, 1e-12);
  // (c + 1)^2/(c (c - 1)) is 3/2 at c = (7 + sqrt 57)/2.
  EXPECT_NEAR(sides("hu.sparse_linear_regression.lemma.constant_c.corrected", {}).left, 1.5, 1e-14);
  EXPECT_NEAR(sides("hu.sparse_linear_regression.lemma.constant_c.printed", {}).left, 1.71548,
              1e-5);
  // E x x^T = diag(20, 10): the half squared risk at distance 1 along the second feature is 5.
  const auto bounds = sides("hu.sparse_linear_regression.lemma.curvature_bounds.printed",
                            {{"kappa", 2}, {"below", 1}});
  EXPECT_NEAR(bounds.right, 5, 1e-12);
  EXPECT_EQ(bounds.left, 10);
}

TEST(Lemmas, ConcentrationByHand) {
  // Two draws of 1 with probability 1/4, less 1/4, t = 1: the threshold is sqrt 2 (0.375 + 0.306)
  // = 0.963, above the largest mean 0.75; at t = 0.1 it is sqrt 2 (0.0375 + 0.0968) = 0.190, which
  // one or two ones exceed.
  const auto tail = [](double t) {
    return sides("hu.private_lasso.lemma.bernstein.printed", {{"n", 2}, {"q", 0.25}, {"t", t}})
        .left;
  };
  EXPECT_EQ(tail(1), 0);
  EXPECT_NEAR(tail(0.1), 1 - 0.5625, 1e-14);
}

TEST(Lemmas, GradientDominance) {
  // Geman-McClure at residuals of size B: ratio (1 + B^2)/2, 5 at B = 3.
  const auto [left, right] =
      sides("hu.robust_regression.lemma.gradient_dominance_geman_mcclure.printed", {});
  EXPECT_NEAR(left / right * (0.5 / 0.9), 5, 1e-12);
  // Biweight, every residual beyond c = 1: (1/9)(1/6) against 0.
  const auto biweight = sides("hu.robust_regression.lemma.gradient_dominance_biweight.printed", {});
  EXPECT_NEAR(biweight.left, 1.0 / 54, 1e-16);
  EXPECT_EQ(biweight.right, 0);
  // Pseudo-Huber at B = 1e3 * 0.75: c = 1/sqrt(1 + 750^2), the ratio of the sides is at most 1.
  const auto huber = sides("hu.robust_regression.lemma.gradient_dominance.corrected",
                           {{"u", 1}, {"bound", 0.75}, {"unbounded", 1}});
  EXPECT_NEAR(huber.left, std::sqrt(1 + 562500.0) - 1, 1e-9);
  EXPECT_NEAR(huber.right, 562500 / 2.0, 1e-6);
}

// Lemma 13 without noise by hand: with c -> infinity and v-hat the best s entries, the right side
// is the tail of v, and so is the left side as long as S holds the largest.
TEST(Lemmas, BestApproximationIsAnEqualityWithoutNoise) {
  for (const double seed : {1.0, 2.0, 3.0}) {
    const std::map<std::string, double> at{
        {"noise", 1e-12}, {"c", 1e9}, {"kept", 2}, {"sparsity", 2}, {"seed", seed}};
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
