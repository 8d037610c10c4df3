// The law of report noisy max.
#pragma once

#include "algorithms/core/random.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// What report noisy max adds to each score, in scales: density exp(-|x|)/2, exp(-x) on x > 0, or
// exp(-x - exp(-x)).
enum class MaxNoise { laplace, exponential, gumbel };

// One draw: where the largest scores[v] + scale * Z_v is, and what.
struct NoisyLargest {
  Index index = 0;
  double value = 0;
};
NoisyLargest draw_noisy_max(const VectorXd& scores, double scale, MaxNoise noise,
                            RandomStream& stream);

// log P(v = argmax_u scores[u] + scale * Z_u), Z_u independent of the given noise, for every v.
// scale > 0, scores finite. Integrated in the log domain, so that small probabilities keep their
// digits: relative error below 1e-11, in time that grows like their number with Laplace noise, like
// its square with exponential noise.
VectorXd noisy_max_log_probabilities(const VectorXd& scores, double scale,
                                     MaxNoise noise = MaxNoise::laplace);

// log P(Z <= z) of one such variable; -infinity where it is impossible.
double max_noise_log_cdf(MaxNoise noise, double z);

// Its log density.
double max_noise_log_density(MaxNoise noise, double z);

}  // namespace dpverify
