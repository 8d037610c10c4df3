// Heavy-tailed private sparse optimisation: Hu, Ni, Xiao and Wang, Algorithm 5.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {

// How far one record moves a coordinate of w^{t+0.5}.
//   printed:   4 sqrt2 k eta/m
//   proved:    4 sqrt2 k eta/(3m), what the proof derives (it writes s for k)
//   corrected: that times erf(sqrt(beta/2)), the range of the smoothed truncation: exact
struct SparseOptimizationParameters {
  Loss loss = Loss::logistic;
  VectorXd initial;      // w^1: d numbers, at most s of them not 0
  Index sparsity = 1;    // s, 1..d
  double scale = 1;      // k > 0, of the soft truncation
  double beta = 1;       // > 0
  Index iterations = 1;  // T, 1..n
  double step = 0.1;     // eta > 0
  double epsilon = 0.5;  // in (0, 1)
  double delta = 1e-5;   // in (0, 1)
  // >= 0: adds regularizer ||w||_2^2/2 to the loss, whose gradient needs no data
  double regularizer = 0;
  Edition sensitivity = Edition::corrected;
};

// (epsilon, delta)-DP for replace-one neighbours and delta up to 0.9: on each of T disjoint parts a
// step along the robust gradient, peeled to s coordinates. The gradient is taken at w^t (the text
// prints w^{t-1}, undefined for t = 1). Returns w^{T+1}. Throws std::invalid_argument for
// parameters out of their domains.
VectorXd sparse_optimization(const Dataset& data, const SparseOptimizationParameters& parameters,
                             Releases& releases);

// The robust mean at w of the gradients of part t = 1..T, without the regularizer's, d numbers.
using RobustPartGradient = std::function<VectorXd(const VectorXd& w, Index t)>;
// The same for n records and d features given through these; `parameters.loss` is not used.
VectorXd sparse_optimization(const RobustPartGradient& robust_gradient, Index n, Index dimension,
                             const SparseOptimizationParameters& parameters, Releases& releases);

// Theorem 8 with every hidden constant 1: T = (gamma/mu) log n, s = (gamma/mu)^2 s*, eta = 2/(3
// gamma), the edition's lambda, and the edition's k, with B = n epsilon tau and zeta = 0.05:
//   printed:   B^(1/2), the theorem's
//   proved:    (B/(sT))^(1/2)/log(Ts/zeta)^(1/4), the proof's
//   corrected: (B/(sqrt(s) T log(dTs/zeta) sqrt(log(1/delta))))^(1/2), which balances noise and
//              bias: the only one that gives the theorem's s*^(3/2)
SparseOptimizationParameters sparse_optimization_from_theorem(Index n, Index dimension,
                                                              Index optimum_sparsity,
                                                              double epsilon, double delta,
                                                              double gamma, double mu, double tau,
                                                              Edition edition = Edition::corrected);

// Section 6.2: s = 2s* (at most d), T = floor(log n), k = n epsilon (c_2 = 1), eta = 0.5, delta =
// n^-1.1, the printed lambda; here w^1 = 0. The Laplace scale does not fall with n.
SparseOptimizationParameters sparse_optimization_from_experiments(Index n, Index dimension,
                                                                  Index optimum_sparsity,
                                                                  double epsilon);
// Theorem 8: tau gamma^4 s*^(3/2) log n log(d/zeta) sqrt(log(1/delta))/(mu^5 n epsilon).
double sparse_optimization_bound(Index n, Index dimension, Index optimum_sparsity, double epsilon,
                                 double delta, double gamma, double mu, double tau,
                                 double failure_probability);

// Throws std::invalid_argument for parameters out of their domains on n records of d features.
void validate(const SparseOptimizationParameters& parameters, Index n, Index dimension);

// lambda for parts of `part_size` records.
double coordinate_sensitivity(const SparseOptimizationParameters& parameters, Index part_size);

std::vector<Claim> sparse_optimization_rates();
std::vector<Claim> sparse_optimization_counted_rates();  // gamma > mu, and Theorem 8's own k
std::vector<Claim> sparse_optimization_lemmas();
std::vector<Claim> lower_bound_lemmas();  // Theorem 9, beside Algorithm 5
Algorithm sparse_optimization_algorithm();

}  // namespace dpverify::hu
