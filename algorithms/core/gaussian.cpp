#include "algorithms/core/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

using Wide = long double;  // 64 or more bits: the difference of two near tails keeps its digits

Wide cdf(Wide x) { return std::erfc(-x / std::numbers::sqrt2_v<Wide>) / 2; }

bool narrow(double low, double high) { return high - low <= 1e-13 * high; }

}  // namespace

double gaussian_delta(double mu, double epsilon) {
  require(not_negative, "mu", mu);
  require(not_negative, "epsilon", epsilon);
  if (mu == 0 || std::isinf(epsilon)) return 0;
  if (std::isinf(mu)) return 1;
  const Wide a = Wide{mu} / 2 - Wide{epsilon} / mu;
  const Wide b = -Wide{mu} / 2 - Wide{epsilon} / mu;
  const Wide first = cdf(a), tail = cdf(b);
  const Wide second = tail > 0 ? std::exp(Wide{epsilon} + std::log(tail)) : Wide{0};
  // The rounding of a and b moves each term by about their squares in units of the last place.
  const Wide rounding = 8 * std::numeric_limits<Wide>::epsilon() * (1 + b * b) * first;
  const Wide delta = std::clamp<Wide>(first - second + rounding, 0, 1);
  return std::min(1.0, std::nextafter(static_cast<double>(delta), 1.0));
}

double gaussian_epsilon(double mu, double delta) {
  require(probability, "delta", delta);
  if (mu == 0 || gaussian_delta(mu, 0) <= delta) return 0;
  if (delta == 0 || std::isinf(mu)) return infinity;
  double high = 1;
  while (gaussian_delta(mu, high) > delta) high *= 2;
  const auto spent = [&](double epsilon) { return gaussian_delta(mu, epsilon) <= delta; };
  return bisect(0, high, spent, narrow).high;
}

double gaussian_mu(double epsilon, double delta) {
  require(fraction, "delta", delta);
  double low = 1, high = 1;
  while (gaussian_delta(low, epsilon) > delta) low /= 2;
  while (gaussian_delta(high, epsilon) <= delta) high *= 2;
  const auto exceeds = [&](double mu) { return gaussian_delta(mu, epsilon) > delta; };
  return bisect(low, high, exceeds, narrow).low;
}

}  // namespace dpverify
