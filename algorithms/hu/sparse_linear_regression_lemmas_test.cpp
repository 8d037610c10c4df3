#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::hu {
namespace {

TEST(HuSparseRegressionLemmas, ContractionFactors) {
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

TEST(HuSparseRegressionLemmas, Theorem7ByHand) {
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

}  // namespace
}  // namespace dpverify::hu
