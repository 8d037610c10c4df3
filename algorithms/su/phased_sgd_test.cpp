#include "algorithms/su/phased_sgd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/test_statistics.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {
namespace {

// Answers each Gaussian release with value + offset and keeps the laws.
class OffsetReleases final : public Releases {
 public:
  explicit OffsetReleases(double offset) : offset_(offset) {}
  std::vector<GaussianNoise> laws;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(std::get<GaussianNoise>(law));
    return VectorXd(laws.back().value.array() + offset_);
  }
  double offset_;
};

// Algorithm 6 written again with loops over plain numbers, d = 2; line 8's noise is `offset`.
std::vector<double> slow_phased_sgd(const std::vector<std::array<double, 3>>& records, double eta,
                                    double offset, std::vector<std::array<double, 2>>& averages) {
  const auto n = static_cast<double>(records.size());
  const int k = static_cast<int>(std::floor(std::log2(n)));
  double w0 = 0, w1 = 0;
  std::size_t next = 0;
  for (int i = 1; i <= k; ++i) {
    const double eta_i = eta * std::pow(4, -i);
    const int n_i = static_cast<int>(std::floor(n * std::pow(2, -i)));
    std::vector<std::array<double, 2>> iterates{{w0, w1}};
    for (int t = 0; t < n_i; ++t, ++next) {
      const auto& [x0, x1, y] = records[next];
      const double residual = x0 * iterates.back()[0] + x1 * iterates.back()[1] - y;
      const double slope = residual / std::sqrt(1 + residual * residual);
      iterates.push_back(
          {iterates.back()[0] - eta_i * slope * x0, iterates.back()[1] - eta_i * slope * x1});
    }
    double a0 = 0, a1 = 0;
    for (const auto& iterate : iterates) {
      a0 += iterate[0] / (n_i + 1);
      a1 += iterate[1] / (n_i + 1);
    }
    averages.push_back({a0, a1});
    w0 = a0 + offset;
    w1 = a1 + offset;
  }
  return {w0, w1};
}

TEST(PhasedSgd, FollowsTheSlowTwin) {
  RandomStream stream({.seed = 1, .claim = "phased sgd test"});
  for (const std::size_t n : {2U, 3U, 4U, 7U, 8U, 21U}) {
    std::vector<std::array<double, 3>> records;
    Dataset data{Matrix(n, 2), VectorXd(n)};
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = stream.uniform(0, 6.28), length = stream.uniform(0, 1.5);
      records.push_back({length * std::cos(angle), length * std::sin(angle), stream.laplace()});
      const auto row = static_cast<Index>(i);
      data.features(row, 0) = records[i][0];
      data.features(row, 1) = records[i][1];
      data.labels[row] = records[i][2];
    }
    std::vector<std::array<double, 2>> averages;
    const std::vector<double> expected = slow_phased_sgd(records, 0.4, 0.3, averages);
    OffsetReleases releases(0.3);
    const VectorXd out =
        phased_sgd(data, {.lipschitz = 1.5, .step = 0.4, .epsilon = 2, .delta = 1e-4}, releases);
    ASSERT_EQ(releases.laws.size(), averages.size()) << n;
    for (std::size_t i = 0; i < averages.size(); ++i) {
      const GaussianNoise& law = releases.laws[i];
      EXPECT_NEAR(law.value[0], averages[i][0], 1e-14);
      EXPECT_NEAR(law.value[1], averages[i][1], 1e-14);
      const double n_i = std::floor(static_cast<double>(n) / std::pow(2, i + 1));
      const double change = 2 * 1.5 * 0.4 * std::pow(4, -(static_cast<double>(i) + 1));
      EXPECT_NEAR(law.sensitivity, change * n_i / (n_i + 1), 1e-15);
      EXPECT_NEAR(law.standard_deviation, 2 * law.sensitivity * std::sqrt(std::log(1e4)) / 2,
                  1e-15);
    }
    EXPECT_NEAR(out[0], expected[0], 1e-14);
    EXPECT_NEAR(out[1], expected[1], 1e-14);
  }
}

TEST(PhasedSgd, PrintedNoiseByHand) {
  // n = 5: phases of 2 and 1 records; sigma_i = 4 L eta_i sqrt(log(1/delta))/epsilon.
  const Dataset data{Matrix::Zero(5, 3), VectorXd::Ones(5)};
  OffsetReleases releases(0);
  const VectorXd out = phased_sgd(data,
                                  {.lipschitz = 2,
                                   .step = 0.25,
                                   .epsilon = 0.5,
                                   .delta = 1e-5,
                                   .sensitivity = Edition::printed},
                                  releases);
  EXPECT_EQ(out, VectorXd::Zero(3));  // features are 0, so no gradient
  ASSERT_EQ(releases.laws.size(), 2U);
  EXPECT_NEAR(releases.laws[0].standard_deviation, 3.393070212207556, 1e-12);
  EXPECT_NEAR(releases.laws[1].standard_deviation, 0.848267553051889, 1e-12);
  EXPECT_EQ(releases.laws[0].sensitivity, 0.25);
}

