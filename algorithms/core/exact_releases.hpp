// Draws from laws without rounding, where that is known how: for outputs that are published.
#pragma once

#include <set>
#include <string>

#include "algorithms/core/exact_sampling.hpp"
#include "algorithms/core/releases.hpp"

namespace dpverify {

// Laplace and Gaussian noise: the value, as the double that the algorithm computed, plus noise of
// the exact law, rounded to the grid of noise_grid(scale), which is post-processing: the guarantee
// is that of the law. The exponential mechanism, the noisy maximum, permute-and-flip and uniform
// permutations: outcomes of exactly their law. The rest (grids of candidates, objectives,
// generalised Gaussian noise, programs) as SamplingReleases draws it, in floating point.
//
// An algorithm's sums before its releases are rounded, so that a value may move by a little more
// than is declared: every sensitivity counts as `room` times as large, by wider noise and smaller
// coefficients. What stays: a released iterate, which is rounded at its own size, not at that of
// what a record adds to it.
class ExactReleases final : public Releases {
 public:
  // Throws std::invalid_argument unless room >= 1 and finite.
  explicit ExactReleases(BitSource& bits, double room = 1);

  // The laws so far that were drawn in floating point, by their names.
  const std::set<std::string>& in_floating_point() const { return in_floating_point_; }

 private:
  Outcome decide(const Law& law) override;

  BitSource& bits_;
  double room_;
  std::set<std::string> in_floating_point_;
};

// How much further a replaced record moves a sum over so many records, or their mean, if it is
// added up in doubles, in any order: each addition rounds by 2^-53 of a partial sum, which is at
// most the number of records times what one of them adds. Inner products of the features count with
// the additions; 2^-50 is for the two runs and for steps before and after. At least 1, rounded up.
// Throws std::invalid_argument unless records >= 1 and features >= 0.
double rounding_room(Index records, Index features);

}  // namespace dpverify
