#include "audits/exact/pair_audit.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

NeighbouringPair labels(double here, double there) {
  const Dataset data{Matrix::Zero(2, 1), VectorXd{{here, 0.5}}};
  const Dataset neighbour{Matrix::Zero(2, 1), VectorXd{{there, 0.5}}};
  return {data, neighbour, 0};
}

Mechanism gaussian_sums(double standard_deviation, int times) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd out = VectorXd::Zero(1);
    for (int t = 0; t < times; ++t)
      out += releases.release(GaussianNoise{data.labels, 1, standard_deviation}).head(1);
    return out;
  };
}

TEST(GaussianAudit, OneReleaseIsItsClosedForm) {
  const NeighbouringPair pair = labels(0, 1.5);
  const Mechanism mechanism = gaussian_sums(3, 1);
  ASSERT_EQ(audit_method(mechanism, pair), AuditMethod::gaussian);
  const auto audit = audit_pair(AuditMethod::gaussian, mechanism, pair);
  for (const double epsilon : {0.0, 0.5, 2.0}) {
    EXPECT_NEAR(audit->delta(epsilon), gaussian_delta(0.5, epsilon), 1e-11);
    EXPECT_LE(audit->delta(epsilon), gaussian_delta(0.5, epsilon));
  }
  EXPECT_NEAR(audit->epsilon(1e-5), gaussian_epsilon(0.5, 1e-5), 1e-10);
  EXPECT_NEAR(audit->objective(1e-5), 0.5, 1e-15);
}

TEST(GaussianAudit, FixedShiftsCompose) {
  const auto audit = audit_pair(AuditMethod::gaussian, gaussian_sums(3, 4), labels(0, 1.5));
  EXPECT_NEAR(audit->objective(0), 1, 1e-15);
}

TEST(GaussianAudit, NothingMovesNothingIsLost) {
  const auto audit = audit_pair(AuditMethod::gaussian, gaussian_sums(3, 4), labels(0.7, 0.7));
  EXPECT_EQ(audit->epsilon(1e-5), 0);
  EXPECT_EQ(audit->delta(0), 0);
}

// The second release shifts by as much as the first outcome says: left out, so that the figure
// stays a lower bound.
TEST(GaussianAudit, ShiftsThatVaryAreLeftOut) {
  const Mechanism adaptive = [](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(GaussianNoise{data.labels, 1, 3});
    const VectorXd second = releases.release(GaussianNoise{first[0] * data.labels, 1, 3});
    return VectorXd(first + second);
  };
  const auto audit = audit_pair(AuditMethod::gaussian, adaptive, labels(0, 1.5));
  EXPECT_NEAR(audit->objective(0), 0.5, 1e-15);
  EXPECT_NE(audit->explanation().find("lower bound"), std::string::npos);
}

TEST(AuditMethod, IsReadFromTheReleases) {
  const auto method = [](const Mechanism& mechanism) {
    return audit_method(mechanism, labels(0, 1));
  };
  EXPECT_EQ(method([](const Dataset& data, Releases& releases) {
              return VectorXd::Constant(
                  1, static_cast<double>(releases.select(ExponentialMechanism{data.labels, 1, 1})));
            }),
            AuditMethod::finite);
  EXPECT_EQ(method([](const Dataset& data, Releases& releases) {
              return releases.release(LaplaceNoise{data.labels, 1, 1});
            }),
            AuditMethod::composed);
  const Mechanism other = [](const Dataset& data, Releases& releases) {
    return releases.release(GeneralisedGaussianNoise{data.labels, 1, 3, 3, 1});
  };
  EXPECT_EQ(method(other), AuditMethod::none);
  EXPECT_THROW(audit_pair(AuditMethod::none, other, labels(0, 1)), std::invalid_argument);
}

TEST(ComposedAudit, LaplaceNoiseIsItsClosedForm) {
  const Mechanism laplace = [](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{data.labels, 2, 4});
  };
  const auto audit = audit_pair(AuditMethod::composed, laplace, labels(0, 2));
  EXPECT_NEAR(audit->epsilon(0), 0.5, 1e-15);
  // The mean loss 1/2 + e^(-1/2) - 1 is what the search climbs.
  EXPECT_NEAR(audit->objective(1e-5), 0.10653065971263342, 1e-15);
  // delta(epsilon) = 1 - e^((epsilon - 1/2)/2) below 1/2.
  for (const double epsilon : {0.0, 0.2, 0.4})
    EXPECT_NEAR(audit->PairAudit::delta(epsilon), -std::expm1((epsilon - 0.5) / 2),
                0.02 * -std::expm1((epsilon - 0.5) / 2));
  EXPECT_NEAR(audit->epsilon(0.05), 0.5 + 2 * std::log(0.95), 1e-3);
}

