#include "audits/black_box/distinguishers.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array directions{Direction::forward, Direction::backward};

// The kinds of events, simplest first: of equal merit, the simplest counts.
enum class Kind { threshold, values, interval, cells, linear_direction, neighbours };

const char* name(Kind kind) {
  constexpr std::array names{"threshold", "values",           "interval",
                             "cells",     "linear direction", "neighbours"};
  return names[static_cast<std::size_t>(kind)];
}

// A number read off an output. If it is not ordered, it is a code that is only equal or not.
struct Feature {
  std::string name;
  std::function<double(const VectorXd&)> value;
  bool ordered = true;
};

// ---- Features ----------------------------------------------------------------------------------

constexpr std::uint64_t mantissa_bits = (std::uint64_t{1} << 52) - 1;

unsigned binade(double x) { return std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff; }

int trailing_zeros(double x) {
  return std::min(52, std::countr_zero(std::bit_cast<std::uint64_t>(x) & mantissa_bits));
}

// The e for which 2^e is the largest power of two that x is a multiple of: infinity for 0, NaN if
// x is not finite.
double lowest_set_bit(double x) {
  if (x == 0) return infinity;
  if (!std::isfinite(x)) return nan;
  return static_cast<int>(std::max(binade(x), 1U)) - 1075 + trailing_zeros(x);
}

