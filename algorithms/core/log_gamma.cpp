#include "algorithms/core/log_gamma.hpp"

#include <math.h>  // POSIX: not in <cmath>

namespace dpverify {

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace dpverify
