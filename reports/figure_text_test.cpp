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

namespace dpverify::figures {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
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
    EXPECT_THAT(noise_plot(figure), AllOf(HasSubstr(": noise"), HasSubstr(": signal"))) << panel.id;
  }
}

TEST(FigureText, MarksWhatAVacuousCurveConfirms) {
  const auto text = [](const std::vector<double>& errors) {
    Figure figure = fabricated_figure(errors, errors);
    figure.judgements = judge({{Statement::Kind::falls, "falls"}}, figure);
    figure.null_tests = null_tests(figure);
    return figure_text(figure);
  };
  EXPECT_THAT(text({5, 3, 1.5}), AllOf(HasSubstr("confirmed*"), HasSubstr(": vacuous")));
  EXPECT_THAT(text({5, 3, 0.5}), AllOf(HasSubstr("confirmed "), Not(HasSubstr("vacuous"))));
}

TEST(FigurePlot, LeavesOutWhatIsInfinite) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  EXPECT_THAT(figure_plot(figure), Not(HasSubstr("NaN")));
  std::vector<double> values = figure.curves[0].points[2].values;
  values[3] = infinity;
  figure.curves[0].points[2] = summarised(values);
  EXPECT_THAT(figure_plot(figure), HasSubstr("NaN"));
}

}  // namespace
}  // namespace dpverify::figures
