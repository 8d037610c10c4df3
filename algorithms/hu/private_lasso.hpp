// Heavy-tailed private LASSO: Hu, Ni, Xiao and Wang, Algorithm 2.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/hu/step.hpp"

namespace dpverify::hu {

// The score sensitivity Delta that the exponential mechanism relies on, R the radius of the l1
// ball:
//   printed_diameter: 8 ||W||_1 K^2/n with ||W||_1 = 2R the l1 diameter, the paper's definition
//   printed_radius:   8 ||W||_1 K^2/n with ||W||_1 read as R
//   corrected:        4 R (R + 1) K^2/n, exact
enum class LassoSensitivity { printed_diameter, printed_radius, corrected };

struct PrivateLassoParameters {
  double radius = 1;     // R > 0: W = {||w||_1 <= R}
  VectorXd initial;      // w^0 in W, d numbers
  double clip = 1;       // K > 0: every feature and label is clipped to [-K, K]
  Index iterations = 1;  // T >= 1
  double epsilon = 0.5;  // in (0, 1)
  double delta = 1e-5;   // in (0, 1)
  LassoSensitivity sensitivity = LassoSensitivity::corrected;
  Step step = Step::theorem;
};

double score_sensitivity(const PrivateLassoParameters& parameters, Index records);
// epsilon/(2 sqrt(2 T log(1/delta))): the budget of one iteration.
double step_epsilon(const PrivateLassoParameters& parameters);

// (epsilon, delta)-DP for replace-one neighbours by composition of T exponential mechanisms on the
// whole, clipped data. Returns w^T, d numbers.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd private_lasso(const Dataset& data, const PrivateLassoParameters& parameters,
                       Releases& releases);

// Theorem 5 with every hidden constant 1, lambda_max the largest eigenvalue of E x x^T:
//   T = (sqrt(n epsilon) lambda_max/(sqrt(log(1/delta)) log(d/zeta)))^(4/5), at least 1,
//   K = (n epsilon)^(1/4)/T^(1/8).
PrivateLassoParameters private_lasso_from_theorem(Index n, Index dimension, double epsilon,
                                                  double delta, double lambda_max,
                                                  double failure_probability);
// Section 6.2: T = floor((n epsilon)^(2/5)), K = (n epsilon)^(1/4)/T^(1/8), delta = n^-1.1, its
// steps.
PrivateLassoParameters private_lasso_from_experiments(Index n, Index dimension, double epsilon);
// (9): lambda_max^(1/5) (sqrt(log(1/delta)) log(dn/zeta))^(4/5)/(n epsilon)^(2/5).
double private_lasso_bound(Index n, Index dimension, double epsilon, double delta,
                           double lambda_max, double failure_probability);

// Throws std::invalid_argument for parameters out of their domains.
void validate(const PrivateLassoParameters& parameters, Index dimension);

std::vector<Claim> private_lasso_rates();
std::vector<Claim> private_lasso_lemmas();
Algorithm private_lasso_algorithm();

}  // namespace dpverify::hu
