#include "reports/rate_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "bench/rate_fit.hpp"
#include "bench/rate_tables.hpp"
#include "reports/gnuplot.hpp"

namespace dpverify {
namespace {

bool can_be_shown(double value) { return std::isfinite(value) && value > 0; }

// A number a logarithmic axis can show, or the mark of a missing one.
std::string cell(double value) {
  return can_be_shown(value) ? fmt::format("{:.9g}", value) : std::string("?");
}

// Of what can be shown.
struct Range {
  double lowest = infinity;
  double highest = 0;
  void see(double value) {
    if (!can_be_shown(value)) return;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
};

// A curve that some claims have, and how it is drawn: after "'' using 1:COLUMN ".
struct FurtherCurve {
  std::vector<double> values;  // by point
  std::string style;
};

// The comparators and the lower bound, where some point of theirs can be shown.
std::vector<FurtherCurve> further_curves(const RateCurve& curve) {
  constexpr std::array colours{"#cc79a7", "#56b4e9", "#8c564b", "#17becf"};
  std::vector<FurtherCurve> further;
  const auto add = [&](const auto& value_of, const auto& style) {
    FurtherCurve next;
    for (const RateCurvePoint& point : curve.points) next.values.push_back(value_of(point));
    if (std::ranges::none_of(next.values, [](double value) { return value > 0; })) return;
    next.style = style();
    further.push_back(std::move(next));
  };
  for (std::size_t c = 0; c < curve.comparators.size(); ++c)
    add([c](const RateCurvePoint& point) { return point.comparators[c].value; },
        [&] {
          return fmt::format("with linespoints lw 1 pt 4 ps 0.8 lc '{}' title {}, ",
                             colours[further.size() % colours.size()],
                             gnuplot_text(curve.comparators[c]));
        });
  add([](const RateCurvePoint& point) { return point.lower_bound; },
      [] {
        return std::string(
            "with lines lw 2 dt 3 lc '#e69f00' title 'lower bound of every private "
            "run', ");
      });
  return further;
}

struct Drawn {
  std::string data;
  Range range;
  double lowest_non_private = infinity;
};

// Columns: value, run, its ends, bound, data-free, zero vector, non-private, then the further ones.
// The bound is scaled to run through the point at the easy end.
Drawn draw_points(const RateCurve& curve, const std::vector<FurtherCurve>& further) {
  const std::vector<RateCurvePoint>& points = curve.points;
  const RateCurvePoint& easy =
      points.back().bound <= points.front().bound ? points.back() : points.front();
  const double scale = easy.run.value / easy.bound;
  Drawn drawn;
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RateCurvePoint& point = points[k];
    const double run = point.run.value;
    // An end below the axis, or one that would need more trials, is drawn to the edge.
    const double lower = can_be_shown(point.run.lower) ? point.run.lower : run * 1e-3;
    const double upper = can_be_shown(point.run.upper) ? point.run.upper : run * 1e3;
    for (const double value : {run, point.data_free.value, point.zero_vector, scale * point.bound,
                               point.run.lower, point.run.upper})
      drawn.range.see(value);
    if (point.non_private.value > 0)
      drawn.lowest_non_private = std::min(drawn.lowest_non_private, point.non_private.value);
    std::string row;
    for (const double value : {point.value, run, lower, upper, scale * point.bound,
                               point.data_free.value, point.zero_vector, point.non_private.value})
      row += (row.empty() ? "" : " ") + cell(value);
    for (const FurtherCurve& each : further) {
      row += " " + cell(each.values[k]);
      drawn.range.see(each.values[k]);
    }
    rows.push_back(std::move(row));
  }
  drawn.data = gnuplot_data("points", rows);
  return drawn;
}

std::string subtitle(const RateClaim& check, const Evidence& evidence) {
  const Interval interval = evidence.interval.value_or(Interval{});
  return fmt::format("{}: exponent {:.3f} in [{:.3f}, {:.3f}], claimed {:.3f}; {}",
                     name(evidence.verdict), evidence.estimate.value_or(0), interval.lower,
                     interval.upper, check.exponent, evidence.reading);
}

constexpr const char* axes_script =
    "set terminal svg size 860,560 font 'DejaVu Sans,13' noenhanced background 'white'\n"
    "set datafile missing '?'\n"
    "set title {} font ',15' offset 0,-0.2\n"
    "set label 1 {} at graph 0.5,1.025 center font ',12' textcolor '#555555'\n"
    "set tmargin 4.2\n"
    "set logscale xy\nset format xy '%g'\nset mxtics 10\nset mytics 10\n"
    "set grid xtics ytics lw 1 lc '#dddddd'\nset border lw 1 lc '#555555'\n"
    "set xlabel {}\nset ylabel {}\n"
    "set xrange [{:.6g}:{:.6g}]\nset yrange [{:.6g}:{:.6g}]\n"
    "set rmargin 4\nset key outside below horizontal Left reverse maxcols 3 samplen 2.5\n";

std::string curves_script(const std::vector<FurtherCurve>& further, bool non_private_is_cut) {
  std::string script = fmt::format(
      "plot $points using 1:7 with lines lw 2 dt 2 lc '#777777' title 'zero vector', "
      "'' using 1:6 with linespoints lw 2 dt 4 pt 8 ps 0.9 lc '#d55e00' title 'data-free run', "
      "'' using 1:5 with lines lw 2 lc '#000000' title 'bound, scaled to the easy end', "
      "'' using 1:8 with linespoints lw 1 dt 3 pt 6 ps 0.8 lc '#009e73' title 'non-private "
      "run{}', ",
      non_private_is_cut ? " (falls below)" : "");
  constexpr std::size_t first_further = 9;
  for (std::size_t k = 0; k < further.size(); ++k)
    script += fmt::format("'' using 1:{} {}", first_further + k, further[k].style);
  return script +
         "'' using 1:2:3:4 with yerrorbars lw 2 pt 7 ps 1 lc '#0072b2' title 'private run, "
         "95% intervals'\n";
}

}  // namespace

std::string rate_plot_script(const Claim& claim, const Evidence& evidence) {
  const auto& check = std::get<RateClaim>(claim.check);
  const auto curve = read_rate_curve(evidence);
  if (!curve) return "";
  const std::vector<FurtherCurve> further = further_curves(*curve);
  const Drawn drawn = draw_points(*curve, further);
  const auto [lowest, highest] = drawn.range;
  if (!(highest > 0)) return "";
  // The non-private run may lie far below: two powers of ten are made room for.
  const double floor = std::min(lowest, std::max(drawn.lowest_non_private, lowest / 100)) / 2;
  return drawn.data +
         fmt::format(axes_script, gnuplot_text(claim.id), gnuplot_text(subtitle(check, evidence)),
                     gnuplot_text(check.variable),
                     gnuplot_text(statistic_in_words(check.failure_probability)),
                     curve->points.front().value / 1.3, curve->points.back().value * 1.3, floor,
                     highest * 2) +
         curves_script(further, drawn.lowest_non_private < floor);
}

}  // namespace dpverify
