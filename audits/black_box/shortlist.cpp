#include "audits/black_box/shortlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "algorithms/core/checked.hpp"

namespace dpverify::black_box {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array directions{Direction::forward, Direction::backward};

// Values in their order, -0 before 0 and NaN last, as numbers.
std::uint64_t key_of(double value) {
  if (std::isnan(value)) return UINT64_MAX;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

double value_of(std::uint64_t key) {
  if (key == UINT64_MAX) return nan;
  return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

struct Cell {
  Index in_first = 0;
  Index in_second = 0;
};

// The likelihood ratio of a cell for this direction, 1 if it was never seen.
double cell_ratio(const Column& column, Direction direction, Cell cell) {
  const auto scale = static_cast<double>(std::min(column.first_size, column.second_size));
  const double first =
      static_cast<double>(cell.in_first) * scale / static_cast<double>(column.first_size) + 1;
  const double second =
      static_cast<double>(cell.in_second) * scale / static_cast<double>(column.second_size) + 1;
  return direction == Direction::forward ? first / second : second / first;
}

// The best union of the cells whose ratio reaches a threshold.
Choice best_union(const Column& column, Direction direction, const std::vector<Cell>& cells,
                  const Shortlist& shortlist) {
  // Each output votes with the ratio of its cell without it.
  struct Vote {
    double ratio;
    Cell outputs;
  };
  std::vector<Vote> votes;
  for (const Cell& cell : cells) {
    if (cell.in_first > 0)
      votes.push_back(
          {cell_ratio(column, direction, {cell.in_first - 1, cell.in_second}), {cell.in_first, 0}});
    if (cell.in_second > 0)
      votes.push_back({cell_ratio(column, direction, {cell.in_first, cell.in_second - 1}),
                       {0, cell.in_second}});
  }
  std::sort(votes.begin(), votes.end(),
            [](const Vote& a, const Vote& b) { return a.ratio > b.ratio; });
  Choice choice;
  Index in_first = 0, in_second = 0;
  for (std::size_t i = 0; i < votes.size();) {
    const double ratio = votes[i].ratio;
    for (; i < votes.size() && votes[i].ratio == ratio; ++i) {
      in_first += votes[i].outputs.in_first;
      in_second += votes[i].outputs.in_second;
    }
    shortlist.consider(choice, column, direction, in_first, in_second, ratio);
  }
  return choice;
}

// Equally frequent cells: cell c is [edges[c - 1], edges[c]), the last one NaN.
struct Cells {
  std::vector<double> edges;

  std::size_t count() const { return edges.size() + 2; }
  std::size_t at(double value) const {
    if (std::isnan(value)) return edges.size() + 1;
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) -
                                    edges.begin());
  }
  double lower(std::size_t cell) const { return cell == 0 ? -infinity : edges[cell - 1]; }
  double upper(std::size_t cell) const { return cell < edges.size() ? edges[cell] : infinity; }
  std::string words(std::size_t from, std::size_t to) const {  // cells from..to - 1
    if (from > edges.size()) return "NaN";
    return fmt::format("[{}, {})", to_text(lower(from)), to_text(upper(to - 1)));
  }
};

// The best run of neighbouring cells.
void offer_interval(const Column& column, Direction direction, const Cells& cells,
                    const std::vector<Cell>& counts, Shortlist& shortlist) {
  const Feature& feature = column.feature;
  Choice interval;  // its threshold numbers the pair of ends
  const std::size_t last = counts.size() - 1;
  for (std::size_t from = 0; from < last; ++from) {
    Index in_first = 0, in_second = 0;
    for (std::size_t to = from + 1; to <= last; ++to) {
      in_first += counts[to - 1].in_first;
      in_second += counts[to - 1].in_second;
      shortlist.consider(interval, column, direction, in_first, in_second,
                         static_cast<double>(from * counts.size() + to));
    }
  }
  shortlist.offer(Kind::interval, direction, interval, [&](LearntEvent& event) {
    const auto number = static_cast<std::size_t>(event.threshold);
    const std::size_t from = number / counts.size(), to = number % counts.size();
    event.words = feature.name + " in " + cells.words(from, to);
    event.threshold = 0;
    // Minus the distance from the interval, so that larger thresholds give wider intervals.
    event.score = [lower = cells.lower(from), upper = cells.upper(to - 1),
                   value = feature.value](const VectorXd& x) {
      const double v = value(x);
      if (v < lower) return v - lower;
      if (v < upper) return 0.0;
      return std::min(upper - v, -std::numeric_limits<double>::min());
    };
  });
}

}  // namespace

const char* name(Kind kind) {
  constexpr std::array names{"threshold", "values",           "interval",
                             "cells",     "linear direction", "neighbours"};
  return names[static_cast<std::size_t>(kind)];
}

Column column(const Feature& feature, const Sample& first, const Sample& second) {
  Column out{feature, {}, static_cast<Index>(first.size()), static_cast<Index>(second.size())};
  out.marks.reserve(first.size() + second.size());
  for (const VectorXd* x : first) out.marks.push_back({key_of(feature.value(*x)), true});
  for (const VectorXd* x : second) out.marks.push_back({key_of(feature.value(*x)), false});
  std::sort(out.marks.begin(), out.marks.end(),
            [](const Mark& a, const Mark& b) { return a.key < b.key; });
  return out;
}

