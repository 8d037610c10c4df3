#include "algorithms/estimators/smooth_truncation_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

// From where the cubic is all to where the series is, and beyond; very flat and very steep curves.
TEST(SmoothTruncationCurve, AgreesWithEveryPointOnItsOwn) {
  RandomStream points({.claim = "smooth truncation curve", .purpose = "points"});
  for (const double beta : {1e-6, 0.01, 0.3, 1.0, 4.0, 37.0, 1e3, 1e6}) {
    const SmoothTruncationCurve curve(beta);
    double worst = 0;
    int apart = 0;  // in the last digits, between the cubic and the series
    for (int k = 0; k < 20'000; ++k) {
      const double a = std::exp(points.uniform(-12, 12)) * std::sqrt(std::max(beta, 1.0));
      const double error = std::abs(curve(a) - smooth_truncation(a, a / std::sqrt(beta)));
      worst = std::max(worst, error);
      if (error > 0 && a > 0.5 && a < 4 * std::sqrt(beta)) ++apart;
    }
    EXPECT_LE(worst, 1e-14) << beta;
    // Pieces that do not fit would be dropped, and every point computed on its own: right, but
    // slow.
    if (beta >= 0.3) {
      EXPECT_GT(apart, 0) << beta;
    }
  }
}

TEST(SmoothTruncationCurve, IsOddAndWithinItsLimit) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double beta : {0.01, 1.0, 100.0}) {
    const SmoothTruncationCurve curve(beta);
    const double limit = smooth_truncation_limit(beta);
    for (double a = 1e-300; a < 1e300; a *= 1.7) {
      EXPECT_EQ(curve(-a), -curve(a));
      EXPECT_LE(curve(a), limit);
      EXPECT_GE(curve(a), 0);
    }
    EXPECT_NEAR(curve(infinite), limit, 1e-14);
    EXPECT_NEAR(curve(-infinite), -limit, 1e-14);
    EXPECT_EQ(curve(0), 0);
    EXPECT_EQ(curve(std::nan("")), 0);
  }
}

// At the ends of every cell the polynomials of both sides meet.
TEST(SmoothTruncationCurve, HasNoSteps) {
  for (const double beta : {0.3, 1.0, 37.0}) {
    const SmoothTruncationCurve curve(beta);
    for (int octave = -8; octave < 12; ++octave)
      for (int part = 0; part < 256; ++part) {
        const double at = std::ldexp(1 + part / 256.0, octave);
        EXPECT_NEAR(curve(std::nextafter(at, 0)), curve(at), 1.5e-14) << beta << " " << at;
      }
  }
}

// A mean of many numbers goes along the curve, one of few asks for every point.
TEST(RobustMean, IsTheSameAlongTheCurve) {
  RandomStream random({.claim = "smooth truncation curve", .purpose = "mean"});
  Matrix values(8192, 1);
  for (double& x : values.reshaped()) x = random.normal() / std::pow(random.uniform(), 0.7);
  for (const double beta : {0.5, 3.0}) {
    double sum = 0;
    for (Index i = 0; i < values.rows(); i += 1024)
      sum += robust_mean(values.middleRows(i, 1024), 0.7, beta)[0] / 8;
    EXPECT_NEAR(robust_mean(values, 0.7, beta)[0], sum, 1e-14) << beta;
  }
}

}  // namespace
}  // namespace dpverify
