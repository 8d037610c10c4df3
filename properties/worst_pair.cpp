#include "properties/worst_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/core/rounding.hpp"

namespace dpverify {
namespace {

// Small values for mechanisms that clip or count, huge ones to saturate any truncation, and simple
// multiples of each other so that a prediction can meet a label exactly.
// Ordered by simplicity.
constexpr std::array<double, 9> values{0, 1, -1, 1e6, -1e6, 2e6, -2e6, 3e6, -3e6};
constexpr Index small_values = 3;
constexpr std::array<double, 4> factors{4, 0.25, 1.25, 0.8};
// Whole records tried at a time, and one more for this many evaluations that may be used: so that
// a search of few evaluations still climbs from several patterns.
constexpr std::uint64_t most_whole_records = 40;
constexpr std::uint64_t evaluations_per_whole_record = 50;
constexpr int mixtures = 4;
constexpr Index most_places = 16;

struct Pattern {
  std::vector<Record> groups;      // what the records that stay may be
  std::vector<std::size_t> group;  // of each record
  Index replaced;                  // which record differs
  Record original, replacement;    // that record on either side
};

class Climber {
 public:
  Climber(const PairSearch& search, const std::function<double(const NeighbouringPair&)>& objective,
          RandomStream stream)
      : search_(search), objective_(objective), stream_(stream) {}

  WorstPair run() {
    // The simplest records that stay say nothing, so that all that is seen is of the one that
    // differs: every other climb starts there.
    for (bool silent = true; !exhausted(); silent = !silent) climb(random_pattern(silent));
    refine();
    simplify();
    return best_;
  }

 private:
  bool exhausted() const {
    return best_.evaluations >= search_.evaluations || std::isinf(best_.objective);
  }

  Record random_record() {
    const bool is_short = search_.short_records && stream_.index(2) == 0;
    const Index choices = is_short ? small_values : static_cast<Index>(values.size());
    Record record(static_cast<std::size_t>(search_.dimension) + 1);
    for (double& entry : record) entry = values[static_cast<std::size_t>(stream_.index(choices))];
    return record;
  }

  Pattern random_pattern(bool silent) {
    const auto n = static_cast<std::size_t>(search_.records);
    const Record zero(static_cast<std::size_t>(search_.dimension) + 1, 0.0);
    return {{silent ? zero : random_record(), random_record()},
            std::vector<std::size_t>(n, 0),
            stream_.index(search_.records),
            random_record(),
            random_record()};
  }

  NeighbouringPair build(const Pattern& pattern) const {
    std::vector<Record> records;
    for (const std::size_t g : pattern.group) records.push_back(pattern.groups[g]);
    records[static_cast<std::size_t>(pattern.replaced)] = pattern.original;
    return make_pair(records, pattern.replaced, pattern.replacement);
  }

  double evaluate(const Pattern& pattern) {
    const double value = objective_(build(pattern));
    if (best_.evaluations++ == 0 || value > best_.objective) accept(pattern, value);
    return value;
  }

  void accept(const Pattern& pattern, double value) {
    best_.objective = value;
    best_.pair = build(pattern);
    best_pattern_ = pattern;
  }

  // Tries every value at one entry and keeps the best.
  void improve(Pattern& pattern, double& score, double& entry) {
    const double start = entry;
    double kept = start;
    for (const double value : values) {
      if (value == start || exhausted()) continue;
      entry = value;
      const double trial = evaluate(pattern);
      if (trial > score) {
        score = trial;
        kept = value;
      }
    }
    entry = kept;
  }

  // Tries whole records: entries that only help together, such as a label that meets a prediction.
  void improve(Pattern& pattern, double& score, Record& record) {
    Record kept = record;
    const std::uint64_t trials =
        std::min(most_whole_records, search_.evaluations / evaluations_per_whole_record);
    for (std::uint64_t trial = 0; trial < trials && !exhausted(); ++trial) {
      record = random_record();
      const double value = evaluate(pattern);
      if (value > score) {
        score = value;
        kept = record;
      }
    }
    record = std::move(kept);
  }

  // Tries every place of the replaced record, or so many evenly spread from the first to the last:
  // a mechanism may treat its records differently, each batch or the first one for instance.
  void improve_place(Pattern& pattern, double& score) {
    const Index count = std::min(search_.records, most_places);
    Index kept = pattern.replaced;
    const Index start = kept;
    for (Index k = 0; k < count && !exhausted(); ++k) {
      pattern.replaced = count == 1 ? 0 : k * (search_.records - 1) / (count - 1);
      if (pattern.replaced == start) continue;
      const double trial = evaluate(pattern);
      if (trial > score) {
        score = trial;
        kept = pattern.replaced;
      }
    }
    pattern.replaced = kept;
  }

