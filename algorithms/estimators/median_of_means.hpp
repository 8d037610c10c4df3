// The median, coordinate by coordinate, of the means of blocks of records.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// Of an even number of block means: the lower of the two in the middle, or their average. One
// record moves the average half as far.
enum class MiddlePair { lower, average };

// values: n x d. Blocks of floor(n/blocks) consecutive rows; the remaining rows are not used.
// Returns d numbers. Throws std::invalid_argument unless 1 <= blocks <= n.
VectorXd median_of_means(const Eigen::Ref<const Matrix>& values, Index blocks, MiddlePair middle);

// m = ceil(4 log(2d/xi)), at most n: with that many blocks all d medians are near with probability
// at least 1 - xi. Throws std::invalid_argument unless xi is in (0, 1).
Index block_count(Index n, Index dimension, double failure_probability);

}  // namespace dpverify
