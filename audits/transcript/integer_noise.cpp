#include "audits/transcript/integer_noise.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// The largest k >= 0 whose noise is told from what lies beyond: P is below 1e-300 there.
double edge_of(const IntegerNoise& noise) {
  double high = 1;
  while (noise.log_probability(high) > -700) high *= 2;
  return high;
}

}  // namespace

IntegerNoise discrete_laplace(double scale) {
  require(positive_and_finite, "scale", scale);
  const double log_ratio = -1 / scale;  // of P(k + 1) and P(k), k >= 0
  const double log_sum = std::log1p(std::exp(log_ratio)) - std::log(-std::expm1(log_ratio));
  return {.log_probability =
              [=](double k) {
                return k == std::floor(k) ? std::abs(k) * log_ratio - log_sum : -infinity;
              },
          .distribution =
              [=](double x) {
                const double k = std::floor(x), both = 1 + std::exp(log_ratio);
                return k < 0 ? std::exp(-k * log_ratio) / both
                             : 1 - std::exp((k + 1) * log_ratio) / both;
              }};
}

IntegerNoise discrete_gaussian(double sigma) {
  require(positive_and_finite, "standard deviation", sigma);
  const auto weight = [sigma](double k) { return std::exp(-k / sigma * (k / sigma) / 2); };
  // sum of exp(-j^2/(2 sigma^2)) over j >= k, k >= 1, up to what doubles see.
  const auto above = [=](double k) {
    double sum = 0;
    for (double j = k; j <= 40 * sigma + 1; ++j) sum += weight(j);
    return sum;
  };
  // By Poisson's summation formula to a relative 2 exp(-2 pi^2 sigma^2).
  const double whole = sigma < 2 ? 1 + 2 * above(1) : sigma * std::sqrt(2 * std::numbers::pi);
  const double log_sum = std::log(whole);
  // Of noise <= -k, k >= 1; of wide noise by the midpoint rule, to 1e-8.
  const auto tail = [=](double k) {
    return sigma < 1000 ? above(k) / whole : std::erfc((k - 0.5) / sigma / std::numbers::sqrt2) / 2;
  };
  return {.log_probability =
              [=](double k) {
                return k == std::floor(k) ? -k / sigma * (k / sigma) / 2 - log_sum : -infinity;
              },
          .distribution =
              [=](double x) {
                const double k = std::floor(x);
                return k < 0 ? tail(-k) : 1 - tail(k + 1);
              }};
}

HiddenRelease with_integer_noise(const VectorXd& value, const IntegerNoise& noise) {
  const Index size = value.size();
  const auto draw = [value, noise](RandomStream& stream) {
    VectorXd out = value;
    for (double& x : out) {
      const double u = stream.uniform();
      double low = -edge_of(noise), high = -low;  // P(noise <= low) < u <= P(noise <= high)
      while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (noise.distribution(middle) >= u ? high : low) = middle;
      }
      x += high;
    }
    return out;
  };
  return {.size = size, .draw = draw, .log_density = [value, noise](const VectorXd& point) {
            double sum = 0;
            for (Index i = 0; i < value.size(); ++i)
              sum += noise.log_probability(point[i] - value[i]);
            return sum;
          }};
}

}  // namespace dpverify