void offer_thresholds(const Column& column, Kind kind, Shortlist& shortlist) {
  const Feature& feature = column.feature;
  std::size_t size = column.marks.size();
  while (size > 0 && column.marks[size - 1].key == UINT64_MAX) --size;  // NaN is in no tail
  for (const bool upper : {true, false}) {
    std::array<Choice, 2> choices;
    Index in_first = 0, in_second = 0;
    for (std::size_t i = 0; i < size;) {
      const auto mark = [&](std::size_t k) { return column.marks[upper ? size - 1 - k : k]; };
      const double value = value_of(mark(i).key);
      for (; i < size && value_of(mark(i).key) == value; ++i)
        ++(mark(i).in_first ? in_first : in_second);
      for (std::size_t k = 0; k < 2; ++k)
        shortlist.consider(choices[k], column, directions[k], in_first, in_second,
                           upper ? value : -value);
    }
    for (std::size_t k = 0; k < 2; ++k)
      shortlist.offer(kind, directions[k], choices[k], [&](LearntEvent& event) {
        event.words =
            fmt::format("{} {} {}", feature.name,
                        upper ? ">=" : "<=", to_text(upper ? event.threshold : -event.threshold));
        event.score = feature.value;
        if (!upper) event.score = [value = feature.value](const VectorXd& x) { return -value(x); };
      });
  }
}

// Values that are equal bit for bit are one cell.
void offer_values(const Column& column, Shortlist& shortlist) {
  std::vector<std::uint64_t> keys;
  std::vector<Cell> cells;
  for (const Mark& mark : column.marks) {
    if (keys.empty() || keys.back() != mark.key) {
      keys.push_back(mark.key);
      cells.emplace_back();
    }
    ++(mark.in_first ? cells.back().in_first : cells.back().in_second);
  }
  if (keys.size() == column.marks.size()) return;  // nothing repeats
  const Feature& feature = column.feature;
  for (const Direction direction : directions) {
    const Choice choice = best_union(column, direction, cells, shortlist);
    shortlist.offer(Kind::values, direction, choice, [&](LearntEvent& event) {
      struct Ratios {
        std::vector<std::uint64_t> keys;
        std::vector<double> ratios;
      };
      auto table = std::make_shared<Ratios>();
      table->keys = keys;
      const bool complement = event.threshold <= 1;  // values never seen are in the event
      std::size_t listed = 0, example = 0;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        table->ratios.push_back(cell_ratio(column, direction, cells[c]));
        if ((table->ratios[c] >= event.threshold) == complement) continue;
        if (listed++ == 0) example = c;
      }
      const std::string shown =
          feature.ordered && listed > 0 ? to_text(value_of(keys[example])) : "";
      if (listed == 0)
        event.words = feature.name + (complement ? " is anything" : " is nothing seen so far");
      else if (listed == 1 && feature.ordered)
        event.words = fmt::format("{} {} {}", feature.name, complement ? "is not" : "=", shown);
      else
        event.words =
            fmt::format("{} is {} of {} values{}", feature.name, complement ? "none" : "one",
                        listed, shown.empty() ? "" : " such as " + shown);
      event.score = [table = std::shared_ptr<const Ratios>(std::move(table)),
                     value = feature.value](const VectorXd& x) {
        const std::uint64_t key = key_of(value(x));
        const auto place = std::lower_bound(table->keys.begin(), table->keys.end(), key);
        if (place == table->keys.end() || *place != key) return 1.0;
        return table->ratios[static_cast<std::size_t>(place - table->keys.begin())];
      };
    });
  }
}

void offer_cells(const Column& column, Shortlist& shortlist) {
  const Feature& feature = column.feature;
  const std::size_t size = column.marks.size();
  const auto wanted =
      static_cast<std::size_t>(std::clamp(std::sqrt(static_cast<double>(size)) / 2, 8.0, 256.0));
  Cells cells;
  for (std::size_t k = 1; k < wanted; ++k) {
    const double edge = value_of(column.marks[k * size / wanted].key);
    if (!std::isnan(edge) && (cells.edges.empty() || edge > cells.edges.back()))
      cells.edges.push_back(edge);
  }
  std::vector<Cell> counts(cells.count());
  for (const Mark& mark : column.marks) {
    Cell& cell = counts[cells.at(value_of(mark.key))];
    ++(mark.in_first ? cell.in_first : cell.in_second);
  }

  for (const Direction direction : directions) {
    const Choice choice = best_union(column, direction, counts, shortlist);
    shortlist.offer(Kind::cells, direction, choice, [&](LearntEvent& event) {
      std::vector<double> ratios;
      std::size_t listed = 0;
      std::string examples;
      for (std::size_t c = 0; c < counts.size(); ++c) {
        ratios.push_back(cell_ratio(column, direction, counts[c]));
        if (ratios[c] < event.threshold) continue;
        if (++listed <= 3) examples += (listed > 1 ? ", " : "") + cells.words(c, c + 1);
      }
      event.words = fmt::format("{} in {} of {} cells: {}{}", feature.name, listed, counts.size(),
                                examples, listed > 3 ? ", ..." : "");
      event.score = [cells, ratios = std::move(ratios), value = feature.value](const VectorXd& x) {
        return ratios[cells.at(value(x))];
      };
    });

    offer_interval(column, direction, cells, counts, shortlist);
  }
}

}  // namespace dpverify::black_box
