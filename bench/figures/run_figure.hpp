// Measures a panel, with its null controls, and judges what the text says of it.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/claims/evidence.hpp"
#include "bench/figures/figure.hpp"
#include "bench/figures/panel.hpp"

namespace dpverify::figures {

struct FigureOptions {
  std::uint64_t seed = 20240229;
  int threads = 1;
  Index trials = 0;            // 0: the panel's own
  double records_divisor = 1;  // >= 1: n/divisor records everywhere, for a quick look
  // Called after each of `total` runs of a trial at a point, from any thread, one at a time.
  std::function<void(Index done, Index total)> progress;
  // Finished trials: what is there is not run again. Empty functions: nothing is kept.
  CheckpointStore checkpoints;
};

// The same numbers for the same seed, whatever the number of threads. Throws std::invalid_argument
// for options out of their domains.
Figure run_figure(const Panel& panel, const FigureOptions& options);

// Runs every `parts`-th trial, from number `part` in 1..parts on, and keeps them in
// options.checkpoints, where run_figure finds them; returns how many. Throws as run_figure does.
Index run_part(const Panel& panel, const FigureOptions& options, int part, int parts);

}  // namespace dpverify::figures
