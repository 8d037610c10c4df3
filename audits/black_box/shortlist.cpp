#include "audits/black_box/shortlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/hull.hpp"

namespace dpverify::black_box {
namespace {

// The likelihood ratio of a cell for this direction, of so many outputs; 1 if it was never seen.
double cell_ratio(Cell sizes, Direction direction, Cell cell) {
  const auto scale = static_cast<double>(std::min(sizes.in_first, sizes.in_second));
  const auto share = [=](Index count, Index size) {
    return count == 0 ? 1 : static_cast<double>(count) * scale / static_cast<double>(size) + 1;
  };
  const double first = share(cell.in_first, sizes.in_first),
               second = share(cell.in_second, sizes.in_second);
  return direction == Direction::forward ? first / second : second / first;
}

// Unions of the cells whose likelihood ratio reaches a threshold. An output never speaks for the
// cell that it is in: what one of them shows by luck, the others do not.
class Unions {
 public:
  explicit Unions(const Column& column) : column_(column) {}

  void add(const Halves& cell) {
    for (const std::size_t half : {0U, 1U}) {
      Seen& seen = by_cell_[half][{cell[half].in_first, cell[half].in_second}];
      ++seen.cells;
      seen.other += cell[1 - half];
    }
  }

  // The threshold is the best for the outputs of either half at the ratios of the other half; the
  // merit that of what each half chooses alone, counted by the other.
  Choice best(Direction direction, const Shortlist& shortlist) const {
    std::vector<Vote> votes;
    for (const std::size_t half : {0U, 1U})
      for (const auto& [cell, seen] : by_cell_[half])
        votes.push_back({ratio(half, direction, cell), seen.other});
    const Choice choice = elect(votes, column_.size(), direction, shortlist);
    if (!are_held_out(column_.sizes())) return choice;
    Cell inside;
    for (const std::size_t half : {0U, 1U}) {
      const double threshold = threshold_of(half, direction, shortlist);
      for (const auto& [cell, seen] : by_cell_[half])
        if (ratio(half, direction, cell) >= threshold) inside += seen.other;
    }
    Choice held_out;
    shortlist.consider(held_out, column_.size(), direction, inside, choice.threshold);
    return held_out;
  }

 private:
  using Counts = std::pair<Index, Index>;
  struct Seen {
    Index cells = 0;
    Cell other;  // what the other half holds of them
  };
  struct Vote {
    double ratio;
    Cell outputs;
  };

  double ratio(std::size_t half, Direction direction, const Counts& cell) const {
    return cell_ratio(column_.sizes()[half], direction, {cell.first, cell.second});
  }

  // The best threshold for one half: each output votes with the ratio of its cell without it.
  double threshold_of(std::size_t half, Direction direction, const Shortlist& shortlist) const {
    std::vector<Vote> votes;
    for (const auto& [cell, seen] : by_cell_[half]) {
      const auto& [first, second] = cell;
      if (first > 0)
        votes.push_back({ratio(half, direction, {first - 1, second}), {seen.cells * first, 0}});
      if (second > 0)
        votes.push_back({ratio(half, direction, {first, second - 1}), {0, seen.cells * second}});
    }
    return elect(votes, column_.sizes()[half], direction, shortlist).threshold;
  }

  static Choice elect(std::vector<Vote>& votes, Cell sizes, Direction direction,
                      const Shortlist& shortlist) {
    std::sort(votes.begin(), votes.end(),
              [](const Vote& a, const Vote& b) { return a.ratio > b.ratio; });
    Choice choice;
    Cell inside;
    for (std::size_t i = 0; i < votes.size();) {
      const double ratio = votes[i].ratio;
      for (; i < votes.size() && votes[i].ratio == ratio; ++i) inside += votes[i].outputs;
      shortlist.consider(choice, sizes, direction, inside, ratio);
    }
    return choice;
  }

