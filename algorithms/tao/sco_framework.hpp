// Stochastic convex optimisation by projected gradient descent on private means of gradients, for
// any mean estimator: Tao, Wu, Cheng and Wang, Algorithm 6.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/gradient_oracle.hpp"

namespace dpverify::tao {

// m x d gradients, one a row, to an estimate of their mean, d numbers. The only door from the data:
// it must pass them through its releases.
using MeanEstimator = std::function<VectorXd(const Matrix&, Releases&)>;

struct FrameworkParameters {
  GradientOracle gradients;
  double radius = 1;     // > 0; the domain W is {||w||_2 <= radius}, of diameter 2 radius
  VectorXd initial;      // w_0 in W: d numbers
  double step = 0.1;     // eta > 0
  Index iterations = 1;  // T, 1..n if split, else at least 1
  bool split = true;     // X_t is the t-th of T disjoint parts; otherwise all the data
};

// The iterates w_1 to w_T: w_t = Proj_W(w_{t-1} - eta estimator(gradients at w_{t-1} of X_t)).
// Throws std::invalid_argument for parameters out of their domains.
std::vector<VectorXd> sco_framework(const Dataset& data, const FrameworkParameters& parameters,
                                    const MeanEstimator& estimator, Releases& releases);

// The framework with Algorithm 1 on every coordinate: gradients thresholded at B, their mean with
// Gaussian noise for the l2 sensitivity 2 sqrt(d) B/m of a part of m; returns w_T.
struct TruncatedScoParameters {
  FrameworkParameters framework;
  double truncation = 1;  // B > 0
  double epsilon = 0.5;   // > 0; private up to 1
  double delta = 1e-5;    // in (0, 1]
};

// (epsilon, delta)-DP for replace-one neighbours and epsilon <= 1: each record is in one part.
VectorXd truncated_sco(const Dataset& data, const TruncatedScoParameters& parameters,
                       Releases& releases);

std::vector<Claim> sco_framework_claims();
Algorithm sco_framework_algorithm();

}  // namespace dpverify::tao
