#include "algorithms/tao/truncated_mean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/test_statistics.hpp"
#include "algorithms/mechanisms/test_twins.hpp"
#include "audits/privacy_check.hpp"

namespace dpverify::tao {
namespace {

// Algorithm 1, lines 1 to 3, with loops.
GaussianNoise slow_truncated_mean(const Numbers& x, double b, double epsilon, double delta) {
  const auto n = static_cast<double>(x.size());
  double sum = 0;
  for (const double value : x) sum += std::abs(value) <= b ? value : 0;
  const double variance = 8 * b * b / (n * n * epsilon * epsilon) * std::log(1.25 / delta);
  return {VectorXd::Constant(1, sum / n), 2 * b / n, std::sqrt(variance)};
}

TEST(TruncatedMean, AsksForTheLawOfTheSlowTwin) {
  RandomStream stream({.seed = 1, .claim = "truncated mean test"});
  for (int k = 0; k < 50; ++k) {
    Numbers x{0.7, -0.7, std::nextafter(0.7, 1)};  // at the threshold and just above
    for (int i = 0; i < k; ++i) x.push_back(stream.laplace());
    const double epsilon = stream.uniform(), delta = stream.uniform();
    const GaussianNoise expected = slow_truncated_mean(x, 0.7, epsilon, delta);
    CapturingReleases releases;
    const VectorXd out = truncated_mean(
        column(x), {.truncation = 0.7, .epsilon = epsilon, .delta = delta}, releases);
    ASSERT_EQ(releases.laws.size(), 1U);
    expect_same_law(releases.laws[0], expected);
    EXPECT_EQ(out, releases.outcomes[0]);
    CapturingReleases of_the_mean;
    truncated_mean(expected.value[0], static_cast<Index>(x.size()),
                   {.truncation = 0.7, .epsilon = epsilon, .delta = delta}, of_the_mean);
    expect_same_law(of_the_mean.laws.at(0), expected);
  }
}

TEST(TruncatedMean, TheoremParametersByHand) {
  // u = 2, n = 1e4, epsilon = 0.5, delta = 1e-5, v = 1/2, xi = 0.05: u n epsilon = 1e4 over
  // 2.99573227 * sqrt(11.7360690) = 10.26272; to the power 2/3.
  const TruncatedMeanParameters p = truncated_mean_from_theorem(10'000, 0.5, 1e-5, 2, 0.5, 0.05);
  EXPECT_NEAR(p.truncation, 98.2859, 1e-3);
  EXPECT_EQ(p.epsilon, 0.5);
  EXPECT_EQ(p.delta, 1e-5);
  // 2^(2/3) (10.26272/5000)^(1/3)
  EXPECT_NEAR(truncated_mean_bound(1e4, 0.5, 1e-5, 2, 0.5, 0.05), 0.201731, 1e-5);
  EXPECT_NEAR(noise_deviation(p, 10'000), std::sqrt(8 * 11.736069) * 98.2859 / 5000, 1e-5);
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(truncated_mean_from_theorem(9, bad, 0.1, 1, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(truncated_mean_from_theorem(9, 1, bad, 1, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(truncated_mean_from_theorem(9, 1, 0.1, bad, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(truncated_mean_from_theorem(9, 1, 0.1, 1, bad, 0.1), std::invalid_argument);
    EXPECT_THROW(truncated_mean_from_theorem(9, 1, 0.1, 1, 1, bad), std::invalid_argument);
  }
  EXPECT_THROW(truncated_mean_from_theorem(9, 1, 0.1, 1, 1.1, 0.1), std::invalid_argument);
  EXPECT_THROW(truncated_mean_from_theorem(9, 1, 0.1, 1, 1, 1), std::invalid_argument);
}

TEST(TruncatedMean, RejectsBadInput) {
  const auto run = [](const Dataset& data, const TruncatedMeanParameters& p) {
    SamplingReleases releases(RandomStream({}));
    return truncated_mean(data, p, releases);
  };
  const Dataset data = column({1, 2});
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(run(data, {.epsilon = 5, .delta = 1}));
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run(data, {.truncation = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run(data, {.epsilon = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run(data, {.delta = bad}), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run(data, {.delta = 1.1}), std::invalid_argument);
  EXPECT_THROW(run({Matrix::Ones(2, 2), VectorXd::Zero(2)}, {}), std::invalid_argument);
  SamplingReleases releases(RandomStream({}));
  EXPECT_THROW(truncated_mean(0, 2, {.truncation = nan}, releases), std::invalid_argument);
}

// Independent figures (scipy) of the exact epsilon at the claimed delta.
TEST(TruncatedMean, ExactEpsilonsOfThePrivacyClaims) {
  const auto found = [](const std::string& id, double epsilon, double delta) {
    const std::vector<Claim> claims = truncated_mean_algorithm().claims();
    const auto claim =
        std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == id; });
    Claim one = *claim;
    auto& check = std::get<PrivacyClaim>(one.check);
    check.settings = {{{{"truncation", 1}, {"epsilon", epsilon}, {"delta", delta}}, 3, 1}};
    check.certified.clear();
    return *check_privacy(one, {}).estimate;
  };
  EXPECT_NEAR(found("tao.truncated_mean.privacy.printed", 1, 1e-5), 0.7513, 5e-4);
  EXPECT_NEAR(found("tao.truncated_mean.privacy.large_epsilon.mutant", 16, 1e-5), 18.9, 0.05);
  EXPECT_GT(found("tao.truncated_mean.privacy.half_noise.mutant", 1, 1e-5), 1.4);
}

TEST(TruncatedMean, CommandLineRunStatesWhatItUses) {
  const Dataset data = column({1, 1, 1, 50});
  std::map<std::string, std::string> texts;
  for (const RunOption& option : truncated_mean_algorithm().options)
    texts[option.name] = option.default_text;
  texts["truncation"] = "2";
  const PreparedRun run = truncated_mean_algorithm().prepare(data, RunOptions(texts));
  EXPECT_EQ(run.guarantee.epsilon, 0.5);
  NoiselessReleases releases;
  EXPECT_EQ(run.mechanism(data, releases), VectorXd::Constant(1, 0.75));
  EXPECT_TRUE(has_claim(truncated_mean_algorithm().claims(), run.guarantee_source));
  for (const auto& [option, bad] : std::map<std::string, std::string>{
           {"epsilon", "1.5"}, {"delta", "0"}, {"truncation", "-1"}, {"order", "2"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(truncated_mean_algorithm().prepare(data, RunOptions(spoilt)),
                 std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::tao
