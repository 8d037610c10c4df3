// Shuffling.
#pragma once

#include "algorithms/core/laws/law_kind.hpp"

namespace dpverify {

// A uniformly random order of 0..count-1, as numbers: shuffling, which costs nothing.
struct UniformPermutation {
  Index count = 1;

  static constexpr std::string_view name = "uniform permutation";
  static constexpr double sensitivity = 0;
  const VectorXd& pre_noise_value() const;  // throws: there is none
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const;  // the identical order
  PrivacyCost cost() const { return {.epsilon = 0, .mu = 0, .rho = 0}; }
  Index outcome_size() const { return count; }
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const UniformPermutation& other) const { return count == other.count; }
  bool same_noise(const UniformPermutation&) const { return true; }
  double distance(const UniformPermutation&, const VectorXd*) const { return 0; }
  UniformPermutation without_data() const { return *this; }
  UniformPermutation with_noise_times(double) const { return *this; }  // nothing is added
};

}  // namespace dpverify
