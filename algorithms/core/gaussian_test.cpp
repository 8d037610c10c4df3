#include "algorithms/core/gaussian.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace dpverify {
namespace {

using Reference = boost::multiprecision::cpp_bin_float_100;

// The definition in 100 digits.
Reference reference_delta(double mu, double epsilon) {
  const auto cdf = [](const Reference& x) -> Reference {
    return boost::math::erfc(Reference(-x / sqrt(Reference(2)))) / 2;
  };
  const Reference m(mu), e(epsilon);
  return cdf(m / 2 - e / m) - exp(e) * cdf(-m / 2 - e / m);
}

TEST(GaussianDelta, IsTheDefinitionRoundedUp) {
  for (const double mu : {1e-6, 1e-3, 0.03, 0.2, 1.0, 3.0, 12.0})
    for (const double epsilon : {0.0, 1e-6, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0, 30.0}) {
      // In all its digits: rounded to a double first, it would hide a rounding to the nearest.
      const Reference expected = reference_delta(mu, epsilon);
      const double found = gaussian_delta(mu, epsilon);
      EXPECT_GE(Reference(found), expected) << mu << " " << epsilon;
      if (expected < 1e-280) {  // below what doubles hold in full: the least of them at most
        EXPECT_LE(found, 1e-279) << mu << " " << epsilon;
        continue;
      }
      // Where the two terms cancel to one part in 10^6 or more the rounding up is visible.
      const double square = epsilon / mu * (epsilon / mu);
      EXPECT_LE(found, expected * (1 + 1e-10 * (1 + square) * (1 + square)))
          << mu << " " << epsilon;
    }
}

TEST(GaussianDelta, Ends) {
  EXPECT_EQ(gaussian_delta(0, 0), 0);
  EXPECT_EQ(gaussian_delta(std::numeric_limits<double>::infinity(), 5), 1);
  EXPECT_EQ(gaussian_delta(1, std::numeric_limits<double>::infinity()), 0);
  EXPECT_NEAR(gaussian_delta(100, 0), 1, 1e-15);
  EXPECT_NEAR(gaussian_delta(1, 0), std::erf(1 / std::sqrt(8.0)), 1e-15);  // total variation
  EXPECT_THROW(gaussian_delta(-1, 1), std::invalid_argument);
  EXPECT_THROW(gaussian_delta(1, -1), std::invalid_argument);
  EXPECT_THROW(gaussian_delta(std::nan(""), 1), std::invalid_argument);
}

TEST(GaussianEpsilon, InvertsDelta) {
  for (const double mu : {0.01, 0.2, 1.0, 5.0, 40.0})
    for (const double delta : {1e-12, 1e-5, 0.1, 0.5}) {
      const double epsilon = gaussian_epsilon(mu, delta);
      EXPECT_LE(gaussian_delta(mu, epsilon), delta);
      if (epsilon > 0) {
        EXPECT_GT(gaussian_delta(mu, epsilon * (1 - 1e-9)), delta) << mu << " " << delta;
      }
      EXPECT_GE(gaussian_mu(epsilon, delta), mu * (1 - 1e-9));
    }
  EXPECT_EQ(gaussian_epsilon(0, 0), 0);
  EXPECT_EQ(gaussian_epsilon(0.1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(gaussian_epsilon(0.1, 0.5), 0);
}

// The classical noise sqrt(2 log(1.25/delta))/epsilon: true epsilon at (1, 1e-5).
TEST(GaussianEpsilon, ClassicalCalibration) {
  EXPECT_NEAR(gaussian_epsilon(1 / std::sqrt(2 * std::log(1.25e5)), 1e-5), 0.751, 5e-4);
}

TEST(GaussianMu, IsTheLargestAllowed) {
  for (const double epsilon : {0.0, 0.1, 1.0, 8.0})
    for (const double delta : {1e-9, 1e-5, 0.3}) {
      const double mu = gaussian_mu(epsilon, delta);
      EXPECT_LE(gaussian_delta(mu, epsilon), delta);
      EXPECT_GT(gaussian_delta(mu * (1 + 1e-9), epsilon), delta);
    }
}

}  // namespace
}  // namespace dpverify
