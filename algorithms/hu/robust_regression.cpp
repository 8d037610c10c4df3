#include "algorithms/hu/robust_regression.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify::hu {

FrankWolfeParameters robust_regression_from_theorem(Index n, Index dimension, double epsilon,
                                                    Loss loss, double failure_probability) {
  require(positive_and_finite, "epsilon", epsilon);
  require(fraction, "failure probability", failure_probability);
  require(loss != Loss::logistic, "loss", name(loss), "a function of the residual");
  const double budget = static_cast<double>(n) * epsilon;
  const double logarithm = std::log(static_cast<double>(dimension) / failure_probability);
  FrankWolfeParameters p;
  p.loss = loss;
  p.polytope = Polytope::l1_ball(dimension, 1);
  p.initial = VectorXd::Zero(dimension);
  p.iterations =
      static_cast<Index>(std::clamp(std::sqrt(budget / logarithm), 1.0, static_cast<double>(n)));
  const auto iterations = static_cast<double>(p.iterations);
  p.scale = std::sqrt(budget / (iterations * (logarithm + std::log(iterations))));
  p.epsilon = epsilon;
  p.step = Step::constant;
  return p;
}

double robust_regression_bound(Index n, Index dimension, double epsilon, double lambda_max,
                               double failure_probability) {
  const auto records = static_cast<double>(n);
  return lambda_max *
         std::pow(std::log(static_cast<double>(dimension) * records / failure_probability) /
                      (records * epsilon),
                  0.25);
}

}  // namespace dpverify::hu
