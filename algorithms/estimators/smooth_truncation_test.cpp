#include "algorithms/estimators/smooth_truncation.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/core/build_info.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

struct Row {
  double a, b, expected;
};

// Written by smooth_truncation_oracle.py beside this file: 80 digits after cancellation, checked
// against numerical quadrature.
std::vector<Row> oracle() {
  std::ifstream file(build_info().source_folder +
                     "/algorithms/estimators/smooth_truncation_oracle.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    Row row{};
    const char* at = line.data();
    const char* end = at + line.size();
    for (double* field : {&row.a, &row.b, &row.expected}) {
      const auto [next, error] = std::from_chars(at, end, *field);
      EXPECT_EQ(error, std::errc{}) << line;
      at = next + (next < end);
    }
    rows.push_back(row);
  }
  return rows;
}

// The slow twin: E phi(a + b Z) as a sum over a fine grid of the normal's quantiles.
double by_quantile_sum(double a, double b) {
  double sum = 0;
  const int cells = 400'000;
  for (int k = 0; k < cells; ++k) {
    const double z = -8 + 16 * (k + 0.5) / cells;
    sum += soft_truncation(a + b * z) * std::exp(-z * z / 2);
  }
  return sum * (16.0 / cells) / std::sqrt(2 * std::numbers::pi);
}

TEST(SmoothTruncation, AgreesWithTheEightyDigitOracle) {
  const std::vector<Row> rows = oracle();
  ASSERT_GE(rows.size(), 450U);
  double worst = 0;
  for (const auto& [a, b, expected] : rows)
    for (const double sign : {1.0, -1.0}) {
      const double error = std::abs(smooth_truncation(sign * a, b) - sign * expected);
      EXPECT_LE(error, 5e-15) << "a = " << sign * a << ", b = " << b;
      worst = std::max(worst, error);
    }
  RecordProperty("worst_error", std::to_string(worst * 1e15) + "e-15");
}

TEST(SmoothTruncation, AgreesWithTheSlowTwin) {
  // The midpoint rule's error on a C^1 function with this step is below 1e-9.
  for (const double a : {-3.0, -0.7, 0.0, 0.2, 1.5, 4.0})
    for (const double b : {0.05, 0.4, 0.6, 1.3, 3.9, 4.5, 20.0})
      EXPECT_NEAR(smooth_truncation(a, b), by_quantile_sum(a, b), 1e-9) << a << " " << b;
}

TEST(SmoothTruncation, StaysInRangeIsOddAndNonDecreasing) {
  RandomStream stream({.seed = 1, .claim = "smooth truncation", .purpose = "points"});
  for (int k = 0; k < 20'000; ++k) {
    const double b = k % 10 == 0 ? 0 : std::pow(10, stream.uniform(-300, 300));
    const double a = std::pow(10, stream.uniform(-300, 300));
    const double value = smooth_truncation(a, b);
    ASSERT_LE(value, truncation_limit) << a << " " << b;
    ASSERT_GE(value, 0) << a << " " << b;
    ASSERT_EQ(smooth_truncation(-a, b), -value) << a << " " << b;
  }
  for (const double b : {0.0, 1e-3, 0.05, 0.3, 0.6, 1.0, 3.9, 4.1, 50.0}) {
    double previous = -truncation_limit;
    for (double a = -6; a <= 6; a += 0.01) {
      const double value = smooth_truncation(a, b);
      ASSERT_GE(value, previous - 5e-15) << a << " " << b;
      previous = value;
    }
  }
}

// Each of the five printed terms matters: values at (0.7, 1.3) from the 80-digit evaluation.
TEST(SmoothTruncation, ClosedFormIsRightForModerateArguments) {
  EXPECT_NEAR(smooth_truncation_closed_form(0.7, 1.3), 0.349159508045, 1e-12);
  for (const auto& [a, b, expected] : oracle())
    if (b > 1e-5 && a + b <= 10) {
      EXPECT_NEAR(smooth_truncation_closed_form(a, b), expected, 1e-12) << a << " " << b;
    }
}

