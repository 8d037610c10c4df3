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

using ::testing::HasSubstr;

TEST(Panels, AllRunOnFewRecords) {
  for (const Panel& panel : panels()) {
    if (panel.id.back() == 'c' && panel.id != "hu.7c") continue;  // as b
    const Figure figure = run_figure(panel, {.trials = 1, .records_divisor = 1e4});
    for (const Curve& curve : figure.curves)
      for (const Point& point : curve.points)
        EXPECT_TRUE(std::isfinite(point.mean)) << panel.id << " " << curve.method;
    EXPECT_FALSE(figure_text(figure).empty());
    EXPECT_FALSE(noise_plot(figure).empty());
  }
}

TEST(FigureText, MarksWhatAVacuousCurveConfirms) {
  Figure figure = fabricated_figure({5, 3, 1.5}, {5, 3, 1.5});
  figure.judgements = judge({{Statement::Kind::falls, "falls"}}, figure);
  figure.null_tests = null_tests(figure);
  EXPECT_THAT(figure_text(figure), HasSubstr("confirmed*"));
}

TEST(FigurePlot, LeavesOutWhatIsInfinite) {
  Figure figure = fabricated_figure({1, 0.5, 0.2}, {1, 0.5, 0.2});
  std::vector<double> values = figure.curves[0].points[2].values;
  values[3] = infinity;
  figure.curves[0].points[2] = summarised(values);
  EXPECT_THAT(figure_plot(figure), HasSubstr("NaN"));
}

}  // namespace
}  // namespace dpverify::figures
