#include "algorithms/core/planted_faults.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

// Two releases, as an honest mechanism makes them.
VectorXd honest(const Dataset& data, Releases& releases) {
  const VectorXd column = data.features.col(0);
  const Index k = releases.select(ExponentialMechanism{column, 2, 3});
  return releases.release(LaplaceNoise{column.segment(k, 1), 5, 7});
}

TEST(PlantedFaults, SensitivityAndNoiseAreScaledTogether) {
  const Dataset data{Matrix::Constant(2, 1, 4), VectorXd::Zero(2)};
  const auto faulty =
      with_noise_times(honest, [](const Dataset& d) { return d.features(0, 0) / 8; });
  const Transcript transcript = record(faulty, data, RandomStream({.claim = "planted faults"}));
  ASSERT_EQ(transcript.entries.size(), 2U);
  const auto& selection = std::get<ExponentialMechanism>(transcript.entries[0].law);
  EXPECT_EQ(selection.scores, VectorXd::Constant(2, 4));
  EXPECT_EQ(selection.sensitivity, 1);
  EXPECT_EQ(selection.coefficient, 6);
  const auto& value = std::get<LaplaceNoise>(transcript.entries[1].law);
  EXPECT_EQ(value.value, VectorXd::Constant(1, 4));
  EXPECT_EQ(value.sensitivity, 2.5);
  EXPECT_EQ(value.scale, 3.5);
}

TEST(PlantedFaults, EachMutantChangesOneThing) {
  ClaimList claims("test.algorithm");
  add_mutants(claims, {[](const ParameterPoint&) { return Mechanism(honest); }, {}, 1, 1, {}, true},
              {"an assumption"});
  const std::vector<Claim> mutants = claims.take();
  ASSERT_EQ(mutants.size(), 2U);
  EXPECT_EQ(mutants[0].id, "test.algorithm.sensitivity.factor_2_lost.mutant");
  EXPECT_EQ(mutants[1].id, "test.algorithm.sensitivity.noise_from_data.mutant");
  Dataset data{Matrix::Constant(2, 1, 4), VectorXd::Zero(2)};
  const auto scale = [&data](const Claim& claim) {
    const Mechanism mechanism = std::get<SensitivityClaim>(claim.check).mechanism({});
    const Transcript run = record(mechanism, data, RandomStream({.claim = "planted faults"}));
    return std::get<LaplaceNoise>(run.entries[1].law).scale;
  };
  const double half = scale(mutants[0]), at_4 = scale(mutants[1]);
  EXPECT_EQ(half, 3.5);
  data.features(0, 0) = 0;
  EXPECT_EQ(scale(mutants[0]), half);
  EXPECT_NE(scale(mutants[1]), at_4);
  EXPECT_TRUE(claims.take().empty());
}

}  // namespace
}  // namespace dpverify
