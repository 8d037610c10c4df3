// The step sizes of Frank-Wolfe in Algorithms 1 and 2 of Hu, Ni, Xiao and Wang.
#pragma once

#include <cmath>

#include "algorithms/core/types.hpp"

namespace dpverify::hu {

// eta_{t-1}, the weight of the new vertex in iteration t = 1..T.
//   theorem:     2/(t+2), Theorems 2 and 5
//   experiments: 2/(t+1), Section 6.2's eta_t = 2/(t+2) read with the algorithms' index
//   constant:    1/sqrt T, Theorem 3
enum class Step { theorem, experiments, constant };

inline double step_size(Step step, Index t, Index iterations) {
  switch (step) {
    case Step::theorem:
      return 2 / (static_cast<double>(t) + 2);
    case Step::experiments:
      return 2 / (static_cast<double>(t) + 1);
    case Step::constant:
      return 1 / std::sqrt(static_cast<double>(iterations));
  }
  return 0;
}

}  // namespace dpverify::hu
