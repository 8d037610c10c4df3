#include "reports/figure_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "algorithms/core/numbers.hpp"
#include "reports/gnuplot.hpp"

namespace dpverify::figures {

namespace {

// Colours that stay apart for most readers (Okabe and Ito), one a series.
constexpr std::array<std::string_view, 4> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

// A line of the picture: a curve, how it is drawn, and its place.
struct Drawn {
  const Curve* curve;
  std::size_t colour;
  int dash;           // gnuplot's dash type: 1 solid, 2 dashed, 3 dotted, 4 dash and dot
  int point;          // gnuplot's point type, 0 for none
  bool bars;          // with the interval
  std::string label;  // in the key; empty: none
};

struct Column {
  std::string title;
  std::vector<Drawn> lines;
  int key_rows;          // in one column of the key
  bool printed = false;  // with the values that the text prints
};

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "NaN";
}

// Every line of every column, with its number: they share the axes, and each has its block of data.
template <class Use>
void for_each_line(const std::vector<Column>& columns, const Use& use) {
  std::size_t block = 0;
  for (const Column& column : columns)
    for (const Drawn& line : column.lines) use(line, block++);
}

// The range of the y axis and its kind: logarithmic if every mean is positive (intervals that reach
// below 0 are then cut at the lower end); linear if not; where that would hide most curves,
// asinh(y/ unit), which is linear around 0 and logarithmic far from it.
struct Axis {
  double lower = infinity;
  double upper = -infinity;
  bool logarithmic = true;
  double unit = 0;  // of asinh; 0: not used
};

// If that would hide most curves otherwise: a tenth of the power of ten below the median size.
double asinh_unit(std::vector<double> sizes, const Axis& axis) {
  std::ranges::sort(sizes);
  const double median = sizes[sizes.size() / 2];
  const bool hides = median > 0 && std::max(axis.upper, -axis.lower) > 50 * median;
  return hides ? std::pow(10, std::floor(std::log10(median)) - 1) : 0;
}

Axis y_axis(const Figure& figure, const std::vector<Column>& columns) {
  Axis axis;
  double largest = 0;
  std::vector<double> sizes;
  for_each_line(columns, [&](const Drawn& line, std::size_t) {
    for (const Point& point : line.curve->points) {
      if (!std::isfinite(point.mean)) continue;
      axis.lower = std::min(axis.lower, point.mean);
      axis.upper = std::max(axis.upper, point.mean);
      sizes.push_back(std::abs(point.mean));
      if (line.bars && std::isfinite(point.upper)) largest = std::max(largest, point.upper);
    }
  });
  if (std::ranges::any_of(columns, &Column::printed))
    for (const PrintedPoint& point : figure.printed) {
      axis.lower = std::min(axis.lower, point.value);
      axis.upper = std::max(axis.upper, point.value);
    }
  if (sizes.empty()) return {0, 1, false};
  axis.logarithmic = axis.lower > 0;
  if (axis.logarithmic) {
    axis.upper = 1.4 * std::min(std::max(axis.upper, largest), 3 * axis.upper);
    axis.lower /= 1.6;
    return axis;
  }
  axis.upper = std::max(axis.upper, largest);
  axis.unit = asinh_unit(std::move(sizes), axis);
  if (axis.unit > 0) {
    axis.upper *= 2;
    if (axis.lower < 0) axis.lower *= 2;
    return axis;
  }
  const double room = 0.08 * std::max(axis.upper - axis.lower, 1e-12);
  axis.lower -= room;
  axis.upper += room;
  return axis;
}

bool logarithmic_x(const Figure& figure) {
  return figure.x.front() > 0 && figure.x.back() >= 4 * figure.x.front();
}

std::string data_script(const Figure& figure, const std::vector<Column>& columns) {
  std::string script;
  for_each_line(columns, [&](const Drawn& line, std::size_t block) {
    std::vector<std::string> rows;
    for (std::size_t k = 0; k < figure.x.size(); ++k) {
      const Point& point = line.curve->points[k];
      rows.push_back(fmt::format("{} {} {} {}", number(figure.x[k]), number(point.mean),
                                 number(point.lower), number(point.upper)));
    }
    script += gnuplot_data(fmt::format("d{}", block), rows);
  });
  return script;
}

constexpr double column_width = 400;  // pixels

std::string x_axis_script(const Figure& figure) {
  if (figure.x.size() == 1) return fmt::format("set xtics ('{0:g}' {0:.9g})\n", figure.x.front());
  const bool logarithmic = logarithmic_x(figure);
  const double room = 0.06 * (figure.x.back() - figure.x.front());
  const double lower = logarithmic ? figure.x.front() / 1.15 : figure.x.front() - room;
  const double upper = logarithmic ? figure.x.back() * 1.15 : figure.x.back() + room;
  return fmt::format("{}set xrange [{}:{}]\n", logarithmic ? "set logscale x\n" : "", number(lower),
                     number(upper)) +
         spaced_xtics(figure.x, lower, upper, logarithmic, column_width - 60);
}

std::string y_axis_script(const Axis& axis) {
  std::string script = fmt::format("set yrange [{}:{}]\n", number(axis.lower), number(axis.upper));
  if (axis.logarithmic) {
    script += "set logscale y\n";
    script += axis.upper / axis.lower < 1e5 ? "set format y '%g'\n" : "set format y '10^{%T}'\n";
  }
  if (axis.unit == 0) return script;
  script +=
      fmt::format("set nonlinear y via asinh(y/{0}) inverse {0}*sinh(y)\n", number(axis.unit));
  std::string tics = "'0' 0";
  // At most some seven ticks above 0.
  const double decades = std::log10(axis.upper / axis.unit);
  const double step = std::pow(10, std::max(1.0, std::ceil(decades / 7)));
  // Nearer to 0 the marks would overlap.
  for (double tic = axis.unit * step; tic < axis.upper; tic *= step)
    tics += fmt::format(", '{0:g}' {0:g}", tic);
  for (double tic = axis.unit * step; tic < -axis.lower; tic *= step)
    tics += fmt::format(", '-{0:g}' -{0:g}", tic);
  return script + fmt::format("set ytics ({})\n", tics);
}

// After "plot ", or a comma. The key apart from the line: in one path, some viewers join the two.
std::string line_script(const Drawn& line, std::size_t block, const Axis& axis) {
  const std::string colour(colours[line.colour % colours.size()]);
  const std::string points =
      line.point > 0 ? fmt::format("points pointtype {} pointsize 0.7", line.point) : "";
  const std::string style = fmt::format("with lines{} linewidth {} dashtype {} linecolor rgb '{}'",
                                        points, line.dash == 1 ? 2 : 1.6, line.dash, colour);
  std::string script;
  if (line.bars)
    // An interval that reaches 0 cannot be drawn on a logarithmic axis: cut.
    script = fmt::format(
        "$d{} using 1:2:{}:4 with yerrorbars linewidth 1 pointtype 0 linecolor rgb '{}' "
        "notitle, \\\n  ",
        block, axis.logarithmic ? fmt::format("($3>{0}?$3:{0})", number(axis.lower)) : "3", colour);
  return script + fmt::format("$d{} using 1:2 {} notitle, \\\n  keyentry {} {}", block, style,
                              style,
                              line.label.empty() ? "notitle" : "title " + gnuplot_text(line.label));
}

std::vector<std::string> details(const Figure& figure, std::string_view commit) {
  std::string printed = "the text prints no value of this curve";
  if (figure.records_divisor != 1)
    printed = fmt::format("n divided by {}: not that of the paper", figure.records_divisor);
  else if (!figure.printed.empty())
    printed = "squares: values that the text prints of its own curve";
  return {fmt::format("{}: {} against {}, for each {}{}", figure.id, figure.error, figure.x_name,
                      figure.series_name, figure.fixed.empty() ? "" : "; " + figure.fixed),
          fmt::format("{} trials; {}{}", figure.trials, printed,
                      commit.empty() ? "" : fmt::format("; commit {}", commit.substr(0, 12)))};
}

std::string printed_script(const Figure& figure) {
  std::vector<std::string> rows;
  for (const PrintedPoint& point : figure.printed)
    rows.push_back(fmt::format("{} {}", number(point.x), number(point.value)));
  return rows.empty() ? "" : gnuplot_data("printed", rows);
}

std::string columns_script(const Figure& figure, const std::vector<Column>& columns,
                           const std::string& y_label) {
  const Axis axis = y_axis(figure, columns);
  std::string script = x_axis_script(figure) + y_axis_script(axis);
  std::size_t block = 0;
  for (const Column& column : columns) {
    script += fmt::format(
        "set title {} noenhanced font ',13'\nset ylabel {} noenhanced\n"
        "set key below vertical Left reverse maxrows {} samplen 3 noenhanced font ',12'\n",
        gnuplot_text(column.title), block == 0 ? gnuplot_text(y_label) : "''", column.key_rows);
    std::string lines;
    for (const Drawn& line : column.lines)
      lines += (lines.empty() ? "plot " : ", \\\n  ") + line_script(line, block++, axis);
    if (column.printed && !figure.printed.empty())
      lines +=
          ", \\\n  $printed using 1:2 with points pointtype 5 pointsize 1.2 linecolor rgb "
          "'#000000' title 'printed in the text'";
    script += lines + "\nunset label\n";
  }
  return script;
}

std::string plot(const Figure& figure, std::string_view commit, const std::string& y_label,
                 const std::vector<Column>& columns) {
  int key_rows = 0;
  for (const Column& column : columns) key_rows = std::max(key_rows, column.key_rows);
  // In pixels: room for the heading above and for the x label and the key below.
  const double width = 110 + column_width * static_cast<double>(columns.size());
  const std::string title = fmt::format("{}: {}", figure.source, figure.title);
  const std::vector<std::string> said = details(figure, commit);
  const double above = heading(title, said, width, 1).height + 50;
  const double below = 75 + 16.0 * key_rows, height = above + 255 + below;
  return fmt::format(
             "# {}: gnuplot FILE > picture.svg\n"
             "set terminal svg size {},{} dynamic enhanced font 'Helvetica,13' background "
             "'#ffffff'\n"
             "set encoding utf8\n",
             figure.id, width, height) +
         data_script(figure, columns) + printed_script(figure) +
         fmt::format(
             "set multiplot layout 1,{} margins {:.4f},{:.4f},{:.4f},{:.4f} spacing {:.4f}\n"
             "set grid back linewidth 0.5 linecolor '#dddddd'\n"
             "set border 3 linecolor '#555555'\nset tics nomirror\n"
             "set bars small\n"
             "set xlabel {} noenhanced offset 0,0.3\n",
             columns.size(), 90 / width, 1 - 20 / width, below / height, 1 - above / height,
             60 / width, gnuplot_text(figure.x_name)) +
         heading(title, said, width, height).script + columns_script(figure, columns, y_label) +
         "unset multiplot\n";
}

}  // namespace

