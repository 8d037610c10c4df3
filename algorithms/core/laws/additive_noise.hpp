// Laws that add noise to a vector.
#pragma once

#include "algorithms/core/laws/law_kind.hpp"

namespace dpverify {

// value + independent Laplace noise of density exp(-|x|/scale)/(2 scale) in each coordinate.
// (sensitivity/scale)-DP, sensitivity in l1.
struct LaplaceNoise {
  VectorXd value;
  double sensitivity = 0;
  double scale = 1;

  static constexpr std::string_view name = "Laplace noise";
  const VectorXd& pre_noise_value() const { return value; }
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const { return value; }
  PrivacyCost cost() const { return pure_cost(sensitivity / scale); }
  Index outcome_size() const { return value.size(); }
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const LaplaceNoise& other) const;
  bool same_noise(const LaplaceNoise& other) const;
  double distance(const LaplaceNoise& neighbour, const VectorXd* outcome) const;
  LaplaceNoise without_data() const;
  LaplaceNoise with_noise_times(double factor) const;
};

// value + N(0, standard_deviation^2 I). mu-GDP with mu = sensitivity/standard_deviation,
// sensitivity in l2.
struct GaussianNoise {
  VectorXd value;
  double sensitivity = 0;
  double standard_deviation = 1;

  static constexpr std::string_view name = "Gaussian noise";
  const VectorXd& pre_noise_value() const { return value; }
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const { return value; }
  PrivacyCost cost() const;
  Index outcome_size() const { return value.size(); }
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const GaussianNoise& other) const;
  bool same_noise(const GaussianNoise& other) const;
  double distance(const GaussianNoise& neighbour, const VectorXd* outcome) const;
  GaussianNoise without_data() const;
  GaussianNoise with_noise_times(double factor) const;
};

// value + noise of density proportional to exp(-||z||_r^2/(2 scale^2)), r = norm in [1, infinity]
// (Bassily, Guzman and Nandi, 2021): ||z||_r^2/scale^2 is chi-squared with d degrees of freedom.
// rho-zCDP with rho = kappa sensitivity^2/(2 scale^2), kappa = (r - 1) d^(2 max(0, 1/r - 1/q)),
// sensitivity in l_q, q = change_norm; no guarantee for r < 2 or infinite.
struct GeneralisedGaussianNoise {
  VectorXd value;
  double sensitivity = 0;
  double norm = 2;
  double change_norm = 2;
  double scale = 1;  // > 0

  static constexpr std::string_view name = "generalised Gaussian noise";
  const VectorXd& pre_noise_value() const { return value; }
  void validate() const;
  VectorXd draw(RandomStream& stream) const;
  VectorXd noiseless_outcome() const { return value; }
  PrivacyCost cost() const;
  Index outcome_size() const { return value.size(); }
  double log_density_at(const VectorXd& point) const;
  bool same_shape(const GeneralisedGaussianNoise& other) const;
  bool same_noise(const GeneralisedGaussianNoise& other) const;
  double distance(const GeneralisedGaussianNoise& neighbour, const VectorXd* outcome) const;
  GeneralisedGaussianNoise without_data() const;
  GeneralisedGaussianNoise with_noise_times(double factor) const;
};

}  // namespace dpverify