TEST(SmoothTruncation, ClosedFormLeavesItsRangeInDoubles) {
  // On the algorithm's own curve b = |a| (beta = 1); 500 digits give 0.6437 for all of these. How
  // far it goes is up to the C library.
  EXPECT_LE(std::abs(smooth_truncation_closed_form(1e4, 1e4)), truncation_limit);
  EXPECT_GT(std::abs(smooth_truncation_closed_form(1e6, 1e6)), 2 * truncation_limit);
  EXPECT_GT(std::abs(smooth_truncation_closed_form(1e8, 1e8)), 1e3);
  EXPECT_TRUE(std::isnan(smooth_truncation_closed_form(1e103, 1e103)));
  EXPECT_NEAR(smooth_truncation(1e8, 1e8), truncation_limit * std::erf(std::sqrt(0.5)), 5e-15);
}

TEST(SmoothTruncation, LimitIsTheSupremumOnTheCurve) {
  for (const double beta : {0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 100.0}) {
    double previous = 0;
    for (double exponent = -3; exponent <= 9; exponent += 0.01) {
      const double a = std::pow(10, exponent);
      const double value = smooth_truncation(a, a / std::sqrt(beta));
      ASSERT_GE(value, previous - 5e-15) << a << " " << beta;
      previous = value;
    }
    EXPECT_NEAR(previous, smooth_truncation_limit(beta), 1e-14) << beta;
  }
  EXPECT_NEAR(smooth_truncation_limit(1) / truncation_limit, 0.6827, 5e-5);
}

TEST(RobustMean, OneRecordMovesItByTwiceTheLimitAndNoMore) {
  const double scale = 5.3, beta = 1, m = 476;
  Matrix values = Matrix::Zero(476, 1);
  values(0, 0) = 1e9;
  const double high = robust_mean(values, scale, beta)[0];
  values(0, 0) = -1e9;
  const double low = robust_mean(values, scale, beta)[0];
  EXPECT_NEAR(high - low, 2 * scale * smooth_truncation_limit(beta) / m, 1e-12);
  EXPECT_LE(high - low, 2 * scale * truncation_limit / m);

  // The printed evaluation: the same record moves the mean by millions.
  values(0, 0) = 1e9;
  const auto printed = MeanEstimator::smooth_truncation_closed_form;
  EXPECT_GT(std::abs(robust_mean(values, scale, beta, printed)[0]), 1e6);
}

TEST(RobustMean, OverflowCannotPoisonIt) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Matrix values(4, 2);
  values << 1, 1, infinity, 1, std::nan(""), 1, -1e308, 1;
  const VectorXd mean = robust_mean(values, 1, 0.25);
  const double limit = smooth_truncation_limit(0.25);
  EXPECT_NEAR(mean[0], (smooth_truncation(1, 2) + limit - limit) / 4, 1e-15);
  EXPECT_NEAR(mean[1], smooth_truncation(1, 2), 1e-15);
}

TEST(RobustMean, IsTheMeanOfSmoothedTruncations) {
  Matrix values(3, 2);
  values << 0.3, -2, 4, 0, -0.1, 9;
  const double scale = 2, beta = 4;
  const VectorXd mean = robust_mean(values, scale, beta);
  for (Index j = 0; j < 2; ++j) {
    double twin = 0;
    for (Index i = 0; i < 3; ++i)
      twin += scale * by_quantile_sum(values(i, j) / scale, std::abs(values(i, j)) / scale / 2) / 3;
    EXPECT_NEAR(mean[j], twin, 1e-9);
  }
  EXPECT_THROW(robust_mean(values, 0, 1), std::invalid_argument);
  EXPECT_THROW(robust_mean(values, 1, -1), std::invalid_argument);
  EXPECT_THROW(robust_mean(Matrix(0, 2), 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
