// The points of a sweep: measured, or recalled from an earlier run.
#pragma once

#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "bench/rate_fit.hpp"

namespace dpverify {

// Trials of one point, in one look. Numbers of trials tell streams apart: no two batches of a claim
// share one.
struct Batch {
  std::uint64_t first_trial = 0;
  Index trials = 0;
  Index non_private_trials = 0;
};

// Each look doubles the trials that every one of the `count` points has.
Batch batch_of(std::size_t look, std::size_t point, std::size_t count, Index planned);

// The trials that confirm what all looks together found.
Batch confirming_batch(std::size_t point, Index trials);

// Of so many records in memory.
double record_bytes(Index records, Index dimension);

// Some trials of one point, which are measured and kept by themselves: a run that is killed loses
// no more, and machines can share a point.
struct RatePiece {
  double value = 0;  // of the claim's variable
  Batch batch;
  std::string key;  // under which it is kept
  double work = 0;  // numbers in the records of its trials, to compare pieces by
};

// The batch at one value, in order of its trials. A piece has records of 3e7 numbers at most,
// unless there are 20 pieces.
std::vector<RatePiece> pieces_of(const Claim& claim, const CheckContext& context, double value,
                                 const Batch& batch);

// The trials of one batch at one value of the claim's variable: those of its pieces that
// context.checkpoints has; the others are measured, and go there.
RateMeasurement measure_or_recall(const Claim& claim, const CheckContext& context, double value,
                                  const Batch& batch);

// Measures a piece that context.checkpoints does not have yet.
void keep_piece(const Claim& claim, const CheckContext& context, const RatePiece& piece);

// Adds the trials of a later look to a point.
void add_trials(RateMeasurement& point, const RateMeasurement& further);

}  // namespace dpverify
