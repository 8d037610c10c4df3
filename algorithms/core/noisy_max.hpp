// The law of report noisy max.
#pragma once

#include "algorithms/core/laws.hpp"

namespace dpverify {

// log P(v = argmax_u scores[u] + scale * Z_u), Z_u independent of the given noise, for every v.
// scale > 0, scores finite. Integrated in the log domain, so that small probabilities keep their
// digits: relative error below 1e-11 up to some hundred scores.
VectorXd noisy_max_log_probabilities(const VectorXd& scores, double scale,
                                     MaxNoise noise = MaxNoise::laplace);

// log P(Z <= z) of one such variable; -infinity where it is impossible.
double max_noise_log_cdf(MaxNoise noise, double z);

}  // namespace dpverify
