#include "audits/exact/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"

namespace dpverify::exact {
namespace {

std::size_t wrap(Index place, std::size_t size) {
  const auto n = static_cast<Index>(size);
  return static_cast<std::size_t>(((place % n) + n) % n);
}

std::complex<double> power(std::complex<double> z, Index count) {
  if (z == 0.0) return 0;
  const auto n = static_cast<double>(count);
  return std::polar(std::pow(std::abs(z), n),
                    std::remainder(n * std::arg(z), 2 * std::numbers::pi));
}

}  // namespace

Cumulants cumulants(const std::vector<GridSteps>& steps, double step, double theta) {
  Cumulants total;
  for (const GridSteps& one : steps) {
    const auto exponent = [&](std::size_t k) {
      return theta * static_cast<double>(one.law.first + static_cast<Index>(k)) * step;
    };
    const std::size_t size = one.law.mass.size();
    const double shift = std::max(exponent(0), exponent(size - 1));
    double sum = 0, first = 0, second = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const double loss = static_cast<double>(one.law.first + static_cast<Index>(k)) * step;
      const double weight = one.law.mass[k] * std::exp(exponent(k) - shift);
      sum += weight;
      first += weight * loss;
      second += weight * loss * loss;
    }
    if (!(sum > 0)) return {-infinity, 0, 0};  // everything is at infinity
    const auto count = static_cast<double>(one.count);
    const double mean = first / sum;
    total.value += count * (std::log(sum) + shift);
    total.mean += count * mean;
    total.variance += count * std::max(0.0, second / sum - mean * mean);
  }
  return total;
}

double mass_at_infinity(const std::vector<GridSteps>& steps) {
  double log_finite = 0;
  for (const GridSteps& one : steps)
    log_finite += static_cast<double>(one.count) * std::log1p(-std::min(1.0, one.law.at_infinity));
  return -std::expm1(log_finite);
}

Convolution::Convolution(const std::vector<GridSteps>& steps, double step, double theta)
    : step_(step), theta_(theta), infinite_(mass_at_infinity(steps)) {
  const Cumulants at = cumulants(steps, step, theta);
  log_scale_ = at.value;
  if (log_scale_ == -infinity) return;
  choose_window(steps, at);

  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> product(size_ / 2 + 1, 1.0);
  for (const GridSteps& one : steps) {
    const Cumulants own = cumulants({{one.law, 1}}, step, theta);
    std::vector<double> folded(size_, 0);
    for (std::size_t k = 0; k < one.law.mass.size(); ++k) {
      const Index place = one.law.first + static_cast<Index>(k);
      folded[wrap(place, size_)] +=
          one.law.mass[k] * std::exp(theta * static_cast<double>(place) * step - own.value);
    }
    std::vector<std::complex<double>> spectrum;
    fft.fwd(spectrum, folded);
    for (std::size_t f = 0; f < product.size(); ++f)
      product[f] *= one.count == 1 ? spectrum[f] : power(spectrum[f], one.count);
  }
  std::vector<double> sum;
  fft.inv(sum, product, static_cast<Index>(size_));
  mass_.resize(size_);
  for (std::size_t k = 0; k < size_; ++k)
    mass_[k] = std::max(0.0, sum[wrap(first_ + static_cast<Index>(k), size_)]);
}

void Convolution::choose_window(const std::vector<GridSteps>& steps, const Cumulants& at) {
  const double half = 11 * std::sqrt(at.variance) + 64 * step_;
  while (static_cast<double>(size_) * step_ < 2 * half && size_ < most_points) size_ *= 2;
  for (;; size_ *= 2) {  // the tilted law may have heavier tails than a normal one
    first_ = static_cast<Index>(std::floor(at.mean / step_)) - static_cast<Index>(size_ / 2);
    cut_ = cut_off(steps, at);
    // What the Fourier transforms and the sums lose of the tilted mass stays far below.
    if (cut_ < rounding || size_ >= most_points) break;
  }
}

Interval Convolution::delta(double epsilon) const {
  if (log_scale_ == -infinity) return {infinite_, infinite_, 1};
  double sum = 0;
  for (std::size_t k = mass_.size(); k-- > 0;) {
    const double loss = static_cast<double>(first_ + static_cast<Index>(k)) * step_;
    if (loss <= epsilon) break;
    sum += mass_[k] * std::exp(-theta_ * (loss - epsilon)) * -std::expm1(epsilon - loss);
  }
  // All weights are at most e^(log_scale - theta epsilon), beside the factors of the sum.
  const double scale = std::exp(log_scale_ - theta_ * epsilon);
  const double error = cut_ + rounding;
  return {std::clamp(infinite_ + scale * (sum - error), 0.0, 1.0),
          std::clamp(infinite_ + scale * (sum + error), 0.0, 1.0), 1};
}

double Convolution::cut_off(const std::vector<GridSteps>& steps, const Cumulants& at) const {
  const double low = static_cast<double>(first_) * step_;
  const double high = low + static_cast<double>(size_ - 1) * step_;
  double left = 1, right = 1;
  for (double tilt = 0.25; tilt < 64 / std::max(std::sqrt(at.variance), step_); tilt *= 2) {
    right = std::min(
        right, std::exp(cumulants(steps, step_, theta_ + tilt).value - at.value - tilt * high));
    left = std::min(left,
                    std::exp(cumulants(steps, step_, theta_ - tilt).value - at.value + tilt * low));
  }
  return left + right;
}

}  // namespace dpverify::exact