// A code of the whole output, exact as a double.
double code_of(const VectorXd& output, const std::function<std::uint64_t(double)>& code) {
  std::uint64_t hash = 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(output.size());
  for (const double x : output) {  // the finaliser of splitmix64, chained
    hash ^= code(x);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return static_cast<double>(hash >> 11);
}

std::uint64_t sign_code(double x) {
  if (std::isnan(x)) return 5;
  if (std::isinf(x)) return x > 0 ? 4 : 3;
  if (x == 0) return 2;
  return x > 0 ? 1 : 0;
}

std::vector<Feature> features(Index dimension, OutputModel model) {
  std::vector<Feature> all;
  for (Index i = 0; i < dimension; ++i) {
    const std::string name = fmt::format("output[{}]", i);
    const auto at = [i](const VectorXd& x) { return i < x.size() ? x[i] : nan; };
    all.push_back({name, at});
    if (model == OutputModel::reals) continue;
    all.push_back(
        {"lowest set bit of " + name, [at](const VectorXd& x) { return lowest_set_bit(at(x)); }});
    all.push_back({"binade and trailing zero bits of " + name,
                   [at](const VectorXd& x) {
                     return static_cast<double>(64 * binade(at(x))) + trailing_zeros(at(x));
                   },
                   false});
    all.push_back({"lowest byte of " + name,
                   [at](const VectorXd& x) {
                     return static_cast<double>(std::bit_cast<std::uint64_t>(at(x)) & 0xff);
                   },
                   false});
  }
  all.push_back({"length", [](const VectorXd& x) { return static_cast<double>(x.size()); }});
  all.push_back({"number of coordinates that are not finite", [](const VectorXd& x) {
                   return static_cast<double>(std::count_if(
                       x.begin(), x.end(), [](double v) { return !std::isfinite(v); }));
                 }});
  if (dimension < 2) return all;
  const auto extreme = [](const VectorXd& x, bool largest) {
    const auto place =
        largest ? std::max_element(x.begin(), x.end()) : std::min_element(x.begin(), x.end());
    return std::pair{static_cast<double>(place - x.begin()), x.size() > 0 ? *place : nan};
  };
  all.push_back({"sum", [](const VectorXd& x) { return x.sum(); }});
  all.push_back({"Euclidean norm", [](const VectorXd& x) { return x.stableNorm(); }});
  for (const bool largest : {true, false}) {
    const std::string which = largest ? "largest" : "smallest";
    all.push_back(
        {which + " coordinate", [=](const VectorXd& x) { return extreme(x, largest).second; }});
    all.push_back({"place of the " + which + " coordinate",
                   [=](const VectorXd& x) { return extreme(x, largest).first; }});
  }
  all.push_back({"number of distinct coordinates", [](const VectorXd& x) {
                   std::vector<std::uint64_t> bits;
                   for (const double v : x) bits.push_back(std::bit_cast<std::uint64_t>(v));
                   std::sort(bits.begin(), bits.end());
                   return static_cast<double>(std::unique(bits.begin(), bits.end()) - bits.begin());
                 }});
  all.push_back(
      {"signs of the coordinates", [](const VectorXd& x) { return code_of(x, sign_code); }, false});
  all.push_back({"whole output",
                 [](const VectorXd& x) {
                   return code_of(x, [](double v) { return std::bit_cast<std::uint64_t>(v); });
                 },
                 false});
  return all;
}

// ---- Choosing one event of a feature -----------------------------------------------------------

using Sample = std::vector<const VectorXd*>;

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

struct Mark {
  std::uint64_t key;
  bool in_first;
};

// The values of one feature on both samples, sorted.
struct Column {
  const Feature& feature;
  std::vector<Mark> marks;
  Index first_size = 0;
  Index second_size = 0;
};

Column column(const Feature& feature, const Sample& first, const Sample& second) {
  Column out{feature, {}, static_cast<Index>(first.size()), static_cast<Index>(second.size())};
  out.marks.reserve(first.size() + second.size());
  for (const VectorXd* x : first) out.marks.push_back({key_of(feature.value(*x)), true});
  for (const VectorXd* x : second) out.marks.push_back({key_of(feature.value(*x)), false});
  std::sort(out.marks.begin(), out.marks.end(),
            [](const Mark& a, const Mark& b) { return a.key < b.key; });
  return out;
}

// The best so far among nested or numbered events.
struct Choice {
  double merit = -infinity;
  EventCounts counts;
  double threshold = 0;
};

class Shortlist {
 public:
  explicit Shortlist(const Merit& merit) : merit_(merit) {}

  // Replaces the choice if `in_first` and `in_second` outputs in the event are better.
  void consider(Choice& choice, const Column& column, Direction direction, Index in_first,
                Index in_second, double threshold) const {
    EventCounts counts{in_first, column.first_size, in_second, column.second_size};
    if (direction == Direction::backward)
      counts = {counts.in_second, counts.second_size, counts.in_first, counts.first_size};
    const double merit = merit_(counts);
    if (merit > choice.merit) choice = {merit, counts, threshold};
  }

  // Keeps the event if it is the best of its kind and direction; `describe` fills in words and
  // score.
  template <typename Describe>
  void offer(Kind kind, Direction direction, const Choice& choice, const Describe& describe) {
    if (choice.merit == -infinity) return;
    LearntEvent& best = best_[{kind, direction}];
    if (best.score && choice.merit <= best.merit) return;
    best = {.distinguisher = name(kind),
            .threshold = choice.threshold,
            .direction = direction,
            .counts = choice.counts,
            .merit = choice.merit};
    describe(best);
  }

  std::vector<LearntEvent> ranking() && {
    std::vector<LearntEvent> events;
    for (auto& [key, event] : best_) events.push_back(std::move(event));
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.merit > b.merit; });
    return events;
  }

 private:
  const Merit& merit_;
  std::map<std::pair<Kind, Direction>, LearntEvent> best_;
};

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
}

// ---- Scores learnt from all coordinates --------------------------------------------------------

// Coordinates with the median at 0 and the quartiles about 1 apart, tails pulled in by asinh.
// Missing and NaN count as 0.
struct Scaling {
  VectorXd centre;
  VectorXd scale;

  double at(const VectorXd& x, Index i) const {
    if (i >= x.size() || std::isnan(x[i])) return 0;
    return std::clamp(std::asinh((x[i] - centre[i]) / scale[i]), -40.0, 40.0);
  }
};

