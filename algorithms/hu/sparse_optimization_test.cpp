#include "algorithms/hu/sparse_optimization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/hu/test_slow_twins.hpp"

namespace dpverify::hu {
namespace {

// 5 records; with T = 2 the parts hold 2 each and the last record is not used.
Dataset small_data() {
  Dataset data{Matrix(5, 3), VectorXd(5)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 0, -1, -0.2, 0.7, 0.3, 8, -2, 0.3;
  data.labels << 1, -1, 1, 1, -1;
  return data;
}

SparseOptimizationParameters small_parameters() {
  return {.initial = (VectorXd(3) << 0.6, 0, -3).finished(),
          .sparsity = 2,
          .scale = 0.8,
          .beta = 0.7,
          .iterations = 2,
          .step = 0.3,
          .epsilon = 0.9,
          .delta = 1e-3};
}

struct Chosen {
  std::vector<Index> coordinates;
  Numbers noise;
};

// Algorithm 5 written again from the text for the logistic and the squared loss, with the gradient
// at w^t and lambda = `limit` eta/m.
Numbers slow_optimization(const Dataset& data, const SparseOptimizationParameters& p, double limit,
                          const std::vector<Chosen>& chosen, std::vector<ScriptedStep>& script) {
  const Index d = data.dimension(), m = data.size() / p.iterations;
  const auto records = static_cast<double>(m);
  Numbers w(p.initial.begin(), p.initial.end());
  for (Index t = 1; t <= p.iterations; ++t) {
    Numbers half = w;
    for (Index j = 0; j < d; ++j) {
      const auto k = static_cast<std::size_t>(j);
      half[k] -= p.step * p.regularizer * w[k];
      for (Index i = (t - 1) * m; i < t * m; ++i) {
        double prediction = 0;
        for (Index l = 0; l < d; ++l)
          prediction += data.features(i, l) * w[static_cast<std::size_t>(l)];
        const double y = data.labels[i];
        const double derivative =
            p.loss == Loss::squared ? 2 * (prediction - y) : -y / (1 + std::exp(y * prediction));
        half[k] -=
            p.step / records * slow_smoothed(derivative * data.features(i, j), p.scale, p.beta);
      }
    }
    const double lambda = limit * p.step / records;
    const double b = 2 * lambda *
                     std::sqrt(3 * static_cast<double>(p.sparsity) * std::log(1 / p.delta)) /
                     p.epsilon;
    const Chosen& outcome = chosen[static_cast<std::size_t>(t - 1)];
    w = slow_peeling(half, lambda, b, outcome.coordinates, outcome.noise, script);
  }
  return w;
}

TEST(SparseOptimization, AsksForTheLawsOfTheSlowTwin) {
  const Dataset data = small_data();
  const std::vector<Chosen> outcomes{{{2, 0}, {0.05, 9, 0.1}}, {{1, 2}, {9, 3, -40}}};
  const double root = std::sqrt(2.0);
  for (const Loss loss : {Loss::logistic, Loss::squared})
    for (const double regularizer : {0.0, 0.4})
      for (const auto& [edition, limit] :
           {std::pair{Edition::printed, 4 * root * 0.8},
            {Edition::proved, 4 * root * 0.8 / 3},
            // erf(sqrt(0.35)) = 0.59721...: 1 - 2 Phi(-sqrt 0.7)
            {Edition::corrected, 4 * root * 0.8 / 3 * (1 - std::erfc(std::sqrt(0.35)))}}) {
        SparseOptimizationParameters p = small_parameters();
        p.loss = loss;
        p.regularizer = regularizer;
        p.sensitivity = edition;
        std::vector<ScriptedStep> script;
        const Numbers expected = slow_optimization(data, p, limit, outcomes, script);
        ASSERT_EQ(script.size(), 8U);
        ScriptedReleases releases(script);
        const VectorXd w = sparse_optimization(data, p, releases);
        EXPECT_TRUE(releases.finished());
        for (Index j = 0; j < 3; ++j)
          EXPECT_NEAR(w[j], expected[static_cast<std::size_t>(j)], 1e-8);
        EXPECT_GT(w.norm(), 1);  // no projection
      }
}

TEST(SparseOptimization, AllCoordinatesOneRecordAPart) {
  const Dataset data = small_data();
  SparseOptimizationParameters p = small_parameters();
  p.sparsity = 3;  // s = d
  p.iterations = 5;
  p.sensitivity = Edition::proved;
  const std::vector<Chosen> outcomes(5, {{1, 2, 0}, {0.3, -2, -0.1}});
  std::vector<ScriptedStep> script;
  const Numbers expected =
      slow_optimization(data, p, 4 * std::sqrt(2.0) * 0.8 / 3, outcomes, script);
  ScriptedReleases releases(script);
  const VectorXd w = sparse_optimization(data, p, releases);
  EXPECT_TRUE(releases.finished());
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(w[j], expected[static_cast<std::size_t>(j)], 1e-8);
}

TEST(SparseOptimization, EachRecordTouchesItsOwnPartOnly) {
  const Dataset data = small_data();
  const SparseOptimizationParameters p = small_parameters();
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return sparse_optimization(d, p, r);
  };
  const Transcript transcript = record(mechanism, data, RandomStream({.seed = 3}));
  for (Index i = 0; i < 5; ++i) {
    Dataset neighbour = data;
    neighbour.features.row(i).setConstant(5);
    neighbour.labels[i] = -data.labels[i];
    const Replay result = replay(mechanism, neighbour, transcript, LogRatios::skip);
    EXPECT_EQ(result.leak, "");
    bool moved = false;
    for (std::size_t k = 0; k < result.steps.size(); ++k) {
      if (result.steps[k].change.distance == 0) continue;
      moved = true;
      EXPECT_EQ(static_cast<Index>(k / 4), i / 2) << "record " << i << ", release " << k;
    }
    EXPECT_EQ(moved, i < 4) << i;  // record 4 is the remainder of 5/2
  }
}

TEST(SparseOptimization, TheoremParametersByHand) {
  // gamma/mu = 3/2, s* = 2: s = ceil(4.5), T = floor(1.5 log 10^4 = 13.8), eta = 2/9,
  // k = (12000/(sqrt 5 * 13 log(65000) sqrt(log 10^6)))^(1/2) at n = 10^4, eps = 0.8, tau = 1.5.
  const SparseOptimizationParameters p =
      sparse_optimization_from_theorem(10'000, 50, 2, 0.8, 1e-6, 3, 2, 1.5);
  EXPECT_EQ(p.sparsity, 5);
  EXPECT_EQ(p.iterations, 13);
  EXPECT_NEAR(p.scale, 3.1657225145928742, 1e-12);
  const auto scale = [](Edition edition) {
    return sparse_optimization_from_theorem(10'000, 50, 2, 0.8, 1e-6, 3, 2, 1.5, edition).scale;
  };
  EXPECT_NEAR(scale(Edition::printed), 109.544511501033, 1e-11);  // sqrt(12000)
  EXPECT_NEAR(scale(Edition::proved), 8.30333090071849,
              1e-12);  // (12000/(65 sqrt(log 1300)))^(1/2)
  EXPECT_NEAR(p.step, 0.2222222222222222, 1e-15);
  EXPECT_EQ(p.initial, VectorXd::Zero(50));
  EXPECT_EQ(p.delta, 1e-6);
  EXPECT_EQ(sparse_optimization_from_theorem(10, 4, 2, 0.8, 1e-6, 1e200, 1e-200, 1).sparsity, 4);
  EXPECT_EQ(sparse_optimization_from_theorem(10, 4, 2, 0.8, 1e-6, 1e200, 1e-200, 1).iterations, 10);
  EXPECT_THROW(sparse_optimization_from_theorem(10, 4, 2, 0.8, 1e-6, 1, 2, 1),
               std::invalid_argument);
  EXPECT_THROW(sparse_optimization_from_theorem(10, 4, 2, 0.8, 1e-6, 1, 1, 0),
               std::invalid_argument);
}

TEST(SparseOptimization, ExperimentsParametersAndBoundByHand) {
  // Section 6.2 at n = 5 * 10^4, s* = 10: s = 20, T = floor(10.8), k = n epsilon.
  const SparseOptimizationParameters p = sparse_optimization_from_experiments(50'000, 100, 10, 0.9);
  EXPECT_EQ(p.sparsity, 20);
  EXPECT_EQ(p.iterations, 10);
  EXPECT_EQ(p.scale, 45'000);
  EXPECT_EQ(p.step, 0.5);
  EXPECT_NEAR(p.delta, std::exp(-1.1 * std::log(5e4)), 1e-19);
  EXPECT_EQ(p.sensitivity, Edition::printed);
  EXPECT_EQ(sparse_optimization_from_experiments(50'000, 15, 10, 0.9).sparsity, 15);
  EXPECT_THROW(sparse_optimization_from_experiments(2, 15, 10, 0.9), std::invalid_argument);
  EXPECT_THROW(sparse_optimization_from_experiments(10, 15, 0, 0.9), std::invalid_argument);
  EXPECT_THROW(sparse_optimization_from_experiments(10, 15, 1, 0), std::invalid_argument);
  // tau = 1.5, gamma = 3, mu = 2, s* = 2, d/zeta = 400, delta = 1e-6, n epsilon = 8000.
  EXPECT_NEAR(sparse_optimization_bound(10'000, 20, 2, 0.8, 1e-6, 3, 2, 1.5, 0.05),
              1.5 * 81 * std::sqrt(8.0) * 9.210340371976184 * 5.991464547107982 *
                  std::sqrt(13.815510557964274) / (32 * 8000.0),
              1e-12);
}

TEST(SparseOptimization, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(SparseOptimizationParameters&)>& spoil) {
    SparseOptimizationParameters p = small_parameters();
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return sparse_optimization(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, 1.0, -1.0, nan}) {
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run([bad](auto& p) { p.step = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.scale = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.beta = bad; }), std::invalid_argument) << bad;
  }
  for (const double bad : {-1.0, nan, infinity})
    EXPECT_THROW(run([bad](auto& p) { p.regularizer = bad; }), std::invalid_argument) << bad;
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 6; }), std::invalid_argument);  // n < T
  EXPECT_THROW(run([](auto& p) { p.sparsity = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.sparsity = 4; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(2); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial << 1, 1, 1; }), std::invalid_argument);  // not s-sparse
}

}  // namespace
}  // namespace dpverify::hu
