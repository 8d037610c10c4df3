#include "algorithms/su/shuffled_mirror_descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify::su {
namespace {

// Answers the permutation with `order`, every other release with value + offset; keeps the laws.
class OrderedReleases final : public Releases {
 public:
  OrderedReleases(VectorXd order, double offset) : order_(std::move(order)), offset_(offset) {}
  std::vector<Law> laws;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(law);
    if (std::holds_alternative<UniformPermutation>(law)) return order_;
    return VectorXd(pre_noise_value(law).array() + offset_);
  }
  VectorXd order_;
  double offset_;
};

// Algorithm 4 written again with the squared loss for p = 2 (a = q = 2, kappa = 1), where a step is
// a projected gradient step.
TEST(ShuffledMirrorDescent, FollowsTheSlowTwinOnTheEuclideanBall) {
  RandomStream stream({.seed = 10, .claim = "shuffled mirror test"});
  constexpr int n = 7, batches = 2, size = 3;
  const double radius = 0.7, beta = 0.5, lambda = 1.5, gamma = 2;
  const double limit = beta * 2 * radius + lambda;
  const int order[n] = {4, 0, 6, 2, 5, 1, 3};
  Dataset data{Matrix(n, 2), VectorXd(n)};
  for (int i = 0; i < n; ++i) {
    data.features(i, 0) = stream.normal();
    data.features(i, 1) = stream.normal();
    data.labels[i] = stream.laplace();
  }
  double w[2] = {0, 0}, sum[2] = {0, 0};
  std::vector<double> values;
  for (int t = 0; t < batches; ++t) {
    double g[2] = {0, 0};
    for (int k = t * size; k < (t + 1) * size; ++k) {
      const int i = order[k];
      const double r = data.features(i, 0) * w[0] + data.features(i, 1) * w[1] - data.labels[i];
      double one[2] = {2 * r * data.features(i, 0), 2 * r * data.features(i, 1)};
      if (std::sqrt(one[0] * one[0] + one[1] * one[1]) > limit) one[0] = one[1] = 0;
      for (int j = 0; j < 2; ++j) {
        values.push_back(one[j]);
        g[j] += (one[j] + 0.2) / size;
      }
    }
    for (int j = 0; j < 2; ++j) w[j] -= g[j] / gamma;
    const double norm = std::sqrt(w[0] * w[0] + w[1] * w[1]);
    for (int j = 0; j < 2; ++j) {
      if (norm > radius) w[j] *= radius / norm;
      sum[j] += w[j] / batches;
    }
  }
  VectorXd permutation(n);
  for (int k = 0; k < n; ++k) permutation[k] = order[k];
  OrderedReleases releases(permutation, 0.2);
  const VectorXd out = shuffled_mirror_descent(data,
                                               {.p = 2,
                                                .radius = radius,
                                                .smoothness = beta,
                                                .truncation = lambda,
                                                .batches = batches,
                                                .proximity = gamma,
                                                .local_epsilon = 0.4,
                                                .local_delta = 1e-6},
                                               releases);
  ASSERT_EQ(releases.laws.size(), 7U);  // the order and six records; the seventh is left over
  EXPECT_EQ(std::get<UniformPermutation>(releases.laws[0]).count, n);
  const double rho = std::pow(std::sqrt(std::log(1e6) + 0.4) - std::sqrt(std::log(1e6)), 2);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto& law = std::get<GaussianNoise>(releases.laws[k + 1]);
    EXPECT_NEAR(law.value[0], values[2 * k], 1e-14);
    EXPECT_NEAR(law.value[1], values[2 * k + 1], 1e-14);
    EXPECT_NEAR(law.sensitivity, 2 * limit, 1e-14);
    EXPECT_NEAR(law.standard_deviation, 2 * limit / std::sqrt(2 * rho), 1e-8);
  }
  EXPECT_NEAR(out[0], sum[0], 1e-14);
  EXPECT_NEAR(out[1], sum[1], 1e-14);
}

