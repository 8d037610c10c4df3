#include "algorithms/su/regularized_mirror_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/test_statistics.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

// Answers each release with value + offset and keeps the laws.
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

TEST(MirrorSpace, ByHand) {
  // p = 1.5: q = 3; d = 2: 2 log d < 2, so r = 2 and kappa = 2^(1 - 2/3).
  const MirrorSpace plane = mirror_space(1.5, 2, Edition::corrected);
  EXPECT_NEAR(plane.dual, 3, 1e-14);
  EXPECT_EQ(plane.noise_norm, 2);
  EXPECT_NEAR(plane.kappa, std::cbrt(2.0), 1e-14);
  EXPECT_EQ(plane.map.exponent, 2);
  // d = 100: r = q = 3, kappa = q - 1 = 1/(p - 1), a = p.
  const MirrorSpace large = mirror_space(1.5, 100, Edition::corrected);
  EXPECT_NEAR(large.noise_norm, 3, 1e-14);
  EXPECT_NEAR(large.kappa, 2, 1e-13);
  EXPECT_NEAR(large.map.exponent, 1.5, 1e-14);
  const MirrorSpace printed = mirror_space(1.2, 100, Edition::printed);
  EXPECT_NEAR(printed.kappa, 5, 1e-13);
  EXPECT_NEAR(printed.map.exponent, 1.25, 1e-13);
  EXPECT_NEAR(printed.noise_norm, 6, 1e-13);
  EXPECT_NEAR(mirror_space(1.01, 100, Edition::printed).kappa, 2 * std::log(100.0), 1e-13);
  EXPECT_NEAR(mirror_space(1.01, 100, Edition::printed, 1).kappa, std::log(100.0), 1e-13);
  EXPECT_EQ(mirror_space(1.3, 1, Edition::corrected).kappa, 1);
  for (const double bad : {1.0, 2.1, 0.0, std::nan("")})
    EXPECT_THROW(mirror_space(bad, 3, Edition::corrected), std::invalid_argument);
  EXPECT_THROW(mirror_space(1.5, 1, Edition::printed), std::invalid_argument);     // kappa = 0
  EXPECT_THROW(mirror_space(1.5, 2, Edition::printed, 1), std::invalid_argument);  // log 2 < 1
}

TEST(MirrorSpace, BudgetSolvesItsEquation) {
  for (const double epsilon : {1e-6, 0.1, 1.0, 20.0})
    for (const double delta : {0.5, 1e-5, 1e-12}) {
      const double rho = concentrated_budget(epsilon, delta);
      EXPECT_NEAR(rho + 2 * std::sqrt(rho * -std::log(delta)), epsilon, 1e-12 * epsilon);
    }
}

// Against sums on a grid of 600 x 600 or more points, in numpy.
TEST(MirrorSpace, ExactDeltaInThePlane) {
  const auto share = [](double kappa, double q, double epsilon, double delta) {
    return lemma_3_delta(kappa, q, epsilon, delta) / delta;
  };
  EXPECT_NEAR(share(1, 2, 0.99, 1e-2), 0.0179, 0.0004);
  EXPECT_NEAR(share(1.5, 2.5, 0.5, 1e-5), 4.29e-6, 2e-7);
  EXPECT_NEAR(share(2, 3, 0.99, 1e-2), 8.69e-5, 4e-6);
  const double capped = 2 * std::log(2.0);
  EXPECT_NEAR(share(capped, 50, 0.99, 1e-5), 0.0674, 0.003);
  EXPECT_NEAR(share(capped, 50, 0.99, 1e-30), 594, 30);  // not private
  EXPECT_NEAR(share(std::log(2.0), 50, 0.99, 1e-5), 70.4, 3);
  // r = 2: Gaussian noise.
  EXPECT_NEAR(plane_delta(2, 2, 0.5, 0.3, 9), gaussian_delta(0.5, 0.3), 2e-4);
}

