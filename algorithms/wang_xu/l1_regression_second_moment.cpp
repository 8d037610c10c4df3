#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/net.hpp"

namespace dpverify::wang_xu {
namespace {

constexpr double log_two = std::numbers::ln2;

void validate(const L1RegressionParameters& p, const Dataset& data) {
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.iota > 0 && std::isfinite(p.iota), "iota", p.iota, "positive and finite");
  require(p.net.rows() >= 1, "number of candidates", static_cast<double>(p.net.rows()),
          "at least 1");
  require(p.net.cols() == data.dimension(), "dimension of the net",
          static_cast<double>(p.net.cols()),
          "the number of features, " + std::to_string(data.dimension()));
}

}  // namespace

double log_truncation(double x) {
  if (x < 0) return -log_truncation(-x);
  // log1p: 1 - x + x^2/2 loses every digit of a small x.
  return x < 1 ? -std::log1p(x * (x / 2 - 1)) : log_two;
}

VectorXd truncated_risks(const DataView& data, const L1RegressionParameters& p) {
  VectorXd risks = VectorXd::Zero(p.net.rows());
  for (Index k = 0; k < p.net.rows(); ++k) {
    const VectorXd w = p.net.row(k);
    double sum = 0;
    for (Index i = 0; i < data.size(); ++i) {
      const double residual = p.iota * std::abs(data.labels[i] - data.features.row(i).dot(w));
      sum += std::isfinite(residual) ? log_truncation(residual) : log_two;
    }
    risks[k] = sum / (static_cast<double>(data.size()) * p.iota);
  }
  return risks;
}

VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& p,
                                     Releases& releases) {
  validate(p, data);
  const double exact = log_two / (static_cast<double>(data.size()) * p.iota);
  const double stated = p.coefficient == Edition::corrected ? exact : 2 * exact;
  const double divisor = p.coefficient == Edition::printed ? exact : 2 * stated;
  const Index k = releases.select(ExponentialMechanism{.scores = -truncated_risks(data.all(), p),
                                                       .sensitivity = stated,
                                                       .coefficient = p.epsilon / divisor});
  return p.net.row(k);
}

L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability) {
  require(n >= 2, "number of records", static_cast<double>(n), "at least 2");
  // iota = sqrt(d log n log(1/eta)/(n epsilon))/tau = bound/tau^2.
  const double bound = theorem_bound(n, dimension, epsilon, tau, failure_probability);
  return {.net = ball_net(dimension, radius, 1 / static_cast<double>(n)),
          .iota = bound / (tau * tau),
          .epsilon = epsilon};
}

double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability) {
  require(tau > 0, "tau", tau, "positive");
  require(failure_probability > 0 && failure_probability < 1, "failure probability",
          failure_probability, "in (0, 1)");
  const auto records = static_cast<double>(n);
  return tau * std::sqrt(static_cast<double>(dimension) * std::log(records) *
                         -std::log(failure_probability) / (records * epsilon));
}

}  // namespace dpverify::wang_xu
