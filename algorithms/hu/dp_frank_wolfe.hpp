// Heavy-tailed DP Frank-Wolfe: Hu, Ni, Xiao and Wang, "High Dimensional Differentially Private
// Stochastic Optimization with Heavy-tailed Data", Algorithm 1.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/core/releases.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/geometry/polytope.hpp"
#include "algorithms/hu/step.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {

struct FrankWolfeParameters {
  Loss loss = Loss::squared;
  Polytope polytope = Polytope::l1_ball(1, 1);
  VectorXd initial;      // w^0, d numbers, a point of the polytope
  Index iterations = 1;  // T, 1..n
  double scale = 1;      // s > 0, of the soft truncation, in units of the gradient
  double beta = 1;       // > 0: the smoothing noise has variance 1/beta
  double epsilon = 1;    // > 0
  Step step = Step::theorem;
  double step_factor = 1;  // in (0, 1]: multiplies every step; a public constant
  MeanEstimator estimator = MeanEstimator::smooth_truncation;
  // printed:   Delta = ||W||_1 4 sqrt2 s/(3m), ||W||_1 the l1 diameter, measured as the largest
  //            change of a score; true only where every vertex has l1 norm <= ||W||_1.
  // corrected: half of it times erf(sqrt(beta/2)), measured as half the range of the change, which
  //            is what the exponential mechanism feels: attained, hence the smallest safe Delta.
  Edition sensitivity = Edition::corrected;
};

// Delta for parts of m records.
double score_sensitivity(const FrankWolfeParameters& parameters, Index part_size);

// epsilon-DP for replace-one neighbours: each iteration selects a vertex with the exponential
// mechanism on its own part of the data (parallel composition). Returns w^T, d numbers.
// Throws std::invalid_argument for parameters out of their domains, T > n, or d different from the
// polytope's dimension.
VectorXd dp_frank_wolfe(const Dataset& data, const FrankWolfeParameters& parameters,
                        Releases& releases);

// What a problem must tell for the theorem's parameters.
struct SmoothProblem {
  double smoothness = 1;              // alpha: L_D is alpha-smooth
  double second_moment = 1;           // tau: E (gradient coordinate)^2 <= tau on the polytope
  double failure_probability = 0.05;  // zeta
};

// Theorem 2 with every hidden constant 1 and beta = 1:
//   T = (n epsilon alpha^2/(tau log(|V| d/zeta)))^(1/3), at least 1 and at most n,
//   s = sqrt(n epsilon tau/(T log(|V| d T/zeta))).
FrankWolfeParameters from_theorem(Index n, double epsilon, Polytope polytope, Loss loss,
                                  const SmoothProblem& problem);

// Section 6.2: T = floor((n epsilon)^(1/3)), s = floor(n epsilon); beta is not stated, here 1.
FrankWolfeParameters from_experiments(Index n, double epsilon, Polytope polytope, Loss loss);

// (6): ||W||_1 (alpha tau log(n |V| d/zeta))^(1/3)/(n epsilon)^(1/3).
double theorem_bound(Index n, double epsilon, const Polytope& polytope,
                     const SmoothProblem& problem);

// Throws std::invalid_argument for parameters out of their domains, T > n, or d different from the
// polytope's dimension.
void validate(const FrankWolfeParameters& parameters, const Dataset& data);

std::vector<Claim> dp_frank_wolfe_rates();
std::vector<Claim> dp_frank_wolfe_lemmas();
Algorithm dp_frank_wolfe_algorithm();

}  // namespace dpverify::hu
