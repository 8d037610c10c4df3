// The regression on which the rates of objective perturbation are looked at, and what Theorems 2
// and 4 of Su, Zhao and Wang say of it.
#pragma once

#include <string>
#include <vector>

#include "algorithms/claims/rates.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {

// Pseudo-Huber regression over the Euclidean unit ball, features of independent signs, one label in
// ten moved by +-10. With Delta > 0 it has one feature and (Delta/2) ||w||_2^2 added to the loss;
// with Delta = 0 it has two.
struct BoundedRegression {
  explicit BoundedRegression(double strong_convexity);  // Delta >= 0

  static constexpr double radius = 1, delta = 1e-5;
  double strong_convexity;
  RobustModel model;
  Index dimension;
  double lipschitz;  // L without Delta: the root of the dimension

  // One record of each kind, to be drawn as counts.
  SignModel kinds() const;
  // Population, above the smallest of the ball.
  double excess_risk(const VectorXd& w) const;
  RateProblem drawn(std::string words) const;
  RateProblem drawn_as_counts(std::string words) const;
  // Delta = 0: Theorem 2, L G_C sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.
  // Delta > 0: Theorem 4 as its proof has it, L^2 ||C||_2^2/(Delta n) + G_C^2 L^2
  //            log(1/delta)/(Delta n^2 epsilon^2).
  double bound(Index n, double epsilon) const;
  std::vector<Comparator> comparators(Index n, double epsilon) const;

 private:
  double risk(const VectorXd& w) const;

  double least_ = 0;  // the smallest risk above that of w*
};

}  // namespace dpverify::su
