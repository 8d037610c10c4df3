#include "reports/figure_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/numbers.hpp"
#include "bench/figures/panels.hpp"
#include "bench/figures/run_figure.hpp"
#include "bench/figures/statements.hpp"
#include "bench/figures/test_figures.hpp"
#include "reports/figure_plot.hpp"
#include "reports/gnuplot.hpp"

namespace dpverify::figures {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Panels, AllRunOnFewRecords) {
  for (const Panel& panel : panels()) {
    if (panel.id.back() == 'c' && panel.id != "hu.7c") continue;  // as b
    const Figure figure = run_figure(panel, {.trials = 1, .records_divisor = 1e4});
    for (const Curve& curve : figure.curves)
      for (const Point& point : curve.points)
        EXPECT_TRUE(std::isfinite(point.mean)) << panel.id << " " << curve.method;
    for (const Statement& said : panel.statements)
      EXPECT_THAT(figure_text(figure), HasSubstr(said.text)) << panel.id;
    EXPECT_THAT(noise_plot(figure, ""), AllOf(HasSubstr(": noise"), HasSubstr(": signal")))
        << panel.id;
  }
}

TEST(FigureText, MarksWhatAVacuousCurveConfirms) {
  const auto text = [](const std::vector<double>& errors) {
    Figure figure = fabricated_figure(errors, errors);
    figure.judgements = judge({{Statement::Kind::falls, "falls", "falls"}}, figure);
    figure.null_tests = null_tests(figure);
    return figure_text(figure);
  };
  EXPECT_THAT(text({5, 3, 1.5}), AllOf(HasSubstr("confirmed*"), HasSubstr(": vacuous")));
  EXPECT_THAT(text({5, 3, 0.5}), AllOf(HasSubstr("confirmed "), Not(HasSubstr("vacuous"))));
}

TEST(FigurePlot, LeavesOutWhatIsInfinite) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  EXPECT_THAT(figure_plot(figure, ""), Not(HasSubstr("NaN")));
  std::vector<double> values = figure.curves[0].points[2].values;
  values[3] = infinity;
  figure.curves[0].points[2] = summarised(values);
  EXPECT_THAT(figure_plot(figure, ""), HasSubstr("NaN"));
}

TEST(FigurePlot, SaysWhatItShowsAndMarksWhatTheTextPrints) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  figure.source = "A paper, Figure 1(b)";
  figure.title = "Error against n";
  figure.trials = 20;
  const std::string bare = figure_plot(figure, "0123456789abcdef");
  EXPECT_THAT(bare, AllOf(HasSubstr("A paper, Figure 1(b): Error against n"),
                          HasSubstr("excess risk against n, for each d"), HasSubstr("20 trials"),
                          HasSubstr("commit 0123456789ab'"), Not(HasSubstr("$printed")),
                          HasSubstr("the text prints no value of this curve")));
  figure.printed = {{10, 0.14}, {1000, 0.03}};
  const std::string marked = figure_plot(figure, "");
  EXPECT_THAT(marked,
              AllOf(HasSubstr("$printed << END\n10 0.14\n1000 0.03\n"),
                    HasSubstr("$printed using 1:2"), HasSubstr("values that the text prints")));
  for (const std::string& script : {bare, marked}) EXPECT_EQ(run_gnuplot(script).failure, "");
}

TEST(FigurePlot, WhatTheTextPrintsIsOfItsOwnN) {
  const Panel& panel = find_panel(panels(), "hu.1b");
  EXPECT_THAT(run_figure(panel, {.trials = 1, .records_divisor = 1e4}).printed, IsEmpty());
}

}  // namespace
}  // namespace dpverify::figures
