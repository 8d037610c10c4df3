// Laws of releases as other code writes them down, with a sensitivity in a norm of its choice.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/core/laws.hpp"

namespace dpverify {

// How a change of pre-noise values is declared and measured. half_range: see ScoreChange.
enum class ChangeNorm { l1, l2, linf, half_range };
std::string_view name(ChangeNorm norm);

// Of the difference of two values of the same size; infinity where one entry is finite and the
// other not.
double change_between(const VectorXd& value, const VectorXd& other, ChangeNorm norm);

struct DeclaredChange {
  double sensitivity = 0;  // finite, >= 0
  ChangeNorm norm = ChangeNorm::l1;
};

// What a density is with respect to: those of different kinds have no ratio.
enum class Measure { counting, lebesgue, index_and_lebesgue };

// One release as it was asked for on one dataset.
struct RecordedRelease {
  std::string_view kind;  // "laplace", as in the file
  Law law;
  // What may change between the datasets: pre-noise value, scores, log probabilities. Size 0:
  // nothing.
  VectorXd value;
  std::vector<double> parameters;  // of the noise
  DeclaredChange declared;
  PrivacyCost cost;  // of the law at the declared change
  Measure measure = Measure::lebesgue;
  // P(noise < x) and P(noise <= x) of a coordinate; empty where it is not known.
  std::function<std::pair<double, double>(double)> noise_distribution;
};

// Each throws std::invalid_argument for parameters outside of the law's domain. A sensitivity in
// another norm than the law's own costs as much as it can come to there: of d numbers, the l1 norm
// is at most sqrt(d) times the l2 norm, and so on. Scores: in linf, of the exponential mechanism in
// half_range too.
RecordedRelease recorded_laplace(const VectorXd& value, double scale, DeclaredChange declared);
RecordedRelease recorded_gaussian(const VectorXd& value, double standard_deviation,
                                  DeclaredChange declared);
// Of density exp(-||z||_exponent^2/(2 scale^2)).
RecordedRelease recorded_generalised_gaussian(const VectorXd& value, double exponent, double scale,
                                              DeclaredChange declared);
// See integer_noise.hpp; values of integers.
RecordedRelease recorded_discrete_laplace(const VectorXd& value, double scale,
                                          DeclaredChange declared);
RecordedRelease recorded_discrete_gaussian(const VectorXd& value, double standard_deviation,
                                           DeclaredChange declared);
RecordedRelease recorded_exponential(const VectorXd& scores, double coefficient,
                                     DeclaredChange declared);
RecordedRelease recorded_permute_and_flip(const VectorXd& scores, double coefficient,
                                          DeclaredChange declared);
RecordedRelease recorded_noisy_max(const VectorXd& scores, double scale, MaxNoise noise,
                                   DeclaredChange declared);
RecordedRelease recorded_noisy_max_value(const VectorXd& scores, double scale, MaxNoise noise,
                                         bool with_index, DeclaredChange declared);
// One of finitely many results, by its probabilities (>= 0, sum 1): Bernoulli, randomised response,
// or whatever else is computed. What changes are their logarithms, in linf: declared is the
// epsilon of the release.
RecordedRelease recorded_categorical(const VectorXd& probabilities, DeclaredChange declared);
RecordedRelease recorded_permutation(Index count);

// log density at an outcome (of a finite law: its index), -infinity where the law has no such
// outcome.
double log_density(const RecordedRelease& release, const VectorXd& outcome);
bool same_noise(const RecordedRelease& release, const RecordedRelease& other);  // and shape
// Whether the exact methods know the law of its loss.
bool has_known_loss(const RecordedRelease& release);

}  // namespace dpverify
