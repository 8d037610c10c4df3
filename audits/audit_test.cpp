#include "audits/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>

#include "algorithms/claims/algorithm.hpp"
#include "audits/black_box/event_bounds.hpp"
#include "audits/must_catch/must_catch.hpp"
#include "audits/privacy_check.hpp"
#include "properties/sensitivity_check.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

VectorXd one(double x) { return VectorXd::Constant(1, x); }

double clipped_sum(const Dataset& data) { return data.labels.cwiseMax(0).cwiseMin(1).sum(); }

// A claim on the pair of the labels 0 and 1.
Claim claim_on(const Mechanism& mechanism, PrivacyGuarantee guarantee) {
  const auto labels = [](double y) {
    return Dataset{Matrix::Zero(2, 1), VectorXd::Constant(2, y)};
  };
  NeighbouringPair pair{labels(0), labels(0), 0};
  pair.neighbour.labels[0] = 1;
  return {
      .id = "test.mechanism.privacy.corrected",
      .algorithm = "test.mechanism",
      .check = PrivacyClaim{.mechanism = [mechanism](const ParameterPoint&) { return mechanism; },
                            .guarantee = [guarantee](const ParameterPoint&) { return guarantee; },
                            .settings = {{{}, 2, 1}},
                            .pair = pair}};
}

AuditRequest small_request(std::vector<Channel> channels = {std::begin(all_channels),
                                                            std::end(all_channels)}) {
  AuditRequest request;
  request.channels = std::move(channels);
  request.budget.transcripts = 300;
  request.budget.outputs = 2'000;
  request.budget.significance = 0.01;
  request.seed = 1;
  return request;
}

const ChannelFinding& finding(const Evidence& evidence, Channel channel) {
  return *std::ranges::find(evidence.channels, name(channel), &ChannelFinding::channel);
}

// The Laplace mechanism with noise from a generator of its own: 1-DP, but not through a release.
Mechanism with_own_generator(double scale) {
  const auto generator = std::make_shared<std::mt19937_64>(1);
  return [=](const Dataset& data, Releases&) {
    std::exponential_distribution<> magnitude(1 / scale);
    const double noise = magnitude(*generator) - magnitude(*generator);
    return one(clipped_sum(data) + noise);
  };
}

TEST(Audit, AMechanismWithAGeneratorOfItsOwnIsJudgedByItsOutputsAlone) {
  const Evidence evidence = audit_claim(claim_on(with_own_generator(1), {1.1, 0}), small_request());
  EXPECT_EQ(finding(evidence, Channel::exact).verdict, Verdict::not_run);
  EXPECT_EQ(finding(evidence, Channel::transcript).verdict, Verdict::not_run);
  EXPECT_EQ(finding(evidence, Channel::black_box).verdict, Verdict::consistent);
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  EXPECT_EQ(evidence.strength, Strength::sampled);
  EXPECT_THAT(evidence.reason,
              AllOf(HasSubstr("outside its releases"), HasSubstr("draw them through a release"),
                    HasSubstr("Composition certifies nothing")));
  EXPECT_EQ(
      audit_claim(claim_on(with_own_generator(1), {1, 0}), small_request({Channel::exact})).verdict,
      Verdict::inconclusive);
  // One that is wrong is still refuted.
  EXPECT_EQ(audit_claim(claim_on(with_own_generator(0.2), {1, 0}), small_request()).verdict,
            Verdict::refuted);
}

TEST(Audit, AGeneratorOfItsOwnRefutesNoClaimThatIsChecked) {
  Claim claim = claim_on(with_own_generator(1), {1, 0});
  std::get<PrivacyClaim>(claim.check).pair.reset();
  const Evidence privacy = check_privacy(claim, {});
  EXPECT_EQ(privacy.verdict, Verdict::inconclusive);
  EXPECT_THAT(privacy.reason, HasSubstr("outside its releases"));
  // One release that is right, and noise of its own on top.
  const Mechanism own = with_own_generator(1);
  claim.check = SensitivityClaim{
      .mechanism = [own](const ParameterPoint&) -> Mechanism {
        return [own](const Dataset& data, Releases& releases) -> VectorXd {
          return own(data, releases) + releases.release(LaplaceNoise{one(clipped_sum(data)), 1, 1});
        };
      },
      .settings = {{{}, 2, 1}}};
  const Evidence sensitivity = check_sensitivity(claim, {});
  EXPECT_EQ(sensitivity.verdict, Verdict::inconclusive) << sensitivity.reason;
  EXPECT_THAT(sensitivity.reason, HasSubstr("outside its releases"));
}

