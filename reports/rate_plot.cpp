#include "reports/rate_plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/rate_check.hpp"
#include "reports/atomic_file.hpp"

namespace dpverify {
namespace {

// Text inside single quotes of a script. The terminal is told not to read any mark-up.
std::string quoted(std::string text) {
  std::ranges::replace(text, '\'', '`');
  std::ranges::replace(text, '\n', ' ');
  return "'" + text + "'";
}

// A column of the table of points (see rate_check.cpp), by name.
class Points {
 public:
  explicit Points(const Table& table) : table_(table) {}
  std::size_t size() const { return table_.rows.size(); }
  double at(std::size_t row, std::string_view column) const {
    const auto found = std::ranges::find(table_.columns, column);
    return found == table_.columns.end()
               ? std::numeric_limits<double>::quiet_NaN()
               : table_.rows[row][static_cast<std::size_t>(found - table_.columns.begin())];
  }

 private:
  const Table& table_;
};

// What users would run instead: the columns with an interval that the others do not have.
std::vector<std::string> comparators(const Table& table) {
  std::vector<std::string> names;
  for (const std::string& column : table.columns)
    if (column != "data-free" && column != "non-private" &&
        std::ranges::find(table.columns, column + " lower") != table.columns.end())
      names.push_back(column);
  return names;
}

// A number a logarithmic axis can show, or the mark of a missing one.
std::string cell(double value) {
  return std::isfinite(value) && value > 0 ? fmt::format("{:.9g}", value) : std::string("?");
}

// A file without a name, so that it needs no folder and is gone with its descriptor.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }

