// What a sequence of differentially private steps costs together.
#pragma once

#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

// `count` steps, each epsilon-DP (chosen adaptively).
struct PureSteps {
  double epsilon = 0;
  Index count = 0;
};

// Optimal composition (Kairouz, Oh and Viswanath, 2015): the smallest delta for which the steps are
// certainly (epsilon, delta)-DP; exact for randomised response, hence no smaller guarantee holds
// for all mechanisms. Rounded up by a relative 1e-10. At most 3*10^7 combinations of counts;
// throws std::invalid_argument beyond that.
double composed_delta(const std::vector<PureSteps>& steps, double epsilon);

// The smallest epsilon with composed_delta <= delta, rounded up. delta in [0, 1).
double composed_epsilon(const std::vector<PureSteps>& steps, double delta);

// Advanced composition (Dwork, Rothblum and Vadhan, 2010): sqrt(2 log(1/delta) sum eps^2) + sum eps
// (e^eps - 1), or with eps tanh(eps/2) in the last sum, the exact expected loss; never more than
// sum eps. delta in (0, 1).
enum class ExpectedLoss { exponential, tanh };
double advanced_composition(const std::vector<PureSteps>& steps, double delta,
                            ExpectedLoss expected = ExpectedLoss::exponential);

// The smallest epsilon that rho-zCDP certainly gives at delta, by the optimal conversion of Renyi
// divergences (Canonne, Kamath and Steinke, 2020); never more than rho + 2 sqrt(rho log(1/delta)).
// Infinite for delta = 0 unless rho is 0. rho >= 0, delta in [0, 1).
double zcdp_epsilon(double rho, double delta);

// What bounds the loss of an objective perturbation.
struct ObjectiveCost {
  double mu = 0;  // twice the largest ||gradient||_2 of a record's loss/standard deviation; >= 0
  double log_determinant = 0;  // the most by which one record raises that of the Hessian; >= 0
  bool one_dimension = false;
};

// Objective perturbation, in the spirit of Kifer, Smith and Thakurta (2012) and of Redberg, Zhu and
// Wang (2023), with the neighbour replaced and the shift free to depend on the minimiser. The
// minimiser theta (beyond the boundary, theta with the multiplier) is a bijection of the noise
// -sd w, w ~ N(0, I), so that with J = log_determinant the loss at w is at most
//   J + <w, v> + ||v||^2/2,  v = (gradient on the neighbour - gradient)/sd at theta.
// Two records with losses f(<x, theta>), |f'| ||x|| <= L, make v a point of the parallelogram of
// the corners +-a, +-b, a and b orthogonal with ||a||^2 + ||b||^2 = mu^2, mu = 2L/sd; the convex
// bound is largest at a corner. In one dimension the derivatives of convex losses grow, so that
// where theta makes v = t > 0, no theta makes v < t - mu. With delta_m the curve of m-GDP:
//   one dimension:  delta(J + e) <= delta_mu(e) for e >= 0; no shift that changes sign is worse;
//   otherwise:      delta(J + e) <= 2 delta_||a||(e) + 2 delta_||b||(e).
// Releases after it, together other_mu-GDP, add their loss: each m becomes (m^2 + other_mu^2)^(1/2)
// (and one dimension has the two terms of +mu and 0). The sums are largest for b = 0 where delta_m
// is convex in m^2, which is for m^2 <= 2 ((1 + e^2)^(1/2) - 1); elsewhere each term is replaced by
// the largest. Rounded up; 1 for epsilon < J.
double objective_perturbation_delta(const ObjectiveCost& cost, double epsilon, double other_mu = 0);
// The smallest epsilon with objective_perturbation_delta <= delta, rounded up; at least J.
double objective_perturbation_epsilon(const ObjectiveCost& cost, double delta, double other_mu = 0);

// Merges steps of equal epsilon and drops those that cost nothing.
std::vector<PureSteps> merged(const std::vector<double>& epsilons);

}  // namespace dpverify
