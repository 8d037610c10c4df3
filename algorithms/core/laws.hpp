// The laws an algorithm may draw from: what it computed from the data (the pre-noise value), the
// noise, and the sensitivity it relies on.
//
// Neighbouring relation: replace-one. A law's `sensitivity` is a promise: on neighbouring datasets,
// with all earlier outcomes equal, the pre-noise values differ by at most that much in the law's
// own norm. The checks measure it.
//
// To add a law: a struct with the members that laws/law_kind.hpp asks for, in a file pair under
// laws/, and its name in Law below. Nothing else has to know it.
#pragma once

#include <string>
#include <type_traits>
#include <variant>

#include "algorithms/core/laws/additive_noise.hpp"
#include "algorithms/core/laws/grid_selection.hpp"
#include "algorithms/core/laws/law_kind.hpp"
#include "algorithms/core/laws/noisy_max_value.hpp"
#include "algorithms/core/laws/objective_perturbation.hpp"
#include "algorithms/core/laws/programs.hpp"
#include "algorithms/core/laws/selections.hpp"
#include "algorithms/core/laws/uniform_permutation.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {

// The law itself. One that lacks a member does not compile here, and the compiler names the member.
template <FiniteLaw L>
using Finite = L;
template <ContinuousLaw L>
using Continuous = L;

using Law =
    std::variant<Finite<ExponentialMechanism>, Finite<NoisyMax>, Finite<PermuteAndFlip>,
                 Continuous<NoisyMaxValue>, Continuous<LaplaceNoise>, Continuous<GaussianNoise>,
                 Finite<GridExponentialMechanism>, Continuous<GeneralisedGaussianNoise>,
                 Continuous<ObjectivePerturbation>, Continuous<UniformPermutation>,
                 Finite<HiddenSelection>, Continuous<HiddenRelease>>;

// ---- What can be asked of every law: law_kind.hpp says what each means and throws.

const VectorXd& pre_noise_value(const Law& law);
PrivacyCost declared_cost(const Law& law);
double declared_sensitivity(const Law& law);
std::string law_name(const Law& law);
Law without_data(const Law& law);
Law with_noise_times(const Law& law, double factor);
bool same_shape(const Law& law, const Law& other);  // and the same kind of law

void validate(const LawKind auto& law) { law.validate(); }
void validate(const Law& law);

// Both validate first.
Outcome noiseless_outcome(const Law& law);
Outcome sample(const LawKind auto& law, RandomStream& stream) {
  law.validate();
  return law.draw(stream);
}
Outcome sample(const Law& law, RandomStream& stream);

// Number of outcomes of a finite law, 0 if the law is continuous.
template <LawKind L>
Index support_size(const L& law) {
  if constexpr (FiniteLaw<L>)
    return law.support_size();
  else
    return 0;
}
Index support_size(const Law& law);

// log P(v) for every v. Throws std::invalid_argument if the law is not finite, or a grid of more
// than 10^6 cells.
VectorXd log_probabilities(const FiniteLaw auto& law) { return law.log_probabilities(); }
VectorXd log_probabilities(const Law& law);

// The outcome as a finite or a continuous law draws it. Throws std::invalid_argument if it is of
// another kind, or a vector of another size.
Index index_of(const Outcome& outcome);
const VectorXd& vector_of(const Outcome& outcome, Index size);

// Log probability of an index, log density of a vector (of an objective's minimiser on the boundary
// of its domain: with respect to the surface). An outcome outside the support has -infinity. Throws
// std::invalid_argument if the outcome is of another kind than the law's.
template <LawKind L>
double log_density(const L& law, const Outcome& outcome) {
  if constexpr (FiniteLaw<L>) {
    const Index v = index_of(outcome);
    return v < 0 || v >= law.support_size() ? -infinity : law.log_probabilities()[v];
  } else {
    return law.log_density_at(vector_of(outcome, law.outcome_size()));
  }
}
double log_density(const Law& law, const Outcome& outcome);

// How far the pre-noise values of two laws of one release lie apart, in the law's norm. NaN in a
// value gives infinity. `comparable` is false if the noise or the declared sensitivity differs:
// then the noise itself depends on the data. Needs laws of the same shape. Of a grid of more than
// 4096 cells the scores are compared at up to 1000 evenly spaced cells and at the outcome, if
// given, the gradients of two objectives at some points and at the outcome: the distance is then a
// lower bound. Of a program nothing is known: 1.
struct LawChange {
  double distance = 0;
  bool comparable = true;
};
template <LawKind L>
LawChange compare(const L& law, const L& neighbour, const Outcome* outcome = nullptr) {
  using Drawn = std::conditional_t<FiniteLaw<L>, Index, VectorXd>;
  const Drawn* drawn = outcome == nullptr ? nullptr : std::get_if<Drawn>(outcome);
  return {.distance = law.distance(neighbour, drawn),
          .comparable = law.sensitivity == neighbour.sensitivity && law.same_noise(neighbour)};
}
LawChange compare(const Law& law, const Law& neighbour, const Outcome* outcome = nullptr);

}  // namespace dpverify
