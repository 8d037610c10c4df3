// Runs the check of every claim.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/report.hpp"

namespace dpverify {

struct ProgressState {
  std::size_t finished = 0;
  std::size_t claims = 0;
  double seconds_left = 0;  // a guess
  std::string claim;        // the one started or finished last
};

// Called at every start and end of a check, by one thread at a time. May be empty.
using Progress = std::function<void(const ProgressState&)>;

// How long a check of this kind takes compared with others, by rough experience.
double guessed_seconds(const Claim& claim);

// Checks the claims, context.threads at a time. A check that throws gives evidence with the verdict
// `error`. Neither the number of threads nor the selection of claims changes the evidence on a
// claim, as long as `context` is otherwise the same.
//
// With `unfinished`, the evidence on each claim goes there when its check is over, and the pieces
// of long checks before that (in place of context.checkpoints). What is found there is not checked
// again. Errors are not kept: they may pass.
//
// After `time_limit` seconds no further check begins; one that has begun goes on to its end. What
// is left out is not_run, and named in the report's `partial`.
Report verify(const std::vector<Claim>& claims, const CheckContext& context,
              const Progress& progress, CheckpointFiles* unfinished = nullptr,
              double time_limit = infinity);

}  // namespace dpverify
