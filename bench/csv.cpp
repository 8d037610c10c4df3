#include "bench/csv.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

using Names = std::vector<std::string>;
using Cells = std::vector<std::string_view>;  // valid while the row is

// A cell in a message: on one line and short, whatever the file holds.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string out(text.substr(0, most));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return "'" + out + (text.size() > most ? "..." : "") + "'";
}

// The first of the names, for a message.
std::string listed(const Names& names) {
  constexpr std::size_t most = 20;
  std::string out;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    out += (k == 0 ? "" : ", ") + in_quotes(names[k]);
  return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

std::string place(const std::string& path, std::size_t line) {
  return path + ":" + std::to_string(line);
}

std::string file_text(const std::string& path) {
  const std::string what = "data file " + path;
  const auto readable = [&](bool good) {
    require(good, what, fmt::format("unreadable ({})", std::strerror(errno)),
            "a CSV file that can be read");
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  readable(file != nullptr);
  std::string text;
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown) text.reserve(size + 1);  // growing takes half as much again
  constexpr std::uintmax_t most = 1 << 16;
  std::vector<char> block(unknown || size == 0 ? most : std::min(size + 1, most));
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get()))
    text.append(block.data(), got);
  readable(std::ferror(file.get()) == 0);  // a directory opens, but does not read
  return text;
}

struct Parser {
  Parser() {
    if (csv_init(&state, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  }
  ~Parser() { csv_free(&state); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  csv_parser state;
};

// Where the line ends that starts at `start`, behind its end mark.
std::size_t end_of_line(std::string_view text, std::size_t start) {
  const std::size_t feed = std::min(text.find('\n', start), text.size());
  const std::size_t end =
      std::min(text.substr(start, feed - start).find('\r'), feed - start) + start;
  if (end == text.size()) return end;
  return text[end] == '\r' && end + 1 == feed && feed < text.size() ? feed + 1 : end + 1;
}

std::string_view trimmed(std::string_view cell, std::string_view blanks) {
  const std::size_t from = std::min(cell.find_first_not_of(blanks), cell.size());
  return cell.substr(from, cell.find_last_not_of(blanks) + 1 - from);
}

// Of a line without quotes, as the library would find them.
void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  line = trimmed(line, "\r\n");
  if (trimmed(line, " \t").empty()) return;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    cells.push_back(trimmed(line.substr(start, end - start), " \t"));
    start = end + 1;
  }
}

// Calls row(cells, line, text) for each row, `line` being the one it ends on and `text` all its
// bytes; a blank line is a row without cells. Rows with quotes are the library's.
void for_each_row(std::string_view all, const std::string& path,
                  const std::function<void(const Cells&, std::size_t, std::string_view)>& row) {
  std::size_t at = all.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  struct Collected {
    std::vector<std::string> cells;
    bool complete = false;
  } collected;
  const auto on_cell = [](void* cell, std::size_t length, void* into) {
    static_cast<Collected*>(into)->cells.emplace_back(static_cast<const char*>(cell), length);
  };
  const auto on_row = [](int, void* into) { static_cast<Collected*>(into)->complete = true; };

  Parser parser;
  Cells cells;
  std::size_t start = 0;  // of the row
  bool inside = false;    // a quoted cell, of which a line end is part
  // One line at a time, so that a cell's line is known and no exception crosses the C library.
  for (std::size_t line = 1; at < all.size(); ++line) {
    const std::string_view next = all.substr(at, end_of_line(all, at) - at);
    at += next.size();
    if (!inside && next.find('"') == next.npos) {
      split(next, cells);
    } else {
      const bool good =
          csv_parse(&parser.state, next.data(), next.size(), on_cell, on_row, &collected) ==
              next.size() &&
          (at < all.size() || csv_fini(&parser.state, on_cell, on_row, &collected) == 0);
      if (!good && csv_error(&parser.state) == CSV_ENOMEM) throw std::bad_alloc();
      require(good, place(path, line) + ": quoting", "broken",
              "a pair of double quotes around a whole cell, or none");
      inside = !collected.complete;
      if (inside) continue;
      cells.assign(collected.cells.begin(), collected.cells.end());
    }
    row(cells, line, all.substr(start, at - start));
    collected = {};
    start = at;
  }
}

enum class Number { good, none, not_finite, out_of_range };

Number parse(std::string_view text, double& value) {
  // std::from_chars takes no plus sign, other programs write one.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return Number::none;
  if (error == std::errc::result_out_of_range) return Number::out_of_range;
  return std::isfinite(value) ? Number::good : Number::not_finite;
}

// Of column j, counted from 0.
double number(const std::string& path, std::size_t line, const Names& columns, std::size_t j,
              std::string_view text, MessageDetail detail) {
  double value = 0;
  const Number result = parse(text, value);
  if (result == Number::good) return value;  // the message costs more than the number
  std::string what = fmt::format("{}: column {}", place(path, line), j + 1);
  if (detail == MessageDetail::values)
    what += fmt::format(", {}, with {},", in_quotes(columns[j]), in_quotes(text));
  require(!text.empty(), what, "empty", "a number");
  require(result != Number::none, what, "other text", "a number");
  require(result != Number::not_finite, what, "infinite or not a number", "finite");
  require(false, what, "beyond the range of a double", "within it");
  return value;
}

void check_header(const Names& columns, const std::string& where) {
  bool a_name = false;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    require(!columns[j].empty(), fmt::format("{}: name of column {}", where, j + 1), "empty",
            "a name");
    const auto first = std::find(columns.begin(), columns.end(), columns[j]) - columns.begin();
    require(static_cast<std::size_t>(first) == j,
            fmt::format("{}: name of column {}", where, j + 1),
            fmt::format("that of column {} again", first + 1), "used once");
    double ignored = 0;
    a_name = a_name || parse(columns[j], ignored) == Number::none;
  }
  require(a_name, where + ": header", "a row of numbers", "the names of the columns");
}

