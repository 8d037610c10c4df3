// How far Peeling of a mean of signs lies from that mean: sampling and noise together.
#pragma once

#include "algorithms/claims/rates.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify {

// Peeling at epsilon = 0.9, delta = 1e-5 of the mean of n vectors of signs, the first s of d with
// the mean mu, the others fair. The bound is s (1 - mu^2)/n + s times `noise`: with s/n for the
// first term it would be slack by 1/(1 - mu^2) wherever sampling is most of the error, and the
// ratio to it would grow from there on.
struct PeelingOfSigns {
  double factor = 1;     // of the noise, as in PeelingParameters
  bool counted = false;  // the mean itself is drawn, as one record
  // mu is b log d, about the largest noise of a round, and not 1/2: the hardest to select from.
  bool at_the_noise = false;
  // Of the Laplace scale b and log d: the noise of a coordinate that is kept.
  double (*noise)(double b, double log_d) = [](double b, double) { return 2 * b * b; };

  RatePoint at(Index n, Index dimension, Index sparsity) const;
};

// Of d features s signs whose mean b (log d + 2), b the scale of Peeling's noise, the largest of d
// noises hides now and then: as often for every d, and a wrong choice costs b^2 log^2 d. (A larger
// mean is found, and then the error is s b^2 for every d.) Throws std::invalid_argument if so large
// a mean is beyond that of a sign.
CountedMean signs_at_the_noise(const PeelingParameters& parameters, Index dimension);

// In n, for d = 10 and s = 3.
RateClaim peeling_rate(double factor, Sweeps sweeps);

}  // namespace dpverify
