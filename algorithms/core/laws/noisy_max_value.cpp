#include "algorithms/core/laws/noisy_max_value.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/laws/checks.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

VectorXd shown(Index index, double value, bool with_index) {
  if (!with_index) return VectorXd::Constant(1, value);
  return Eigen::Vector2d(static_cast<double>(index), value);
}

}  // namespace

void NoisyMaxValue::validate() const {
  check_pre_noise_value(scores, name);
  check_sensitivity(sensitivity);
  check_noise_scale(scale);
}

VectorXd NoisyMaxValue::draw(RandomStream& stream) const {
  const NoisyLargest largest = draw_noisy_max(scores, scale, noise, stream);
  return shown(largest.index, largest.value, with_index);
}

VectorXd NoisyMaxValue::noiseless_outcome() const {
  const Index best = best_of(scores);
  return shown(best, scores[best], with_index);
}

PrivacyCost NoisyMaxValue::cost() const {
  if (noise != MaxNoise::laplace) return {};
  return pure_cost(static_cast<double>(scores.size()) * sensitivity / scale);
}

// Of index and value: the noise of v is value - scores[v], that of every other u at most value -
// scores[u]. Of the value alone: summed over v.
double NoisyMaxValue::log_density_at(const VectorXd& point) const {
  const auto count = static_cast<double>(scores.size());
  const double value = point[point.size() - 1];
  const VectorXd z = (value - scores.array()) / scale;
  double all = 0;
  VectorXd cdf(z.size());
  for (Index u = 0; u < z.size(); ++u) all += cdf[u] = max_noise_log_cdf(noise, z[u]);
  const auto at = [&](Index v) {
    // Where a distribution function is 0 so is the density.
    return all == -infinity ? -infinity
                            : max_noise_log_density(noise, z[v]) + all - cdf[v] - std::log(scale);
  };
  if (with_index) {
    const double v = point[0];
    return v >= 0 && v < count && v == std::floor(v) ? at(static_cast<Index>(v)) : -infinity;
  }
  double largest = -infinity;
  for (Index v = 0; v < z.size(); ++v) largest = std::max(largest, at(v));
  if (largest == -infinity) return largest;
  double sum = 0;
  for (Index v = 0; v < z.size(); ++v) sum += std::exp(at(v) - largest);
  return largest + std::log(sum);
}

bool NoisyMaxValue::same_shape(const NoisyMaxValue& other) const {
  return scores.size() == other.scores.size() && with_index == other.with_index;
}

bool NoisyMaxValue::same_noise(const NoisyMaxValue& other) const {
  return scale == other.scale && noise == other.noise;
}

double NoisyMaxValue::distance(const NoisyMaxValue& neighbour, const VectorXd*) const {
  return largest_distance(scores, neighbour.scores);
}

NoisyMaxValue NoisyMaxValue::without_data() const {
  return {VectorXd::Zero(scores.size()), sensitivity, scale, noise, with_index};
}

NoisyMaxValue NoisyMaxValue::with_noise_times(double factor) const {
  return {scores, sensitivity * factor, scale * factor, noise, with_index};
}

}  // namespace dpverify
