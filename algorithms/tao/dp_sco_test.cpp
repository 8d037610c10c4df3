#include "algorithms/tao/dp_sco.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/mechanisms/test_twins.hpp"
#include "algorithms/problems/counted_records.hpp"
#include "algorithms/problems/heavy_mean.hpp"

namespace dpverify::tao {
namespace {

// 7 records of 2 numbers; with T = 3 the parts hold 2 each and the last record is not used.
Dataset small_data() {
  Dataset data{Matrix(7, 2), VectorXd::Zero(7)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 0, -1, -0.2, 0.7, 0.3, 8, -2;
  return data;
}

DpScoParameters small_parameters(Branch branch) {
  return {.gradients = mean_point_gradients,
          .branch = branch,
          .radius = 1.5,
          .initial = Eigen::Vector2d(0.3, -0.4),
          .step = 0.7,
          .iterations = 3,
          .truncation = 2.5,
          .blocks = 2,
          .epsilon = 0.8,
          .delta = 1e-3};
}

// Algorithm 2 written again from the text for the loss ||w - x||^2/2 and two blocks, whose lower
// median is the smaller mean. `noisy` holds the outcomes of the releases in turn.
Numbers slow_sco(const Dataset& data, const DpScoParameters& p, const std::vector<VectorXd>& noisy,
                 std::vector<GaussianNoise>& expected) {
  const Index n = data.size(), d = data.dimension();
  const auto steps = static_cast<double>(p.iterations);
  Numbers w(p.initial.begin(), p.initial.end()), average(w.size(), 0.0);
  for (Index t = 1; t <= p.iterations; ++t) {
    const bool parts = p.branch == Branch::strongly_convex;
    const Index size = parts ? n / p.iterations : n, from = parts ? (t - 1) * size : 0;
    const double epsilon = p.branch == Branch::convex
                               ? p.epsilon / (2 * std::sqrt(2 * steps * std::log(2 / p.delta)))
                               : p.epsilon;
    const double delta = p.branch == Branch::convex ? p.delta / (2 * steps) : p.delta;
    const Index block = size / 2;
    Numbers medians;
    for (Index j = 0; j < d; ++j) {
      double means[2] = {0, 0};
      for (Index i = 0; i < 2 * block; ++i) {
        const double g = w[static_cast<std::size_t>(j)] - data.features(from + i, j);
        if (std::abs(g) <= p.truncation) means[i / block] += g / static_cast<double>(block);
      }
      medians.push_back(std::min(means[0], means[1]));
    }
    const double sensitivity =
        2 * p.truncation / static_cast<double>(block) * std::sqrt(static_cast<double>(d));
    expected.push_back({to_vector(medians), sensitivity,
                        sensitivity * std::sqrt(2 * std::log(1.25 / delta)) / epsilon});
    double norm = 0;
    for (Index j = 0; j < d; ++j) {
      const auto k = static_cast<std::size_t>(j);
      w[k] -= p.step * noisy[static_cast<std::size_t>(t - 1)][j];
      norm += w[k] * w[k];
    }
    norm = std::sqrt(norm);
    for (double& entry : w)
      if (norm > p.radius) entry *= p.radius / norm;
    for (std::size_t k = 0; k < w.size(); ++k) average[k] += w[k] / steps;
  }
  return p.branch == Branch::convex ? average : w;
}

TEST(DpSco, AsksForTheLawsOfTheSlowTwin) {
  const Dataset data = small_data();
  for (const Branch branch : {Branch::convex, Branch::strongly_convex, Branch::literal}) {
    DpScoParameters p = small_parameters(branch);
    CapturingReleases releases;
    if (branch == Branch::strongly_convex) p.blocks = 2;
    const VectorXd out = dp_sco(data, p, releases);
    ASSERT_EQ(releases.laws.size(), 3U);
    std::vector<GaussianNoise> expected;
    const Numbers slow = slow_sco(data, p, releases.outcomes, expected);
    for (std::size_t k = 0; k < 3; ++k) expect_same_law(releases.laws[k], expected[k]);
    for (Index j = 0; j < 2; ++j) EXPECT_NEAR(out[j], slow[static_cast<std::size_t>(j)], 1e-12);
    EXPECT_LE(out.norm(), 1.5 + 1e-12);
  }
}

TEST(DpSco, WithoutNoiseFindsTheMean) {
  Dataset data{Matrix::Constant(40, 2, 0.25), VectorXd::Zero(40)};
  DpScoParameters p = small_parameters(Branch::strongly_convex);
  p.iterations = 20;
  NoiselessReleases releases;
  const VectorXd w = dp_sco(data, p, releases);
  EXPECT_NEAR((w.array() - 0.25).abs().maxCoeff(), 0, 1e-9);
}

TEST(DpSco, TheoremParametersByHand) {
  const ScoProblem problem{
      .radius = 1, .gradient_bound = 2, .moment = 4, .order = 1, .alpha = 0.5, .beta = 1.5};
  // Theorem 6 with epsilon n = 5 * 10^3, d = 1: tau = sqrt(5000), T = 4 * 5000, eta = 2/(2 sqrt T).
  const DpScoParameters convex = convex_from_theorem(10'000, 1, problem, 0.5, 1e-5, 0.1);
  EXPECT_NEAR(convex.truncation, 70.71067811865476, 1e-10);
  EXPECT_NEAR(static_cast<double>(convex.iterations), 20'000, 1);
  EXPECT_NEAR(convex.step, 1 / std::sqrt(20'000.0), 1e-6);
  EXPECT_EQ(convex.blocks, 12);  // 4 log 20 = 11.98
  // d = 10: T = 4 (5000/10^2.5)... < 1 at d = 100.
  EXPECT_EQ(convex_from_theorem(10'000, 100, problem, 0.5, 1e-5, 0.1).iterations, 1);
  // The balanced T is the last one whose noise is small enough.
  DpScoParameters balanced = convex_balanced(4'000'000, 1, problem, 0.5, 0.1, 0.95);
  const auto noise = [&](Index t) {
    balanced.iterations = t;
    return noise_deviation(estimator_parameters(balanced), 4'000'000, 1);
  };
  const Index t = balanced.iterations;
  ASSERT_GT(t, 1);
  EXPECT_NEAR(balanced.truncation, std::sqrt(4 * 0.5 * 4e6), 1e-6);
  EXPECT_LE(noise(t), 0.25);
  EXPECT_GT(noise(t + 1), 0.25);
  // Theorem 7: a fixed point of its T, eta = 1/2, contraction 1 - 0.75/4.
  const DpScoParameters strong =
      strongly_convex_from_theorem(1'000'000, 1, problem, 0.5, 1e-5, 0.1);
  const auto steps = static_cast<double>(strong.iterations);
  const double v = 2 * std::sqrt(steps / 1e6) + 2 * std::sqrt(steps / 5e5);
  EXPECT_EQ(steps, std::ceil(std::log(2 * v / 0.75) / std::log(1 - 0.75 / 4)));
  EXPECT_EQ(strong.step, 0.5);
  EXPECT_NEAR(strong.truncation, std::sqrt(4 * 5e5 / steps), 1e-8);
  EXPECT_EQ(strong.blocks, 12);
  // (3 * 2/0.5)^2/1.5 * 4 * d^(3/2) * T/(epsilon n)
  EXPECT_NEAR(strongly_convex_bound(1e4, 4, problem, 0.5, 10), 96 * 4 * 8 * 10 / 5000.0, 1e-12);
  ScoProblem bad = problem;
  bad.alpha = 2;
  EXPECT_THROW(strongly_convex_from_theorem(100, 1, bad, 0.5, 0.1, 0.1), std::invalid_argument);
  EXPECT_THROW(convex_from_theorem(100, 1, problem, 1, 0.1, 0.1), std::invalid_argument);
  EXPECT_THROW(convex_from_theorem(100, 1, problem, 0.5, 0, 0.1), std::invalid_argument);
}

TEST(DpSco, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(DpScoParameters&)>& spoil) {
    DpScoParameters p = small_parameters(Branch::strongly_convex);
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return dp_sco(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, 1.0, -1.0, nan}) {
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run([bad](auto& p) { p.step = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.truncation = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.radius = bad; }), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 8; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.blocks = 3; }), std::invalid_argument);  // parts of 2
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(3); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial *= 10; }), std::invalid_argument);  // outside W
}

TEST(DpSco, CommandLineRunStatesWhatItUses) {
  Dataset data{Matrix::Ones(400, 1), VectorXd::Constant(400, 0.5)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : dp_sco_algorithm().options)
    texts[option.name] = option.default_text;
  for (const char* branch : {"convex", "strongly-convex"}) {
    texts["branch"] = branch;
    const PreparedRun run = dp_sco_algorithm().prepare(data, RunOptions(texts));
    EXPECT_TRUE(has_claim(dp_sco_algorithm().claims(), run.guarantee_source)) << branch;
    SamplingReleases releases(RandomStream({}));
    EXPECT_LE(run.mechanism(data, releases).norm(), 1 + 1e-12);
  }
  for (const auto& [option, bad] : std::map<std::string, std::string>{{"epsilon", "1"},
                                                                      {"delta", "0"},
                                                                      {"branch", "both"},
                                                                      {"iterations", "401"},
                                                                      {"blocks", "500"},
                                                                      {"truncation", "0"},
                                                                      {"step", "-1"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(dp_sco_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

TEST(DpSco, CountsStandForRecords) {
  const CountedMean law{2, 2, {3, -1}, {0.3, 0.4}};
  for (const Branch branch : {Branch::convex, Branch::strongly_convex}) {
    DpScoParameters p = small_parameters(branch);
    const Index parts = branch == Branch::strongly_convex ? p.iterations : 1;
    RandomStream stream({.seed = 9, .claim = "dp sco counts"});
    const Dataset counts = law.draw(parts * p.blocks, 6, stream);
    const BlockGradients gradients = [&](const VectorXd& w, const DataView& view) {
      return law.block_means(view, 6, thresholded_mean_point(w, p.truncation));
    };
    CapturingReleases counted, plain;
    const VectorXd w = dp_sco(gradients, parts * p.blocks * 6, counts, p, counted);
    const VectorXd expected = dp_sco(counted_records(law, counts, 6), p, plain);
    ASSERT_EQ(counted.laws.size(), plain.laws.size());
    for (std::size_t k = 0; k < plain.laws.size(); ++k)
      expect_same_law(counted.laws[k], plain.laws[k]);
    EXPECT_LT((w - expected).norm(), 1e-12);
  }
}

// The rate of Lemma 20 reports what each step's estimate w_t - gradient says of E x: the steps
// written again, on records instead of counts.
TEST(DpSco, TheRateOfTheGradientsReportsEveryEstimateOfThePath) {
  const std::vector<Claim> claims = dp_sco_rates();
  const auto claim = std::ranges::find(claims, "tao.dp_sco.rate.gradient.printed", &Claim::id);
  ASSERT_NE(claim, claims.end());
  constexpr Index n = 200'000;
  const RatePoint point = std::get<RateClaim>(claim->check).point(n);
  RandomStream stream({.seed = 3, .claim = "gradients of dp sco"});
  Dataset counts = point.draw(n, stream);
  // In every part a record of every size, too, from the usual one to the rarest: one a block.
  const CountedMean law = HeavyMean{.centre = 0.7, .share = 0.01, .tail = 1.55}.rounded_down();
  const auto kinds = static_cast<Index>(law.values.size());
  for (Index k = 0; k + kinds <= counts.features.rows(); k += kinds) {
    ASSERT_GE(counts.features(k, 0), 1);
    --counts.features(k, 0);
    ++counts.features(k + k / kinds % kinds, 0);
  }
  CapturingReleases releases;
  const VectorXd said = point.mechanism(counts, releases);

  const double moment = std::sqrt(2) * (1 + law.moment(1.5));
  const DpScoParameters p = strongly_convex_from_theorem(
      n, 1, {.gradient_bound = 2, .moment = moment, .order = 0.5}, 0.99, 1e-5, 0.1);
  const auto steps = static_cast<double>(p.iterations);
  const double threshold = std::pow(moment * 0.99 * n / std::sqrt(steps), 1 / 1.5);
  ASSERT_GE(p.iterations, 2);
  ASSERT_EQ(said.size(), p.iterations);
  ASSERT_EQ(releases.laws.size(), static_cast<std::size_t>(p.iterations));
  const Index size = n / p.iterations / p.blocks;
  const Dataset records = counted_records(law, counts, size);
  ASSERT_EQ(records.size(), p.iterations * p.blocks * size);
  double w = p.initial[0], error = 0;
  for (Index t = 0; t < p.iterations; ++t) {
    Numbers means;
    for (Index b = 0; b < p.blocks; ++b) {
      double sum = 0;
      for (Index i = 0; i < size; ++i) {
        const double gradient = w - records.features((t * p.blocks + b) * size + i, 0);
        if (std::abs(gradient) <= threshold) sum += gradient;
      }
      means.push_back(sum / static_cast<double>(size));
    }
    std::ranges::sort(means);
    const auto k = static_cast<std::size_t>(t);
    EXPECT_NEAR(releases.laws[k].value[0], means[(means.size() - 1) / 2], 1e-12) << t;
    const double outcome = releases.outcomes[k][0];
    EXPECT_NEAR(said[t], w - outcome, 1e-12) << t;
    error += std::abs(w - outcome - law.mean()[0]) / steps;
    w = std::clamp(w - p.step * outcome, -1.0, 1.0);
  }
  EXPECT_NEAR(point.excess_risk(said), error, 1e-12);
}

}  // namespace
}  // namespace dpverify::tao
