#include "algorithms/tao/sparse_optimization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/mechanisms/test_slow_peeling.hpp"
#include "algorithms/problems/counted_records.hpp"
#include "algorithms/tao/test_twins.hpp"

namespace dpverify::tao {
namespace {

// 5 records; with T = 2 the parts hold 2 each and the last record is not used.
Dataset small_data() {
  Dataset data{Matrix(5, 3), VectorXd(5)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 0, -1, -0.2, 0.7, 0.3, 8, -2, 0.3;
  data.labels << 1, -1, 1, 1, -1;
  return data;
}

SparseOptimizationParameters small_parameters() {
  return {.gradients = gradient_oracle(Loss::squared),
          .initial = (VectorXd(3) << 0.6, 0, -3).finished(),
          .sparsity = 2,
          .truncation = 4,
          .iterations = 2,
          .step = 0.3,
          .epsilon = 0.9,
          .delta = 1e-3};
}

// Algorithm 5 written again from the text for the squared loss; lambda = `limit` eta_0/m.
Numbers slow_optimization(const Dataset& data, const SparseOptimizationParameters& p, double limit,
                          const std::vector<std::pair<std::vector<Index>, Numbers>>& chosen,
                          std::vector<ScriptedStep>& script) {
  const Index d = data.dimension(), m = data.size() / p.iterations;
  const auto records = static_cast<double>(m);
  Numbers w(p.initial.begin(), p.initial.end());
  for (Index t = 1; t <= p.iterations; ++t) {
    Numbers half = w;
    for (Index j = 0; j < d; ++j) {
      double sum = 0;
      for (Index i = (t - 1) * m; i < t * m; ++i) {
        double prediction = 0;
        for (Index l = 0; l < d; ++l)
          prediction += data.features(i, l) * w[static_cast<std::size_t>(l)];
        const double g = 2 * (prediction - data.labels[i]) * data.features(i, j);
        if (std::abs(g) <= p.truncation) sum += g;
      }
      half[static_cast<std::size_t>(j)] -= p.step * sum / records;
    }
    const double lambda = limit * p.step / records;
    const double b = 4 * lambda *
                     std::sqrt(2 * static_cast<double>(p.sparsity) * std::log(1 / p.delta)) /
                     p.epsilon;
    const auto& [coordinates, noise] = chosen[static_cast<std::size_t>(t - 1)];
    w = slow_peeling(half, lambda, b, coordinates, noise, script);
  }
  return w;
}

TEST(TaoSparseOptimization, AsksForTheLawsOfTheSlowTwin) {
  const Dataset data = small_data();
  for (const auto& [edition, limit] :
       {std::pair{Edition::printed, 8.0}, {Edition::proved, 8.0 * 2 / 3}}) {
    SparseOptimizationParameters p = small_parameters();
    p.sensitivity = edition;
    std::vector<ScriptedStep> script;
    const Numbers expected = slow_optimization(
        data, p, limit, {{{2, 0}, {0.05, 9, 0.1}}, {{1, 2}, {9, 3, -40}}}, script);
    ASSERT_EQ(script.size(), 8U);
    ScriptedReleases releases(script);
    const VectorXd w = sparse_optimization(data, p, releases);
    EXPECT_TRUE(releases.finished());
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(w[j], expected[static_cast<std::size_t>(j)], 1e-12);
  }
}

TEST(TaoSparseOptimization, EverythingTruncatedLeavesThePointToPeeling) {
  SparseOptimizationParameters p = small_parameters();
  p.truncation = 1e-9;
  NoiselessReleases releases;
  EXPECT_EQ(sparse_optimization(small_data(), p, releases), p.initial);
}

TEST(TaoSparseOptimization, EachRecordTouchesItsOwnPartOnly) {
  const Dataset data = small_data();
  SparseOptimizationParameters p = small_parameters();
  p.gradients = inner_product_gradients;
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return sparse_optimization(d, p, r);
  };
  const Transcript transcript = record(mechanism, data, RandomStream({.seed = 3}));
  for (Index i = 0; i < 5; ++i) {
    Dataset neighbour = data;
    neighbour.features.row(i).setConstant(1.5);
    const Replay result = replay(mechanism, neighbour, transcript, LogRatios::skip);
    EXPECT_EQ(result.leak, "");
    bool moved = false;
    for (std::size_t k = 0; k < result.steps.size(); ++k) {
      if (result.steps[k].change.distance == 0) continue;
      moved = true;
      EXPECT_EQ(static_cast<Index>(k / 4), i / 2) << "record " << i << ", release " << k;
    }
    EXPECT_EQ(moved, i < 4) << i;
  }
}

TEST(TaoSparseOptimization, TheoremParametersByHand) {
  // gamma/mu = 3/2, s* = 2: s = ceil(4.5), T = floor(1.5 log 10^4 = 13.8), eta_0 = 2/9; B at v = 1,
  // u = 1.5, xi = 0.1: sqrt(3 * 1.5 * 10^4 * 0.8/(13 log(50 * 13/0.1) sqrt(5 log 10^6))).
  const SparseProblem problem{
      .optimum_sparsity = 2, .gamma = 3, .mu = 2, .moment = 1.5, .order = 1};
  const SparseOptimizationParameters p =
      sparse_optimization_from_theorem(10'000, 50, problem, 0.8, 1e-6, 0.1);
  EXPECT_EQ(p.sparsity, 5);
  EXPECT_EQ(p.iterations, 13);
  EXPECT_NEAR(p.step, 0.2222222222222222, 1e-15);
  EXPECT_NEAR(p.truncation,
              std::sqrt(36'000 / (13 * 8.779557455883728 * std::sqrt(5 * 13.815510557964274))),
              1e-10);
  EXPECT_EQ(p.initial, VectorXd::Zero(50));
  // s*^(3/2) u (log n log(d/xi) sqrt(log 1/delta)/(n epsilon)) for v = 1
  EXPECT_NEAR(sparse_optimization_bound(10'000, 50, problem, 0.8, 1e-6, 0.1),
              std::sqrt(8.0) * 1.5 * 9.210340371976184 * 6.214608098422191 *
                  std::sqrt(13.815510557964274) / 8000,
              1e-12);
  const auto spoilt = [&](const std::function<void(SparseProblem&)>& spoil) {
    SparseProblem bad = problem;
    spoil(bad);
    return sparse_optimization_from_theorem(100, 5, bad, 0.8, 1e-6, 0.1);
  };
  EXPECT_THROW(spoilt([](auto& q) { q.mu = 4; }), std::invalid_argument);
  EXPECT_THROW(spoilt([](auto& q) { q.mu = 0; }), std::invalid_argument);
  EXPECT_THROW(spoilt([](auto& q) { q.moment = 0; }), std::invalid_argument);
  EXPECT_THROW(spoilt([](auto& q) { q.order = 1.5; }), std::invalid_argument);
  EXPECT_THROW(spoilt([](auto& q) { q.optimum_sparsity = 0; }), std::invalid_argument);
}

TEST(TaoSparseOptimization, RejectsBadParameters) {
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
    EXPECT_THROW(run([bad](auto& p) { p.truncation = bad; }), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 6; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.sparsity = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.sparsity = 4; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(2); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial << 1, 1, 1; }), std::invalid_argument);
}

TEST(TaoSparseOptimization, CountsStandForRecords) {
  const CountedMean law{3, 2, {3, -1}, {0.3, 0.4}};
  SparseOptimizationParameters p = small_parameters();
  RandomStream stream({.seed = 10, .claim = "sparse optimization counts"});
  const Dataset counts = law.draw(p.iterations, 6, stream);
  const PartGradient gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    return law.block_means(counts.part(t, p.iterations), 6, thresholded_mean_point(w, p.truncation))
        .row(0);
  };
  p.gradients = mean_point_gradients;
  const RandomStream noise({.seed = 11, .claim = "sparse optimization counts"});
  SamplingReleases counted(noise), plain(noise);
  const VectorXd w = sparse_optimization(gradient, p.iterations * 6, 3, p, counted);
  EXPECT_LT((w - sparse_optimization(counted_records(law, counts, 6), p, plain)).norm(), 1e-12);
}

}  // namespace
}  // namespace dpverify::tao
