#include "audits/transcript/mean_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// Shares of the wealth that are bet: small ones where most values are zero or scatter widely.
constexpr std::array<double, 16> shares{0.99, 0.9,  0.7,  0.5,  0.35, 0.25, 0.15, 0.1,
                                        0.06, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5};

// sum of log1p(share * (ratio - 1)), by products that stay within the range of doubles.
double sum_of_logs(const std::vector<double>& ratios, double share) {
  double sum = 0, product = 1;
  for (const double ratio : ratios) {
    const double factor = 1 + share * (ratio - 1);
    if (factor > 1e100) {
      sum += std::log(factor);
      continue;
    }
    product *= factor;
    if (product > 1e100 || product < 1e-100) {
      sum += std::log(product);
      product = 1;
    }
  }
  return sum + std::log(product);
}

}  // namespace

double log_wealth(const std::vector<double>& values, double m) {
  if (m <= 0)
    return std::any_of(values.begin(), values.end(), [](double x) { return x > 0; }) ? infinity : 0;
  // Most values are often the same: zero, or the largest possible one where these are what is left
  // of it.
  const double top = *std::max_element(values.begin(), values.end());
  std::vector<double> between;
  double zeros = 0, tops = 0;
  for (const double x : values) {
    if (x == 0)
      ++zeros;
    else if (x == top)
      ++tops;
    else
      between.push_back(x / m);
  }
  std::array<double, shares.size()> logs{};
  for (std::size_t k = 0; k < shares.size(); ++k)
    logs[k] = zeros * std::log1p(-shares[k]) + tops * std::log1p(shares[k] * (top / m - 1)) +
              sum_of_logs(between, shares[k]);
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  return largest + std::log(sum / static_cast<double>(shares.size()));
}

double mean_lower(const std::vector<double>& values, double significance) {
  const double needed = std::log(1 / significance);
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  if (!(mean > 0)) return 0;
  // The wealth falls with m; at the sample mean no share has won.
  double low = mean, high = mean;
  while (log_wealth(values, low) < needed) {
    high = low;
    low /= 2;
    if (low < 1e-12 * mean) return 0;
  }
  while (high - low > 1e-3 * high) {
    const double middle = std::sqrt(low * high);
    (log_wealth(values, middle) >= needed ? low : high) = middle;
  }
  return low * (1 - 1e-12);
}

double mean_upper(const std::vector<double>& values, double largest, double significance) {
  // Bisects directly: a relative accuracy of the rest would be coarse for a small mean.
  std::vector<double> rest(values.size());
  std::transform(values.begin(), values.end(), rest.begin(),
                 [largest](double x) { return std::max(0.0, largest - x); });
  const double needed = std::log(1 / significance);
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const double high =
      bisect(
          mean, largest, [&](double x) { return log_wealth(rest, largest - x) >= needed; },
          [](double from, double to) { return to - from <= 1e-3 * to; })
          .high;
  return std::min(largest, high * (1 + 1e-12));
}

}  // namespace dpverify