// Algorithm 3 written again, d = 2, a = 2 (so that every gradient map is a factor), with explicit
// weights ((2 beta + alpha)/(2 beta))^t.
TEST(RegularizedMirrorDescent, FollowsTheSlowTwin) {
  RandomStream stream({.seed = 5, .claim = "regularized mirror test"});
  constexpr int n = 5, iterations = 4;
  Dataset data{Matrix(n, 2), VectorXd(n)};
  for (int i = 0; i < n; ++i) {
    data.features(i, 0) = stream.uniform(-1, 1);
    data.features(i, 1) = stream.uniform(-1, 1);
    data.labels[i] = stream.laplace();
  }
  const double lipschitz = 2, beta = 4, alpha = 0.7, kappa = std::cbrt(2.0);  // p = 1.5, d = 2
  double w[2] = {0, 0}, sum[2] = {0, 0}, total = 0;
  std::vector<double> values;
  for (int t = 1; t <= iterations; ++t) {
    double g[2] = {0, 0};
    for (int i = 0; i < n; ++i) {
      const double r = data.features(i, 0) * w[0] + data.features(i, 1) * w[1] - data.labels[i];
      for (int j = 0; j < 2; ++j) g[j] += r / std::sqrt(1 + r * r) * data.features(i, j) / n;
    }
    for (int j = 0; j < 2; ++j) {
      values.push_back(g[j]);
      // argmin (g + noise) v + beta kappa/2 (v - w)^2 + alpha kappa/2 v^2
      w[j] = (beta * kappa * w[j] - (g[j] + 0.1)) / ((alpha + beta) * kappa);
    }
    const double weight = std::pow((2 * beta + alpha) / (2 * beta), t);
    for (int j = 0; j < 2; ++j) sum[j] += weight * w[j];
    total += weight;
  }
  OffsetReleases releases(0.1);
  const VectorXd out = regularized_mirror_descent(data,
                                                  {.p = 1.5,
                                                   .lipschitz = lipschitz,
                                                   .iterations = iterations,
                                                   .regularisation = alpha,
                                                   .epsilon = 0.5,
                                                   .delta = 1e-4},
                                                  releases);
  ASSERT_EQ(releases.laws.size(), static_cast<std::size_t>(iterations));
  const double rho = std::pow(std::sqrt(std::log(1e4) + 0.5) - std::sqrt(std::log(1e4)), 2);
  for (std::size_t t = 0; t < releases.laws.size(); ++t) {
    const auto& law = std::get<GeneralisedGaussianNoise>(releases.laws[t]);
    EXPECT_NEAR(law.value[0], values[2 * t], 1e-14);
    EXPECT_NEAR(law.value[1], values[2 * t + 1], 1e-14);
    EXPECT_NEAR(law.sensitivity, 2 * lipschitz / n, 1e-15);
    EXPECT_EQ(law.norm, 2);
    EXPECT_NEAR(law.change_norm, 3, 1e-14);
    EXPECT_NEAR(law.scale, std::sqrt(kappa * iterations * 0.64 / (2 * rho)), 1e-10);
  }
  EXPECT_NEAR(out[0], sum[0] / total, 1e-13);
  EXPECT_NEAR(out[1], sum[1] / total, 1e-13);
}

TEST(RegularizedMirrorDescent, PrintedNoiseByHand) {
  // kappa = 2 (p = 1.5, d = 3), T = 4, L = 1, n = 10, epsilon = 0.5, delta = 1e-5:
  // sigma = 8 sqrt(2 * 4 * log(1e5))/(10 * 0.5)
  const Dataset data{Matrix::Zero(10, 3), VectorXd::Ones(10)};
  OffsetReleases releases(0);
  regularized_mirror_descent(
      data, {.p = 1.5, .iterations = 4, .epsilon = 0.5, .edition = Edition::printed}, releases);
  ASSERT_EQ(releases.laws.size(), 4U);
  const auto& law = std::get<GeneralisedGaussianNoise>(releases.laws[0]);
  EXPECT_NEAR(law.scale, 15.35528291900186, 1e-12);
  EXPECT_NEAR(law.norm, 3, 1e-12);
}

TEST(RegularizedMirrorDescent, LargeGrowthDoesNotOverflow) {
  const Dataset data{Matrix::Ones(4, 2), VectorXd::Ones(4)};
  NoiselessReleases releases;
  const VectorXd out = regularized_mirror_descent(
      data, {.lipschitz = 1e-3, .iterations = 2000, .regularisation = 10}, releases);
  EXPECT_TRUE(out.allFinite());
}

TEST(RegularizedMirrorDescent, TheoremParametersByHand) {
  // n = 1e6, d = 2, p = 1.5, epsilon = 0.9: (9e5 * 2^(1/6)/sqrt(2 log 1e5))^(2/5) = 134.7...
  const RegularizedMirrorParameters p = regularized_mirror_from_theorem(
      1'000'000, 2, 1.5, 0.9, 1e-5, Loss::pseudo_huber, 1, Edition::corrected);
  EXPECT_EQ(p.iterations, static_cast<Index>(std::pow(
                              9e5 * std::pow(2, 1.0 / 6) / std::sqrt(2 * std::log(1e5)), 0.4)));
  const auto t = static_cast<double>(p.iterations);
  EXPECT_NEAR(p.regularisation, 4 / (t + 1) * std::log2(1e6 / t), 1e-12);
  // Few records: alpha is capped at beta, T at least 1.
  const RegularizedMirrorParameters small = regularized_mirror_from_theorem(
      10, 2, 1.5, 0.1, 1e-5, Loss::pseudo_huber, 1, Edition::corrected);
  EXPECT_EQ(small.iterations, 1);
  EXPECT_EQ(small.regularisation, 1);
}

