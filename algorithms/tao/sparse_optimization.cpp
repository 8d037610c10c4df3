#include "algorithms/tao/sparse_optimization.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/tao/peeling.hpp"

namespace dpverify::tao {

void validate(const SparseOptimizationParameters& p, Index records, Index dimension) {
  require(p.iterations >= 1 && p.iterations <= records, "iterations T",
          static_cast<double>(p.iterations),
          "in 1.." + std::to_string(records) + " (the number of records)");
  require(positive_and_finite, "truncation B", p.truncation);
  require(positive_and_finite, "step eta_0", p.step);
  require(fraction, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  validate_sparse(p.initial, p.sparsity, dimension);
}

double coordinate_sensitivity(const SparseOptimizationParameters& p, Index part_size) {
  const double exact = 2 * p.truncation * p.step / static_cast<double>(part_size);
  return p.sensitivity == Edition::proved ? exact * static_cast<double>(p.sparsity) / 3 : exact;
}

VectorXd sparse_optimization(const PartGradient& mean_gradient, Index n, Index dimension,
                             const SparseOptimizationParameters& p, Releases& releases) {
  validate(p, n, dimension);
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    w = peeling(
        dimension, [&]() -> VectorXd { return w - p.step * mean_gradient(w, t); },  // steps 9, 10
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
  const PartGradient mean_gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    const DataView part = data.part(t, p.iterations);                         // step 1
    return thresholded(p.gradients(w, part), p.truncation).colwise().mean();  // steps 5, 8
  };
  return sparse_optimization(mean_gradient, data.size(), data.dimension(), p, releases);
}

SparseOptimizationParameters sparse_optimization_from_theorem(Index n, Index dimension,
                                                              const SparseProblem& problem,
                                                              double epsilon, double delta,
                                                              double failure_probability) {
  require(problem.mu > 0 && problem.gamma >= problem.mu && std::isfinite(problem.gamma),
          "strong convexity mu", problem.mu,
          "positive and at most gamma = " + to_text(problem.gamma));
  require(positive_and_finite, "moment u", problem.moment);
  require(fraction_or_one, "order v", problem.order);
  require(problem.optimum_sparsity >= 1, "sparsity s*",
          static_cast<double>(problem.optimum_sparsity), "at least 1");
  require(positive, "epsilon", epsilon);
  require(fraction, "delta", delta);
  require(fraction, "failure probability xi", failure_probability);
  const double condition = problem.gamma / problem.mu;
  SparseOptimizationParameters p;
  p.initial = VectorXd::Zero(dimension);
  // Clamped before the conversion: the condition number may be anything.
  p.sparsity = static_cast<Index>(std::clamp(
      std::ceil(condition * condition * static_cast<double>(problem.optimum_sparsity) - 1e-9), 1.0,
      static_cast<double>(dimension)));
  p.iterations = static_cast<Index>(
      std::clamp(condition * std::log(static_cast<double>(n)), 1.0, static_cast<double>(n)));
  p.step = 2 / (3 * problem.gamma);
  p.epsilon = epsilon;
  p.delta = delta;
  const auto t = static_cast<double>(p.iterations);
  const double logarithm = std::log(static_cast<double>(dimension) * t / failure_probability);
  p.truncation =
      std::pow(problem.gamma * problem.moment * static_cast<double>(n) * epsilon /
                   (t * logarithm * std::sqrt(static_cast<double>(p.sparsity) * -std::log(delta))),
               1 / (1 + problem.order));
  return p;
}

double sparse_optimization_bound(double n, double dimension, const SparseProblem& problem,
                                 double epsilon, double delta, double failure_probability) {
  const double v = problem.order;
  const double logs =
      std::log(n) * std::log(dimension / failure_probability) * std::sqrt(-std::log(delta));
  return std::pow(static_cast<double>(problem.optimum_sparsity), (1 + 2 * v) / (1 + v)) *
         std::pow(problem.moment, 2 / (1 + v)) * std::pow(logs / (n * epsilon), 2 * v / (1 + v));
}

}  // namespace dpverify::tao