Scaling scaling(const Sample& first, const Sample& second, Index dimension) {
  Scaling out{VectorXd::Zero(dimension), VectorXd::Ones(dimension)};
  for (Index i = 0; i < dimension; ++i) {
    std::vector<double> values;
    for (const Sample* sample : {&first, &second})
      for (const VectorXd* x : *sample)
        if (i < x->size() && std::isfinite((*x)[i])) values.push_back((*x)[i]);
    if (values.empty()) continue;
    const auto quantile = [&](std::size_t quarter) {
      const auto place =
          values.begin() + static_cast<std::ptrdiff_t>(quarter * (values.size() - 1) / 4);
      std::nth_element(values.begin(), place, values.end());
      return *place;
    };
    out.centre[i] = quantile(2);
    const double range = quantile(3) - quantile(1);
    if (range > 0 && std::isfinite(range)) out.scale[i] = range;
  }
  return out;
}

// How far apart the two sides are in a scaled coordinate or in its square, whichever tells more:
// the difference of the means over the standard deviation.
double separation(const Sample& first, const Sample& second, const Scaling& scale, Index i) {
  struct Moments {
    double size = 0, sums[4] = {};  // of the powers 1 to 4
    double mean(int power) const { return sums[power - 1] / size; }
    double variance(int power) const {
      return std::max(0.0, mean(2 * power) - mean(power) * mean(power));
    }
  };
  const auto moments = [&](const Sample& sample) {
    Moments out;
    out.size = static_cast<double>(sample.size());
    for (const VectorXd* x : sample) {
      const double value = scale.at(*x, i);
      double power = 1;
      for (double& sum : out.sums) sum += power *= value;
    }
    return out;
  };
  const Moments one = moments(first), other = moments(second);
  double most = 0;
  for (const int power : {1, 2}) {
    const double difference = std::abs(one.mean(power) - other.mean(power));
    const double spread = std::sqrt(one.variance(power) + other.variance(power));
    if (difference > 0) most = std::max(most, spread > 0 ? difference / spread : infinity);
  }
  return most;
}

// The direction in which the scaled coordinates and their squares predict the side best, by least
// squares with a small ridge. At most 100 coordinates: those that tell the sides apart best, each
// alone.
Feature linear_direction(const Sample& first, const Sample& second, const Scaling& scale) {
  constexpr std::size_t most_coordinates = 100;
  const Index dimension = scale.centre.size();
  VectorXd separations(dimension);
  for (Index i = 0; i < dimension; ++i) separations[i] = separation(first, second, scale, i);
  std::vector<Index> kept(static_cast<std::size_t>(dimension));
  std::iota(kept.begin(), kept.end(), Index{0});
  std::stable_sort(kept.begin(), kept.end(),
                   [&](Index a, Index b) { return separations[a] > separations[b]; });
  kept.resize(std::min(kept.size(), most_coordinates));

  const auto width = static_cast<Index>(kept.size());
  const auto row = [kept, scale, width](const VectorXd& x) {
    VectorXd out(2 * width + 1);
    for (Index k = 0; k < width; ++k) {
      out[k] = scale.at(x, kept[static_cast<std::size_t>(k)]);
      out[width + k] = out[k] * out[k];
    }
    out[2 * width] = 1;
    return out;
  };
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(2 * width + 1, 2 * width + 1);
  VectorXd right = VectorXd::Zero(2 * width + 1);
  for (const Sample* sample : {&first, &second})
    for (const VectorXd* x : *sample) {
      const VectorXd values = row(*x);
      const double weight = 1 / static_cast<double>(sample->size());
      normal.selfadjointView<Eigen::Lower>().rankUpdate(values, weight);
      right += (sample == &first ? weight : -weight) * values;
    }
  normal.diagonal().array() += 1e-3;
  const VectorXd weights = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);

  std::vector<Index> order(static_cast<std::size_t>(width));
  for (Index k = 0; k < width; ++k) order[static_cast<std::size_t>(k)] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(weights[a]) > std::abs(weights[b]); });
  std::string name = "linear score (";
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
    name += fmt::format("{:+.2g} scaled output[{}] ", weights[order[k]],
                        kept[static_cast<std::size_t>(order[k])]);
  return {name + "...)", [row, weights](const VectorXd& x) { return weights.dot(row(x)); }};
}

