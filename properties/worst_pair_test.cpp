#include "properties/worst_pair.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "algorithms/claims/test_lemmas.hpp"
#include "properties/rapidcheck_bridge.hpp"

namespace dpverify {
namespace {

RandomStream stream() {
  return RandomStream({.seed = 3, .claim = "worst pair test", .purpose = "search"});
}

TEST(WorstPair, FindsACornerThatNeedsEveryEntry) {
  // Largest when the replaced record flips the sign of both huge entries and the others agree.
  const auto objective = [](const NeighbouringPair& pair) {
    const auto score = [](const Dataset& data) {
      double sum = 0;
      for (Index i = 0; i < data.size(); ++i)
        sum += std::tanh(data.features(i, 0) * data.labels[i] / 1e6);
      return sum;
    };
    return std::abs(score(pair.data) - score(pair.neighbour)) + std::abs(score(pair.data));
  };
  const WorstPair worst =
      search_worst_pair({.records = 4, .dimension = 1, .evaluations = 2000}, objective, stream());
  EXPECT_NEAR(worst.objective, 2 + 4, 1e-12);
  EXPECT_EQ(worst.pair.data.size(), 4);
  // The search may overrun by the pass that simplifies, one trial an entry and value at most.
  EXPECT_LE(worst.evaluations, 2000U + 8 * 9);
  EXPECT_DOUBLE_EQ(objective(worst.pair), worst.objective);
}

// Only the first of twelve records counts: whatever the seed, the search finds its place.
TEST(WorstPair, FindsThePlaceThatMatters) {
  const auto objective = [](const NeighbouringPair& pair) {
    return std::abs(pair.data.labels[0] - pair.neighbour.labels[0]);
  };
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_EQ(search_worst_pair({.records = 12, .dimension = 1, .evaluations = 200}, objective,
                                RandomStream({.seed = seed, .claim = "place"}))
                  .objective,
              6e6)
        << seed;
}

// Any record that stays and says something hides the one that differs, and no single step away from
// such a pattern helps: a search of few evaluations starts from records that say nothing.
TEST(WorstPair, StartsWhereTheRecordsThatStaySayNothing) {
  const auto objective = [](const NeighbouringPair& pair) {
    for (Index i = 0; i < pair.data.size(); ++i)
      if (i != pair.replaced && !(pair.data.features(i, 0) == 0 && pair.data.labels[i] == 0))
        return 1.0;
    return 2 + std::abs(pair.data.labels[pair.replaced]);
  };
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_GT(search_worst_pair({.records = 3, .dimension = 1, .evaluations = 100}, objective,
                                RandomStream({.seed = seed, .claim = "silent"}))
                  .objective,
              1e6)
        << seed;
}

TEST(WorstPair, IsDeterministic) {
  const auto objective = [](const NeighbouringPair& pair) {
    return std::abs(pair.data.labels.sum() - pair.neighbour.labels.sum());
  };
  const PairSearch search{.records = 3, .dimension = 2, .evaluations = 300};
  const WorstPair first = search_worst_pair(search, objective, stream());
  const WorstPair second = search_worst_pair(search, objective, stream());
  EXPECT_EQ(first.objective, second.objective);
  EXPECT_EQ(first.pair.data.features, second.pair.data.features);
  EXPECT_EQ(first.objective, 6e6);
}

// Of 20 features, a record longer than 40 counts for nothing: the corners almost always are.
TEST(WorstPair, ShortRecordsReachWhatDropsLongOnes) {
  const auto objective = [](const NeighbouringPair& pair) {
    VectorXd change = VectorXd::Zero(20);
    for (const auto& [data, sign] : {std::pair(&pair.data, 1), std::pair(&pair.neighbour, -1)})
      for (Index i = 0; i < data->size(); ++i)
        if (data->features.row(i).norm() <= 40) change += sign * data->features.row(i).transpose();
    return change.norm();
  };
  PairSearch search{.records = 2, .dimension = 20, .evaluations = 500};
  EXPECT_EQ(search_worst_pair(search, objective, stream()).objective, 0);
  search.short_records = true;
  EXPECT_GT(search_worst_pair(search, objective, stream()).objective, 40);
}

TEST(RapidCheckBridge, ShrinksToTheSmallestFailingPair) {
  const PropertySearch search{.ranges = {{"limit", 10, 5, 50, Scale::linear}},
                              .smallest_dimension = 1,
                              .largest_dimension = 3,
                              .seed = 1,
                              .cases = 2000};
  const auto holds = [](const PropertyInput& input) {
    return input.pair.data.labels.cwiseAbs().maxCoeff() <= number(input.parameters, "limit");
  };
  const auto result = search_pairs(search, holds);
  ASSERT_TRUE(result.counterexample);
  const PropertyInput& input = *result.counterexample;
  EXPECT_FALSE(holds(input));
  EXPECT_EQ(input.pair.data.size(), 1);
  EXPECT_EQ(input.pair.data.dimension(), 1);
  EXPECT_EQ(input.pair.data.features(0, 0), 0);
  EXPECT_EQ(number(input.parameters, "limit"), 10);
  EXPECT_GT(result.shrink_steps, 0U);
}

TEST(RapidCheckBridge, VisitsEndsExtremesAndEveryDimension) {
  bool lower = false, upper = false, inside = false, huge = false, tiny = false;
  std::vector<int> dimensions(4, 0);
  const auto holds = [&](const PropertyInput& input) {
    const double x = number(input.parameters, "x");
    EXPECT_GE(x, 2);
    EXPECT_LE(x, 8);
    lower |= x == 2;
    upper |= x == 8;
    inside |= x > 2.1 && x < 7.9;
    const double largest = input.pair.data.features.cwiseAbs().maxCoeff();
    huge |= largest >= 1e100;
    tiny |= largest > 0 && largest < 1e-9;
    ++dimensions[static_cast<std::size_t>(input.pair.data.dimension())];
    EXPECT_LE(input.pair.data.size(), 20);
    return true;
  };
  const auto result = search_pairs({.ranges = {{"x", 4, 2, 8, Scale::logarithmic}},
                                    .smallest_dimension = 1,
                                    .largest_dimension = 3,
                                    .seed = 2,
                                    .cases = 1000},
                                   holds);
  EXPECT_EQ(result.cases, 1000U);
  EXPECT_FALSE(result.counterexample);
  EXPECT_TRUE(lower && upper && inside && huge && tiny);
  EXPECT_GT(std::min({dimensions[1], dimensions[2], dimensions[3]}), 200);
}

TEST(RapidCheckBridge, PointsOfIntegerRangesAreIntegers) {
  const auto result =
      search_points({.ranges = {{"k", 0, 0, 3, Scale::integer}}, .seed = 4, .cases = 500},
                    [](const ParameterPoint& point) {
                      const double k = number(point, "k");
                      return k == std::round(k) && k != 2;
                    });
  ASSERT_TRUE(result.counterexample);
  EXPECT_EQ(number(*result.counterexample, "k"), 2);
}

// Worst where one label is near 100: between the small and the huge values that are tried first.
TEST(WorstPair, ScalesTheEntriesOfTheBestPair) {
  const auto objective = [](const NeighbouringPair& pair) {
    const double size = std::abs(pair.data.labels[0]);
    return size > 0 ? std::exp(-std::pow(std::log(size / 100), 2) / 50) : 0.5;
  };
  const WorstPair worst = search_worst_pair({.records = 2, .dimension = 1, .evaluations = 500},
                                            objective, RandomStream({.claim = "worst pair test"}));
  EXPECT_GT(worst.objective, 0.999);
  EXPECT_LE(worst.evaluations, 600U);
}

// Two records say something: the replaced one and one more, wherever they stand.
TEST(WorstPair, RecordsThatSayNothingAreLeftOut) {
  const auto sum = [](const NeighbouringPair& pair) {
    return std::abs(pair.data.labels[pair.replaced] - pair.neighbour.labels[pair.replaced]) +
           pair.data.features.sum();
  };
  NeighbouringPair pair = make_pair({{0, 0}, {7, 0}, {0, 0}, {0, 1}, {0, 0}}, 3, {0, -1});
  ASSERT_EQ(sum(pair), 9);
  pair = with_fewer_records(std::move(pair), 9, sum);
  EXPECT_EQ(pair.data.features.col(0), VectorXd({{7, 0}}));
  EXPECT_EQ(pair.data.labels, VectorXd({{0, 1}}));
  EXPECT_EQ(pair.neighbour.labels, VectorXd({{0, -1}}));
  EXPECT_EQ(pair.replaced, 1);
  EXPECT_EQ(with_fewer_records(pair, 2, sum).data.size(), 1);  // the replaced one stays
}

}  // namespace
}  // namespace dpverify
