#include "algorithms/mechanisms/peeling_rates.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

Dataset draw_signs(const VectorXd& mean, Index n, RandomStream& stream) {
  Dataset data{Matrix(n, mean.size()), VectorXd::Zero(n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < mean.size(); ++j)
      data.features(i, j) = stream.uniform() < (1 + mean[j]) / 2 ? 1 : -1;
  return data;
}

Dataset draw_mean(const VectorXd& mean, Index n, RandomStream& stream) {
  Dataset data{Matrix(1, mean.size()), VectorXd::Zero(1)};
  for (Index j = 0; j < mean.size(); ++j) {
    const auto ones = static_cast<double>(draw_binomial(n, (1 + mean[j]) / 2, stream));
    data.features(0, j) = 2 * ones / static_cast<double>(n) - 1;
  }
  return data;
}

}  // namespace

RatePoint PeelingOfSigns::at(Index n, Index dimension, Index sparsity) const {
  const auto records = static_cast<double>(n);
  const PeelingParameters p{.sparsity = sparsity,
                            .sensitivity = 2 / records,
                            .epsilon = 0.9,
                            .delta = 1e-5,
                            .factor = factor};
  const double b = noise_scale(p), log_d = std::log(static_cast<double>(dimension));
  const double informative = at_the_noise ? b * log_d : 0.5;
  require(informative < 1, "mean of a sign", informative, "below 1");
  VectorXd mean = VectorXd::Zero(dimension);
  mean.head(sparsity).setConstant(informative);
  return {.records = n,
          .mechanism =
              [p](const Dataset& data, Releases& releases) {
                return peeling(data.features.colwise().mean(), p, releases);
              },
          .bound = static_cast<double>(sparsity) *
                   ((1 - informative * informative) / records + noise(b, log_d)),
          .dimension = dimension,
          .draw =
              [=, counts = counted](Index count, RandomStream& stream) {
                return counts ? draw_mean(mean, n, stream) : draw_signs(mean, count, stream);
              },
          .excess_risk = [mean](const VectorXd& w) { return (w - mean).squaredNorm(); }};
}

CountedMean signs_at_the_noise(const PeelingParameters& parameters, Index dimension) {
  const double mean = noise_scale(parameters) * (std::log(static_cast<double>(dimension)) + 2);
  require(mean < 1, "mean of a sign", mean, "below 1: take more records");
  return {dimension, parameters.sparsity, {1, -1}, {(1 + mean) / 2, (1 - mean) / 2}};
}

RateClaim peeling_rate(double factor, Sweeps sweeps) {
  const RateTheorem theorem{.exponent = -1, .at = [factor](double n) {
                              return PeelingOfSigns{.factor = factor, .counted = true}.at(
                                  static_cast<Index>(n), 10, 3);
                            }};
  return rate_claim("n", theorem,
                    {.words = "the mean of 10 signs, 3 of them with the mean 1/2, the others "
                              "fair, drawn as the mean; s = 3, epsilon = 0.9, delta = 1e-5; "
                              "squared distance to the mean",
                     .dimension = 10},
                    std::move(sweeps));
}

}  // namespace dpverify
