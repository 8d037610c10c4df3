#include "algorithms/tao/sco_framework.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"

namespace dpverify::tao {
namespace {

// Algorithm 1 on each coordinate of m x d numbers.
VectorXd truncated_means(const LazyMatrix& values, const TruncatedScoParameters& p,
                         Releases& releases) {
  const double sensitivity = 2 * std::sqrt(static_cast<double>(values.cols())) * p.truncation /
                             static_cast<double>(values.rows());
  return releases.release(
      GaussianNoise{VectorXd::Zero(values.cols()), sensitivity,
                    std::sqrt(2 * std::log(1.25 / p.delta)) * sensitivity / p.epsilon},
      [&]() -> VectorXd { return thresholded(values(), p.truncation).colwise().mean(); });
}

}  // namespace

void validate(const TruncatedScoParameters& p, const Dataset& data) {
  validate(p.framework, data);
  require(positive_and_finite, "truncation B", p.truncation);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction_or_one, "delta", p.delta);
}

VectorXd truncated_sco(const Dataset& data, const TruncatedScoParameters& p, Releases& releases) {
  validate(p, data);
  const PrivateMean estimate = [&p](const LazyMatrix& gradients, Releases& door) {
    return truncated_means(gradients, p, door);
  };
  return projected_descent(data, p.framework, estimate, releases).back();
}

}  // namespace dpverify::tao