TEST(ShuffledMirrorDescent, AmplificationByHand) {
  // e = 1/2, n = 10^6, delta = 10^-6: tanh(1/4) (8 sqrt(exp(1/2) log(4e6)/1e6) + 8 exp(1/2)/1e6)
  EXPECT_NEAR(amplified_epsilon(0.5, 1'000'000, 1e-6), 0.009764589396731351, 1e-12);
  EXPECT_EQ(amplified_epsilon(0.5, 100, 1e-6), 0.5);  // too few reports
  EXPECT_EQ(amplified_epsilon(3, 1000, 1e-2), 3);     // local epsilon too large
  EXPECT_EQ(amplified_epsilon(0, 1'000'000, 1e-6), 0);
  EXPECT_LT(amplified_epsilon(0.5, 1'000'000, 1e-6), amplified_epsilon(0.5, 100'000, 1e-6));
}

// Randomised response of n records by listing all 2^n reports.
double slow_delta(int n, double local_epsilon, double epsilon) {
  const double keep = std::exp(local_epsilon) / (1 + std::exp(local_epsilon));
  std::vector<double> p(static_cast<std::size_t>(n + 1), 0), q = p;
  for (unsigned reports = 0; reports < 1U << n; ++reports) {
    double zero = 1, one = 1;
    std::size_t ones = 0;
    for (int i = 0; i < n; ++i) {
      const bool bit = (reports >> i & 1U) != 0;
      ones += bit ? 1 : 0;
      zero *= bit ? 1 - keep : keep;
      one *= bit == (i == 0) ? keep : 1 - keep;  // record 0 is 1
    }
    p[ones] += zero;
    q[ones] += one;
  }
  double forward = 0, backward = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    forward += std::max(0.0, p[k] - std::exp(epsilon) * q[k]);
    backward += std::max(0.0, q[k] - std::exp(epsilon) * p[k]);
  }
  return std::max(forward, backward);
}

TEST(ShuffledMirrorDescent, ShuffledResponseFollowsTheListOfReports) {
  for (const int n : {1, 2, 5, 10})
    for (const double local_epsilon : {0.1, 1.0, 3.0})
      for (const double epsilon : {0.0, 0.05, 0.5, 2.0})
        EXPECT_NEAR(shuffled_response_delta(n, local_epsilon, epsilon),
                    slow_delta(n, local_epsilon, epsilon), 1e-13)
            << n << " " << local_epsilon << " " << epsilon;
  EXPECT_LT(shuffled_response_delta(7, 0.8, 0.8), 1e-15);  // never more than the local epsilon
}

TEST(ShuffledMirrorDescent, TheoremParametersKeepTheGuarantee) {
  for (const Index n : {100, 10'000, 1'000'000})
    for (const double epsilon : {0.01, 0.1, 0.5, 1.0}) {
      const ShuffledMirrorParameters p =
          shuffled_mirror_from_theorem(n, 3, 1.5, 1, 1, 1, epsilon, 1e-5);
      EXPECT_GT(p.local_epsilon, 0);
      const PrivacyGuarantee spent = shuffled_guarantee(p, n);
      EXPECT_LE(spent.epsilon, epsilon * (1 + 1e-9)) << n;
      EXPECT_LE(spent.delta, 1e-5 * (1 + 1e-9)) << n;
      EXPECT_GT(spent.epsilon, 0.99 * epsilon) << n << " " << epsilon;  // not wasteful
    }
  // By hand: delta/2 = 10^6 10^-12 (e^0.5 + 1) (1 + e^-0.5/2).
  const double half =
      shuffled_guarantee({.local_epsilon = 0.5, .local_delta = 1e-12}, 1'000'000).delta / 2;
  EXPECT_NEAR(half, 1e-6 * 2.6487212707001282 * 1.3032653298563167, 1e-18);
  // Too large a local delta: only the local guarantee.
  const PrivacyGuarantee local =
      shuffled_guarantee({.local_epsilon = 0.5, .local_delta = 0.01}, 1'000'000);
  EXPECT_EQ(local.epsilon, 0.5);
  EXPECT_EQ(local.delta, 0.01);
}

// The density of the reports in random order, by all orders of three.
TEST(ShuffledMirrorDescent, ShuffledReportsHaveTheDensityOfAllOrders) {
  const Dataset data{Eigen::Vector3d(-1, 0.5, -1), VectorXd::Zero(3)};
  const Transcript run =
      record(shuffled_reports(0.7), data, RandomStream({.seed = 3, .claim = "shuffled reports"}));
  ASSERT_EQ(run.entries.size(), 1U);
  const VectorXd& z = run.output;
  double density = 0;
  std::array<Index, 3> order{0, 1, 2};
  do {
    double product = 1.0 / 6;
    for (std::size_t k = 0; k < 3; ++k)
      product *=
          std::exp(-std::pow((z[static_cast<Index>(k)] - data.features(order[k], 0)) / 0.7, 2) /
                   2) /
          (0.7 * std::sqrt(2 * std::numbers::pi));
    density += product;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_NEAR(log_density(run.entries[0].law, z), std::log(density), 1e-12);
  const Dataset two_odd{Eigen::Vector4d(-1, 0.5, -1, 0.5), VectorXd::Zero(4)};
  const Transcript unknown = record(shuffled_reports(1), two_odd, RandomStream({}));
  EXPECT_EQ(unknown.output.size(), 4);
  EXPECT_THROW(log_density(unknown.entries[0].law, unknown.output), std::invalid_argument);
}

// One report: a Gaussian release that shifts by 2. Three: the mean of (1 - exp(epsilon - loss))^+
// over draws, to 6 standard errors, by the density that is checked above.
TEST(ShuffledMirrorDescent, ShuffledReportsDelta) {
  EXPECT_NEAR(shuffled_reports_delta(1, 1.6, 0.5, 0.01), gaussian_delta(2 / 1.6, 0.5), 1e-4);
  Dataset data{Eigen::Vector3d::Constant(-1), VectorXd::Zero(3)}, neighbour = data;
  neighbour.features(1, 0) = 1;
  const Law law = record(shuffled_reports(1.6), data, RandomStream({})).entries[0].law;
  constexpr int draws = 20'000;
  double sum = 0, squares = 0;
  for (std::uint64_t t = 0; t < draws; ++t) {
    const Transcript run = record(shuffled_reports(1.6), neighbour, RandomStream({.seed = t}));
    const double loss = log_density(run.entries[0].law, run.output) - log_density(law, run.output);
    const double excess = std::max(0.0, 1 - std::exp(0.3 - loss));
    sum += excess / draws;
    squares += excess * excess / draws;
  }
  EXPECT_NEAR(shuffled_reports_delta(3, 1.6, 0.3, 0.02), sum,
              6 * std::sqrt((squares - sum * sum) / draws) + 1e-3);
}

TEST(ShuffledMirrorDescent, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(4, 2), VectorXd::Ones(4)};
  const auto run = [&](ShuffledMirrorParameters p) {
    SamplingReleases releases(RandomStream({}));
    return shuffled_mirror_descent(data, p, releases);
  };
  EXPECT_NO_THROW(run({.batches = 4}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run({.radius = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.truncation = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.proximity = bad}), std::invalid_argument) << bad;
    EXPECT_THROW(run({.local_epsilon = bad}), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, 1.0, nan})
    EXPECT_THROW(run({.local_delta = bad}), std::invalid_argument) << bad;
  EXPECT_THROW(run({.smoothness = -1}), std::invalid_argument);
  EXPECT_THROW(run({.batches = 0}), std::invalid_argument);
  EXPECT_THROW(run({.batches = 5}), std::invalid_argument);
  EXPECT_THROW(run({.p = 3}), std::invalid_argument);
  EXPECT_THROW(amplified_epsilon(0.5, 10, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify::su
