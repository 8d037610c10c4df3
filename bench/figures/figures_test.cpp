#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/releases.hpp"
#include "bench/figures/panels.hpp"
#include "bench/figures/run_figure.hpp"
#include "bench/figures/statements.hpp"
#include "bench/figures/test_figures.hpp"

namespace dpverify::figures {
namespace {

using Kind = Statement::Kind;

// Uniform in the ball of s dimensions where the start is sparse: P(||w^0|| <= r) = r^s.
TEST(Problems, ASparseStartFillsTheBallOfItsSupport) {
  const LinearProblem problem{.features = {ScalarLaw::Kind::normal, 1},
                              .noise = {ScalarLaw::Kind::normal, 1},
                              .sparse = true};
  constexpr int draws = 2000;
  double inside = 0;
  for (std::uint64_t k = 0; k < draws; ++k) {
    RandomStream stream({.claim = "start", .trial = k});
    const Instance instance = problem.draw({.records = 1, .dimension = 50, .sparsity = 2}, stream);
    if (instance.initial.norm() <= 0.5) ++inside;
  }
  EXPECT_NEAR(inside / draws, 0.25, 6 * std::sqrt(0.25 * 0.75 / draws));
}

// ---- Panels ------------------------------------------------------------------------------------

TEST(Panels, AreEveryPanelOfTheFiguresOnSyntheticData) {
  std::set<std::string> ids;
  for (const Panel& panel : panels()) {
    EXPECT_TRUE(ids.insert(panel.id).second) << panel.id;
    EXPECT_FALSE(panel.statements.empty()) << panel.id;
    EXPECT_EQ(panel.trials, 20) << panel.id;
  }
  std::set<std::string> expected;
  for (const char* number : {"1", "2", "5", "6", "7", "8", "9", "10", "11"})
    for (const char* letter : {"a", "b", "c"})
      expected.insert(std::string("hu.") + number + letter);
  EXPECT_EQ(ids, expected);
  EXPECT_THROW(panel("hu.3a"), std::invalid_argument);
}

TEST(Panels, HaveThePrintedSettings) {
  const Panel& a = panel("hu.1a");
  EXPECT_EQ(a.base.records, 10'000);
  EXPECT_EQ(a.series, (std::vector<double>{200, 800}));
  EXPECT_EQ(panel("hu.1b").x.front(), 10'000);
  EXPECT_EQ(panel("hu.1b").x.back(), 90'000);
  EXPECT_EQ(panel("hu.1c").series, std::vector<double>{400});
  EXPECT_EQ(panel("hu.5c").series, std::vector<double>{200});
  EXPECT_EQ(panel("hu.7a").base.records, 50'000);
  EXPECT_EQ(panel("hu.7a").base.sparsity, 20);
  const Setting at = setting(panel("hu.7c"), 5, 100);
  EXPECT_EQ(at.sparsity, 5);
  EXPECT_EQ(at.dimension, 100);
  EXPECT_NEAR(at.delta(), std::pow(5e4, -1.1), 1e-18);
}

// ---- Runs --------------------------------------------------------------------------------------

// One release of the first label's value with Laplace noise; d = 1.
Panel tiny_panel() {
  Panel panel;
  panel.id = "test.tiny";
  panel.problem = {.features = {ScalarLaw::Kind::normal, 1}, .noise = {ScalarLaw::Kind::normal, 1}};
  panel.base.records = 4;
  panel.x = {1, 2};
  panel.series = {1};
  panel.trials = 6;
  panel.statements = {{Kind::falls, "", "falls"}};
  panel.methods = {
      {"experiments", Role::experiments, [](const Setting& at, const Instance&) {
         return [at](const Dataset&, Releases& releases) {
           return releases.release(LaplaceNoise{VectorXd::Constant(1, -2), 1, 3 / at.epsilon});
         };
       }}};
  return panel;
}

TEST(RunFigure, MeasuresNoiseAndSignalOfTheFirstRelease) {
  const Figure figure = run_figure(tiny_panel(), {});
  EXPECT_DOUBLE_EQ(figure.curve("experiments", Quantity::noise, 1).points[1].mean, 1.5);
  EXPECT_DOUBLE_EQ(figure.curve("experiments", Quantity::signal, 1).points[1].mean, 2);
  EXPECT_THROW(figure.curve("theorem", Quantity::run, 1), std::out_of_range);
  EXPECT_THROW(figure.curve("experiments", Quantity::run, 2), std::out_of_range);
}

// Of each law, and of the first release alone.
TEST(RunFigure, TheSizeOfTheNoiseIsThatOfTheLaw) {
  const VectorXd scores{{0, 1, 5}}, value = VectorXd::Constant(1, -2);
  const auto measured = [](const Mechanism& first) {
    Panel panel = tiny_panel();
    panel.methods[0].make = [=](const Setting&, const Instance&) {
      return [=](const Dataset& data, Releases& releases) {
        first(data, releases);
        return releases.release(LaplaceNoise{VectorXd::Constant(1, 70), 1, 90});
      };
    };
    const Figure figure = run_figure(panel, {.trials = 2});
    return std::pair(figure.curve("experiments", Quantity::noise, 1).points[0].mean,
                     figure.curve("experiments", Quantity::signal, 1).points[0].mean);
  };
  const auto [exponential_noise, exponential_signal] =
      measured([=](const Dataset&, Releases& releases) {
        return VectorXd::Constant(
            1, static_cast<double>(releases.select(ExponentialMechanism{scores, 1, 0.5})));
      });
  EXPECT_DOUBLE_EQ(exponential_noise, std::log(3) / 0.5);
  EXPECT_DOUBLE_EQ(exponential_signal, 3);  // 5 above the mean of 2
  const auto [maximum_noise, maximum_signal] = measured([=](const Dataset&, Releases& releases) {
    return VectorXd::Constant(1, static_cast<double>(releases.select(NoisyMax{scores, 1, 4})));
  });
  EXPECT_DOUBLE_EQ(maximum_noise, 4 * std::log(3));
  EXPECT_DOUBLE_EQ(maximum_signal, 5);
  const auto [gaussian_noise, gaussian_signal] = measured([=](const Dataset&, Releases& releases) {
    return releases.release(GaussianNoise{value, 1, 3});
  });
  EXPECT_DOUBLE_EQ(gaussian_noise, 3);
  EXPECT_DOUBLE_EQ(gaussian_signal, 2);
}

// Each point is measured at its own x of its own series; of few records there are ten.
TEST(RunFigure, EveryPointHasItsSetting) {
  Panel panel = tiny_panel();
  panel.series = {1, 3};
  panel.methods[0].make = [](const Setting& at, const Instance& instance) {
    EXPECT_EQ(instance.data.dimension(), at.dimension);
    return [at](const Dataset&, Releases& releases) {
      const double scale = at.epsilon + 10 * static_cast<double>(at.dimension);
      return releases.release(LaplaceNoise{VectorXd::Zero(at.dimension), 1, scale});
    };
  };
  const Figure figure = run_figure(panel, {.threads = 2, .trials = 2});
  for (const double series : panel.series)
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_DOUBLE_EQ(figure.curve("experiments", Quantity::noise, series).points[k].mean,
                       panel.x[k] + 10 * series);
  panel.x_variable = Variable::records;
  panel.x = {300, 5000};
  EXPECT_EQ(run_figure(panel, {.trials = 2, .records_divisor = 100}).x,
            (std::vector<double>{10, 50}));
}

TEST(RunFigure, TheControlsAreTheErrorsTheyShouldBe) {
  const Figure figure = run_figure(tiny_panel(), {});
  // |w*| = 1 in one dimension: the zero vector's excess risk is 1, that of -2 is 1 or 9.
  for (const double zero : figure.curve("", Quantity::zero_vector, 1).points[0].values)
    EXPECT_NEAR(zero, 1, 1e-12);
  for (const double noiseless :
       figure.curve("experiments", Quantity::noiseless, 1).points[0].values)
    EXPECT_NEAR(std::min(std::abs(noiseless - 1), std::abs(noiseless - 9)), 0, 1e-12);
  // With hardly any noise the run errs as without; the run without data releases 0 in place of -2.
  Panel quiet = tiny_panel();
  quiet.methods[0].make = [](const Setting&, const Instance&) {
    return [](const Dataset&, Releases& releases) {
      return releases.release(LaplaceNoise{VectorXd::Constant(1, -2), 1, 1e-9});
    };
  };
  const Figure still = run_figure(quiet, {});
  const auto errors = [&](Quantity quantity) {
    return still.curve("experiments", quantity, 1).points[0].values;
  };
  for (const double data_free : errors(Quantity::data_free)) EXPECT_NEAR(data_free, 1, 1e-6);
  EXPECT_NEAR(std::ranges::max(errors(Quantity::run)), 9, 1e-6);
}

// Of every curve, at every x.
std::vector<std::vector<double>> values_of(const Figure& figure) {
  std::vector<std::vector<double>> found;
  for (const Curve& curve : figure.curves)
    for (const Point& point : curve.points) found.push_back(point.values);
  return found;
}

TEST(RunFigure, IsTheSameWhateverTheNumberOfThreads) {
  const auto values = [](std::uint64_t seed, int threads) {
    return values_of(run_figure(
        panel("hu.7a"), {.seed = seed, .threads = threads, .trials = 2, .records_divisor = 1e3}));
  };
  const auto one = values(20240229, 1);
  EXPECT_EQ(one, values(20240229, 3));
  EXPECT_NE(one, values(1, 1));
}

class KeptTrials {
 public:
  CheckpointStore store() {
    return {.recall = [this](const std::string& key) -> std::optional<std::string> {
              const auto it = texts.find(key);
              return it == texts.end() ? std::nullopt : std::optional(it->second);
            },
            .keep = [this](const std::string& key,
                           const std::string& text) { texts.insert_or_assign(key, text); }};
  }
  std::map<std::string, std::string> texts;
};

TEST(RunFigure, PartsPutTogetherAreASingleRun) {
  Panel panel = tiny_panel();
  panel.series_variable = Variable::records;
  panel.series = {4, 7};
  const auto whole = values_of(run_figure(panel, {}));
  for (const int parts : {1, 2, 3, 7, 30}) {
    KeptTrials kept;
    Index count = 0;
    for (int part = parts; part >= 1; --part)
      count += run_part(panel, {.checkpoints = kept.store()}, part, parts);
    EXPECT_EQ(count, 24) << parts;
    EXPECT_EQ(kept.texts.size(), 24U) << parts;
    const auto before = kept.texts;
    EXPECT_EQ(values_of(run_figure(panel, {.checkpoints = kept.store()})), whole) << parts;
    EXPECT_EQ(kept.texts, before);
  }
  EXPECT_THROW(run_part(panel, {}, 3, 2), std::invalid_argument);
  EXPECT_THROW(run_part(panel, {}, 0, 2), std::invalid_argument);
}

// Neither more, fewer nor other numbers than a trial has are taken.
TEST(RunFigure, WhatIsNotWhollyKeptIsRunAgain) {
  KeptTrials kept;
  const auto whole = values_of(run_figure(tiny_panel(), {.checkpoints = kept.store()}));
  ASSERT_EQ(kept.texts.size(), 12U);
  auto& [first, text] = *kept.texts.begin();
  const std::string right = text;
  for (const std::string& wrong :
       {std::string(), right.substr(0, right.rfind('\n', right.size() - 2)), right + "1\n"}) {
    text = wrong;
    EXPECT_EQ(values_of(run_figure(tiny_panel(), {.checkpoints = kept.store()})), whole) << wrong;
    EXPECT_EQ(text, right);
  }
  // What is kept is taken as it is: nothing is run twice.
  text.replace(0, text.find('\n'), "123");
  EXPECT_NE(values_of(run_figure(tiny_panel(), {.checkpoints = kept.store()})), whole);
  // Another seed or another n has nothing to do with it.
  run_figure(tiny_panel(), {.seed = 1, .checkpoints = kept.store()});
  EXPECT_EQ(kept.texts.size(), 24U);
}

TEST(RunFigure, ReportsProgress) {
  Index calls = 0, last = 0;
  run_figure(tiny_panel(), {.threads = 2, .progress = [&](Index done, Index total) {
                              ++calls;
                              EXPECT_EQ(total, 12);
                              EXPECT_EQ(done, ++last);
                            }});
  EXPECT_EQ(calls, 12);
}

TEST(RunFigure, RefusesBadOptions) {
  EXPECT_THROW(run_figure(tiny_panel(), {.threads = 0}), std::invalid_argument);
  EXPECT_THROW(run_figure(tiny_panel(), {.trials = -1}), std::invalid_argument);
  EXPECT_THROW(run_figure(tiny_panel(), {.records_divisor = 0.5}), std::invalid_argument);
}

// ---- Problems ----------------------------------------------------------------------------------

TEST(LinearProblem, DrawsOptimaAndStartsOfTheConstraintSets) {
  RandomStream stream({.seed = 7});
  const Setting at{.records = 3, .dimension = 30, .sparsity = 4};
  LinearProblem problem{.features = {ScalarLaw::Kind::normal, 1}};
  Instance dense = problem.draw(at, stream);
  EXPECT_NEAR(dense.optimum.lpNorm<1>(), 1, 1e-12);
  EXPECT_LT(dense.initial.lpNorm<1>(), 1);
  EXPECT_NEAR((dense.data.features * dense.optimum - dense.data.labels).norm(), 0, 1e-12);
  problem.sparse = true;
  problem.loss = Loss::logistic;
  const Instance sparse = problem.draw(at, stream);
  EXPECT_NEAR(sparse.optimum.norm(), 1, 1e-12);
  EXPECT_EQ((sparse.optimum.array() != 0).count(), 4);
  EXPECT_EQ((sparse.initial.array() != 0).count(), 4);
  EXPECT_LT(sparse.initial.norm(), 1);
  EXPECT_TRUE((sparse.data.labels.array().abs() == 1).all());
  EXPECT_NEAR(problem.excess_risk(sparse, sparse.optimum), 0, 1e-15);
  EXPECT_NEAR(problem.excess_risk(sparse, VectorXd::Zero(30)), std::log(2) - sparse.optimum_risk,
              1e-12);
}

// E x x^T has the variance on its diagonal and the squared mean everywhere; normal features of
// variance 2 have moments 2 and 12.
TEST(LinearProblem, ConstantsByHand) {
  LinearProblem problem{.features = {ScalarLaw::Kind::lognormal, 0.2}};
  const double mean = problem.features.mean(), variance = problem.features.variance();
  const Eigen::MatrixXd moments =
      Eigen::MatrixXd::Constant(3, 3, mean * mean) + variance * Eigen::MatrixXd::Identity(3, 3);
  const double largest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(moments).eigenvalues().maxCoeff();
  EXPECT_NEAR(problem.largest_eigenvalue(3), largest, 1e-12 * largest);
  problem.features = {ScalarLaw::Kind::normal, 2};
  problem.regularizer = 0.5;
  EXPECT_DOUBLE_EQ(problem.smoothness(3), 2 * 2 + 0.5);
  // 2 r x, the residual r at most 2 |x| beside the noise: 4 (2^2 * 12 + 9 * 2).
  EXPECT_DOUBLE_EQ(problem.gradient_second_moment(9), 264);
  EXPECT_DOUBLE_EQ(problem.guessed_second_moment(), 8);
  const Instance instance{.data = {Matrix::Zero(1, 2), VectorXd::Zero(1)},
                          .optimum = VectorXd{{1.0, 0}},
                          .initial = {}};
  // 2 * ||(-1, 2)||^2 and half of 1/2 (4 - 1).
  EXPECT_DOUBLE_EQ(problem.excess_risk(instance, VectorXd{{0.0, 2}}), 10 + 0.75);
  EXPECT_EQ(problem.excess_risk(instance, VectorXd{{0.0, std::nan("")}}), infinity);
  problem.loss = Loss::logistic;
  EXPECT_DOUBLE_EQ(problem.smoothness(3), 2.0 / 4 + 0.5);
  EXPECT_DOUBLE_EQ(problem.gradient_second_moment(9), 2);
  EXPECT_DOUBLE_EQ(problem.guessed_second_moment(), 2);
}

// The closed form against the mean loss on many records, at twelve standard errors of the mean of
// independent terms of finite variance (false failure below 1e-12).
TEST(LinearProblem, TheClosedFormIsTheMeanLossOfManyRecords) {
  const LinearProblem problem{.features = {ScalarLaw::Kind::lognormal, 0.2},
                              .noise = {ScalarLaw::Kind::normal, 0.1}};
  RandomStream stream({.seed = 8});
  const Instance instance = problem.draw({.records = 200'000, .dimension = 3}, stream);
  VectorXd w(3);
  w << 0.3, -0.2, 0.4;
  double sum = 0, squares = 0;
  for (Index i = 0; i < instance.data.size(); ++i) {
    const double y = instance.data.labels[i];
    const double term =
        loss_value(Loss::squared, instance.data.features.row(i).dot(w), y) -
        loss_value(Loss::squared, instance.data.features.row(i).dot(instance.optimum), y);
    sum += term;
    squares += term * term;
  }
  const double n = 200'000, mean = sum / n;
  EXPECT_NEAR(problem.excess_risk(instance, w), mean,
              12 * std::sqrt((squares / n - mean * mean) / n));
}

// ---- Statements on fabricated panels -----------------------------------------------------------

Confirmation finding(const Statement& statement, const Figure& figure) {
  const std::vector<Judgement> judgements = judge({statement}, figure);
  EXPECT_EQ(judgements.size(), 1u);
  EXPECT_FALSE(judgements[0].reason.empty());
  return judgements[0].finding;
}

TEST(Statements, FallsAndGrows) {
  const Figure falling = fabricated_figure({1, 0.5, 0.2}, {1.1, 0.5, 0.3});
  const Figure mixed = fabricated_figure({1, 0.5, 0.2}, {0.3, 0.5, 1});
  const Figure noisy = fabricated_figure({1, 0.5, 0.9}, {1, 0.5, 0.9}, 3);
  EXPECT_EQ(finding({Kind::falls, "", ""}, falling), Confirmation::confirmed);
  EXPECT_EQ(finding({Kind::grows, "", ""}, falling), Confirmation::contradicted);
  EXPECT_EQ(finding({Kind::falls, "", ""}, mixed), Confirmation::contradicted);
  EXPECT_EQ(finding({Kind::falls, "", ""}, noisy), Confirmation::undecided);
}

// Values above the point's by differences whose mean is `score` standard errors.
Point above(const Point& point, double score) {
  std::vector<double> differences;
  for (int t = 0; t < 20; ++t) differences.push_back(t % 2 == 0 ? 1 : -1);
  const double deviation = std::sqrt(20.0 / 19);
  std::vector<double> values = point.values;
  for (std::size_t t = 0; t < values.size(); ++t)
    values[t] += 0.01 * (differences[t] + score * deviation / std::sqrt(20));
  return summarised(values);
}

// Comparisons at 95 % together: with 19 degrees of freedom Student's t is 2.09 for one, 2.43 for
// each of two series, 3.27 for each control of six points, 3.07 for each of the eight sides of two
// values, 2.94 for each of two series at each of three points. A little less decides nothing.
TEST(Statements, ComparisonsShareTheirLevel) {
  const auto grown = [](double score) {
    Figure figure = fabricated_figure({1, 1, 1}, {1, 1, 1});
    for (Curve& curve : figure.curves)
      if (curve.quantity == Quantity::run && curve.method == "experiments")
        curve.points.back() = above(curve.points.front(), score);
    return finding({Kind::grows, "", ""}, figure);
  };
  EXPECT_EQ(grown(2.3), Confirmation::undecided);
  EXPECT_EQ(grown(2.6), Confirmation::confirmed);
  EXPECT_EQ(grown(-2.3), Confirmation::undecided);
  EXPECT_EQ(grown(-2.6), Confirmation::contradicted);
  const auto better = [](double score) {
    Figure figure = fabricated_figure({3, 3, 3}, {3, 3, 3});
    const Point zero = figure.curve("", Quantity::zero_vector, 2).points[1];
    for (Curve& curve : figure.curves)
      if (curve.quantity == Quantity::run && curve.method == "experiments" && curve.series == 2)
        curve.points[1] = above(zero, -score);
    return null_tests(figure).at(0).better;
  };
  EXPECT_EQ(better(3.1), 0);
  EXPECT_EQ(better(3.5), 1);
  const auto valued = [](double score) {
    Figure figure = fabricated_figure({0.14, 0.1, 0.03}, {5, 5, 5});
    // Below 1.5 * 0.14 by so many standard errors.
    const Point limit = summarised(std::vector<double>(20, 1.5 * 0.14));
    for (Curve& curve : figure.curves)
      if (curve.quantity == Quantity::run && curve.method == "experiments" && curve.series == 2)
        curve.points[0] = above(limit, -score);
    return finding({Kind::values, "", "", 0.14, 0.03}, figure);
  };
  EXPECT_EQ(valued(2.8), Confirmation::undecided);
  EXPECT_EQ(valued(3.4), Confirmation::confirmed);
  const auto alike = [](double score) {
    Figure figure = fabricated_figure({1, 1, 1}, {1, 1, 1});
    // Of the second series below 1.25 times the first by so many standard errors.
    const Point one = summarised(std::vector<double>(20, 1.0)),
                limit = summarised(std::vector<double>(20, 1.25));
    for (Curve& curve : figure.curves)
      if (curve.quantity == Quantity::run && curve.method == "experiments")
        curve.points[1] = curve.series == 2 ? one : above(limit, -score);
    return finding({Kind::series_matter_little, "", "", 1.25}, figure);
  };
  EXPECT_EQ(alike(2.8), Confirmation::undecided);
  EXPECT_EQ(alike(3.1), Confirmation::confirmed);
  EXPECT_EQ(alike(-2.8), Confirmation::undecided);
  EXPECT_EQ(alike(-3.1), Confirmation::contradicted);
}

TEST(Statements, GrowsFasterThanLog) {  // log 1000/log 10 = 3
  const Statement statement{Kind::grows_faster_than_log, "", ""};
  EXPECT_EQ(finding(statement, fabricated_figure({1, 2, 5}, {1, 2, 4})), Confirmation::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 2, 5}, {1, 2, 2.5})),
            Confirmation::contradicted);
}

TEST(Statements, ErrorsThatAreNotPositiveHaveNoRatio) {
  EXPECT_EQ(
      finding({Kind::grows_faster_than_log, "", ""}, fabricated_figure({-1, 2, 5}, {1, 2, 4})),
      Confirmation::undecided);
}

TEST(Statements, SeriesMatterLittleSaysBetweenWhichRatios) {
  const auto judgements = judge({{Kind::series_matter_little, "", "", 1.25}},
                                fabricated_figure({1, 1, 1}, {1.1, 0.9, 1}));
  EXPECT_THAT(judgements.at(0).reason,
              ::testing::HasSubstr("error at d = 4 over that at 2: 0.90 to 1.10"));
}

TEST(Statements, SeriesMatterLittle) {
  const Statement statement{Kind::series_matter_little, "", "", 1.25};
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 1})),
            Confirmation::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 0.5})),
            Confirmation::contradicted);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 2})),
            Confirmation::contradicted);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 1.249})),
            Confirmation::undecided);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, -1})),
            Confirmation::undecided);
}

