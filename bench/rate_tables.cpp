#include "bench/rate_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace dpverify {
namespace {

constexpr std::string_view curve_name = "points";
constexpr std::string_view first_trials_name = "excess risk/bound of the first trials";

// After the varied quantity.
constexpr std::array fixed_columns{"excess risk",
                                   "lower",
                                   "upper",
                                   "bound",
                                   "excess risk/bound",
                                   "data-free",
                                   "data-free lower",
                                   "data-free upper",
                                   "zero vector",
                                   "non-private",
                                   "non-private lower",
                                   "non-private upper"};
constexpr std::array ends{"", " lower", " upper"};  // of a comparator's columns
constexpr const char* lower_bound_column = "lower bound";

void put(std::vector<double>& row, const Located& at) {
  row.insert(row.end(), {at.value, at.lower, at.upper});
}

const Table* find(const Evidence& evidence, std::string_view name) {
  const auto found = std::ranges::find(evidence.tables, name, &Table::name);
  return found == evidence.tables.end() ? nullptr : &*found;
}

// One row, in the order in which to_table puts it.
class RowReader {
 public:
  explicit RowReader(const std::vector<double>& row) : row_(row) {}
  double number() { return row_.at(next_++); }
  Located located() {
    const double value = number(), lower = number();
    return {value, lower, number()};
  }

 private:
  const std::vector<double>& row_;
  std::size_t next_ = 0;
};

RateCurvePoint read_point(const std::vector<double>& row, std::size_t comparators, bool bounded) {
  RowReader next(row);
  RateCurvePoint point;
  point.value = next.number();
  point.run = next.located();
  point.bound = next.number();
  next.number();  // their ratio
  point.data_free = next.located();
  point.zero_vector = next.number();
  point.non_private = next.located();
  for (std::size_t c = 0; c < comparators; ++c) point.comparators.push_back(next.located());
  if (bounded) point.lower_bound = next.number();
  return point;
}

}  // namespace

Table to_table(const RateCurve& curve) {
  Table table{std::string(curve_name), {curve.variable}, {}};
  table.columns.insert(table.columns.end(), fixed_columns.begin(), fixed_columns.end());
  for (const std::string& comparator : curve.comparators)
    for (const char* end : ends) table.columns.push_back(comparator + end);
  const bool bounded = curve.points.front().lower_bound > 0;
  if (bounded) table.columns.emplace_back(lower_bound_column);
  for (const RateCurvePoint& point : curve.points) {
    std::vector<double> row{point.value};
    put(row, point.run);
    row.push_back(point.bound);
    row.push_back(point.run.value / point.bound);
    put(row, point.data_free);
    row.push_back(point.zero_vector);
    put(row, point.non_private);
    for (const Located& each : point.comparators) put(row, each);
    if (bounded) row.push_back(point.lower_bound);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::optional<RateCurve> read_rate_curve(const Evidence& evidence) {
  const Table* table = find(evidence, curve_name);
  if (table == nullptr || table->rows.empty()) return std::nullopt;
  const std::vector<std::string>& columns = table->columns;
  const bool bounded = columns.back() == lower_bound_column;
  const std::size_t fixed = 1 + fixed_columns.size();
  RateCurve curve{columns.front(), {}, {}};
  for (std::size_t k = fixed; k + ends.size() <= columns.size(); k += ends.size())
    curve.comparators.push_back(columns[k]);
  for (const std::vector<double>& row : table->rows) {
    if (row.size() != columns.size() || row.size() < fixed)
      throw std::invalid_argument(fmt::format("{} has a damaged curve", evidence.claim));
    curve.points.push_back(read_point(row, curve.comparators.size(), bounded));
  }
  if (to_table(curve).columns != columns)
    throw std::invalid_argument(fmt::format("{} has a curve of other columns", evidence.claim));
  return curve;
}

Table to_table(const std::string& variable, const std::vector<FirstTrials>& points) {
  Table table{std::string(first_trials_name), {variable}, {}};
  for (std::size_t k = 1; k <= points.front().ratios.size(); ++k)
    table.columns.push_back(fmt::format("trial {}", k));
  for (const FirstTrials& point : points) {
    std::vector<double> row{point.value};
    row.insert(row.end(), point.ratios.begin(), point.ratios.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool holds_first_trials(const Table& table) { return table.name == first_trials_name; }

std::vector<FirstTrials> read_first_trials(const Evidence& evidence) {
  const Table* table = find(evidence, first_trials_name);
  if (table == nullptr)
    throw std::logic_error(fmt::format("{} has no table '{}'", evidence.claim, first_trials_name));
  std::vector<FirstTrials> points;
  for (const std::vector<double>& row : table->rows)
    points.push_back({row.at(0), std::vector<double>(row.begin() + 1, row.end())});
  return points;
}

}  // namespace dpverify
