// Exponential mechanism for l1-norm linear regression under a bounded second moment: Wang and Xu,
// "Differentially Private l1-norm Linear Regression with Heavy-tailed Data", Algorithm 1.
#pragma once

#include <vector>

#include "algorithms/core/claims.hpp"
#include "algorithms/core/registry.hpp"

namespace dpverify::wang_xu {

// psi of (6): -log(1 - x + x^2/2) on [0, 1], log 2 from there on, odd. Non-decreasing.
double log_truncation(double x);

// The exponent of step 2 is -coefficient * (truncated empirical risk).
//   printed:   n iota epsilon/log 2, step 2 as printed
//   proved:    n iota epsilon/(4 log 2), from the proof's sensitivity 2 log 2/(n iota)
//   corrected: n iota epsilon/(2 log 2), from the exact sensitivity log 2/(n iota)
// The declared sensitivity is the text's 2 log 2/(n iota) for printed and proved, the exact one for
// corrected.
struct L1RegressionParameters {
  Matrix net;          // N x d: the candidates, a zeta-net of W
  double iota = 1;     // > 0: residuals count up to 1/iota
  double epsilon = 1;  // > 0
  Edition coefficient = Edition::corrected;
};

// (2): (1/(n iota)) sum_i psi(iota |y_i - <x_i, w>|) for every candidate, N numbers in
// [0, log(2)/iota]. A residual that overflows counts as log 2.
VectorXd truncated_risks(const DataView& data, const L1RegressionParameters& parameters);

// epsilon-DP for replace-one neighbours in the editions proved and corrected; 2 epsilon-DP as
// printed. Returns one of the candidates.
// Throws std::invalid_argument for parameters out of their domains or of the wrong dimension.
VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& parameters,
                                     Releases& releases);

// Theorem 1 under Assumption 1 (E ||x||_2^2 <= tau^2) with every hidden constant 1 and W the ball
// of the given radius, d = 1 or 2: zeta = 1/n,
// iota = sqrt(d log(n) log(1/eta)/(n epsilon tau^2)). n >= 2.
L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability);

// (7): tau sqrt(d log(n) log(1/eta)/(n epsilon)).
double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability);

std::vector<Claim> l1_regression_second_moment_claims();
Algorithm l1_regression_second_moment_algorithm();

}  // namespace dpverify::wang_xu
