#include "reports/rate_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "algorithms/core/numbers.hpp"
#include "bench/rate_tables.hpp"
#include "reports/gnuplot.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(RatePlot, ShowsTheCurveItsBoundAndTheControls) {
  const RateHeading about{
      .claim = "test.a.rate.printed",
      .source = "A paper; Theorem 3, whose name is long, " + std::string(300, 'x'),
      .commit = "0123456789abcdef"};
  Evidence evidence;
  evidence.claim = about.claim;
  evidence.estimate = -0.5;
  evidence.smallest_fault = 0.2;
  evidence.measurements = {{"trials a point", 24}};
  EXPECT_EQ(rate_plot_script(about, evidence), "") << "no points";
  const RateCurve curve{.variable = "n",
                        .comparators = {"a rival"},
                        .points = {{.value = 100,
                                    .run = {0.1, -0.1, 0.2},
                                    .bound = 0.2,
                                    .data_free = {10, 9, 11},
                                    .zero_vector = 10,
                                    .comparators = {{0.3, 0.2, 0.4}},
                                    .lower_bound = 1e-3},
                                   {.value = 1000,
                                    .run = {0.05, 0.01, infinity},
                                    .bound = 0.1,
                                    .data_free = {10, 9, 11},
                                    .zero_vector = 10,
                                    .non_private = {1e-9, 1e-9, 1e-9},
                                    .comparators = {{NAN, NAN, NAN}},
                                    .lower_bound = 1e-4}}};
  evidence.tables = {to_table(curve)};
  const std::string script = rate_plot_script(about, evidence);
  EXPECT_THAT(script, AllOf(HasSubstr("test.a.rate.printed"), HasSubstr("zero vector"),
                            HasSubstr("data-free"), HasSubstr("bound"), HasSubstr("non-private"),
                            HasSubstr("a rival"), HasSubstr("lower bound of every private run")));
  // Value, run and its ends: what cannot be shown is drawn to the edge, a thousand times away.
  EXPECT_THAT(script, AllOf(HasSubstr("\n100 0.1 0.0001 0.2 "), HasSubstr("\n1000 0.05 0.01 50 ")));
  EXPECT_THAT(script, AllOf(HasSubstr("A paper; Theorem 3"), HasSubstr("24 trials a point"),
                            HasSubstr("excess risk against n"), HasSubstr("commit 0123456789ab'")));
  // Below, the ratio and its band: at the hard end lower by (1000/100)^0.2.
  EXPECT_THAT(script,
              AllOf(HasSubstr("'risk/bound'"), HasSubstr("may pass: exponent worse by < 0.2"),
                    HasSubstr(" 0.5 0.0005 1 0.315478672 0.5 0.5 ")));
  EXPECT_THAT(script, AllOf(HasSubstr("'' using 1:15 "), HasSubstr("'' using 1:16 "),
                            HasSubstr("(falls below)")));
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  const Picture picture = run_gnuplot(script);
  EXPECT_THAT(picture.svg, AllOf(HasSubstr("<svg"), HasSubstr("test.a.rate.printed")));
  EXPECT_EQ(picture.failure, "");
}

}  // namespace
}  // namespace dpverify
