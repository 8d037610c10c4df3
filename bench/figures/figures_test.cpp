#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <set>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/releases.hpp"
#include "bench/figures/panels.hpp"
#include "bench/figures/run_figure.hpp"
#include "bench/figures/statements.hpp"
#include "bench/figures/test_figures.hpp"

namespace dpverify::figures {
namespace {

using Kind = Statement::Kind;

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
  panel.statements = {{Kind::falls, "falls"}};
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

TEST(RunFigure, TheControlsAreTheErrorsTheyShouldBe) {
  const Figure figure = run_figure(tiny_panel(), {});
  // |w*| = 1 in one dimension: the zero vector's excess risk is 1, that of -2 is 1 or 9.
  for (const double zero : figure.curve("", Quantity::zero_vector, 1).points[0].values)
    EXPECT_NEAR(zero, 1, 1e-12);
  for (const double noiseless :
       figure.curve("experiments", Quantity::noiseless, 1).points[0].values)
    EXPECT_NEAR(std::min(std::abs(noiseless - 1), std::abs(noiseless - 9)), 0, 1e-12);
}

TEST(RunFigure, IsTheSameWhateverTheNumberOfThreads) {
  const auto values = [](std::uint64_t seed, int threads) {
    const Figure figure = run_figure(
        panel("hu.7a"), {.seed = seed, .threads = threads, .trials = 2, .records_divisor = 1e3});
    std::vector<std::vector<double>> found;
    for (const Curve& curve : figure.curves)
      for (const Point& point : curve.points) found.push_back(point.values);
    return found;
  };
  const auto one = values(20240229, 1);
  EXPECT_EQ(one, values(20240229, 3));
  EXPECT_NE(one, values(1, 1));
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

Finding finding(const Statement& statement, const Figure& figure) {
  const std::vector<Judgement> judgements = judge({statement}, figure);
  EXPECT_EQ(judgements.size(), 1u);
  EXPECT_FALSE(judgements[0].reason.empty());
  return judgements[0].finding;
}

TEST(Statements, FallsAndGrows) {
  const Figure falling = fabricated_figure({1, 0.5, 0.2}, {1.1, 0.5, 0.3});
  const Figure mixed = fabricated_figure({1, 0.5, 0.2}, {0.3, 0.5, 1});
  const Figure noisy = fabricated_figure({1, 0.5, 0.9}, {1, 0.5, 0.9}, 3);
  EXPECT_EQ(finding({Kind::falls, ""}, falling), Finding::confirmed);
  EXPECT_EQ(finding({Kind::grows, ""}, falling), Finding::contradicted);
  EXPECT_EQ(finding({Kind::falls, ""}, mixed), Finding::contradicted);
  EXPECT_EQ(finding({Kind::falls, ""}, noisy), Finding::undecided);
}

TEST(Statements, GrowsFasterThanLog) {  // log 1000/log 10 = 3
  const Statement statement{Kind::grows_faster_than_log, ""};
  EXPECT_EQ(finding(statement, fabricated_figure({1, 2, 5}, {1, 2, 4})), Finding::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 2, 5}, {1, 2, 2.5})), Finding::contradicted);
}

TEST(Statements, ErrorsThatAreNotPositiveHaveNoRatio) {
  EXPECT_EQ(finding({Kind::grows_faster_than_log, ""}, fabricated_figure({-1, 2, 5}, {1, 2, 4})),
            Finding::undecided);
}

TEST(Statements, SeriesMatterLittle) {
  const Statement statement{Kind::series_matter_little, "", 1.25};
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 1})), Finding::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 0.5})),
            Finding::contradicted);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, 1.249})),
            Finding::undecided);
  EXPECT_EQ(finding(statement, fabricated_figure({1, 1, 1}, {1.1, 0.9, -1})), Finding::undecided);
}

TEST(Statements, Values) {
  const Statement statement{Kind::values, "", 0.14, 0.03};
  EXPECT_EQ(finding(statement, fabricated_figure({0.15, 0.1, 0.03}, {5, 5, 5})),
            Finding::confirmed);
  EXPECT_EQ(finding(statement, fabricated_figure({0.15, 0.1, 0.1}, {5, 5, 5})),
            Finding::contradicted);
  EXPECT_EQ(finding(statement, fabricated_figure({0.21, 0.1, 0.03}, {5, 5, 5}, 0.02)),
            Finding::undecided);
  Figure divided = fabricated_figure({0.15, 0.1, 0.03}, {5, 5, 5});
  divided.records_divisor = 10;
  EXPECT_EQ(finding(statement, divided), Finding::undecided);
}

TEST(Statements, NearNoiselessAndAboveAMethod) {
  const Statement near{Kind::near_noiseless, "", 2};
  EXPECT_EQ(finding(near, fabricated_figure({1, 1, 0.15}, {1, 1, 0.12})), Finding::confirmed);
  EXPECT_EQ(finding(near, fabricated_figure({1, 1, 0.15}, {1, 1, 0.5})), Finding::contradicted);
  // Errors below that of w*: twice -0.12 is no limit for -0.1.
  Figure below = fabricated_figure({1, 1, -0.1}, {1, 1, -0.1});
  for (Curve& curve : below.curves)
    if (curve.quantity == Quantity::noiseless)
      curve = fabricated("experiments", Quantity::noiseless, curve.series, {0.1, 0.1, -0.12});
  EXPECT_EQ(finding(near, below), Finding::undecided);
  const Statement above{Kind::above_method, "", 0, 0, "other"};
  EXPECT_EQ(finding(above, fabricated_figure({1, 1, 1}, {1, 1, 0.7})), Finding::confirmed);
  EXPECT_EQ(finding(above, fabricated_figure({1, 1, 1}, {1, 1, 0.3})), Finding::contradicted);
}

TEST(Statements, AnInfiniteErrorDecidesNothing) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  std::vector<double> values = figure.curves[0].points[2].values;
  values[3] = infinity;
  figure.curves[0].points[2] = summarised(values);
  EXPECT_EQ(finding({Kind::falls, ""}, figure), Finding::undecided);
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
}

TEST(Summarised, ATrialAloneHasNoInterval) {
  const Point point = summarised({2});
  EXPECT_EQ(point.mean, 2);
  EXPECT_TRUE(std::isinf(point.upper));
  // Mean 2, deviation 1, Student's t with 2 degrees: 4.302653/sqrt 3.
  EXPECT_NEAR(summarised({1, 2, 3}).upper, 2 + 4.302652730 / std::sqrt(3.0), 1e-8);
}

}  // namespace
}  // namespace dpverify::figures
