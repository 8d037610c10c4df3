// Stochastic convex optimisation with heavy-tailed gradients, by private projected gradient
// descent: Tao, Wu, Cheng and Wang, Algorithm 2.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/mechanisms/projected_descent.hpp"
#include "algorithms/tao/median_of_means.hpp"

namespace dpverify::tao {

// What a step sees, spends and the output is:
//   convex:          X_t = X, epsilon' = epsilon/(2 sqrt(2T log(2/delta))), delta' = delta/(2T)
//                    (Lemma 1); the average of w_1 to w_T
//   strongly_convex: X_t disjoint parts of n/T records, epsilon' = epsilon, delta' = delta; w_T
//   literal:         strongly_convex as line 7 prints it, over {x in X}
enum class Branch { convex, strongly_convex, literal };

struct DpScoParameters {
  GradientOracle gradients;
  Branch branch = Branch::strongly_convex;
  double radius = 1;      // > 0; W = {||w||_2 <= radius}, of diameter Delta = 2 radius
  VectorXd initial;       // w_0 in W: d numbers
  double step = 0.1;      // eta > 0
  Index iterations = 1;   // T; 1..n for parts
  double truncation = 1;  // tau > 0 of Algorithm 3
  Index blocks = 1;       // m of Algorithm 3, 1 to the size of a part
  double epsilon = 0.5;   // in (0, 1)
  double delta = 1e-5;    // in (0, 1)
};

// (epsilon, delta)-DP for replace-one neighbours (literal: not). Each step estimates the mean
// gradient by Algorithm 3 and projects onto W; line 8 prints the gradient without its tilde.
// Returns d numbers. Throws std::invalid_argument for parameters out of their domains.
VectorXd dp_sco(const Dataset& data, const DpScoParameters& parameters, Releases& releases);
// The same for n records that `data` describes, part by part, through the means of their blocks of
// thresholded gradients; `parameters.gradients` is not used.
VectorXd dp_sco(const BlockGradients& block_gradients, Index n, const Dataset& data,
                const DpScoParameters& parameters, Releases& releases);
// With another estimate of the mean gradient than Algorithm 3's.
VectorXd dp_sco(const Dataset& data, const DpScoParameters& parameters, const PrivateMean& estimate,
                Releases& releases);

// Algorithm 3's parameters in one step.
MedianOfMeansParameters estimator_parameters(const DpScoParameters& parameters);

// What Assumption 1 names.
struct ScoProblem {
  double radius = 1;          // W = {||w||_2 <= radius}, Delta = 2 radius
  double gradient_bound = 1;  // R >= ||grad L||
  double moment = 1;          // u >= E|grad_j|^(1+v)
  double order = 1;           // v, in (0, 1]
  double alpha = 1;           // strong convexity, for Theorem 7
  double beta = 1;            // smoothness, at least alpha
};

// Theorem 6: T = floor(R^2 epsilon^2 n^2/(tau^2 d^4)), at least 1, eta = Delta/(R sqrt T), tau =
// (epsilon n/d^(3/2))^(1/(1+v)), m of Algorithm 3, line 1. w_0 = 0; `gradients` left to the caller.
DpScoParameters convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                    double epsilon, double delta, double failure_probability);

// The same with u in tau and the constants that T hides: the largest T for which the noise of a
// step has expected squared norm at most R^2/64, at least 1.
DpScoParameters convex_balanced(Index n, Index dimension, const ScoProblem& problem, double epsilon,
                                double delta, double failure_probability);

// Theorem 7 as its proof supports it: eta = 1/(alpha + beta), T = log((alpha + beta) V/(alpha
// beta))/log(1 - alpha beta/(alpha + beta)^2) rounded up, at least 1, V = sqrt(d) u^(1/(1+v))
// (T/n)^(v/(1+v)) + u^(1/(1+v)) d^((1+2v)/(2+2v)) (T/(epsilon n))^(v/(1+v)), the error of a step;
// tau = (u epsilon n/(T sqrt d))^(1/(1+v)).
DpScoParameters strongly_convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                             double epsilon, double delta,
                                             double failure_probability);

// Theorem 7 with the factor T^(2v/(1+v)) that its O~ omits: (Delta + 1)^2 (alpha + beta)^2/(alpha^2
// beta) u^(2/(1+v)) d^((1+2v)/(1+v)) (T/(epsilon n))^(2v/(1+v)).
double strongly_convex_bound(double n, double dimension, const ScoProblem& problem, double epsilon,
                             double iterations);

std::vector<Claim> dp_sco_rates();
std::vector<Claim> dp_sco_floors();              // Theorems 8 and 9 on hard laws
std::vector<Claim> dp_sco_lemmas();              // Theorems 5 to 7
std::vector<Claim> dp_sco_lower_bound_lemmas();  // Theorems 8 and 9
Algorithm dp_sco_algorithm();

}  // namespace dpverify::tao
