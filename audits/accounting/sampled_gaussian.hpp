// Sums of clipped vectors over batches, with Gaussian noise (the steps of DP-SGD), under each way
// of drawing the batches: what a record of the data costs, from both ends.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// poisson:    each record is in each batch with probability `rate`, independently.
// fixed_size: each batch is a new random subset of the size rate x records.
// shuffle:    each epoch is a new random permutation, cut into 1/rate batches: each record is in
//             one batch an epoch.
enum class BatchSampling { poisson, fixed_size, shuffle };
inline constexpr std::array all_samplings{BatchSampling::poisson, BatchSampling::fixed_size,
                                          BatchSampling::shuffle};
std::string_view name(BatchSampling sampler);  // "poisson", "fixed", "shuffle"

// add_remove:  a record or none: of batches of a fixed size and of a permutation, none is a record
//              that keeps its place and adds nothing (zero-out).
// replace_one: a record or another.
enum class SampledNeighbours { add_remove, replace_one };
std::string_view name(SampledNeighbours neighbours);  // "add-remove", "replace-one"

// Each step shows the sum of the vectors of its batch, each of norm at most 1 (the unit is the
// clipping norm; they may depend on what earlier steps have shown), with Gaussian noise in every
// coordinate.
struct SampledSteps {
  double noise = 1;  // standard deviation, in clipping norms (the noise multiplier); [0.1, 1000]
  double rate = 1;   // (0, 1]; of `shuffle`, 1/rate is a whole number
  Index steps = 1;
  SampledNeighbours neighbours = SampledNeighbours::add_remove;
};

// lower <= the smallest epsilon at delta <= upper: the one that holds for all data and all
// dimensions. Both directions count. delta in (0, 1).
//
// lower: what records of a pair of datasets need that stay the same in all steps: one record is 1,
//   another one or none in the neighbour, and all others are -1 or 0, in one dimension. Poisson
//   and fixed size: their steps, convolved. Shuffle: of each epoch only the largest sum is looked
//   at (Chua et al., 2024), whose law is a product.
// upper: Poisson, add-remove: the same figure (Zhu, Dong and Wang, 2022). Fixed size, and Poisson
//   with replacement: a bound on the hockey-stick divergences of a step by advanced joint convexity
//   (Balle, Barthe and Gaboardi, 2018), in both directions, convolved. Shuffle: given the
//   permutations a record enters one step an epoch, as without any sampling; no amplification is
//   counted.
// Throws std::invalid_argument for parameters outside their ranges.
Interval sampled_epsilon(BatchSampling sampler, const SampledSteps& steps, double delta);
// The same of the smallest delta at epsilon >= 0.
Interval sampled_delta(BatchSampling sampler, const SampledSteps& steps, double epsilon);

// Whether the sampler exists: `shuffle` needs a whole number of batches.
bool has_batches(BatchSampling sampler, double rate);

}  // namespace dpverify
