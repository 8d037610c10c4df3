// Noise on integers, as programs whose law is known.
#pragma once

#include "algorithms/core/laws/programs.hpp"

namespace dpverify {

// How independent noise on one coordinate falls. Integers only: elsewhere the density is -infinity
// and the distribution that of the integers below.
struct IntegerNoise {
  std::function<double(double)> log_probability;
  std::function<double(double)> distribution;  // P(noise <= k)
};

// P(k) proportional to exp(-|k|/scale); (sensitivity/scale)-DP, sensitivity in l1. scale > 0.
IntegerNoise discrete_laplace(double scale);
// P(k) proportional to exp(-k^2/(2 sigma^2)); (sensitivity^2/(2 sigma^2))-zCDP, sensitivity in l2
// (Canonne, Kamath and Steinke, 2020). sigma > 0.
IntegerNoise discrete_gaussian(double sigma);

// value + such noise in each coordinate; draws by inversion. The value is of integers.
HiddenRelease with_integer_noise(const VectorXd& value, const IntegerNoise& noise);

}  // namespace dpverify