// The noisy sum divided by the exact number of records, which a record less changes.
TEST(Audit, DataThatEscapeAreNeverConsistent) {
  int escaping = 0;
  for (const Claim& claim : must_catch_claims()) {
    if (claim.edition != Edition::mutant) continue;
    for (const Channel channel : all_channels) {
      const Evidence evidence = audit_claim(claim, small_request({channel}));
      if (evidence.reason.find("reach the output outside") == std::string::npos) continue;
      ++escaping;
      EXPECT_NE(evidence.verdict, Verdict::consistent) << claim.id << ": " << evidence.reason;
    }
  }
  EXPECT_GE(escaping, 6);  // three rows at least, seen by two channels each
}

// The pre-noise value of the release does not differ; what is added to it afterwards does.
TEST(Audit, LawsOfTheReleasesDoNotSpeakForAnOutputThatDataReachOtherwise) {
  const Mechanism beside = [](const Dataset& data, Releases& releases) -> VectorXd {
    return one(clipped_sum(data)) + releases.release(GaussianNoise{one(0), 1, 1});
  };
  const Evidence evidence =
      audit_claim(claim_on(beside, {1, 1e-3}), small_request({Channel::exact}));
  EXPECT_EQ(evidence.verdict, Verdict::inconclusive) << evidence.reason;
  EXPECT_THAT(evidence.reason, HasSubstr("data reach the output outside them"));
  EXPECT_EQ(audit_claim(claim_on(beside, {5, 1e-3}), small_request({Channel::black_box})).verdict,
            Verdict::inconclusive);
  Claim without_pair = claim_on(beside, {1, 1e-3});
  std::get<PrivacyClaim>(without_pair.check).pair.reset();
  EXPECT_EQ(check_privacy(without_pair, {}).verdict, Verdict::inconclusive);
}

// Where every path of outcomes is walked, what is done with the data afterwards is seen too: a bit
// masked by a fair coin is perfectly private.
TEST(Audit, EnumerationSeesOutputsWhole) {
  const Mechanism mask = [](const Dataset& data, Releases& releases) -> VectorXd {
    const Index coin = releases.select(ExponentialMechanism{VectorXd::Zero(2), 1, 1});
    return one(static_cast<double>((coin + static_cast<Index>(clipped_sum(data))) % 2));
  };
  const Evidence evidence = audit_claim(claim_on(mask, {0.1, 0}), small_request({Channel::exact}));
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  EXPECT_EQ(evidence.strength, Strength::exact_on_searched_pairs);
  EXPECT_EQ(*evidence.estimate, 0);
}

// The table reaches a quarter beyond the larger of what is claimed and what is found.
TEST(Audit, TheCurveShowsBothTheClaimAndWhatIsFound) {
  const Mechanism noisy = [](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{one(clipped_sum(data)), 1, 0.5});  // 2-DP
  };
  for (const double claimed : {1.0, 2.0, 3.0}) {
    AuditRequest request = small_request({Channel::exact});
    request.budget.curves = true;
    const Evidence evidence = audit_claim(claim_on(noisy, {claimed, 0}), request);
    const auto curve = std::find_if(
        evidence.tables.begin(), evidence.tables.end(),
        [](const Table& table) { return table.name == "exact delta(epsilon) on the pair"; });
    ASSERT_NE(curve, evidence.tables.end());
    EXPECT_NEAR(curve->rows.back()[0], 1.25 * std::max(claimed, 2.0), 1e-9) << claimed;
  }
}

