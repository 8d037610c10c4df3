#include "properties/worst_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace dpverify {
namespace {

// Small values for mechanisms that clip or count, huge ones to saturate any truncation, and simple
// multiples of each other so that a prediction can meet a label exactly.
constexpr std::array<double, 11> values{0, 1, -1, 2, -2, 1e6, -1e6, 2e6, -2e6, 3e6, -3e6};

struct Pattern {
  std::vector<Record> groups;      // what the records that stay may be
  std::vector<std::size_t> group;  // of each record
  Index replaced;                  // which record differs
  Record original, replacement;    // that record on either side
};

class Climber {
 public:
  Climber(const PairSearch& search,
          const std::function<double(const NeighbouringPair&)>& objective, RandomStream stream)
      : search_(search), objective_(objective), stream_(stream) {}

  WorstPair run() {
    while (!exhausted()) climb(random_pattern());
    return best_;
  }

 private:
  bool exhausted() const {
    return best_.evaluations >= search_.evaluations || std::isinf(best_.objective);
  }

  Record random_record() {
    Record record(static_cast<std::size_t>(search_.dimension) + 1);
    for (double& entry : record)
      entry = values[static_cast<std::size_t>(stream_.index(values.size()))];
    return record;
  }

  Pattern random_pattern() {
    const auto n = static_cast<std::size_t>(search_.records);
    return {{random_record(), random_record()},
            std::vector<std::size_t>(n, 0),
            stream_.index(search_.records),
            random_record(),
            random_record()};
  }

  double evaluate(const Pattern& pattern) {
    std::vector<Record> records;
    for (const std::size_t g : pattern.group) records.push_back(pattern.groups[g]);
    records[static_cast<std::size_t>(pattern.replaced)] = pattern.original;
    NeighbouringPair pair = make_pair(records, pattern.replaced, pattern.replacement);
    const double value = objective_(pair);
    if (best_.evaluations++ == 0 || value > best_.objective) {
      best_.objective = value;
      best_.pair = std::move(pair);
    }
    return value;
  }

  // Tries every value at one entry and keeps the best; true if it improved.
  bool improve(Pattern& pattern, double& score, double& entry) {
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
    return kept != start;
  }

  void climb(Pattern pattern) {
    double score = evaluate(pattern);
    for (bool improved = true; improved && !exhausted();) {
      improved = false;
      for (Record* record : {&pattern.original, &pattern.replacement, &pattern.groups[0]})
        for (double& entry : *record) improved |= improve(pattern, score, entry);
    }
    // A mixture: about half of the records become another kind.
    for (int attempt = 0; attempt < 4 && !exhausted(); ++attempt) {
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

  const PairSearch& search_;
  const std::function<double(const NeighbouringPair&)>& objective_;
  RandomStream stream_;
  WorstPair best_;
};

}  // namespace

WorstPair search_worst_pair(const PairSearch& search,
                            const std::function<double(const NeighbouringPair&)>& objective,
                            RandomStream stream) {
  return Climber(search, objective, stream).run();
}

}  // namespace dpverify
