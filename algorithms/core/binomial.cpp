#include "algorithms/core/binomial.hpp"

#include <cmath>

#include "algorithms/core/log_gamma.hpp"

namespace dpverify {

double binomial_probability(double n, double k, double q) {
  return std::exp(log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1) +
                  (k > 0 ? k * std::log(q) : 0) + (k < n ? (n - k) * std::log1p(-q) : 0));
}

}  // namespace dpverify
