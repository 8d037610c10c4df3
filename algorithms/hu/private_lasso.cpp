#include "algorithms/hu/private_lasso.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/geometry/polytope.hpp"

namespace dpverify::hu {

void validate(const PrivateLassoParameters& p, Index dimension) {
  require(positive_and_finite, "radius", p.radius);
  require(p.iterations >= 1, "iterations T", static_cast<double>(p.iterations), "at least 1");
  require(fraction, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  require(p.initial.size() == dimension, "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(dimension));
  const double norm = p.initial.lpNorm<1>();
  require(norm <= p.radius * (1 + 1e-12), "l1 norm of the initial point", norm,
          "at most the radius, " + to_text(p.radius));
}

double score_sensitivity(const PrivateLassoParameters& p, Index records) {
  const double unit = p.clip * p.clip / static_cast<double>(records);
  switch (p.sensitivity) {
    case LassoSensitivity::printed_diameter:
      return 16 * p.radius * unit;
    case LassoSensitivity::printed_radius:
      return 8 * p.radius * unit;
    case LassoSensitivity::corrected:
      return 4 * p.radius * (p.radius + 1) * unit;
  }
  return 0;
}

double step_epsilon(const PrivateLassoParameters& p) {
  return p.epsilon / (2 * std::sqrt(2 * static_cast<double>(p.iterations) * -std::log(p.delta)));
}

namespace {

// Of the mean squared error of the clipped records. Every step uses all records: their second
// moments say all of them that step 4 asks, unless there are fewer records than features.
class ClippedGradient {
 public:
  ClippedGradient(const Dataset& data, double clip) : data_(data), clip_(clip) {}

  VectorXd operator()(const VectorXd& w) {  // step 4: (2/n) sum x (<x, w> - y)
    const double factor = 2 / static_cast<double>(data_.size());
    const bool wide = data_.size() < data_.dimension();
    if (small_.size() == 0) {
      small_ = clipped(data_.all(), clip_);  // step 2
      if (!wide) {
        moments_ = factor * small_.features.transpose() * small_.features;
        response_ = factor * small_.features.transpose() * small_.labels;
      }
    }
    if (wide) return factor * small_.features.transpose() * (small_.features * w - small_.labels);
    return moments_ * w - response_;
  }

 private:
  const Dataset& data_;
  double clip_;
  Dataset small_;
  Matrix moments_;
  VectorXd response_;
};

}  // namespace

VectorXd private_lasso(const Dataset& data, const PrivateLassoParameters& p, Releases& releases) {
  validate(p, data.dimension());
  const Polytope ball = Polytope::l1_ball(data.dimension(), p.radius);
  ClippedGradient gradient(data, p.clip);
  const auto law = ExponentialMechanism::with_epsilon(
      VectorXd::Zero(ball.vertex_count()), score_sensitivity(p, data.size()), step_epsilon(p));
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const Index v = releases.select(law, [&]() -> VectorXd { return -ball.products(gradient(w)); });
    w += step_size(p.step, t, p.iterations) * (ball.vertex(v) - w);  // step 5
  }
  return w;
}

PrivateLassoParameters private_lasso_from_theorem(Index n, Index dimension, double epsilon,
                                                  double delta, double lambda_max,
                                                  double failure_probability) {
  require(positive, "epsilon", epsilon);
  require(fraction, "delta", delta);
  require(fraction, "failure probability", failure_probability);
  require(positive, "largest eigenvalue", lambda_max);
  const double budget = static_cast<double>(n) * epsilon;
  const double t = std::pow(std::sqrt(budget) * lambda_max /
                                (std::sqrt(-std::log(delta)) *
                                 std::log(static_cast<double>(dimension) / failure_probability)),
                            0.8);
  PrivateLassoParameters p{.initial = VectorXd::Zero(dimension),
                           .iterations = std::max<Index>(1, static_cast<Index>(t)),
                           .epsilon = epsilon,
                           .delta = delta};
  p.clip = std::pow(budget, 0.25) / std::pow(static_cast<double>(p.iterations), 0.125);
  return p;
}

PrivateLassoParameters private_lasso_from_experiments(Index n, Index dimension, double epsilon) {
  require(positive, "epsilon", epsilon);
  const double budget = static_cast<double>(n) * epsilon;
  PrivateLassoParameters p{
      .initial = VectorXd::Zero(dimension),
      .iterations = std::max<Index>(1, static_cast<Index>(std::pow(budget, 0.4))),
      .epsilon = epsilon,
      .delta = std::pow(static_cast<double>(n), -1.1),
      .sensitivity = LassoSensitivity::printed_diameter,
      .step = Step::experiments};
  p.clip = std::pow(budget, 0.25) / std::pow(static_cast<double>(p.iterations), 0.125);
  return p;
}

double private_lasso_bound(Index n, Index dimension, double epsilon, double delta,
                           double lambda_max, double failure_probability) {
  const auto records = static_cast<double>(n);
  const double logs = std::sqrt(-std::log(delta)) *
                      std::log(static_cast<double>(dimension) * records / failure_probability);
  return std::pow(lambda_max, 0.2) * std::pow(logs, 0.8) / std::pow(records * epsilon, 0.4);
}

}  // namespace dpverify::hu
