#include "algorithms/wang_xu/grid_risk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/enumerate.hpp"
#include "algorithms/core/test_statistics.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

namespace dpverify::wang_xu {
namespace {

RandomStream stream(std::string_view purpose) {
  return RandomStream({.seed = 11, .claim = "grid risk test", .purpose = purpose});
}

// y = 0.3 (x_1 + ... + x_d) + Laplace noise, x_j symmetrised Pareto of the given tail index.
Dataset heavy_tailed(Index n, Index d, double tail) {
  RandomStream s = stream("records");
  Dataset data{Matrix(n, d), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      data.features(i, j) = (s.uniform() < 0.5 ? -1 : 1) * std::pow(s.uniform(), -1 / tail);
    data.labels[i] = 0.3 * data.features.row(i).sum() + 0.5 * s.laplace();
  }
  return data;
}

// Every box of random corners bounds every candidate in it, also for records that are zero, far
// apart in size, or overflow.
TEST(GridRisk, BoundsHoldOnEveryBox) {
  RandomStream s = stream("boxes");
  for (const Index d : {1, 2, 3})
    for (const double theta : {1.1, 1.5, 2.0})
      for (const double radius : {0.5, 1.0, 3.0}) {
        Dataset data = heavy_tailed(12, d, 1.2);
        data.features.row(0).setZero();
        data.labels[1] = 0;
        data.features.row(2) *= 1e17;
        data.features.row(3).setConstant(1e300);
        data.labels[3] = -1e300;
        data.features.row(4) *= 1e-9;
        data.features(5, 0) = std::numeric_limits<double>::max();
        const BallNet net = ball_net(d, radius, radius * (d == 3 ? 0.3 : 0.1));
        for (const double iota : {0.01, 0.3, 5.0}) {
          const GridRisk risk(data, net, iota, theta);
          for (int trial = 0; trial < 60; ++trial) {
            CellBox box;
            for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
              const Index a = s.index(net.cells), b = s.index(net.cells);
              box.first[j] = std::min(a, b);
              box.last[j] = std::max(a, b);
            }
            const double bound = risk.upper_bound(box);
            bool any = false;
            for (Index cell = 0; cell < grid_size(risk); ++cell) {
              const CellBox one = box_of(risk, cell);
              bool inside = risk.may_hold_candidate(one);
              for (std::size_t j = 0; j < 3; ++j)
                inside = inside && one.first[j] >= box.first[j] && one.first[j] <= box.last[j];
              if (!inside) continue;
              any = true;
              ASSERT_LE(risk.score(cell), bound) << "d " << d << ", cell " << cell;
              ASSERT_LE(risk.score(cell), risk.upper_bound(one));
            }
            if (any) {
              EXPECT_TRUE(risk.may_hold_candidate(box));
            }
          }
        }
      }
}

TEST(GridRisk, ScoresAreTheListedRisks) {
  for (const Index d : {1, 2, 3}) {
    const Dataset data = heavy_tailed(20, d, 1.75);
    const BallNet net = ball_net(d, 1, 0.25);
    const GridRisk risk(data, net, 0.4, 1.5);
    const Matrix listed = list_candidates(net);
    Index k = 0;
    for (Index cell = 0; cell < grid_size(risk); ++cell) {
      if (!risk.may_hold_candidate(box_of(risk, cell))) continue;
      double sum = 0;
      for (Index i = 0; i < 20; ++i) {
        const double x = 0.4 * std::abs(data.labels[i] - data.features.row(i).dot(listed.row(k)));
        sum += x <= 1 ? -std::log(1 - x + std::pow(x, 1.5) / 1.5) : std::log(1.5);
      }
      EXPECT_NEAR(risk.score(cell), -sum / (20 * 0.4), 1e-13);
      ++k;
    }
    EXPECT_EQ(k, listed.rows());
  }
}

// Both forms of the net give the same law: exact probabilities, and the search's cell is the argmax
// of all scores plus the noise of the tree.
TEST(GridRisk, SearchedAndListedNetsHaveTheSameLaw) {
  for (const Index d : {1, 2, 3})
    for (const double theta : {1.5, 2.0}) {
      const Dataset data = heavy_tailed(50, d, 1.75);
      const BallNet net = ball_net(d, 1, d == 1 ? 0.02 : d == 2 ? 0.1 : 0.3);
      const auto run = [&](double largest_listed) -> Mechanism {
        L1RegressionParameters p{.net = net,
                                 .iota = 0.5,
                                 .epsilon = 2,
                                 .theta = theta,
                                 .largest_listed = largest_listed};
        return [=](const Dataset& records, Releases& releases) {
          return theta == 2 ? l1_regression_second_moment(records, p, releases)
                            : l1_regression_theta_moment(records, p, releases);
        };
      };
      const auto listed = enumerate(run(1e4), data);
      std::size_t k = 0;
      for (const OutcomePath& path : enumerate(run(0), data)) {
        if (std::isinf(path.log_probability)) continue;  // no candidate
        ASSERT_LT(k, listed.size());
        EXPECT_NEAR(path.log_probability, listed[k].log_probability, 1e-12);
        EXPECT_EQ(path.output, listed[k].output);
        ++k;
      }
      EXPECT_EQ(k, listed.size());

      const GridRisk risk(data, net, 0.5, theta);
      const double coefficient = 50 * 0.5 * 2 / (2 * std::log(theta));
      for (std::uint64_t key = 0; key < 40; ++key) {
        const VectorXd noise = cell_noise(risk, key);
        Index best = -1;
        double largest = 0;
        for (Index cell = 0; cell < noise.size(); ++cell) {
          if (!risk.may_hold_candidate(box_of(risk, cell))) continue;
          const double sum = coefficient * risk.score(cell) + noise[cell];
          if (best < 0 || sum > largest) {
            best = cell;
            largest = sum;
          }
        }
        ASSERT_EQ(sample_cell(risk, coefficient, key), best) << d << ", " << key;
      }
    }
}

// What the search costs where the net has up to 5e12 cells: the figures of grid_risk.hpp come from
// here (dpverify_tests --gtest_filter='GridRisk.Cost*' --gtest_output=json writes them down).
TEST(GridRisk, CostDoesNotGrowWithTheNet) {
  for (const Index d : {1, 2, 3})
    for (const auto& [n, mixed] : {std::pair(1e3, false), {1e4, false}, {1e3, true}})
      for (const double epsilon : {0.1, 1.0, 10.0}) {
        const double tail = 1.75, theta = 1.5;
        const auto records = static_cast<Index>(n);
        Dataset data = heavy_tailed(records, d, tail);
        if (mixed)
          for (Index i = 0; i < records; ++i)
            data.labels[i] = (i % 2 == 0 ? 0.5 : -0.5) * data.features.row(i).sum();
        const double tau = std::pow(static_cast<double>(d) * tail / (tail - theta), 1 / theta);
        const ThetaMomentSetting setting{.records = n,
                                         .dimension = static_cast<double>(d),
                                         .theta = theta,
                                         .epsilon = epsilon,
                                         .tau = tau};
        const double iota = theta_moment_iota(setting, Edition::corrected);
        const BallNet net = ball_net(d, 1, 1 / n);
        const GridRisk risk(data, net, iota, theta);
        const double coefficient = n * iota * epsilon / (2 * std::log(theta));
        Index most = 0;
        for (std::uint64_t key = 0; key < 2; ++key) {
          GridSearchCost cost;
          sample_cell(risk, coefficient, key, &cost);
          most = std::max(most, cost.boxes + cost.scored);
        }
        RecordProperty((mixed ? "mixed_d" : "d") + std::to_string(d) + "_n" +
                           std::to_string(records) + "_epsilon" + to_text(epsilon),
                       static_cast<int>(most));
        EXPECT_LE(most, d == 1   ? 100
                        : d == 2 ? 400
                                 : 2000)
            << d << ", " << n << ", " << epsilon << ", cells " << cell_count(net);
      }
}

TEST(GridRisk, ThreeFeaturesEndToEnd) {
  const Dataset data = heavy_tailed(1000, 3, 2.5);
  const L1RegressionParameters p = from_theorem(1000, 3, 20, 1, 3, 0.05);
  SamplingReleases releases(stream("end to end"));
  const VectorXd w = l1_regression_second_moment(data, p, releases);
  EXPECT_LE(w.norm(), 1 + 1e-15);
  // w* = (0.3, 0.3, 0.3): the run does better than any w at this distance could.
  EXPECT_LE((w - VectorXd::Constant(3, 0.3)).norm(), 0.5);
  // Without data the candidates are uniform on the ball: the mean norm is 3/4.
  double norms = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    DataFreeReleases data_free(RandomStream({.seed = 12, .claim = "net", .trial = trial}));
    norms += l1_regression_second_moment(data, p, data_free).norm() / 200;
  }
  // Hoeffding: norms in [0, 1], 200 draws: off by 0.26 with probability 2 exp(-2*200*0.26^2) <
  // 1e-11.
  EXPECT_NEAR(norms, 0.75, 0.26);
  NoiselessReleases noiseless;
  const VectorXd best = l1_regression_second_moment(data, p, noiseless);
  EXPECT_LE((best - VectorXd::Constant(3, 0.3)).norm(), 0.1);
}
}  // namespace
}  // namespace dpverify::wang_xu
