// Private stochastic convex optimisation with gradients of bounded variance: Kamath, Liu and Zhang
// (2022), Algorithm 1, as Su, Zhao and Wang state it in their Theorem 15: descent on medians of
// block means of gradients that are clipped, not thresholded, with one budget of concentrated
// privacy for all steps. The text of Kamath et al. fixes no constants that Theorem 15
// repeats: the noise, T and the clipping limit here are this project's.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/precise.hpp"
#include "algorithms/mechanisms/projected_descent.hpp"

namespace dpverify::su {

struct KamathScoParameters {
  GradientOracle gradients;
  double radius = 1;     // > 0; C = {||w||_2 <= radius}
  VectorXd initial;      // w_0 in C: d numbers
  double step = 0.1;     // eta > 0
  Index iterations = 1;  // T >= 1, each on all the data
  double clip = 1;       // > 0: gradients' coordinates are moved into [-clip, clip]
  Index blocks = 1;      // m, 1..n, of the median of means
  double epsilon = 0.5;  // > 0
  double delta = 1e-5;   // in (0, 1)
};

// (epsilon, delta)-DP for replace-one neighbours: T Gaussian releases of the medians of block means
// of clipped gradients, l2 sensitivity 2 clip sqrt(d)/floor(n/m), together rho-zCDP with rho =
// (sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2. Returns the average of w_1 to w_T, d
// numbers. Throws std::invalid_argument for parameters out of their domains.
VectorXd kamath_sco(const Dataset& data, const KamathScoParameters& parameters, Releases& releases);
// The same for n records that `data` describes, through the means of their m blocks of clipped
// gradients; `parameters.gradients` is not used.
VectorXd kamath_sco(const BlockGradients& block_gradients, Index n, const Dataset& data,
                    const KamathScoParameters& parameters, Releases& releases);
// With another estimate of the mean gradient.
VectorXd kamath_sco(const Dataset& data, const KamathScoParameters& parameters,
                    const PrivateMean& estimate, Releases& releases);

double zcdp_budget(double epsilon, double delta);  // rho above
double median_sensitivity(const KamathScoParameters& parameters, Index records, Index dimension);
double noise_deviation(const KamathScoParameters& parameters, Index records, Index dimension);

// clip = (sigma^2 + R^2)^(1/2) (epsilon n)^(1/2)/d^(1/4), m = ceil(4 log(2d/xi)), the largest T
// whose noise has expected squared norm at most R^2/64, eta = 2 radius/(R sqrt T). `variance`:
// sigma^2 of Assumption 5, 4); `gradient_bound`: R of 5). w_0 = 0; `gradients` left to the caller.
KamathScoParameters kamath_sco_from_theorem(Index n, Index dimension, double radius,
                                            double gradient_bound, double variance, double epsilon,
                                            double delta, double failure_probability);

// Theorem 15 before the change of norms: M d/sqrt n + sqrt(M) d^(5/4)/sqrt(n epsilon), M the l2
// diameter.
template <class Real>
Real kamath_sco_bound(const Real& n, const Real& dimension, const Real& diameter,
                      const Real& epsilon) {
  return diameter * dimension / sqrt(n) + sqrt(diameter) * pow(dimension, 1.25) / sqrt(n * epsilon);
}

// Throws std::invalid_argument for parameters of the estimator out of their domains.
void validate(const KamathScoParameters& parameters, Index records);

std::vector<Claim> kamath_sco_rates();
Algorithm kamath_sco_algorithm();

}  // namespace dpverify::su
