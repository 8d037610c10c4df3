#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::hu {
namespace {

TEST(HuSparseOptimizationLemmas, ExperimentsNoiseOfAlgorithm5) {
  const auto scale = [](double n) {
    return sides("hu.sparse_optimization.lemma.experiments_noise.printed", {{"n", n}}).left;
  };
  EXPECT_NEAR(scale(1e4), 1775, 0.5);  // independent figures
  EXPECT_NEAR(scale(5e4), 2138, 0.5);
  EXPECT_NEAR(scale(1e6), 3140, 0.5);
}

TEST(HuSparseOptimizationLemmas, ScalesOfTheorem8GrowWithTheStatedPowersOfS) {
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

TEST(HuSparseOptimizationLemmas, LowerBoundSteps) {
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

TEST(HuSparseOptimizationLemmas, LowerBoundByHand) {
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

}  // namespace
}  // namespace dpverify::hu