void check_length(const Cells& cells, const Names& columns, const std::string& path,
                  std::size_t line) {
  if (cells.size() == columns.size()) return;  // the message costs more than the row
  require(false, place(path, line) + ": number of cells", static_cast<double>(cells.size()),
          fmt::format("{} (the number of columns)", columns.size()));
}

// Reads header and rows; returns the number of rows after the header.
std::size_t read_table(std::string_view text, const std::string& path, Names& columns,
                       const std::function<void(const Cells&, std::size_t)>& row) {
  std::size_t rows = 0;
  for_each_row(text, path, [&](const Cells& cells, std::size_t line, std::string_view) {
    if (cells.empty()) return;
    if (columns.empty()) {
      columns.assign(cells.begin(), cells.end());
      check_header(columns, place(path, line));
      return;
    }
    check_length(cells, columns, path, line);
    row(cells, line);
    ++rows;
  });
  require(!columns.empty(), "data file " + path, "empty", "a header line and at least one record");
  require(rows > 0, path + ": number of records", "0", "at least 1");
  return rows;
}

}  // namespace

CsvTable read_csv(const std::string& path, MessageDetail detail) {
  CsvTable table{.path = path, .columns = {}, .values = {}, .detail = detail};
  const std::string text = file_text(path);
  // At most: a line ends with either mark or with both, and a cell is a character and a separator.
  const Index lines = std::ranges::count(text, '\n') + std::ranges::count(text, '\r') + 1;
  Index row = 0;
  read_table(text, path, table.columns, [&](const Cells& cells, std::size_t line) {
    const auto columns = static_cast<Index>(cells.size());
    if (row == 0)
      table.values.resize(std::min(lines, static_cast<Index>(text.size()) / (2 * columns) + 1),
                          columns);
    for (std::size_t j = 0; j < cells.size(); ++j)
      table.values(row, static_cast<Index>(j)) =
          number(path, line, table.columns, j, cells[j], detail);
    ++row;
  });
  table.values.conservativeResize(row, Eigen::NoChange);
  return table;
}

