#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::tao {
namespace {

LemmaClaim::Sides lemma(const std::string& what, const LemmaPoint& point) {
  return sides("tao.truncated_mean.lemma." + what, point);
}

TEST(TruncatedMeanLemmas, GaussianMechanismFirstFailsWhereTheIndependentFiguresSay) {
  for (const auto& [epsilon, fails] : {std::pair{8.41, false}, {8.43, true}}) {
    const auto [left, right] = lemma("gaussian_mechanism.printed", {{"epsilon", epsilon}});
    EXPECT_EQ(left > right, fails) << epsilon;
  }
  // Exact delta over claimed at (1, 1e-5): 4.11e-3.
  const auto [left, right] = lemma("gaussian_mechanism.proved", {});
  EXPECT_NEAR(left / right, 4.11e-3, 2e-5);
}

TEST(TruncatedMeanLemmas, StepsOfTheorem1ByHand) {
  // v = 0.2, n = 1e4, epsilon = 1, delta = 1e-5, xi = 0.05: independent figures.
  const LemmaPoint at{{"v", 0.2}};
  const auto printed = lemma("noise_exponent.printed", at);
  EXPECT_NEAR(printed.left, 0.1835, 1e-4);
  EXPECT_NEAR(printed.right, 9.0e-4, 5e-6);
  const auto corrected = lemma("noise_exponent.corrected", at);
  EXPECT_NEAR(corrected.left, 1, 1e-13);
  // log(1/xi) = log(1.25/delta) = epsilon = 1: the four terms are sqrt2, 1/3, 1 and 4 sqrt2 times
  // the bound.
  const auto sum =
      lemma("constant.printed", {{"xi", std::exp(-1)}, {"delta", 1.25 * std::exp(-1)}, {"v", 0.7}});
  EXPECT_NEAR(9 * sum.left / sum.right, 5 * std::sqrt(2.0) + 4.0 / 3, 1e-9);
}

TEST(TruncatedMeanLemmas, TailIntegralIsOffByTheIndexOfTheParetoLaw) {
  for (const auto& [v, factor] : {std::pair{0.1, 1.15}, {0.25, 1.30}, {0.5, 1.55}, {1.0, 2.05}}) {
    const auto [left, right] = lemma("tail_integral.printed", {{"v", v}, {"B", 10}});
    EXPECT_NEAR(left / right, factor, 1e-12);
  }
}

TEST(TruncatedMeanLemmas, PublishedRecordsByHand) {
  // n = 2, p = 1/2, delta = 1/2: published ones are Bin(2, 1/4), mean 1/2: 0 and 1 miss it by 1/2,
  // 2 by 3/2, all at least 1/4.
  EXPECT_NEAR(lemma("any_delta.printed", {{"n", 2}}).right, 1, 1e-14);
  // n = 4, p = 1/2, delta = 1/2: Bin(4, 1/4), mean 1: only 1 is within 1/2.
  EXPECT_NEAR(lemma("any_delta.printed", {{"n", 4}}).right, 1 - 4 * 0.25 * std::pow(0.75, 3),
              1e-14);
}

}  // namespace
}  // namespace dpverify::tao
