#include "algorithms/core/objective.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "algorithms/core/laws.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

// sum_i log(1 + exp(-<x_i, theta>)) + ridge ||theta||^2/2 on a ball.
class Logistic final : public Objective {
 public:
  Logistic(Matrix rows, double ridge, double radius)
      : rows_(std::move(rows)), ridge_(ridge), radius_(radius) {}
  Index dimension() const override { return rows_.cols(); }
  double radius() const override { return radius_; }
  double strong_convexity() const override { return ridge_; }
  VectorXd gradient(const VectorXd& theta) const override {
    VectorXd out = ridge_ * theta;
    for (Index i = 0; i < rows_.rows(); ++i)
      out -= rows_.row(i).transpose() / (1 + std::exp(rows_.row(i).dot(theta)));
    return out;
  }
  Matrix hessian(const VectorXd& theta) const override {
    Matrix out = ridge_ * Matrix::Identity(dimension(), dimension());
    for (Index i = 0; i < rows_.rows(); ++i) {
      const double p = 1 / (1 + std::exp(rows_.row(i).dot(theta)));
      out += p * (1 - p) * rows_.row(i).transpose() * rows_.row(i);
    }
    return out;
  }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<Logistic>(Matrix::Zero(0, dimension()), ridge_, radius_);
  }

 private:
  Matrix rows_;
  double ridge_, radius_;
};

Matrix rows(Index n, Index d, std::uint64_t seed) {
  RandomStream stream({.seed = seed, .claim = "objective test", .purpose = "rows"});
  Matrix out(n, d);
  for (double& x : out.reshaped()) x = stream.normal();
  return out;
}

// Projected gradient descent with a small step, for a long time.
VectorXd slow_minimum(const Objective& objective, const VectorXd& linear) {
  const double smoothness = objective.hessian(VectorXd::Zero(linear.size())).norm() + 1;
  VectorXd theta = VectorXd::Zero(linear.size());
  for (int k = 0; k < 20'000; ++k) {
    theta -= (objective.gradient(theta) + linear) / smoothness;
    if (theta.norm() > objective.radius()) theta *= objective.radius() / theta.norm();
  }
  return theta;
}

TEST(Minimise, AgreesWithProjectedGradientDescent) {
  for (const Index d : {1, 2, 5})
    for (const double radius : {0.3, 1.0, infinity})
      for (const double push : {0.1, 5.0, 100.0}) {
        const Logistic objective(rows(20, d, 1), 0.7, radius);
        const VectorXd linear = push * rows(d, 1, 2);
        const Minimum found = minimise(objective, linear);
        const VectorXd slow = slow_minimum(objective, linear);
        EXPECT_LE((found.theta - slow).norm(), 1e-9 * (1 + slow.norm()))
            << d << " " << radius << " " << push;
        EXPECT_LE(found.theta.norm(), radius * (1 + 1e-15));
        EXPECT_LE(found.gap, 1e-20 * (1 + push * push));
        EXPECT_EQ(found.multiplier > 0, slow.norm() > radius * (1 - 1e-9));
      }
}

TEST(Minimise, TheGapIsCertified) {
  const Logistic objective(rows(20, 3, 3), 0.5, 0.4);
  const VectorXd linear = rows(3, 1, 4) * 3;
  const VectorXd best = minimise(objective, linear).theta;
  for (const double accuracy : {1.0, 1e-3, 1e-9}) {
    const Minimum found = minimise(objective, linear, accuracy);
    EXPECT_LE(found.gap, accuracy);
    // 0.5-strongly convex with the multiplier's share on top.
    EXPECT_LE((found.theta - best).norm(), std::sqrt(2 * accuracy / 0.5));
  }
  EXPECT_THAT([&] { minimise(objective, linear * 1e6, 1e-40); },
              testing::ThrowsMessage<std::runtime_error>(
                  testing::HasSubstr("beyond double precision here: certified only")));
}

// Without records the objective is ||theta||^2/4, of modulus 1/2: from 0, where the search starts,
// it falls by exactly ||linear||^2/(2 * 1/2).
TEST(Minimise, TheGapIsThatOfAQuadratic) {
  const Minimum start = minimise(Logistic(Matrix(0, 2), 0.5, infinity), VectorXd{{3, 4}}, 100);
  EXPECT_EQ(start.theta, VectorXd::Zero(2));
  EXPECT_EQ(start.gap, 25);
}

TEST(MinimiserDensity, IntegratesToOneInOneDimension) {
  for (const double radius : {0.2, 1.0, 50.0}) {
    const Logistic objective(rows(10, 1, 5), 2, radius);
    const auto density = [&](double t) {
      return std::exp(minimiser_log_density(objective, 3, VectorXd::Constant(1, t)));
    };
    using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;
    const double edge = radius * (1 - 1e-9);
    const double inside = Quadrature::integrate(density, -edge, edge, 15, 1e-12);
    EXPECT_NEAR(inside + density(radius) + density(-radius), 1, 1e-7) << radius;
    EXPECT_EQ(density(1.1 * radius), 0);
  }
}

// In the disk the density of the interior and that of the circle together have mass 1.
void expect_mass_one_in_the_disk(double radius, double standard_deviation, double pull,
                                 double least_circle) {
  Matrix features = rows(10, 2, 6);
  features.rowwise() += Eigen::RowVector2d(pull, 0);  // towards the right
  const Logistic objective(features, 2, radius);
  const auto density = [&](double r, double angle) {
    return std::exp(minimiser_log_density(objective, standard_deviation,
                                          VectorXd{{r * std::cos(angle), r * std::sin(angle)}}));
  };
  double inside = 0, circle = 0;
  constexpr int angles = 1024;  // the trapezoidal rule is exact to rounding on smooth periods
  for (int k = 0; k < angles; ++k) {
    const double angle = 2 * std::numbers::pi * k / angles;
    inside += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        [&](double r) { return r * density(r, angle); }, 0.0, radius * (1 - 1e-10), 10, 1e-12);
    circle += radius * density(radius, angle);
  }
  const double total = (inside + circle) * 2 * std::numbers::pi / angles;
  EXPECT_GT(circle, least_circle * inside);
  EXPECT_NEAR(total, 1, 1e-8);
}

