// The law of report noisy max with Laplace noise.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// log P(v = argmax_u scores[u] + Z_u), Z_u independent with density exp(-|z|/scale)/(2 scale), for
// every v. scale > 0, scores finite. Integrated in the log domain, so that small probabilities keep
// their digits: relative error below 1e-11 up to some hundred scores.
VectorXd noisy_max_log_probabilities(const VectorXd& scores, double scale);

}  // namespace dpverify
