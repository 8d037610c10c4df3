#include "algorithms/core/laws.hpp"

#include <gmock/gmock.h>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/noisy_max.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Index draws = 200000;

VectorXd vector(std::initializer_list<double> values) {
  VectorXd out(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

RandomStream stream(std::string_view purpose) {
  return RandomStream({.seed = 1, .claim = "laws_test", .purpose = purpose});
}

// Integral over [lower, upper] of the density of one coordinate at x, by Simpson's rule.
double integral(const Law& law, double lower, double upper) {
  constexpr int cells = 20000;
  const double h = (upper - lower) / (2 * cells);
  double sum = 0;
  for (int i = 0; i <= 2 * cells; ++i) {
    const double weight = i == 0 || i == 2 * cells ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(log_density(law, vector({lower + i * h})));
  }
  return sum * h / 3;
}

// ---- exponential mechanism

TEST(ExponentialMechanism, LogProbabilitiesAgainstLongDouble) {
  for (const auto& [scores, coefficient] : std::vector<std::pair<VectorXd, double>>{
           {vector({0, 1, 2, 3}), 0.7},
           {vector({-5, 5}), 3},
           {vector({1e-9, 0, -1e-9}), 1},
           {vector({1e300, 1e300 - 1e285, -1e300}), 1e-285},
           {vector({-1e300, 0}), 1e-299},
           {vector({1.5e308, -1.5e308}), 1e-308},  // the difference overflows a double
           {vector({42}), 2}}) {
    long double largest = scores[0], total = 0;
    for (const double score : scores) largest = std::max(largest, static_cast<long double>(score));
    for (const double score : scores)
      total += std::exp(coefficient * (static_cast<long double>(score) - largest));
    const VectorXd found = log_probabilities(ExponentialMechanism{scores, 1, coefficient});
    double sum = 0;
    for (Index v = 0; v < scores.size(); ++v) {
      const auto expected = static_cast<double>(
          coefficient * (static_cast<long double>(scores[v]) - largest) - std::log(total));
      EXPECT_NEAR(found[v], expected, 4e-16 * (1 + std::abs(expected))) << v;
      sum += std::exp(found[v]);
    }
    EXPECT_NEAR(sum, 1, 1e-15);
  }
}

TEST(ExponentialMechanism, HopelessScoresGetProbabilityZero) {
  const ExponentialMechanism law{vector({1e300, -1e300, 1e300}), 1, 1e100};
  const VectorXd found = log_probabilities(law);
  EXPECT_NEAR(found[0], -std::numbers::ln2, 1e-16);
  EXPECT_EQ(found[1], -infinity);
  RandomStream random = stream("hopeless");
  for (int i = 0; i < 1000; ++i) EXPECT_NE(std::get<Index>(sample(law, random)), 1);
}

TEST(ExponentialMechanism, CoefficientZeroIsUniformWhateverTheScores) {
  const VectorXd found =
      log_probabilities(ExponentialMechanism{vector({1.7e308, -1.7e308, 0}), 1, 0});
  for (const double x : found) EXPECT_NEAR(x, -std::log(3.0), 2e-16);
}

TEST(ExponentialMechanism, TextbookForm) {
  // exp(epsilon u/(2 Delta)): epsilon 1.2, Delta 0.3 gives exp(2 u).
  const auto law = ExponentialMechanism::with_epsilon(vector({0, 1}), 0.3, 1.2);
  EXPECT_NEAR(law.coefficient, 2, 1e-15);
  EXPECT_NEAR(std::exp(log_density(law, Index{1})), 0.8807970779778823, 1e-15);  // 1/(1 + e^-2)
  EXPECT_NEAR(declared_cost(law).epsilon, 1.2, 1e-15);
  EXPECT_THROW(ExponentialMechanism::with_epsilon(vector({0}), 0, 1), std::invalid_argument);
}

TEST(ExponentialMechanism, SampleFollowsTheDensity) {
  // False failure: 1e-11.
  const ExponentialMechanism law{vector({0, 3, -1, 2.5, -40}), 1, 0.8};
  RandomStream random = stream("exponential mechanism");
  std::vector<Index> counts(5);
  for (Index i = 0; i < draws; ++i)
    ++counts[static_cast<std::size_t>(std::get<Index>(sample(law, random)))];
  EXPECT_TRUE(counts_follow(counts, log_probabilities(law).array().exp()));
  ExponentialMechanism wrong = law;
  wrong.coefficient = 0.76;
  EXPECT_FALSE(counts_follow(counts, log_probabilities(wrong).array().exp()));
}

TEST(ExponentialMechanism, OutcomesOutsideTheSupport) {
  const ExponentialMechanism law{vector({0, 0}), 1, 1};
  EXPECT_EQ(log_density(law, Index{2}), -infinity);
  EXPECT_EQ(log_density(law, Index{-1}), -infinity);
  EXPECT_THROW(log_density(law, vector({0})), std::invalid_argument);
  EXPECT_EQ(support_size(law), 2);
}

// ---- additive noise

TEST(AdditiveNoise, DensitiesAtKnownPoints) {
  const LaplaceNoise laplace{vector({1, -2}), 1, 0.5};
  // (1/(2 b))^2 exp(-(|1.5| + |0.25|)/b), b = 1/2.
  EXPECT_NEAR(log_density(laplace, vector({2.5, -2.25})), -3.5, 1e-15);
  const GaussianNoise gaussian{vector({1, -2}), 1, 2};
  // -(3^2 + 1^2)/(2 * 4) - log(2 pi * 4)
  EXPECT_NEAR(log_density(gaussian, vector({4, -1})), -4.474171427529236, 1e-14);
  EXPECT_EQ(support_size(laplace), 0);
  EXPECT_EQ(support_size(gaussian), 0);
  EXPECT_THROW(log_density(laplace, vector({1})), std::invalid_argument);
  EXPECT_THROW(log_density(gaussian, Index{0}), std::invalid_argument);
}

TEST(AdditiveNoise, DensitiesIntegrateToOneOnEachSide) {
  for (const double noise : {0.3, 1.0, 7.0}) {
    const LaplaceNoise laplace{vector({5}), 1, noise};
    const GaussianNoise gaussian{vector({5}), 1, noise};
    // The Laplace density has a kink at 5, so each side by itself; tails beyond are below 1e-15.
    EXPECT_NEAR(integral(laplace, 5, 5 + 36 * noise), 0.5, 1e-12);
    EXPECT_NEAR(integral(laplace, 5 - 36 * noise, 5), 0.5, 1e-12);
    EXPECT_NEAR(integral(gaussian, 5 - 9 * noise, 5 + 9 * noise), 1, 1e-12);
  }
}

TEST(AdditiveNoise, SamplesFollowTheDensity) {
  // The distribution functions below are the integrals of the densities checked above. False
  // failure: 4e-11 in all.
  const LaplaceNoise laplace{vector({3, -1}), 1, 2};
  const GaussianNoise gaussian{vector({3, -1}), 1, 2};
  RandomStream random = stream("additive noise");
  std::vector<std::vector<double>> found(4);
  for (Index i = 0; i < draws; ++i) {
    const auto a = std::get<VectorXd>(sample(laplace, random));
    const auto b = std::get<VectorXd>(sample(gaussian, random));
    for (Index j = 0; j < 2; ++j) {
      found[static_cast<std::size_t>(j)].push_back(a[j]);
      found[static_cast<std::size_t>(2 + j)].push_back(b[j]);
    }
  }
  const auto laplace_cdf = [](double x, double value, double scale) {
    const double z = (x - value) / scale;
    return z < 0 ? std::exp(z) / 2 : 1 - std::exp(-z) / 2;
  };
  const auto normal_cdf = [](double x, double value, double deviation) {
    return std::erfc(-(x - value) / deviation / std::numbers::sqrt2) / 2;
  };
  for (const Index j : {0, 1}) {
    const double value = laplace.value[j];
    const auto& a = found[static_cast<std::size_t>(j)];
    const auto& b = found[static_cast<std::size_t>(2 + j)];
    EXPECT_TRUE(samples_follow(a, [&](double x) { return laplace_cdf(x, value, 2); }));
    EXPECT_TRUE(samples_follow(b, [&](double x) { return normal_cdf(x, value, 2); }));
    // Teeth: noise 10 % too small, and the two laws taken for each other at equal variance.
    EXPECT_FALSE(samples_follow(a, [&](double x) { return laplace_cdf(x, value, 1.8); }));
    EXPECT_FALSE(samples_follow(b, [&](double x) { return normal_cdf(x, value, 1.8); }));
    EXPECT_FALSE(
        samples_follow(a, [&](double x) { return normal_cdf(x, value, 2 * std::numbers::sqrt2); }));
  }
  // The coordinates' noise is independent: their sum is N(2, 8) for Gaussian noise.
  std::vector<double> sums(found[2]);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += found[3][i];
  EXPECT_TRUE(
      samples_follow(sums, [&](double x) { return normal_cdf(x, 2, 2 * std::numbers::sqrt2); }));
}

// ---- generalised Gaussian noise

const std::vector<double> exponents{1, 1.5, 2, 3, 10, infinity};

TEST(GeneralisedGaussian, DensityIntegratesToOneInThePlane) {
  for (const double r : exponents) {
    const Law law = GeneralisedGaussianNoise{vector({0.3, -1}), 1, r, 2, 0.7};
    // A grid over +-8 scales: the density is smooth but for kinks on the axes and diagonals.
    constexpr int cells = 1200;
    const double width = 16 * 0.7 / cells;
    double mass = 0;
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const VectorXd point =
            vector({0.3 - 5.6 + (i + 0.5) * width, -1 - 5.6 + (j + 0.5) * width});
        mass += std::exp(log_density(law, point)) * width * width;
      }
    EXPECT_NEAR(mass, 1, 1e-4) << r;
  }
}

TEST(GeneralisedGaussian, OfExponentTwoIsGaussian) {
  const VectorXd value = vector({1, -2, 3}), point = vector({0.5, 0, 3.3});
  EXPECT_NEAR(log_density(GeneralisedGaussianNoise{value, 1, 2, 2, 1.7}, point),
              log_density(GaussianNoise{value, 1, 1.7}, point), 1e-13);
  const PrivacyCost cost = declared_cost(GeneralisedGaussianNoise{value, 1, 2, 2, 4});
  EXPECT_EQ(cost.mu, 0.25);
  EXPECT_EQ(cost.rho, 0.25 * 0.25 / 2);
}

// ||z||_r^2/scale^2 has mean d, exactly; in one dimension every exponent gives the normal law.
TEST(GeneralisedGaussian, DrawsInOneDimensionAreNormal) {
  for (const double r : exponents) {
    RandomStream random = stream("generalised Gaussian");
    std::vector<double> samples;
    const Law law = GeneralisedGaussianNoise{vector({2}), 1, r, 2, 1.5};
    for (int k = 0; k < 20'000; ++k) samples.push_back(std::get<VectorXd>(sample(law, random))[0]);
    EXPECT_TRUE(samples_follow(samples, [](double x) {
      return std::erfc((2 - x) / 1.5 / std::numbers::sqrt2) / 2;
    })) << r;
    EXPECT_FALSE(samples_follow(samples, [](double x) {
      return std::erfc((2 - x) / 1.7 / std::numbers::sqrt2) / 2;
    })) << r;
  }
}

// Of independent x_i of density proportional to exp(-|x|^r), |x_1|^r/sum |x_i|^r is the share of
// one of d gamma variables of shape 1/r: Beta(1/r, (d - 1)/r), whatever the radius. For r =
// infinity x_1 is uniform, and |x_1|/max |x_i| is 1 with probability 1/d and uniform otherwise.
TEST(GeneralisedGaussian, DrawsHaveTheirRadiusAndADirectionThatDoesNotDependOnIt) {
  for (const Index d : {2, 4})
    for (const double r : exponents) {
      RandomStream random = stream("directions");
      const VectorXd value = VectorXd::LinSpaced(d, -1, 2);
      const Law law = GeneralisedGaussianNoise{value, 1, r, 2, 1.5};
      std::vector<double> radii, near, far;
      int negative = 0;
      for (int k = 0; k < 20'000; ++k) {
        const VectorXd z = std::get<VectorXd>(sample(law, random)) - value;
        const double length = lp_norm(z, r), first = std::abs(z[0]) / length;
        const double radius = length * length / (1.5 * 1.5);
        radii.push_back(radius);
        negative += z[0] < 0;
        if (std::isinf(r) && first == 1) continue;
        (radius < static_cast<double>(d) ? near : far)
            .push_back(std::isinf(r) ? first : std::pow(first, r));
      }
      const auto degrees = static_cast<double>(d);
      EXPECT_TRUE(
          samples_follow(radii, [&](double x) { return boost::math::gamma_p(degrees / 2, x / 2); }))
          << d << " " << r;
      const auto share = [&](double x) {
        return std::isinf(r) ? x : boost::math::ibeta(1 / r, (degrees - 1) / r, std::min(1.0, x));
      };
      EXPECT_TRUE(samples_follow(near, share)) << d << " " << r;
      EXPECT_TRUE(samples_follow(far, share)) << d << " " << r;
      // Six standard deviations.
      EXPECT_NEAR(negative, 10'000, 6 * 71) << d << " " << r;
      if (std::isinf(r)) {
        const double kept = 20'000 * (1 - 1 / degrees);
        EXPECT_NEAR(static_cast<double>(near.size() + far.size()), kept,
                    6 * std::sqrt(kept / degrees));
      }
    }
}

TEST(GeneralisedGaussian, CostAndChangeAreInTheirNorms) {
  const VectorXd a = vector({0, 0, 0, 0}), b = vector({1, 1, 1, 1});
  // r = 3, q = 6: the l_3 norm is at most 4^(1/3 - 1/6) times the l_6 norm.
  const GeneralisedGaussianNoise law{a, 2, 3, 6, 5};
  EXPECT_NEAR(declared_cost(law).rho, 2 * std::pow(4, 2 * (1.0 / 3 - 1.0 / 6)) * 4 / 50, 1e-15);
  EXPECT_EQ(declared_cost(law).epsilon, infinity);
  EXPECT_EQ(declared_cost(law).mu, infinity);
  EXPECT_EQ(declared_cost(GeneralisedGaussianNoise{a, 2, 1.5, 2, 5}).rho, infinity);
  EXPECT_NEAR(compare(law, GeneralisedGaussianNoise{b, 2, 3, 6, 5}).distance, std::pow(4, 1.0 / 6),
              1e-15);
  EXPECT_FALSE(compare(law, GeneralisedGaussianNoise{b, 2, 4, 6, 5}).comparable);
  EXPECT_FALSE(compare(law, GeneralisedGaussianNoise{b, 2, 3, 5, 5}).comparable);
  EXPECT_THROW(validate(Law(GeneralisedGaussianNoise{a, 1, 0.5, 2, 1})), std::invalid_argument);
}

// The Renyi divergence of every order is at most order times rho, by the midpoint rule in the
// plane; equal for Gaussian noise.
TEST(GeneralisedGaussian, IsConcentratedAsDeclared) {
  for (const double r : {2.0, 3.0, 6.0})
    for (const double q : std::set{r, 2.0, 10.0}) {
      double largest = 0;
      for (const VectorXd& direction : {vector({1, 0}), vector({1, 1}), vector({1, 0.4})}) {
        const VectorXd shift = 0.8 * direction / lp_norm(direction, q);
        const GeneralisedGaussianNoise here{vector({0, 0}), 0.8, r, q, 1};
        const GeneralisedGaussianNoise there{shift, 0.8, r, q, 1};
        constexpr double step = 0.05;
        const Eigen::Array3d orders(1.5, 3, 6);
        Eigen::Array3d sums = Eigen::Array3d::Zero();
        for (double x = -16 + step / 2; x < 16; x += step)
          for (double y = -16 + step / 2; y < 16; y += step) {
            const VectorXd z = vector({x, y});
            const double p = log_density(there, z), q_density = log_density(here, z);
            sums += (orders * p + (1 - orders) * q_density).exp() * step * step;
          }
        const Eigen::Array3d divergences = sums.log() / (orders - 1);
        largest = std::max(largest, (divergences / (orders * declared_cost(here).rho)).maxCoeff());
      }
      EXPECT_LE(largest, 1 + 1e-3) << r << " " << q;
      if (r == 2 && q == 2) {
        EXPECT_GE(largest, 1 - 1e-3);
      }
      EXPECT_GE(largest, 0.1) << r << " " << q;  // the right order of magnitude
    }
}

// ---- permutations

TEST(UniformPermutation, EveryOrderIsEquallyLikely) {
  RandomStream random = stream("permutation");
  const Law law = UniformPermutation{3};
  std::map<std::vector<double>, Index> seen;
  for (int k = 0; k < 6000; ++k) {
    const VectorXd order = std::get<VectorXd>(sample(law, random));
    EXPECT_NEAR(log_density(law, order), -std::log(6), 1e-15);
    ++seen[{order.begin(), order.end()}];
  }
  std::vector<Index> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  ASSERT_EQ(counts.size(), 6U);
  EXPECT_TRUE(counts_follow(counts, VectorXd::Constant(6, 1.0 / 6)));
  EXPECT_EQ(log_density(law, vector({0, 1, 1})), -infinity);
  EXPECT_EQ(declared_cost(law).epsilon, 0);
  EXPECT_EQ(compare(law, UniformPermutation{3}).distance, 0);
  EXPECT_FALSE(same_shape(law, UniformPermutation{4}));
}

// ---- what every law promises

TEST(Law, DeclaredEpsilon) {
  EXPECT_EQ(declared_cost(ExponentialMechanism{vector({0}), 0.5, 3}).epsilon, 3);
  EXPECT_EQ(declared_cost(LaplaceNoise{vector({0}), 1, 4}).epsilon, 0.25);
  EXPECT_EQ(declared_cost(GaussianNoise{vector({0}), 1, 4}).epsilon, infinity);
  EXPECT_EQ(declared_cost(NoisyMax{vector({0}), 1, 4}).epsilon, 0.5);
}

// rho-zCDP: epsilon^2/2 of a pure law, mu^2/2 of Gaussian noise.
TEST(Law, DeclaredZeroConcentration) {
  EXPECT_EQ(declared_cost(LaplaceNoise{vector({0}), 1, 4}).rho, 1.0 / 32);
  EXPECT_EQ(declared_cost(GaussianNoise{vector({0}), 1, 4}).mu, 0.25);
  EXPECT_EQ(declared_cost(GaussianNoise{vector({0}), 1, 4}).rho, 1.0 / 32);
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::exponential})
    EXPECT_EQ(declared_cost(NoisyMax{vector({0}), 1, 4, noise}).rho, 1.0 / 8);
}

TEST(Law, WithoutDataKeepsTheNoiseOnly) {
  const auto selection = std::get<ExponentialMechanism>(
      without_data(ExponentialMechanism{vector({3, -1, 2}), 0.5, 1.5, ScoreChange::half_range}));
  EXPECT_EQ(selection.scores, VectorXd::Zero(3));
  EXPECT_EQ(selection.sensitivity, 0.5);
  EXPECT_EQ(selection.coefficient, 1.5);
  EXPECT_EQ(selection.change, ScoreChange::half_range);
  const auto laplace = std::get<LaplaceNoise>(without_data(LaplaceNoise{vector({3, 4}), 1, 2}));
  EXPECT_EQ(laplace.value, VectorXd::Zero(2));
  EXPECT_EQ(laplace.scale, 2);
  const auto gaussian = std::get<GaussianNoise>(without_data(GaussianNoise{vector({3}), 1, 2}));
  EXPECT_EQ(gaussian.value, VectorXd::Zero(1));
  EXPECT_EQ(gaussian.standard_deviation, 2);
}

TEST(Law, CompareMeasuresInTheLawsOwnNorm) {
  const VectorXd a = vector({0, 0, 0}), b = vector({3, -4, 1});
  const auto distance = [](const Law& x, const Law& y) { return compare(x, y).distance; };
  EXPECT_EQ(distance(ExponentialMechanism{a, 1, 1}, ExponentialMechanism{b, 1, 1}), 4);
  EXPECT_EQ(distance(ExponentialMechanism{a, 1, 1, ScoreChange::half_range},
                     ExponentialMechanism{b, 1, 1, ScoreChange::half_range}),
            3.5);
  EXPECT_EQ(distance(LaplaceNoise{a, 1, 1}, LaplaceNoise{b, 1, 1}), 8);
  EXPECT_NEAR(distance(GaussianNoise{a, 1, 1}, GaussianNoise{b, 1, 1}), std::sqrt(26), 1e-15);
  const VectorXd bad = vector({0, std::nan(""), 0});
  EXPECT_EQ(distance(LaplaceNoise{a, 1, 1}, LaplaceNoise{bad, 1, 1}), infinity);
  EXPECT_EQ(distance(ExponentialMechanism{bad, 1, 1}, ExponentialMechanism{bad, 1, 1}), infinity);
}

TEST(Law, CompareSeesNoiseThatDiffers) {
  const VectorXd a = vector({1});
  EXPECT_TRUE(compare(LaplaceNoise{a, 1, 2}, LaplaceNoise{a, 1, 2}).comparable);
  EXPECT_FALSE(compare(LaplaceNoise{a, 1, 2}, LaplaceNoise{a, 1, 2.5}).comparable);
  EXPECT_FALSE(compare(LaplaceNoise{a, 1, 2}, LaplaceNoise{a, 1.5, 2}).comparable);
  EXPECT_FALSE(compare(GaussianNoise{a, 1, 2}, GaussianNoise{a, 1, 3}).comparable);
  EXPECT_FALSE(compare(ExponentialMechanism{a, 1, 2}, ExponentialMechanism{a, 1, 3}).comparable);
  EXPECT_FALSE(compare(PermuteAndFlip{a, 1, 2}, PermuteAndFlip{a, 1, 3}).comparable);
  EXPECT_FALSE(
      compare(GeneralisedGaussianNoise{a, 1, 3, 3, 2}, GeneralisedGaussianNoise{a, 1, 3, 3, 2.5})
          .comparable);
  // The kind of the noise as well as its scale.
  const NoisyMax maximum{a, 1, 2};
  EXPECT_TRUE(compare(maximum, NoisyMax{a, 1, 2}).comparable);
  EXPECT_FALSE(compare(maximum, NoisyMax{a, 1, 3}).comparable);
  EXPECT_FALSE(compare(maximum, NoisyMax{a, 1, 2, MaxNoise::gumbel}).comparable);
  const NoisyMaxValue value{a, 1, 2};
  EXPECT_TRUE(compare(value, NoisyMaxValue{a, 1, 2}).comparable);
  EXPECT_FALSE(compare(value, NoisyMaxValue{a, 1, 3}).comparable);
  EXPECT_FALSE(compare(value, NoisyMaxValue{a, 1, 2, MaxNoise::gumbel}).comparable);
}

TEST(Law, SameShape) {
  const Law one = LaplaceNoise{vector({1, 2}), 1, 1};
  EXPECT_TRUE(same_shape(one, LaplaceNoise{vector({5, 6}), 2, 3}));
  EXPECT_FALSE(same_shape(one, LaplaceNoise{vector({1}), 1, 1}));
  EXPECT_FALSE(same_shape(one, GaussianNoise{vector({1, 2}), 1, 1}));
}

TEST(Law, ValuesThatAreNotFiniteAreNeverSampled) {
  RandomStream random = stream("not finite");
  EXPECT_THAT(
      [&] {
        sample(LaplaceNoise{vector({0, std::nan("")}), 1, 1}, random);
      },
      ThrowsMessage<NonFiniteRelease>(
          "pre-noise value 1 of a release (Laplace noise) is nan, but must be finite"));
  EXPECT_THROW(sample(ExponentialMechanism{vector({-infinity}), 1, 1}, random), NonFiniteRelease);
  EXPECT_THROW(sample(GaussianNoise{vector({infinity}), 1, 1}, random), NonFiniteRelease);
}

TEST(Law, NoiseOutOfItsDomain) {
  const VectorXd a = vector({1});
  EXPECT_THAT(
      [&] {
        validate(Law(LaplaceNoise{a, 1, 0}));
      },
      ThrowsMessage<std::invalid_argument>("noise scale is 0, but must be positive and finite"));
  EXPECT_THROW(validate(Law(GaussianNoise{a, 1, -1})), std::invalid_argument);
  EXPECT_THROW(validate(Law(GaussianNoise{a, 1, std::nan("")})), std::invalid_argument);
  EXPECT_THAT(
      [&] {
        validate(Law(LaplaceNoise{a, -1, 1}));
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("declared sensitivity is -1")));
  EXPECT_THROW(validate(Law(ExponentialMechanism{a, 1, -1})), std::invalid_argument);
  EXPECT_NO_THROW(validate(Law(ExponentialMechanism{a, 1, 0})));
  EXPECT_THROW(validate(Law(ExponentialMechanism{VectorXd(), 1, 1})), std::invalid_argument);
}

// Six checks of draws: false failure 6e-11.
TEST(NoisyMax, DrawsFollowTheProbabilities) {
  const VectorXd scores = vector({0, 1, -1, 0.7});
  RandomStream random = stream("noisy maximum");
  const auto follows = [&](const Law& law, const Law& expected) {
    std::vector<Index> counts(4);
    for (Index i = 0; i < draws; ++i)
      ++counts[static_cast<std::size_t>(std::get<Index>(sample(law, random)))];
    return static_cast<bool>(counts_follow(counts, log_probabilities(expected).array().exp()));
  };
  const auto noisy = [&](MaxNoise noise) { return NoisyMax{scores, 1, 1.25, noise}; };
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::exponential, MaxNoise::gumbel})
    EXPECT_TRUE(follows(noisy(noise), noisy(noise)));
  EXPECT_FALSE(follows(noisy(MaxNoise::exponential), noisy(MaxNoise::gumbel)));
  const PermuteAndFlip flip{scores, 1, 0.8};
  EXPECT_TRUE(follows(flip, flip));
  EXPECT_TRUE(follows(flip, noisy(MaxNoise::exponential)));
}

