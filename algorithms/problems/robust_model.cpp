#include "algorithms/problems/robust_model.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

// P(R = 2^k), k = 0..levels-1.
VectorXd level_probabilities(Index levels) {
  require(levels >= 1 && levels <= 20, "levels", static_cast<double>(levels), "in 1..20");
  VectorXd p(levels);
  for (Index k = 0; k < levels; ++k) p[k] = std::pow(8.0, -0.5 * static_cast<double>(k));
  return p / p.sum();
}

double radius_moment(Index levels, double power) {
  const VectorXd p = level_probabilities(levels);
  double sum = 0;
  for (Index k = 0; k < levels; ++k) sum += p[k] * std::pow(2.0, power * static_cast<double>(k));
  return sum;
}

}  // namespace

Dataset RobustModel::draw(Index n, RandomStream& stream) const {
  const VectorXd p = level_probabilities(levels);
  Dataset data{Matrix(n, optimum.size()), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    double u = stream.uniform(), radius = scale;
    for (Index k = 0; k + 1 < levels && u >= p[k]; ++k) {
      u -= p[k];
      radius *= 2;
    }
    for (Index j = 0; j < optimum.size(); ++j)
      data.features(i, j) = stream.coin() ? radius : -radius;
    const double v = stream.uniform();
    const double noise = v >= outlier_share ? 0 : v < outlier_share / 2 ? -outlier : outlier;
    data.labels[i] = data.features.row(i).dot(optimum) + noise;
  }
  return data;
}

double RobustModel::excess_risk(const VectorXd& w) const {
  const VectorXd difference = w - optimum;
  if (loss == Loss::squared) return second_moment() * difference.squaredNorm();
  // Of one residual <x, w - w*>, over the noise.
  const auto excess = [this](double residual) {
    const double with_outlier =
        (loss_value(loss, residual, outlier) + loss_value(loss, residual, -outlier)) / 2 -
        loss_value(loss, 0, outlier);
    return (1 - outlier_share) * loss_value(loss, residual, 0) + outlier_share * with_outlier;
  };
  const VectorXd p = level_probabilities(levels);
  double sum = 0;
  const Index d = optimum.size();
  require(d >= 1 && d <= 10, "number of features", static_cast<double>(d), "in 1..10");
  for (unsigned signs = 0; signs < 1U << d; ++signs) {
    double product = 0;
    for (Index j = 0; j < d; ++j) product += (signs >> j & 1U ? -1 : 1) * difference[j];
    for (Index k = 0; k < levels; ++k)
      sum += p[k] * excess(scale * std::pow(2.0, static_cast<double>(k)) * product);
  }
  return sum / static_cast<double>(1U << d);
}

double RobustModel::second_moment() const { return scale * scale * radius_moment(levels, 2); }
double RobustModel::fourth_moment() const { return std::pow(scale, 4) * radius_moment(levels, 4); }

VectorXd spread_optimum(double entry) {
  require(fraction_or_one, "entry", entry);
  VectorXd out(static_cast<Index>(std::ceil(2 / entry)));
  double left = 1;
  for (double& each : out) {
    each = std::min(entry, left);
    left -= each;
  }
  return out;
}

}  // namespace dpverify