TEST(RegularizedMirrorDescent, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(4, 2), VectorXd::Ones(4)};
  const auto run = [&](RegularizedMirrorParameters p) {
    SamplingReleases releases(RandomStream({}));
    return regularized_mirror_descent(data, p, releases);
  };
  EXPECT_NO_THROW(run({}));
  const auto of_records = [](Index n) {
    return regularized_mirror_from_theorem(n, 2, 1.5, 0.5, 1e-5, Loss::logistic, 1,
                                           Edition::corrected);
  };
  EXPECT_THROW(of_records(1), std::invalid_argument);
  EXPECT_EQ(of_records(2).iterations, 1);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.lipschitz = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.regularisation = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.epsilon = bad}), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, 1.0, nan})
    EXPECT_THROW(run({.delta = bad}), std::invalid_argument) << bad;
  EXPECT_THROW(run({.iterations = 0}), std::invalid_argument);
  EXPECT_THROW(run({.p = 1}), std::invalid_argument);
  EXPECT_THROW(run({.loss = Loss::absolute}), std::invalid_argument);
}

// 20000 draws against the binomial probabilities; a false failure has probability 1e-11.
TEST(SignModel, BinomialDraws) {
  for (const auto& [n, p] : {std::pair{Index{50}, 0.3}, {Index{21}, 0.9}, {Index{3}, 0.5}}) {
    RandomStream stream({.seed = 6, .claim = "binomial test"});
    std::vector<Index> counts(static_cast<std::size_t>(n + 1), 0);
    for (int t = 0; t < 20'000; ++t)
      ++counts[static_cast<std::size_t>(draw_binomial(n, p, stream))];
    VectorXd probabilities(n + 1);
    for (Index k = 0; k <= n; ++k) {
      const auto a = static_cast<double>(n), b = static_cast<double>(k);
      probabilities[k] = std::exp(std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1) +
                                  b * std::log(p) + (a - b) * std::log1p(-p));
    }
    EXPECT_TRUE(counts_follow(counts, probabilities)) << n;
  }
  RandomStream stream({});
  EXPECT_EQ(draw_binomial(1000, 0, stream), 0);
  EXPECT_EQ(draw_binomial(1000, 1, stream), 1000);
}

TEST(SignModel, CountsStandForRecords) {
  const SignModel model{.optimum = (VectorXd(2) << 1, -2).finished(), .outlier = 3};
  RandomStream stream({.seed = 7, .claim = "sign model test"});
  const Dataset counts = model.draw_counts(101, stream, 2);
  EXPECT_EQ(counts.size(), 24);
  EXPECT_EQ(counts.labels.head(12).sum(), 50);
  EXPECT_EQ(counts.labels.tail(12).sum(), 50);
  // One record of each kind: 4 signs, residuals 0 and +-3 at w*; the mean gradient at w* is 0, and
  // with a truncation below the outliers' norm only the others count.
  const Dataset one{Matrix::Zero(12, 2), VectorXd::Ones(12)};
  EXPECT_LT(model.mean_gradient(one, model.optimum, 0).norm(), 1e-15);
  const VectorXd w = VectorXd::Zero(2);
  const Dataset nothing{Matrix::Zero(3, 2), VectorXd::Zero(3)};
  EXPECT_EQ(model.mean_gradient(nothing, w, 0), w);
  EXPECT_NEAR(model.excess_risk(model.optimum), 0, 1e-15);
  // By hand at w = 0: residuals <x, w*> = +-3 or +-1, each with noise 0 (0.8) or +-3 (0.1 each).
  const auto f = [](double r) { return std::sqrt(1 + r * r) - 1; };
  const double at =
      0.5 * (0.8 * f(3) + 0.1 * f(6) + 0.1 * f(0)) + 0.5 * (0.8 * f(1) + 0.1 * f(4) + 0.1 * f(2));
  EXPECT_NEAR(model.excess_risk(w), at - 0.2 * f(3), 1e-13);
}

TEST(SignModel, OneFeatureAtATime) {
  const SignModel model{.optimum = Eigen::Vector3d(1, -2, 0.5), .one_feature = true, .outlier = 3};
  const Dataset kinds = model.records();
  EXPECT_EQ(kinds.size(), 9);
  for (Index k = 0; k < 9; ++k) {
    EXPECT_EQ(kinds.features.row(k), Eigen::RowVector3d::Unit(k / 3));
    EXPECT_EQ(kinds.labels[k], model.optimum[k / 3] + 3 * static_cast<double>(k % 3 - 1));
  }
  RandomStream stream({.seed = 15, .claim = "sign model test"});
  EXPECT_EQ(model.draw_counts(1000, stream).labels.sum(), 1000);
  // By hand at w = 0: residuals 1, 2 and 1/2, each with noise 0 (0.8) or +-3 (0.1 each).
  const auto f = [](double r) { return std::sqrt(1 + r * r) - 1; };
  double expected = -0.2 * f(3);
  for (const double r : {1.0, 2.0, 0.5})
    expected += (0.8 * f(r) + 0.1 * f(r + 3) + 0.1 * f(r - 3)) / 3;
  EXPECT_NEAR(model.excess_risk(VectorXd::Zero(3)), expected, 1e-13);
}

}  // namespace
}  // namespace dpverify::su