TEST(MinimiserDensity, IntegratesToOneInTheDisk) {
  expect_mass_one_in_the_disk(0.8, 3, 0, 0.1);   // both parts matter
  expect_mass_one_in_the_disk(0.1, 0.1, 2, 10);  // little noise against a strong pull outwards
}

// P(theta <= t) = Phi(F'(t)/sd): draws follow it, atoms included, and not the law of other data.
TEST(ObjectivePerturbation, DrawsFollowTheLaw) {
  const auto objective = std::make_shared<Logistic>(rows(10, 1, 7), 2, 100);
  const ObjectivePerturbation law{objective, 2, 3};
  RandomStream stream({.seed = 8, .claim = "objective test", .purpose = "draws"});
  std::vector<double> samples;
  for (int k = 0; k < 3000; ++k) samples.push_back(std::get<VectorXd>(sample(law, stream))[0]);
  const auto cdf = [](const Objective& of, double t) {
    return std::erfc(-of.gradient(VectorXd::Constant(1, t))[0] / 3 / std::numbers::sqrt2) / 2;
  };
  EXPECT_TRUE(samples_follow(samples, [&](double t) { return cdf(*objective, t); }));
  EXPECT_FALSE(
      samples_follow(samples, [&](double t) { return cdf(*objective->without_data(), t); }));
}

TEST(ObjectivePerturbation, AtomsHaveTheirProbability) {
  const auto objective = std::make_shared<Logistic>(rows(10, 1, 9), 2, 0.2);
  const ObjectivePerturbation law{objective, 2, 1};
  RandomStream stream({.seed = 10, .claim = "objective test", .purpose = "draws"});
  std::vector<Index> counts(3, 0);
  for (int k = 0; k < 5000; ++k) {
    const double t = std::get<VectorXd>(sample(law, stream))[0];
    ++counts[t >= 0.2 * (1 - 1e-12) ? 2 : t <= -0.2 * (1 - 1e-12) ? 0 : 1];
  }
  const double low = std::exp(log_density(law, VectorXd::Constant(1, -0.2)));
  const double high = std::exp(log_density(law, VectorXd::Constant(1, 0.2)));
  EXPECT_GT(low + high, 0.2);
  EXPECT_TRUE(counts_follow(counts, VectorXd{{low, 1 - low - high, high}}));
}

TEST(ObjectivePerturbation, ComparesGradientsAndForgetsData) {
  Matrix features = rows(6, 2, 11);
  const auto here = std::make_shared<Logistic>(features, 2, 1);
  features.row(0) *= -1;
  const auto there = std::make_shared<Logistic>(features, 2, 1);
  // At 0 the gradients differ by the replaced row: half of it on either side.
  const LawChange change =
      compare(ObjectivePerturbation{here, 2, 1}, ObjectivePerturbation{there, 2, 1});
  EXPECT_TRUE(change.comparable);
  EXPECT_GE(change.distance, features.row(0).norm() * (1 - 1e-12));
  EXPECT_FALSE(
      compare(ObjectivePerturbation{here, 2, 1}, ObjectivePerturbation{there, 2, 1.5}).comparable);
  EXPECT_EQ(std::get<VectorXd>(noiseless_outcome(without_data(ObjectivePerturbation{here, 2, 1}))),
            VectorXd::Zero(2));
  // The same gradients on another domain are another law.
  const auto wider = std::make_shared<Logistic>(features, 2, 2);
  EXPECT_FALSE(
      compare(ObjectivePerturbation{there, 2, 1}, ObjectivePerturbation{wider, 2, 1}).comparable);
}

// gradient(theta) = theta, and the noise would have to reach 40 standard deviations out for the end
// point 1 not to be a minimiser: log Phi(-40), from a computation with 30 digits.
TEST(MinimiserDensity, EndPointsFarInTheTail) {
  const Logistic parabola(Matrix::Zero(0, 1), 1, 1);
  EXPECT_NEAR(minimiser_log_density(parabola, 1.0 / 40, VectorXd::Ones(1)), -804.608442013754,
              1e-10);
}

// A record x = (1, 1) that is doubled: the gradients differ by x (2 s(2 t) - s(t)), t = -<x, theta>
// and s the logistic function. On the axes t is at most 1; at the outcome it is sqrt 2.
TEST(ObjectivePerturbation, TheOutcomeIsAPlaceToCompare) {
  const auto of = [](double factor) {
    return ObjectivePerturbation{std::make_shared<Logistic>(Matrix::Constant(1, 2, factor), 2, 1),
                                 2, 1};
  };
  const auto apart = [](double t) {
    return std::sqrt(2) * (2 / (1 + std::exp(-2 * t)) - 1 / (1 + std::exp(-t)));
  };
  const Outcome outcome = VectorXd(VectorXd::Constant(2, -std::sqrt(0.5)));
  EXPECT_NEAR(compare(of(1), of(2)).distance, apart(1), 1e-12);
  EXPECT_NEAR(compare(of(1), of(2), &outcome).distance, apart(std::sqrt(2)), 1e-12);
  EXPECT_EQ(compare(of(1), of(std::nan(""))).distance, infinity);
}

}  // namespace
}  // namespace dpverify
