// Samplers on two datasets, private ones and broken ones, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/laws.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/parallel.hpp"
#include "audits/black_box/black_box.hpp"

namespace dpverify::black_box {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline VectorXd scalar(double x) { return VectorXd::Constant(1, x); }

// value + Laplace noise in the first of `dimension` coordinates, noise alone in the others.
inline Sampler laplace(double value, double scale, Index dimension = 1) {
  return [=](RandomStream& stream) {
    VectorXd x(dimension);
    for (double& v : x) v = scale * stream.laplace();
    x[0] += value;
    return x;
  };
}

// Outcome v with probability exp(log_p[v]).
inline Sampler finite(const VectorXd& log_p) {
  std::vector<double> cumulative;
  for (const double l : log_p)
    cumulative.push_back((cumulative.empty() ? 0 : cumulative.back()) + std::exp(l));
  cumulative.back() = 1;
  return [cumulative](RandomStream& stream) {
    const auto v = std::upper_bound(cumulative.begin(), cumulative.end(), stream.uniform());
    return scalar(static_cast<double>(v - cumulative.begin()));
  };
}

inline Sampler constant(VectorXd output) {
  return [output = std::move(output)](RandomStream&) { return output; };
}

struct Pair {
  std::string name;
  Sampler first, second;
  double epsilon = 0;  // the smallest for which it is private, at delta
  OutputModel model = OutputModel::doubles;
  double delta = 0;
};

// Mechanisms that are private at epsilon and at nothing less.
inline std::vector<Pair> tight_pairs() {
  const double kept = std::exp(1.0) / (1 + std::exp(1.0));
  const VectorXd kept_bit = VectorXd{{kept, 1 - kept}}.array().log();
  const VectorXd flipped_bit = VectorXd{{1 - kept, kept}}.array().log();
  const VectorXd scores = VectorXd{{1, 0, 0.5, 0, 0.2}}, neighbour = VectorXd{{0, 1, 0, 0, 0.7}};
  const VectorXd log_p = log_probabilities(
      ExponentialMechanism{.scores = scores, .sensitivity = 1, .coefficient = 0.5});
  const VectorXd log_q = log_probabilities(
      ExponentialMechanism{.scores = neighbour, .sensitivity = 1, .coefficient = 0.5});
  return {
      {"randomised response", finite(kept_bit), finite(flipped_bit), 1, OutputModel::reals},
      // Says the bit openly with probability 0.1.
      {"randomised response that fails",
       finite(VectorXd{{0.9 * kept, 0.9 - 0.9 * kept, 0.1, 0}}.array().log()),
       finite(VectorXd{{0.9 - 0.9 * kept, 0.9 * kept, 0, 0.1}}.array().log()), 1,
       OutputModel::reals, 0.1},
      {"exponential mechanism", finite(log_p), finite(log_q), (log_p - log_q).cwiseAbs().maxCoeff(),
       OutputModel::reals},
      {"Laplace", laplace(0, 1), laplace(1, 1), 1, OutputModel::reals},
      {"Laplace in three coordinates", laplace(0, 1, 3), laplace(1, 1, 3), 1, OutputModel::reals}};
}

// value + noise by inversion from `bits` bits of a uniform number: what many libraries do.
inline Sampler naive_laplace(double value, double scale, int bits) {
  return [=](RandomStream& stream) {
    double u = 0;
    while (u == 0 || u == -0.5)
      u = std::ldexp(static_cast<double>(stream.bits() >> (64 - bits)), -bits) - 0.5;
    return scalar(value - scale * std::copysign(1.0, u) * std::log(1 - 2 * std::abs(u)));
  };
}

inline Sampler noisy_maximum(double shift, double scale, bool exponential) {
  return [=](RandomStream& stream) {
    double largest = -infinity;
    for (int count = 0; count < 5; ++count)
      largest = std::max(largest,
                         shift + scale * (exponential ? stream.exponential() : stream.laplace()));
    return scalar(largest);
  };
}

inline Sampler one_byte_seed(double value) {
  return [=](RandomStream& stream) {
    RandomStream noise({.seed = stream.bits() & 0xff, .claim = "one byte"});
    VectorXd x(4);
    for (double& v : x) v = 10 * noise.laplace();
    x[0] += value;
    return x;
  };
}

// The smallest k with P(Binomial(trials, p) >= k) <= 1e-12.
inline Index binomial_limit(Index trials, double p) {
  const auto n = static_cast<double>(trials);
  double tail = 0;
  for (Index k = trials; k >= 0; --k) {
    const auto x = static_cast<double>(k);
    tail += std::exp(log_gamma(n + 1) - log_gamma(x + 1) - log_gamma(n - x + 1) + x * std::log(p) +
                     (n - x) * std::log1p(-p));
    if (tail > 1e-12) return k + 1;
  }
  return 0;
}

// Refutations of true claims that are exactly tight. `refutes` audits a pair with one seed.
inline void count_false_refutations(
    Index seeds, double significance,
    const std::function<bool(const Pair&, std::uint64_t)>& refutes) {
  for (const Pair& pair : tight_pairs()) {
    std::vector<char> refuted(static_cast<std::size_t>(seeds));
    parallel_for(seeds, 2, [&](Index seed) {
      refuted[static_cast<std::size_t>(seed)] = refutes(pair, static_cast<std::uint64_t>(seed));
    });
    const auto count = std::count(refuted.begin(), refuted.end(), char{1});
    std::printf("%s: %td of %td true claims refuted at significance %g\n", pair.name.c_str(), count,
                seeds, significance);
    EXPECT_LT(count, binomial_limit(seeds, significance)) << pair.name;
  }
}

}  // namespace dpverify::black_box
