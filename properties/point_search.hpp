// Searches over the ranges of parameters, each in its own scale: a share of the range is 0 at its
// lower end and 1 at its upper one, linearly, logarithmically, or by the nearest integer.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {

// What a search maximises; at infinity it has found what it looks for, and stops.
using PointScore = std::function<double(const ParameterPoint&)>;

// The value at a share in [0, 1]; the ends are exact.
double value_at(const ParameterRange& range, double share);
// The inverse; 0 for a range of one value.
double share_at(const ParameterRange& range, double value);

// Looks along edges of the box: all parameters but one at an end, that one swept. Every edge if
// the evaluations suffice for 16 points each, otherwise some at random.
void visit_edges(const std::vector<ParameterRange>& ranges, std::uint64_t evaluations,
                 const PointScore& score, RandomStream& stream);

// A pattern search from `start`: steps of a parameter, along a random direction, and on where the
// last steps led; longer after a success and half as long without one. Integers move by one at
// least.
void climb(const std::vector<ParameterRange>& ranges, const ParameterPoint& start,
           std::uint64_t evaluations, const PointScore& score, RandomStream& stream);

// A simpler point that is wanted as well, `point` being wanted: parameters at their simplest value,
// at an end, or at fewer decimals and towards the lower end of their range.
ParameterPoint simplified(const std::vector<ParameterRange>& ranges, ParameterPoint point,
                          const std::function<bool(const ParameterPoint&)>& wanted);

}  // namespace dpverify