  // From the start, and leaves the position there.
  void write(std::string_view text) const {
    for (off_t at = 0; !text.empty();) {
      const ssize_t written = pwrite(descriptor_, text.data(), text.size(), at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      at += written;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  std::string read() const {
    std::string text;
    std::array<char, 1 << 16> block{};
    for (;;) {
      const ssize_t got =
          pread(descriptor_, block.data(), block.size(), static_cast<off_t>(text.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail();
      if (got == 0) return text;
      text.append(block.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw FileError("cannot make a picture: " + std::generic_category().message(errno));
  }

  int descriptor_;
};

// gnuplot repeats the line of the script, points into it, and says "line 3: invalid command".
std::string first_error(const std::string& said) {
  constexpr std::string_view digits = "0123456789", start = "line ";
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(start);
    const std::size_t after =
        at == line.npos ? line.npos : line.find_first_not_of(digits, at + start.size());
    if (after != line.npos && after > at + start.size() && line.substr(after).starts_with(": "))
      return line.substr(at);
    if (first.empty() && line.find_first_not_of(" \t^") != std::string::npos) first = line;
  }
  return first.empty() ? "no picture, and not a word why" : first;
}

}  // namespace

std::string rate_plot_script(const Claim& claim, const Evidence& evidence) {
  const auto& check = std::get<RateClaim>(claim.check);
  if (evidence.tables.empty() || evidence.tables[0].rows.empty()) return "";
  const Points points(evidence.tables[0]);
  const std::size_t easy =
      points.at(points.size() - 1, "bound") <= points.at(0, "bound") ? points.size() - 1 : 0;
  const double scale = points.at(easy, "excess risk") / points.at(easy, "bound");

  // Further curves, from column 9 on: the comparators, the lower bound.
  std::vector<std::string> further = comparators(evidence.tables[0]);
  constexpr std::array colours{"#cc79a7", "#56b4e9", "#8c564b", "#17becf"};
  further.emplace_back(lower_bound_column);
  const auto has = [&](const std::string& column) {
    for (std::size_t k = 0; k < points.size(); ++k)
      if (points.at(k, column) > 0) return true;
    return false;
  };
  std::erase_if(further, [&](const std::string& column) { return !has(column); });

  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  double lowest_non_private = lowest;
  std::string data = "$points << END\n";
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double run = points.at(k, "excess risk");
    // An end below the axis, or one that would need more trials, is drawn to the edge.
    const auto end = [&](const std::string& column, double edge) {
      const double value = points.at(k, column);
      return std::isfinite(value) && value > 0 ? value : edge;
    };
    const double lower = end("lower", run * 1e-3), upper = end("upper", run * 1e3);
    for (const double value : {run, points.at(k, "data-free"), points.at(k, "zero vector"),
                               scale * points.at(k, "bound"), end("lower", run), end("upper", run)})
      if (value > 0 && std::isfinite(value)) {
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
      }
    if (const double value = points.at(k, "non-private"); value > 0)
      lowest_non_private = std::min(lowest_non_private, value);
    data += fmt::format("{} {} {} {} {} {} {} {}", cell(points.at(k, check.variable)), cell(run),
                        cell(lower), cell(upper), cell(scale * points.at(k, "bound")),
                        cell(points.at(k, "data-free")), cell(points.at(k, "zero vector")),
                        cell(points.at(k, "non-private")));
    for (const std::string& column : further) {
      const double value = points.at(k, column);
      data += " " + cell(value);
      if (value > 0 && std::isfinite(value)) {
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
      }
    }
    data += "\n";
  }
  data += "END\n";
  if (!(highest > 0)) return "";
  // The non-private run may lie far below: two powers of ten are made room for.
  const double floor = std::min(lowest, std::max(lowest_non_private, lowest / 100)) / 2;
  const double first = points.at(0, check.variable);
  const double last = points.at(points.size() - 1, check.variable);

  const std::string statistic =
      check.failure_probability > 0
          ? fmt::format("{:.4g}-quantile of the excess risk", 1 - check.failure_probability)
          : std::string("mean excess risk");
  std::string curves;
  for (std::size_t k = 0; k < further.size(); ++k)
    curves +=
        further[k] == lower_bound_column
            ? fmt::format(
                  "'' using 1:{} with lines lw 2 dt 3 lc '#e69f00' title 'lower bound "
                  "of every private run', ",
                  9 + k)
            : fmt::format("'' using 1:{} with linespoints lw 1 pt 4 ps 0.8 lc '{}' title {}, ",
                          9 + k, colours[k % colours.size()], quoted(further[k]));
  const Interval interval = evidence.interval.value_or(Interval{});
  const std::string subtitle =
      fmt::format("{}: exponent {:.3f} in [{:.3f}, {:.3f}], claimed {:.3f}; {}",
                  name(evidence.verdict), evidence.estimate.value_or(0), interval.lower,
                  interval.upper, check.exponent, evidence.reading);
  return data +
         fmt::format(
             "set terminal svg size 860,560 font 'DejaVu Sans,13' noenhanced background 'white'\n"
             "set datafile missing '?'\n"
             "set title {} font ',15' offset 0,-0.2\n"
             "set label 1 {} at graph 0.5,1.025 center font ',12' textcolor '#555555'\n"
             "set tmargin 4.2\n"
             "set logscale xy\nset format xy '%g'\nset mxtics 10\nset mytics 10\n"
             "set grid xtics ytics lw 1 lc '#dddddd'\nset border lw 1 lc '#555555'\n"
             "set xlabel {}\nset ylabel {}\n"
             "set xrange [{:.6g}:{:.6g}]\nset yrange [{:.6g}:{:.6g}]\n"
             "set rmargin 4\nset key outside below horizontal Left reverse maxcols 3 samplen 2.5\n"
             "plot $points using 1:7 with lines lw 2 dt 2 lc '#777777' title 'zero vector', "
             "'' using 1:6 with linespoints lw 2 dt 4 pt 8 ps 0.9 lc '#d55e00' title 'data-free "
             "run', "
             "'' using 1:5 with lines lw 2 lc '#000000' title 'bound, scaled to the easy end', "
             "'' using 1:8 with linespoints lw 1 dt 3 pt 6 ps 0.8 lc '#009e73' title 'non-private "
             "run{}', {}"
             "'' using 1:2:3:4 with yerrorbars lw 2 pt 7 ps 1 lc '#0072b2' title 'private run, "
             "95% intervals'\n",
             quoted(claim.id), quoted(subtitle), quoted(check.variable), quoted(statistic),
             first / 1.3, last * 1.3, floor, highest * 2,
             lowest_non_private < floor ? " (falls below)" : "", curves);
}

Picture run_gnuplot(const std::string& script) {
  const MemoryFile input("script"), output("picture"), errors("errors");
  input.write(script);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  // No shell, so that no name is ever a command, and without the start-up files of the user (-d).
  // As a file, so that it counts the lines in its complaints.
  std::string program = "gnuplot", default_settings = "-d", script_file = "/dev/stdin";
  const std::array<char*, 4> arguments{program.data(), default_settings.data(), script_file.data(),
                                       nullptr};
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    return {.svg = "", .failure = "gnuplot is not installed (Debian package gnuplot-nox)"};
  if (error != 0)
    return {.svg = "",
            .failure = "gnuplot does not start: " + std::generic_category().message(error)};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string svg = output.read();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && svg.find("</svg>") != std::string::npos)
    return {.svg = std::move(svg), .failure = ""};
  return {.svg = "", .failure = "gnuplot failed: " + first_error(errors.read())};
}

}  // namespace dpverify
