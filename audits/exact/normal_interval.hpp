#pragma once

#include <cmath>
#include <numbers>

namespace dpverify::exact {

// P(a < Z <= b) for Z normal, without cancellation in the tails.
inline double normal_interval(double a, double b) {
  if (a > 0) return normal_interval(-b, -a);
  const double root = std::numbers::sqrt2;
  return (std::erfc(-b / root) - std::erfc(-a / root)) / 2;
}

}  // namespace dpverify::exact