// A selection, a Laplace and a Gaussian release: against the sum over the selection and a grid over
// both noises.
TEST(ComposedAudit, SelectionsAndNoisesTogether) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const Index chosen = releases.select(NoisyMax{data.labels, 1, 2});
    const VectorXd a = releases.release(LaplaceNoise{data.labels, 1, 2});
    const VectorXd b = releases.release(GaussianNoise{data.labels, 1, 1.5});
    return VectorXd::Constant(1, static_cast<double>(chosen) + a[0] + b[0]);
  };
  const NeighbouringPair pair = labels(0, 1);
  ASSERT_EQ(audit_method(mechanism, pair), AuditMethod::composed);
  const auto audit = audit_pair(AuditMethod::composed, mechanism, pair);
  const VectorXd p = log_probabilities(NoisyMax{pair.data.labels, 1, 2});
  const VectorXd q = log_probabilities(NoisyMax{pair.neighbour.labels, 1, 2});
  constexpr double epsilon = 0.6, step = 0.02;
  double forward = 0, backward = 0;
  for (Index v = 0; v < 2; ++v)
    for (double x = -25 + step / 2; x < 26; x += step)
      for (double z = -9 + step / 2; z < 10; z += step) {
        const double base = step * step / (4 * 1.5 * std::sqrt(2 * M_PI));
        const double here = std::exp(p[v] - std::abs(x) / 2 - z * z / 4.5) * base;
        const double there = std::exp(q[v] - std::abs(x - 1) / 2 - (z - 1) * (z - 1) / 4.5) * base;
        forward += std::max(0.0, here - std::exp(epsilon) * there);
        backward += std::max(0.0, there - std::exp(epsilon) * here);
      }
  EXPECT_NEAR(audit->delta(epsilon, Direction::forward), forward, 0.02 * forward);
  EXPECT_LE(audit->delta(epsilon, Direction::forward), forward * (1 + 1e-3));
  EXPECT_NEAR(audit->delta(epsilon, Direction::backward), backward, 0.02 * backward);
  EXPECT_NEAR(audit->PairAudit::delta(audit->epsilon(0.05)), 0.05, 2e-3);
  EXPECT_EQ(audit->epsilon(0), infinity);  // the Gaussian release
}

TEST(ComposedAudit, LossesThatVaryAreLeftOut) {
  const Mechanism adaptive = [](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(LaplaceNoise{data.labels, 1, 4});
    return releases.release(LaplaceNoise{first[0] * data.labels, 1, 4});
  };
  const auto audit = audit_pair(AuditMethod::composed, adaptive, labels(0, 1));
  EXPECT_NEAR(audit->epsilon(0), 0.25, 1e-15);
  EXPECT_NE(audit->explanation().find("lower bound"), std::string::npos);
}

// (ridge/2)(theta - mean)^2 summed plus ridge theta^2: the minimiser is Gaussian inside the domain.
class Quadratic final : public Objective {
 public:
  Quadratic(double sum, double curvature, double radius)
      : sum_(sum), curvature_(curvature), radius_(radius) {}
  Index dimension() const override { return 1; }
  double radius() const override { return radius_; }
  double strong_convexity() const override { return curvature_; }
  VectorXd gradient(const VectorXd& theta) const override {
    return (curvature_ * theta).array() - sum_;
  }
  Matrix hessian(const VectorXd&) const override { return Matrix::Constant(1, 1, curvature_); }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<Quadratic>(0, curvature_, radius_);
  }

 private:
  double sum_, curvature_, radius_;
};

Mechanism perturbed(double radius, double standard_deviation) {
  return [=](const Dataset& data, Releases& releases) {
    // The curvature depends on the data: the log determinant counts.
    const double curvature = 2 + std::abs(data.labels[0]);
    return releases.release(ObjectivePerturbation{
        std::make_shared<Quadratic>(data.labels.sum(), curvature, radius), 2, standard_deviation});
  };
}

