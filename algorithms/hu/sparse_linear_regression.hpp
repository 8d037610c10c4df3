// Heavy-tailed private sparse linear regression: Hu, Ni, Xiao and Wang, Algorithm 3.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::hu {

// How far one record moves a coordinate of w^{t+0.5} (the lambda given to Peeling), and which
// gradient the step takes.
//   preprint:      2 K^2 eta_0 (sqrt s + 1)/m with the step's gradient (1/m) sum x(<x,w> - y),
//                  that of half the squared loss: exact
//   published:     2 K^2 eta_0 sqrt(s + 1)/m, as a copy of the published edition has it
//   declared_loss: the preprint's lambda with the gradient (2/m) sum x(<x,w> - y) of the loss
//                  (<x,w> - y)^2 that both texts declare
enum class RegressionSensitivity { preprint, published, declared_loss };

struct SparseRegressionParameters {
  VectorXd initial;      // w^1: d numbers, at most s of them not 0, l2 norm at most 1
  Index sparsity = 1;    // s, 1..d
  double clip = 1;       // K > 0
  Index iterations = 1;  // T, 1..n
  double step = 0.1;     // eta_0 > 0
  double epsilon = 0.5;  // in (0, 1)
  double delta = 1e-5;   // in (0, 1)
  RegressionSensitivity sensitivity = RegressionSensitivity::preprint;
  bool repeats = false;  // of Peeling
};

// (epsilon, delta)-DP for replace-one neighbours and delta up to 0.9: clips the data, and on each
// of T disjoint parts takes a gradient step, peels it to s coordinates and projects it onto the
// unit l2 ball. Returns w^{T+1}, d numbers, at most s of them not 0. Throws std::invalid_argument
// for parameters out of their domains.
VectorXd sparse_linear_regression(const Dataset& data, const SparseRegressionParameters& parameters,
                                  Releases& releases);

// The mean at w of step 5's gradients of part t = 1..T of the clipped data, d numbers.
using PartGradient = std::function<VectorXd(const VectorXd& w, Index t)>;
// The same for n records and d features given through these.
VectorXd sparse_linear_regression(const PartGradient& mean_gradient, Index n, Index dimension,
                                  const SparseRegressionParameters& parameters, Releases& releases);

// Theorem 7 with every hidden constant 1: gamma, mu the extreme eigenvalues of E x x^T,
// T = (gamma/mu) log n, K = (n epsilon/(sT))^(1/4), eta_0 = 2/(3 gamma), s = s* (gamma/mu)^2 (the
// proof's constant 72 would exceed any d here), w^1 = 0.
SparseRegressionParameters sparse_regression_from_theorem(Index n, Index dimension,
                                                          Index optimum_sparsity, double epsilon,
                                                          double delta, double gamma, double mu);

// Sections 6.2 and 6.5: s = multiple * s* (at most d), T = floor(log n), K = (n
// epsilon/(sT))^(1/4), eta_0 = 0.5, delta = n^-1.1; here w^1 = 0.
SparseRegressionParameters sparse_regression_from_experiments(Index n, Index dimension,
                                                              Index optimum_sparsity,
                                                              Index multiple, double epsilon);
// Theorem 7: M gamma^4 s*^2 log n log^2(d/zeta) log(1/delta)/(mu^7 n epsilon), M = `fourth_moment`.
double sparse_regression_bound(Index n, Index dimension, Index optimum_sparsity, double epsilon,
                               double delta, double gamma, double mu, double fourth_moment,
                               double failure_probability);

// Throws std::invalid_argument for parameters out of their domains on n records of d features.
void validate(const SparseRegressionParameters& parameters, Index n, Index dimension);

// lambda for parts of `part_size` records.
double coordinate_sensitivity(const SparseRegressionParameters& parameters, Index part_size);

std::vector<Claim> sparse_linear_regression_rates();
std::vector<Claim> sparse_linear_regression_counted_rates();  // at Theorem 7's own s
std::vector<Claim> sparse_linear_regression_lemmas();
Algorithm sparse_linear_regression_algorithm();

}  // namespace dpverify::hu
