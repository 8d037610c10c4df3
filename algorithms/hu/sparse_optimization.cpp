#include "algorithms/hu/sparse_optimization.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/mechanisms/peeling.hpp"

namespace dpverify::hu {

void validate(const SparseOptimizationParameters& p, Index n, Index dimension) {
  require(p.iterations >= 1 && p.iterations <= n, "iterations T", static_cast<double>(p.iterations),
          "in 1.." + std::to_string(n) + " (the number of records)");
  require(positive_and_finite, "step eta", p.step);
  require(fraction, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  require(not_negative_and_finite, "regularizer", p.regularizer);
  validate_sparse(p.initial, p.sparsity, dimension);
}

double coordinate_sensitivity(const SparseOptimizationParameters& p, Index part_size) {
  const double proved = 2 * truncation_limit * p.scale * p.step / static_cast<double>(part_size);
  switch (p.sensitivity) {
    case Edition::printed:
      return 3 * proved;
    case Edition::proved:
      return proved;
    default:
      return proved * std::erf(std::sqrt(p.beta / 2));
  }
}

VectorXd sparse_optimization(const RobustPartGradient& robust_gradient, Index n, Index dimension,
                             const SparseOptimizationParameters& p, Releases& releases) {
  validate(p, n, dimension);
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const auto half = [&]() -> VectorXd {
      return w - p.step * (robust_gradient(w, t) + p.regularizer * w);  // step 6
    };
    w = peeling(dimension, half,  // step 7
                {.sparsity = p.sparsity,
                 .sensitivity = coordinate_sensitivity(p, n / p.iterations),
                 .epsilon = p.epsilon,
                 .delta = p.delta,
                 .factor = peeling_factor},
                releases);
  }
  return w;
}

VectorXd sparse_optimization(const Dataset& data, const SparseOptimizationParameters& p,
                             Releases& releases) {
  const RobustPartGradient robust_gradient = [&](const VectorXd& w, Index t) {
    const DataView part = data.part(t, p.iterations);                 // step 2
    return robust_mean(gradients(p.loss, w, part), p.scale, p.beta);  // steps 4, 5
  };
  return sparse_optimization(robust_gradient, data.size(), data.dimension(), p, releases);
}

namespace {

// The proof's union over the noise of Peeling leaves out d, and so does its k.
double squared_scale(Edition edition, double budget, double dimension, double sparsity,
                     double iterations, double delta) {
  const double logarithm =
      std::log(iterations * sparsity * (edition == Edition::proved ? 1 : dimension) / 0.05);
  switch (edition) {
    case Edition::printed:
      return budget;
    case Edition::proved:
      return budget / (sparsity * iterations * std::sqrt(logarithm));
    default:
      return budget / (std::sqrt(sparsity) * iterations * logarithm * std::sqrt(-std::log(delta)));
  }
}

}  // namespace

SparseOptimizationParameters sparse_optimization_from_theorem(Index n, Index dimension,
                                                              Index optimum_sparsity,
                                                              double epsilon, double delta,
                                                              double gamma, double mu, double tau,
                                                              Edition edition) {
  require(mu > 0 && gamma >= mu && std::isfinite(gamma), "strong convexity mu", mu,
          "positive and at most gamma = " + to_text(gamma));
  require(positive, "second moment tau", tau);
  require(fraction, "delta", delta);
  const double condition = gamma / mu;
  SparseOptimizationParameters p;
  p.initial = VectorXd::Zero(dimension);
  // Clamped before the conversion: the condition number may be anything.
  p.sparsity = static_cast<Index>(
      std::clamp(std::ceil(condition * condition * static_cast<double>(optimum_sparsity) - 1e-9),
                 1.0, static_cast<double>(dimension)));
  p.iterations = static_cast<Index>(
      std::clamp(condition * std::log(static_cast<double>(n)), 1.0, static_cast<double>(n)));
  p.scale = std::sqrt(squared_scale(edition, static_cast<double>(n) * epsilon * tau,
                                    static_cast<double>(dimension), static_cast<double>(p.sparsity),
                                    static_cast<double>(p.iterations), delta));
  p.sensitivity = edition;
  p.step = 2 / (3 * gamma);
  p.epsilon = epsilon;
  p.delta = delta;
  return p;
}

SparseOptimizationParameters sparse_optimization_from_experiments(Index n, Index dimension,
                                                                  Index optimum_sparsity,
                                                                  double epsilon) {
  require(positive, "epsilon", epsilon);
  require(n >= 3, "records n", static_cast<double>(n), "at least 3 (T = floor(log n) parts)");
  require(optimum_sparsity >= 1, "sparsity s*", static_cast<double>(optimum_sparsity),
          "at least 1");
  SparseOptimizationParameters p;
  p.initial = VectorXd::Zero(dimension);
  p.sparsity = std::min(2 * optimum_sparsity, dimension);
  p.iterations = static_cast<Index>(std::log(static_cast<double>(n)));
  p.scale = static_cast<double>(n) * epsilon;
  p.step = 0.5;
  p.epsilon = epsilon;
  p.delta = std::pow(static_cast<double>(n), -1.1);
  p.sensitivity = Edition::printed;
  return p;
}

double sparse_optimization_bound(Index n, Index dimension, Index optimum_sparsity, double epsilon,
                                 double delta, double gamma, double mu, double tau,
                                 double failure_probability) {
  const auto records = static_cast<double>(n), s = static_cast<double>(optimum_sparsity);
  return tau * std::pow(gamma, 4) * std::pow(s, 1.5) * std::log(records) *
         std::log(static_cast<double>(dimension) / failure_probability) *
         std::sqrt(-std::log(delta)) / (std::pow(mu, 5) * records * epsilon);
}

}  // namespace dpverify::hu
