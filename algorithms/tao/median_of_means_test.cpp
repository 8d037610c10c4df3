#include "algorithms/tao/median_of_means.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "algorithms/mechanisms/test_twins.hpp"
#include "algorithms/problems/counted_records.hpp"
#include "algorithms/registry.hpp"

namespace dpverify::tao {
namespace {

// Algorithm 3, lines 1 to 12, with loops; line 7 over the block. x[i][j].
GaussianNoise slow_median_of_means(const std::vector<Numbers>& x, std::size_t m, double tau,
                                   double epsilon, double delta, bool averaged) {
  const std::size_t n = x.size(), d = x[0].size(), b = n / m;
  Numbers medians;
  for (std::size_t j = 0; j < d; ++j) {
    Numbers means;
    for (std::size_t k = 1; k <= m; ++k) {
      double sum = 0;
      for (std::size_t i = (k - 1) * b + 1; i <= k * b; ++i)
        sum += std::abs(x[i - 1][j]) <= tau ? x[i - 1][j] : 0;
      means.push_back(sum / static_cast<double>(b));
    }
    // The median by counting: as many means below as above, up to ties.
    std::sort(means.begin(), means.end());
    medians.push_back(m % 2 == 1 ? means[m / 2]
                      : averaged ? (means[m / 2 - 1] + means[m / 2]) / 2
                                 : means[m / 2 - 1]);
  }
  const double coordinate = 2 * tau / static_cast<double>(b) * (averaged && m % 2 == 0 ? 0.5 : 1.0);
  const double sensitivity = coordinate * std::sqrt(static_cast<double>(d));
  return {to_vector(medians), sensitivity,
          sensitivity * std::sqrt(2 * std::log(1.25 / delta)) / epsilon};
}

TEST(MedianOfMeansAlgorithm, AsksForTheLawOfTheSlowTwin) {
  RandomStream stream({.seed = 2, .claim = "median of means test"});
  for (Index m = 1; m <= 6; ++m)
    for (Index n = m; n <= 20; n += 3)
      for (const bool averaged : {false, true}) {
        Matrix records(n, 3);
        std::vector<Numbers> x;
        for (Index i = 0; i < n; ++i) {
          Numbers row;
          for (Index j = 0; j < 3; ++j) {
            records(i, j) = std::round(4 * stream.laplace()) / 4;  // ties, and entries at tau
            row.push_back(records(i, j));
          }
          x.push_back(row);
        }
        CapturingReleases releases;
        const VectorXd out =
            median_of_means(records,
                            {.truncation = 1.5,
                             .blocks = m,
                             .epsilon = 0.7,
                             .delta = 1e-3,
                             .middle = averaged ? MiddlePair::average : MiddlePair::lower},
                            releases);
        ASSERT_EQ(releases.laws.size(), 1U);
        expect_same_law(releases.laws[0], slow_median_of_means(x, static_cast<std::size_t>(m), 1.5,
                                                               0.7, 1e-3, averaged));
        EXPECT_EQ(out, releases.outcomes[0]);
      }
}

TEST(MedianOfMeansAlgorithm, PrintedNoiseByHand) {
  // tau = 2, m = 3, n = 12, d = 4, epsilon = 0.5, delta = 0.125: variance 8 * 4 * 9 * 4 ln(10) /
  // (0.25 * 144).
  MedianOfMeansParameters p{.truncation = 2,
                            .blocks = 3,
                            .epsilon = 0.5,
                            .delta = 0.125,
                            .sensitivity = Edition::printed};
  EXPECT_NEAR(std::pow(noise_deviation(p, 12, 4), 2), 32 * 2.302585092994046, 1e-12);
  EXPECT_EQ(coordinate_sensitivity(p, 12), 1);
  EXPECT_NEAR(coordinate_sensitivity(p, 14), 12.0 / 14, 1e-15);
  p.sensitivity = Edition::corrected;
  EXPECT_NEAR(std::pow(noise_deviation(p, 12, 4), 2), 32 * 2.302585092994046, 1e-12);
  EXPECT_EQ(coordinate_sensitivity(p, 14), 1);  // blocks of 4
  p.blocks = 4;
  p.middle = MiddlePair::average;
  EXPECT_NEAR(coordinate_sensitivity(p, 14), 2.0 / 3, 1e-15);
}

TEST(MedianOfMeansAlgorithm, TheoremParametersByHand) {
  EXPECT_EQ(block_count(1000, 5, 0.1), 19);  // 4 log(100) = 18.4
  EXPECT_EQ(block_count(10, 5, 0.1), 10);
  EXPECT_THROW(block_count(10, 5, 0), std::invalid_argument);
  EXPECT_THROW(block_count(10, 5, 1), std::invalid_argument);
  // (2 * 0.5 * 1e4/2)^(2/3) = 5000^(2/3)
  const MedianOfMeansParameters p = median_of_means_from_theorem(10'000, 4, 0.5, 1e-5, 2, 0.5, 0.1);
  EXPECT_NEAR(p.truncation, 292.4017738212866, 1e-9);
  EXPECT_EQ(p.blocks, 18);  // 4 log(80) = 17.5
  // v = 1, u = 1, d = 1, xi = 2/e, delta = 1/e, epsilon = 1: tau = sqrt(n), every logarithm but
  // log(1/xi) = 1 - log 2 is 1.
  EXPECT_NEAR(median_of_means_bound(100, 1, 1, std::exp(-1), 1, 1, 2 * std::exp(-1)),
              0.1 * (1 + 1 + 1 + std::sqrt(1 - std::log(2))), 1e-14);
  EXPECT_THROW(median_of_means_from_theorem(9, 1, 0.5, 0.1, 0, 1, 0.1), std::invalid_argument);
  EXPECT_THROW(median_of_means_from_theorem(9, 1, 0.5, 0.1, 1, 0, 0.1), std::invalid_argument);
  EXPECT_THROW(median_of_means_from_theorem(9, 1, 0, 0.1, 1, 1, 0.1), std::invalid_argument);
}

TEST(MedianOfMeansAlgorithm, RejectsBadInput) {
  const auto run = [](const MedianOfMeansParameters& p) {
    SamplingReleases releases(RandomStream({}));
    return median_of_means(Matrix::Ones(4, 2), p, releases);
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(run({.blocks = 4, .epsilon = 5}));
  EXPECT_THROW(run({.blocks = 0}), std::invalid_argument);
  EXPECT_THROW(run({.blocks = 5}), std::invalid_argument);
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.truncation = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.epsilon = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.delta = bad}), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run({.delta = 1}), std::invalid_argument);
}

TEST(MedianOfMeansAlgorithm, CommandLineRunStatesWhatItUses) {
  const Dataset data{(Matrix(6, 2) << 1, 0, 1, 0, 3, 9, 3, 1, 2, 1, 2, 1).finished(),
                     VectorXd::Zero(6)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : median_of_means_algorithm().options)
    texts[option.name] = option.default_text;
  texts["truncation"] = "4";
  texts["blocks"] = "3";
  const PreparedRun run = median_of_means_algorithm().prepare(data, RunOptions(texts));
  EXPECT_TRUE(has_claim(median_of_means_algorithm().claims(), run.guarantee_source));
  NoiselessReleases releases;
  EXPECT_EQ(run.mechanism(data, releases), Eigen::Vector2d(2, 0.5));
  for (const auto& [option, bad] : std::map<std::string, std::string>{
           {"epsilon", "1"}, {"delta", "0"}, {"truncation", "-1"}, {"blocks", "7"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(median_of_means_algorithm().prepare(data, RunOptions(spoilt)),
                 std::invalid_argument)
        << option;
  }
}

TEST(MedianOfMeansAlgorithm, CountsStandForRecords) {
  const CountedMean law{2, 2, {3, -1}, {0.3, 0.4}};
  RandomStream stream({.seed = 8, .claim = "median of means counts"});
  const Dataset counts = law.draw(4, 6, stream);
  const MedianOfMeansParameters p{.truncation = 2, .blocks = 4, .epsilon = 0.7, .delta = 1e-3};
  CapturingReleases counted, plain;
  median_of_block_means(thresholded_block_means(law, counts.all(), 6, 2), 26, p, counted);
  Matrix records = Matrix::Constant(26, 2, 1.5);  // the last two are not used
  records.topRows(24) = counted_records(law, counts, 6).features;
  median_of_means(records, p, plain);
  expect_same_law(counted.laws.at(0), plain.laws.at(0));
  EXPECT_THROW(median_of_block_means(Matrix::Zero(3, 2), 26, p, counted), std::invalid_argument);
}

TEST(MedianOfMeansAlgorithm, NoiseBoundByHand) {
  // d = 4, u = 8, v = 1/2, xi = e^-1: log(d'/xi) = log 8 + 1.
  MedianOfMeansParameters p{.truncation = 4, .blocks = 1, .epsilon = 0.5, .delta = 0.125};
  const double statistical = 4 * std::cbrt((std::log(8.0) + 1) / 1000), bias = 8 / 2.0;
  EXPECT_NEAR(median_of_means_noise_bound(p, 1000, 4, 8, 0.5, std::exp(-1)),
              2 * (statistical + bias) + 3 * noise_deviation(p, 1000, 4), 1e-12);
}

// A setting may ask for more blocks than a small dataset has records.
TEST(MedianOfMeans, ItsClaimsCutTheBlocksToTheRecords) {
  const auto claim =
      std::ranges::find(dpverify::claims(), "tao.median_of_means.sensitivity.printed", &Claim::id);
  ASSERT_NE(claim, dpverify::claims().end());
  const auto& check = std::get<SensitivityClaim>(claim->check);
  const Dataset data{Matrix::Constant(3, 1, 0.5), VectorXd::Zero(3)};
  const auto with_blocks = [&](double blocks) {
    ParameterPoint point;
    for (const auto& [name, value] : check.settings.at(0).parameters)
      point.add(name, name == "blocks" ? blocks : name == "anchored" ? 0 : value);
    return record(check.mechanism(point), data, RandomStream({.claim = "blocks"})).output;
  };
  EXPECT_EQ(with_blocks(9), with_blocks(3));
  EXPECT_NE(with_blocks(9), with_blocks(1));
}

}  // namespace
}  // namespace dpverify::tao
