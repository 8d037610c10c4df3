#pragma once

#include <numeric>

namespace dpverify {

struct Bracket {
  double low;
  double high;
};

// Halves [low, high] until `narrow(low, high)`, or until no double lies between: `beyond` is false
// at low and true at high.
template <class Beyond, class Narrow>
Bracket bisect(double low, double high, const Beyond& beyond, const Narrow& narrow) {
  while (!narrow(low, high)) {
    const double middle = std::midpoint(low, high);
    if (middle <= low || middle >= high) break;
    (beyond(middle) ? high : low) = middle;
  }
  return {low, high};
}
// So many times.
template <class Beyond>
Bracket bisect(double low, double high, const Beyond& beyond, int steps) {
  return bisect(low, high, beyond, [&steps](double, double) { return steps-- <= 0; });
}

}  // namespace dpverify