TEST(Statements, Values) {
  const Statement statement{Kind::values, "", "", 0.14, 0.03};
  EXPECT_EQ(finding(statement, fabricated_figure({0.15, 0.1, 0.03}, {5, 5, 5})),
            Confirmation::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({0.15, 0.1, 0.1}, {5, 5, 5})),
            Confirmation::contradicted);
  // One of the two values outside is enough, on either side.
  for (const std::vector<double>& outside :
       {std::vector{0.5, 0.1, 0.03}, std::vector{0.08, 0.1, 0.03}, std::vector{0.15, 0.1, 0.015}})
    EXPECT_EQ(finding(statement, fabricated_figure(outside, outside)), Confirmation::contradicted)
        << outside[0];
  EXPECT_EQ(finding(statement, fabricated_figure({0.21, 0.1, 0.03}, {5, 5, 5}, 0.02)),
            Confirmation::undecided);
  Figure divided = fabricated_figure({0.15, 0.1, 0.03}, {5, 5, 5});
  divided.records_divisor = 10;
  EXPECT_EQ(finding(statement, divided), Confirmation::undecided);
}

TEST(Statements, NearNoiselessAndAboveAMethod) {
  const Statement near{Kind::near_noiseless, "", "", 2};
  EXPECT_EQ(finding(near, fabricated_figure({1, 1, 0.15}, {1, 1, 0.12})), Confirmation::confirmed);
  EXPECT_EQ(finding(near, fabricated_figure({1, 1, 0.15}, {1, 1, 0.5})),
            Confirmation::contradicted);
  // Errors below that of w*: twice -0.12 is no limit for -0.1.
  Figure below = fabricated_figure({1, 1, -0.1}, {1, 1, -0.1});
  for (Curve& curve : below.curves)
    if (curve.quantity == Quantity::noiseless)
      curve = fabricated("experiments", Quantity::noiseless, curve.series, {0.1, 0.1, -0.12});
  EXPECT_EQ(finding(near, below), Confirmation::undecided);
  const Statement above{Kind::above_method, "", "", 0, 0, "other"};
  EXPECT_EQ(finding(above, fabricated_figure({1, 1, 1}, {1, 1, 0.7})), Confirmation::confirmed);
  EXPECT_EQ(finding(above, fabricated_figure({1, 1, 1}, {1, 1, 0.3})), Confirmation::contradicted);
}

