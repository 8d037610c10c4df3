// Exponential mechanism for l1-norm linear regression under a bounded second moment: Wang and Xu,
// "Differentially Private l1-norm Linear Regression with Heavy-tailed Data", Algorithm 1.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

// psi is LogTruncation with theta = 2, the parameters' theta must be 2, and the declared
// sensitivity is the text's 2 log 2/(n iota) for printed and proved, the exact one for corrected.
//
// epsilon-DP for replace-one neighbours in the editions proved and corrected; 2 epsilon-DP as
// printed. Returns one of the candidates.
// Throws std::invalid_argument for parameters out of their domains or of the wrong dimension.
VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& parameters,
                                     Releases& releases);

// Theorem 1 with every hidden constant 1 and W the ball of the given radius, d <= 3: zeta = 1/n
// and, with A = log(n) log(1/eta)/(n epsilon), iota = sqrt(d A)/tau under Assumption 1 (norm) and
// sqrt(A)/tau under Assumption 2 (coordinates). n >= 2.
L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability,
                                    Moments moments = Moments::norm);

// (7) for norm: tau sqrt(d A); (8) for coordinates: tau d sqrt(A).
double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability, Moments moments = Moments::norm);

std::vector<Claim> l1_regression_second_moment_rates();
std::vector<Claim> l1_regression_second_moment_lemmas();
Algorithm l1_regression_second_moment_algorithm();

}  // namespace dpverify::wang_xu
