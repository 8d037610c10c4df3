// Random inputs and shrinking, by RapidCheck; the only header of ours that its users need.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// What a sensitivity property is tried on.
struct PropertyInput {
  ParameterPoint parameters;
  NeighbouringPair pair;
  std::uint64_t outcome_seed = 0;  // draws the outcomes of earlier releases: a reachable prefix
};

template <class Input>
struct PropertyResult {
  std::uint64_t cases = 0;              // tried before the first failure, or in all
  std::optional<Input> counterexample;  // shrunk
  std::uint64_t shrink_steps = 0;       // accepted
};

struct PropertySearch {
  std::vector<ParameterRange> ranges;
  Index smallest_dimension = 1;
  Index largest_dimension = 3;
  std::uint64_t seed = 0;
  std::uint64_t cases = 100;
};

// Tries `holds` on random points of the ranges, endpoints included, and random pairs of 1 to about
// 12 records whose entries are zero, small integers, decimal fractions and powers from 1e-12 to
// 9e12, or extreme (1e-300, 1e100, the largest double). The first failure is shrunk: fewer
// records, fewer features, simpler numbers, parameters towards their simplest value.
PropertyResult<PropertyInput> search_pairs(const PropertySearch& search,
                                           const std::function<bool(const PropertyInput&)>& holds);

// The same for points of the ranges alone.
PropertyResult<ParameterPoint> search_points(
    const PropertySearch& search, const std::function<bool(const ParameterPoint&)>& holds);

}  // namespace dpverify
