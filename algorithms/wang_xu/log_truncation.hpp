// psi of Wang and Xu's (6) and (16), for a double or a number of 100 digits.
#pragma once

#include "algorithms/claims/precise.hpp"
#include "algorithms/core/checked.hpp"

namespace dpverify::wang_xu {

// x^theta/theta - x for x >= 0, without the cancellation of its terms when theta is near 1.
template <class Real>
Real excess_power(const Real& x, const Real& theta) {
  if (theta == 2) return x * (x / 2 - 1);
  if (x == 0) return 0;
  // x (x^(theta - 1)/theta - 1): below 1 both logarithms are <= 0, so that nothing cancels.
  return x * expm1((theta - 1) * log(x) - log1p(theta - 1));
}

// -log(1 - x + x^theta/theta) on [0, 1], log theta from there on, odd. Non-decreasing with slopes
// in [0, 1]; concave on [0, infinity).
template <class Real>
class LogTruncationOf {
 public:
  // Throws std::invalid_argument unless theta is in (1, 2].
  explicit LogTruncationOf(Real theta) : theta_(theta), log_theta_(log1p(theta - 1)) {
    require(theta > 1 && theta <= 2, "moment order theta", static_cast<double>(theta), "in (1, 2]");
  }
  Real operator()(const Real& x) const {
    if (x < 0) return -(*this)(-x);
    // log1p: 1 - x + x^theta/theta loses every digit of a small x.
    return x < 1 ? -log1p(excess_power(x, theta_)) : log_theta_;
  }
  const Real& largest() const { return log_theta_; }

 private:
  Real theta_;
  Real log_theta_;
};
using LogTruncation = LogTruncationOf<double>;

}  // namespace dpverify::wang_xu
