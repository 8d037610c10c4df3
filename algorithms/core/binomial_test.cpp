#include "algorithms/core/binomial.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

TEST(Binomial, Probabilities) {
  EXPECT_NEAR(binomial_probability(4, 2, 0.5), 0.375, 1e-14);
  EXPECT_NEAR(binomial_probability(3, 0, 0.1), 0.729, 1e-14);
  double total = 0;
  for (double k = 0; k <= 60; ++k) total += binomial_probability(60, k, 0.37);
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(Binomial, CertainTrials) {
  EXPECT_EQ(binomial_probability(3, 0, 0), 1);
  EXPECT_EQ(binomial_probability(3, 1, 0), 0);
  EXPECT_EQ(binomial_probability(3, 3, 1), 1);
  EXPECT_EQ(binomial_probability(3, 2, 1), 0);
}

TEST(Binomial, ExpectationsAndEvents) {
  EXPECT_NEAR(binomial_expectation(4, 0.3, [](double k) { return k; }), 1.2, 1e-14);
  EXPECT_NEAR(binomial_expectation(4, 0.3, [](double k) { return k * k; }), 1.44 + 0.84, 1e-14);
  EXPECT_NEAR(binomial_expectation(3, 0.1, [](double k) { return k >= 2; }), 0.028, 1e-15);
}

}  // namespace
}  // namespace dpverify
