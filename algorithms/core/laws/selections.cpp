#include "algorithms/core/laws/selections.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/laws/checks.hpp"

namespace dpverify {
namespace {

// coefficient * (score - largest score), in halves: the difference of two finite scores may itself
// overflow.
VectorXd log_weights(const ExponentialMechanism& law) {
  return 2 * (law.coefficient * (law.scores.array() / 2 - law.scores.maxCoeff() / 2));
}

}  // namespace

// ---- Exponential mechanism

ExponentialMechanism ExponentialMechanism::with_epsilon(VectorXd scores, double sensitivity,
                                                        double epsilon, ScoreChange change) {
  require(positive_and_finite, "score sensitivity", sensitivity);
  return {std::move(scores), sensitivity, epsilon / (2 * sensitivity), change};
}

void ExponentialMechanism::validate() const {
  check_pre_noise_value(scores, name);
  check_sensitivity(sensitivity);
  check_selection_coefficient(coefficient);
}

Index ExponentialMechanism::draw(RandomStream& stream) const {
  const VectorXd weights = log_weights(*this).array().exp();
  double left = stream.uniform() * weights.sum();
  Index last = 0;
  for (Index v = 0; v < weights.size(); ++v) {
    if (weights[v] <= 0) continue;
    last = v;
    left -= weights[v];
    if (left < 0) break;
  }
  return last;
}

Index ExponentialMechanism::noiseless_outcome() const { return best_of(scores); }

VectorXd ExponentialMechanism::log_probabilities() const {
  const VectorXd logits = log_weights(*this);
  return logits.array() - std::log(logits.array().exp().sum());
}

bool ExponentialMechanism::same_shape(const ExponentialMechanism& other) const {
  return scores.size() == other.scores.size();
}

bool ExponentialMechanism::same_noise(const ExponentialMechanism& other) const {
  return coefficient == other.coefficient;
}

double ExponentialMechanism::distance(const ExponentialMechanism& neighbour, const Index*) const {
  if (change == ScoreChange::largest) return largest_distance(scores, neighbour.scores);
  return distance_in([](const VectorXd& x) { return (x.maxCoeff() - x.minCoeff()) / 2; }, scores,
                     neighbour.scores);
}

ExponentialMechanism ExponentialMechanism::without_data() const {
  return {VectorXd::Zero(scores.size()), sensitivity, coefficient, change};
}

ExponentialMechanism ExponentialMechanism::with_noise_times(double factor) const {
  return {scores, sensitivity * factor, coefficient / factor, change};
}

// ---- Noisy maximum

void NoisyMax::validate() const {
  check_pre_noise_value(scores, name);
  check_sensitivity(sensitivity);
  check_noise_scale(scale);
}

Index NoisyMax::draw(RandomStream& stream) const {
  return draw_noisy_max(scores, scale, noise, stream).index;
}

Index NoisyMax::noiseless_outcome() const { return best_of(scores); }

PrivacyCost NoisyMax::cost() const {
  const double epsilon = 2 * sensitivity / scale;
  return noise == MaxNoise::gumbel ? bounded_range_cost(epsilon) : pure_cost(epsilon);
}

VectorXd NoisyMax::log_probabilities() const {
  return noisy_max_log_probabilities(scores, scale, noise);
}

bool NoisyMax::same_shape(const NoisyMax& other) const {
  return scores.size() == other.scores.size();
}

bool NoisyMax::same_noise(const NoisyMax& other) const {
  return scale == other.scale && noise == other.noise;
}

double NoisyMax::distance(const NoisyMax& neighbour, const Index*) const {
  return largest_distance(scores, neighbour.scores);
}

NoisyMax NoisyMax::without_data() const {
  return {VectorXd::Zero(scores.size()), sensitivity, scale, noise};
}

NoisyMax NoisyMax::with_noise_times(double factor) const {
  return {scores, sensitivity * factor, scale * factor, noise};
}

// ---- Permute-and-flip

void PermuteAndFlip::validate() const {
  check_pre_noise_value(scores, name);
  check_sensitivity(sensitivity);
  check_selection_coefficient(coefficient);
}

Index PermuteAndFlip::draw(RandomStream& stream) const {
  const double best = scores.maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t left = order.size(); left > 0; --left) {
    std::swap(order[left - 1],
              order[static_cast<std::size_t>(stream.index(static_cast<Index>(left)))]);
    const Index v = order[left - 1];
    const double chance = std::exp(2 * (coefficient * (scores[v] / 2 - best / 2)));
    // The best candidate is always taken, so that the loop ends here.
    if (scores[v] == best || stream.uniform() < chance) return v;
  }
  throw std::logic_error("permute-and-flip found no best candidate");
}

Index PermuteAndFlip::noiseless_outcome() const { return best_of(scores); }

VectorXd PermuteAndFlip::log_probabilities() const {
  return noisy_max_log_probabilities(scores, 1 / coefficient, MaxNoise::exponential);
}

bool PermuteAndFlip::same_shape(const PermuteAndFlip& other) const {
  return scores.size() == other.scores.size();
}

bool PermuteAndFlip::same_noise(const PermuteAndFlip& other) const {
  return coefficient == other.coefficient;
}

double PermuteAndFlip::distance(const PermuteAndFlip& neighbour, const Index*) const {
  return largest_distance(scores, neighbour.scores);
}

PermuteAndFlip PermuteAndFlip::without_data() const {
  return {VectorXd::Zero(scores.size()), sensitivity, coefficient};
}

PermuteAndFlip PermuteAndFlip::with_noise_times(double factor) const {
  return {scores, sensitivity * factor, coefficient / factor};
}

}  // namespace dpverify
