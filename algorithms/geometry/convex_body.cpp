#include "algorithms/geometry/convex_body.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

void validate(const ConvexBody& body) {
  require(body.p >= 1, "exponent p", body.p, "in [1, inf]");
  require(positive_and_finite, "radius", body.radius);
  require(body.dimension >= 1, "dimension", static_cast<double>(body.dimension), "at least 1");
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// E(1 - exp(-(|g|/x)^q)), g ~ N(0, 1), to some 1e-10; P(|g| > x) for q = infinity. In v = log|g|
// both ends of the integrand decay, so that the trapezoidal rule converges exponentially.
double transform_complement(double log_x, double q) {
  if (std::isinf(q)) return std::erfc(std::exp(log_x) / std::numbers::sqrt2);
  const double step = std::min(0.05, 0.25 / q);
  double sum = 0;
  for (double v = 2.2; v > -24; v -= step) {
    const double g = std::exp(v);
    sum -= std::exp(v - g * g / 2) * std::expm1(-std::exp(q * (v - log_x)));
  }
  return std::min(1.0, std::sqrt(2 / std::numbers::pi) * sum * step);
}

// E||g||_q = 1/Gamma(1 - 1/q) int_0^inf (1 - psi(x)^d) dx, psi(x) = E exp(-(|g_1|/x)^q): the
// formula s^a = a/Gamma(1 - a) int_0^inf (1 - e^{-ts}) t^{-a-1} dt for a = 1/q, s = sum |g_j|^q and
// t = x^-q. For q = infinity it is the integral of the tail of max |g_j|.
double expected_norm(double q, Index dimension) {
  const auto d = static_cast<double>(dimension);
  if (q == 1) return d * std::sqrt(2 / std::numbers::pi);
  if (q == 2) return std::numbers::sqrt2 * std::exp(log_gamma((d + 1) / 2) - log_gamma(d / 2));
  const double step = 0.02;  // of log x
  double log_x = -11.5;      // below, 1 - psi^d is 1 up to 1e-5
  double sum = std::exp(log_x), tail = 0;
  for (double weight = 0.5; weight > 0; log_x += step) {
    const double share = -std::expm1(d * std::log1p(-transform_complement(log_x, q)));
    if (share < 1e-10) {  // beyond, 1 - psi^d is proportional to x^-q up to 1e-10
      weight = 0;
      if (std::isfinite(q))
        tail = share * std::exp(log_x) * (1 / (q - 1) + step / 2 + step * step * (q - 1) / 12);
    }
    sum += weight * step * share * std::exp(log_x);
    if (weight > 0) weight = 1;
  }
  return (sum + tail) / std::tgamma(1 - 1 / q);
}

// E max_j g_j, the integral of P(max > x) over x > 0 less that of P(max < x) over x < 0.
double expected_maximum(Index dimension) {
  const auto d = static_cast<double>(dimension);
  const double step = 0.01;
  double sum = 0;
  for (double x = step / 2; x < 40; x += step)
    sum += -std::expm1(d * std::log1p(-normal_cdf(-x))) - std::pow(normal_cdf(-x), d);
  return sum * step;
}

}  // namespace

VectorXd shrunk(const VectorXd& v, double p, double radius) {
  require(positive, "radius", radius);
  const double largest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (largest == 0 || lp_norm(v, p) <= radius) return v;
  const VectorXd direction = v / largest;
  return direction * (radius / lp_norm(direction, p));
}

double minkowski_norm(const ConvexBody& body, const VectorXd& v) {
  validate(body);
  require(v.size() == body.dimension, "length of v", static_cast<double>(v.size()),
          "the dimension, " + std::to_string(body.dimension));
  if (body.shape == ConvexBody::Shape::ball) return lp_norm(v, body.p) / body.radius;
  return v.minCoeff() < 0 ? infinity : v.sum() / body.radius;
}

double gaussian_width(const ConvexBody& body) {
  validate(body);
  return body.radius * (body.shape == ConvexBody::Shape::simplex
                            ? expected_maximum(body.dimension)
                            : expected_norm(dual_exponent(body.p), body.dimension));
}

double euclidean_radius(const ConvexBody& body) {
  validate(body);
  if (body.shape == ConvexBody::Shape::simplex || body.p <= 2) return body.radius;
  return body.radius * std::pow(static_cast<double>(body.dimension), 0.5 - 1 / body.p);
}

}  // namespace dpverify
