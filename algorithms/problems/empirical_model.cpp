#include "algorithms/problems/empirical_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double largest_gap = 1e-9;
constexpr int most_steps = 1'000'000;

}  // namespace

EmpiricalModel::EmpiricalModel(Dataset population, Loss loss, double radius)
    : population_(std::make_shared<const Dataset>(std::move(population))),
      loss_(loss),
      radius_(radius) {
  validate(*population_);
  require(loss == Loss::squared || loss == Loss::logistic, "loss",
          "'" + std::string(name(loss)) + "'", "squared or logistic");
  require(positive_and_finite, "radius", radius);
  if (loss == Loss::logistic) validate_labels(loss, population_->all());
  const auto size = static_cast<double>(population_->size());
  const Matrix& x = population_->features;
  second_moments_ = x.transpose() * x / size;
  covariances_ = x.transpose() * population_->labels / size;
  label_moment_ = population_->labels.squaredNorm() / size;

  // Nesterov's method, which forgets its momentum where that points uphill.
  const FeasibleSet ball{FeasibleSet::Kind::l1_ball, radius};
  const double step = 1 / smoothness();
  VectorXd w = VectorXd::Zero(dimension()), ahead = w;
  double momentum = 1;
  for (int k = 0; k < most_steps; ++k) {
    const VectorXd slope = gradient(w);
    gap_ = slope.dot(w) + radius * slope.lpNorm<Eigen::Infinity>();
    if (gap_ <= largest_gap) {
      // Rounding: the sums behind a risk are exact to far less than this.
      gap_ = std::max(gap_, 0.0) + 1e-12;
      minimiser_ = w;
      return;
    }
    const VectorXd next = project(ahead - step * gradient(ahead), ball);
    const double larger = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const bool uphill = (ahead - next).dot(next - w) > 0;
    ahead = uphill ? next : VectorXd(next + (momentum - 1) / larger * (next - w));
    momentum = uphill ? 1 : larger;
    w = next;
  }
  throw std::runtime_error("the optimum on a data set was not found to a gap of 1e-9");
}

Dataset EmpiricalModel::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix(n, dimension()), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    const Index line = stream.index(population_->size());
    data.features.row(i) = population_->features.row(line);
    data.labels[i] = population_->labels[line];
  }
  return data;
}

VectorXd EmpiricalModel::gradient(const VectorXd& w) const {
  if (loss_ == Loss::squared) return 2 * (second_moments_ * w - covariances_);
  return gradients(loss_, w, population_->all()).colwise().mean();
}

double EmpiricalModel::risk(const VectorXd& w) const {
  if (loss_ == Loss::logistic) return empirical_risk(loss_, w, population_->all());
  return w.dot(second_moments_ * w) - 2 * covariances_.dot(w) + label_moment_;
}

double EmpiricalModel::excess_risk(const VectorXd& w) const {
  if (loss_ == Loss::logistic) return risk(w) - risk(minimiser_) + gap_;
  // The risk around the minimiser: exact where the difference of two risks would cancel.
  const VectorXd difference = w - minimiser_;
  return difference.dot(second_moments_ * difference) + gradient(minimiser_).dot(difference) + gap_;
}

double EmpiricalModel::smoothness() const {
  const double largest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(second_moments_, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .maxCoeff();
  return (loss_ == Loss::squared ? 2 : 0.25) * largest;
}

double EmpiricalModel::gradient_second_moment() const {
  if (loss_ == Loss::logistic) return second_moments_.diagonal().maxCoeff();
  double largest = 0;
  const auto squares = population_->features.array().square();
  for (Index k = 0; k < dimension(); ++k)
    for (const double sign : {-1.0, 1.0}) {
      const auto residuals = sign * radius_ * population_->features.col(k) - population_->labels;
      const VectorXd weights = 4 * residuals.array().square();
      largest = std::max(largest, (squares.matrix().transpose() * weights).maxCoeff() /
                                      static_cast<double>(population_->size()));
    }
  return largest;
}

}  // namespace dpverify
