#include "algorithms/estimators/smooth_truncation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/smooth_truncation_curve.hpp"

namespace dpverify {
namespace {

constexpr double root_two = std::numbers::sqrt2;
constexpr double c0 = truncation_limit;
const double root_two_pi = std::sqrt(2 * std::numbers::pi);

double normal_cdf(double x) { return 0.5 * std::erfc(-x / root_two); }
double normal_density(double x) { return std::exp(-0.5 * x * x) / root_two_pi; }

// Moments of the normal on [z1, z2], the part of phi that is a cubic, plus the two plateaus.
// Accurate while b^3 times the rounding unit is small.
double from_truncated_moments(double a, double b) {
  const double z1 = std::max((-root_two - a) / b, -40.0);
  const double z2 = std::clamp((root_two - a) / b, -40.0, 40.0);
  const double p1 = normal_density(z1), p2 = normal_density(z2);
  const double below = normal_cdf(z1), above = normal_cdf(-z2);
  const double i0 = 1 - below - above;
  const double i1 = p1 - p2;
  const double i2 = i0 + z1 * p1 - z2 * p2;
  const double i3 = (z1 * z1 + 2) * p1 - (z2 * z2 + 2) * p2;
  return c0 * (above - below) + (a - a * a * a / 6) * i0 + b * (1 - a * a / 2) * i1 -
         a * b * b / 2 * i2 - b * b * b / 6 * i3;
}

// 16-point Gauss-Legendre rule on [-1, 1] (Abramowitz and Stegun, table 25.4): node, weight.
constexpr std::array<std::pair<double, double>, 8> gauss_legendre{{
    {0.0950125098376374402, 0.1894506104550684963},
    {0.2816035507792589132, 0.1826034150449235889},
    {0.4580167776572273863, 0.1691565193950025382},
    {0.6178762444026437484, 0.1495959888165767321},
    {0.7554044083550030339, 0.1246289712555338720},
    {0.8656312023878317439, 0.0951585116824927848},
    {0.9445750230732325761, 0.0622535239386478929},
    {0.9894009349916499326, 0.0271524594117540949},
}};

double by_quadrature(double a, double b) {
  double sum = 0;
  for (const auto& [node, weight] : gauss_legendre)
    for (const double x : {-node, node}) {
      const double t = root_two / 2 * (1 + x);
      sum += weight * (1 - t * t / 2) * (normal_cdf((a + t) / b) - normal_cdf((t - a) / b));
    }
  return root_two / 2 * sum;
}

double by_series(double a, double b) {
  const TruncationSeries terms = smooth_truncation_series(a / b);
  const double u = 1 / (b * b);
  double sum = 0;
  for (std::size_t k = terms.size(); k-- > 0;) sum = sum * u + terms[k];
  return sum;
}

}  // namespace

// Taylor series of the integrand in t/b about 0: Phi(r + u) - Phi(u - r) is even in u: 2 Phi(r) - 1
// + 2 sum_k u^(2k)/(2k)! Phi^(2k)(r), and Phi^(2k)(r) = -He_(2k-1)(r) density(r).
TruncationSeries smooth_truncation_series(double r) {
  TruncationSeries out{};
  out[0] = c0 * std::erf(r / root_two);
  if (std::abs(r) >= 40) return out;
  const double density = normal_density(r);
  double hermite_even = 1, hermite_odd = r;  // He_(2k-2), He_(2k-1)
  double factor = 1;                         // (sqrt 2)^(2k)/(2k)!
  for (int k = 1; k < static_cast<int>(out.size()); ++k) {
    factor *= 2.0 / ((2 * k - 1) * (2 * k));
    // integral over 0..sqrt 2 of (1 - t^2/2) (t/sqrt 2)^(2k) dt
    const double moment = root_two * (1.0 / (2 * k + 1) - 1.0 / (2 * k + 3));
    out[static_cast<std::size_t>(k)] = -2 * factor * moment * hermite_odd * density;
    const double next_even = r * hermite_odd - (2 * k - 1) * hermite_even;
    hermite_odd = r * next_even - 2 * k * hermite_odd;
    hermite_even = next_even;
  }
  return out;
}

double soft_truncation(double x) {
  return std::abs(x) <= root_two ? x - x * x * x / 6 : std::copysign(c0, x);
}

double smooth_truncation(double a, double b) {
  require(not_negative_and_finite, "b", b);
  const double magnitude = std::abs(a);
  double value = 0;
  if (magnitude - root_two > 40 * b)
    value = c0;
  else if (b == 0)
    value = soft_truncation(magnitude);
  else if (root_two - magnitude > 8.5 * b)
    // The plateaus lie 8.5 standard deviations away (probability 1e-17): the cubic alone.
    value = magnitude * (1 - (magnitude * magnitude + 3 * b * b) / 6);
  else if (b < 0.5)
    value = from_truncated_moments(magnitude, b);
  else if (b < 4)
    value = by_quadrature(magnitude, b);
  else
    value = by_series(magnitude, b);
  return std::copysign(std::clamp(value, 0.0, c0), a);
}

double smooth_truncation_closed_form(double a, double b) {
  if (b == 0) return soft_truncation(a);
  const double v_minus = (root_two - a) / b, v_plus = (root_two + a) / b;
  const double f_minus = normal_cdf(-v_minus), f_plus = normal_cdf(-v_plus);
  const double e_minus = std::exp(-v_minus * v_minus / 2), e_plus = std::exp(-v_plus * v_plus / 2);
  const double t1 = c0 * (f_minus - f_plus);
  const double t2 = -(a - a * a * a / 6) * (f_minus + f_plus);
  const double t3 = b / root_two_pi * (1 - a * a / 2) * (e_plus - e_minus);
  const double t4 =
      a * b * b / 2 * (f_plus + f_minus + (v_plus * e_plus + v_minus * e_minus) / root_two_pi);
  const double t5 = b * b * b / (6 * root_two_pi) *
                    ((2 + v_minus * v_minus) * e_minus - (2 + v_plus * v_plus) * e_plus);
  return a * (1 - b * b / 2) - a * a * a / 6 + t1 + t2 + t3 + t4 + t5;
}

double smooth_truncation_limit(double beta) { return c0 * std::erf(std::sqrt(beta / 2)); }

namespace {

// The curve of the last beta that was asked for: a run asks for one beta many times.
const SmoothTruncationCurve& curve_of(double beta) {
  thread_local std::optional<std::pair<double, SmoothTruncationCurve>> last;
  if (!last || last->first != beta) last.emplace(beta, SmoothTruncationCurve(beta));
  return last->second;
}

double one_by_one(double a, double beta) {
  const double limit = smooth_truncation_limit(beta);
  if (std::isnan(a)) return 0;
  if (std::abs(a) > 1e100) return std::copysign(limit, a);  // b may overflow; exact to 1e-100
  return std::clamp(smooth_truncation(a, std::abs(a) / std::sqrt(beta)), -limit, limit);
}

template <class Truncation>
VectorXd sum_of_truncated(const Matrix& values, double scale, const Truncation& truncation) {
  VectorXd sum = VectorXd::Zero(values.cols());
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) sum[j] += truncation(values(i, j) / scale);
  return sum;
}

// A curve costs as much as so many numbers one by one.
constexpr Index enough_for_a_curve = 4096;

}  // namespace

VectorXd robust_mean(const Matrix& values, double scale, double beta, MeanEstimator estimator) {
  require(positive_and_finite, "truncation scale", scale);
  require(positive_and_finite, "beta", beta);
  require(values.rows() >= 1, "number of records", static_cast<double>(values.rows()),
          "at least 1");
  const auto m = static_cast<double>(values.rows());
  if (estimator == MeanEstimator::plain_mean) return values.colwise().sum() / m;
  const auto sum = [&]() -> VectorXd {
    switch (estimator) {
      case MeanEstimator::plain_mean:
      case MeanEstimator::smooth_truncation_closed_form:
        return sum_of_truncated(values, scale, [root = std::sqrt(beta)](double a) {
          return smooth_truncation_closed_form(a, std::abs(a) / root);
        });
      case MeanEstimator::smooth_truncation:
        break;
    }
    if (values.size() >= enough_for_a_curve) return sum_of_truncated(values, scale, curve_of(beta));
    return sum_of_truncated(values, scale, [beta](double a) { return one_by_one(a, beta); });
  };
  return scale / m * sum();
}

}  // namespace dpverify
