#include "algorithms/tao/dp_sco.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify::tao {
namespace {

void validate(const DpScoParameters& p) {
  require(fraction, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
}

void validate(const ScoProblem& problem, double epsilon, double delta) {
  require(positive, "radius", problem.radius);
  require(positive, "gradient bound R", problem.gradient_bound);
  require(positive, "moment u", problem.moment);
  require(fraction_or_one, "order v", problem.order);
  require(problem.alpha > 0 && problem.alpha <= problem.beta, "strong convexity alpha",
          problem.alpha, "positive and at most beta = " + to_text(problem.beta));
  require(fraction, "epsilon", epsilon);
  require(fraction, "delta", delta);
}

}  // namespace

MedianOfMeansParameters estimator_parameters(const DpScoParameters& p) {
  MedianOfMeansParameters estimator{
      .truncation = p.truncation, .blocks = p.blocks, .epsilon = p.epsilon, .delta = p.delta};
  if (p.branch == Branch::convex) {  // lines 2 and 3
    const auto steps = static_cast<double>(p.iterations);
    estimator.epsilon = p.epsilon / (2 * std::sqrt(2 * steps * std::log(2 / p.delta)));
    estimator.delta = p.delta / (2 * steps);
  }
  return estimator;
}

VectorXd dp_sco(const Dataset& data, const DpScoParameters& p, const PrivateMean& estimate,
                Releases& releases) {
  validate(p);
  const std::vector<VectorXd> iterates =
      projected_descent(data,
                        {.gradients = p.gradients,
                         .radius = p.radius,
                         .initial = p.initial,
                         .step = p.step,
                         .iterations = p.iterations,
                         .split = p.branch == Branch::strongly_convex},
                        estimate, releases);
  return p.branch == Branch::convex ? average(iterates) : iterates.back();
}

VectorXd dp_sco(const Dataset& data, const DpScoParameters& p, Releases& releases) {
  const PrivateMean estimate = [&p](const LazyMatrix& gradients, Releases& door) {
    return median_of_means(gradients, estimator_parameters(p), door);
  };
  return dp_sco(data, p, estimate, releases);
}

VectorXd dp_sco(const BlockGradients& block_gradients, Index n, const Dataset& data,
                const DpScoParameters& p, Releases& releases) {
  DpScoParameters given = p;
  given.gradients = block_gradients;
  const PrivateMean estimate = [&](const LazyMatrix& means, Releases& door) {
    const Index part = p.branch == Branch::strongly_convex ? n / p.iterations : n;
    return median_of_block_means(means, part, estimator_parameters(p), door);
  };
  return dp_sco(data, given, estimate, releases);
}

DpScoParameters convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                    double epsilon, double delta, double failure_probability) {
  validate(problem, epsilon, delta);
  const double budget = epsilon * static_cast<double>(n), d = static_cast<double>(dimension);
  DpScoParameters p{.branch = Branch::convex,
                    .radius = problem.radius,
                    .initial = VectorXd::Zero(dimension),
                    .epsilon = epsilon,
                    .delta = delta};
  p.truncation = std::pow(budget / std::pow(d, 1.5), 1 / (1 + problem.order));
  const double t = std::pow(problem.gradient_bound * budget / (p.truncation * d * d), 2);
  p.iterations = static_cast<Index>(std::clamp(t, 1.0, 1e15));
  p.step =
      2 * problem.radius / (problem.gradient_bound * std::sqrt(static_cast<double>(p.iterations)));
  p.blocks = block_count(n, dimension, failure_probability);
  return p;
}

DpScoParameters convex_balanced(Index n, Index dimension, const ScoProblem& problem, double epsilon,
                                double delta, double failure_probability) {
  DpScoParameters p =
      convex_from_theorem(n, dimension, problem, epsilon, delta, failure_probability);
  p.truncation *= std::pow(problem.moment, 1 / (1 + problem.order));
  const auto too_noisy = [&](Index t) {
    p.iterations = t;
    return noise_deviation(estimator_parameters(p), n, dimension) *
               std::sqrt(static_cast<double>(dimension)) >
           problem.gradient_bound / 8;
  };
  // The noise grows with T.
  Index low = 1, high = 2;
  while (high < (Index{1} << 40) && !too_noisy(high)) high *= 2;
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (too_noisy(middle) ? high : low) = middle;
  }
  p.iterations = low;
  p.step = 2 * problem.radius / (problem.gradient_bound * std::sqrt(static_cast<double>(low)));
  return p;
}

DpScoParameters strongly_convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                             double epsilon, double delta,
                                             double failure_probability) {
  validate(problem, epsilon, delta);
  const double records = static_cast<double>(n), d = static_cast<double>(dimension);
  const double alpha = problem.alpha, beta = problem.beta, v = problem.order;
  const double share = v / (1 + v), root = std::pow(problem.moment, 1 / (1 + v));
  double t = 1;
  for (int k = 0; k < 20; ++k) {  // V depends on T, and T on V only by its logarithm
    const double error =
        std::sqrt(d) * root * std::pow(t / records, share) +
        root * std::pow(d, (1 + 2 * v) / (2 + 2 * v)) * std::pow(t / (epsilon * records), share);
    const double contraction = 1 - alpha * beta / std::pow(alpha + beta, 2);
    t = std::clamp(
        std::ceil(std::log((alpha + beta) * error / (alpha * beta)) / std::log(contraction)), 1.0,
        records);
  }
  DpScoParameters p{
      .branch = Branch::strongly_convex,
      .radius = problem.radius,
      .initial = VectorXd::Zero(dimension),
      .step = 1 / (alpha + beta),
      .iterations = static_cast<Index>(t),
      .truncation = std::pow(problem.moment * epsilon * records / (t * std::sqrt(d)), 1 / (1 + v)),
      .epsilon = epsilon,
      .delta = delta};
  p.blocks = block_count(n / p.iterations, dimension, failure_probability);
  return p;
}

double strongly_convex_bound(double n, double dimension, const ScoProblem& problem, double epsilon,
                             double iterations) {
  const double v = problem.order, alpha = problem.alpha, beta = problem.beta;
  return std::pow((2 * problem.radius + 1) * (alpha + beta) / alpha, 2) / beta *
         std::pow(problem.moment, 2 / (1 + v)) * std::pow(dimension, (1 + 2 * v) / (1 + v)) *
         std::pow(iterations / (epsilon * n), 2 * v / (1 + v));
}

}  // namespace dpverify::tao
