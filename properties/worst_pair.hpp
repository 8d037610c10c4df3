// Searches the replace-one pair on which a mechanism does worst. Knows nothing of the mechanism.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {

struct PairSearch {
  Index records = 1;
  Index dimension = 1;
  std::uint64_t evaluations = 1000;  // of the objective, before the last refinement
  // Half of the records without huge entries, and whole records scaled at the end: for mechanisms
  // of many features that drop long records, where one huge entry is enough.
  bool short_records = false;
};

struct WorstPair {
  NeighbouringPair pair;
  double objective = 0;
  std::uint64_t evaluations = 0;  // used
};

// Maximises `objective` (>= 0; infinity ends the search) over pairs of n records. Restarts from
// random corner patterns (all records equal but the replaced one, in every other pattern zero;
// entries 0, small or huge of either sign), climbs entry by entry and over the place of the record
// that is replaced, tries mixtures of two kinds of records, and last scales the entries of the best
// pair, with a tenth more evaluations at most. Deterministic in the stream.
WorstPair search_worst_pair(const PairSearch& search,
                            const std::function<double(const NeighbouringPair&)>& objective,
                            RandomStream stream);

// The pair of datasets of one size without the records, other than the replaced one, that the
// objective does not need to stay at `least` or above.
NeighbouringPair with_fewer_records(
    NeighbouringPair pair, double least,
    const std::function<double(const NeighbouringPair&)>& objective);

}  // namespace dpverify
