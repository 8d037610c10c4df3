#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/releases.hpp"
#include "audits/accounting/certify.hpp"

namespace dpverify {
namespace {

// Two releases of the first label, of the declared sensitivities 1 and `second`.
Mechanism twice_released(double second) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd label = data.labels.head(1);
    releases.release(LaplaceNoise{label, 1, 3});
    return releases.release(LaplaceNoise{label, second, 3});
  };
}

std::string broken(double second) {
  const Dataset data{Matrix::Zero(2, 1), VectorXd::Zero(2)};
  Dataset neighbour = data;
  neighbour.labels[0] = 1;
  const Transcript transcript =
      record(twice_released(second), data, RandomStream({.claim = "promises test"}));
  return broken_promise(transcript, replay(twice_released(second), neighbour, transcript));
}

// The first release moves by exactly what it declares.
TEST(BrokenPromise, IsThatOfTheReleaseThatBreaksIt) {
  EXPECT_EQ(broken(1), "");
  EXPECT_EQ(broken(0.5), "release 2 moves by 1 where a sensitivity of 0.5 is declared");
}

// Gaussian noise has no epsilon at delta = 0, whatever is released beside it.
TEST(ComposedCosts, OfGaussianAndPureReleasesNeedADelta) {
  const std::vector<ReleaseCost> costs{
      {.declared = {.epsilon = infinity, .mu = 0.5, .rho = 0.125}},
      {.declared = {.epsilon = 0.3, .mu = infinity, .rho = 0.045}}};
  EXPECT_EQ(composed_epsilon(costs, 0), infinity);
  EXPECT_LT(composed_epsilon(costs, 1e-5), 5);
}

}  // namespace
}  // namespace dpverify
