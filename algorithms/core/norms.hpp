// Norms l_p on R^d, p in [1, infinity].
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// ||x||_p, scaled by the largest entry so that no power overflows or underflows. NaN if an entry
// is. Throws std::invalid_argument for p < 1.
double lp_norm(const VectorXd& x, double p);

// p/(p-1): 1 for infinity, infinity for 1. p in [1, infinity].
double dual_exponent(double p);

// log of the volume of the unit ball of l_p in R^d: (2 Gamma(1 + 1/p))^d / Gamma(1 + d/p).
double log_ball_volume(double p, Index dimension);

}  // namespace dpverify
