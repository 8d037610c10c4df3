// Exponential mechanism for l1-norm linear regression under a bounded moment of order theta in
// (1, 2): Wang and Xu, "Differentially Private l1-norm Linear Regression with Heavy-tailed Data",
// Algorithm 2.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

// The parameters' theta must be in (1, 2). As theta falls to 1 the bound log theta on psi vanishes,
// and with it all that the score can tell.
//
// The declared sensitivity is the proof's 2 log theta/(n iota) for proved, the exact one, log
// theta/(n iota), for corrected and for printed: the text before Theorem 2 states it as
// 2 log theta/(2 n iota).
//
// epsilon-DP for replace-one neighbours in the editions proved and corrected; 2 epsilon-DP as
// printed. Returns one of the candidates.
// Throws std::invalid_argument for parameters out of their domains or of the wrong dimension.
VectorXd l1_regression_theta_moment(const Dataset& data, const L1RegressionParameters& parameters,
                                    Releases& releases);

// What Theorem 2 assumes, and the run it is asked about.
struct ThetaMomentSetting {
  double records = 2;  // >= 2
  double dimension = 1;
  double theta = 1.5;  // in (1, 2)
  double epsilon = 1;
  double tau = 1;                     // > 0
  double failure_probability = 0.05;  // eta, in (0, 1)
  Moments moments = Moments::norm;
};

// Theorem 2's iota with every hidden constant 1, A = log(1/eta)/(n epsilon):
//   norm:        printed (d A)^(1/theta)/tau; proved (the proof's text) without 1/tau;
//                corrected (d A log n)^(1/theta)/tau, which balances the bound's own logarithms
//   coordinates: printed and proved (A log n)^((theta - 1)/theta)/tau; corrected exponent 1/theta
double theta_moment_iota(const ThetaMomentSetting& setting, Edition edition);

// (18) for norm: tau (d A log n)^((theta - 1)/theta); (19) for coordinates:
// tau d (A log n)^((theta - 1)/theta).
double theta_moment_bound(const ThetaMomentSetting& setting);

// zeta = 1/n on the ball of the given radius, and iota of the given edition, which is also that of
// the exponent. d = 1, 2 or 3.
L1RegressionParameters theta_moment_from_theorem(const ThetaMomentSetting& setting, double radius,
                                                 Edition edition = Edition::corrected);

std::vector<Claim> l1_regression_theta_moment_rates();
std::vector<Claim> l1_regression_theta_moment_lemmas();
Algorithm l1_regression_theta_moment_algorithm();

}  // namespace dpverify::wang_xu
