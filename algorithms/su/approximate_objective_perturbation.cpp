#include "algorithms/su/approximate_objective_perturbation.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {
namespace {

void validate(const ApproximateObjectivePerturbationParameters& p) {
  require(positive_and_finite, "accuracy alpha", p.accuracy);
  require(positive_and_finite, "sensitivity of the approximation", p.approximation_sensitivity);
  require(positive_and_finite, "standard deviation sigma_2", p.standard_deviation);
}

void validate_theorem(Index n, double epsilon, double delta, double lipschitz) {
  require(n >= 1, "number of records n", static_cast<double>(n), "at least 1");
  require(positive_and_finite, "epsilon", epsilon);
  require(fraction, "delta", delta);
  require(positive_and_finite, "Lipschitz constant L", lipschitz);
}

VectorXd newton(const Objective& objective, const VectorXd& linear, double accuracy) {
  return minimise(objective, linear, accuracy).theta;
}

}  // namespace

VectorXd approximate_objective_perturbation(const std::shared_ptr<const Objective>& objective,
                                            Index n,
                                            const ApproximateObjectivePerturbationParameters& p,
                                            Releases& releases) {
  validate(p);
  const VectorXd theta_1 =
      releases.release(ObjectivePerturbation{.objective = objective,
                                             .sensitivity = 2 * lipschitz_constant(p.objective),
                                             .standard_deviation = p.objective.standard_deviation});
  // theta_1 is stationary for this linear term, and on the boundary for many others. The objective
  // is n J.
  const VectorXd linear = -objective->gradient(theta_1);
  const double accuracy = p.accuracy * static_cast<double>(n);
  const VectorXd theta_2 = (p.solver ? p.solver : newton)(*objective, linear, accuracy);
  const VectorXd noisy =
      releases.release(GaussianNoise{.value = theta_2,
                                     .sensitivity = p.approximation_sensitivity,
                                     .standard_deviation = p.standard_deviation});
  const double norm = noisy.norm(), radius = p.objective.radius;
  return norm > radius ? VectorXd(noisy * (radius / norm)) : noisy;
}

VectorXd approximate_objective_perturbation(const Dataset& data,
                                            const ApproximateObjectivePerturbationParameters& p,
                                            Releases& releases) {
  return approximate_objective_perturbation(regularised_objective(data, p.objective), data.size(),
                                            p, releases);
}

ApproximateObjectivePerturbationParameters theorem_2_on(const ConvexBody& body, Index n,
                                                        double epsilon, double delta,
                                                        double lipschitz, double smoothness) {
  validate_theorem(n, epsilon, delta, lipschitz);
  ApproximateObjectivePerturbationParameters p{
      .objective = {.lipschitz = lipschitz, .radius = euclidean_radius(body)}};
  const double size = static_cast<double>(n), width = gaussian_width(body),
               diameter = 2 * p.objective.radius;
  const double noise = std::log(2.5 / delta) / (epsilon * epsilon);
  p.objective.standard_deviation = lipschitz * std::sqrt(128 * noise);
  p.objective.ridge = std::max(lipschitz / (std::sqrt(size) * diameter),
                               rank_of_change(body.dimension) * smoothness / (epsilon * size));
  p.accuracy = std::min(lipschitz * diameter / std::pow(size, 1.5),
                        epsilon * epsilon * lipschitz * std::pow(diameter, 3) /
                            (width * width * -std::log(delta) * std::pow(size, 2.5)));
  p.standard_deviation = std::sqrt(64 * p.accuracy * noise / p.objective.ridge);
  p.approximation_sensitivity = 2 * std::sqrt(2 / modulus(p.objective) * p.accuracy);
  return p;
}

ApproximateObjectivePerturbationParameters approximate_objective_perturbation_from_theorem(
    Edition edition, Index n, Index dimension, double epsilon, double delta, Loss loss,
    double lipschitz, double radius, double strong_convexity) {
  validate_theorem(n, epsilon, delta, lipschitz);
  require(positive_and_finite, "radius of C", radius);
  require(not_negative_and_finite, "strong convexity Delta", strong_convexity);
  const bool printed = edition == Edition::printed;
  const ConvexBody ball{.p = 2, .radius = radius, .dimension = dimension};
  if (strong_convexity == 0) {
    auto p = theorem_2_on(ball, n, epsilon, delta, lipschitz, smoothness(loss, lipschitz));
    p.objective.loss = loss;
    if (printed) p.approximation_sensitivity = 2 * std::sqrt(2 / p.objective.ridge * p.accuracy);
    return p;
  }
  ApproximateObjectivePerturbationParameters p{.objective = {.loss = loss,
                                                             .lipschitz = lipschitz,
                                                             .radius = radius,
                                                             .strong_convexity = strong_convexity}};
  const double size = static_cast<double>(n), l = lipschitz_constant(p.objective),
               diameter = 2 * radius, width = gaussian_width(ball);
  const double enough = rank_of_change(dimension) * smoothness(p.objective) / (epsilon * size);
  const double noise = std::log(2.5 / delta) / (epsilon * epsilon);
  p.objective.standard_deviation = l * std::sqrt(128 * noise);
  const double own = printed ? strong_convexity : strong_convexity / (2 * radius * radius);
  p.objective.ridge = std::max(enough - own, 0.0);
  p.accuracy = std::min(
      std::pow(l * diameter, 2) / (strong_convexity * size * size),
      std::pow(l, 4) * std::pow(diameter, 6) * epsilon * epsilon /
          (std::pow(strong_convexity, 3) * std::pow(size, 4) * width * width * -std::log(delta)));
  p.standard_deviation =
      std::sqrt(64 * p.accuracy * noise * diameter * diameter / strong_convexity);
  // theta_2 lies within the root of this times alpha around theta_1.
  const double radius_squared =
      printed ? 2 * diameter * diameter / strong_convexity : 2 / modulus(p.objective);
  p.approximation_sensitivity = 2 * std::sqrt(radius_squared * p.accuracy);
  return p;
}

}  // namespace dpverify::su
