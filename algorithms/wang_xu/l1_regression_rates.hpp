// The rates of Theorems 1 and 2 on the unit ball, as claims.
#pragma once

#include <functional>
#include <utility>

#include "algorithms/claims/rates.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "algorithms/wang_xu/l1_regression_claims.hpp"

namespace dpverify::wang_xu {

struct L1Theorem {
  L1Regression algorithm;
  double exponent = -0.5;
  double failure_probability = 0.25;
  // The theorem's parameters and bound.
  std::function<std::pair<L1RegressionParameters, double>(Index n, double epsilon)> at;
};

// In n at epsilon = 1, with comparators where `second_moment`, a guess of E x_j^2, is positive.
RateClaim l1_rate(const L1Theorem& theorem, const ScaledNoiseModel& model, Sweeps sweeps,
                  double second_moment = 0);
// In epsilon at n = 500, with that many trials of the smoke plan, as below.
RateClaim l1_epsilon_rate(const L1Theorem& theorem, const ScaledNoiseModel& model, Index trials);
// In n at epsilon = 1, on records of which 20 or so say anything, with E|x|^theta = 1: tau = 1.
RateClaim l1_rare_rate(const L1Theorem& theorem, double theta, Index trials);

}  // namespace dpverify::wang_xu
