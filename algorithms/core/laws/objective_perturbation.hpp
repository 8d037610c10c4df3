// The minimiser of an objective with a random linear term.
#pragma once

#include <memory>

#include "algorithms/core/laws/law_kind.hpp"
#include "algorithms/core/objective.hpp"

namespace dpverify {

// The minimiser of objective(theta) + <g, theta>, g ~ N(0, standard_deviation^2 I), accurate to
// doubles (objective perturbation; Kifer, Smith and Thakurta, 2012). `sensitivity` is the largest
// ||gradient difference||_2 over the domain. What it costs depends on the Hessians too: no
// guarantee is declared.
struct ObjectivePerturbation {
  std::shared_ptr<const Objective> objective;
  double sensitivity = 0;
  double standard_deviation = 1;  // > 0

  static constexpr std::string_view name = "objective perturbation";
  const VectorXd& pre_noise_value() const;  // throws: an objective has none
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const;
  PrivacyCost cost() const { return {}; }
  Index outcome_size() const { return objective->dimension(); }
  // On the boundary of the domain with respect to its surface.
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const ObjectivePerturbation& other) const;
  bool same_noise(const ObjectivePerturbation& other) const;  // and domain
  // Of the gradients, at some points and at the outcome: a lower bound.
  double distance(const ObjectivePerturbation& neighbour, const VectorXd* outcome) const;
  ObjectivePerturbation without_data() const;
  ObjectivePerturbation with_noise_times(double factor) const;
};

}  // namespace dpverify