std::string figure_plot(const Figure& figure, std::string_view commit) {
  std::vector<Column> columns;
  for (const std::string& method : figure.methods(false)) {
    Column column{"parameters of the " + method, {}, figure.printed.empty() ? 4 : 5, true};
    for (std::size_t c = 0; c < figure.series.size(); ++c) {
      const double s = figure.series[c];
      const std::string at = fmt::format("{} = {}: ", figure.series_name, s);
      column.lines.push_back(
          {&figure.curve(method, Quantity::run, s), c, 1, 7, true, at + "private"});
      column.lines.push_back(
          {&figure.curve(method, Quantity::data_free, s), c, 2, 0, false, at + "data-free"});
      column.lines.push_back(
          {&figure.curve(method, Quantity::noiseless, s), c, 3, 0, false, at + "no noise"});
      column.lines.push_back(
          {&figure.curve("", Quantity::zero_vector, s), c, 4, 0, false, at + "zero vector"});
    }
    columns.push_back(std::move(column));
  }
  Column others{"comparators", {}, 8};
  const std::array points{5, 9, 13, 11};
  for (std::size_t c = 0; c < figure.series.size(); ++c) {
    const double s = figure.series[c];
    const std::string at = fmt::format("{} = {}: ", figure.series_name, s);
    std::size_t k = 0;
    for (const std::string& method : figure.methods(true))
      others.lines.push_back({&figure.curve(method, Quantity::run, s), c, 1,
                              points[k++ % points.size()], true, at + method});
    others.lines.push_back(
        {&figure.curve("", Quantity::zero_vector, s), c, 4, 0, false, at + "zero vector"});
  }
  if (others.lines.size() > figure.series.size()) columns.push_back(std::move(others));
  return plot(figure, commit, figure.error, columns);
}

std::string noise_plot(const Figure& figure, std::string_view commit) {
  std::vector<Column> columns;
  for (const std::string& method : figure.methods(false)) {
    Column column{"parameters of the " + method, {}, 2};
    for (std::size_t c = 0; c < figure.series.size(); ++c) {
      const double s = figure.series[c];
      const std::string at = fmt::format("{} = {}: ", figure.series_name, s);
      column.lines.push_back(
          {&figure.curve(method, Quantity::noise, s), c, 1, 7, false, at + "noise"});
      column.lines.push_back(
          {&figure.curve(method, Quantity::signal, s), c, 2, 6, false, at + "signal"});
    }
    columns.push_back(std::move(column));
  }
  return plot(figure, commit, "size at the first release", columns);
}

}  // namespace dpverify::figures
