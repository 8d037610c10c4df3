// Laws that choose one of finitely many candidates by its score.
#pragma once

#include "algorithms/core/laws/law_kind.hpp"
#include "algorithms/core/noisy_max.hpp"

namespace dpverify {

// How a change of scores is measured.
//   largest:    max_v |u(D,v) - u(D',v)|, the textbook sensitivity of a score.
//   half_range: half of max_v (u - u') - min_v (u - u'). The exponential mechanism feels only this:
//               adding one constant to all scores changes nothing. Never above `largest`.
enum class ScoreChange { largest, half_range };

// P(v) proportional to exp(coefficient * scores[v]), v = 0..|V|-1.
// epsilon-DP, epsilon = 2 * coefficient * sensitivity (McSherry and Talwar, 2007), and
// epsilon^2/8-zCDP (Cesar and Rogers, 2021).
struct ExponentialMechanism {
  VectorXd scores;         // |V| >= 1, finite
  double sensitivity = 0;  // of the scores, measured as `change` says; > 0
  double coefficient = 0;  // per unit of score, >= 0
  ScoreChange change = ScoreChange::largest;

  // The textbook form: P(v) proportional to exp(epsilon * scores[v] / (2 * sensitivity)).
  static ExponentialMechanism with_epsilon(VectorXd scores, double sensitivity, double epsilon,
                                           ScoreChange change = ScoreChange::largest);

  static constexpr std::string_view name = "exponential mechanism";
  const VectorXd& pre_noise_value() const { return scores; }
  void validate() const;
  Index draw(RandomStream& stream) const;
  Index noiseless_outcome() const;
  PrivacyCost cost() const { return bounded_range_cost(2 * coefficient * sensitivity); }
  Index support_size() const { return scores.size(); }
  VectorXd log_probabilities() const;  // normalised in the log domain
  bool same_shape(const ExponentialMechanism& other) const;
  bool same_noise(const ExponentialMechanism& other) const;
  double distance(const ExponentialMechanism& neighbour, const Index* outcome) const;
  ExponentialMechanism without_data() const;
  ExponentialMechanism with_noise_times(double factor) const;
};

// The index v with the largest scores[v] + independent noise of the given scale.
// (2 sensitivity/scale)-DP, sensitivity the largest change of a score (report noisy max). With
// Gumbel noise it is the exponential mechanism of coefficient 1/scale.
struct NoisyMax {
  VectorXd scores;         // |V| >= 1, finite
  double sensitivity = 0;  // max_v |u(D,v) - u(D',v)|
  double scale = 1;        // > 0
  MaxNoise noise = MaxNoise::laplace;

  static constexpr std::string_view name = "noisy maximum";
  const VectorXd& pre_noise_value() const { return scores; }
  void validate() const;
  Index draw(RandomStream& stream) const;
  Index noiseless_outcome() const;
  PrivacyCost cost() const;
  Index support_size() const { return scores.size(); }
  VectorXd log_probabilities() const;  // integrated to a relative 1e-11
  bool same_shape(const NoisyMax& other) const;
  bool same_noise(const NoisyMax& other) const;
  double distance(const NoisyMax& neighbour, const Index* outcome) const;
  NoisyMax without_data() const;
  NoisyMax with_noise_times(double factor) const;
};

// Goes through the candidates in random order and takes v with probability
// exp(coefficient * (scores[v] - largest score)), else goes on (McKenna and Sheldon, 2020).
// (2 * coefficient * sensitivity)-DP; the law of NoisyMax with exponential noise of scale
// 1/coefficient (Ding et al., 2021). Unlike the exponential mechanism it has no better zCDP
// guarantee than that of a pure one.
struct PermuteAndFlip {
  VectorXd scores;         // |V| >= 1, finite
  double sensitivity = 0;  // max_v |u(D,v) - u(D',v)|
  double coefficient = 0;  // per unit of score, > 0

  static constexpr std::string_view name = "permute-and-flip";
  const VectorXd& pre_noise_value() const { return scores; }
  void validate() const;
  Index draw(RandomStream& stream) const;
  Index noiseless_outcome() const;
  PrivacyCost cost() const { return pure_cost(2 * coefficient * sensitivity); }
  Index support_size() const { return scores.size(); }
  VectorXd log_probabilities() const;  // integrated to a relative 1e-11
  bool same_shape(const PermuteAndFlip& other) const;
  bool same_noise(const PermuteAndFlip& other) const;
  double distance(const PermuteAndFlip& neighbour, const Index* outcome) const;
  PermuteAndFlip without_data() const;
  PermuteAndFlip with_noise_times(double factor) const;
};

}  // namespace dpverify
