#include "audits/exact/pair_audit.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>

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
    EXPECT_LT(audit->delta(epsilon), gaussian_delta(0.5, epsilon));  // rounded down
  }
  EXPECT_NEAR(audit->epsilon(1e-5), gaussian_epsilon(0.5, 1e-5), 1e-10);
  EXPECT_LT(audit->epsilon(1e-5), gaussian_epsilon(0.5, 1e-5));
  EXPECT_NEAR(audit->objective(1e-5), 0.5, 1e-15);
  EXPECT_EQ(audit->explanation(), "1 Gaussian release shifts by 0.5 standard deviations");
}

TEST(GaussianAudit, FixedShiftsCompose) {
  const auto audit = audit_pair(AuditMethod::gaussian, gaussian_sums(3, 4), labels(0, 1.5));
  EXPECT_NEAR(audit->objective(0), 1, 1e-15);
  EXPECT_EQ(audit->explanation(), "4 Gaussian releases shift together by 1 standard deviations");
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

// A second release whose shift is that of the first times a factor that the first outcome sets.
Mechanism adaptive_gaussian(const std::function<double(double)>& factor) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(GaussianNoise{data.labels, 1, 3});
    return releases.release(GaussianNoise{factor(first[0]) * data.labels, 1, 3});
  };
}

TEST(GaussianAudit, ShiftsThatVaryALittleAreLeftOut) {
  const auto audit = audit_pair(
      AuditMethod::gaussian,
      adaptive_gaussian([](double first) { return 1 + 1e-6 * std::tanh(first); }), labels(0, 1.5));
  EXPECT_NEAR(audit->objective(0), 0.5, 1e-15);
  EXPECT_EQ(audit->measurements()[2].value, 1);
}

// The first outcome is added to both values, and its rounding with it.
TEST(GaussianAudit, ShiftsThatAreFixedUpToRoundingCount) {
  const Mechanism sum = [](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(GaussianNoise{data.labels, 1, 3});
    return releases.release(GaussianNoise{data.labels.array() + 1e3 * first[0], 1, 3});
  };
  const auto audit = audit_pair(AuditMethod::gaussian, sum, labels(0, 1.1));
  EXPECT_NEAR(audit->objective(0), 1.1 / 3 * std::sqrt(2), 1e-9);
  EXPECT_EQ(audit->measurements()[1].value, 2);
  EXPECT_EQ(audit->explanation().find("lower bound"), std::string::npos);
}

TEST(GaussianAudit, SaysWhatItLeavesOut) {
  // Noise that depends on the data is no shift.
  const auto noise = audit_pair(
      AuditMethod::gaussian,
      [](const Dataset& data, Releases& releases) {
        return releases.release(GaussianNoise{data.labels, 1, 3 + data.labels[0]});
      },
      labels(0, 1.5));
  EXPECT_EQ(noise->objective(0), 0);
  EXPECT_NE(noise->explanation().find("lower bound"), std::string::npos);
  EXPECT_NE(noise->explanation().find("data escape"), std::string::npos);
  // Nor is noise of another kind.
  const auto other = audit_pair(
      AuditMethod::gaussian,
      [](const Dataset& data, Releases& releases) {
        releases.release(GaussianNoise{data.labels, 1, 3});
        return releases.release(GeneralisedGaussianNoise{data.labels, 1, 3, 3, 1});
      },
      labels(0, 1.5));
  EXPECT_NEAR(other->objective(0), 0.5, 1e-15);
  EXPECT_NE(other->explanation().find("lower bound"), std::string::npos);
  EXPECT_EQ(other->explanation().find("data escape"), std::string::npos);
}

// (ridge/2)(theta - mean)^2 summed plus ridge theta^2: the minimiser is Gaussian inside the domain.
class Quadratic final : public Objective {
 public:
  Quadratic(double sum, double curvature, double radius, Index dimension = 1)
      : sum_(sum), curvature_(curvature), radius_(radius), dimension_(dimension) {}
  Index dimension() const override { return dimension_; }
  double radius() const override { return radius_; }
  double strong_convexity() const override { return curvature_; }
  VectorXd gradient(const VectorXd& theta) const override {
    return (curvature_ * theta).array() - sum_;
  }
  Matrix hessian(const VectorXd&) const override {
    return curvature_ * Matrix::Identity(dimension_, dimension_);
  }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<Quadratic>(0, curvature_, radius_, dimension_);
  }

 private:
  double sum_, curvature_, radius_;
  Index dimension_;
};

