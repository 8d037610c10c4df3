// Shuffled truncated private batched mirror descent on l_p^d, heavy tails: Su, Zhao and Wang,
// Algorithm 4.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/mirror_space.hpp"

namespace dpverify::su {

// Amplification by shuffling (Feldman, McMillan and Talwar, "Hiding among the clones",
// Theorem 3.1): n reports in random order, each of a (possibly adaptive) local_epsilon-DP
// randomiser, are together (epsilon, delta)-DP with
//   epsilon = log(1 + tanh(e/2) (8 sqrt(exp(e) log(4/delta)/n) + 8 exp(e)/n)), e = local_epsilon,
// for local_epsilon <= log(n/(16 log(2/delta))); beyond, and where this is no less, local_epsilon.
double amplified_epsilon(double local_epsilon, Index n, double delta);

// The exact delta(epsilon), the larger of both directions, of the number of ones among n binary
// randomised responses, each local_epsilon-DP, when one record differs and all others are 0.
double shuffled_response_delta(Index n, double local_epsilon, double epsilon);

// The reports of one batch of Algorithm 4 (T = 1) in random order, one Gaussian number a record (d
// = 1, p = 2), for gradients that the features are, and the law of all of them together, whose
// density is known where all gradients but one at most are equal.
Mechanism shuffled_reports(double standard_deviation);
// At least the delta of these, up to rounding of 1e-13, at an epsilon >= 0, in both directions, if
// of n >= 1 gradients one is 1 in place of -1 and all others are -1. The likelihood ratio is the
// mean of n lognormal variables exp(w Z - w^2/2), w = 2/standard_deviation, whose law is spread to
// multiples of `cell` without a change of its mean: too much by a share of the order of cell^2.
// Throws std::invalid_argument for arguments out of their domains, epsilon of 10 and more among
// them.
double shuffled_reports_delta(Index n, double standard_deviation, double epsilon, double cell);

struct ShuffledMirrorParameters {
  Loss loss = Loss::squared;
  double p = 1.5;              // in (1, 2]
  double radius = 1;           // C = {||w||_a <= radius}, a the exponent of the mirror map
  double smoothness = 1;       // beta >= 0, of the population risk in ||.||_p
  double truncation = 1;       // lambda > 0: gradients above beta M + lambda in ||.||_q count as 0
  Index batches = 1;           // T >= 1, at most n
  double proximity = 1;        // gamma > 0
  double local_epsilon = 0.5;  // > 0: each record's own report is (local_epsilon, local_delta)-DP
  double local_delta = 1e-9;   // in (0, 1)
  // The change of a report is 2 (beta M + lambda), s below.
  // printed:   kappa = min{1/(p - 1), 2 log d} and its Phi, sigma^2 = 2 kappa s^2
  //            log(1/local_delta)/local_epsilon^2 (Lemma 3)
  // corrected: kappa and Phi that the proofs support, sigma^2 = kappa s^2/(2 rho) with the rho-zCDP
  //            that gives (local_epsilon, local_delta)-DP
  Edition edition = Edition::corrected;
};

// Throws std::invalid_argument for parameters out of their domains or more batches than records.
void validate(const ShuffledMirrorParameters& parameters, Index n);

// Above this norm gradients count as 0.
double threshold(const ShuffledMirrorParameters& parameters, Index dimension);

// What n records get: epsilon = amplified_epsilon at delta/2, where the local_delta of n reports
// may take the other half (their Theorem 3.8):
//   delta/2 + (exp(epsilon) + 1) (1 + exp(-local_epsilon)/2) n local_delta <= delta.
// Returns delta as small as that allows.
PrivacyGuarantee shuffled_guarantee(const ShuffledMirrorParameters& parameters, Index n);

// Private as above for replace-one neighbours: one release of a random order, one release a record.
// Returns the average of the iterates, d numbers in C.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd shuffled_mirror_descent(const Dataset& data, const ShuffledMirrorParameters& parameters,
                                 Releases& releases);

// Theorem 10 with its T and lambda (supplement), every hidden constant 1, for E||gradient - its
// mean||_q^2 <= sigma^2; gamma = sqrt T (at least 2 beta), lambda at least max{beta, 1} M, T
// in 1..n:
//   lambda = sigma sqrt(n epsilon)/(kappa^2 d log(1/delta))^(1/4),
//   T = M^2 n^2 epsilon^2/(lambda^2 d log(1/delta)).
// The largest local_epsilon whose guarantee is within (epsilon, delta). (The proof keeps it below
// 1/2, which the closed form does not ask for.)
ShuffledMirrorParameters shuffled_mirror_from_theorem(Index n, Index dimension, double p,
                                                      double radius, double smoothness,
                                                      double sigma, double epsilon, double delta);
// Theorem 10 without its failure probability: M max{sigma, sigma^2} (kappa^2 d
// log(1/delta))^(1/4)/sqrt(n epsilon).
double shuffled_mirror_bound(Index n, Index dimension, double diameter, double sigma, double kappa,
                             double epsilon, double delta);

std::vector<Claim> shuffled_mirror_rates();
std::vector<Claim> shuffled_mirror_lemmas();  // Theorems 9 and 10
std::vector<Claim> shuffled_step_lemmas();    // steps of the proof of Theorem 10
Algorithm shuffled_mirror_algorithm();

}  // namespace dpverify::su
