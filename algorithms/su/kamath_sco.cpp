#include "algorithms/su/kamath_sco.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/estimators/median_of_means.hpp"

namespace dpverify::su {
namespace {

VectorXd noisy_median(const LazyMatrix& values, Index records, const KamathScoParameters& p,
                      Releases& releases) {
  const Index d = values.cols();
  return releases.release(GaussianNoise{VectorXd::Zero(d), median_sensitivity(p, records, d),
                                        noise_deviation(p, records, d)},
                          [&] { return median_of_means(values(), p.blocks, MiddlePair::lower); });
}

}  // namespace

void validate(const KamathScoParameters& p, Index records) {
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  require(positive_and_finite, "clipping limit", p.clip);
  require(p.blocks >= 1 && p.blocks <= records, "blocks m", static_cast<double>(p.blocks),
          "in 1.." + std::to_string(records) + " (the number of records)");
}

double median_sensitivity(const KamathScoParameters& p, Index records, Index dimension) {
  const Index block = records / p.blocks;
  return 2 * p.clip * std::sqrt(static_cast<double>(dimension)) / static_cast<double>(block);
}

double zcdp_budget(double epsilon, double delta) {
  const double logarithm = -std::log(delta);
  // The difference of the roots without cancellation.
  return std::pow(epsilon / (std::sqrt(logarithm + epsilon) + std::sqrt(logarithm)), 2);
}

double noise_deviation(const KamathScoParameters& p, Index records, Index dimension) {
  return median_sensitivity(p, records, dimension) *
         std::sqrt(static_cast<double>(p.iterations) / (2 * zcdp_budget(p.epsilon, p.delta)));
}

VectorXd kamath_sco(const Dataset& data, const KamathScoParameters& p, const PrivateMean& estimate,
                    Releases& releases) {
  return average(projected_descent(data,
                                   {.gradients = p.gradients,
                                    .radius = p.radius,
                                    .initial = p.initial,
                                    .step = p.step,
                                    .iterations = p.iterations,
                                    .split = false},
                                   estimate, releases));
}

VectorXd kamath_sco(const Dataset& data, const KamathScoParameters& p, Releases& releases) {
  validate(p, data.size());
  const PrivateMean estimate = [&](const LazyMatrix& gradients, Releases& door) {
    const LazyMatrix clipped(gradients.rows(), gradients.cols(),
                             [&] { return clipped_entries(gradients(), p.clip); });
    return noisy_median(clipped, data.size(), p, door);
  };
  return kamath_sco(data, p, estimate, releases);
}

VectorXd kamath_sco(const BlockGradients& block_gradients, Index n, const Dataset& data,
                    const KamathScoParameters& p, Releases& releases) {
  validate(p, n);
  KamathScoParameters given = p;
  given.gradients = block_gradients;
  const PrivateMean estimate = [&](const LazyMatrix& means, Releases& door) {
    return noisy_median(means, n, p, door);
  };
  return kamath_sco(data, given, estimate, releases);
}

KamathScoParameters kamath_sco_from_theorem(Index n, Index dimension, double radius,
                                            double gradient_bound, double variance, double epsilon,
                                            double delta, double failure_probability) {
  require(positive_and_finite, "radius", radius);
  require(positive_and_finite, "gradient bound R", gradient_bound);
  require(not_negative_and_finite, "variance", variance);
  require(positive_and_finite, "epsilon", epsilon);
  require(fraction, "delta", delta);
  const double records = static_cast<double>(n), d = static_cast<double>(dimension);
  KamathScoParameters p{.radius = radius,
                        .initial = VectorXd::Zero(dimension),
                        .clip = std::sqrt((variance + gradient_bound * gradient_bound) * epsilon *
                                          records / std::sqrt(d)),
                        .blocks = block_count(n, dimension, failure_probability),
                        .epsilon = epsilon,
                        .delta = delta};
  // The noise of T steps is sqrt(T) times that of one.
  const double one = noise_deviation(p, n, dimension) * std::sqrt(d);
  p.iterations = static_cast<Index>(std::clamp(std::pow(gradient_bound / (8 * one), 2), 1.0, 1e15));
  p.step = 2 * radius / (gradient_bound * std::sqrt(static_cast<double>(p.iterations)));
  return p;
}

}  // namespace dpverify::su
