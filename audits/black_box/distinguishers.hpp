// Events that tell outputs on two datasets apart, learnt from samples of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/core/types.hpp"
#include "audits/black_box/event_bounds.hpp"
#include "audits/black_box/outputs.hpp"
#include "audits/exact/privacy_curve.hpp"

namespace dpverify {

// What an output is. `doubles`: its bits, as they are released. `reals`: the numbers they stand
// for, for a mechanism that is proved in real arithmetic: what rounding reveals is not looked for.
// Noise added in floating point is not private in its last bits (Mironov, 2012), however right its
// scale.
enum class OutputModel { reals, doubles };

// {output: score(output) >= threshold}. A score that is NaN is below every threshold.
struct LearntEvent {
  std::string distinguisher;
  std::string words;
  std::function<double(const Output&)> score;
  double threshold = 0;
  Direction direction = Direction::forward;  // forward: more likely in the first sample
  EventCounts counts;                        // in training, in the order of the direction; of
                                             // an interval or a union those of the events that
                                             // each half chose, in the other half
  double merit = 0;

  bool contains(const Output& output) const { return score(output) >= threshold; }
};

// What an event promises if it is to be more likely in the first of the two counts. Larger is
// better. It rises or stays as the first count grows and the second falls, and is quasi-convex:
// of nested events the best is at a corner of the convex hull of their counts.
using Merit = std::function<double(const EventCounts&)>;

// The event of largest merit of every kind and direction, best first; at least one a direction.
//
//   threshold         a feature is at least, or at most, a value
//   interval          a feature lies between two values
//   cells             a feature lies in a union of equally frequent cells
//   values            a feature has one of some values, bit for bit
//   linear direction  threshold on least squares' direction in robustly scaled coordinates and
//                     their squares: of at most 100, those that tell the samples apart best
//   neighbours        how many of the nearest outputs are from the first sample
//
// Features: each coordinate; of doubles its lowest set bit, its trailing zero bits within its
// binade and its lowest byte, where floating-point noise shows; of vectors also sum, norm, extremes
// and where they are, number of distinct coordinates and signs; length, number of non-finite
// coordinates, and the whole output.
//
// A threshold is judged by the outputs that choose it. Intervals, and unions, which are learnt by
// ordering cells by likelihood ratio, fit outputs by luck too: what every other output chooses is
// counted on the rest, and the other way, so that the complex event is taken only if it is better.
// The last two learn on every other output and set their threshold on the rest.
std::vector<LearntEvent> learn_events(const OutputRange& first, const OutputRange& second,
                                      const Merit& merit, OutputModel model);

}  // namespace dpverify
