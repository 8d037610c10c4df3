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

}  // namespace
}  // namespace dpverify::hu
