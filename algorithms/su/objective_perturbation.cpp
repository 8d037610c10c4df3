#include "algorithms/su/objective_perturbation.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/generalised_linear.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {
namespace {

class RegularisedLoss final : public GeneralisedLinearObjective {
 public:
  // Record i stands for copies[i] equal ones, of features of norm at most `lipschitz`; `quadratic`
  // multiplies ||theta||_2^2/2.
  RegularisedLoss(Loss loss, double lipschitz, Dataset records, VectorXd copies, double quadratic,
                  double radius)
      : loss_(loss),
        lipschitz_(lipschitz),
        records_(std::move(records)),
        copies_(std::move(copies)),
        quadratic_(quadratic),
        radius_(radius) {}
  Index dimension() const override { return records_.dimension(); }
  double radius() const override { return radius_; }
  double strong_convexity() const override { return quadratic_; }
  double record_curvature() const override { return dpverify::su::smoothness(loss_, lipschitz_); }
  VectorXd gradient(const VectorXd& theta) const override {
    VectorXd weights = records_.features * theta;
    for (Index i = 0; i < weights.size(); ++i)
      weights[i] = copies_[i] * loss_derivative(loss_, weights[i], records_.labels[i]);
    return records_.features.transpose() * weights + quadratic_ * theta;
  }
  Matrix hessian(const VectorXd& theta) const override {
    VectorXd weights = records_.features * theta;
    for (Index i = 0; i < weights.size(); ++i)
      weights[i] = copies_[i] * loss_second_derivative(loss_, weights[i], records_.labels[i]);
    Matrix out = records_.features.transpose() * weights.asDiagonal() * records_.features;
    out.diagonal().array() += quadratic_;
    return out;
  }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<RegularisedLoss>(
        loss_, lipschitz_, Dataset{Matrix::Zero(0, dimension()), VectorXd::Zero(0)},
        VectorXd::Zero(0), quadratic_, radius_);
  }

 private:
  Loss loss_;
  double lipschitz_;
  Dataset records_;
  VectorXd copies_;
  double quadratic_, radius_;
};

void validate(const ObjectivePerturbationParameters& p) {
  require(positive_and_finite, "Lipschitz constant L", p.lipschitz);
  require(positive_and_finite, "radius of C", p.radius);
  require(not_negative_and_finite, "strong convexity Delta", p.strong_convexity);
  require(not_negative_and_finite, "lambda", p.ridge);
  require(p.ridge > 0 || p.strong_convexity > 0, "lambda", p.ridge,
          "positive where the loss is not strongly convex");
  require(positive_and_finite, "standard deviation sigma_1", p.standard_deviation);
}

}  // namespace

std::shared_ptr<const Objective> regularised_objective(const Dataset& data, const VectorXd& copies,
                                                       Index n,
                                                       const ObjectivePerturbationParameters& p) {
  validate(p);
  return std::make_shared<RegularisedLoss>(p.loss, p.lipschitz,
                                           lipschitz_records(p.loss, data, 2, p.lipschitz), copies,
                                           static_cast<double>(n) * modulus(p), p.radius);
}

std::shared_ptr<const Objective> regularised_objective(const Dataset& data,
                                                       const ObjectivePerturbationParameters& p) {
  return regularised_objective(data, VectorXd::Ones(data.size()), data.size(), p);
}

double lipschitz_constant(const ObjectivePerturbationParameters& p) {
  return p.lipschitz + p.strong_convexity / p.radius;
}

double smoothness(const ObjectivePerturbationParameters& p) {
  return smoothness(p.loss, p.lipschitz);
}

double modulus(const ObjectivePerturbationParameters& p) {
  return 2 * p.ridge + p.strong_convexity / (p.radius * p.radius);
}

double rank_of_change(Index dimension) { return std::min(static_cast<double>(dimension), 2.0); }

VectorXd objective_perturbation(std::shared_ptr<const Objective> objective,
                                const ObjectivePerturbationParameters& p, Releases& releases) {
  return releases.release(ObjectivePerturbation{.objective = std::move(objective),
                                                .sensitivity = 2 * lipschitz_constant(p),
                                                .standard_deviation = p.standard_deviation});
}

VectorXd objective_perturbation(const Dataset& data, const ObjectivePerturbationParameters& p,
                                Releases& releases) {
  return objective_perturbation(regularised_objective(data, p), p, releases);
}

ObjectivePerturbationParameters objective_perturbation_from_theorem(Edition edition, Index n,
                                                                    Index dimension, double epsilon,
                                                                    double delta, Loss loss,
                                                                    double lipschitz,
                                                                    double radius) {
  require(positive_and_finite, "epsilon", epsilon);
  require(fraction, "delta", delta);
  ObjectivePerturbationParameters p{.loss = loss, .lipschitz = lipschitz, .radius = radius};
  const double unit = smoothness(p) / (epsilon * static_cast<double>(n));
  const double r = rank_of_change(dimension);
  p.ridge = edition == Edition::printed ? r * unit / 2 : r * unit;
  p.standard_deviation = lipschitz * std::sqrt(32 * -std::log(delta)) / epsilon;
  return p;
}

}  // namespace dpverify::su
