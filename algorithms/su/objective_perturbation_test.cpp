#include "algorithms/su/objective_perturbation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "algorithms/core/releases.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Dataset random_data(Index n, Index d, std::uint64_t seed) {
  RandomStream stream({.seed = seed, .claim = "objective perturbation test", .purpose = "data"});
  Dataset data{Matrix(n, d), VectorXd(n)};
  for (double& x : data.features.reshaped()) x = 2 * stream.normal();
  for (double& y : data.labels) y = stream.normal();
  return data;
}

// J of Algorithm 5, written out: the mean of the losses of the shrunk records, the linear term and
// the regularisation.
double j_value(const Dataset& data, const ObjectivePerturbationParameters& p, const VectorXd& g,
               const VectorXd& theta) {
  const auto n = static_cast<double>(data.size());
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const VectorXd x = data.features.row(i).transpose();
    const double shrink = std::min(1.0, p.lipschitz / x.norm());
    if (p.loss == Loss::pseudo_huber) {
      const double r = shrink * x.dot(theta) - data.labels[i];
      sum += std::sqrt(1 + r * r) - 1;
    } else {
      const double y = data.labels[i] > 0 ? 1 : -1;
      sum += std::log(1 + std::exp(-y * shrink * x.dot(theta)));
    }
  }
  return sum / n + g.dot(theta) / n + p.ridge * theta.squaredNorm() +
         p.strong_convexity / 2 * theta.squaredNorm() / (p.radius * p.radius);
}

// Slow: compass search on J over the ball.
VectorXd slow_minimum(const Dataset& data, const ObjectivePerturbationParameters& p,
                      const VectorXd& g) {
  VectorXd theta = VectorXd::Zero(g.size());
  const auto inside = [&](const VectorXd& at) {
    return at.norm() > p.radius ? VectorXd(at * (p.radius / at.norm())) : at;
  };
  double best = j_value(data, p, g, theta);
  RandomStream stream({.claim = "objective perturbation test", .purpose = "compass"});
  for (double step = p.radius; step > 1e-9 * p.radius;) {
    bool better = false;
    for (int k = 0; k < 12 && !better; ++k) {
      const VectorXd trial = inside(theta + step * stream.normal_vector(g.size()).normalized());
      const double value = j_value(data, p, g, trial);
      if (value < best) {
        best = value;
        theta = trial;
        better = true;
      }
    }
    if (!better) step *= 0.8;
  }
  return theta;
}

// Gives prepared outcomes and keeps the laws.
class Scripted final : public Releases {
 public:
  explicit Scripted(std::vector<VectorXd> outcomes) : outcomes_(std::move(outcomes)) {}
  std::vector<Law> laws;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(law);
    return outcomes_.at(laws.size() - 1);
  }
  std::vector<VectorXd> outcomes_;
};

TEST(ObjectivePerturbationAlgorithm, MinimisesJ) {
  for (const Loss loss : {Loss::pseudo_huber, Loss::logistic})
    for (const Index d : {1, 3})
      for (const double radius : {0.2, 5.0})
        for (const double convexity : {0.0, 0.8}) {
          const Dataset data = random_data(15, d, 1);
          const ObjectivePerturbationParameters p{.loss = loss,
                                                  .lipschitz = 1.5,
                                                  .radius = radius,
                                                  .strong_convexity = convexity,
                                                  .ridge = 0.05,
                                                  .standard_deviation = 3};
          RandomStream stream({.seed = 2, .claim = "objective perturbation test"});
          RandomStream same = stream;
          SamplingReleases releases(stream);
          const VectorXd found = objective_perturbation(data, p, releases);
          const VectorXd g = 3 * same.normal_vector(d);
          const VectorXd slow = slow_minimum(data, p, g);
          EXPECT_LE(j_value(data, p, g, found), j_value(data, p, g, slow) + 1e-14);
          EXPECT_LE((found - slow).norm(), 1e-5) << d << " " << radius;
        }
}

TEST(ObjectivePerturbationAlgorithm, DeclaresWhatTheTheoremSets) {
  const auto printed = objective_perturbation_from_theorem(Edition::printed, 100, 1, 0.5, 1e-5,
                                                           Loss::pseudo_huber, 2, 3);
  EXPECT_NEAR(printed.ridge, 4 / (2 * 0.5 * 100), 1e-15);  // beta = L^2 = 4, r = 1
  EXPECT_NEAR(std::pow(printed.standard_deviation, 2), 32 * 4 * std::log(1e5) / 0.25, 1e-9);
  EXPECT_NEAR(
      objective_perturbation_from_theorem(Edition::proved, 100, 7, 0.5, 1e-5, Loss::logistic, 2, 3)
          .ridge,
      2 * 1 / (0.5 * 100), 1e-15);  // beta = L^2/4, r = 2
  Scripted releases({VectorXd::Zero(2)});
  objective_perturbation(random_data(4, 2, 3), printed, releases);
  const auto& law = std::get<ObjectivePerturbation>(releases.laws.at(0));
  EXPECT_EQ(law.sensitivity, 4);
  EXPECT_EQ(law.objective->radius(), 3);
  EXPECT_NEAR(law.objective->strong_convexity(), 2 * 4 * printed.ridge, 1e-15);
}

