// How far Peeling of a mean of signs lies from that mean: sampling and noise together.
#pragma once

#include "algorithms/claims/rates.hpp"

namespace dpverify {

// Peeling at epsilon = 0.9, delta = 1e-5 of the mean of n vectors of signs, the first s of d with
// the mean 1/2, the others fair. The bound is s/n + s times `noise`.
struct PeelingOfSigns {
  double factor = 1;     // of the noise, as in PeelingParameters
  bool counted = false;  // the mean itself is drawn, as one record
  // Of the Laplace scale b and log d: the noise of a coordinate that is kept.
  double (*noise)(double b, double log_d) = [](double b, double) { return 2 * b * b; };

  RatePoint at(Index n, Index dimension, Index sparsity) const;
};

// In n, for d = 10 and s = 3.
RateClaim peeling_rate(double factor, Sweeps sweeps);

}  // namespace dpverify
