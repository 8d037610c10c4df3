// Where the arguments of the l1 regressions end, and lemmas where a term decides.
#include <gtest/gtest.h>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/core/test_refusals.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

namespace dpverify::wang_xu {
namespace {

TEST(WangXuParameters, WhatIsJustInsideIsAccepted) {
  const Dataset data{Matrix::Ones(2, 1), VectorXd::Ones(2)};
  EXPECT_EQ(refusal([&] { validate({.net = Matrix::Ones(1, 1)}, data); }), "");
  EXPECT_EQ(refusal([] { from_theorem(2, 1, 1, 1, 0.5, 0.05); }), "");
  EXPECT_EQ(refusal([] { theta_moment_iota({.records = 2}, Edition::corrected); }), "");
}

// Two points, n = 2: none of the residuals is a with probability 1/4.
TEST(WangXuLemmas, DeviationsWhereTheMarginDecides) {
  // The margin q a^2/2 - log(eta)/n is 0.25 + 0.178: the risk 0 lies 0.5 below.
  EXPECT_NEAR(sides("wang_xu.l1_regression_second_moment.lemma.deviation_below.printed",
                    {{"n", 2}, {"q", 0.5}, {"a", 1}, {"eta", 0.7}, {"theta", 2}})
                  .left,
              0.25, 1e-14);
  // The bound -0.25 + 0.02 + sqrt 2/1.5 (0.5^2.5 + 0.02^1.5) + 0.053 = -0.0078 is exceeded by
  // -psi(-0.02) = 0.02, but not by the mean with a residual.
  EXPECT_NEAR(
      sides("wang_xu.l1_regression_theta_moment.lemma.shifted_deviation.printed",
            {{"n", 2}, {"q", 0.5}, {"a", 0.5}, {"eta", 0.9}, {"theta", 1.5}, {"shift", 0.02}})
          .left,
      0.25, 1e-14);
}

}  // namespace
}  // namespace dpverify::wang_xu