Mechanism perturbed(double radius, double standard_deviation) {
  return [=](const Dataset& data, Releases& releases) {
    // The curvature depends on the data: the log determinant counts.
    const double curvature = 2 + std::abs(data.labels[0]);
    return releases.release(ObjectivePerturbation{
        std::make_shared<Quadratic>(data.labels.sum(), curvature, radius), 2, standard_deviation});
  };
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
  // 2^16 = 65536 paths are walked, 2^17 = 131072 are not.
  for (const int coins : {16, 17})
    EXPECT_EQ(method([coins](const Dataset& data, Releases& releases) {
                for (int k = 0; k < coins; ++k)
                  releases.select(ExponentialMechanism{data.labels, 1, 1});
                return VectorXd::Zero(1);
              }),
              coins == 16 ? AuditMethod::finite : AuditMethod::composed);
  // A value that is shown has a method of its own only alone, an objective only in one dimension
  // and before Gaussian noise.
  EXPECT_EQ(method([](const Dataset& data, Releases& releases) {
              releases.release(NoisyMaxValue{data.labels, 1, 1});
              return releases.release(GaussianNoise{data.labels, 1, 1});
            }),
            AuditMethod::gaussian);
  EXPECT_EQ(method([](const Dataset& data, Releases& releases) {
              const VectorXd theta = perturbed(infinity, 2)(data, releases);
              return releases.release(LaplaceNoise{data.labels + theta[0] * data.labels, 1, 1});
            }),
            AuditMethod::composed);
  EXPECT_EQ(method([](const Dataset& data, Releases& releases) {
              return releases.release(ObjectivePerturbation{
                  std::make_shared<Quadratic>(data.labels.sum(), 1, 1, 2), 2, 2});
            }),
            AuditMethod::none);
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

// A program that shows a bit: 1 with probability 1/2 if the first label is 0, else 1/10.
HiddenSelection bit(const Dataset& data, double if_set = 0.1) {
  const double one = data.labels[0] == 0 ? 0.5 : if_set;
  return {2, [=](RandomStream& stream) { return stream.uniform() < one ? Index{1} : Index{0}; },
          [=] { return VectorXd(Eigen::Vector2d(std::log(1 - one), std::log(one))); }};
}

NeighbouringPair swapped(const NeighbouringPair& pair) {
  return {pair.neighbour, pair.data, pair.replaced};
}

// P = (1/2, 1/2) against Q = (9/10, 1/10): delta is 1/2 - e^epsilon/10 one way and 9/10 -
// e^epsilon/2 the other, 1/5 at log 3 and at log(7/5); in either order of the datasets.
void expect_bit(AuditMethod method, const Mechanism& mechanism) {
  const NeighbouringPair pair = labels(0, 1);
  for (const bool as_given : {true, false}) {
    const auto audit = audit_pair(method, mechanism, as_given ? pair : swapped(pair));
    const Direction from_even = as_given ? Direction::forward : Direction::backward;
    const Direction from_odd = as_given ? Direction::backward : Direction::forward;
    EXPECT_NEAR(audit->delta(0.3, from_even), 0.5 - std::exp(0.3) / 10, 1e-8);
    EXPECT_NEAR(audit->delta(0.3, from_odd), 0.9 - std::exp(0.3) / 2, 1e-8);
    EXPECT_NEAR(audit->PairAudit::delta(0.3), 0.5 - std::exp(0.3) / 10, 1e-8);
    EXPECT_NEAR(audit->epsilon(0.2), std::log(3), 2e-3);
    EXPECT_NEAR(audit->epsilon(0), std::log(5), 1e-12);
  }
}

TEST(FiniteAudit, KnowsItsDirections) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    return VectorXd::Constant(1, static_cast<double>(releases.select(bit(data))));
  };
  ASSERT_EQ(audit_method(mechanism, labels(0, 1)), AuditMethod::finite);
  expect_bit(AuditMethod::finite, mechanism);
  const auto audit = audit_pair(AuditMethod::finite, mechanism, labels(0, 1));
  EXPECT_EQ(audit->path(), std::vector<Index>{1});
  EXPECT_NEAR(audit->measurements()[2].value, std::log(0.5), 1e-15);
  EXPECT_NEAR(audit->measurements()[3].value, std::log(0.1), 1e-15);
}

TEST(ComposedAudit, KnowsItsDirections) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    releases.select(bit(data));
    return releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 1});
  };
  ASSERT_EQ(audit_method(mechanism, labels(0, 1)), AuditMethod::composed);
  expect_bit(AuditMethod::composed, mechanism);
  const double even = std::log(5.0 / 3), odd = 0.9 * std::log(1.8) - 0.1 * std::log(5);
  for (const bool as_given : {true, false}) {
    const auto audit = audit_pair(AuditMethod::composed, mechanism,
                                  as_given ? labels(0, 1) : swapped(labels(0, 1)));
    EXPECT_NEAR(audit->measurements()[2].value, as_given ? even : odd, 1e-14);
    EXPECT_NEAR(audit->measurements()[3].value, as_given ? odd : even, 1e-14);
    EXPECT_NEAR(audit->objective(0.1), even, 1e-14);  // of the worse one
  }
}

