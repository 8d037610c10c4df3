// Sums of independent losses on a grid.
#pragma once

#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/bisect.hpp"
#include "audits/exact/loss_grid.hpp"

namespace dpverify::exact {

inline constexpr std::size_t most_points = std::size_t{1} << 22;  // of a window

// log E[e^(theta loss); loss finite] of one step, its derivative and second derivative.
struct Cumulants {
  double value = 0, mean = 0, variance = 0;
};
Cumulants cumulants(const std::vector<GridSteps>& steps, double step, double theta);

double mass_at_infinity(const std::vector<GridSteps>& steps);

// The tilted law of the sum on a window, so that delta(epsilon) near the tilt has full relative
// accuracy.
class Convolution {
 public:
  Convolution(const std::vector<GridSteps>& steps, double step, double theta);
  Interval delta(double epsilon) const;

 private:
  void choose_window(const std::vector<GridSteps>& steps, const Cumulants& at);
  // Tilted mass outside the window, by Chernoff's inequality at a few further tilts.
  double cut_off(const std::vector<GridSteps>& steps, const Cumulants& at) const;

  double step_, theta_, infinite_;
  double log_scale_ = 0, cut_ = 0;
  Index first_ = 0;
  std::size_t size_ = 1024;
  std::vector<double> mass_;
};

// The tilt theta >= 0 at which `reached` first holds (it grows with theta), or at which the tilted
// law has shrunk to its largest losses.
template <class Reached>
double tilt(const std::vector<GridSteps>& steps, double step, const Reached& reached) {
  const double least = std::max(step * step, 1e-4 * cumulants(steps, step, 0).variance);
  const auto enough = [&](double theta) {
    const Cumulants at = cumulants(steps, step, theta);
    return reached(at, theta) || at.variance <= least;
  };
  if (enough(0)) return 0;
  double low = 0, high = 1;
  while (!enough(high)) {
    low = high;
    high *= 2;
  }
  return bisect(low, high, enough, 30).high;
}

}  // namespace dpverify::exact
