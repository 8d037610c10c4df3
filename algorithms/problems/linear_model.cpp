#include "algorithms/problems/linear_model.hpp"

#include <cmath>
#include <limits>

namespace dpverify {

double FeatureLaw::mean() const {
  return kind == Kind::lognormal ? scale * std::exp(parameter / 2) : 0;
}

double FeatureLaw::second_moment() const {
  return scale * scale *
         (kind == Kind::lognormal ? std::exp(2 * parameter) : parameter / (parameter - 2));
}

double FeatureLaw::fourth_moment() const {
  return std::pow(scale, 4) * (kind == Kind::lognormal ? std::exp(8 * parameter)
                                                       : 3 * parameter * parameter /
                                                             ((parameter - 2) * (parameter - 4)));
}

double FeatureLaw::draw(RandomStream& stream) const {
  const double normal = stream.normal();
  if (kind == Kind::lognormal) return scale * std::exp(std::sqrt(parameter) * normal);
  // A chi-square variable with an even number of degrees is a sum of exponentials: one logarithm
  // of a product of uniforms, which cannot underflow for 30 degrees or fewer.
  double product = 1;
  for (double degrees = 0; degrees < parameter; degrees += 2) product *= stream.uniform();
  return scale * normal / std::sqrt(-2 * std::log(product) / parameter);
}

Dataset LinearModel::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix(n, optimum.size()), VectorXd(n)};
  const double noise = std::sqrt(noise_variance);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < optimum.size(); ++j) data.features(i, j) = features.draw(stream);
    data.labels[i] = data.features.row(i).dot(optimum) + noise * stream.normal();
  }
  return data;
}

double LinearModel::excess_risk(const VectorXd& w) const {
  const VectorXd difference = w - optimum;
  const double mean = features.mean();
  const double variance = features.second_moment() - mean * mean;
  return variance * difference.squaredNorm() + mean * mean * difference.sum() * difference.sum();
}

double LinearModel::smoothness() const {
  const double mean = features.mean();
  const double variance = features.second_moment() - mean * mean;
  return 2 * (variance + mean * mean * static_cast<double>(optimum.size()));
}

double LinearModel::gradient_second_moment(double reach) const {
  return 4 * (reach * reach * features.fourth_moment() + noise_variance * features.second_moment());
}

Dataset ScaledNoiseModel::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix::Zero(n, features), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    const Index j = features == 1 ? 0 : stream.index(features);
    const double sign = stream.uniform() < 0.5 ? -1 : 1;
    const double x = sign * std::pow(stream.uniform(), -1 / tail);
    data.features(i, j) = x;
    data.labels[i] = x * (optimum + noise_scale * stream.laplace());
  }
  return data;
}

double ScaledNoiseModel::excess_risk(const VectorXd& w) const {
  const auto ratio = (w.array() - optimum).abs() / noise_scale;
  return moment(1) * noise_scale *
         (ratio + (-ratio).unaryExpr([](double r) { return std::expm1(r); })).mean();
}

double ScaledNoiseModel::moment(double order) const {
  return order < tail ? tail / (tail - order) : std::numeric_limits<double>::infinity();
}

}  // namespace dpverify
