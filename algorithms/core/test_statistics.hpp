// Goodness-of-fit checks for tests of random draws. Each holds for every sample size, not only in
// the limit, so the stated false-failure probability is a bound and no tolerance is chosen by eye.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

// Probability that one check of a correct law fails.
inline constexpr double false_failure = 1e-11;

// Independent samples follow the continuous distribution function. By the
// Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant,
// P(sup |F_n - F| > t) <= 2 exp(-2 n t^2).
inline ::testing::AssertionResult samples_follow(std::vector<double> samples,
                                                 const std::function<double(double)>& cdf) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  if (samples.empty()) return ::testing::AssertionFailure() << "no samples";
  double distance = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double value = cdf(samples[i]);
    if (!(value >= 0 && value <= 1))
      return ::testing::AssertionFailure() << "P(X <= " << samples[i] << ") is " << value;
    distance = std::max(
        {distance, value - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - value});
  }
  const double threshold = std::sqrt(std::log(2 / false_failure) / (2 * n));
  return (distance <= threshold ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
         << "distance " << distance << ", threshold " << threshold;
}

// Counts of independent draws follow the probabilities. By Chernoff's bound each tail of each count
// has P(n KL(count/n || p) > t) <= exp(-t); the union bound covers the two tails of every cell. A
// cell of probability 0 must be empty.
inline ::testing::AssertionResult counts_follow(const std::vector<Index>& counts,
                                                const VectorXd& probabilities) {
  double n = 0;
  for (const Index count : counts) n += static_cast<double>(count);
  if (n == 0) return ::testing::AssertionFailure() << "no draws";
  const double threshold = std::log(2 * static_cast<double>(counts.size()) / false_failure);
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const double p = probabilities[static_cast<Index>(v)];
    const double share = static_cast<double>(counts[v]) / n;
    const auto term = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0; };
    const double deviation = n * (term(share, p) + term(1 - share, 1 - p));
    if (!(deviation <= threshold))
      return ::testing::AssertionFailure()
             << "outcome " << v << ": share " << share << ", probability " << p << ", deviation "
             << deviation << ", threshold " << threshold;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace dpverify
