#include "audits/must_catch/must_catch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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
  EXPECT_EQ(unknown, (std::set<std::string>{"must_catch.naive_double_gaussian.privacy.mutant",
                                            "must_catch.naive_double_laplace.privacy.mutant"}));
}

const PrivacyClaim& privacy_of(std::string_view row) {
  static const std::vector<Claim> claims = must_catch_claims();
  const auto claim = std::ranges::find(claims, "must_catch." + std::string(row), &Claim::id);
  if (claim == claims.end()) throw std::invalid_argument("no row " + std::string(row));
  return std::get<PrivacyClaim>(claim->check);
}

// Noise of scale 10, in scales: the chance to be further than z from 0, and the density there.
struct TextbookNoise {
  std::string row;
  std::function<double(double)> beyond, density;
};

const std::vector<TextbookNoise>& textbook_noises() {
  static const std::vector<TextbookNoise> noises{
      {.row = "naive_double_laplace",
       .beyond = [](double z) { return std::exp(-z); },
       .density = [](double z) { return std::exp(-z) / 2; }},
      {.row = "naive_double_gaussian",
       .beyond = [](double z) { return std::erfc(z / std::numbers::sqrt2); },
       .density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }}};
  return noises;
}

// What is rounded to the multiples of the step within 4000 of the value lies within 4000.5 of it.
TEST(MustCatch, TheLawOfRoundedNoiseIsThatOfTheNoise) {
  for (const TextbookNoise& noise : textbook_noises()) {
    SCOPED_TRACE(noise.row);
    const PrivacyClaim& check = privacy_of(noise.row + ".privacy.corrected");
    const Transcript run =
        record(check.mechanism({}), check.pair->data, RandomStream({.claim = "t"}));
    const auto& law = std::get<HiddenRelease>(run.entries.at(0).law);
    const double step = noise_grid(10), value = check.pair->data.labels.sum();
    const auto density = [&](double x) { return law.log_density(VectorXd::Constant(1, x)); };
    double sum = 0;
    for (int k = -4000; k <= 4000; ++k) sum += std::exp(density(value + k * step));
    const double mass = 1 - noise.beyond(4000.5 * step / 10);
    EXPECT_NEAR(sum, mass, 1e-10 * mass);
    EXPECT_EQ(density(value + step / 2), -infinity);
    EXPECT_EQ(std::fmod(run.output[0], step), 0);
    for (const double z : {-3, 2})
      EXPECT_NEAR(density(value + 10 * z), std::log(step / 10 * noise.density(std::abs(z))), 1e-6);
  }
}

// What is broken about the textbook's noise is which doubles come out, not their law.
TEST(MustCatch, TheTextbooksNoiseHasItsLaw) {
  for (const TextbookNoise& noise : textbook_noises()) {
    SCOPED_TRACE(noise.row);
    const PrivacyClaim& check = privacy_of(noise.row + ".privacy.mutant");
    const double value = check.pair->data.labels.sum();
    constexpr int runs = 4000;
    double above = 0, beyond = 0;
    for (std::uint64_t k = 0; k < runs; ++k) {
      SamplingReleases releases(RandomStream({.claim = "textbook", .trial = k}));
      const double drawn = check.mechanism({})(check.pair->data, releases)[0] - value;
      if (drawn > 0) ++above;
      if (std::abs(drawn) > 10 * 1.3) ++beyond;
    }
    const double error = 6 / std::sqrt(runs), chance = noise.beyond(1.3);
    EXPECT_NEAR(above / runs, 0.5, 0.5 * error);
    EXPECT_NEAR(beyond / runs, chance, std::sqrt(chance * (1 - chance)) * error);
  }
}

double normal_density(double z) {
  return std::exp(-z * z / (2 * 0.49)) / std::sqrt(2 * 3.141592653589793 * 0.49);
}

// Beside sums over all orders, and over all ways to put four records into four batches.
TEST(MustCatch, TheLawsOfBatchesAreTheirMixtures) {
  const Dataset data{Matrix::Zero(4, 1), Eigen::Vector4d(1, -1, 0.25, -3)};
  const std::vector<double> clipped{1, -1, 0.25, -1};
  const auto law_of = [&](const std::string& edition) {
    const Mechanism mechanism =
        privacy_of("shuffled_accounted_as_poisson.privacy." + edition).mechanism({});
    return std::get<HiddenRelease>(
        record(mechanism, data, RandomStream({.claim = "t"})).entries.at(0).law);
  };
  for (const Eigen::Vector4d& point :
       {Eigen::Vector4d(0, 0, 0, 0), Eigen::Vector4d(1.2, -0.3, -2, 0.1)}) {
    std::vector<std::size_t> order{0, 1, 2, 3};
    double shuffled = 0;
    do {
      double product = 1;
      for (std::size_t batch = 0; batch < 4; ++batch)
        product *= normal_density(point[static_cast<Index>(batch)] - clipped[order[batch]]);
      shuffled += product / 24;
    } while (std::ranges::next_permutation(order).found);
    EXPECT_NEAR(law_of("mutant").log_density(point), std::log(shuffled), 1e-12);

    double poisson = 1;
    for (const double y : point) {
      double batch = 0;
      for (unsigned set = 0; set < 16; ++set) {
        double sum = 0, probability = 1;
        for (std::size_t k = 0; k < 4; ++k) {
          const bool drawn = (set >> k & 1) != 0;
          sum += drawn ? clipped[k] : 0;
          probability *= drawn ? 0.25 : 0.75;
        }
        batch += probability * normal_density(y - sum);
      }
      poisson *= batch;
    }
    EXPECT_NEAR(law_of("corrected").log_density(point), std::log(poisson), 1e-12);
  }
}

// The mean product of two sums is that of two records where no record is in both, and that of two
// independent sums otherwise; at five standard errors.
TEST(MustCatch, BatchesAreDrawnByTheirLaws) {
  const Dataset data{Matrix::Zero(3, 1), Eigen::Vector3d(1, -1, 0.5)};
  const double sum = 0.5, squares = 2.25, n = 3;
  struct Moments {
    std::string edition;
    double square, product;  // of one sum, of two
  };
  for (const auto& [edition, square, product] :
       {Moments{"mutant", squares / n + 0.49, (sum * sum - squares) / (n * (n - 1))},
        Moments{"corrected", sum * sum / (n * n) + squares / n * (1 - 1 / n) + 0.49,
                sum * sum / (n * n)}}) {
    const Mechanism mechanism =
        privacy_of("shuffled_accounted_as_poisson.privacy." + edition).mechanism({});
    constexpr int runs = 40'000;
    std::vector<double> first, both;
    for (std::uint64_t run = 0; run < runs; ++run) {
      const VectorXd out =
          record(mechanism, data, RandomStream({.claim = "t", .trial = run})).output;
      first.push_back(out[0] * out[0]);
      both.push_back(out[0] * out[2]);
    }
    const auto deviates = [&](const std::vector<double>& values, double mean) {
      const auto v = Eigen::Map<const Eigen::ArrayXd>(values.data(), runs);
      const double error = std::sqrt((v - v.mean()).square().mean() / runs);
      return (v.mean() - mean) / error;
    };
    EXPECT_LT(std::abs(deviates(first, square)), 5) << edition;
    EXPECT_LT(std::abs(deviates(both, product)), 5) << edition;
  }
}

TEST(MustCatch, EveryRowHasItsTwin) {
  const std::vector<Claim> claims = must_catch_claims();
  ASSERT_EQ(claims.size() % 2, 0u);
  EXPECT_GE(claims.size(), 70u);
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
