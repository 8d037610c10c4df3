// What the laws' members share.
#pragma once

#include <string_view>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// Throws std::invalid_argument if the value is empty, NonFiniteRelease if an entry is not finite.
void check_pre_noise_value(const VectorXd& value, std::string_view law_name);
void check_sensitivity(double sensitivity);          // finite, >= 0
void check_noise_scale(double scale);                // finite, > 0
void check_selection_coefficient(double per_score);  // finite, >= 0: 0 is a uniform choice

// A norm of the difference of two values; infinity if an entry of it is not finite.
template <class Norm>
double distance_in(const Norm& norm, const VectorXd& value, const VectorXd& other) {
  const VectorXd difference = value - other;
  if (!difference.allFinite()) return infinity;
  return norm(difference);
}
double largest_distance(const VectorXd& value, const VectorXd& other);

Index best_of(const VectorXd& scores);  // the first of the largest

}  // namespace dpverify