TEST(ObjectivePerturbationAlgorithm, BadInput) {
  const auto run = [](ObjectivePerturbationParameters p) {
    NoiselessReleases releases;
    return objective_perturbation(random_data(3, 1, 4), p, releases);
  };
  EXPECT_THAT([&] { run({.lipschitz = 0}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("Lipschitz constant L is 0")));
  EXPECT_THAT([&] { run({.radius = -1}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("radius of C is -1")));
  EXPECT_THAT([&] { run({.ridge = 0}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("lambda is 0")));
  EXPECT_THAT([&] { run({.standard_deviation = std::nan("")}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("sigma_1 is nan")));
  EXPECT_THROW(run({.loss = Loss::squared}), std::invalid_argument);
  const auto make = [](double epsilon, double delta) {
    return objective_perturbation_from_theorem(Edition::proved, 10, 1, epsilon, delta,
                                               Loss::pseudo_huber, 1, 1);
  };
  EXPECT_THROW(make(0, 0.1), std::invalid_argument);
  EXPECT_THROW(make(1, 0), std::invalid_argument);
  EXPECT_THROW(make(1, 1), std::invalid_argument);
}

// The log determinant of random replaced records stays below rank log(1 + beta/(2 n lambda)) and
// comes near it.
TEST(ObjectivePerturbationAlgorithm, LogDeterminantOfAReplacedRecord) {
  const ObjectivePerturbationParameters p{.lipschitz = 1, .radius = 100, .ridge = 0.05};
  const double bound = std::log1p(1 / (2 * 5 * p.ridge));
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Dataset data = random_data(5, 2, seed);
    Dataset neighbour = data;
    neighbour.labels[0] = 1e6;
    data.labels.tail(4).setConstant(1e6);
    neighbour.labels.tail(4).setConstant(1e6);
    const VectorXd theta = random_data(1, 2, seed + 1000).features.row(0);
    const double difference =
        std::log(regularised_objective(data, p)->hessian(theta).determinant()) -
        std::log(regularised_objective(neighbour, p)->hessian(theta).determinant());
    EXPECT_LE(difference, bound * (1 + 1e-12));
    largest = std::max(largest, difference);
  }
  EXPECT_GT(largest, 0.9 * bound);
}

TEST(ApproximateObjectivePerturbation, FollowsItsSteps) {
  for (const double convexity : {0.0, 0.8}) {
    const Dataset data = random_data(30, 2, 5);
    const auto p = approximate_objective_perturbation_from_theorem(
        Edition::corrected, 30, 2, 0.5, 1e-5, Loss::pseudo_huber, 1.5, 0.7, convexity);
    const VectorXd theta_1{{0.2, -0.3}}, noisy{{0.9, -1.2}};
    Scripted releases({theta_1, noisy});
    const VectorXd out = approximate_objective_perturbation(data, p, releases);
    EXPECT_LE((out - noisy * (0.7 / 1.5)).norm(), 1e-15);  // projected onto the ball
    ASSERT_EQ(releases.laws.size(), 2U);
    EXPECT_EQ(std::get<ObjectivePerturbation>(releases.laws[0]).sensitivity,
              2 * (1.5 + convexity / 0.7));
    const auto& second = std::get<GaussianNoise>(releases.laws[1]);
    // theta_1 is the minimiser for the linear term recovered from it: Newton returns there.
    const double modulus = 2 * p.objective.ridge + convexity / (0.7 * 0.7);
    EXPECT_LE((second.value - theta_1).norm(), std::sqrt(2 * p.accuracy / modulus));
    EXPECT_NEAR(second.sensitivity, 2 * std::sqrt(2 * p.accuracy / modulus), 1e-15);
    EXPECT_EQ(second.standard_deviation, p.standard_deviation);
  }
}

TEST(ApproximateObjectivePerturbation, TheoremParameters) {
  // Theorem 2 at n = 1e4, L = 1, ||C||_2 = 2, d = 1: width sqrt(2/pi).
  const auto p = approximate_objective_perturbation_from_theorem(Edition::printed, 10'000, 1, 1,
                                                                 1e-5, Loss::pseudo_huber, 1, 1);
  EXPECT_NEAR(p.objective.ridge, 1.0 / (100 * 2), 1e-15);
  EXPECT_NEAR(std::pow(p.objective.standard_deviation, 2), 128 * std::log(2.5e5), 1e-9);
  const double alpha = 8 / (2 / std::numbers::pi * std::log(1e5) * 1e10);
  EXPECT_NEAR(p.accuracy, alpha, 1e-8 * alpha);
  EXPECT_NEAR(p.approximation_sensitivity, std::sqrt(8 * p.accuracy / p.objective.ridge), 1e-15);
  EXPECT_NEAR(std::pow(p.standard_deviation, 2),
              64 * p.accuracy * std::log(2.5e5) / p.objective.ridge, 1e-15);
  // Small n: the privacy condition sets lambda.
  EXPECT_NEAR(approximate_objective_perturbation_from_theorem(Edition::printed, 4, 1, 0.1, 1e-5,
                                                              Loss::pseudo_huber, 1, 1)
                  .objective.ridge,
              1 / (0.1 * 4), 1e-15);
  // Strongly convex: Delta against its modulus in the Euclidean norm.
  const auto lambda = [](Edition edition) {
    return approximate_objective_perturbation_from_theorem(edition, 10, 1, 0.5, 1e-5,
                                                           Loss::pseudo_huber, 1, 10, 0.3)
        .objective.ridge;
  };
  EXPECT_EQ(lambda(Edition::printed), 0);
  EXPECT_NEAR(lambda(Edition::corrected), 1 / (0.5 * 10) - 0.3 / 200, 1e-15);
}

TEST(ApproximateObjectivePerturbation, BadInput) {
  const auto make = [](Index n, double epsilon, double delta, double lipschitz, double radius,
                       double convexity) {
    return approximate_objective_perturbation_from_theorem(
        Edition::corrected, n, 1, epsilon, delta, Loss::pseudo_huber, lipschitz, radius, convexity);
  };
  EXPECT_NO_THROW(make(10, 0.5, 0.1, 1, 1, 0));
  EXPECT_THROW(make(0, 0.5, 0.1, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(make(10, -1, 0.1, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(make(10, 0.5, 1, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(make(10, 0.5, 0.1, 0, 1, 0), std::invalid_argument);
  EXPECT_THROW(make(10, 0.5, 0.1, 1, INFINITY, 0), std::invalid_argument);
  EXPECT_THROW(make(10, 0.5, 0.1, 1, 1, -1), std::invalid_argument);
  auto p = make(10, 0.5, 0.1, 1, 1, 0);
  p.accuracy = 0;
  NoiselessReleases releases;
  EXPECT_THAT([&] { approximate_objective_perturbation(random_data(10, 1, 6), p, releases); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("accuracy alpha is 0")));
}

// The same objective, and with the same noise the same minimiser.
TEST(ObjectivePerturbationAlgorithm, CountsStandForRecords) {
  const Dataset kinds = random_data(4, 2, 13);
  const VectorXd copies{{3, 0, 1, 5}};
  Dataset records{Matrix(9, 2), VectorXd(9)};
  for (Index i = 0, at = 0; i < 4; ++i)
    for (double left = copies[i]; left > 0; --left, ++at) {
      records.features.row(at) = kinds.features.row(i);
      records.labels[at] = kinds.labels[i];
    }
  for (const double convexity : {0.0, 0.8}) {
    const auto p = approximate_objective_perturbation_from_theorem(
        Edition::corrected, 9, 2, 0.5, 1e-5, Loss::logistic, 1.5, 2, convexity);
    const auto counted = regularised_objective(kinds, copies, 9, p.objective);
    const auto plain = regularised_objective(records, p.objective);
    const VectorXd theta{{0.3, -0.7}};
    EXPECT_LT((counted->gradient(theta) - plain->gradient(theta)).norm(), 1e-12);
    EXPECT_LT((counted->hessian(theta) - plain->hessian(theta)).norm(), 1e-12);
    const RandomStream noise({.seed = 14, .claim = "objective perturbation counts"});
    SamplingReleases first(noise), second(noise), third(noise), fourth(noise);
    EXPECT_LT((objective_perturbation(counted, p.objective, first) -
               objective_perturbation(records, p.objective, second))
                  .norm(),
              1e-9);
    EXPECT_LT((approximate_objective_perturbation(counted, 9, p, third) -
               approximate_objective_perturbation(records, p, fourth))
                  .norm(),
              1e-9);
  }
}

}  // namespace
}  // namespace dpverify::su
