#include "audits/must_catch/must_catch.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <set>

#include "algorithms/core/exact_sampling.hpp"
#include "audits/audit.hpp"

namespace dpverify {
namespace {

AuditRequest quick(std::vector<Channel> channels, std::uint64_t seed, double significance) {
  AuditRequest request;
  request.channels = std::move(channels);
  request.budget.transcripts = 999;
  request.budget.outputs = 2'000;
  request.budget.significance = significance;
  request.certificate = false;
  request.seed = seed;
  return request;
}

bool has_known_law(const Evidence& evidence) {
  return std::any_of(evidence.channels.begin(), evidence.channels.end(),
                     [](const auto& finding) { return finding.verdict != Verdict::not_run; });
}

// Where the law is known the fault is found without luck: exactly, or in transcripts. The twins are
// not flagged; false failure at most 1e-9 a row.
TEST(MustCatch, KnownLawsAreCaughtWithoutOutputs) {
  std::set<std::string> unknown;
  for (const Claim& claim : must_catch_claims()) {
    const Evidence evidence =
        audit_claim(claim, quick({Channel::exact, Channel::transcript}, 1, 1e-9));
    if (!has_known_law(evidence)) {
      unknown.insert(claim.id);
      continue;
    }
    EXPECT_EQ(evidence.verdict == Verdict::refuted, claim.edition == Edition::mutant)
        << claim.id << ": " << evidence.reason;
  }
  // What floating point makes of the textbook's formula has no law in closed form.
  EXPECT_EQ(unknown, std::set<std::string>{"must_catch.naive_double_laplace.privacy.mutant"});
}

// What is rounded to the multiples of the step within 4000 of the value lies within 4000.5 of it.
TEST(MustCatch, TheLawOfRoundedNoiseIsThatOfTheNoise) {
  const std::vector<Claim> claims = must_catch_claims();
  const auto claim = std::find_if(claims.begin(), claims.end(), [](const Claim& one) {
    return one.id == "must_catch.naive_double_laplace.privacy.corrected";
  });
  ASSERT_NE(claim, claims.end());
  const auto& check = std::get<PrivacyClaim>(claim->check);
  const Transcript run =
      record(check.mechanism({}), check.pair->data, RandomStream({.claim = "t"}));
  const auto& law = std::get<HiddenRelease>(run.entries.at(0).law);
  const double step = noise_grid(10), value = check.pair->data.labels.sum();
  const auto density = [&](double x) { return law.log_density(VectorXd::Constant(1, x)); };
  double sum = 0;
  for (int k = -4000; k <= 4000; ++k) sum += std::exp(density(value + k * step));
  const double mass = -std::expm1(-4000.5 * step / 10);
  EXPECT_NEAR(sum, mass, 1e-12 * mass);
  EXPECT_EQ(density(value + step / 2), -infinity);
  EXPECT_EQ(std::fmod(run.output[0], step), 0);
}

TEST(MustCatch, EveryRowHasItsTwin) {
  const std::vector<Claim> claims = must_catch_claims();
  ASSERT_EQ(claims.size() % 2, 0u);
  EXPECT_GE(claims.size(), 66u);
  for (std::size_t k = 0; k < claims.size(); k += 2) {
    EXPECT_EQ(claims[k].algorithm, claims[k + 1].algorithm);
    EXPECT_EQ(claims[k].edition, Edition::mutant);
    EXPECT_EQ(claims[k].expectation, Expectation::refuted);
    EXPECT_EQ(claims[k + 1].edition, Edition::corrected);
    EXPECT_EQ(claims[k + 1].expectation, Expectation::holds);
  }
}

// Flags of `seeds` black-box audits of every twin at significance 0.05: at most the binomial
// quantile at 1e-12 of that many independent audits.
void count_false_alarms(std::uint64_t seeds) {
  int audits = 0, flagged = 0;
  for (const Claim& claim : must_catch_claims()) {
    if (claim.edition == Edition::mutant) continue;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      ++audits;
      flagged +=
          audit_claim(claim, quick({Channel::black_box}, seed, 0.05)).verdict == Verdict::refuted;
    }
  }
  const boost::math::binomial_distribution<> alarms(audits, 0.05);
  const double most = boost::math::quantile(boost::math::complement(alarms, 1e-12));
  ::testing::Test::RecordProperty("audits", audits);
  ::testing::Test::RecordProperty("flagged", flagged);
  std::printf("%d of %d audits of twins flagged, at most %.0f allowed\n", flagged, audits, most);
  EXPECT_LE(flagged, most);
}

TEST(MustCatch, TwinsAreRarelyFlagged) { count_false_alarms(2); }
// Over 200 seeds it takes minutes, too long for every change: disabled here, and run by
// .ci/nightly.
TEST(MustCatch, DISABLED_TwinsAreRarelyFlaggedInManySeeds) { count_false_alarms(200); }

}  // namespace
}  // namespace dpverify