  void climb(Pattern pattern) {
    double score = evaluate(pattern);
    for (double before = -1; score > before && !exhausted();) {
      before = score;
      improve_place(pattern, score);
      for (Record* record : {&pattern.original, &pattern.replacement, &pattern.groups[0]}) {
        improve(pattern, score, *record);
        for (double& entry : *record) improve(pattern, score, entry);
      }
    }
    // A mixture: about half of the records become another kind.
    for (int attempt = 0; attempt < mixtures && !exhausted(); ++attempt) {
      Pattern mixed = pattern;
      mixed.groups[1] = random_record();
      for (std::size_t& g : mixed.group) g = static_cast<std::size_t>(stream_.index(2));
      const double trial = evaluate(mixed);
      if (trial > score) {
        score = trial;
        pattern = std::move(mixed);
      }
    }
  }

  // Scales the best pair's entries for as long as that helps: where the worst value lies between
  // the small and the huge ones.
  void refine() {
    if (std::isinf(best_.objective)) return;
    Pattern pattern = best_pattern_;
    const std::uint64_t last = best_.evaluations + search_.evaluations / 10;
    const auto helps = [&](double& entry, double value) {
      if (best_.evaluations >= last || std::abs(value) > -values.back()) return false;
      const double kept = std::exchange(entry, value), score = best_.objective;
      if (evaluate(pattern) > score * (1 + 1e-6)) return true;
      entry = kept;
      return false;
    };
    const auto scaling_helps = [&](Record& record, double factor) {
      if (!search_.short_records || best_.evaluations >= last) return false;
      const Record kept = record;
      const double score = best_.objective;
      for (double& entry : record)
        entry = std::clamp(factor * entry, values.back(), -values.back());
      if (evaluate(pattern) > score * (1 + 1e-6)) return true;
      record = kept;
      return false;
    };
    for (double before = -1; best_.objective > before * (1 + 1e-6);) {
      before = best_.objective;
      for (const double factor : factors)
        for (Record* record : {&pattern.original, &pattern.replacement, &pattern.groups[0]})
          while (scaling_helps(*record, factor)) {
          }
      for (Record* record : {&pattern.original, &pattern.replacement, &pattern.groups[0]})
        for (double& entry : *record) {
          if (entry == 0 && !helps(entry, 10)) helps(entry, -10);
          for (const double factor : factors)
            while (entry != 0 && helps(entry, factor * entry)) {
            }
        }
    }
  }

  // Takes simpler entries wherever they cost no more than rounding.
  void simplify() {
    Pattern pattern = best_pattern_;
    const double enough = best_.objective * (1 - rounding);
    const auto simplify_record = [&](Record& record) {
      for (double& entry : record) {
        const double kept = entry;
        for (const double value : values) {
          if (value == kept) break;
          entry = value;
          const double trial = evaluate(pattern);
          if (trial >= enough) {
            accept(pattern, trial);
            break;
          }
          entry = kept;
        }
      }
    };
    for (Record* record :
         {&pattern.groups[0], &pattern.groups[1], &pattern.original, &pattern.replacement})
      simplify_record(*record);
  }

  const PairSearch& search_;
  const std::function<double(const NeighbouringPair&)>& objective_;
  RandomStream stream_;
  WorstPair best_;
  Pattern best_pattern_;
};

}  // namespace

WorstPair search_worst_pair(const PairSearch& search,
                            const std::function<double(const NeighbouringPair&)>& objective,
                            RandomStream stream) {
  return Climber(search, objective, stream).run();
}

NeighbouringPair with_fewer_records(
    NeighbouringPair pair, double least,
    const std::function<double(const NeighbouringPair&)>& objective) {
  const auto without = [](const Dataset& data, Index k) {
    Dataset out{Matrix(data.size() - 1, data.dimension()), VectorXd(data.size() - 1)};
    for (Index row = 0; row < out.size(); ++row) {
      const Index from = row < k ? row : row + 1;
      out.features.row(row) = data.features.row(from);
      out.labels[row] = data.labels[from];
    }
    return out;
  };
  for (Index k = pair.data.size() - 1; k >= 0; --k) {
    if (k == pair.replaced) continue;
    NeighbouringPair fewer{without(pair.data, k), without(pair.neighbour, k),
                           pair.replaced - (k < pair.replaced ? 1 : 0)};
    if (objective(fewer) >= least) pair = std::move(fewer);
  }
  return pair;
}

}  // namespace dpverify
