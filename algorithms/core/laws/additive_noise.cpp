#include "algorithms/core/laws/additive_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/laws/checks.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify {

// ---- Laplace noise

void LaplaceNoise::validate() const {
  check_pre_noise_value(value, name);
  check_sensitivity(sensitivity);
  check_noise_scale(scale);
}

VectorXd LaplaceNoise::draw(RandomStream& stream) const {
  VectorXd out = value;
  for (double& x : out) x += scale * stream.laplace();
  return out;
}

double LaplaceNoise::log_density_at(const VectorXd& point) const {
  const VectorXd noise = point - value;
  return -noise.lpNorm<1>() / scale - static_cast<double>(value.size()) * std::log(2 * scale);
}

bool LaplaceNoise::same_shape(const LaplaceNoise& other) const {
  return value.size() == other.value.size();
}

bool LaplaceNoise::same_noise(const LaplaceNoise& other) const { return scale == other.scale; }

double LaplaceNoise::distance(const LaplaceNoise& neighbour, const VectorXd*) const {
  return distance_in([](const VectorXd& x) { return x.lpNorm<1>(); }, value, neighbour.value);
}

LaplaceNoise LaplaceNoise::without_data() const {
  return {VectorXd::Zero(value.size()), sensitivity, scale};
}

LaplaceNoise LaplaceNoise::with_noise_times(double factor) const {
  return {value, sensitivity * factor, scale * factor};
}

// ---- Gaussian noise

void GaussianNoise::validate() const {
  check_pre_noise_value(value, name);
  check_sensitivity(sensitivity);
  check_noise_scale(standard_deviation);
}

VectorXd GaussianNoise::draw(RandomStream& stream) const {
  return value + standard_deviation * stream.normal_vector(value.size());
}

PrivacyCost GaussianNoise::cost() const {
  const double mu = sensitivity / standard_deviation;
  return {.mu = mu, .rho = mu * mu / 2};
}

double GaussianNoise::log_density_at(const VectorXd& point) const {
  const VectorXd noise = point - value;
  return -0.5 * (noise / standard_deviation).squaredNorm() -
         static_cast<double>(value.size()) *
             std::log(standard_deviation * std::sqrt(2 * std::numbers::pi));
}

bool GaussianNoise::same_shape(const GaussianNoise& other) const {
  return value.size() == other.value.size();
}

bool GaussianNoise::same_noise(const GaussianNoise& other) const {
  return standard_deviation == other.standard_deviation;
}

double GaussianNoise::distance(const GaussianNoise& neighbour, const VectorXd*) const {
  return distance_in([](const VectorXd& x) { return x.norm(); }, value, neighbour.value);
}

GaussianNoise GaussianNoise::without_data() const {
  return {VectorXd::Zero(value.size()), sensitivity, standard_deviation};
}

GaussianNoise GaussianNoise::with_noise_times(double factor) const {
  return {value, sensitivity * factor, standard_deviation * factor};
}

// ---- Generalised Gaussian noise

void GeneralisedGaussianNoise::validate() const {
  check_pre_noise_value(value, name);
  check_sensitivity(sensitivity);
  require(norm >= 1, "exponent of a norm", norm, "in [1, infinity]");
  require(change_norm >= 1, "exponent of a norm", change_norm, "in [1, infinity]");
  check_noise_scale(scale);
}

// A chi-distributed radius times a direction of the cone measure: x/||x||_r with |x_i| of density
// proportional to exp(-|x_i|^r). |x_i| is drawn as G^(1/r) U, G of shape 1 + 1/r, because a gamma
// variable of shape 1/r underflows for large r.
VectorXd GeneralisedGaussianNoise::draw(RandomStream& stream) const {
  const Index d = value.size();
  const double r = norm;
  if (r == 2) return value + scale * stream.normal_vector(d);  // the same, at less cost
  VectorXd x(d);
  for (double& entry : x) {
    const double power = std::isinf(r) ? 1 : std::pow(stream.gamma(1 + 1 / r), 1 / r);
    const double u = 2 * stream.uniform() - 1;
    entry = power * u;
  }
  const double radius = scale * std::sqrt(2 * stream.gamma(static_cast<double>(d) / 2));
  return value + radius / lp_norm(x, r) * x;
}

PrivacyCost GeneralisedGaussianNoise::cost() const {
  if (norm < 2 || std::isinf(norm)) return {};
  const double stretch =
      std::pow(static_cast<double>(value.size()), std::max(0.0, 1 / norm - 1 / change_norm));
  const double moved = stretch * sensitivity / scale;
  PrivacyCost cost{.rho = (norm - 1) * moved * moved / 2};
  if (norm == 2) cost.mu = moved;
  return cost;
}

double GeneralisedGaussianNoise::log_density_at(const VectorXd& point) const {
  const VectorXd noise = point - value;
  const auto d = static_cast<double>(noise.size());
  const double radius = lp_norm(noise, norm) / scale;
  return -radius * radius / 2 - log_ball_volume(norm, noise.size()) -
         d / 2 * std::log(2 * scale * scale) - log_gamma(d / 2 + 1);
}

bool GeneralisedGaussianNoise::same_shape(const GeneralisedGaussianNoise& other) const {
  return value.size() == other.value.size();
}

bool GeneralisedGaussianNoise::same_noise(const GeneralisedGaussianNoise& other) const {
  return scale == other.scale && norm == other.norm && change_norm == other.change_norm;
}

double GeneralisedGaussianNoise::distance(const GeneralisedGaussianNoise& neighbour,
                                          const VectorXd*) const {
  return distance_in([this](const VectorXd& x) { return lp_norm(x, change_norm); }, value,
                     neighbour.value);
}

GeneralisedGaussianNoise GeneralisedGaussianNoise::without_data() const {
  return {VectorXd::Zero(value.size()), sensitivity, norm, change_norm, scale};
}

GeneralisedGaussianNoise GeneralisedGaussianNoise::with_noise_times(double factor) const {
  return {value, sensitivity * factor, norm, change_norm, scale * factor};
}

}  // namespace dpverify
