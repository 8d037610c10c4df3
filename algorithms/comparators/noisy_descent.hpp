// What a user would run instead of the papers' algorithms: projected gradient descent with Gaussian
// noise, on gradients clipped in l2 or on robust means. Mechanisms like any other, so that the
// audits apply to them.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify {

// A constraint set with its Euclidean projection. `sparsity` > 0 asks for at most that many entries
// other than 0 as well; then only the l2 ball and the whole space have a simple projection: the
// largest magnitudes (ties: the lowest index), then the ball.
struct FeasibleSet {
  enum class Kind { whole_space, l1_ball, l2_ball } kind = Kind::whole_space;
  double radius = 1;   // > 0, of a ball
  Index sparsity = 0;  // 0: no limit
};
// The point of the set nearest to w. Throws std::invalid_argument for a radius that is not positive
// and for an l1 ball with a limit of sparsity.
VectorXd project(const VectorXd& w, const FeasibleSet& set);

// Shared by both comparators: T steps w <- project(w - step (noisy gradient + regularizer w)), each
// on the whole dataset. The noise makes T adaptive Gaussian releases together mu-GDP, mu the
// largest that gives (epsilon, delta)-DP (exact, no advanced composition): each is mu/sqrt(T)-GDP.
struct NoisyDescentParameters {
  Loss loss = Loss::squared;
  FeasibleSet feasible;
  VectorXd initial;        // w^0, d numbers, projected before the first step
  Index iterations = 20;   // T >= 1
  double step = 0.1;       // > 0
  double regularizer = 0;  // >= 0: adds regularizer ||w||_2^2/2 to the loss
  double epsilon = 1;      // > 0
  double delta = 1e-5;     // in (0, 1)
};

// Full-batch clipped noisy gradient descent, DP-SGD without sampling (Abadi et al., 2016): the mean
// of the records' gradients, each scaled to l2 norm at most `clip` > 0, plus Gaussian noise; one
// record moves the mean by at most 2 clip/n in l2. Returns w^T. (epsilon, delta)-DP for replace-one
// neighbours. A gradient that overflowed counts as one of norm `clip`, one that is NaN as 0.
VectorXd clipped_noisy_descent(const Dataset& data, const NoisyDescentParameters& parameters,
                               double clip, Releases& releases);

// Robust gradient descent with Gaussian noise, in the style of Wang, Xiao, Devadas and Xu (2020),
// the method that the papers improve on: the smoothly truncated mean of each coordinate (beta = 1)
// plus Gaussian noise; one record moves the mean by at most sqrt(d) 2 scale limit/n in l2, limit =
// smooth_truncation_limit(1). Returns w^T. (epsilon, delta)-DP for replace-one neighbours.
VectorXd robust_noisy_descent(const Dataset& data, const NoisyDescentParameters& parameters,
                              double scale, Releases& releases);

// The truncation scale that makes the bias second_moment/scale of a coordinate equal to its noise,
// scale sqrt(d T)/(n mu): no constant tuned. second_moment > 0: a public guess of E (coordinate of
// the gradient)^2.
double balanced_scale(Index n, Index dimension, const NoisyDescentParameters& parameters,
                      double second_moment);

// What both comparators may know of a problem, and where they start.
struct ComparatorProblem {
  Loss loss = Loss::squared;
  FeasibleSet feasible;
  VectorXd initial;
  double smoothness = 1;     // > 0, of the risk: the step is its inverse
  double second_moment = 1;  // > 0, a guess of E (coordinate of the gradient)^2
  double regularizer = 0;    // >= 0: adds regularizer ||w||_2^2/2 to the loss
};

// "clipped + Gaussian" (20 steps, clipped at the root of d second_moment) and "robust + Gaussian"
// (5 steps, at the balanced scale), both (epsilon, delta)-DP.
std::vector<Comparator> usual_comparators(const ComparatorProblem& problem, Index n, double epsilon,
                                          double delta);

}  // namespace dpverify
