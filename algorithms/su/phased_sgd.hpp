// Phased private SGD without projection: Su, Zhao and Wang, Algorithm 6 (after Feldman, Koren and
// Talwar).
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

struct PhasedSgdParameters {
  Loss loss = Loss::pseudo_huber;  // or logistic
  double lipschitz = 1;            // L > 0, in the Euclidean norm
  double step = 0.1;               // eta in (0, 1/beta], beta the smoothness of the loss
  double epsilon = 1;              // in (0, 2 log(1/delta)]
  double delta = 1e-5;             // in (0, 1)
  // The change of the average of phase i, n_i records, by one record, in the Euclidean norm.
  //   printed:   2 L eta_i
  //   corrected: 2 L eta_i n_i/(n_i + 1), exact
  // The noise has standard deviation 2 sqrt(log(1/delta))/epsilon times that.
  Edition sensitivity = Edition::corrected;
};

// eta as the text prints it, three times:
//   lemma_14:   min{4/sqrt n, epsilon/(2 sqrt(d log(1/delta)))}/L
//   theorem_13: min{4/sqrt n, epsilon/(2 sqrt d log(1/delta))}/L
//   proof:      min{1/sqrt n, epsilon/sqrt(d log(1/delta))}/L
enum class PhasedStep { lemma_14, theorem_13, proof };
double phased_step(PhasedStep print, Index n, Index dimension, double epsilon, double delta,
                   double lipschitz);

// (epsilon, delta)-DP for replace-one neighbours. floor(log2 n) phases; phase i averages one pass
// of SGD over its own floor(n/2^i) records, and releases the average with Gaussian noise, from
// which the next phase starts. Returns the last release, d numbers; 0 for one record.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd phased_sgd(const Dataset& data, const PhasedSgdParameters& parameters, Releases& releases);

// Lemma 14: the step above, at most 1/beta.
PhasedSgdParameters phased_sgd_from_theorem(Index n, Index dimension, double epsilon, double delta,
                                            Loss loss, double lipschitz);
// Lemma 14: L ||theta*||_2^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).
double phased_sgd_bound(Index n, Index dimension, double epsilon, double delta, double lipschitz,
                        double optimum_norm);

// Throws std::invalid_argument for parameters out of their domains.
void validate(const PhasedSgdParameters& parameters);

std::vector<Claim> phased_sgd_rates();
std::vector<Claim> phased_sgd_lemmas();
Algorithm phased_sgd_algorithm();

}  // namespace dpverify::su
