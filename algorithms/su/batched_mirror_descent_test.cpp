#include "algorithms/su/batched_mirror_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

class OffsetReleases final : public Releases {
 public:
  explicit OffsetReleases(double offset) : offset_(offset) {}
  std::vector<Law> laws;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(law);
    return VectorXd(pre_noise_value(law).array() + offset_);
  }
  double offset_;
};

// Algorithm 7 written again with the squared loss for p = 2 (a = q = 2, kappa = 1), where a step is
// a projected gradient step.
TEST(BatchedMirrorDescent, FollowsTheSlowTwinOnTheEuclideanBall) {
  RandomStream stream({.seed = 8, .claim = "batched mirror test"});
  constexpr int n = 11, batches = 3, size = 3;
  const double radius = 0.7, beta = 0.5, lambda = 1.5, gamma = 2;
  const double limit = beta * 2 * radius + lambda;
  Dataset data{Matrix(n, 2), VectorXd(n)};
  for (int i = 0; i < n; ++i) {
    data.features(i, 0) = stream.normal();
    data.features(i, 1) = stream.normal();
    data.labels[i] = stream.laplace();
  }
  double w[2] = {0, 0}, sum[2] = {0, 0};
  std::vector<double> values;
  int truncated = 0;
  for (int t = 0; t < batches; ++t) {
    double g[2] = {0, 0};
    for (int i = t * size; i < (t + 1) * size; ++i) {
      const double r = data.features(i, 0) * w[0] + data.features(i, 1) * w[1] - data.labels[i];
      const double g0 = 2 * r * data.features(i, 0), g1 = 2 * r * data.features(i, 1);
      if (std::sqrt(g0 * g0 + g1 * g1) > limit) {
        ++truncated;
        continue;
      }
      g[0] += g0 / size;
      g[1] += g1 / size;
    }
    for (int j = 0; j < 2; ++j) {
      values.push_back(g[j]);
      w[j] -= (g[j] - 0.2) / gamma;
    }
    const double norm = std::sqrt(w[0] * w[0] + w[1] * w[1]);
    for (int j = 0; j < 2; ++j) {
      if (norm > radius) w[j] *= radius / norm;
      sum[j] += w[j] / batches;
    }
  }
  EXPECT_GT(truncated, 0);
  OffsetReleases releases(-0.2);
  const VectorXd out = batched_mirror_descent(data,
                                              {.p = 2,
                                               .radius = radius,
                                               .smoothness = beta,
                                               .truncation = lambda,
                                               .batches = batches,
                                               .proximity = gamma,
                                               .epsilon = 0.5,
                                               .delta = 1e-4},
                                              releases);
  ASSERT_EQ(releases.laws.size(), 3U);
  const double rho = std::pow(std::sqrt(std::log(1e4) + 0.5) - std::sqrt(std::log(1e4)), 2);
  for (std::size_t t = 0; t < 3; ++t) {
    const auto& law = std::get<GaussianNoise>(releases.laws[t]);
    EXPECT_NEAR(law.value[0], values[2 * t], 1e-14);
    EXPECT_NEAR(law.value[1], values[2 * t + 1], 1e-14);
    EXPECT_NEAR(law.sensitivity, 2 * limit / size, 1e-14);
    EXPECT_NEAR(law.standard_deviation, 2 * limit / size / std::sqrt(2 * rho), 1e-10);
  }
  EXPECT_NEAR(out[0], sum[0], 1e-14);
  EXPECT_NEAR(out[1], sum[1], 1e-14);
}

TEST(BatchedMirrorDescent, PrintedNoiseByHand) {
  // p = 1.5, d = 20: kappa = 2 (below log 20), r = 3; beta = 0, lambda = 1, |B| = 4, epsilon = 0.5:
  // s = 2/4, sigma = s sqrt(2 * 2 * log(1e5))/0.5
  const Dataset data{Matrix::Zero(8, 20), VectorXd::Ones(8)};
  OffsetReleases releases(0);
  batched_mirror_descent(
      data, {.p = 1.5, .smoothness = 0, .batches = 2, .epsilon = 0.5, .edition = Edition::printed},
      releases);
  ASSERT_EQ(releases.laws.size(), 2U);
  const auto& law = std::get<GeneralisedGaussianNoise>(releases.laws[0]);
  EXPECT_EQ(law.sensitivity, 0.5);
  EXPECT_NEAR(law.norm, 3, 1e-12);
  EXPECT_NEAR(law.scale, 6.786140424415112, 1e-12);
}

TEST(BatchedMirrorDescent, TruncationIsClosedAndCountsWhatIsNotFiniteAsZero) {
  const Dataset data{(Matrix(4, 2) << 3, 4, 3, 4.0001, 1e308, 1e308, 0, 0).finished(),
                     VectorXd::Constant(4, 10)};
  const VectorXd w = VectorXd::Constant(2, 1e10);
  const Matrix kept = truncated_gradients(Loss::absolute, w, data.all(), 2, 5);
  EXPECT_EQ(kept.row(0), data.features.row(0));  // norm 5 exactly
  EXPECT_EQ(kept.row(1), Matrix::Zero(1, 2));
  EXPECT_EQ(kept.row(2), Matrix::Zero(1, 2));
  EXPECT_EQ(truncated_gradients(Loss::squared, w, data.all(), 3, 1e300).row(2), Matrix::Zero(1, 2));
}

