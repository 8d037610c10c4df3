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
// What stays: an algorithm's sums before its releases are rounded, so that a value may move by a
// little more than is declared.
class ExactReleases final : public Releases {
 public:
  explicit ExactReleases(BitSource& bits) : bits_(bits) {}

  // The laws so far that were drawn in floating point, by their names.
  const std::set<std::string>& in_floating_point() const { return in_floating_point_; }

 private:
  Outcome decide(const Law& law) override;

  BitSource& bits_;
  std::set<std::string> in_floating_point_;
};

}  // namespace dpverify
