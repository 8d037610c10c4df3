// Measures a panel, with its null controls, and judges what the text says of it.
#pragma once

#include <cstdint>
#include <functional>

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
};

// The same numbers for the same seed, whatever the number of threads. Throws std::invalid_argument
// for options out of their domains.
Figure run_figure(const Panel& panel, const FigureOptions& options);

}  // namespace dpverify::figures
