#include "algorithms/claims/planted_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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
  std::vector<std::string> names;
  for (const Claim& mutant : mutants) names.push_back(mutant.id);
  const std::string start = "test.algorithm.sensitivity.";
  EXPECT_EQ(names, (std::vector<std::string>{
                       start + "factor_2_lost.mutant", start + "noise_from_data.mutant",
                       start + "value_without_noise.mutant", start + "stale_seed.mutant",
                       start + "constant_from_data.mutant", start + "record_twice.mutant"}));
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
  // 1 + 1/(1 + |x|) times 7.
  EXPECT_DOUBLE_EQ(at_4, 7 * 1.2);
  EXPECT_DOUBLE_EQ(scale(mutants[1]), 7 * 2);
  EXPECT_TRUE(claims.take().empty());

  const auto run = [&](std::size_t k, std::uint64_t seed) {
    const Mechanism mechanism = std::get<SensitivityClaim>(mutants.at(k).check).mechanism({});
    return record(mechanism, data, RandomStream({.seed = seed, .claim = "planted faults"}));
  };
  const Transcript own = record(honest, data, RandomStream({.seed = 1, .claim = "planted faults"}));
  // The selection is made unnoticed, the value is released.
  ASSERT_EQ(run(2, 1).entries.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<LaplaceNoise>(run(2, 1).entries[0].law));
  // Nothing is released, and every run gives the same.
  EXPECT_TRUE(run(3, 1).entries.empty());
  EXPECT_EQ(run(3, 1).output, run(3, 2).output);
  data.labels[0] = 5;
  EXPECT_EQ(run(4, 1).output[0], own.output[0] + 5);
  // The second record is the first one too.
  Dataset copied = data;
  copied.features.setConstant(-9);  // the honest mechanism takes the second one's 4
  data.features(0, 0) = -9;
  copied.labels.setConstant(5);
  const Transcript twice = run(5, 1);
  EXPECT_EQ(twice.output,
            record(honest, copied, RandomStream({.seed = 1, .claim = "planted faults"})).output);
}

// A search each; a mutant is refuted by one of them.
TEST(PlantedFaults, MutantsAreSearchedAtTwoSettings) {
  for (const std::size_t settings : {1U, 2U, 3U, 4U}) {
    ClaimList claims("test.algorithm");
    add_mutants(claims,
                {[](const ParameterPoint&) { return Mechanism(honest); },
                 {},
                 1,
                 1,
                 std::vector<Setting>(settings),
                 true},
                {"an assumption"});
    for (const Claim& mutant : claims.take()) {
      const auto& check = std::get<SensitivityClaim>(mutant.check);
      EXPECT_EQ(check.settings.size(), std::min<std::size_t>(settings, 2)) << mutant.id;
      EXPECT_FALSE(check.attained);
    }
  }
}

TEST(PlantedFaults, ARecordOfItsOwnReleaseIsNotCopied) {
  ClaimList claims("test.algorithm");
  add_mutants(claims, {[](const ParameterPoint&) { return Mechanism(honest); }, {}, 1, 1, {}, true},
              {}, false);
  EXPECT_EQ(claims.take().size(), 5U);
}

}  // namespace
}  // namespace dpverify
