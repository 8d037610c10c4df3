// Stochastic convex optimisation by projected gradient descent on private means of gradients: Tao,
// Wu, Cheng and Wang, Algorithm 6. For any mean estimator it is projected_descent(); here with
// Algorithm 1 on every coordinate.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/mechanisms/projected_descent.hpp"

namespace dpverify::tao {

// Gradients thresholded at B, their mean with Gaussian noise for the l2 sensitivity 2 sqrt(d) B/m
// of a part of m.
struct TruncatedScoParameters {
  DescentParameters framework;
  double truncation = 1;  // B > 0
  double epsilon = 0.5;   // > 0; private up to 1
  double delta = 1e-5;    // in (0, 1]
};

// Returns w_T. (epsilon, delta)-DP for replace-one neighbours and epsilon <= 1: each record is in
// one part. Throws std::invalid_argument for parameters out of their domains.
VectorXd truncated_sco(const Dataset& data, const TruncatedScoParameters& parameters,
                       Releases& releases);

// Throws std::invalid_argument for parameters out of their domains.
void validate(const TruncatedScoParameters& parameters, const Dataset& data);

std::vector<Claim> sco_framework_lemmas();
Algorithm sco_framework_algorithm();

}  // namespace dpverify::tao
