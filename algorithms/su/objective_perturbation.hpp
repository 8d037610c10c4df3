// Objective perturbation: Su, Zhao and Wang, supplement, Algorithm 5 (after Iyengar et al., 2019).
#pragma once

#include <memory>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/core/objective.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

struct ObjectivePerturbationParameters {
  Loss loss = Loss::pseudo_huber;  // or logistic: a generalised linear model, Hessians of rank 1
  double lipschitz = 1;            // > 0: features are shrunk onto this Euclidean norm
  double radius = 1;               // > 0: the domain C is the Euclidean ball of this radius
  // Delta >= 0: (Delta/2) ||theta||_2^2/radius^2 is added to the loss of each record, which makes
  // it Delta-strongly convex with respect to the Minkowski norm of C and keeps the rank of the
  // change.
  double strong_convexity = 0;
  double ridge = 0.1;             // lambda >= 0: of lambda ||theta||_2^2 in the mean objective
  double standard_deviation = 1;  // sigma_1 > 0: of the random linear term G
};

// n J(theta) without its random term: sum of the losses + n lambda ||theta||_2^2 on C.
std::shared_ptr<const Objective> regularised_objective(const Dataset& data,
                                                       const ObjectivePerturbationParameters& p);
// The same for n records, of which copies[i] are the i-th of `kinds`.
std::shared_ptr<const Objective> regularised_objective(const Dataset& kinds, const VectorXd& copies,
                                                       Index n,
                                                       const ObjectivePerturbationParameters& p);

// L of the losses of Algorithm 5: lipschitz + strong_convexity/radius.
double lipschitz_constant(const ObjectivePerturbationParameters& parameters);
// beta, per record and without what strong_convexity adds (all records add the same).
double smoothness(const ObjectivePerturbationParameters& parameters);
// Of the mean objective J, in the Euclidean norm: 2 lambda + Delta/radius^2.
double modulus(const ObjectivePerturbationParameters& parameters);

// r = min{d, 2 rank} of the paper, rank = 1.
double rank_of_change(Index dimension);

// (epsilon, delta)-DP for replace-one neighbours at the parameters below. The minimiser over C of
// the mean loss + <G, theta>/n + lambda ||theta||_2^2, G ~ N(0, sigma_1^2 I); d numbers.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd objective_perturbation(const Dataset& data,
                                const ObjectivePerturbationParameters& parameters,
                                Releases& releases);
// The same for records given through their regularised objective.
VectorXd objective_perturbation(std::shared_ptr<const Objective> objective,
                                const ObjectivePerturbationParameters& parameters,
                                Releases& releases);

// sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2, and lambda, with r = min{d, 2 rank}:
//   printed: r beta/(2 epsilon n), Algorithm 5, line 2
//   proved:  r beta/(epsilon n), Lemma 5
// The log determinant costs up to rank beta/(2 n lambda). In one dimension, where r = rank, that is
// epsilon as printed and epsilon/2 as proved; the other half is for the noise.
// epsilon > 0, delta in (0, 1).
ObjectivePerturbationParameters objective_perturbation_from_theorem(Edition edition, Index n,
                                                                    Index dimension, double epsilon,
                                                                    double delta, Loss loss,
                                                                    double lipschitz,
                                                                    double radius);

std::vector<Claim> objective_perturbation_rates();
std::vector<Claim> objective_perturbation_lemmas();
Algorithm objective_perturbation_algorithm();

}  // namespace dpverify::su
