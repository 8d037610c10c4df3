#include "audits/exact/privacy_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// Randomised response on the first label, `rounds` times: score 1 for the true bit (score
// sensitivity 1, coefficient epsilon: each bit has weight e^epsilon against 1). Output: number of
// ones.
Mechanism randomised_response(double epsilon, int rounds) {
  return [=](const Dataset& data, Releases& releases) {
    double ones = 0;
    for (int k = 0; k < rounds; ++k) {
      VectorXd scores(2);
      scores << (data.labels[0] == 0), (data.labels[0] == 1);
      ones += static_cast<double>(releases.select(ExponentialMechanism{scores, 1, epsilon}));
    }
    return VectorXd::Constant(1, ones);
  };
}

NeighbouringPair bits() { return make_pair({{0, 0}}, 0, {0, 1}); }

TEST(PrivacyCurve, RandomisedResponseIsExact) {
  const double epsilon = std::log(3.0);
  const OutputPair pair = output_pair(randomised_response(epsilon, 1), bits());
  EXPECT_EQ(pair.outputs.size(), 2U);
  EXPECT_NEAR(smallest_epsilon(pair, 0), epsilon, 1e-14);
  // P = (3/4, 1/4), Q = (1/4, 3/4): delta(e) = 3/4 - e^e/4.
  for (const double e : {0.0, 0.3, 0.9})
    EXPECT_NEAR(delta_at(pair, e), 0.75 - std::exp(e) / 4, 1e-15);
  EXPECT_EQ(delta_at(pair, epsilon + 1e-12), 0);
  const double at_tenth = smallest_epsilon(pair, 0.1);
  EXPECT_NEAR(at_tenth, std::log(2.6), 1e-11);
  EXPECT_GE(delta_at(pair, at_tenth), 0.1);  // rounded down: still a lower bound
}

TEST(PrivacyCurve, CompositionMergesOutputsAndMatchesTheBinomial) {
  // The count of ones in 5 rounds is binomial(5, 1/4) against binomial(5, 3/4).
  const OutputPair pair = output_pair(randomised_response(std::log(3.0), 5), bits());
  EXPECT_EQ(pair.paths, 32U);
  ASSERT_EQ(pair.outputs.size(), 6U);
  const double choose[] = {1, 5, 10, 10, 5, 1};
  double delta = 0;
  for (int k = 0; k <= 5; ++k) {
    const double p = choose[k] * std::pow(0.25, k) * std::pow(0.75, 5 - k);
    const double q = choose[k] * std::pow(0.75, k) * std::pow(0.25, 5 - k);
    delta += std::max(0.0, p - std::exp(1.0) * q);
  }
  EXPECT_NEAR(delta_at(pair, 1, Direction::forward), delta, 1e-14);
  EXPECT_NEAR(delta_at(pair, 1, Direction::backward), delta, 1e-14);
  EXPECT_NEAR(smallest_epsilon(pair, 0), 5 * std::log(3.0), 1e-12);
}

TEST(PrivacyCurve, DirectionsDiffer) {
  // P = (1, 0), Q = (1/2, 1/2): only Q sees the second output.
  const OutputPair pair{{{VectorXd::Zero(1), {}, 0, std::log(0.5)},
                         {VectorXd::Ones(1), {}, -infinity, std::log(0.5)}},
                        2};
  EXPECT_NEAR(delta_at(pair, 0.2, Direction::forward), 1 - std::exp(0.2) / 2, 1e-15);
  EXPECT_NEAR(delta_at(pair, 0.2, Direction::backward), 0.5, 1e-15);
  EXPECT_EQ(smallest_epsilon(pair, 0), infinity);
  EXPECT_EQ(smallest_epsilon(pair, 0.4), infinity);
  EXPECT_EQ(smallest_epsilon(pair, 0.5), 0);
}

// Two outcomes on the dataset, three on its neighbour.
TEST(PrivacyCurve, CountsThePathsOnTheDataset) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const Index outcomes = data.labels[0] == 0 ? 2 : 3;
    return VectorXd::Constant(
        1,
        static_cast<double>(releases.select(ExponentialMechanism{VectorXd::Zero(outcomes), 1, 1})));
  };
  const OutputPair pair = output_pair(mechanism, bits());
  EXPECT_EQ(pair.paths, 2U);
  EXPECT_EQ(pair.outputs.size(), 3U);
  EXPECT_NEAR(delta_at(pair, 0, Direction::backward), 1.0 / 3, 1e-15);
}

TEST(PrivacyCurve, IdenticalDistributionsNeedNoEpsilon) {
  const NeighbouringPair pair = make_pair({{0, 1}}, 0, {5, 1});
  const OutputPair outputs = output_pair(randomised_response(2, 3), pair);
  EXPECT_EQ(smallest_epsilon(outputs, 0), 0);
  EXPECT_EQ(delta_at(outputs, 0), 0);
}

TEST(PrivacyCurve, ALeakHasNoFiniteEpsilon) {
  const Mechanism leak = [](const Dataset& data, Releases& releases) {
    return VectorXd(randomised_response(0.1, 1)(data, releases) + data.labels);
  };
  EXPECT_EQ(smallest_epsilon(output_pair(leak, bits()), 0), infinity);
}

TEST(Enumerate, RefusesContinuousLawsAndTooManyPaths) {
  const Mechanism continuous = [](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{data.labels, 1, 1});
  };
  EXPECT_THROW(enumerate(continuous, bits().data), std::invalid_argument);
  EXPECT_THROW(enumerate(randomised_response(1, 5), bits().data, 31), std::invalid_argument);
  EXPECT_EQ(enumerate(randomised_response(1, 5), bits().data, 32).size(), 32U);
}

TEST(Enumerate, FollowsDataDependentBranches) {
  // The second release has 3 outcomes after a 1, none after a 0: 1 + 3 paths.
  const Mechanism branching = [](const Dataset&, Releases& releases) {
    const Index first = releases.select(ExponentialMechanism{VectorXd::Zero(2), 1, 1});
    if (first == 0) return VectorXd::Constant(1, -1.0);
    return VectorXd::Constant(
        1, static_cast<double>(releases.select(ExponentialMechanism{VectorXd::Zero(3), 1, 1})));
  };
  const auto paths = enumerate(branching, bits().data);
  ASSERT_EQ(paths.size(), 4U);
  double total = 0;
  for (const OutcomePath& path : paths) total += std::exp(path.log_probability);
  EXPECT_NEAR(total, 1, 1e-15);
  EXPECT_EQ(paths[3].outcomes, (std::vector<Index>{1, 2}));
}

}  // namespace
}  // namespace dpverify
