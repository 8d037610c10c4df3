// Rates of Theorems 1 and 2 on records of which one feature is not 0: in d, and under Assumption 4.
#pragma once

#include <functional>
#include <utility>

#include "algorithms/claims/rates.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

struct SeparableTheorem {
  double exponent = 0.5;
  double failure_probability = 0.25;
  Moments moments = Moments::norm;
  double theta = 2;  // order of the moment
  double epsilon = 1;
  // The theorem's parameters, with the net of cube_net, and its bound.
  std::function<std::pair<L1RegressionParameters, double>(Index n, Index dimension, double tau)> at;
};

// In d at a fixed n, W the cube in the unit ball. One feature of d, drawn uniformly, is a
// symmetrised Pareto variable of this tail index, under Assumptions 2 and 4 times d^(1/theta), so
// that there E|x_j|^theta and under Assumptions 1 and 3 E||x||_2^theta is the same for every d.
RateClaim dimension_rate(const SeparableTheorem& theorem, Index n, double tail, Sweeps sweeps);

// In n, on two features and W = [-h, h]^2, h = 1/sqrt 2, with a net of zeta = 20/n: with the
// probability p = (iota h/K)^theta, K = 4 and iota that of the printed (19), the feature is K/(iota
// h) and its label pulls to h; else it is some p times as large and pulls to h/4. So E|x_j|^theta
// <= 1 = tau^theta, and the rare records make h the optimum. But beyond a distance of h/K from it
// the printed iota truncates them, and the others prevail: an error that falls as iota^(theta - 1).
RateClaim outvoted_rate(const SeparableTheorem& theorem, double printed_exponent_of_iota,
                        Sweeps sweeps);

}  // namespace dpverify::wang_xu
