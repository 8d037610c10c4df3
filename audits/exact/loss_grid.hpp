// Losses rounded to a grid, up or down.
#pragma once

#include <vector>

#include "audits/exact/privacy_loss.hpp"

namespace dpverify::exact {

// Mass under p at the losses (first + k) step, k = 0.., and at infinity.
struct GridLaw {
  Index first = 0;
  std::vector<double> mass;
  double at_infinity = 0;

  void add(Index place, double p) {
    if (!(p > 0)) return;
    if (mass.empty()) first = place;
    if (place < first) {
      mass.insert(mass.begin(), static_cast<std::size_t>(first - place), 0);
      first = place;
    }
    const auto k = static_cast<std::size_t>(place - first);
    if (k >= mass.size()) mass.resize(k + 1, 0);
    mass[k] += p;
  }
};

enum class Side { lower, upper };

struct GridSteps {
  GridLaw law;
  Index count;
};

// Each law on the grid of this step, so that delta(epsilon) of their sum is a lower or an upper
// bound.
std::vector<GridSteps> discretise(const std::vector<LossSteps>& steps, double step, Side side);

}  // namespace dpverify::exact
