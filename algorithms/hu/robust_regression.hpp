// Robust regression with heavy-tailed features: Hu, Ni, Xiao and Wang, Theorem 3: Algorithm 1 with
// a loss psi(<x, w> - y) that need not be convex, on the unit l1 ball.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"

namespace dpverify::hu {

// Theorem 3 with every hidden constant 1 and beta = 1:
//   T = sqrt(n epsilon/log(d/zeta)), at least 1 and at most n (the published edition has
//   log(dT/zeta)), s = sqrt(n epsilon/(T log(dT/zeta))), the constant step 1/sqrt T, w^0 = 0.
// The loss is a function of the residual: biweight, geman_mcclure, pseudo_huber, squared or
// absolute. Throws std::invalid_argument for the logistic loss, epsilon <= 0 or zeta not in (0, 1).
FrankWolfeParameters robust_regression_from_theorem(Index n, Index dimension, double epsilon,
                                                    Loss loss, double failure_probability);
// (8): lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4), lambda_max the largest eigenvalue of E x
// x^T.
double robust_regression_bound(Index n, Index dimension, double epsilon, double lambda_max,
                               double failure_probability);

std::vector<Claim> robust_regression_rates();
std::vector<Claim> robust_regression_lemmas();
Algorithm robust_regression_algorithm();

}  // namespace dpverify::hu
