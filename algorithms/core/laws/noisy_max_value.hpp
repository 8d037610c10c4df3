// The noisy maximum with the value that won.
#pragma once

#include "algorithms/core/laws/law_kind.hpp"
#include "algorithms/core/noisy_max.hpp"

namespace dpverify {

// The largest scores[v] + noise itself, after its index if `with_index`: two coordinates, or one.
// The noise of all scores is in the answer: with Laplace noise it is
// (|V| sensitivity/scale)-DP and not (2 sensitivity/scale)-DP, with the others not epsilon-DP for
// any epsilon.
struct NoisyMaxValue {
  VectorXd scores;         // |V| >= 1, finite
  double sensitivity = 0;  // max_v |u(D,v) - u(D',v)|
  double scale = 1;        // > 0
  MaxNoise noise = MaxNoise::laplace;
  bool with_index = true;

  static constexpr std::string_view name = "noisy maximum with its value";
  const VectorXd& pre_noise_value() const { return scores; }
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const;
  PrivacyCost cost() const;
  Index outcome_size() const { return with_index ? 2 : 1; }
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const NoisyMaxValue& other) const;
  bool same_noise(const NoisyMaxValue& other) const;
  double distance(const NoisyMaxValue& neighbour, const VectorXd* outcome) const;
  NoisyMaxValue without_data() const;
  NoisyMaxValue with_noise_times(double factor) const;
};

}  // namespace dpverify
