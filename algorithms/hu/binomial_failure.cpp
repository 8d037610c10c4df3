#include "algorithms/hu/binomial_failure.hpp"

#include <cmath>

namespace dpverify::hu {

double binomial_failure(double n, double q, const std::function<bool(double)>& fails) {
  double sum = 0;
  for (double k = 0; k <= n; ++k)
    if (fails(k))
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      (k > 0 ? k * std::log(q) : 0) + (k < n ? (n - k) * std::log1p(-q) : 0));
  return sum;
}

}  // namespace dpverify::hu
