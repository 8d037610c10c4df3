#include "bench/stage_levels.hpp"

#include <algorithm>
#include <cmath>

namespace dpverify {

StageLevels stage_levels(double level, double decisions) {
  constexpr double usual_screen = 1e-4;  // of each decision
  const double screen = std::max(usual_screen, std::sqrt(level) / decisions);
  return {screen, level / (decisions * screen) / decisions};
}

}  // namespace dpverify