// On an unbounded line the minimiser is N(sum/c, (sd/c)^2): the same by quadrature.
TEST(ObjectiveAudit, AgreesWithQuadrature) {
  const NeighbouringPair pair = labels(0, 1);
  const Mechanism mechanism = perturbed(infinity, 2);
  ASSERT_EQ(audit_method(mechanism, pair), AuditMethod::objective);
  const auto audit = audit_pair(AuditMethod::objective, mechanism, pair);
  const auto density = [](double x, double mean, double sd) {
    return std::exp(-(x - mean) * (x - mean) / (2 * sd * sd)) / (sd * std::sqrt(2 * M_PI));
  };
  for (const double epsilon : {0.0, 0.3, 1.0, 2.0}) {
    double expected = 0;
    for (const bool forward : {true, false}) {
      const auto excess = [&](double x) {
        const double p = density(x, 0.25, 1), q = density(x, 0.5, 2.0 / 3);
        return std::max(0.0, forward ? p - std::exp(epsilon) * q : q - std::exp(epsilon) * p);
      };
      double delta = 0;
      for (int k = -40; k < 40; ++k)
        delta += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
            excess, k * 0.25, (k + 1) * 0.25, 8, 1e-10);
      // What cells show is a lower bound.
      const double found =
          audit->delta(epsilon, forward ? Direction::forward : Direction::backward);
      EXPECT_LE(found, delta * (1 + 1e-8) + 1e-12) << epsilon;
      EXPECT_GE(found, delta * (1 - 2e-5) - 1e-9) << epsilon;
      expected = std::max(expected, delta);
    }
    EXPECT_NEAR(audit->delta(epsilon), expected, 1e-9 + 2e-5 * expected);
  }
  const double epsilon = audit->epsilon(1e-3);
  EXPECT_NEAR(audit->delta(epsilon), 1e-3, 1e-8);
}

// With a Gaussian release after it, against a two-dimensional integral over both outcomes.
TEST(ObjectiveAudit, GaussianReleasesAfterItCompose) {
  const NeighbouringPair pair = labels(0, 1);
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const VectorXd theta = perturbed(infinity, 2)(data, releases);
    return releases.release(GaussianNoise{theta + data.labels.head(1), 1, 1.25});
  };
  ASSERT_EQ(audit_method(mechanism, pair), AuditMethod::objective);
  const auto audit = audit_pair(AuditMethod::objective, mechanism, pair);
  const auto density = [](double x, double mean, double sd) {
    return std::exp(-(x - mean) * (x - mean) / (2 * sd * sd)) / (sd * std::sqrt(2 * M_PI));
  };
  constexpr double epsilon = 0.7, step = 0.01;
  double forward = 0, backward = 0;
  for (double theta = -6; theta < 6; theta += step)
    for (double z = -7; z < 8; z += step) {  // the second outcome less theta
      const double p = density(theta, 0.25, 1) * density(z, 0, 1.25);
      const double q = density(theta, 0.5, 2.0 / 3) * density(z, 1, 1.25);
      forward += std::max(0.0, p - std::exp(epsilon) * q) * step * step;
      backward += std::max(0.0, q - std::exp(epsilon) * p) * step * step;
    }
  EXPECT_NEAR(audit->delta(epsilon, Direction::forward), forward, 1e-4 * forward);
  EXPECT_NEAR(audit->delta(epsilon, Direction::backward), backward, 1e-4 * backward);
  EXPECT_NEAR(audit->PairAudit::delta(audit->epsilon(1e-3)), 1e-3, 1e-7);
}

// A tiny domain leaves two atoms: randomised response by the sign of the noisy sum.
TEST(ObjectiveAudit, AtomsCarryTheMassOfASmallDomain) {
  const auto audit = audit_pair(AuditMethod::objective, perturbed(1e-7, 2), labels(0, 1));
  const auto high = [](double sum) { return std::erfc(-sum / 2 / std::sqrt(2.0)) / 2; };
  // P(theta = +c) is P(g > -sum), up to the width of the domain.
  const double p = high(0.5), q = high(1.5);
  EXPECT_NEAR(audit->delta(0), q - p, 1e-6);
  EXPECT_NEAR(audit->delta(0.1, Direction::backward), q - std::exp(0.1) * p, 1e-6);
}

// Laws a hundred standard deviations apart: far, and still no event is impossible under one of
// them.
TEST(ObjectiveAudit, TailsThatUnderflowAreNotInfinite) {
  const auto audit = audit_pair(AuditMethod::objective, perturbed(infinity, 0.01), labels(0, 1));
  EXPECT_GT(audit->epsilon(0.1), 500);
  EXPECT_LT(audit->epsilon(0.1), 5000);  // about (1/0.01)^2/2
}