  const Column& column_;
  std::array<std::map<Counts, Seen>, 2> by_cell_;
};

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

// The best run of neighbouring cells, as `counts` has them. Its threshold numbers the pair of ends.
Choice best_interval(const std::vector<Cell>& counts, Cell sizes, Direction direction,
                     const Shortlist& shortlist) {
  Choice choice;
  Hull hull(direction == Direction::forward);
  const std::size_t last = counts.size() - 1;  // of NaN
  for (std::size_t from = 0; from < last; ++from) {
    hull.clear();
    NestedEvent run;
    for (std::size_t to = from + 1; to <= last; ++to) {
      run.inside += counts[to - 1];
      run.value = static_cast<double>(from * counts.size() + to);
      hull.add(run);
    }
    for (const NestedEvent& event : hull.events())
      shortlist.consider(choice, sizes, direction, event.inside, event.value);
  }
  return choice;
}

void offer_interval(const Column& column, Direction direction, const Cells& cells,
                    const std::vector<Halves>& counts, Shortlist& shortlist) {
  std::array<std::vector<Cell>, 3> parts;  // of the even and of the odd outputs, and of all
  for (const Halves& cell : counts) {
    for (const std::size_t half : {0U, 1U}) parts[half].push_back(cell[half]);
    parts[2].push_back(cell[0] + cell[1]);
  }
  const auto ends = [&](double threshold) {
    const auto number = static_cast<std::size_t>(threshold);
    return std::pair{number / counts.size(), number % counts.size()};
  };
  Choice choice = best_interval(parts[2], column.size(), direction, shortlist);
  if (are_held_out(column.sizes())) {
    Cell inside;
    for (const std::size_t half : {0U, 1U}) {
      const auto [from, to] =
          ends(best_interval(parts[half], column.sizes()[half], direction, shortlist).threshold);
      for (std::size_t cell = from; cell < to; ++cell) inside += counts[cell][1 - half];
    }
    Choice held_out;
    shortlist.consider(held_out, column.size(), direction, inside, choice.threshold);
    choice = held_out;
  }
  shortlist.offer(Kind::interval, direction, choice, [&](LearntEvent& event) {
    const Feature& feature = column.feature();
    const auto [from, to] = ends(event.threshold);
    event.words = feature.name + " in " + cells.words(from, to);
    event.threshold = 0;
    // Minus the distance from the interval, so that larger thresholds give wider intervals.
    event.score = [lower = cells.lower(from), upper = cells.upper(to - 1),
                   value = feature.value](const Output& x) {
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

// Values that are equal bit for bit are one cell.
void offer_values(const Column& column, Shortlist& shortlist) {
  Index distinct = 0;
  column.walk([&](std::uint64_t, const Halves&) { ++distinct; });
  if (distinct == column.size().total()) return;  // nothing repeats
  Unions unions(column);
  column.walk([&](std::uint64_t, const Halves& outputs) { unions.add(outputs); });
  const Feature& feature = column.feature();
  for (const Direction direction : directions)
    shortlist.offer(
        Kind::values, direction, unions.best(direction, shortlist), [&](LearntEvent& event) {
          struct Ratios {
            std::vector<std::uint64_t> keys;
            std::vector<double> ratios;
          };
          auto table = std::make_shared<Ratios>();
          const bool complement = event.threshold <= 1;  // values never seen are in the event
          std::size_t listed = 0;
          std::uint64_t example = no_key;
          column.walk([&](std::uint64_t key, const Halves& outputs) {
            const Cell cell = outputs[0] + outputs[1];
            const double ratio = cell_ratio(column.size(), direction, cell);
            const bool is_listed = (ratio >= event.threshold) != complement;
            if (is_listed && listed++ == 0) example = key;
            // Of what was seen once there may be millions, no more in the event than the unseen.
            if (!is_listed && cell.total() == 1) return;
            table->keys.push_back(key);
            table->ratios.push_back(ratio);
          });
          const std::string shown = feature.ordered && listed > 0 ? to_text(value_of(example)) : "";
          if (listed == 0)
            event.words = feature.name + (complement ? " is anything" : " is nothing seen so far");
          else if (listed == 1 && feature.ordered)
            event.words = fmt::format("{} {} {}", feature.name, complement ? "is not" : "=", shown);
          else
            event.words =
                fmt::format("{} is {} of {} values{}", feature.name, complement ? "none" : "one",
                            listed, shown.empty() ? "" : " such as " + shown);
          event.score = [table = std::shared_ptr<const Ratios>(std::move(table)),
                         value = feature.value](const Output& x) {
            const std::uint64_t key = key_of(value(x));
            const auto place = std::lower_bound(table->keys.begin(), table->keys.end(), key);
            if (place == table->keys.end() || *place != key) return 1.0;
            return table->ratios[static_cast<std::size_t>(place - table->keys.begin())];
          };
        });
}

// At even ranks of all values together.
Cells cells_of(const Column& column) {
  const Index size = column.size().total();
  const auto wanted =
      static_cast<Index>(std::clamp(std::sqrt(static_cast<double>(size)) / 2, 8.0, 256.0));
  Cells cells;
  Index seen = 0, k = 1;
  column.walk([&](std::uint64_t key, const Halves& outputs) {
    seen += outputs[0].total() + outputs[1].total();
    if (k >= wanted || k * size / wanted >= seen) return;
    const double edge = value_of(key);
    if (!std::isnan(edge) && (cells.edges.empty() || edge > cells.edges.back()))
      cells.edges.push_back(edge);
    while (k < wanted && k * size / wanted < seen) ++k;
  });
  return cells;
}

void offer_cells(const Column& column, Shortlist& shortlist) {
  const Feature& feature = column.feature();
  const Cells cells = cells_of(column);
  std::vector<Halves> counts(cells.count());
  Halves before{};
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const Halves below = c < cells.edges.size()    ? column.below(cells.edges[c])
                         : c == cells.edges.size() ? column.at_most(infinity)
                                                   : column.sizes();
    for (const std::size_t half : {0U, 1U}) counts[c][half] = below[half] - before[half];
    before = below;
  }
  Unions unions(column);
  for (const Halves& cell : counts) unions.add(cell);

  for (const Direction direction : directions) {
    shortlist.offer(
        Kind::cells, direction, unions.best(direction, shortlist), [&](LearntEvent& event) {
          std::vector<double> ratios;
          std::size_t listed = 0;
          std::string examples;
          for (std::size_t c = 0; c < counts.size(); ++c) {
            ratios.push_back(cell_ratio(column.size(), direction, counts[c][0] + counts[c][1]));
            if (ratios[c] < event.threshold) continue;
            if (++listed <= 3) examples += (listed > 1 ? ", " : "") + cells.words(c, c + 1);
          }
          event.words = fmt::format("{} in {} of {} cells: {}{}", feature.name, listed,
                                    counts.size(), examples, listed > 3 ? ", ..." : "");
          event.score = [cells, ratios = std::move(ratios), value = feature.value](
                            const Output& x) { return ratios[cells.at(value(x))]; };
        });
    offer_interval(column, direction, cells, counts, shortlist);
  }
}

}  // namespace dpverify::black_box