// One check of draws for each noise: false failure 3e-11.
TEST(NoisyMaxValue, DrawsAndDensityAgree) {
  RandomStream random = stream("noisy maximum with its value");
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::exponential, MaxNoise::gumbel}) {
    const NoisyMaxValue law{vector({0, 1, -1}), 1, 0.5, noise, false};
    // P(largest <= x) is the product of the distribution functions.
    const auto cdf = [&](double x) {
      double sum = 0;
      for (const double score : law.scores) sum += max_noise_log_cdf(noise, (x - score) / 0.5);
      return std::exp(sum);
    };
    std::vector<double> values;
    for (Index i = 0; i < draws; ++i) values.push_back(std::get<VectorXd>(sample(law, random))[0]);
    EXPECT_TRUE(samples_follow(values, cdf));
    // The density is its derivative, and the sum over the indices.
    NoisyMaxValue indexed = law;
    indexed.with_index = true;
    for (const double x : {-1.7, 0.4, 1.3, 3.0}) {
      const double step = 1e-5;
      const double density = std::exp(log_density(law, VectorXd::Constant(1, x)));
      EXPECT_NEAR(density, (cdf(x + step) - cdf(x - step)) / (2 * step), 1e-8) << x;
      double sum = 0;
      for (const double v : {0.0, 1.0, 2.0}) sum += std::exp(log_density(indexed, vector({v, x})));
      EXPECT_NEAR(sum, density, 1e-14 * density) << x;
    }
    EXPECT_EQ(log_density(indexed, vector({3, 1.3})), -infinity);
    EXPECT_EQ(log_density(indexed, vector({0.5, 1.3})), -infinity);
  }
}