TEST(BatchedMirrorDescent, StaysInTheBall) {
  RandomStream stream({.seed = 9, .claim = "batched mirror test"});
  Dataset data{Matrix(40, 30), VectorXd(40)};
  for (Index i = 0; i < 40; ++i) {
    data.features.row(i) = 10 * stream.normal_vector(30).transpose();
    data.labels[i] = 100;
  }
  const BatchedMirrorParameters p{.p = 1.3, .radius = 0.4, .batches = 10, .proximity = 0.1};
  SamplingReleases releases(stream);
  const VectorXd out = batched_mirror_descent(data, p, releases);
  const MirrorSpace space = mirror_space(p, 30);
  EXPECT_LE(lp_norm(out, space.map.exponent), 0.4 * (1 + 1e-12));
  EXPECT_GT(lp_norm(out, space.map.exponent), 0);
  EXPECT_NEAR(diameter(1.3, 0.4, space, 30), 0.8, 1e-12);  // a = p: 1/(p - 1) is below 2 log 30
}

TEST(BatchedMirrorDescent, TheoremParametersByHand) {
  // d = 1: kappa = 1, M = 2 radius = 1; n epsilon = 1e6, l = log(1e5) = 11.51, beta = 1.
  const BatchedMirrorParameters p =
      batched_mirror_from_theorem(1'000'000, 1, 1.5, 0.5, 1, 2, 1, 1e-5);
  const double l = std::log(1e5), lambda = std::pow(4 * 1000 / std::pow(l, 0.25), 2.0 / 3);
  EXPECT_NEAR(p.truncation, lambda, 1e-9);
  EXPECT_EQ(p.batches, static_cast<Index>(1e6 / (lambda * std::sqrt(l))));
  EXPECT_NEAR(p.proximity, std::sqrt(static_cast<double>(p.batches)), 1e-12);
  // M = 4: the text has M twice where the balanced choice has it not, or on the other side.
  const double printed_lambda = std::pow(4 * 1000 / std::pow(l, 0.25), 2.0 / 3);
  const BatchedMirrorParameters text =
      batched_mirror_from_theorem(1'000'000, 1, 1.5, 2, 1, 2, 1, 1e-5, Edition::printed);
  EXPECT_NEAR(text.truncation, printed_lambda, 1e-9);
  EXPECT_EQ(text.batches, static_cast<Index>(1e6 / (4 * printed_lambda * std::sqrt(l))));
  // Few records: lambda at least max{beta, 1} M, gamma at least 2 beta.
  const BatchedMirrorParameters small = batched_mirror_from_theorem(2, 1, 1.5, 1, 3, 1, 1, 1e-5);
  EXPECT_EQ(small.truncation, 6);
  EXPECT_EQ(small.batches, 1);
  EXPECT_EQ(small.proximity, 6);
}

TEST(BatchedMirrorDescent, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(4, 2), VectorXd::Ones(4)};
  const auto run = [&](BatchedMirrorParameters p) {
    SamplingReleases releases(RandomStream({}));
    return batched_mirror_descent(data, p, releases);
  };
  EXPECT_NO_THROW(run({.batches = 4}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.radius = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.truncation = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.proximity = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.epsilon = bad}), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, 1.0, nan})
    EXPECT_THROW(run({.delta = bad}), std::invalid_argument) << bad;
  EXPECT_THROW(run({.smoothness = -1}), std::invalid_argument);
  EXPECT_THROW(run({.batches = 0}), std::invalid_argument);
  EXPECT_THROW(run({.batches = 5}), std::invalid_argument);
  EXPECT_THROW(run({.p = 3}), std::invalid_argument);
}

// Algorithms 3, 4 and 7 from the command line.
TEST(MirrorDescents, CommandLineRunsStateWhatTheyUse) {
  RandomStream stream({.seed = 11, .claim = "mirror run test"});
  Dataset data{Matrix(500, 3), VectorXd(500)};
  for (Index i = 0; i < 500; ++i) {
    data.features.row(i) = stream.normal_vector(3).transpose();
    data.labels[i] = data.features(i, 0) + stream.laplace();
  }
  for (const Algorithm& algorithm :
       {regularized_mirror_algorithm(), batched_mirror_algorithm(), shuffled_mirror_algorithm()}) {
    std::map<std::string, std::string> texts;
    for (const RunOption& option : algorithm.options) texts[option.name] = option.default_text;
    const PreparedRun run = algorithm.prepare(data, RunOptions(texts));
    EXPECT_GT(run.guarantee.epsilon, 0) << algorithm.id;
    EXPECT_LE(run.guarantee.epsilon, std::stod(texts["epsilon"]) * (1 + 1e-9)) << algorithm.id;
    EXPECT_LE(run.guarantee.delta, 1e-5 * (1 + 1e-9)) << algorithm.id;
    bool stated = false;
    for (const Claim& claim : algorithm.claims()) stated |= claim.id == run.guarantee_source;
    EXPECT_TRUE(stated) << run.guarantee_source;
    SamplingReleases releases(stream);
    EXPECT_TRUE(run.mechanism(data, releases).allFinite()) << algorithm.id;
    for (const auto& [option, bad] : std::map<std::string, std::string>{
             {"epsilon", "0"}, {"delta", "1"}, {"p", "1"}, {"loss", "none"}}) {
      auto spoilt = texts;
      spoilt[option] = bad;
      EXPECT_THROW(algorithm.prepare(data, RunOptions(spoilt)), std::invalid_argument)
          << algorithm.id << " " << option;
    }
  }
}

}  // namespace
}  // namespace dpverify::su
