// Objective perturbation of linear losses over a body that need not be a Euclidean ball: where the
// Gaussian width of Theorems 2 and 4 of Su, Zhao and Wang is not of the order of sqrt d.
#pragma once

#include "algorithms/claims/rates.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"

namespace dpverify::su {

// Algorithms 1 and 2 with the loss -<x, theta> + (Delta/(2 R^2)) ||theta||_2^2 of n records x,
// ||x||_2 <= L, R the radius of the parameters' objective, given through their sum, d numbers: beta
// is 0, and theta_1, the minimiser of J over C, is the point of C that is nearest to (sum - G)/(n
// m), m the modulus of J. Two Gaussian releases: of the gradient of the sum, 2 L, and of theta_2 =
// theta_1, which is as accurate as any alpha asks. Returns theta_2 + H projected onto C, d numbers.
// Throws std::invalid_argument as euclidean_projection does.
VectorXd perturbed_linear_losses(const VectorXd& sum, Index n, const ConvexBody& body,
                                 const ApproximateObjectivePerturbationParameters& parameters,
                                 Releases& releases);

// Theorem 2 with the constants of its noise, G_C sigma_1/n + L ||C||_2/sqrt n, on records +-L e_1,
// given through their sum: so unbalanced that their mean, of length k G_C sigma_1/(R n), is k times
// as long as the noise is wide, R the radius of C. The noise turns the minimiser away from R e_1 by
// an angle or to another vertex; a run that knows nothing errs k G_C sigma_1/n. L = 1.
RatePoint linear_rate_point(const ConvexBody& body, Index n, double epsilon, double delta,
                            double steepness);

}  // namespace dpverify::su
