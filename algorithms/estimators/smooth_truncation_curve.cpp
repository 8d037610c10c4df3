#include "algorithms/estimators/smooth_truncation_curve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"

namespace dpverify {
namespace {

constexpr int mantissa = 52;
constexpr int fewest_bits = 3, most_bits = 8;  // of a cell
// Of the polynomials at the points between their nodes: what smooth_truncation() errs itself.
constexpr double fitted = 5e-15;

double node(int k, int count) {  // Chebyshev's
  return std::cos(std::numbers::pi * (k + 0.5) / count);
}

}  // namespace

SmoothTruncationCurve::SmoothTruncationCurve(double beta)
    : beta_(beta), limit_(smooth_truncation_limit(beta)) {
  require(positive_and_finite, "beta", beta);
  const double root = std::sqrt(beta);
  low_ = std::numbers::sqrt2 / (1 + 8.5 / root);
  high_ = std::max(4 * root, low_);
  cubic_ = (1 + 3 / beta) / 6;
  series_ = smooth_truncation_series(root);
  for (int bits = fewest_bits; bits <= most_bits && cells_.empty(); ++bits) fit(bits);
}

std::uint64_t SmoothTruncationCurve::cell(double a) const {
  return (std::bit_cast<std::uint64_t>(a) >> (mantissa - bits_)) - first_;
}

// Interpolates at Chebyshev's nodes; drops all cells again if one is not right in between.
void SmoothTruncationCurve::fit(int bits) {
  constexpr int nodes = degree + 1;
  bits_ = bits;
  first_ = 0;
  first_ = cell(low_);
  const std::uint64_t count = cell(high_) + 1;
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto end = [&](std::uint64_t place) {
      return std::bit_cast<double>((first_ + place) << (mantissa - bits_));
    };
    const double middle = (end(k) + end(k + 1)) / 2, half = (end(k + 1) - end(k)) / 2;
    const auto right = [&](double x) {
      const double a = middle + half * x;
      return smooth_truncation(a, a / std::sqrt(beta_));
    };
    // Newton's divided differences, multiplied out.
    std::array<double, nodes> differences{};
    for (int i = 0; i < nodes; ++i) differences[i] = right(node(i, nodes));
    for (int order = 1; order < nodes; ++order)
      for (int i = nodes - 1; i >= order; --i)
        differences[i] =
            (differences[i] - differences[i - 1]) / (node(i, nodes) - node(i - order, nodes));
    Polynomial out{};
    for (int i = nodes - 1; i >= 0; --i) {
      for (int power = degree; power >= 1; --power)
        out[power] = out[power - 1] - node(i, nodes) * out[power];
      out[0] = differences[i] - node(i, nodes) * out[0];
    }
    cells_.push_back(out);
    for (const double x : {-1.0, -0.97, -0.8, -0.5, -0.1, 0.2, 0.6, 0.9, 0.99})
      if (const double a = middle + half * x; std::abs(piece(a) - right(x)) > fitted) {
        cells_.clear();
        return;
      }
  }
}

double SmoothTruncationCurve::piece(double a) const {
  const std::uint64_t k = cell(a);
  const auto end = [&](std::uint64_t place) {
    return std::bit_cast<double>((first_ + place) << (mantissa - bits_));
  };
  const double from = end(k), x = 2 * (a - from) / (end(k + 1) - from) - 1;
  const Polynomial& c = cells_[k];
  double sum = c[degree];
  for (int power = degree - 1; power >= 0; --power) sum = sum * x + c[power];
  return sum;
}

double SmoothTruncationCurve::of_magnitude(double a) const {
  if (a < low_) return a * (1 - a * a * cubic_);
  if (a >= high_) {
    const double u = beta_ / (a * a);
    double sum = series_.back();
    for (std::size_t k = series_.size() - 1; k-- > 0;) sum = sum * u + series_[k];
    return sum;
  }
  return cells_.empty() ? smooth_truncation(a, a / std::sqrt(beta_)) : piece(a);
}

double SmoothTruncationCurve::operator()(double a) const {
  if (std::isnan(a)) return 0;
  return std::copysign(std::clamp(of_magnitude(std::abs(a)), 0.0, limit_), a);
}

}  // namespace dpverify
