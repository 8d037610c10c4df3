#include "algorithms/tao/median_of_means.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"

namespace dpverify::tao {

void validate(const MedianOfMeansParameters& p, Index records) {
  require(positive_and_finite, "truncation tau", p.truncation);
  require(p.blocks >= 1 && p.blocks <= records, "blocks m", static_cast<double>(p.blocks),
          "in 1.." + std::to_string(records) + " (the number of records)");
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
}

double l2_sensitivity(const MedianOfMeansParameters& p, Index records, Index dimension) {
  return std::sqrt(static_cast<double>(dimension)) * coordinate_sensitivity(p, records);
}

double coordinate_sensitivity(const MedianOfMeansParameters& p, Index records) {
  if (p.sensitivity == Edition::printed)
    return 2 * p.truncation * static_cast<double>(p.blocks) / static_cast<double>(records);
  const bool halved = p.middle == MiddlePair::average && p.blocks % 2 == 0;
  const Index block = records / p.blocks;
  return (halved ? 1 : 2) * p.truncation / static_cast<double>(block);
}

double noise_deviation(const MedianOfMeansParameters& p, Index records, Index dimension) {
  // Of the Gaussian mechanism, Lemma 3.
  return std::sqrt(2 * std::log(1.25 / p.delta)) * l2_sensitivity(p, records, dimension) /
         p.epsilon;
}

namespace {

// values: n x d, or their block means.
VectorXd private_medians(const LazyMatrix& values, Index records, const MedianOfMeansParameters& p,
                         Releases& releases) {
  const Index d = values.cols();
  return releases.release(
      GaussianNoise{VectorXd::Zero(d), l2_sensitivity(p, records, d),
                    noise_deviation(p, records, d)},
      [&] { return dpverify::median_of_means(values(), p.blocks, p.middle); });  // lines 7, 9
}

}  // namespace

VectorXd median_of_means(const LazyMatrix& records, const MedianOfMeansParameters& p,
                         Releases& releases) {
  validate(p, records.rows());
  const LazyMatrix kept(records.rows(), records.cols(), [&]() -> Matrix {
    return thresholded(records(), p.truncation);  // line 5
  });
  return private_medians(kept, records.rows(), p, releases);
}

Matrix thresholded_block_means(const CountedMean& law, const DataView& counts, Index size,
                               double limit) {
  return law.block_means(counts, size,
                         [limit](Index, double x) { return std::abs(x) <= limit ? x : 0; });
}

VectorXd median_of_block_means(const LazyMatrix& means, Index records,
                               const MedianOfMeansParameters& p, Releases& releases) {
  validate(p, records);
  const LazyMatrix checked(p.blocks, means.cols(), [&]() -> Matrix {
    Matrix computed = means();
    require(computed.rows() == p.blocks, "block means", static_cast<double>(computed.rows()),
            "as many as blocks, " + std::to_string(p.blocks));
    return computed;
  });
  return private_medians(checked, records, p, releases);
}

MedianOfMeansParameters median_of_means_from_theorem(Index n, Index dimension, double epsilon,
                                                     double delta, double moment, double order,
                                                     double failure_probability) {
  require(positive_and_finite, "moment u", moment);
  require(fraction_or_one, "order v", order);
  require(positive, "epsilon", epsilon);
  return {.truncation = std::pow(
              moment * epsilon * static_cast<double>(n) / std::sqrt(static_cast<double>(dimension)),
              1 / (1 + order)),
          .blocks = block_count(n, dimension, failure_probability),
          .epsilon = epsilon,
          .delta = delta};
}

double median_of_means_bound(double n, double dimension, double epsilon, double delta,
                             double moment, double order, double failure_probability) {
  const double root = std::sqrt(dimension), v = order;
  const double tau = std::pow(moment * epsilon * n / root, 1 / (1 + v));
  const double logarithm = std::log(2 * dimension / failure_probability);
  return root * (std::pow(moment, 1 / (1 + v)) * std::pow(logarithm / n, v / (1 + v)) +
                 moment / std::pow(tau, v)) +
         tau * root * (root + std::sqrt(-std::log(failure_probability))) * logarithm *
             std::sqrt(-std::log(delta)) / (epsilon * n);
}

double median_of_means_noise_bound(const MedianOfMeansParameters& p, Index n, Index dimension,
                                   double moment, double order, double failure_probability) {
  const double d = static_cast<double>(dimension), v = order;
  const double logarithm = std::log(2 * d / failure_probability);
  return std::sqrt(d) * (std::pow(moment, 1 / (1 + v)) *
                             std::pow(logarithm / static_cast<double>(n), v / (1 + v)) +
                         moment / std::pow(p.truncation, v)) +
         noise_deviation(p, n, dimension) *
             (std::sqrt(d) + std::sqrt(-std::log(failure_probability)));
}

}  // namespace dpverify::tao
