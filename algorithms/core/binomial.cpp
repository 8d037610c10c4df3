#include "algorithms/core/binomial.hpp"

#include <cmath>

namespace dpverify {

double binomial_probability(double n, double k, double q) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  (k > 0 ? k * std::log(q) : 0) + (k < n ? (n - k) * std::log1p(-q) : 0));
}

}  // namespace dpverify
