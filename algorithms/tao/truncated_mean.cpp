#include "algorithms/tao/truncated_mean.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"

namespace dpverify::tao {

namespace {

void validate(const TruncatedMeanParameters& p) {
  require(p.truncation > 0 && std::isfinite(p.truncation), "truncation B", p.truncation,
          "positive and finite");
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta <= 1, "delta", p.delta, "in (0, 1]");
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
  const Matrix kept = thresholded(data.features, p.truncation);  // step 1
  return truncated_mean(kept.mean(), data.size(), p, releases);  // step 2
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
  require(moment > 0 && std::isfinite(moment), "moment u", moment, "positive and finite");
  require(order > 0 && order <= 1, "order v", order, "in (0, 1]");
  require(failure_probability > 0 && failure_probability < 1, "failure probability xi",
          failure_probability, "in (0, 1)");
  require(epsilon > 0, "epsilon", epsilon, "positive");
  require(delta > 0 && delta <= 1, "delta", delta, "in (0, 1]");
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