// Equal selections are one step taken several times; two that agree on one dataset only are not.
TEST(ComposedAudit, RepeatedSelectionsCompose) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    for (const double if_set : {0.1, 0.1, 0.3}) releases.select(bit(data, if_set));
    return releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 1});
  };
  const auto audit = audit_pair(AuditMethod::composed, mechanism, labels(0, 1));
  constexpr double epsilon = 0.7;
  double even = 0, odd = 0;
  for (int bits = 0; bits < 8; ++bits) {
    double q = 1;
    int k = 0;
    for (const double one : {0.1, 0.1, 0.3}) q *= bits >> k++ & 1 ? one : 1 - one;
    even += std::max(0.0, 0.125 - std::exp(epsilon) * q);
    odd += std::max(0.0, q - std::exp(epsilon) * 0.125);
  }
  for (const auto& [direction, truth] :
       {std::pair(Direction::forward, even), std::pair(Direction::backward, odd)}) {
    EXPECT_LT(audit->delta(epsilon, direction), truth);
    EXPECT_GT(audit->delta(epsilon, direction), 0.98 * truth);
  }
  EXPECT_NEAR(audit->epsilon(0), 2 * std::log(5) + std::log(5.0 / 3), 1e-12);
  EXPECT_EQ(audit->measurements()[0].value, 3);
}

// Of two releases the second is left out, and it is said so.
void expect_first_alone(const Mechanism& mechanism, double epsilon, const char* said) {
  const auto audit = audit_pair(AuditMethod::composed, mechanism, labels(0, 1));
  EXPECT_NEAR(audit->epsilon(0), epsilon, 1e-12);
  EXPECT_NE(audit->explanation().find(said), std::string::npos) << audit->explanation();
}

TEST(ComposedAudit, SaysWhatItLeavesOut) {
  const auto after_laplace =
      [](const std::function<VectorXd(double, const Dataset&, Releases&)>& second) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      return second(releases.release(LaplaceNoise{data.labels, 1, 4})[0], data, releases);
    };
  };
  expect_first_alone(
      after_laplace([](double first, const Dataset& data, Releases& releases) {
        return releases.release(LaplaceNoise{(1 + 1e-6 * std::tanh(first)) * data.labels, 1, 4});
      }),
      0.25, "lower bound");
  expect_first_alone(after_laplace([](double first, const Dataset& data, Releases& releases) {
                       return releases.release(GaussianNoise{first * data.labels, 1, 4});
                     }),
                     0.25, "lower bound");
  expect_first_alone(after_laplace([](double, const Dataset& data, Releases& releases) {
                       return releases.release(LaplaceNoise{data.labels, 1, 4 + data.labels[0]});
                     }),
                     0.25, "lower bound");
  expect_first_alone(after_laplace([](double, const Dataset& data, Releases& releases) {
                       return releases.release(GeneralisedGaussianNoise{data.labels, 1, 3, 3, 1});
                     }),
                     0.25, "lower bound");
  expect_first_alone(after_laplace([](double, const Dataset& data, Releases& releases) {
                       return data.labels[0] == 0
                                  ? releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 4})
                                  : releases.release(GaussianNoise{VectorXd::Zero(1), 1, 4});
                     }),
                     0.25, "data escape");
}

// The rounding of an earlier outcome moves with both values.
TEST(ComposedAudit, LossesThatAreFixedUpToRoundingCount) {
  const Mechanism sum = [](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(LaplaceNoise{data.labels, 1, 4});
    return releases.release(LaplaceNoise{data.labels.array() + 1e3 * first[0], 1, 4});
  };
  const auto audit = audit_pair(AuditMethod::composed, sum, labels(0, 1.1));
  EXPECT_NEAR(audit->epsilon(0), 2 * 1.1 / 4, 1e-9);
  EXPECT_EQ(audit->measurements()[1].value, 0);
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
  // The other way round the other direction is the worse one: epsilon is the same.
  const auto back = audit_pair(AuditMethod::objective, mechanism, {pair.neighbour, pair.data, 0});
  EXPECT_NEAR(back->delta(epsilon, Direction::forward), backward, 1e-4 * backward);
  EXPECT_NEAR(back->epsilon(1e-3), audit->epsilon(1e-3), 1e-8);
  EXPECT_NEAR(back->objective(1e-3), audit->objective(1e-3), 1e-3);
  // What a search climbs on: fewer cells, and delta to fewer digits.
  EXPECT_NEAR(audit->objective(1e-3), audit->epsilon(1e-3), 0.02 * audit->epsilon(1e-3));
}

// A mean that moves by some millionths of a standard deviation is rounding; by some thousandths it
// counts.
TEST(ObjectiveAudit, ASmallShiftAfterItCounts) {
  const auto mu = [](double moved_by) {
    const Mechanism mechanism = [=](const Dataset& data, Releases& releases) {
      const VectorXd theta = perturbed(infinity, 2)(data, releases);
      return releases.release(GaussianNoise{theta + moved_by * data.labels.head(1), 1, 1});
    };
    return audit_pair(AuditMethod::objective, mechanism, labels(0, 1))->measurements()[2].value;
  };
  EXPECT_NEAR(mu(1e-4), 1e-4, 1e-12);
  EXPECT_NEAR(mu(3e-6), 3e-6, 1e-12);
  EXPECT_EQ(mu(1e-8), 0);
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

TEST(ValueAudit, RefusesNoiseThatDependsOnTheData) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    return releases.release(NoisyMaxValue{data.labels, 1, 2 + data.labels[0]});
  };
  EXPECT_THROW(audit_pair(AuditMethod::value, mechanism, scores(1)), std::invalid_argument);
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
