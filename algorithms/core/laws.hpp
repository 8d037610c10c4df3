// The laws an algorithm may draw from: what it computed from the data (the pre-noise value), the
// noise, and the sensitivity it relies on.
//
// Neighbouring relation: replace-one. A law's `sensitivity` is a promise: on neighbouring datasets,
// with all earlier outcomes equal, the pre-noise values differ by at most that much in the law's
// own norm. The checks measure it.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <variant>

#include "algorithms/core/grid_search.hpp"
#include "algorithms/core/objective.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/types.hpp"

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
};

// The exponential mechanism over the candidate cells of a grid that is not listed: P(cell)
// proportional to exp(coefficient * score(cell)). (2 * coefficient * sensitivity)-DP. Its outcomes
// are numbers of cells, 0..grid_size - 1, those of cells that are no candidates impossible.
struct GridExponentialMechanism {
  std::shared_ptr<const GridScore> score;
  double sensitivity = 0;  // max over the candidates of |u(D,v) - u(D',v)|; > 0
  double coefficient = 0;  // per unit of score, >= 0
};

// What report noisy max adds to each score, in scales: density exp(-|x|)/2, exp(-x) on x > 0, or
// exp(-x - exp(-x)).
enum class MaxNoise { laplace, exponential, gumbel };

// The index v with the largest scores[v] + independent noise of the given scale.
// (2 sensitivity/scale)-DP, sensitivity the largest change of a score (report noisy max). With
// Gumbel noise it is the exponential mechanism of coefficient 1/scale.
struct NoisyMax {
  VectorXd scores;         // |V| >= 1, finite
  double sensitivity = 0;  // max_v |u(D,v) - u(D',v)|
  double scale = 1;        // > 0
  MaxNoise noise = MaxNoise::laplace;
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
};

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
};

// value + independent Laplace noise of density exp(-|x|/scale)/(2 scale) in each coordinate.
// (sensitivity/scale)-DP, sensitivity in l1.
struct LaplaceNoise {
  VectorXd value;
  double sensitivity = 0;
  double scale = 1;
};

// value + N(0, standard_deviation^2 I). mu-GDP with mu = sensitivity/standard_deviation,
// sensitivity in l2.
struct GaussianNoise {
  VectorXd value;
  double sensitivity = 0;
  double standard_deviation = 1;
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
};

// The minimiser of objective(theta) + <g, theta>, g ~ N(0, standard_deviation^2 I), accurate to
// doubles (objective perturbation; Kifer, Smith and Thakurta, 2012). `sensitivity` is the largest
// ||gradient difference||_2 over the domain. What it costs depends on the Hessians too: no
// guarantee is declared.
struct ObjectivePerturbation {
  std::shared_ptr<const Objective> objective;
  double sensitivity = 0;
  double standard_deviation = 1;  // > 0
};

// A uniformly random order of 0..count-1, as numbers: shuffling, which costs nothing.
struct UniformPermutation {
  Index count = 1;
};

// A program that draws noise inside and shows one of `count` results: `draw` runs it,
// `log_probabilities` says what it should draw from, known otherwise (by integration, say).
// Promises nothing.
struct HiddenSelection {
  Index count = 1;
  std::function<Index(RandomStream&)> draw;
  std::function<VectorXd()> log_probabilities;  // -infinity allowed; they sum to 1
};

// The same with a vector of `size` numbers as its result. `log_density` may be empty: then only
// what comes out can be audited. It is with respect to one measure on both of any two datasets.
struct HiddenRelease {
  Index size = 1;
  std::function<VectorXd(RandomStream&)> draw;
  std::function<double(const VectorXd&)> log_density;
};

using Law =
    std::variant<ExponentialMechanism, NoisyMax, PermuteAndFlip, NoisyMaxValue, LaplaceNoise,
                 GaussianNoise, GridExponentialMechanism, GeneralisedGaussianNoise,
                 ObjectivePerturbation, UniformPermutation, HiddenSelection, HiddenRelease>;
// An index for a law on a finite set, a vector otherwise.
using Outcome = std::variant<Index, VectorXd>;

// The scores of a finite law, the value of another. Throws std::invalid_argument for a law that has
// none: a grid (its scores are not listed), an objective, a permutation, a program.
const VectorXd& pre_noise_value(const Law& law);

// What the law gives without its noise: the best-scoring outcome of a finite law (of a grid, best
// up to rounding), the minimiser of an objective, the identical order, the value of another. Throws
// std::invalid_argument for a program: its noise is inside.
Outcome noiseless_outcome(const Law& law);

// What a release costs on neighbouring datasets, given its sensitivity: the law is epsilon-DP,
// mu-GDP and rho-zCDP, each with infinity where it promises nothing better.
struct PrivacyCost {
  double epsilon = std::numeric_limits<double>::infinity();
  double mu = std::numeric_limits<double>::infinity();
  double rho = std::numeric_limits<double>::infinity();
};
PrivacyCost declared_cost(const Law& law);
double declared_sensitivity(const Law& law);
std::string law_name(const Law& law);

// Throws NonFiniteRelease if the pre-noise value is not finite (scores of a grid: when they are
// computed), std::invalid_argument if the noise
// or the sensitivity is out of its domain.
void validate(const Law& law);

Outcome sample(const Law& law, RandomStream& stream);

// Log probability of an index, log density of a vector (of an objective's minimiser on the boundary
// of its domain: with respect to the surface). An outcome outside the support has -infinity. Throws
// std::invalid_argument if the outcome is of another kind than the law's.
double log_density(const Law& law, const Outcome& outcome);

// Number of outcomes of a finite law, 0 if the law is continuous.
Index support_size(const Law& law);

// log P(v) for every v. The exponential mechanism is normalised in the log domain; the noisy
// maximum and permute-and-flip are integrated numerically to a relative 1e-11. Throws
// std::invalid_argument if the law is not finite, or a grid of more than 10^6 cells.
VectorXd log_probabilities(const Law& law);

// The same kind of law on the same number of outcomes or coordinates.
bool same_shape(const Law& law, const Law& other);

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
LawChange compare(const Law& law, const Law& neighbour, const Outcome* outcome = nullptr);

// The law with its pre-noise value replaced by zero, its objective by the regularisation alone:
// same noise, no data. Throws std::invalid_argument for a program.
Law without_data(const Law& law);

}  // namespace dpverify
