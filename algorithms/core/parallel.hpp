// A loop over independent tasks.
#pragma once

#include <functional>

#include "algorithms/core/types.hpp"

namespace dpverify {

// Calls task(0), ..., task(count - 1), at most `threads` at a time, in order of their start. If
// tasks throw, rethrows the exception of the one with the smallest index after all have ended.
void parallel_for(Index count, int threads, const std::function<void(Index)>& task);

}  // namespace dpverify