// A misspelt option fails alike on both datasets: nothing to tell apart, and nothing consistent.
TEST(Audit, AMechanismThatAlwaysFailsIsNotConsistent) {
  const Mechanism misspelt = [](const Dataset&, Releases&) -> VectorXd {
    return one(RunOptions(std::map<std::string, std::string>{{"epsilon", "1"}}).number("epsilonn"));
  };
  EXPECT_THROW(audit_claim(claim_on(misspelt, {1, 0}), small_request({Channel::black_box})),
               std::invalid_argument);
  // One that fails on one dataset only tells them apart.
  const Mechanism picky = [](const Dataset& data, Releases&) -> VectorXd {
    if (clipped_sum(data) > 0.5) throw std::runtime_error("a large record");
    return one(0);
  };
  EXPECT_EQ(audit_claim(claim_on(picky, {1, 0}), small_request({Channel::black_box})).verdict,
            Verdict::refuted);
}

Mechanism laplace_of(double factor, double declared, double scale) {
  return [=](const Dataset& data, Releases& releases) -> VectorXd {
    return releases.release(LaplaceNoise{one(factor * clipped_sum(data)), declared, scale});
  };
}

bool is_certified(const Evidence& evidence) {
  return std::ranges::any_of(evidence.measurements, [](const Measurement& measurement) {
    return measurement.name == "epsilon certified by composition";
  });
}

TEST(Audit, ACertificateIsWithdrawnWhenAReleaseMovesByMoreThanItDeclares) {
  const Evidence honest =
      audit_claim(claim_on(laplace_of(1, 1, 1), {1, 0}), small_request({Channel::exact}));
  EXPECT_TRUE(is_certified(honest));
  // Moves by 2 where 1 is declared: refuted at 2, and no word of the 1 that composition would give.
  const Evidence broken =
      audit_claim(claim_on(laplace_of(2, 1, 1), {1, 0}), small_request({Channel::exact}));
  EXPECT_EQ(broken.verdict, Verdict::refuted);
  EXPECT_FALSE(is_certified(broken));
  EXPECT_THAT(broken.reason,
              HasSubstr("Composition certifies nothing, because release 1 moves by 2 where a "
                        "sensitivity of 1 is declared"));
  // Nor does it speak where no channel sees anything.
  EXPECT_EQ(audit_claim(claim_on(laplace_of(2, 1, 1), {1, 0}), small_request({})).verdict,
            Verdict::inconclusive);
  EXPECT_EQ(audit_claim(claim_on(laplace_of(1, 1, 1), {1, 0}), small_request({})).verdict,
            Verdict::consistent);
}

// Composition looks at random records of size 10, where this keeps its promise; on the pair it does
// not.
TEST(Audit, ACertificateIsWithdrawnByThePairThatIsAudited) {
  const Mechanism careless_with_small = [](const Dataset& data, Releases& releases) -> VectorXd {
    const double factor = data.labels.cwiseAbs().maxCoeff() <= 1 ? 3 : 1;
    return releases.release(LaplaceNoise{one(factor * clipped_sum(data)), 1, 1});
  };
  const Claim claim = claim_on(careless_with_small, {1, 0});
  const Evidence evidence = audit_claim(claim, small_request());
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  EXPECT_FALSE(is_certified(evidence));
  EXPECT_EQ(audit_claim(claim, small_request({})).verdict, Verdict::inconclusive);
}

Claim searched(Claim claim) {
  std::get<PrivacyClaim>(claim.check).pair.reset();
  return claim;
}

// As the plans ci and nightly ask, with fewer samples.
AuditRequest with_samples(const Claim& claim) {
  AuditRequest request = audit_request(claim, {});
  request.channels = {std::begin(all_channels), std::end(all_channels)};
  request.budget.transcripts = 300;
  request.budget.most_transcripts = 300;
  request.budget.outputs = 30;
  request.evaluations = 200;
  return request;
}

