// Distributions of the privacy loss, and their composition with certified ends.
//
// The privacy loss of an outcome is log(p/q), p and q its probabilities on a dataset and on its
// neighbour. delta(epsilon) = E_p[(1 - e^(epsilon - loss))+], and the losses of independent (or
// adaptively chosen, dominated) steps add up.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// The mass of an event under both laws.
struct MassPair {
  double p = 0;
  double q = 0;
};

// The law of the loss in one direction: atoms and a continuous part.
struct LossLaw {
  struct Atom {
    double loss = 0;  // infinity where q = 0
    double p = 0;
  };
  std::vector<Atom> atoms;
  // Mass of the continuous part with loss in (low, high]; empty if there is none.
  std::function<MassPair(double low, double high)> continuous;
  double lowest = 0, highest = 0;  // finite range outside which the continuous part is negligible
  double below = 0, above = 0;     // bounds on what it has outside, under p
};

// N(0, 1) against N(mu, 1); the same in both directions. mu > 0.
LossLaw gaussian_loss(double mu);
// Laplace noise whose value moves by `shift` scales; the same in both directions. shift > 0.
LossLaw laplace_loss(double shift);
// Two laws on finitely many outcomes, from their log probabilities (-infinity allowed).
LossLaw finite_loss(const VectorXd& log_p, const VectorXd& log_q);
// Randomised response, the worst of all epsilon-DP steps; the same in both directions.
LossLaw randomised_response_loss(double epsilon);

struct LossSteps {
  LossLaw law;
  Index count = 1;
};

// Bounds on the smallest epsilon >= 0 at delta of the steps together, in their direction: lower <=
// truth <= upper. The losses are put on a grid twice: up, splitting each cell so that the masses
// under both laws are kept (Doroshenko et al., 2022), and down, on cells whose own loss is a grid
// point; the sums are convolved by Fourier transforms of the exponentially tilted laws. What the
// window cuts off is bounded by Chernoff's inequality, rounding by a relative 1e-9 of the tilted
// mass. The grid is refined until upper - lower <= width or it has 2^22 points; the interval
// returned holds either way. Infinite ends if mass delta or more is on infinite losses.
// delta in (0, 1), width > 0.
Interval composed_epsilon_interval(const std::vector<LossSteps>& steps, double delta,
                                   double width = 1e-3);

// Bounds on delta(epsilon), to a relative `width` if the grid allows, or until the upper one is at
// most `negligible`. epsilon >= 0.
Interval composed_delta_interval(const std::vector<LossSteps>& steps, double epsilon,
                                 double width = 1e-3, double negligible = 0);

}  // namespace dpverify
