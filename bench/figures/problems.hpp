// The data of the papers' experiments: independent features of one law, a linear model, and the
// error that the figures plot.
#pragma once

#include <string>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/scalar_law.hpp"

namespace dpverify::figures {

// One point of a figure.
struct Setting {
  Index records = 1;    // n
  Index dimension = 1;  // d
  Index sparsity = 1;   // s*, where the optimum is sparse
  double epsilon = 1;
  // n^-1.1, what the experiments of Hu et al. set where delta matters.
  double delta() const;
};

// What a trial draws.
struct Instance {
  Dataset data;
  VectorXd optimum;         // w*
  VectorXd initial;         // where the experiments start: a random point of the constraint set
  double optimum_risk = 0;  // empirical, of w*; logistic loss only
};

// Labels <x, w*> + noise, or (logistic) the sign of that.
// Optimum: a random direction of l1 norm 1, or (sparse) s* normal entries at random places, of l2
// norm 1. The initial point is uniform on the unit l1 ball, or s*-sparse and uniform on the unit l2
// ball of its random places.
struct LinearProblem {
  Loss loss = Loss::squared;  // squared or logistic
  ScalarLaw features;
  ScalarLaw noise;
  bool sparse = false;
  double regularizer = 0;  // adds regularizer ||w||_2^2/2 to the risk

  Instance draw(const Setting& setting, RandomStream& stream) const;

  // Risk of w minus that of w*. Squared: population risk, var(x) ||w - w*||_2^2 + (E x)^2 (sum_j (w
  // - w*)_j)^2, in closed form; noise whose mean is not 0 changes nothing where E x = 0, and of
  // noise without a second moment this is the part that depends on w. Logistic: empirical risk on
  // the trial's data, as the experiments approximate the population's; w* is then not the
  // minimiser, so that it can be negative. Infinite if w is not finite.
  double excess_risk(const Instance& instance, const VectorXd& w) const;

  std::string in_words() const;        // the data model
  std::string error_in_words() const;  // "excess population risk"

  double second_moment() const;              // E x^2
  double largest_eigenvalue(Index d) const;  // of E x x^T
  double smoothness(Index d) const;          // of the risk
  // A bound on E (gradient coordinate)^2 over the unit l1 ball, w* in it; squared loss with noise
  // of variance noise_variance, or logistic.
  double gradient_second_moment(double noise_variance) const;
  // The same at a residual of size 1 (squared loss), or at most (logistic): what a user who knows
  // only the features' second moment would guess.
  double guessed_second_moment() const;
};

}  // namespace dpverify::figures
