// A real data set as a population: a record is one of its lines, drawn with replacement, so that
// the population risk is a finite sum, and the optimum is known to a certified gap.
#pragma once

#include <memory>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify {

class EmpiricalModel {
 public:
  // Squared or logistic loss (then labels -1 and 1) over the l1 ball of radius > 0. Finds the
  // minimiser by accelerated projected gradient descent, to a gap of 1e-9 that Frank-Wolfe's
  // linearisation certifies. Throws std::invalid_argument for bad input, std::runtime_error if the
  // gap is not reached.
  EmpiricalModel(Dataset population, Loss loss, double radius);

  Index dimension() const { return population_->dimension(); }
  Dataset draw(Index n, RandomStream& stream) const;
  double risk(const VectorXd& w) const;  // the mean loss over the population
  // risk(w) minus a certified lower end of the smallest risk over the ball: never too small, and
  // too large by gap() at most.
  double excess_risk(const VectorXd& w) const;
  double gap() const { return gap_; }
  const VectorXd& minimiser() const { return minimiser_; }
  double smoothness() const;  // of the risk
  // A bound on E (coordinate of the gradient)^2 over the ball: its largest value for the squared
  // loss, where it is convex in w and so largest at a vertex.
  double gradient_second_moment() const;

 private:
  VectorXd gradient(const VectorXd& w) const;

  std::shared_ptr<const Dataset> population_;
  Loss loss_;
  double radius_;
  Matrix second_moments_;  // E x x^T
  VectorXd covariances_;   // E x y
  double label_moment_;    // E y^2
  VectorXd minimiser_;
  double gap_ = 0;
};

}  // namespace dpverify
