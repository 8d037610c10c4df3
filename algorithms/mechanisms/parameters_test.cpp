// Where the arguments of the mechanisms that papers share end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/core/test_refusals.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/mechanisms/projected_descent.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

TEST(MechanismParameters, OfPeeling) {
  EXPECT_EQ(refusal([] { validate(PeelingParameters{.delta = 0.999, .factor = 0.5}, 1); }), "");
  EXPECT_THAT(refusal([] { validate(PeelingParameters{.delta = 1}, 1); }),
              HasSubstr("delta is 1,"));
}

// The start may be off the ball by rounding, and by no more.
TEST(MechanismParameters, OfProjectedDescent) {
  const Dataset data{Matrix::Ones(2, 2), VectorXd::Ones(2)};
  const auto start = [&](double norm) {
    return refusal([&] {
      validate(DescentParameters{.radius = 2, .initial = Eigen::Vector2d(0, norm)}, data);
    });
  };
  EXPECT_EQ(start(2 * (1 + 1e-13)), "");
  EXPECT_THAT(start(2 * (1 + 1e-10)), HasSubstr("norm of the initial point"));
}

}  // namespace
}  // namespace dpverify
