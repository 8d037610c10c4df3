// Objectives that are sums of losses of linear forms: what perturbing one costs.
#pragma once

#include <optional>

#include "algorithms/core/composition.hpp"
#include "algorithms/core/laws/objective_perturbation.hpp"

namespace dpverify {

// The sum over the records of losses, each a convex function of one linear form of theta (a
// generalised linear model), and a regularisation that all datasets share, whose modulus is
// strong_convexity().
class GeneralisedLinearObjective : public Objective {
 public:
  // An upper bound, over every record that may enter and the domain, on the one eigenvalue of the
  // Hessian of its loss that is not 0.
  virtual double record_curvature() const = 0;
};

// mu = sensitivity/standard deviation, the sensitivity being twice a bound on the norm of the
// gradient of a record's loss; log_determinant = log(1 + record_curvature/strong_convexity): the
// Hessian without the record is at least the regularisation's. Empty for other objectives.
std::optional<ObjectiveCost> objective_cost(const ObjectivePerturbation& law);

}  // namespace dpverify
