#include "algorithms/core/laws/objective_perturbation.hpp"

#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/laws/checks.hpp"

namespace dpverify {

const VectorXd& ObjectivePerturbation::pre_noise_value() const {
  throw std::invalid_argument("an objective has no pre-noise value");
}

void ObjectivePerturbation::validate() const {
  require(objective != nullptr, "objective", "missing", "set");
  check_sensitivity(sensitivity);
  check_noise_scale(standard_deviation);
}

VectorXd ObjectivePerturbation::draw(RandomStream& stream) const {
  return minimise(*objective, standard_deviation * stream.normal_vector(objective->dimension()))
      .theta;
}

VectorXd ObjectivePerturbation::noiseless_outcome() const {
  return minimise(*objective, VectorXd::Zero(objective->dimension())).theta;
}

double ObjectivePerturbation::log_density_at(const VectorXd& point) const {
  return minimiser_log_density(*objective, standard_deviation, point);
}

bool ObjectivePerturbation::same_shape(const ObjectivePerturbation& other) const {
  return objective->dimension() == other.objective->dimension();
}

bool ObjectivePerturbation::same_noise(const ObjectivePerturbation& other) const {
  return standard_deviation == other.standard_deviation &&
         objective->radius() == other.objective->radius();
}

double ObjectivePerturbation::distance(const ObjectivePerturbation& neighbour,
                                       const VectorXd* outcome) const {
  return gradient_distance(*objective, *neighbour.objective, outcome);
}

ObjectivePerturbation ObjectivePerturbation::without_data() const {
  return {objective->without_data(), sensitivity, standard_deviation};
}

ObjectivePerturbation ObjectivePerturbation::with_noise_times(double factor) const {
  return {objective, sensitivity * factor, standard_deviation * factor};
}

}  // namespace dpverify
