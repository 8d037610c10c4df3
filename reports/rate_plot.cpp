#include "reports/rate_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
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
  Range ratio_range;
  double lowest_non_private = infinity;
};

const RateCurvePoint& easy_end(const RateCurve& curve) {
  const RateCurvePoint &first = curve.points.front(), &last = curve.points.back();
  return last.bound <= first.bound ? last : first;
}

// The ratio at a point, lowest first, of runs whose exponent is worse, so larger, by up to `fault`;
// all go through the ratio at the easy end.
struct Band {
  double lower = 0, upper = 0;
};
Band unseen(const RateCurvePoint& point, const RateCurvePoint& easy, double fault) {
  const double ratio = easy.run.value / easy.bound;
  const double worst = ratio * std::pow(point.value / easy.value, fault);
  return {std::min(ratio, worst), std::max(ratio, worst)};
}

// Columns: value, run, its ends, bound, data-free, zero vector, non-private, ratio, its ends, the
// band's, the ratio at the easy end, then the further ones. The bound is scaled to run through the
// point at the easy end.
Drawn draw_points(const RateCurve& curve, const std::vector<FurtherCurve>& further, double fault) {
  const RateCurvePoint& easy = easy_end(curve);
  const double scale = easy.run.value / easy.bound;
  Drawn drawn;
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const RateCurvePoint& point = curve.points[k];
    const double run = point.run.value;
    // An end below the axis, or one that would need more trials, is drawn to the edge.
    const double lower = can_be_shown(point.run.lower) ? point.run.lower : run * 1e-3;
    const double upper = can_be_shown(point.run.upper) ? point.run.upper : run * 1e3;
    const Band band = unseen(point, easy, fault);
    for (const double value : {run, point.data_free.value, point.zero_vector, scale * point.bound,
                               point.run.lower, point.run.upper})
      drawn.range.see(value);
    for (const double value : {run / point.bound, point.run.lower / point.bound,
                               point.run.upper / point.bound, band.lower, band.upper})
      drawn.ratio_range.see(value);
    if (point.non_private.value > 0)
      drawn.lowest_non_private = std::min(drawn.lowest_non_private, point.non_private.value);
    std::string row;
    for (const double value :
         {point.value, run, lower, upper, scale * point.bound, point.data_free.value,
          point.zero_vector, point.non_private.value, run / point.bound, lower / point.bound,
          upper / point.bound, band.lower, band.upper, scale})
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
constexpr std::size_t first_further = 15;

// From end to end at least such a factor, 10 or more, so that an axis has numbers.
Range wide_enough(Range range, double factor) {
  const double missing = std::max(1.0, std::sqrt(factor / (range.highest / range.lowest)));
  return {range.lowest / missing, range.highest * missing};
}

double measured(const Evidence& evidence, std::string_view name) {
  const auto found = std::ranges::find(evidence.measurements, name, &Measurement::name);
  return found == evidence.measurements.end() ? 0 : found->value;
}

std::vector<std::string> details(const RateHeading& about, const RateCurve& curve,
                                 const Evidence& evidence, const std::string& statistic) {
  const Interval interval = evidence.interval.value_or(Interval{});
  const double trials = measured(evidence, "trials a point");
  return {fmt::format("{}: {} against {}{}{}", about.claim, statistic, curve.variable,
                      trials > 0 ? fmt::format("; {:.0f} trials a point", trials) : "",
                      about.commit.empty() ? "" : "; commit " + about.commit.substr(0, 12)),
          fmt::format("{}: exponent {:.3f} in [{:.3f}, {:.3f}], claimed {:.3f}{}{}",
                      name(evidence.verdict), evidence.estimate.value_or(0), interval.lower,
                      interval.upper, evidence.claimed.value_or(0),
                      evidence.reading.empty() ? "" : "; ", evidence.reading)};
}

constexpr double picture_width = 1120, left_margin = 95, right_margin = 330, upper_panel = 340,
                 gap_between = 28, lower_panel = 170, below = 52;

// Edges of a panel from its upper end, both measured from the upper edge of the picture.
std::string panel_script(double from, double height, double picture_height, const Range& range,
                         const std::string& y_label) {
  const auto part = [&](double y) { return 1 - y / picture_height; };
  return fmt::format(
      "set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\n"
      "set key at screen {:.4f},{:.4f} left top Left reverse samplen 2.5 spacing 1.15\n"
      "set yrange [{:.6g}:{:.6g}]\nset ylabel {} offset 0.5,0\n",
      part(from), part(from + height), 1 - (right_margin - 12) / picture_width, part(from),
      range.lowest, range.highest, gnuplot_text(y_label));
}

std::string axes_script(const RateCurve& curve, double height) {
  std::vector<double> values;
  for (const RateCurvePoint& point : curve.points) values.push_back(point.value);
  std::ranges::sort(values);
  const double lower = values.front() / 1.3, upper = values.back() * 1.3;
  return fmt::format(
             "set terminal svg size {},{} font 'DejaVu Sans,12' noenhanced background 'white'\n"
             "set encoding utf8\nset datafile missing '?'\nset multiplot\n"
             "set logscale xy\nset format xy '%g'\nset mytics 10\n"
             "set grid xtics ytics lw 1 lc '#dddddd'\nset border 3 lw 1 lc '#555555'\n"
             "set tics nomirror\nset lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
             "set xrange [{:.6g}:{:.6g}]\n",
             picture_width, height, left_margin / picture_width, 1 - right_margin / picture_width,
             lower, upper) +
         spaced_xtics(values, lower, upper, true, picture_width - left_margin - right_margin);
}

std::string risk_script(const std::vector<FurtherCurve>& further, bool non_private_is_cut) {
  std::string script = fmt::format(
      "plot $points using 1:7 with lines lw 2 dt 2 lc '#777777' title 'zero vector', "
      "'' using 1:6 with linespoints lw 2 dt 4 pt 8 ps 0.9 lc '#d55e00' title 'data-free run', "
      "'' using 1:5 with lines lw 2 lc '#000000' title 'bound, scaled to the easy end', "
      "'' using 1:8 with linespoints lw 1 dt 3 pt 6 ps 0.8 lc '#009e73' title 'non-private "
      "run{}', ",
      non_private_is_cut ? " (falls below)" : "");
  for (std::size_t k = 0; k < further.size(); ++k)
    script += fmt::format("'' using 1:{} {}", first_further + k, further[k].style);
  return script +
         "'' using 1:2:3:4 with yerrorbars lw 2 pt 7 ps 1 lc '#0072b2' title 'private run, "
         "95% intervals'\n";
}

// To two digits: a larger fault is seen, too.
double rounded_up(double fault) {
  const double unit = std::pow(10, 1 - std::floor(std::log10(fault)));
  return std::ceil(fault * unit * (1 - 1e-12)) / unit;
}

std::string ratio_script(double fault) {
  std::string script = "plot ";
  if (fault > 0)
    script += fmt::format(
        "$points using 1:12:13 with filledcurves lc '#0072b2' fs transparent solid 0.15 noborder "
        "title 'may pass: exponent worse by < {:.2g}', ",
        rounded_up(fault));
  return script +
         "$points using 1:14 with lines lw 2 lc '#000000' title 'the rate of the bound', "
         "$points using 1:9:10:11 with yerrorbars lw 2 pt 7 ps 1 lc '#0072b2' "
         "title 'private run, 95% intervals'\n";
}

}  // namespace