TEST(Audit, SampledChannelsLookAtTheWorstPairThatTheExactOneFound) {
  // Two candidates use half of what the exponential mechanism is certified for.
  const Mechanism response = [](const Dataset& data, Releases& releases) {
    VectorXd scores(2);
    scores << (data.labels[0] <= 0), (data.labels[0] > 0);
    return one(static_cast<double>(releases.select(ExponentialMechanism{scores, 1, 1})));
  };
  const Claim tight = searched(claim_on(response, {2, 0}));
  const Evidence exact = check_privacy(tight, {});
  EXPECT_TRUE(exact.channels.empty());
  const Evidence sampled = audit_claim(tight, with_samples(tight));
  ASSERT_EQ(sampled.channels.size(), 3U);
  EXPECT_EQ(finding(sampled, Channel::exact).verdict, Verdict::consistent);
  // Too few outputs to decide, which takes nothing from what is known exactly.
  EXPECT_EQ(finding(sampled, Channel::black_box).verdict, Verdict::inconclusive);
  EXPECT_EQ(sampled.verdict, Verdict::consistent) << sampled.reason;
  EXPECT_EQ(sampled.strength, Strength::certified);
  EXPECT_NEAR(*sampled.smallest_fault, 2, 1e-9);
  EXPECT_EQ(sampled.estimate, exact.estimate);
  EXPECT_THAT(sampled.reason, HasSubstr("On the pair shown: black-box, inconclusive: "));
}

TEST(Audit, ASampledChannelRefutesWhatTheExactOneCannotSee) {
  const Mechanism beside = [](const Dataset& data, Releases& releases) -> VectorXd {
    return one(clipped_sum(data)) +
           releases.release(GaussianNoise{one(0.1 * clipped_sum(data)), 0.1, 1});
  };
  const Claim claim = searched(claim_on(beside, {1, 1e-3}));
  const Evidence evidence = audit_claim(claim, with_samples(claim));
  EXPECT_EQ(finding(evidence, Channel::exact).verdict, Verdict::inconclusive);
  EXPECT_EQ(finding(evidence, Channel::transcript).verdict, Verdict::refuted);
  EXPECT_EQ(evidence.verdict, Verdict::refuted) << evidence.reason;
  EXPECT_GT(*evidence.tightness, 1);
  EXPECT_THAT(evidence.reason, Not(HasSubstr("Composition certifies")));
  ASSERT_TRUE(evidence.witness && evidence.witness->pair);
  EXPECT_NE(clipped_sum(evidence.witness->pair->data),
            clipped_sum(evidence.witness->pair->neighbour));
}

// The whole significance goes to the channels that have something to see: seen in the ceiling, that
// depends on it.
TEST(Audit, TheSignificanceIsSharedByTheSampledChannelsThatLook) {
  const auto ceiling = [](const Mechanism& mechanism, std::vector<Channel> channels) {
    return *finding(audit_claim(claim_on(mechanism, {1, 0}), small_request(std::move(channels))),
                    Channel::black_box)
                .ceiling;
  };
  const double whole =
      epsilon_ceiling(1'000, 1'000, 0, 0.01 / 4);  // one event a half and direction
  const double half = epsilon_ceiling(1'000, 1'000, 0, 0.01 / 8);
  ASSERT_GT(whole, half);
  EXPECT_EQ(ceiling(laplace_of(1, 1, 1), {Channel::black_box}), whole);
  EXPECT_EQ(ceiling(laplace_of(1, 1, 1), {Channel::exact, Channel::black_box}), whole);
  EXPECT_EQ(ceiling(laplace_of(1, 1, 1), {Channel::transcript, Channel::black_box}), half);
  const Mechanism program = [](const Dataset& data, Releases& releases) -> VectorXd {
    return releases.release(
        HiddenRelease{.size = 1, .draw = [sum = clipped_sum(data)](RandomStream& stream) {
                        return one(sum + stream.laplace());
                      }});
  };
  EXPECT_EQ(ceiling(program, {Channel::transcript, Channel::black_box}), whole);
}

}  // namespace
}  // namespace dpverify