// Linear losses (labels far away): the first record of a phase moves the average by exactly
// 2 L eta_i n_i/(n_i + 1).
TEST(PhasedSgd, FirstRecordOfAPhaseAttainsTheSensitivity) {
  for (const Index n : {2, 8, 64, 100}) {
    Dataset data{Matrix::Ones(n, 1), VectorXd::Constant(n, 1e9)};
    Dataset other = data;
    other.labels[0] = -1e9;
    OffsetReleases on(0), off(0);
    const PhasedSgdParameters p{.step = 1, .epsilon = 1};
    phased_sgd(data, p, on);
    phased_sgd(other, p, off);
    EXPECT_NEAR((on.laws[0].value - off.laws[0].value).norm(), on.laws[0].sensitivity, 1e-12);
    EXPECT_NEAR(on.laws[0].sensitivity, 0.5 * double(n / 2) / double(n / 2 + 1), 1e-15);
  }
}

TEST(PhasedSgd, OneRecordGivesZeroAndLeftoversAreNotRead) {
  OffsetReleases releases(1);
  EXPECT_EQ(phased_sgd({Matrix::Ones(1, 2), VectorXd::Ones(1)}, {}, releases), VectorXd::Zero(2));
  EXPECT_TRUE(releases.laws.empty());
  // n = 7: phases of 3 and 1 records, the last three unused.
  Dataset data{Matrix::Ones(7, 2), VectorXd::Ones(7)};
  const VectorXd before = phased_sgd(data, {}, releases);
  data.features.bottomRows(3).setConstant(-5);
  EXPECT_EQ(phased_sgd(data, {}, releases), before);
}

TEST(PhasedSgd, PrintedStepsByHand) {
  // n = 1e4, d = 50, epsilon = 1, delta = 1e-5, L = 1
  const auto at = [](PhasedStep print) { return phased_step(print, 10'000, 50, 1, 1e-5, 1); };
  EXPECT_NEAR(at(PhasedStep::lemma_14), 0.020839733249330517, 1e-15);
  EXPECT_NEAR(at(PhasedStep::theorem_13), 0.006141851463713753, 1e-15);
  EXPECT_NEAR(at(PhasedStep::proof), 0.01, 1e-15);
  EXPECT_EQ(phased_step(PhasedStep::lemma_14, 1'000'000'000'000, 1, 1, 0.5, 2), 2e-6);
}

TEST(PhasedSgd, LipschitzRecords) {
  Dataset data{(Matrix(3, 2) << 3, 4, 0.3, 0.4, 1e308, 1e308).finished(),
               (VectorXd(3) << 5, -0.0, -3).finished()};
  const Dataset small = lipschitz_records(Loss::logistic, data, 2, 1);
  EXPECT_NEAR(small.features(0, 0), 0.6, 1e-15);
  EXPECT_EQ(small.features(1, 0), 0.3);
  EXPECT_NEAR(small.features(2, 1), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(small.labels, (VectorXd(3) << 1, 1, -1).finished());
  EXPECT_EQ(lipschitz_records(Loss::pseudo_huber, data, 2, 1).labels, data.labels);
  EXPECT_NEAR(lipschitz_records(Loss::pseudo_huber, data, 1, 1).features(0, 0), 3.0 / 7, 1e-15);
  EXPECT_THROW(lipschitz_records(Loss::squared, data, 2, 1), std::invalid_argument);
  const VectorXd w = (VectorXd(2) << 2, -0.5).finished();
  for (const double q : {1.0, 2.0, 3.0})
    EXPECT_NEAR(
        lipschitz_risk(Loss::logistic, w, data.all(), q, 0.8),
        empirical_risk(Loss::logistic, w, lipschitz_records(Loss::logistic, data, q, 0.8).all()),
        1e-15);
  EXPECT_THROW(lipschitz_risk(Loss::logistic, VectorXd::Ones(3), data.all(), 2, 1),
               std::invalid_argument);
  EXPECT_THROW(lipschitz_records(Loss::logistic, data, 2, 0), std::invalid_argument);
}

TEST(PhasedSgd, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(4, 1), VectorXd::Ones(4)};
  const auto run = [&](PhasedSgdParameters p) {
    SamplingReleases releases(RandomStream({}));
    return phased_sgd(data, p, releases);
  };
  EXPECT_NO_THROW(run({.step = 8}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, 8.1, nan, infinity})
    EXPECT_THROW(run({.step = bad}), std::invalid_argument) << bad;
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.lipschitz = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.epsilon = bad}), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run({.epsilon = 23.1, .delta = 1e-5}), std::invalid_argument);
  for (const double bad : {0.0, 1.0, nan})
    EXPECT_THROW(run({.delta = bad}), std::invalid_argument) << bad;
  EXPECT_THROW(run({.loss = Loss::squared}), std::invalid_argument);
}

TEST(PhasedSgd, CommandLineRunStatesWhatItUses) {
  const Dataset data{Matrix::Ones(100, 2), VectorXd::Ones(100)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : phased_sgd_algorithm().options)
    texts[option.name] = option.default_text;
  const PreparedRun run = phased_sgd_algorithm().prepare(data, RunOptions(texts));
  EXPECT_EQ(run.guarantee.epsilon, 1);
  EXPECT_EQ(run.guarantee.delta, 1e-5);
  bool stated = false;
  for (const Claim& claim : phased_sgd_algorithm().claims())
    stated |= claim.id == run.guarantee_source;
  EXPECT_TRUE(stated);
  for (const auto& [option, bad] : std::map<std::string, std::string>{
           {"epsilon", "24"}, {"delta", "0"}, {"loss", "squared"}, {"lipschitz", "-1"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(phased_sgd_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::su
