// What every law has. A law is a struct with these members; one that lacks any of them is not a
// LawKind and cannot be an alternative of Law. There are no defaults.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// An index for a law on a finite set, a vector otherwise.
using Outcome = std::variant<Index, VectorXd>;

// What a release costs on neighbouring datasets, given its sensitivity: the law is epsilon-DP,
// mu-GDP and rho-zCDP, each with infinity where it promises nothing better.
struct PrivacyCost {
  double epsilon = infinity;
  double mu = infinity;
  double rho = infinity;
};

// Of a law all of whose losses are at most epsilon (Bun and Steinke, 2016), and of one whose losses
// lie within a range of that length, as those of the exponential mechanism do (Cesar and Rogers,
// 2021).
inline PrivacyCost pure_cost(double epsilon) {
  return {.epsilon = epsilon, .rho = epsilon * epsilon / 2};
}
inline PrivacyCost bounded_range_cost(double epsilon) {
  return {.epsilon = epsilon, .rho = epsilon * epsilon / 8};
}

// clang-format off
template <class L, class Drawn>
concept LawDrawing =
    requires(const L law, const L neighbour, RandomStream& stream, const Drawn* outcome) {
      { L::name } -> std::convertible_to<std::string_view>;
      // What the law promises of its pre-noise value, in the law's own norm; 0 if it has none.
      { law.sensitivity } -> std::convertible_to<double>;
      // The scores of a finite law, the value of another; throws std::invalid_argument if there is
      // none.
      { law.pre_noise_value() } -> std::same_as<const VectorXd&>;
      // Throws NonFiniteRelease if the pre-noise value is not finite, std::invalid_argument if the
      // noise or the sensitivity is out of its domain.
      { law.validate() } -> std::same_as<void>;
      { law.draw(stream) } -> std::same_as<Drawn>;
      // What it gives without its noise; throws std::invalid_argument if the noise is inside.
      { law.noiseless_outcome() } -> std::same_as<Drawn>;
      { law.cost() } -> std::same_as<PrivacyCost>;
      // The same number of outcomes or coordinates.
      { law.same_shape(neighbour) } -> std::same_as<bool>;
      // The following two need laws of the same shape. The noise, the sensitivity apart:
      { law.same_noise(neighbour) } -> std::same_as<bool>;
      // How far apart the pre-noise values are, in the law's norm; infinity if one is NaN. The
      // outcome, which may be null, is one more place to look at where not all can be.
      { law.distance(neighbour, outcome) } -> std::same_as<double>;
      // Same noise, pre-noise value 0; throws std::invalid_argument if that cannot be made.
      { law.without_data() } -> std::same_as<L>;
      // Noise and declared sensitivity times a factor > 0, so that the declared cost is the same;
      // throws std::invalid_argument if the noise is inside.
      { law.with_noise_times(1.0) } -> std::same_as<L>;
    };

// On a finite set: outcomes are 0..support_size() - 1.
template <class L>
concept FiniteLaw = LawDrawing<L, Index> && requires(const L law) {
  { law.support_size() } -> std::same_as<Index>;
  // Of every outcome; -infinity allowed.
  { law.log_probabilities() } -> std::same_as<VectorXd>;
};

// On vectors of outcome_size() numbers.
template <class L>
concept ContinuousLaw =
    LawDrawing<L, VectorXd> && requires(const L law, const VectorXd& point) {
  { law.outcome_size() } -> std::same_as<Index>;
  // -infinity outside the support.
  { law.log_density_at(point) } -> std::same_as<double>;
};
// clang-format on

template <class L>
concept LawKind = FiniteLaw<L> || ContinuousLaw<L>;

}  // namespace dpverify
