// What the largest of the sums of an epoch tells of a record that is in one of its batches.
#pragma once

#include "algorithms/core/types.hpp"
#include "audits/exact/privacy_loss.hpp"

namespace dpverify {

// Of an epoch of `batches` batches the first `seen` are seen, with Gaussian noise of standard
// deviation 1: their sums are 0, but that of the batch with the record, a uniformly random one of
// all, is `with` on the dataset and `without` on its neighbour.
struct LargestBatch {
  Index batches = 1;
  Index seen = 1;
  double with = 0, without = 0;  // in [-20, 20]
};

// The losses of seeing in which of some thousand cells the largest sum is: a lower bound on those
// of seeing all, rounded down to multiples of `grid`.
LossLaw largest_batch_loss(const LargestBatch& batch, double grid);

}  // namespace dpverify
