// What is certified for objective perturbation, beside its exact privacy in one dimension.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/generalised_linear.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/exact/pair_audit.hpp"

namespace dpverify::su {
namespace {

constexpr double deltas[] = {1e-9, 1e-5, 1e-2, 0.3};

// One record of feature x and label y, replaced.
NeighbouringPair replaced(double x, double y, double other_x, double other_y) {
  const auto record = [](double feature, double label) {
    return Dataset{Matrix::Constant(1, 1, feature), VectorXd::Constant(1, label)};
  };
  return {record(x, y), record(other_x, other_y), 0};
}

Mechanism perturbed(const ObjectivePerturbationParameters& p) {
  return [p](const Dataset& data, Releases& releases) {
    return objective_perturbation(data, p, releases);
  };
}

double certified(const Mechanism& mechanism, Index records, Index dimension, double delta) {
  return certify(mechanism, records, dimension, delta, RandomStream({.claim = "objective test"}))
      .epsilon;
}

double exact(const Mechanism& mechanism, const NeighbouringPair& pair, double delta) {
  return audit_pair(AuditMethod::objective, mechanism, pair)->epsilon(delta);
}

// Over the noise, the regularisation, the domain and the records.
TEST(ObjectiveCertificate, IsAboveTheExactFigureInOneDimension) {
  RandomStream stream({.claim = "objective test", .purpose = "parameters"});
  const auto magnitude = [&](double low, double high) {
    return std::pow(10, stream.uniform(low, high));
  };
  const auto sign = [&] { return stream.uniform() < 0.5 ? 1.0 : -1.0; };
  double nearest = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const ObjectivePerturbationParameters p{.radius = magnitude(-1, 3),
                                            .ridge = magnitude(-2, 1),
                                            .standard_deviation = magnitude(-0.5, 1.5)};
    const NeighbouringPair pair =
        replaced(sign(), sign() * magnitude(-1, 2.5), sign(), sign() * magnitude(-1, 2.5));
    for (const double delta : deltas) {
      const double found = exact(perturbed(p), pair, delta);
      const double upper = certified(perturbed(p), 1, 1, delta);
      EXPECT_LE(found, upper) << trial << " at delta " << delta;
      nearest = std::max(nearest, found / upper);
    }
  }
  EXPECT_GT(nearest, 0.9);
}

// Strong regularisation pins theta, where both derivatives are at their ends: only the shift of the
// noise is left.
TEST(ObjectiveCertificate, IsTightWhereTheShiftAloneCounts) {
  const ObjectivePerturbationParameters p{.ridge = 1e4, .standard_deviation = 2};
  const NeighbouringPair pair = replaced(1, 1e6, 1, -1e6);
  for (const double delta : {1e-9, 1e-5, 1e-2}) {
    const double found = exact(perturbed(p), pair, delta);
    const double upper = certified(perturbed(p), 1, 1, delta);
    EXPECT_NEAR(upper, gaussian_epsilon(1, delta) + std::log1p(1 / 2e4), 1e-8);
    EXPECT_LE(found, upper);
    EXPECT_GT(found, 0.999 * upper);
  }
}

// Much noise: only the determinant is left, log(1 + 1/m) of a record whose loss bends at theta
// against one without a feature.
TEST(ObjectiveCertificate, IsTightWhereTheDeterminantAloneCounts) {
  const ObjectivePerturbationParameters p{.radius = 1e6, .ridge = 0.5, .standard_deviation = 1e4};
  const NeighbouringPair pair = replaced(1, 0, 0, 0);
  const double found = exact(perturbed(p), pair, 1e-9);
  const double upper = certified(perturbed(p), 1, 1, 1e-9);
  EXPECT_NEAR(upper, std::log(2.0) + gaussian_epsilon(2e-4, 1e-9), 1e-8);
  EXPECT_LE(found, upper);
  EXPECT_GT(found, 0.99 * upper);
}

// The noise on the minimiser composes with the noise on the output.
TEST(ObjectiveCertificate, TheApproximateMinimiserCostsMore) {
  ApproximateObjectivePerturbationParameters p{
      .objective = {.radius = 1e3, .ridge = 50, .standard_deviation = 4},
      .accuracy = 1e-3,
      .approximation_sensitivity = 2 * std::sqrt(2e-3 / 100),
      .standard_deviation = 4 * std::sqrt(2e-3 / 100)};  // mu = 1/2, as that of the first release
  // As far from the minimiser as the sensitivity allows, to the side that the label says.
  p.solver = [](const Objective& objective, const VectorXd& linear, double) {
    const VectorXd best = minimise(objective, linear).theta;
    const double side = objective.gradient(VectorXd::Zero(1))[0] < 0 ? 1 : -1;
    return VectorXd(best.array() + side * std::sqrt(2e-3 / 100));
  };
  const Mechanism mechanism = [p](const Dataset& data, Releases& releases) {
    return approximate_objective_perturbation(data, p, releases);
  };
  const NeighbouringPair pair = replaced(1, 1e6, 1, -1e6);
  for (const double delta : {1e-9, 1e-5}) {
    const double found = exact(mechanism, pair, delta);
    const double upper = certified(mechanism, 1, 1, delta);
    // Two releases of mu = 1/2 and the determinant's log 1.01.
    EXPECT_NEAR(found, gaussian_epsilon(std::sqrt(0.5), delta), 0.01 * found);
    EXPECT_LE(found, upper);
    EXPECT_NEAR(upper, gaussian_epsilon(std::sqrt(0.5), delta) + std::log(1.01), 0.01);
  }
}

// The factor of two that several dimensions cost delta, and nothing else.
TEST(ObjectiveCertificate, InSeveralDimensionsDeltaIsHalved) {
  const ObjectivePerturbationParameters p{.ridge = 0.25, .standard_deviation = 4};
  const double upper = certified(perturbed(p), 4, 3, 1e-5);
  EXPECT_NEAR(upper, std::log(1.5) + gaussian_epsilon(0.5, 0.5e-5), 1e-8);
}

// A quarter of the noise, or of the ridge, where many labels are 0, which no replacement of one
// record changes: the dearer of the two laws counts, whichever comes first.
TEST(ObjectiveCertificate, IsThatOfTheDearestLawOfARelease) {
  const auto with_less_if = [](bool many, bool of_the_noise) {
    const Mechanism mechanism = [=](const Dataset& data, Releases& releases) {
      const bool less = ((data.labels.array() == 0).count() >= 4) == many;
      ObjectivePerturbationParameters p{.ridge = 1, .standard_deviation = 8};
      if (less) (of_the_noise ? p.standard_deviation : p.ridge) /= 4;
      return objective_perturbation(data, p, releases);
    };
    return certified(mechanism, 12, 3, 1e-5);
  };
  for (const bool many : {false, true}) {
    EXPECT_NEAR(with_less_if(many, true), std::log1p(1.0 / 24) + gaussian_epsilon(1, 0.5e-5), 1e-8);
    EXPECT_NEAR(with_less_if(many, false), std::log1p(1.0 / 6) + gaussian_epsilon(0.25, 0.5e-5),
                1e-8);
  }
}

TEST(ObjectiveCertificate, OfUnknownObjectivesThereIsNone) {
  class Parabola final : public Objective {
   public:
    Index dimension() const override { return 1; }
    double radius() const override { return 1; }
    double strong_convexity() const override { return 1; }
    VectorXd gradient(const VectorXd& theta) const override { return theta; }
    Matrix hessian(const VectorXd&) const override { return Matrix::Ones(1, 1); }
    std::shared_ptr<const Objective> without_data() const override {
      return std::make_shared<Parabola>();
    }
  };
  EXPECT_FALSE(objective_cost({std::make_shared<Parabola>(), 2, 1}));
}

}  // namespace
}  // namespace dpverify::su
