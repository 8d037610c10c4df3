// Where the arguments of the l1 regressions end.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dpverify::wang_xu
