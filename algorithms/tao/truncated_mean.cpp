#include "algorithms/tao/truncated_mean.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"

namespace dpverify::tao {

namespace {

void validate(const TruncatedMeanParameters& p) {
  require(positive_and_finite, "truncation B", p.truncation);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction_or_one, "delta", p.delta);
}

}  // namespace

void validate(const TruncatedMeanParameters& p, const Dataset& data) {
  require(data.dimension() == 1, "number of features", static_cast<double>(data.dimension()), "1");
  validate(p);
}

double mean_sensitivity(const TruncatedMeanParameters& p, Index records) {
  return 2 * p.truncation / static_cast<double>(records);
}

double noise_deviation(const TruncatedMeanParameters& p, Index records) {
  return std::sqrt(8 * std::log(1.25 / p.delta)) * p.truncation /
         (static_cast<double>(records) * p.epsilon);
}

VectorXd truncated_mean(const Dataset& data, const TruncatedMeanParameters& p, Releases& releases) {
  validate(p, data);
  const Index n = data.size();
  return releases.release(
      GaussianNoise{VectorXd::Zero(1), mean_sensitivity(p, n), noise_deviation(p, n)},  // step 2
      [&]() -> VectorXd {
        return VectorXd::Constant(1, thresholded(data.features, p.truncation).mean());  // step 1
      });
}

VectorXd truncated_mean(double kept_mean, Index n, const TruncatedMeanParameters& p,
                        Releases& releases) {
  validate(p);
  return releases.release(GaussianNoise{VectorXd::Constant(1, kept_mean), mean_sensitivity(p, n),
                                        noise_deviation(p, n)});
}

TruncatedMeanParameters truncated_mean_from_theorem(Index n, double epsilon, double delta,
                                                    double moment, double order,
                                                    double failure_probability) {
  require(positive_and_finite, "moment u", moment);
  require(fraction_or_one, "order v", order);
  require(fraction, "failure probability xi", failure_probability);
  require(positive, "epsilon", epsilon);
  require(fraction_or_one, "delta", delta);
  const double logs = -std::log(failure_probability) * std::sqrt(std::log(1.25 / delta));
  return {.truncation = std::pow(moment * static_cast<double>(n) * epsilon / logs, 1 / (1 + order)),
          .epsilon = epsilon,
          .delta = delta};
}

double truncated_mean_bound(double n, double epsilon, double delta, double moment, double order,
                            double failure_probability) {
  const double logs = -std::log(failure_probability) * std::sqrt(std::log(1.25 / delta));
  return std::pow(moment, 1 / (1 + order)) * std::pow(logs / (n * epsilon), order / (1 + order));
}

}  // namespace dpverify::tao
