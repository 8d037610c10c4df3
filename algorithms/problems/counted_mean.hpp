// Records with few different values, drawn as how often each occurs in each block: a sweep may then
// take billions of records for the price of some dozens. For algorithms that see nothing of a block
// of records but the mean, coordinate by coordinate, of a function of the coordinate.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {

// The number of successes of n trials, exact for every n: halves n at the median of its uniform
// order statistics (Ahrens and Dieter, 1974). p in [0, 1].
Index draw_binomial(Index n, double p, RandomStream& stream);

// Independent coordinates: each of the first `informative` is values[k] with probability
// probabilities[k] and 0 otherwise; the others are 0.
struct CountedMean {
  Index dimension = 1;
  Index informative = 1;
  std::vector<double> values;         // K numbers
  std::vector<double> probabilities;  // K numbers > 0, their sum at most 1

  VectorXd mean() const;
  double moment(double order) const;  // E|x_j|^order of an informative coordinate

  // Blocks of `size` records each. Row b K + k of the features counts, coordinate by coordinate,
  // the records of block b that are values[k]; what is left of `size` are 0. Labels are not used.
  // No counts at all are records of 0.
  Dataset draw(Index blocks, Index size, RandomStream& stream) const;
  // The mean over each block's records of value(j, x_j), blocks x d.
  Matrix block_means(const DataView& counts, Index size,
                     const std::function<double(Index, double)>& value) const;
};

}  // namespace dpverify