Mechanism released_maximum(MaxNoise noise, bool with_index, double scale) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(NoisyMaxValue{data.labels, 1, scale, noise, with_index});
  };
}

NeighbouringPair scores(double moved_by) {
  const Dataset data{Matrix::Zero(3, 1), Eigen::Vector3d(0, 0.7, -1)};
  Dataset neighbour = data;
  neighbour.labels.array() += moved_by;
  return {data, neighbour, 0};
}

// Below every score each of three Laplace variables moves by its whole share.
TEST(ValueAudit, LaplaceMaximumCostsEveryScore) {
  for (const bool with_index : {false, true}) {
    const Mechanism mechanism = released_maximum(MaxNoise::laplace, with_index, 2);
    ASSERT_EQ(audit_method(mechanism, scores(1)), AuditMethod::value);
    const auto audit = audit_pair(AuditMethod::value, mechanism, scores(1));
    EXPECT_NEAR(audit->epsilon(0), 1.5, 1e-9);
    EXPECT_NEAR(audit->PairAudit::delta(1.5), 0, 1e-9);
  }
}

// All scores move together, so that the value alone is a shift of one law: delta against the
// midpoint rule on its density.
TEST(ValueAudit, DeltaAgainstTheMidpointRule) {
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::gumbel, MaxNoise::exponential}) {
    const Mechanism mechanism = released_maximum(noise, false, 1);
    const auto audit = audit_pair(AuditMethod::value, mechanism, scores(0.5));
    const NoisyMaxValue p{scores(0.5).data.labels, 1, 1, noise, false};
    const NoisyMaxValue q{scores(0.5).neighbour.labels, 1, 1, noise, false};
    for (const double epsilon : {0.0, 0.3}) {
      double forward = 0, backward = 0;
      const double step = 1e-4;
      for (double x = -30 + step / 2; x < 40; x += step) {
        const VectorXd point = VectorXd::Constant(1, x);
        const double here = std::exp(log_density(p, point)),
                     there = std::exp(log_density(q, point));
        forward += step * std::max(0.0, here - std::exp(epsilon) * there);
        backward += step * std::max(0.0, there - std::exp(epsilon) * here);
      }
      // Cells of a sixteenth of a scale lose a little: a lower bound.
      EXPECT_NEAR(audit->delta(epsilon, Direction::forward), forward, 1e-3);
      EXPECT_NEAR(audit->delta(epsilon, Direction::backward), backward, 1e-3);
      EXPECT_LE(audit->delta(epsilon, Direction::forward), forward + 1e-6);
      EXPECT_LE(audit->delta(epsilon, Direction::backward), backward + 1e-6);
    }
  }
}

TEST(ValueAudit, TheSupportOfExponentialNoiseMoves) {
  const Mechanism mechanism = released_maximum(MaxNoise::exponential, false, 1);
  const auto audit = audit_pair(AuditMethod::value, mechanism, scores(0.5));
  EXPECT_EQ(audit->epsilon(0), infinity);
  EXPECT_NE(audit->explanation().find("outputs around"), std::string::npos);
}

TEST(ComposedAudit, ProgramsAndPermuteAndFlipHaveTheirLosses) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const double yes = data.labels[0] > 0 ? 0.75 : 0.25;
    const Index answer = releases.select(HiddenSelection{
        2, [=](RandomStream& stream) { return stream.uniform() < yes ? Index{1} : Index{0}; },
        [=] { return VectorXd(Eigen::Vector2d(std::log(1 - yes), std::log(yes))); }});
    const Index flip = releases.select(PermuteAndFlip{data.labels, 1, 0.5});
    return VectorXd(releases.release(LaplaceNoise{data.labels, 1, 2}).array() +
                    static_cast<double>(answer + flip));
  };
  const NeighbouringPair pair = labels(0, 1);
  const auto audit = audit_pair(AuditMethod::composed, mechanism, pair);
  const VectorXd p = log_probabilities(PermuteAndFlip{pair.data.labels, 1, 0.5});
  const VectorXd q = log_probabilities(PermuteAndFlip{pair.neighbour.labels, 1, 0.5});
  EXPECT_NEAR(audit->epsilon(0), std::log(3.0) + (p - q).cwiseAbs().maxCoeff() + 0.5, 1e-12);
}

}  // namespace
}  // namespace dpverify