// Of two sets of parameters each is judged, but against another method the first alone.
TEST(Statements, AreJudgedForEverySetOfParameters) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1.1, 0.5, 0.3});
  for (const double s : figure.series) {
    figure.curves.push_back(fabricated("theorem", Quantity::run, s, {1, 1.5, 2}));
    figure.curves.back().role = Role::theorem;
  }
  const auto falls = judge({{Kind::falls, "", ""}}, figure);
  ASSERT_EQ(falls.size(), 2U);
  EXPECT_EQ(falls[0].finding, Confirmation::confirmed);
  EXPECT_EQ(falls[1].method, "theorem");
  EXPECT_EQ(falls[1].finding, Confirmation::contradicted);
  EXPECT_EQ(judge({{Kind::above_method, "", "", 0, 0, "other"}}, figure).size(), 1U);
}

TEST(Statements, AnInfiniteErrorDecidesNothing) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  std::vector<double> values = figure.curves[0].points[2].values;
  values[3] = infinity;
  figure.curves[0].points[2] = summarised(values);
  EXPECT_EQ(finding({Kind::falls, "", ""}, figure), Confirmation::undecided);
}

TEST(NullTests, TellLearningFromFalling) {
  // Below both controls at one point of the second series only.
  std::vector<NullTest> tests = null_tests(fabricated_figure({3, 2, 1.5}, {3, 1, 0.5}));
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(tests[0].better, 1);
  EXPECT_EQ(tests[0].points, 6);
  EXPECT_FALSE(tests[0].vacuous());
  tests = null_tests(fabricated_figure({5, 3, 1.5}, {5, 3, 1.5}));  // falls, and learns nothing
  EXPECT_TRUE(tests[0].vacuous());
  EXPECT_EQ(tests[0].worse, 6);
  // Better than the zero vector everywhere, than the run without data nowhere.
  Figure figure = fabricated_figure({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5});
  EXPECT_EQ(null_tests(figure)[0].better, 6);
  for (Curve& curve : figure.curves)
    if (curve.quantity == Quantity::data_free)
      curve = fabricated("experiments", Quantity::data_free, curve.series, {0.2, 0.2, 0.2});
  tests = null_tests(figure);
  EXPECT_TRUE(tests[0].vacuous());
  EXPECT_EQ(tests[0].worse, 6);
}

