#include "audits/transcript/integer_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// Sums of 121 terms, added exactly by another program.
TEST(IntegerNoise, HasTheProbabilitiesOfItsDefinition) {
  const IntegerNoise gaussian = discrete_gaussian(1), narrow = discrete_gaussian(0.5);
  EXPECT_NEAR(gaussian.log_probability(0), -std::log(2.5066282880429056), 1e-14);
  EXPECT_NEAR(gaussian.log_probability(-3), -4.5 - std::log(2.5066282880429056), 1e-14);
  EXPECT_NEAR(gaussian.distribution(1), 0.9414418623578914, 1e-12);
  EXPECT_NEAR(std::exp(narrow.log_probability(0)), 0.7865707070419479, 1e-14);
  const IntegerNoise laplace = discrete_laplace(1.5);
  EXPECT_NEAR(std::exp(laplace.log_probability(0)), 0.32151273753163434, 1e-14);
  EXPECT_NEAR(std::exp(laplace.log_probability(3)), 0.04351201739802244, 1e-14);
  EXPECT_EQ(laplace.log_probability(0.5), -infinity);
  EXPECT_EQ(gaussian.log_probability(0.5), -infinity);
  EXPECT_THROW(discrete_laplace(0), std::invalid_argument);
  EXPECT_THROW(discrete_gaussian(-1), std::invalid_argument);
}

TEST(IntegerNoise, DistributionAddsUpTheProbabilities) {
  for (const IntegerNoise& noise :
       {discrete_laplace(0.3), discrete_laplace(7), discrete_gaussian(0.3),
        discrete_gaussian(1.999), discrete_gaussian(2), discrete_gaussian(30)}) {
    double sum = 0;
    for (double k = -400; k <= 400; ++k) {
      sum += std::exp(noise.log_probability(k));
      EXPECT_NEAR(noise.distribution(k), sum, 1e-13) << k;
      EXPECT_EQ(noise.distribution(k + 0.5), noise.distribution(k));
    }
    EXPECT_NEAR(sum, 1, 1e-13);
  }
  // Wide noise, by the midpoint rule: of each probability it leaves out at most phi(0)/(24
  // sigma^3).
  const IntegerNoise wide = discrete_gaussian(1001);
  for (const double k : {-3000, -1, 0, 1500})
    EXPECT_NEAR(wide.distribution(k) - wide.distribution(k - 1), std::exp(wide.log_probability(k)),
                1.6576e-11);
}

// Each number has noise of its own, and a length between two integers is no outcome.
TEST(IntegerNoise, TheDensityIsThatOfEveryNumber) {
  const IntegerNoise noise = discrete_laplace(2);
  const HiddenRelease law = with_integer_noise(Eigen::Vector3d(5, -2, 0.5), noise);
  EXPECT_EQ(law.size, 3);
  EXPECT_NEAR(law.log_density_at(Eigen::Vector3d(9, -1, 2.5)),
              noise.log_probability(4) + noise.log_probability(1) + noise.log_probability(2),
              1e-14);
  for (Index k = 0; k < 3; ++k)
    EXPECT_EQ(law.log_density_at(Eigen::Vector3d(9, -1, 2.5) + 0.25 * Eigen::Vector3d::Unit(k)),
              -infinity)
        << k;
}

// A share of 1e-9 of all seeds would miss by six standard errors.
TEST(IntegerNoise, DrawsFromIt) {
  RandomStream stream({.seed = 3, .claim = "integer_noise_test"});
  const HiddenRelease law = with_integer_noise(Eigen::Vector2d(5, -2), discrete_gaussian(1));
  constexpr int draws = 20'000;
  double zeros = 0;
  for (int k = 0; k < draws; ++k) {
    const VectorXd out = law.draw(stream);
    zeros += (out[0] == 5) + (out[1] == -2);
    EXPECT_GT(law.log_density_at(out), -infinity);
  }
  const double p = 1 / 2.5066282880429056;
  EXPECT_NEAR(zeros / (2 * draws), p, 6 * std::sqrt(p * (1 - p) / (2 * draws)));
}

}  // namespace
}  // namespace dpverify