std::string csv_without(const std::string& path, const std::string& what) {
  const std::size_t equals = what.find('=');
  const bool by_value = equals != what.npos;
  std::size_t wanted = 0, column = 0, rows = 0, left_out = 0;
  if (!by_value) {
    const auto [end, error] = std::from_chars(what.data(), what.data() + what.size(), wanted);
    require(error == std::errc{} && end == what.data() + what.size() && wanted > 0,
            "records to leave out", "'" + what + "'",
            "COLUMN=VALUE, or the number of a record, from 1");
  }
  std::string kept;
  Names columns;
  const std::string file = file_text(path);
  for_each_row(file, path, [&](const Cells& cells, std::size_t line, std::string_view text) {
    bool leave_out = false;
    if (columns.empty() && !cells.empty()) {
      columns.assign(cells.begin(), cells.end());
      check_header(columns, place(path, line));
      const auto found = std::ranges::find(columns, what.substr(0, equals));
      require(!by_value || found != columns.end(), path + ": column of the records to leave out",
              in_quotes(what.substr(0, equals)),
              fmt::format("one of the {} names of columns in its first line", columns.size()));
      column = static_cast<std::size_t>(found - columns.begin());
    } else if (!cells.empty()) {
      check_length(cells, columns, path, line);
      ++rows;
      leave_out =
          by_value ? cells[column] == std::string_view(what).substr(equals + 1) : rows == wanted;
    }
    left_out += leave_out ? 1 : 0;
    if (!leave_out) kept += text;
  });
  require(left_out > 0, path + ": record to leave out", "'" + what + "', which it does not have",
          by_value ? "a value of this column" : fmt::format("from 1 to {}", rows));
  return kept;
}

NamedDataset dataset_with_target(const CsvTable& table, const std::string& target) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), target);
  require(
      found != table.columns.end(), table.path + ": target", in_quotes(target),
      table.detail == MessageDetail::values
          ? "one of the columns " + listed(table.columns)
          : fmt::format("one of the {} names of columns in its first line", table.columns.size()));
  require(table.columns.size() > 1, table.path + ": target",
          in_quotes(target) + ", the only column",
          "beside at least one other column, for the features");
  const Index at = found - table.columns.begin();
  const Index after = table.values.cols() - at - 1;
  NamedDataset named{{Matrix(table.values.rows(), table.values.cols() - 1), table.values.col(at)},
                     table.columns,
                     target};
  named.data.features << table.values.leftCols(at), table.values.rightCols(after);
  named.features.erase(named.features.begin() + at);
  return named;
}

std::vector<PublicBound> read_bounds(const std::string& path) {
  std::vector<PublicBound> bounds;
  Names columns;
  const Names expected{"column", "lower", "upper"};
  const std::string file = file_text(path);
  read_table(file, path, columns, [&](const Cells& cells, std::size_t line) {
    require(columns == expected, path + ": header", "another one", "'column,lower,upper'");
    const std::string where = place(path, line);
    const PublicBound bound{std::string(cells[0]),
                            number(path, line, columns, 1, cells[1], MessageDetail::values),
                            number(path, line, columns, 2, cells[2], MessageDetail::values), where};
    const std::string what = where + ": ";
    for (const PublicBound& earlier : bounds)
      require(earlier.column != bound.column, what + "column " + in_quotes(bound.column),
              "listed again (first at " + earlier.place + ")", "listed once");
    require(bound.lower < bound.upper, what + "lower bound of column " + in_quotes(bound.column),
            bound.lower, "below the upper bound, " + to_text(bound.upper));
    require(std::isfinite(bound.upper - bound.lower),
            what + "distance of the bounds of column " + in_quotes(bound.column),
            bound.upper - bound.lower, "finite");
    bounds.push_back(bound);
  });
  return bounds;
}

void apply_public_bounds(NamedDataset& named, const std::vector<PublicBound>& bounds) {
  for (const PublicBound& bound : bounds) {
    const auto found = std::find(named.features.begin(), named.features.end(), bound.column);
    const bool target = bound.column == named.target;
    require(target || found != named.features.end(), bound.place + ": column",
            in_quotes(bound.column),
            fmt::format("one of the data's {} columns", named.features.size() + 1));
    const Index column = found - named.features.begin();
    for (Index i = 0; i < named.data.size(); ++i) {
      double& value = target ? named.data.labels[i] : named.data.features(i, column);
      // In this order lower gives exactly -1 and upper exactly 1.
      value = 2 * ((value - bound.lower) / (bound.upper - bound.lower)) - 1;
      if (!std::isfinite(value))
        require(false,
                fmt::format("{}: column {} of record {}, mapped by its bounds,", bound.place,
                            in_quotes(bound.column), i + 1),
                value, "finite");
    }
  }
}

}  // namespace dpverify
