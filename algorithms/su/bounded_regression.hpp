// The regression on which the rates of objective perturbation are looked at, and what Theorems 2
// and 4 of Su, Zhao and Wang say of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/claims/rates.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/objective_perturbation.hpp"
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

// Theorems 2 and 4 with the constants of the noise G, whose standard deviation sigma_1 stands for L
// sqrt(log(1/delta))/epsilon:
//   Delta = 0: G_C sigma_1/n + L ||C||_2/sqrt n
//   Delta > 0: L^2 ||C||_2^2/(Delta n) + G_C^2 sigma_1^2/(Delta n^2)
double bound_by_noise(const ObjectivePerturbationParameters& p, Index n, Index dimension);

// Where these are attained: records with one feature of d that is ever different from 0 (a
// HiddenDirection), whose loss is linear on C up to 1e-5 of its slope; they come as counts.
//   Delta = 0: the mean gradient, share L, is twice as long as G/n is on average. The minimiser is
//              on the boundary, in the direction of their sum, about 27 degrees from the optimum:
//              the excess risk is about (1 - 2/sqrt 5) share L R = 0.2 G_C sigma_1/n, a ninth of
//              what a run that knows nothing errs, so that a slower run is seen.
//   Delta > 0: the optimum is 0.9 R e_1, and G moves the minimiser by R^2 G/(Delta n): the excess
//              risk is G_C^2 sigma_1^2/(2 Delta n^2), as long as that is inside C.
// `on_counts` makes the mechanism for counts of these kinds of records. Throws
// std::invalid_argument where n is so small that no mean gradient is long enough.
RatePoint attained_point(const ObjectivePerturbationParameters& p, Index n, Index dimension,
                         const std::function<Mechanism(const Dataset& kinds)>& on_counts);
inline const std::string attained_words =
    "pseudo-Huber regression with one feature of d that is ever different from 0, x = (1, 0, "
    "..., 0), drawn as counts; ";

}  // namespace dpverify::su
