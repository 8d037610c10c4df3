// Truncated private batched mirror descent on l_p^d, heavy tails: Su, Zhao and Wang, Algorithm 7.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/mirror_space.hpp"

namespace dpverify::su {

struct BatchedMirrorParameters {
  Loss loss = Loss::squared;
  double p = 1.5;         // in (1, 2]
  double radius = 1;      // C = {||w||_a <= radius}, a the exponent of the mirror map
  double smoothness = 1;  // beta >= 0, of the population risk in ||.||_p
  double truncation = 1;  // lambda > 0: gradients above beta M + lambda in ||.||_q count as 0
  Index batches = 1;      // T >= 1, at most n
  double proximity = 1;   // gamma > 0
  double epsilon = 1;     // > 0
  double delta = 1e-5;    // in (0, 1)
  // The change of a batch's mean is 2 (beta M + lambda)/|B|, s below.
  // printed:   kappa = min{1/(p - 1), log d} and its Phi, sigma^2 = 2 kappa s^2
  //            log(1/delta)/epsilon^2: the hidden constant that Lemma 3 asks for
  // corrected: kappa and Phi that the proofs support, sigma^2 = kappa s^2/(2 rho) with the rho-zCDP
  //            that gives (epsilon, delta)-DP
  Edition edition = Edition::corrected;
};

// Throws std::invalid_argument for parameters out of their domains or more batches than records.
void validate(const BatchedMirrorParameters& parameters, Index n);

MirrorSpace mirror_space(const BatchedMirrorParameters& parameters, Index dimension);
// M: the ||.||_p diameter of C, 2 radius d^(1/p - 1/a) for a >= p.
double diameter(double p, double radius, const MirrorSpace& space, Index dimension);

// Above this norm gradients count as 0.
double threshold(const BatchedMirrorParameters& parameters, Index dimension);

// What Algorithms 4 and 7 share. Throws std::invalid_argument for a parameter out of its domain.
void validate_truncated_descent(double radius, double smoothness, double truncation, Index batches,
                                Index n, double proximity);
// beta M + lambda.
double gradient_threshold(double smoothness, double truncation, double p, double radius,
                          const MirrorSpace& space, Index dimension);
// sigma of a release that is (epsilon, delta)-DP for a change of s in ||.||_q, by edition as above.
double mirror_noise_scale(Edition edition, double kappa, double s, double epsilon, double delta);

// m x d: gradients at w, those with a norm ||.||_q above `threshold`, or not finite, counted as 0.
Matrix truncated_gradients(Loss loss, const VectorXd& w, const DataView& data, double q,
                           double threshold);

// (epsilon, delta)-DP for replace-one neighbours: one release a batch, of floor(n/T) records chosen
// by index. Returns the average of the iterates, d numbers in C.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd batched_mirror_descent(const Dataset& data, const BatchedMirrorParameters& parameters,
                                Releases& releases);

// The mean truncated gradient at w of batch t = 1..T, d numbers.
using BatchGradient = std::function<VectorXd(const VectorXd& w, Index t)>;
// The same for n records given through these.
VectorXd batched_mirror_descent(const BatchGradient& batch_gradient, Index n, Index dimension,
                                const BatchedMirrorParameters& parameters, Releases& releases);

// Theorem 14's parameters, every hidden constant 1, for E||gradient - its mean||_q^2 <= sigma^2;
// gamma = sqrt T (at least 2 beta), lambda at least max{beta, 1} M, T in 1..n:
//   printed:   lambda = (sqrt(n epsilon) M/(kappa (d log(1/delta))^(1/4)))^(2/3),
//              T = n epsilon/(M lambda sqrt(d log(1/delta)))
//   corrected: lambda = (sigma^2 sqrt(n epsilon)/(kappa sqrt(M) (d log(1/delta))^(1/4)))^(2/3),
//              T = M n epsilon/(lambda sqrt(d log(1/delta)))
BatchedMirrorParameters batched_mirror_from_theorem(Index n, Index dimension, double p,
                                                    double radius, double smoothness, double sigma,
                                                    double epsilon, double delta,
                                                    Edition theorem = Edition::corrected);
// Theorem 14 without its failure probability: (M^2 sigma kappa)^(2/3) (d log(1/delta))^(1/6)/(n
// epsilon)^(1/3), sigma = 1 in the text.
double batched_mirror_bound(Index n, Index dimension, double diameter, double sigma, double kappa,
                            double epsilon, double delta);

std::vector<Claim> batched_mirror_rates();
std::vector<Claim> batched_mirror_lemmas();  // steps of the proof of Theorem 14
Algorithm batched_mirror_algorithm();

}  // namespace dpverify::su
