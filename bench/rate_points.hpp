// The points of a sweep: measured, or recalled from an earlier run.
#pragma once

#include <string>

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

// The key under which a point is kept.
std::string point_key(const Claim& claim, const CheckContext& context, double value,
                      const Batch& batch);

// The trials of one batch at one value of the claim's variable, from context.checkpoints if they
// are there; otherwise they go there.
RateMeasurement measure_or_recall(const Claim& claim, const CheckContext& context, double value,
                                  const Batch& batch);

// Adds the trials of a later look to a point.
void add_trials(RateMeasurement& point, const RateMeasurement& further);

}  // namespace dpverify
