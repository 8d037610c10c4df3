#include "algorithms/su/kamath_sco.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/mechanisms/test_twins.hpp"
#include "algorithms/problems/counted_records.hpp"

namespace dpverify::su {
namespace {

Dataset small_data() {
  Dataset data{Matrix(5, 2), VectorXd::Zero(5)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 0, 8, -2;
  return data;
}

KamathScoParameters small_parameters() {
  return {.gradients = mean_point_gradients,
          .radius = 1.5,
          .initial = Eigen::Vector2d(0.3, -0.4),
          .step = 0.7,
          .iterations = 3,
          .clip = 2.5,
          .blocks = 2,
          .epsilon = 0.8,
          .delta = 1e-3};
}

// Written again with loops: two blocks of two records, whose lower median is the smaller mean.
TEST(KamathSco, AsksForTheLawsOfTheSlowTwin) {
  const Dataset data = small_data();
  const KamathScoParameters p = small_parameters();
  CapturingReleases releases;
  const VectorXd out = kamath_sco(data, p, releases);
  ASSERT_EQ(releases.laws.size(), 3U);
  const double log_delta = std::log(1000.0);
  const double rho = std::pow(std::sqrt(log_delta + 0.8) - std::sqrt(log_delta), 2);
  const double sensitivity = 2 * 2.5 * std::sqrt(2.0) / 2;
  const double deviation = sensitivity * std::sqrt(3 / (2 * rho));
  Numbers w{0.3, -0.4}, average{0, 0};
  for (std::size_t t = 0; t < 3; ++t) {
    Numbers medians;
    for (Index j = 0; j < 2; ++j) {
      double means[2] = {0, 0};
      for (Index i = 0; i < 4; ++i)
        means[i / 2] += std::clamp(w[static_cast<std::size_t>(j)] - data.features(i, j), -2.5, 2.5);
      medians.push_back(std::min(means[0], means[1]) / 2);
    }
    GaussianNoise expected{to_vector(medians), sensitivity, deviation};
    ASSERT_NEAR(releases.laws[t].standard_deviation / deviation, 1, 1e-9);
    expected.standard_deviation = releases.laws[t].standard_deviation;
    expect_same_law(releases.laws[t], expected);
    for (std::size_t j = 0; j < 2; ++j) w[j] -= 0.7 * releases.outcomes[t][static_cast<Index>(j)];
    const double norm = std::hypot(w[0], w[1]);
    for (std::size_t j = 0; j < 2; ++j) {
      if (norm > 1.5) w[j] *= 1.5 / norm;
      average[j] += w[j] / 3;
    }
  }
  EXPECT_NEAR(out[0], average[0], 1e-12);
  EXPECT_NEAR(out[1], average[1], 1e-12);
}

TEST(KamathSco, BudgetAndParametersByHand) {
  // log(1/delta) = 3, epsilon = 1: (2 - sqrt 3)^2.
  EXPECT_NEAR(zcdp_budget(1, std::exp(-3)), std::pow(2 - std::sqrt(3.0), 2), 1e-15);
  const KamathScoParameters p = kamath_sco_from_theorem(4'000'000, 1, 1, 2, 5, 0.5, 1e-3, 0.95);
  EXPECT_NEAR(p.clip, std::sqrt(9 * 2e6), 1e-9);
  EXPECT_EQ(p.blocks, 3);  // 4 log(2/0.95) = 2.98
  ASSERT_GT(p.iterations, 1);
  EXPECT_LE(noise_deviation(p, 4'000'000, 1), 0.25);
  KamathScoParameters more = p;
  ++more.iterations;
  EXPECT_GT(noise_deviation(more, 4'000'000, 1), 0.25);
  EXPECT_NEAR(p.step, 1 / std::sqrt(static_cast<double>(p.iterations)), 1e-15);
  EXPECT_EQ(kamath_sco_from_theorem(10, 1, 1, 2, 5, 0.5, 1e-3, 0.95).iterations, 1);
  EXPECT_NEAR(kamath_sco_bound(100.0, 16.0, 4.0, 0.25), 4 * 16 / 10.0 + 2 * 32 / 5.0, 1e-12);
  EXPECT_THROW(kamath_sco_from_theorem(10, 1, 0, 2, 5, 0.5, 0.1, 0.5), std::invalid_argument);
  EXPECT_THROW(kamath_sco_from_theorem(10, 1, 1, 0, 5, 0.5, 0.1, 0.5), std::invalid_argument);
  EXPECT_THROW(kamath_sco_from_theorem(10, 1, 1, 2, -1, 0.5, 0.1, 0.5), std::invalid_argument);
}

TEST(KamathSco, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(KamathScoParameters&)>& spoil) {
    KamathScoParameters p = small_parameters();
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return kamath_sco(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.clip = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.step = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.radius = bad; }), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run([](auto& p) { p.blocks = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.blocks = 6; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial *= 10; }), std::invalid_argument);
}

TEST(KamathSco, CommandLineRunStatesWhatItUses) {
  Dataset data{Matrix::Ones(400, 1), VectorXd::Constant(400, 0.5)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : kamath_sco_algorithm().options)
    texts[option.name] = option.default_text;
  const PreparedRun run = kamath_sco_algorithm().prepare(data, RunOptions(texts));
  EXPECT_TRUE(has_claim(kamath_sco_algorithm().claims(), run.guarantee_source));
  SamplingReleases releases(RandomStream({}));
  EXPECT_LE(run.mechanism(data, releases).norm(), 1 + 1e-12);
  for (const auto& [option, bad] : std::map<std::string, std::string>{{"epsilon", "1"},
                                                                      {"delta", "0"},
                                                                      {"iterations", "0"},
                                                                      {"blocks", "401"},
                                                                      {"clip", "0"},
                                                                      {"step", "-1"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(kamath_sco_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

TEST(KamathSco, CountsStandForRecords) {
  const CountedMean law{2, 2, {3, -1}, {0.3, 0.4}};
  const KamathScoParameters p = small_parameters();
  RandomStream stream({.seed = 12, .claim = "kamath counts"});
  const Dataset counts = law.draw(p.blocks, 6, stream);
  const BlockGradients gradients = [&](const VectorXd& w, const DataView& view) {
    return law.block_means(
        view, 6, [&](Index j, double x) { return std::clamp(w[j] - x, -p.clip, p.clip); });
  };
  CapturingReleases counted, plain;
  const VectorXd w = kamath_sco(gradients, p.blocks * 6, counts, p, counted);
  const VectorXd expected = kamath_sco(counted_records(law, counts, 6), p, plain);
  ASSERT_EQ(counted.laws.size(), plain.laws.size());
  for (std::size_t k = 0; k < plain.laws.size(); ++k)
    expect_same_law(counted.laws[k], plain.laws[k]);
  EXPECT_LT((w - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace dpverify::su
