// For tests: what Algorithms 2 to 5 share, written again from the paper's text with loops over
// plain vectors.
#pragma once

#include <cmath>
#include <numbers>

#include "algorithms/mechanisms/test_slow_peeling.hpp"

namespace dpverify::hu {

// (2): the soft truncation.
inline double slow_truncation(double x) {
  const double root = std::numbers::sqrt2;
  return x > root ? 2 * root / 3 : x < -root ? -2 * root / 3 : x - x * x * x / 6;
}

// (4) for one number: s E phi((x + eta x)/s), eta ~ N(0, 1/beta), by the midpoint rule on the
// normal density (error of some 1e-10 relative to s).
inline double slow_smoothed(double x, double s, double beta) {
  constexpr int cells = 100'000;
  double expectation = 0;
  for (int c = 0; c < cells; ++c) {
    const double z = -8 + 16 * (c + 0.5) / cells;
    expectation += slow_truncation((x + z / std::sqrt(beta) * x) / s) * std::exp(-z * z / 2);
  }
  return s * expectation * (16.0 / cells) / std::sqrt(2 * std::numbers::pi);
}

}  // namespace dpverify::hu
