// Objective perturbation with an approximate minimiser: Su, Zhao and Wang, Algorithm 1 (convex) and
// Algorithm 2 (strongly convex with respect to the Minkowski norm of the domain).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/su/objective_perturbation.hpp"

namespace dpverify::su {

// A point of the domain within `accuracy` of the minimum of objective(theta) + <linear, theta>.
using Solver =
    std::function<VectorXd(const Objective& objective, const VectorXd& linear, double accuracy)>;

struct ApproximateObjectivePerturbationParameters {
  ObjectivePerturbationParameters objective;
  double accuracy = 1e-6;                // alpha > 0, of J, the mean objective
  double approximation_sensitivity = 1;  // > 0: of theta_2 given theta_1, in the Euclidean norm
  double standard_deviation = 1;         // sigma_2 > 0: of the noise H
  Solver solver;                         // by default Newton's method with a certified gap
};

// (epsilon, delta)-DP for replace-one neighbours at the parameters below. theta_1, the exact
// minimiser of J (as accurate as doubles), is released; then theta_2, the solver's point for the
// linear term of least norm under which theta_1 is the minimiser, plus H. Returns theta_2 + H
// projected onto C, d numbers: the law of the algorithm up to what an alpha-accurate solver may
// choose, with the two releases of its privacy proof.
// Throws std::invalid_argument for parameters out of their domains, std::runtime_error where alpha
// is beyond double precision.
VectorXd approximate_objective_perturbation(
    const Dataset& data, const ApproximateObjectivePerturbationParameters& parameters,
    Releases& releases);
// The same for n records given through their regularised objective.
VectorXd approximate_objective_perturbation(
    const std::shared_ptr<const Objective>& objective, Index n,
    const ApproximateObjectivePerturbationParameters& parameters, Releases& releases);

// How the theorems set the parameters. ||C||_2 = 2 radius is the diameter, G_C the Gaussian width.
//   sigma_1^2 = 128 L^2 log(2.5/delta)/epsilon^2
//   convex: lambda = max{L/(sqrt n ||C||_2), r beta/(epsilon n)}, alpha as in Theorem 2,
//           sigma_2^2 = 64 alpha log(2.5/delta)/(lambda epsilon^2)
//   strongly convex (loss.strong_convexity = Delta > 0): alpha as in Theorem 4,
//           sigma_2^2 = 64 alpha log(2.5/delta) ||C||_2^2/(Delta epsilon^2)
//     printed:   lambda = max{r beta/(epsilon n) - Delta, 0}
//     corrected: lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0}: the modulus of the loss
//                in the Euclidean norm is Delta/radius^2
// theta_2 lies within sqrt(2 alpha/m) of theta_1, m the Euclidean modulus of J: 2 lambda, plus
// Delta/radius^2. The declared sensitivity is twice that (corrected), or as printed sqrt(8
// alpha/lambda), sqrt(8 alpha ||C||_2^2/Delta).
// epsilon > 0, delta in (0, 1), n >= 1.
ApproximateObjectivePerturbationParameters approximate_objective_perturbation_from_theorem(
    Edition edition, Index n, Index dimension, double epsilon, double delta, Loss loss,
    double lipschitz, double radius, double strong_convexity = 0);

// Of Theorem 2 with any body C in place of the ball: ||C||_2 and G_C are the body's,
// `smoothness` is beta, for a change of rank 1. `objective.radius` is the Euclidean radius of C.
ApproximateObjectivePerturbationParameters theorem_2_on(const ConvexBody& body, Index n,
                                                        double epsilon, double delta,
                                                        double lipschitz, double smoothness);

// Of Algorithm 1 and of Algorithm 2.
std::vector<Claim> approximate_objective_perturbation_rates();
std::vector<Claim> approximate_objective_perturbation_lemmas();
Algorithm approximate_objective_perturbation_algorithm();
std::vector<Claim> approximate_objective_perturbation_strongly_convex_rates();
std::vector<Claim> approximate_objective_perturbation_strongly_convex_lemmas();
Algorithm approximate_objective_perturbation_strongly_convex_algorithm();

}  // namespace dpverify::su
