#include "algorithms/core/generalised_linear.hpp"

#include <cmath>

namespace dpverify {

std::optional<ObjectiveCost> objective_cost(const ObjectivePerturbation& law) {
  const auto* objective = dynamic_cast<const GeneralisedLinearObjective*>(law.objective.get());
  if (objective == nullptr) return std::nullopt;
  return ObjectiveCost{
      .mu = law.sensitivity / law.standard_deviation,
      .log_determinant = std::log1p(objective->record_curvature() / objective->strong_convexity()),
      .one_dimension = objective->dimension() == 1};
}

}  // namespace dpverify