TEST(Summarised, ATrialAloneHasNoInterval) {
  const Point point = summarised({2});
  EXPECT_EQ(point.mean, 2);
  EXPECT_EQ(point.upper, infinity);
  EXPECT_EQ(point.lower, -infinity);
  // Mean 2, deviation 1, Student's t with 2 degrees: 4.302653/sqrt 3.
  EXPECT_NEAR(summarised({1, 2, 3}).upper, 2 + 4.302652730 / std::sqrt(3.0), 1e-8);
  EXPECT_NEAR(summarised({1, 2, 3}).lower, 2 - 4.302652730 / std::sqrt(3.0), 1e-8);
}

// ---- Words -------------------------------------------------------------------------------------

TEST(Panels, SayWhatNeitherXNorTheSeriesVaries) {
  EXPECT_EQ(fixed_in_words(panel("hu.1a")), "n = 10000");
  EXPECT_EQ(fixed_in_words(panel("hu.1b")), "epsilon = 1");
  EXPECT_EQ(fixed_in_words(panel("hu.7a")), "n = 50000, s* = 20");
  EXPECT_EQ(fixed_in_words(panel("hu.7c")), "n = 50000, epsilon = 0.999");
  EXPECT_EQ(source_in_words(panel("hu.7c")),
            "Hu, Ni, Xiao and Wang (preprint), Section 6, Figure 7(c)");
}

TEST(Points, OfAnErrorThatIsNotFiniteHaveNoInterval) {
  const Point point = summarised({1, infinity, 2});
  EXPECT_EQ(point.mean, infinity);
  EXPECT_EQ(point.lower, -infinity);
  EXPECT_EQ(point.upper, infinity);
}

}  // namespace
}  // namespace dpverify::figures
