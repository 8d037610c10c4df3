#include "algorithms/hu/dp_frank_wolfe.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify::hu {

void validate(const FrankWolfeParameters& p, const Dataset& data) {
  require(positive_and_finite, "epsilon", p.epsilon);
  require(p.iterations >= 1 && p.iterations <= data.size(), "iterations T",
          static_cast<double>(p.iterations),
          "in 1.." + std::to_string(data.size()) + " (the number of records)");
  require(p.polytope.dimension() == data.dimension(), "dimension of the polytope",
          static_cast<double>(p.polytope.dimension()),
          "the number of features, " + std::to_string(data.dimension()));
  require(p.initial.size() == data.dimension(), "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(data.dimension()));
  require(fraction_or_one, "step factor", p.step_factor);
}

namespace {

double log_vertices(const Polytope& polytope) {
  return std::log(static_cast<double>(polytope.vertex_count()));
}

}  // namespace

double score_sensitivity(const FrankWolfeParameters& p, Index part_size) {
  const double coordinate = 2 * truncation_limit * p.scale / static_cast<double>(part_size);
  const double printed = p.polytope.diameter_l1() * coordinate;
  return p.sensitivity == Edition::printed ? printed
                                           : printed / 2 * std::erf(std::sqrt(p.beta / 2));
}

VectorXd dp_frank_wolfe(const Dataset& data, const FrankWolfeParameters& p, Releases& releases) {
  validate(p, data);
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const DataView part = data.part(t, p.iterations);     // step 2
    const auto law = ExponentialMechanism::with_epsilon(  // step 6
        VectorXd::Zero(p.polytope.vertex_count()), score_sensitivity(p, part.size()), p.epsilon,
        p.sensitivity == Edition::printed ? ScoreChange::largest : ScoreChange::half_range);
    const Index v = releases.select(law, [&]() -> VectorXd {
      const VectorXd g =
          robust_mean(gradients(p.loss, w, part), p.scale, p.beta, p.estimator);  // steps 4, 5
      return -p.polytope.products(g);
    });
    w += p.step_factor * step_size(p.step, t, p.iterations) * (p.polytope.vertex(v) - w);  // step 7
  }
  return w;
}

FrankWolfeParameters from_theorem(Index n, double epsilon, Polytope polytope, Loss loss,
                                  const SmoothProblem& problem) {
  require(fraction, "failure probability", problem.failure_probability);
  require(positive, "smoothness alpha", problem.smoothness);
  require(positive, "second moment tau", problem.second_moment);
  const double budget = static_cast<double>(n) * epsilon;
  const double log_union =
      log_vertices(polytope) +
      std::log(static_cast<double>(polytope.dimension()) / problem.failure_probability);
  const double t = std::cbrt(budget * problem.smoothness * problem.smoothness /
                             (problem.second_moment * log_union));
  FrankWolfeParameters p;
  p.loss = loss;
  p.iterations = std::clamp<Index>(static_cast<Index>(t), 1, n);
  const auto iterations = static_cast<double>(p.iterations);
  p.scale =
      std::sqrt(budget * problem.second_moment / (iterations * (log_union + std::log(iterations))));
  p.epsilon = epsilon;
  p.initial = polytope.centre();
  p.polytope = std::move(polytope);
  return p;
}

FrankWolfeParameters from_experiments(Index n, double epsilon, Polytope polytope, Loss loss) {
  const double budget = static_cast<double>(n) * epsilon;
  FrankWolfeParameters p;
  p.loss = loss;
  p.iterations = std::clamp<Index>(static_cast<Index>(std::cbrt(budget)), 1, n);
  p.scale = std::max(1.0, std::floor(budget));
  p.epsilon = epsilon;
  p.step = Step::experiments;
  p.sensitivity = Edition::printed;
  p.initial = polytope.centre();
  p.polytope = std::move(polytope);
  return p;
}

double theorem_bound(Index n, double epsilon, const Polytope& polytope,
                     const SmoothProblem& problem) {
  const double logs =
      std::log(static_cast<double>(n)) + log_vertices(polytope) +
      std::log(static_cast<double>(polytope.dimension()) / problem.failure_probability);
  return polytope.diameter_l1() * std::cbrt(problem.smoothness * problem.second_moment * logs) /
         std::cbrt(static_cast<double>(n) * epsilon);
}

}  // namespace dpverify::hu
