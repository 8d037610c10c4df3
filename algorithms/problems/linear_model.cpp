#include "algorithms/problems/linear_model.hpp"

#include <cmath>

#include "algorithms/core/numbers.hpp"

namespace dpverify {

Dataset LinearModel::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix(n, optimum.size()), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < optimum.size(); ++j) data.features(i, j) = features.draw(stream);
    data.labels[i] = data.features.row(i).dot(optimum) + noise.draw(stream);
  }
  return data;
}

double LinearModel::excess_risk(const VectorXd& w) const {
  const VectorXd difference = w - optimum;
  const double mean = features.mean();
  return features.variance() * difference.squaredNorm() +
         mean * mean * difference.sum() * difference.sum();
}

double LinearModel::smoothness() const {
  const double mean = features.mean();
  return 2 * (features.variance() + mean * mean * static_cast<double>(optimum.size()));
}

double LinearModel::gradient_second_moment(double reach) const {
  return 4 * (reach * reach * features.fourth_moment() +
              noise.second_moment() * features.second_moment());
}

Dataset ScaledNoiseModel::draw(Index n, RandomStream& stream) const {
  const ScalarLaw size{ScalarLaw::Kind::pareto, tail};
  Dataset data{Matrix::Zero(n, features), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    const Index j = features == 1 ? 0 : stream.index(features);
    const double x = size.draw(stream);
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
  return order < tail ? tail / (tail - order) : infinity;
}

Dataset RareFeatureModel::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix::Zero(n, 1), VectorXd::Zero(n)};
  for (Index i = 0; i < n; ++i) {
    if (stream.uniform() >= share) continue;
    const double x = stream.coin() ? -size() : size();
    data.features(i, 0) = x;
    data.labels[i] = x * (optimum + noise_scale * stream.laplace());
  }
  return data;
}

double RareFeatureModel::excess_risk(const VectorXd& w) const {
  const double ratio = std::abs(w[0] - optimum) / noise_scale;
  return moment(1) * noise_scale * (ratio + std::expm1(-ratio));
}

double RareFeatureModel::size() const { return std::pow(share, -1 / order); }

double RareFeatureModel::moment(double other) const { return share * std::pow(size(), other); }

}  // namespace dpverify