// How many of the 15 nearest of some outputs, as many of either side, are of the first.
Feature neighbours(const Sample& first, const Sample& second, const Scaling& scale) {
  constexpr std::size_t nearest = 15;
  const std::size_t each = std::min<std::size_t>({first.size(), second.size(), 250});
  const Index dimension = scale.centre.size();
  Eigen::MatrixXd points(dimension, static_cast<Index>(2 * each));
  for (std::size_t k = 0; k < each; ++k)
    for (Index i = 0; i < dimension; ++i) {
      points(i, static_cast<Index>(k)) = scale.at(*first[k], i);
      points(i, static_cast<Index>(each + k)) = scale.at(*second[k], i);
    }
  const std::size_t used = std::min(nearest, each);
  return {fmt::format("number of the {} nearest outputs that are of the first sample", used),
          [points = std::make_shared<const Eigen::MatrixXd>(std::move(points)), scale, used,
           each](const VectorXd& x) {
            VectorXd place(points->rows());
            for (Index i = 0; i < place.size(); ++i) place[i] = scale.at(x, i);
            std::vector<std::pair<double, bool>> distances;
            distances.reserve(2 * each);
            for (Index k = 0; k < points->cols(); ++k)
              distances.emplace_back((points->col(k) - place).squaredNorm(),
                                     k < static_cast<Index>(each));
            const auto end = distances.begin() + static_cast<std::ptrdiff_t>(used);
            std::nth_element(distances.begin(), end - 1, distances.end());
            return static_cast<double>(
                std::count_if(distances.begin(), end, [](const auto& d) { return d.second; }));
          }};
}

}  // namespace

std::vector<LearntEvent> learn_events(std::span<const VectorXd> first,
                                      std::span<const VectorXd> second, const Merit& merit,
                                      OutputModel model, RandomStream& stream) {
  // In random order, so that "every other output" and "the first 250" are random ones.
  const auto shuffled = [&](std::span<const VectorXd> outputs) {
    Sample sample;
    for (const VectorXd& x : outputs) sample.push_back(&x);
    for (std::size_t k = sample.size(); k > 1; --k)
      std::swap(sample[k - 1],
                sample[static_cast<std::size_t>(stream.index(static_cast<Index>(k)))]);
    return sample;
  };
  const Sample from_first = shuffled(first), from_second = shuffled(second);
  Index dimension = 0;
  for (const Sample* sample : {&from_first, &from_second})
    for (const VectorXd* x : *sample) dimension = std::max(dimension, x->size());

  Shortlist shortlist(merit);
  for (const Feature& feature : features(dimension, model)) {
    const Column values = column(feature, from_first, from_second);
    if (feature.ordered) offer_thresholds(values, Kind::threshold, shortlist);
    if (values.marks.front().key == values.marks.back().key) continue;  // says nothing
    if (feature.ordered) offer_cells(values, shortlist);
    offer_values(values, shortlist);
  }

  constexpr std::size_t fewest = 20, most_fitted = 10'000, most_queries = 3'000;
  if (dimension >= 2 && std::min(from_first.size(), from_second.size()) >= fewest) {
    const auto part = [](const Sample& sample, bool odd, std::size_t most) {
      Sample out;
      for (std::size_t k = odd ? 1 : 0; k < sample.size() && out.size() < most; k += 2)
        out.push_back(sample[k]);
      return out;
    };
    const Sample fit_first = part(from_first, false, most_fitted);
    const Sample fit_second = part(from_second, false, most_fitted);
    const Scaling scale = scaling(fit_first, fit_second, dimension);
    const Feature direction = linear_direction(fit_first, fit_second, scale);
    offer_thresholds(
        column(direction, part(from_first, true, SIZE_MAX), part(from_second, true, SIZE_MAX)),
        Kind::linear_direction, shortlist);
    const Feature near = neighbours(fit_first, fit_second, scale);
    offer_thresholds(
        column(near, part(from_first, true, most_queries), part(from_second, true, most_queries)),
        Kind::neighbours, shortlist);
  }
  return std::move(shortlist).ranking();
}

}  // namespace dpverify
