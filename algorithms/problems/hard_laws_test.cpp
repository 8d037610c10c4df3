#include "algorithms/problems/hard_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/core/binomial.hpp"

namespace dpverify {
namespace {

double smallest_distance(const Words& words) {
  double smallest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < words.count; ++k)
    for (Index l = 0; l < k; ++l)
      smallest = std::min(smallest, (words.word(k) - words.word(l)).norm());
  return smallest;
}

// Entries 0 and 1, `weight` of them 1; the stated distance is that of some two words.
void expect_code(const Words& words, Index count, Index dimension, double weight) {
  EXPECT_EQ(words.count, count);
  EXPECT_EQ(words.dimension, dimension);
  for (Index k = 0; k < words.count; ++k) {
    const VectorXd word = words.word(k);
    ASSERT_EQ(word.size(), dimension);
    EXPECT_EQ(word.sum(), weight) << k;
    EXPECT_EQ(word.squaredNorm(), weight) << k;
    EXPECT_TRUE((word.array() == 0 || word.array() == 1).all()) << k;
  }
  EXPECT_NEAR(smallest_distance(words), words.distance, 1e-12);
}

TEST(HardLaws, TheWordsHaveTheStatedWeightsAndDistances) {
  expect_code(half_weight_words(4), 6, 4, 2);
  expect_code(half_weight_words(16), 30, 16, 8);
  expect_code(half_weight_words(64), 126, 64, 32);
  expect_code(sparse_words(2, 2), 4, 4, 2);
  expect_code(sparse_words(3, 3), 9, 9, 3);
  expect_code(sparse_words(4, 11), 121, 44, 4);
  for (const Index d : {1, 2, 4, 16}) {
    const Words signs = sign_words(d);
    EXPECT_EQ(signs.count, 2 * d);
    for (Index k = 0; k < signs.count; ++k)
      EXPECT_TRUE((signs.word(k).array().abs() == 1).all()) << d << ' ' << k;
    EXPECT_NEAR(smallest_distance(signs), signs.distance, 1e-12) << d;
  }
  const Words numbers = two_numbers();
  EXPECT_EQ(numbers.word(0), VectorXd::Zero(1));
  EXPECT_EQ(numbers.word(1), VectorXd::Ones(1));
  EXPECT_EQ(smallest_distance(numbers), numbers.distance);
}

TEST(HardLaws, CodesOfOtherShapesAreRefused) {
  for (const Index d : {-4, 0, 1, 2, 3, 48})
    EXPECT_THROW(half_weight_words(d), std::invalid_argument) << d;
  for (const Index d : {-2, 0, 3, 12}) EXPECT_THROW(sign_words(d), std::invalid_argument) << d;
  for (const Index q : {-3, 0, 1, 4, 9})
    EXPECT_THROW(sparse_words(2, q), std::invalid_argument) << q;
  EXPECT_THROW(sparse_words(1, 5), std::invalid_argument);
  EXPECT_THROW(sparse_words(6, 5), std::invalid_argument);
}

TEST(HardLaws, RecordsAreTheWordOrZero) {
  const HardLaws laws{
      .words = sparse_words(2, 3), .records = 20'000, .probability = 0.3, .size = 2};
  RandomStream stream({.claim = "hard laws", .purpose = "data"});
  const Dataset data = laws.draw(5, stream);
  Index informative = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const VectorXd record = data.features.row(i);
    if (record == VectorXd::Zero(6)) continue;
    EXPECT_EQ(record, 2 * laws.words.word(5)) << i;
    ++informative;
  }
  EXPECT_EQ(laws.informative(), 6000);
  // Seven and a half standard deviations: missed with probability below 1e-12.
  EXPECT_NEAR(static_cast<double>(informative), 6000, 7.5 * std::sqrt(20'000 * 0.3 * 0.7));
  EXPECT_LT((laws.mean(5) - 0.6 * laws.words.word(5)).norm(), 1e-15);
  EXPECT_NEAR(laws.separation(), 0.6 * std::sqrt(2.0), 1e-15);
}

TEST(HardLaws, TestingFloorByHand) {
  // e^(-k epsilon) = 1/2.
  EXPECT_NEAR(testing_floor(3, {std::log(2.0), 0}, 1), 0.25, 1e-15);
  EXPECT_NEAR(testing_floor(3, {std::log(2.0), 0.1}, 0.4), 0.15, 1e-15);
  // epsilon = 0: k records move a probability by k delta.
  EXPECT_NEAR(testing_floor(2, {0, 0}, 7), 0.25, 1e-15);
  EXPECT_NEAR(testing_floor(2, {0, 0.01}, 7), 0.25 - 0.07 / 2, 1e-15);
  EXPECT_NEAR(testing_floor(2, {1e-9, 0.01}, 7), 0.25 - 0.07 / 2, 1e-8);
  EXPECT_LT(testing_floor(2, {1, 0.5}, 7), 0);
}

// The mean error of the best (epsilon, delta)-DP test of 0 against "1 with probability p, else 0".
// Only the number k of ones counts; g(k) = P(the test says the second law). From g(0) the best test
// lets g rise as fast as both directions of privacy allow.
double best_test(Index n, double p, const PrivacyGuarantee& guarantee) {
  const double e = std::exp(guarantee.epsilon), delta = guarantee.delta;
  double best = 1;
  for (double start = 0; start <= 1; start += 1e-3) {
    double g = start, second = 0;
    for (Index k = 0; k <= n; ++k) {
      second += binomial_probability(static_cast<double>(n), static_cast<double>(k), p) * (1 - g);
      g = std::min({1.0, e * g + delta, 1 - (1 - g - delta) / e});
    }
    best = std::min(best, (start + second) / 2);
  }
  return best;
}

TEST(HardLaws, NoPrivateTestBeatsTheFloor) {
  double tightest = 0;
  for (const Index n : {1, 5, 40})
    for (const double p : {0.01, 0.2, 0.5, 0.95})
      for (const double epsilon : {0.001, 0.05, 0.5, 2.0})
        for (const double delta : {0.0, 1e-6, 0.01, 0.2}) {
          const double floor = testing_floor(2, {epsilon, delta}, static_cast<double>(n) * p);
          const double best = best_test(n, p, {epsilon, delta});
          EXPECT_LE(floor, best) << n << ' ' << p << ' ' << epsilon << ' ' << delta;
          tightest = std::max(tightest, floor / best);
        }
  EXPECT_GT(tightest, 0.45);  // the halves of the coupling: never above 1/2
  EXPECT_LT(tightest, 0.55);
}

// e^(10 epsilon) = 2. Of two laws, g rises to 1/2 in half of the steps and its complement falls
// from there; of eight, the right one stays below 1/2: 7/(7 + 2).
TEST(HardLaws, NamingFloorByHand) {
  const double epsilon = std::log(2.0) / 10;
  const HardLaws two{.words = sign_words(1), .records = 10, .probability = 1};
  EXPECT_NEAR(naming_floor(two, {epsilon, 0}), std::sqrt(0.5) / 2, 1e-12);
  const HardLaws eight{.words = sign_words(4), .records = 10, .probability = 1};
  EXPECT_NEAR(naming_floor(eight, {epsilon, 0}), 7.0 / 9, 1e-12);
  // Without records every guess is one of M; half of the time there is none.
  const HardLaws one{.words = sign_words(4), .records = 1, .probability = 0.5};
  EXPECT_NEAR(naming_floor(one, {std::log(2.0), 0}), (7.0 / 8 + 7.0 / 9) / 2, 1e-12);
  // epsilon = 0: ten records move a probability by 10 delta; s = (1 - s) + 10 delta.
  EXPECT_NEAR(naming_floor(two, {0, 0.01}), 1 - 1.1 / 2, 1e-12);
}

// Of two laws whose records are all 0 or all 1 the best test errs as often as the floor, up to the
// grid of its starts; where some records are 0 under both, it errs at least as often.
TEST(HardLaws, TheNamingFloorIsThatOfTheBestTest) {
  for (const Index n : {1, 5, 40})
    for (const double epsilon : {0.001, 0.05, 0.5})
      for (const double delta : {0.0, 1e-6, 0.01})
        for (const double p : {0.2, 0.95, 1.0}) {
          const PrivacyGuarantee guarantee{epsilon, delta};
          const double floor =
              naming_floor({.words = two_numbers(), .records = n, .probability = p}, guarantee);
          const double best = best_test(n, p, guarantee);
          EXPECT_LE(floor, best + 1e-9) << n << ' ' << p << ' ' << epsilon << ' ' << delta;
          if (p == 1) {
            EXPECT_GE(floor, best - 1e-3) << n << ' ' << epsilon << ' ' << delta;
          }
          EXPECT_GE(floor, testing_floor(2, guarantee, static_cast<double>(n) * p))
              << n << ' ' << p;
        }
}

// Nothing in a constant output tells the laws; the bound is that of the claim's parameters.
TEST(HardLaws, AnErrorIsAMeanThatIsAsNear) {
  const HardLaws laws{.words = two_numbers(), .records = 3};
  const FloorClaim claim = estimation_floor(
      laws, {0.1, 0}, [](const Dataset&, Releases&) -> VectorXd { return VectorXd::Zero(1); });
  EXPECT_EQ(claim.bound, naming_floor(laws, {0.1, 0}));
  RandomStream stream({.claim = "hard laws", .purpose = "instances"});
  bool seen[2] = {false, false};
  for (int trial = 0; trial < 60; ++trial) {  // one is never drawn: 2^-59
    const Instance instance = claim.draw(stream);
    const auto error = [&](double output) { return instance.error(VectorXd::Constant(1, output)); };
    const bool second = error(0.5) == 0;  // the means are 0 and 1/2
    seen[second ? 1 : 0] = true;
    EXPECT_EQ(error(second ? 0.5 : 0), 0);
    EXPECT_EQ(error(second ? 0.2501 : 0.2499), 0);
    EXPECT_EQ(error(second ? 9 : -9), 0);
    EXPECT_EQ(error(second ? 0.2499 : 0.2501), 1);
    EXPECT_EQ(error(0.25), 1);
    EXPECT_EQ(error(std::nan("")), 1);
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(HardLaws, GapsOfEveryProbability) {
  RandomStream stream({.claim = "hard laws", .purpose = "gaps"});
  HardLaws laws{.words = two_numbers(), .records = 50, .probability = 1, .size = 3};
  EXPECT_EQ(laws.draw(1, stream).features.sum(), 150);
  laws.probability = 1e-300;
  EXPECT_EQ(laws.draw(1, stream).features.sum(), 0);
}

TEST(HardLaws, CountsStandForRecords) {
  const HardLaws laws{
      .words = sparse_words(2, 3), .records = 20'000, .probability = 0.3, .size = 2};
  RandomStream stream({.claim = "hard laws", .purpose = "counts"});
  const Dataset counts = laws.draw_counts(5, 20, 1000, stream);
  double informative = 0;
  for (Index b = 0; b < 20; ++b) {
    const double count = counts.features.row(b).maxCoeff();
    EXPECT_EQ(counts.features.row(b).transpose(), count * laws.words.word(5));
    informative += count;
  }
  // Seven and a half standard deviations: missed with probability below 1e-12.
  EXPECT_NEAR(informative, 6000, 7.5 * std::sqrt(20'000 * 0.3 * 0.7));
  const Matrix means =
      laws.counted().block_means(counts.all(), 1000, [](Index, double x) { return x; });
  EXPECT_LT(
      (means.colwise().mean().transpose() - 2 * informative / 20'000 * laws.words.word(5)).norm(),
      1e-12);
}

TEST(HardLaws, ErrorFloorByHand) {
  // The testing floor is 1/4, half the separation 0.6 sqrt(2)/2.
  const HardLaws laws{.words = {.count = 3, .dimension = 1, .distance = std::sqrt(2.0)},
                      .records = 2,
                      .probability = 0.3,
                      .size = 2};
  const PrivacyGuarantee guarantee{std::log(2.0), 0};
  EXPECT_NEAR(error_floor(laws, guarantee), 0.25 * 0.3 * std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(error_floor(laws, guarantee, 2), 0.25 * 0.09 * 2, 1e-15);
  EXPECT_EQ(error_floor(laws, {1, 0.9}), 0);
}

// A constant estimate errs by at least the floor, on average over the laws: no data, no noise.
TEST(HardLaws, AConstantIsNoBetterThanTheErrorFloor) {
  const HardLaws laws{.words = half_weight_words(16), .records = 100, .probability = 0.02};
  const VectorXd centre = VectorXd::Constant(16, laws.probability / 2);
  double error = 0;
  for (Index k = 0; k < laws.words.count; ++k)
    error += (centre - laws.mean(k)).norm() / static_cast<double>(laws.words.count);
  EXPECT_GT(error_floor(laws, {0.01, 0}), 0.3 * error);
  EXPECT_LT(error_floor(laws, {0.01, 0}), error);
}

}  // namespace
}  // namespace dpverify
