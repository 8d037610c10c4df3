// Heavy-tailed private sparse optimisation by iterative hard thresholding: Tao, Wu, Cheng and Wang,
// Algorithm 5.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/gradient_oracle.hpp"

namespace dpverify::tao {

// How far one record moves a coordinate of w^{t+0.5}.
//   printed: 2 B eta_0/m, exact
//   proved:  2 B eta_0 s/(3m), what the proof of Theorem 10 writes: too small for s <= 2
struct SparseOptimizationParameters {
  GradientOracle gradients;
  VectorXd initial;       // w^1: d numbers, at most s of them not 0
  Index sparsity = 1;     // s, 1..d
  double truncation = 1;  // B > 0, of the gradients' coordinates
  Index iterations = 1;   // T, 1..n
  double step = 0.1;      // eta_0 > 0
  double epsilon = 0.5;   // in (0, 1)
  double delta = 1e-5;    // in (0, 1)
  Edition sensitivity = Edition::printed;
};

// (epsilon, delta)-DP for replace-one neighbours and delta up to 0.9: on each of T disjoint parts
// of m = floor(n/T) records a step along the mean of the thresholded gradients, peeled to s
// coordinates with Laplace noise (peeling_factor). Returns w^{T+1}. Throws std::invalid_argument
// for parameters out of their domains.
VectorXd sparse_optimization(const Dataset& data, const SparseOptimizationParameters& parameters,
                             Releases& releases);

// The mean at w of the thresholded gradients of part t = 1..T, d numbers.
using PartGradient = std::function<VectorXd(const VectorXd& w, Index t)>;
// The same for n records and d features given through these; `parameters.gradients` is not used.
VectorXd sparse_optimization(const PartGradient& mean_gradient, Index n, Index dimension,
                             const SparseOptimizationParameters& parameters, Releases& releases);

// What Theorem 10 assumes: gamma-smooth and mu-strongly convex on sparse vectors, E|gradient_j|^(1
// + v) <= u.
struct SparseProblem {
  Index optimum_sparsity = 1;  // s*
  double gamma = 1, mu = 1;    // 0 < mu <= gamma
  double moment = 1;           // u > 0
  double order = 1;            // v, in (0, 1]
};

// Theorem 10 with every hidden constant 1: T = floor((gamma/mu) log n), s = ceil((gamma/mu)^2 s*),
// eta_0 = 2/(3 gamma), B = (gamma u n epsilon/(T log(dT/xi) sqrt(s log(1/delta))))^(1/(1+v)); w^1 =
// 0, and `gradients` left to the caller.
SparseOptimizationParameters sparse_optimization_from_theorem(Index n, Index dimension,
                                                              const SparseProblem& problem,
                                                              double epsilon, double delta,
                                                              double failure_probability);

// (2): s*^((1+2v)/(1+v)) u^(2/(1+v)) (log n log(d/xi) sqrt(log(1/delta))/(n epsilon))^(2v/(1+v)).
double sparse_optimization_bound(double n, double dimension, const SparseProblem& problem,
                                 double epsilon, double delta, double failure_probability);

// Throws std::invalid_argument for parameters out of their domains.
void validate(const SparseOptimizationParameters& parameters, Index records, Index dimension);
// How far one record of a part of m moves a coordinate of w^{t+0.5}, as the edition has it.
double coordinate_sensitivity(const SparseOptimizationParameters& parameters, Index part_size);

std::vector<Claim> sparse_optimization_rates();
std::vector<Claim> sparse_optimization_lemmas();
Algorithm sparse_optimization_algorithm();

}  // namespace dpverify::tao