std::string rate_plot_script(const RateHeading& about, const Evidence& evidence) {
  const auto curve = read_rate_curve(evidence);
  if (!curve) return "";
  const std::vector<FurtherCurve> further = further_curves(*curve);
  const double fault = evidence.smallest_fault.value_or(0);
  const Drawn drawn = draw_points(*curve, further, fault);
  const auto [lowest, highest] = drawn.range;
  if (!(highest > 0)) return "";
  // The non-private run may lie far below: two powers of ten are made room for.
  const double floor = std::min(lowest, std::max(drawn.lowest_non_private, lowest / 100)) / 2;
  const double quantile = measured(evidence, "quantile of the trials (0: their mean)");
  const std::string statistic = statistic_in_words(quantile > 0 ? 1 - quantile : 0);
  const std::vector<std::string> said = details(about, *curve, evidence, statistic);
  // The height of the heading does not depend on that of the picture, its places do.
  const double top = heading(about.source, said, picture_width, 1).height + 16;
  const double height = top + upper_panel + gap_between + lower_panel + below;
  return drawn.data + axes_script(*curve, height) +
         heading(about.source, said, picture_width, height).script +
         panel_script(top, upper_panel, height, wide_enough({floor, highest * 2}, 100), statistic) +
         risk_script(further, drawn.lowest_non_private < floor) + "unset label\n" +
         panel_script(
             top + upper_panel + gap_between, lower_panel, height,
             wide_enough({drawn.ratio_range.lowest / 1.5, drawn.ratio_range.highest * 1.5}, 10),
             "risk/bound") +
         fmt::format("set xlabel {}\n", gnuplot_text(curve->variable)) + ratio_script(fault) +
         "unset multiplot\n";
}

}  // namespace dpverify
