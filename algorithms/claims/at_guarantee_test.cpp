#include "algorithms/claims/at_guarantee.hpp"

#include <gmock/gmock.h>

#include "algorithms/claims/family.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct NoiseParameters {
  double epsilon = 1;
  double delta = 1e-5;
  Index steps = 1;
};

const Fields<NoiseParameters> noise_fields{
    field("steps", &NoiseParameters::steps).range(1, 1, 4),
    field("epsilon", &NoiseParameters::epsilon).range(1.0, 0.1, 10.0),
    field("delta", &NoiseParameters::delta).range(1e-5, 1e-9, 0.1, Scale::logarithmic)};

// The scale is the epsilon it was given: seen in its output without noise.
const Family<NoiseParameters> noise_family{
    noise_fields,
    [](const Dataset&, const NoiseParameters& p, Releases&) -> VectorXd {
      return VectorXd{{p.epsilon, p.delta, static_cast<double>(p.steps)}};
    },
    [](const NoiseParameters& p) {
      return PrivacyGuarantee{p.epsilon, p.delta};
    }};

Claim claim_with(PrivacyClaim check) {
  return {.id = "test.noise.privacy.printed",
          .algorithm = "test.noise",
          .edition = Edition::printed,
          .expectation = Expectation::holds,
          .source = {Text::folklore, "Algorithm 1"},
          .statement = "It is private.",
          .assumptions = {},
          .check = std::move(check)};
}

const Claim noise_claim =
    claim_with(noise_family.privacy({{{.steps = 3}, 5, 2}}, {{{.epsilon = 2, .steps = 4}, 9, 1}}));

VectorXd run_at(const Claim& claim, const Setting& setting) {
  SamplingReleases releases(RandomStream({.claim = "test"}));
  return std::get<PrivacyClaim>(claim.check)
      .mechanism(setting.parameters)({Matrix::Zero(1, 1), VectorXd::Zero(1)}, releases);
}

TEST(AtGuarantee, EverySettingRunsWithItAndClaimsIt) {
  const Claim asked = at_guarantee(noise_claim, {.epsilon = 0.5, .delta = 1e-3});
  const auto& check = std::get<PrivacyClaim>(asked.check);
  for (const Setting& setting : {check.settings.at(0), check.certified.at(0)}) {
    EXPECT_EQ(check.guarantee(setting.parameters).epsilon, 0.5);
    EXPECT_EQ(check.guarantee(setting.parameters).delta, 1e-3);
  }
  EXPECT_EQ(run_at(asked, check.settings[0]), Eigen::Vector3d(0.5, 1e-3, 3));
  EXPECT_EQ(run_at(asked, check.certified[0]), Eigen::Vector3d(0.5, 1e-3, 4));
  EXPECT_EQ(check.settings[0].records, 5);
  EXPECT_THAT(asked.statement,
              EndsWith("It is private. Asked: with epsilon = 0.5, delta = 0.001."));
}

TEST(AtGuarantee, WhatIsAbsentStays) {
  const Claim of_epsilon = at_guarantee(noise_claim, {.epsilon = 0.5, .delta = {}});
  EXPECT_EQ(run_at(of_epsilon, std::get<PrivacyClaim>(of_epsilon.check).settings[0]),
            Eigen::Vector3d(0.5, 1e-5, 3));
  const Claim of_delta = at_guarantee(noise_claim, {.epsilon = {}, .delta = 0.1});
  EXPECT_EQ(run_at(of_delta, std::get<PrivacyClaim>(of_delta.check).certified[0]),
            Eigen::Vector3d(2, 0.1, 4));
  EXPECT_EQ(at_guarantee(noise_claim, {}).statement, noise_claim.statement);
}

void expect_refused(const Claim& claim, const AskedGuarantee& asked, const std::string& words) {
  EXPECT_THAT(
      [&] { at_guarantee(claim, asked); },
      ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr(words), HasSubstr("--keep-noise"))));
}

TEST(AtGuarantee, RefusesWhatTheClaimDoesNotSpeakOf) {
  expect_refused(noise_claim, {.epsilon = 10.5, .delta = {}},
                 "--epsilon is 10.5, but must be in [0.1, 10]");
  expect_refused(noise_claim, {.epsilon = 1, .delta = 0.0},
                 "--delta is 0, but must be in [1e-09, 0.1]");
  EXPECT_NO_THROW(at_guarantee(noise_claim, {.epsilon = 10.0, .delta = 1e-9}));
}

TEST(AtGuarantee, RefusesWhatIsNoParameter) {
  const Claim fixed = claim_with(noise_family.over(noise_fields.without(&NoiseParameters::delta))
                                     .privacy({{{.steps = 1}, 5, 2}}));
  expect_refused(fixed, {.epsilon = 1, .delta = 1e-3}, "no parameter delta");
  EXPECT_NO_THROW(at_guarantee(fixed, {.epsilon = 1, .delta = 1e-5}));
  // Near it by less than 1e-9, but not by a billionth of it.
  expect_refused(fixed, {.epsilon = 1, .delta = 1.00005e-5}, "no parameter delta");
  Family<NoiseParameters> twice = noise_family;
  twice.guarantee = [](const NoiseParameters& p) {
    return PrivacyGuarantee{2 * p.epsilon, p.delta};
  };
  expect_refused(claim_with(twice.privacy({{{.steps = 1}, 5, 2}})), {.epsilon = 3, .delta = {}},
                 "--epsilon is 3, but must be given with --keep-noise: with it "
                 "test.noise.privacy.printed claims epsilon 6");
  // The claimed epsilon depends on delta.
  Family<NoiseParameters> of_both = noise_family;
  of_both.guarantee = [](const NoiseParameters& p) {
    return PrivacyGuarantee{p.epsilon * -std::log(p.delta), p.delta};
  };
  expect_refused(claim_with(of_both.privacy({{{.steps = 1}, 5, 2}})), {.epsilon = {}, .delta = 0.1},
                 "--delta is 0.1");
}

TEST(AtGuarantee, RefusesClaimsOfAnotherKind) {
  Claim other = noise_claim;
  other.check = SensitivityClaim{};
  EXPECT_THROW(at_guarantee(other, {.epsilon = 1, .delta = {}}), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