TEST(NoisyMaxValue, CostsEveryScore) {
  const NoisyMaxValue law{vector({0, 1, -1}), 1, 2};
  EXPECT_EQ(declared_cost(law).epsilon, 1.5);
  // Below every score each factor changes by its whole share.
  const NoisyMaxValue moved{vector({1, 2, 0}), 1, 2};
  const VectorXd low = vector({0, -50});
  EXPECT_NEAR(log_density(law, low) - log_density(moved, low), 1.5, 1e-12);
  EXPECT_EQ(declared_cost(NoisyMaxValue{vector({0}), 1, 2, MaxNoise::exponential}).epsilon,
            infinity);
  EXPECT_EQ(std::get<VectorXd>(noiseless_outcome(law)), vector({1, 1}));
  EXPECT_FALSE(same_shape(law, NoisyMaxValue{vector({0, 1}), 1, 2}));
  // With its index an answer has two numbers, alone one.
  EXPECT_FALSE(same_shape(law, NoisyMaxValue{vector({0, 1, -1}), 1, 2, MaxNoise::laplace, false}));
}

TEST(HiddenNoise, IsDrawnByItsProgram) {
  RandomStream random = stream("program");
  const auto coin = [](RandomStream& s) { return s.uniform() < 0.25 ? Index{1} : Index{0}; };
  const HiddenSelection selection{2, coin, [] { return vector({std::log(0.75), std::log(0.25)}); }};
  std::vector<Index> counts(2);
  for (Index i = 0; i < draws; ++i)
    ++counts[static_cast<std::size_t>(std::get<Index>(sample(selection, random)))];
  EXPECT_TRUE(counts_follow(counts, vector({0.75, 0.25})));  // false failure 1e-11
  EXPECT_EQ(log_density(selection, Index{1}), std::log(0.25));
  EXPECT_EQ(support_size(selection), 2);
  EXPECT_EQ(compare(selection, selection).distance, 1);
  EXPECT_EQ(declared_cost(selection).epsilon, infinity);
  EXPECT_THROW(noiseless_outcome(selection), std::invalid_argument);
  EXPECT_THROW(without_data(selection), std::invalid_argument);
  EXPECT_THROW(validate(HiddenSelection{}), std::invalid_argument);

  const HiddenRelease release{
      1, [](RandomStream& s) { return VectorXd::Constant(1, s.uniform()); }, {}};
  EXPECT_EQ(std::get<VectorXd>(sample(release, random)).size(), 1);
  EXPECT_EQ(support_size(release), 0);
  EXPECT_THROW(log_density(release, vector({0.5})), std::invalid_argument);
  EXPECT_EQ(compare(release, release).distance, 1);
}

TEST(Law, BoundedRangeGivesAnEighth) {
  EXPECT_EQ(declared_cost(ExponentialMechanism{vector({0, 1}), 1, 0.5}).rho, 1.0 / 8);
  EXPECT_EQ(declared_cost(NoisyMax{vector({0, 1}), 1, 2, MaxNoise::gumbel}).rho, 1.0 / 8);
  EXPECT_EQ(declared_cost(PermuteAndFlip{vector({0, 1}), 1, 0.5}).rho, 1.0 / 2);
}

}  // namespace
}  // namespace dpverify
