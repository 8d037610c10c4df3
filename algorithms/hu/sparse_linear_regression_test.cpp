#include "algorithms/hu/sparse_linear_regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/hu/test_slow_twins.hpp"
#include "algorithms/problems/counted_regression.hpp"
#include "audits/privacy_check.hpp"

namespace dpverify::hu {
namespace {

// 8 records; with T = 3 the parts hold 2 each and the last two records are not used.
Dataset small_data() {
  Dataset data{Matrix(8, 3), VectorXd(8)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 1, -1, -0.2, 0.7, 0.3, 8, -2, 0.3, 0.3, 0.9, -6, 1, 2,
      3, 4, 5, 6;
  data.labels << 1, -2, 0.5, 3, -1, 40, 7, 8;
  return data;
}

SparseRegressionParameters small_parameters() {
  return {.initial = (VectorXd(3) << 0.6, 0, -0.7).finished(),
          .sparsity = 2,
          .clip = 2,
          .iterations = 3,
          .step = 0.3,
          .epsilon = 0.9,
          .delta = 1e-3};
}

// The outcomes the script gives in each iteration.
struct Chosen {
  std::vector<Index> coordinates;
  Numbers noise;
};

// Algorithm 3 written again from the text, line by line. `factor` stands for sqrt s + 1 or
// sqrt(s + 1) of line 6, `gradient` for the 1/m (1) or the derivative of the declared loss (2).
Numbers slow_regression(const Dataset& data, const SparseRegressionParameters& p, double factor,
                        double gradient, const std::vector<Chosen>& chosen,
                        std::vector<ScriptedStep>& script) {
  const auto cut = [&p](double x) {
    return (x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0) * std::min(std::abs(x), p.clip);
  };
  const Index d = data.dimension(), m = data.size() / p.iterations;
  const auto records = static_cast<double>(m);
  Numbers w(p.initial.begin(), p.initial.end());
  for (Index t = 1; t <= p.iterations; ++t) {
    Numbers half = w;
    for (Index i = (t - 1) * m; i < t * m; ++i) {
      double residual = -cut(data.labels[i]);
      for (Index j = 0; j < d; ++j)
        residual += cut(data.features(i, j)) * w[static_cast<std::size_t>(j)];
      for (Index j = 0; j < d; ++j)
        half[static_cast<std::size_t>(j)] -=
            p.step / records * gradient * cut(data.features(i, j)) * residual;
    }
    const double lambda = 2 * p.clip * p.clip * p.step * factor / records;
    const double b = 2 * lambda *
                     std::sqrt(3 * static_cast<double>(p.sparsity) * std::log(1 / p.delta)) /
                     p.epsilon;
    const Chosen& outcome = chosen[static_cast<std::size_t>(t - 1)];
    w = slow_peeling(half, lambda, b, outcome.coordinates, outcome.noise, script);
    double squares = 0;
    for (const double x : w) squares += x * x;
    if (squares > 1)
      for (double& x : w) x /= std::sqrt(squares);
  }
  return w;
}

// Small noise keeps the iterate inside the unit ball in the first iteration; large noise makes the
// projection work in the second.
const std::vector<Chosen> outcomes{
    {{2, 0}, {0.05, 9, 0.1}}, {{1, 2}, {9, 3, -4}}, {{0, 1}, {0.2, -0.1, 9}}};

TEST(SparseLinearRegression, AsksForTheLawsOfTheSlowTwin) {
  const Dataset data = small_data();
  struct Row {
    RegressionSensitivity edition;
    double factor, gradient;
  };
  for (const Row& row : {Row{RegressionSensitivity::preprint, std::sqrt(2.0) + 1, 1},
                         Row{RegressionSensitivity::published, std::sqrt(3.0), 1},
                         Row{RegressionSensitivity::declared_loss, std::sqrt(2.0) + 1, 2}}) {
    SparseRegressionParameters p = small_parameters();
    p.sensitivity = row.edition;
    std::vector<ScriptedStep> script;
    const Numbers expected = slow_regression(data, p, row.factor, row.gradient, outcomes, script);
    ASSERT_EQ(script.size(), 12U);  // 3 iterations of 2 selections and 2 values
    ScriptedReleases releases(script);
    const VectorXd w = sparse_linear_regression(data, p, releases);
    EXPECT_TRUE(releases.finished());
    ASSERT_EQ(w.size(), 3);
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(w[j], expected[static_cast<std::size_t>(j)], 1e-12);
  }
}

TEST(SparseLinearRegression, AllCoordinatesOneIterationAndOneRecordAPart) {
  const Dataset data = small_data();
  for (const Index iterations : {Index{1}, Index{8}}) {
    SparseRegressionParameters p = small_parameters();
    p.sparsity = 3;  // s = d
    p.iterations = iterations;
    const std::vector<Chosen> all(static_cast<std::size_t>(iterations),
                                  {{1, 2, 0}, {0.3, 2, -0.1}});
    std::vector<ScriptedStep> script;
    const Numbers expected = slow_regression(data, p, std::sqrt(3.0) + 1, 1, all, script);
    ScriptedReleases releases(script);
    const VectorXd w = sparse_linear_regression(data, p, releases);
    EXPECT_TRUE(releases.finished());
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(w[j], expected[static_cast<std::size_t>(j)], 1e-12);
    EXPECT_LE(w.norm(), 1 + 1e-12);
  }
}

TEST(SparseLinearRegression, EachRecordTouchesItsOwnPartOnly) {
  const Dataset data = small_data();
  const SparseRegressionParameters p = small_parameters();
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return sparse_linear_regression(d, p, r);
  };
  const Transcript transcript = record(mechanism, data, RandomStream({.seed = 3}));
  for (Index i = 0; i < 8; ++i) {
    Dataset neighbour = data;
    neighbour.features.row(i).setConstant(1.5);
    neighbour.labels[i] = -1;
    const Replay result = replay(mechanism, neighbour, transcript);
    EXPECT_EQ(result.leak, "");
    bool moved = false;
    for (std::size_t k = 0; k < result.steps.size(); ++k) {
      if (result.steps[k].change.distance == 0) continue;
      moved = true;
      EXPECT_EQ(static_cast<Index>(k / 4), i / 2) << "record " << i << ", release " << k;
    }
    EXPECT_EQ(moved, i < 6) << i;  // records 6 and 7 are the remainder of 8/3
  }
}

// w = 1/sqrt s on s coordinates and the records (1, ..., 1; -1) and (1, ..., 1, -1; -1), K = eta_0
// = m = 1: coordinate s moves by 2(sqrt s + 1).
TEST(SparseLinearRegression, ChangeAtTheCornerOverTheDeclaredSensitivities) {
  struct Row {
    Index s;
    double published;
  };
  for (const Row& row : {Row{1, 1.414}, Row{5, 1.321}, Row{10, 1.255}, Row{20, 1.194},
                         Row{100, 1.095}}) {  // independent figures, 3 digits
    const Index d = row.s + 1;
    Record one(static_cast<std::size_t>(d), 1.0), other = one;
    other.back() = -1;
    one.push_back(-1);
    other.push_back(-1);
    const NeighbouringPair pair = make_pair({one}, 0, other);
    const auto ratio = [&](RegressionSensitivity edition) {
      SparseRegressionParameters p{.initial = VectorXd::Zero(d), .sparsity = row.s, .step = 1};
      p.initial.head(row.s).setConstant(1 / std::sqrt(static_cast<double>(row.s)));
      p.sensitivity = edition;
      const Mechanism mechanism = [&p](const Dataset& data, Releases& r) {
        return sparse_linear_regression(data, p, r);
      };
      // The selections see |w_j|: the change shows in full once coordinate s is released.
      double worst = 0;
      for (std::uint64_t seed = 0; seed < 20; ++seed)
        worst = std::max(worst, replay(mechanism, pair.neighbour,
                                       record(mechanism, pair.data, RandomStream({.seed = seed})),
                                       LogRatios::skip)
                                    .worst_ratio);
      return worst;
    };
    // 20 runs: coordinate s, one of s + 1 of which s are chosen, is left out of one run with
    // probability 1/2 at most (1e-6 for all 20 at s = 1); the seeds are fixed.
    EXPECT_NEAR(ratio(RegressionSensitivity::preprint), 1, 1e-12) << row.s;
    EXPECT_NEAR(ratio(RegressionSensitivity::published), row.published, 5.1e-4) << row.s;
    EXPECT_NEAR(ratio(RegressionSensitivity::declared_loss), 2, 1e-12) << row.s;
  }
}

TEST(SparseLinearRegression, TheoremParametersByHand) {
  // gamma/mu = 3/2, s* = 2: s = ceil(4.5), T = floor(1.5 log 10^4 = 13.8), K = (8000/65)^(1/4),
  // eta_0 = 2/9.
  const SparseRegressionParameters p =
      sparse_regression_from_theorem(10'000, 50, 2, 0.8, 1e-6, 3, 2);
  EXPECT_EQ(p.sparsity, 5);
  EXPECT_EQ(p.iterations, 13);
  EXPECT_NEAR(p.clip, 3.330766266867818, 1e-12);
  EXPECT_NEAR(p.step, 0.2222222222222222, 1e-15);
  EXPECT_EQ(p.initial, VectorXd::Zero(50));
  EXPECT_EQ(p.epsilon, 0.8);
  EXPECT_EQ(p.delta, 1e-6);
  // s is capped by d and T by n, whatever the condition number.
  EXPECT_EQ(sparse_regression_from_theorem(10, 4, 2, 0.8, 1e-6, 1e200, 1e-200).sparsity, 4);
  EXPECT_EQ(sparse_regression_from_theorem(10, 4, 2, 0.8, 1e-6, 1e200, 1e-200).iterations, 10);
  EXPECT_EQ(sparse_regression_from_theorem(1, 4, 2, 0.8, 1e-6, 1, 1).iterations, 1);
  EXPECT_THROW(sparse_regression_from_theorem(10, 4, 2, 0.8, 1e-6, 1, 2), std::invalid_argument);
  EXPECT_THROW(sparse_regression_from_theorem(10, 4, 2, 0.8, 1e-6, 1, 0), std::invalid_argument);
  EXPECT_THROW(sparse_regression_from_theorem(10, 4, 2, 0.8, 1e-6, std::nan(""), 1),
               std::invalid_argument);
}

TEST(SparseLinearRegression, ExperimentsParametersAndBoundByHand) {
  // n = 5 * 10^4, s* = 10, c = 2: s = 20, T = floor(10.8), K = (45000/200)^(1/4), n^-1.1.
  SparseRegressionParameters p = sparse_regression_from_experiments(50'000, 100, 10, 2, 0.9);
  EXPECT_EQ(p.sparsity, 20);
  EXPECT_EQ(p.iterations, 10);
  EXPECT_NEAR(p.clip, 3.872983346207417, 1e-12);
  EXPECT_EQ(p.step, 0.5);
  EXPECT_NEAR(p.delta, std::exp(-1.1 * std::log(5e4)), 1e-19);
  EXPECT_EQ(p.sensitivity, RegressionSensitivity::preprint);
  EXPECT_EQ(sparse_regression_from_experiments(50'000, 15, 10, 2, 0.9).sparsity, 15);
  EXPECT_THROW(sparse_regression_from_experiments(2, 15, 10, 2, 0.9), std::invalid_argument);
  EXPECT_THROW(sparse_regression_from_experiments(10, 15, 0, 2, 0.9), std::invalid_argument);
  EXPECT_THROW(sparse_regression_from_experiments(10, 15, 1, 0, 0.9), std::invalid_argument);
  EXPECT_THROW(sparse_regression_from_experiments(10, 15, 1, 1, 0), std::invalid_argument);
  // M = 26, gamma = 3, mu = 2, s* = 2, d/zeta = 400, delta = 1e-6, n epsilon = 8000.
  EXPECT_NEAR(sparse_regression_bound(10'000, 20, 2, 0.8, 1e-6, 3, 2, 26, 0.05),
              26 * 81 * 4 * 9.210340371976184 * std::pow(5.991464547107982, 2) *
                  13.815510557964274 / (128 * 8000.0),
              1e-9);
}

TEST(SparseLinearRegression, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(SparseRegressionParameters&)>& spoil) {
    SparseRegressionParameters p = small_parameters();
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return sparse_linear_regression(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, 1.0, -1.0, nan}) {
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(run([bad](auto& p) { p.step = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.clip = bad; }), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 9; }), std::invalid_argument);  // n < T
  EXPECT_THROW(run([](auto& p) { p.sparsity = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.sparsity = 4; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(2); }), std::invalid_argument);
  // Without these two the sensitivity does not hold.
  EXPECT_THROW(run([](auto& p) { p.initial << 0.8, 0, 0.7; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial << 0.1, 0.1, 0.1; }), std::invalid_argument);
  EXPECT_THROW(run([nan](auto& p) { p.initial[0] = nan; }), std::invalid_argument);
}

// Counts stand for records: with the same noise the run on counts is the run on records, clipped at
// K = 2.5 like them.
TEST(SparseLinearRegression, CountsGiveWhatTheirRecordsGive) {
  const CountedRegression model{.optimum = (VectorXd(3) << 0.4, 0, -0.2).finished(),
                                .size = (VectorXd(3) << 3, 2, 1).finished(),
                                .outlier = 1};
  SparseRegressionParameters p;
  p.initial = VectorXd::Zero(3);
  p.sparsity = 2;
  p.iterations = 2;
  p.clip = 2.5;
  constexpr Index part = 7;
  RandomStream draws({.seed = 3});
  const Dataset counts = model.draw(p.iterations, part, draws);
  Dataset records{Matrix::Zero(2 * part, 3), VectorXd::Zero(2 * part)};
  for (Index row = 0, at = 0; row < counts.size(); ++row)
    for (Index j = 0; j < 3; ++j)
      for (double left = counts.features(row, j); left > 0; --left, ++at) {
        const double sign = at % 2 == 0 ? 1 : -1;
        records.features(at, j) = sign * model.size[j];
        records.labels[at] =
            sign * (model.size[j] * model.optimum[j] + (row % 2 == 0 ? 1 : -1) * model.outlier);
      }
  const PartGradient gradient = [&](const VectorXd& w, Index t) {
    return model.mean(counts.part(t, p.iterations), part, [&](Index j, double x, double y) {
      const double kept = std::min(x, p.clip);
      return kept * (kept * w[j] - std::clamp(y, -p.clip, p.clip));
    });
  };
  SamplingReleases one(RandomStream({.seed = 5})), other(RandomStream({.seed = 5}));
  const VectorXd w = sparse_linear_regression(gradient, 2 * part, 3, p, one);
  EXPECT_LT((w - sparse_linear_regression(records, p, other)).norm(), 1e-12);
}

// Three parts: a record pays for the 2s releases of its own part. The figures are those of Peeling
// alone (numpy and scipy, 3 digits).
TEST(SparseLinearRegression, CertifiedEpsilonsOfThePrivacyClaim) {
  for (const Claim& claim : sparse_linear_regression_algorithm().claims()) {
    if (claim.id != "hu.sparse_linear_regression.privacy.printed") continue;
    const Evidence evidence = check_privacy(claim, {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent);
    const Table& table = evidence.tables.at(0);
    const auto column = [&table](const std::string& name) {
      const auto found = std::find(table.columns.begin(), table.columns.end(), name);
      EXPECT_NE(found, table.columns.end()) << name;
      return static_cast<std::size_t>(found - table.columns.begin());
    };
    struct Row {
      double s, epsilon, optimal;
    };
    const std::vector<Row> rows{{5, 0.999, 0.563}, {20, 0.1, 0.541}, {20, 0.999, 0.661}};
    ASSERT_GE(table.rows.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::vector<double>& row = table.rows[k];
      EXPECT_EQ(row[column("sparsity")], rows[k].s);
      EXPECT_EQ(row[column("releases")], 6 * rows[k].s);
      EXPECT_EQ(row[column("releases a record pays for")], 2 * rows[k].s);
      EXPECT_NEAR(row[column("certified/claimed")], rows[k].optimal, 6e-4) << k;
    }
    return;
  }
  FAIL() << "no privacy claim";
}

}  // namespace
}  // namespace dpverify::hu
