#include "algorithms/hu/sparse_linear_regression.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/mechanisms/peeling.hpp"

namespace dpverify::hu {

void validate(const SparseRegressionParameters& p, Index n, Index dimension) {
  require(p.iterations >= 1 && p.iterations <= n, "iterations T", static_cast<double>(p.iterations),
          "in 1.." + std::to_string(n) + " (the number of records)");
  require(positive_and_finite, "step eta_0", p.step);
  require(fraction, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  validate_sparse(p.initial, p.sparsity, dimension);
  // The sensitivity rests on this too.
  require(p.initial.norm() <= 1 + 1e-12, "l2 norm of the initial point", p.initial.norm(),
          "at most 1");
}

double coordinate_sensitivity(const SparseRegressionParameters& p, Index part_size) {
  const auto s = static_cast<double>(p.sparsity);
  const double factor =
      p.sensitivity == RegressionSensitivity::published ? std::sqrt(s + 1) : std::sqrt(s) + 1;
  return 2 * p.clip * p.clip * p.step * factor / static_cast<double>(part_size);
}

VectorXd sparse_linear_regression(const PartGradient& mean_gradient, Index n, Index dimension,
                                  const SparseRegressionParameters& p, Releases& releases) {
  validate(p, n, dimension);
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    w = peeling(
        dimension, [&]() -> VectorXd { return w - p.step * mean_gradient(w, t); },  // steps 5, 6
        {.sparsity = p.sparsity,
         .sensitivity = coordinate_sensitivity(p, n / p.iterations),
         .epsilon = p.epsilon,
         .delta = p.delta,
         .factor = peeling_factor,
         .repeats = p.repeats},
        releases);
    w /= std::max(1.0, w.norm());  // step 7
  }
  return w;
}

VectorXd sparse_linear_regression(const Dataset& data, const SparseRegressionParameters& p,
                                  Releases& releases) {
  // (<x,w> - y)^2 has the derivative 2(<x,w> - y); the step of the texts uses half of it.
  const double gradient_share = p.sensitivity == RegressionSensitivity::declared_loss ? 1 : 0.5;
  const PartGradient mean_gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    const Dataset part = clipped(data.part(t, p.iterations), p.clip);  // steps 2, 3
    return gradient_share * gradients(Loss::squared, w, part.all()).colwise().mean();
  };
  return sparse_linear_regression(mean_gradient, data.size(), data.dimension(), p, releases);
}

SparseRegressionParameters sparse_regression_from_theorem(Index n, Index dimension,
                                                          Index optimum_sparsity, double epsilon,
                                                          double delta, double gamma, double mu) {
  require(mu > 0 && gamma >= mu && std::isfinite(gamma), "smallest eigenvalue mu", mu,
          "positive and at most gamma = " + to_text(gamma));
  const double condition = gamma / mu;
  SparseRegressionParameters p;
  p.initial = VectorXd::Zero(dimension);
  // Clamped before the conversion: the condition number may be anything.
  p.sparsity = static_cast<Index>(
      std::clamp(std::ceil(condition * condition * static_cast<double>(optimum_sparsity) - 1e-9),
                 1.0, static_cast<double>(dimension)));
  p.iterations = static_cast<Index>(
      std::clamp(condition * std::log(static_cast<double>(n)), 1.0, static_cast<double>(n)));
  p.clip = std::pow(
      static_cast<double>(n) * epsilon / static_cast<double>(p.sparsity * p.iterations), 0.25);
  p.step = 2 / (3 * gamma);
  p.epsilon = epsilon;
  p.delta = delta;
  return p;
}

SparseRegressionParameters sparse_regression_from_experiments(Index n, Index dimension,
                                                              Index optimum_sparsity,
                                                              Index multiple, double epsilon) {
  require(positive, "epsilon", epsilon);
  require(n >= 3, "records n", static_cast<double>(n), "at least 3 (T = floor(log n) parts)");
  require(optimum_sparsity >= 1, "sparsity s*", static_cast<double>(optimum_sparsity),
          "at least 1");
  require(multiple >= 1, "c of s = c s*", static_cast<double>(multiple), "at least 1");
  SparseRegressionParameters p;
  p.initial = VectorXd::Zero(dimension);
  p.sparsity = std::min(multiple * optimum_sparsity, dimension);
  p.iterations = static_cast<Index>(std::log(static_cast<double>(n)));
  p.clip = std::pow(
      static_cast<double>(n) * epsilon / static_cast<double>(p.sparsity * p.iterations), 0.25);
  p.step = 0.5;
  p.epsilon = epsilon;
  p.delta = std::pow(static_cast<double>(n), -1.1);
  return p;
}

double sparse_regression_bound(Index n, Index dimension, Index optimum_sparsity, double epsilon,
                               double delta, double gamma, double mu, double fourth_moment,
                               double failure_probability) {
  const auto records = static_cast<double>(n), s = static_cast<double>(optimum_sparsity);
  const double logarithm = std::log(static_cast<double>(dimension) / failure_probability);
  return fourth_moment * std::pow(gamma, 4) * s * s * std::log(records) * logarithm * logarithm *
         -std::log(delta) / (std::pow(mu, 7) * records * epsilon);
}

}  // namespace dpverify::hu
