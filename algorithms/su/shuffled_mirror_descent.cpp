#include "algorithms/su/shuffled_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"

namespace dpverify::su {

void validate(const ShuffledMirrorParameters& p, Index n) {
  validate_truncated_descent(p.radius, p.smoothness, p.truncation, p.batches, n, p.proximity);
  require(positive_and_finite, "local epsilon", p.local_epsilon);
  require(fraction, "local delta", p.local_delta);
}

double threshold(const ShuffledMirrorParameters& p, Index dimension) {
  return gradient_threshold(p.smoothness, p.truncation, p.p, p.radius,
                            mirror_space(p.p, dimension, p.edition), dimension);
}

namespace {

// What n reports of local_delta add to delta, divided by n local_delta.
double delta_factor(double epsilon, double local_epsilon) {
  return (std::exp(epsilon) + 1) * (1 + std::exp(-local_epsilon) / 2);
}

}  // namespace

double amplified_epsilon(double local_epsilon, Index n, double delta) {
  require(not_negative, "local epsilon", local_epsilon);
  require(fraction, "delta", delta);
  const auto reports = static_cast<double>(n);
  if (!(local_epsilon <= std::log(reports / (16 * std::log(2 / delta))))) return local_epsilon;
  const double growth = std::exp(local_epsilon);
  const double sum = 8 * std::sqrt(growth * std::log(4 / delta) / reports) + 8 * growth / reports;
  return std::min(local_epsilon, std::log1p(std::tanh(local_epsilon / 2) * sum));
}

PrivacyGuarantee shuffled_guarantee(const ShuffledMirrorParameters& p, Index n) {
  validate(p, n);
  // The shuffler's own delta equals what the reports' local_delta costs. Without amplification the
  // order does not matter, and one report's local_delta is all.
  const double delta =
      delta_factor(p.local_epsilon, p.local_epsilon) * static_cast<double>(n) * p.local_delta;
  const double epsilon =
      delta < 0.5 ? amplified_epsilon(p.local_epsilon, n, delta) : p.local_epsilon;
  if (epsilon >= p.local_epsilon) return {p.local_epsilon, p.local_delta};
  return {epsilon, 2 * delta};
}

VectorXd shuffled_mirror_descent(const Dataset& data, const ShuffledMirrorParameters& p,
                                 Releases& releases) {
  const Index n = data.size(), d = data.dimension();
  validate(p, n);
  const MirrorSpace space = mirror_space(p.p, d, p.edition);
  const double limit = threshold(p, d);
  const double s = 2 * limit;
  const double scale =
      mirror_noise_scale(p.edition, space.kappa, s, p.local_epsilon, p.local_delta);
  const VectorXd order = releases.release(UniformPermutation{n});
  const Index size = n / p.batches;
  VectorXd w = VectorXd::Zero(d), average = w;
  for (Index t = 1; t <= p.batches; ++t) {
    VectorXd mean = VectorXd::Zero(d);
    for (Index k = (t - 1) * size; k < t * size; ++k) {
      const auto i = static_cast<Index>(order[k]);
      const DataView record{{data.features.data() + i * d, 1, d}, {data.labels.data() + i, 1}};
      const auto g = [&]() -> VectorXd {
        return truncated_gradients(p.loss, w, record, space.dual, limit).row(0).transpose();
      };
      mean += release_in(space, d, g, s, scale, releases) / static_cast<double>(size);
    }
    w = mirror_step_in_ball(space.map, w, mean, p.proximity, p.radius);
    average += (w - average) / static_cast<double>(t);
  }
  return average;
}

ShuffledMirrorParameters shuffled_mirror_from_theorem(Index n, Index dimension, double p,
                                                      double radius, double smoothness,
                                                      double sigma, double epsilon, double delta) {
  require(positive_and_finite, "sigma", sigma);
  require(positive_and_finite, "epsilon", epsilon);
  require(fraction, "delta", delta);
  ShuffledMirrorParameters out{.p = p, .radius = radius, .smoothness = smoothness};
  validate(out, n);
  const MirrorSpace space = mirror_space(p, dimension, out.edition);
  const double m = diameter(p, radius, space, dimension);
  const auto records = static_cast<double>(n);
  const double budget = records * epsilon, dl = static_cast<double>(dimension) * -std::log(delta);
  out.truncation =
      std::max(sigma * std::sqrt(budget) / std::pow(space.kappa * space.kappa * dl, 0.25),
               std::max(smoothness, 1.0) * m);
  out.batches =
      static_cast<Index>(std::clamp(std::pow(m * budget / out.truncation, 2) / dl, 1.0, records));
  out.proximity = std::max(std::sqrt(static_cast<double>(out.batches)), 2 * smoothness);
  // The largest local epsilon, by bisection: the guarantee grows with it.
  const auto spends = [&](double local) { return amplified_epsilon(local, n, delta / 2); };
  double low = 0, high = std::max(epsilon, std::log(records / (16 * std::log(4 / delta))));
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (spends(middle) <= epsilon ? low : high) = middle;
  }
  out.local_epsilon = low;
  out.local_delta = delta / 2 / (delta_factor(low, low) * records);
  return out;
}

double shuffled_mirror_bound(Index n, Index dimension, double diameter, double sigma, double kappa,
                             double epsilon, double delta) {
  return diameter * std::max(sigma, sigma * sigma) *
         std::pow(kappa * kappa * static_cast<double>(dimension) * -std::log(delta), 0.25) /
         std::sqrt(static_cast<double>(n) * epsilon);
}

}  // namespace dpverify::su
