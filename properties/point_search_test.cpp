#include "properties/point_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

const std::vector<ParameterRange> ranges{{"x", 0, -10, 10, Scale::linear},
                                         {"y", 1, 1e-300, 1e300, Scale::logarithmic},
                                         {"k", 3, 1, 1000, Scale::integer}};

RandomStream test_stream() { return RandomStream({.claim = "point search", .purpose = "test"}); }

TEST(PointSearch, SharesAndValuesAreInverse) {
  for (const ParameterRange& range : ranges) {
    EXPECT_EQ(value_at(range, 0), range.lower);
    EXPECT_EQ(value_at(range, 1), range.upper);
    for (const double share : {0.0, 0.25, 0.5, 0.8, 1.0})
      EXPECT_NEAR(share_at(range, value_at(range, share)), share, 1e-3) << range.name;
  }
  EXPECT_NEAR(value_at(ranges[1], 0.5), 1, 1e-12);
  EXPECT_EQ(value_at(ranges[2], 0.2502), 251);
  EXPECT_EQ(share_at({"constant", 2, 2, 2, Scale::linear}, 2), 0);
}

TEST(PointSearch, AClimbReachesAPeakInEveryScale) {
  double best = -infinity;
  ParameterPoint top;
  const auto score = [&](const ParameterPoint& at) {
    const double found = -std::pow(number(at, "x") - 2.5, 2) -
                         std::pow(std::log(number(at, "y")) - std::log(1e-100), 2) -
                         std::pow(number(at, "k") - 777, 2);
    if (found > best) {
      best = found;
      top = at;
    }
    return found;
  };
  RandomStream directions = test_stream();
  climb(ranges, {{"x", -10}, {"y", 1e300}, {"k", 1}}, 2000, score, directions);
  EXPECT_NEAR(number(top, "x"), 2.5, 1e-3);
  EXPECT_NEAR(std::log(number(top, "y")) - std::log(1e-100), 0, 1e-3);
  EXPECT_EQ(number(top, "k"), 777);
}

// The second of a range of four far from 0 helps only once x is nearly right: by then the steps are
// far below one of the four, and must still reach the next.
TEST(PointSearch, AnIntegerMovesByOneHoweverSmallTheSteps) {
  const std::vector<ParameterRange> far{{"x", 0, -10, 10, Scale::linear},
                                        {"k", 1000, 1000, 1003, Scale::integer}};
  double best = -infinity, k = 0;
  const auto score = [&](const ParameterPoint& at) {
    const double away = std::abs(number(at, "x") - 2.5);
    const double found = -away + (away < 1e-3 && number(at, "k") == 1001 ? 1 : 0);
    if (found > best) {
      best = found;
      k = number(at, "k");
    }
    return found;
  };
  RandomStream directions = test_stream();
  climb(far, {{"x", -10}, {"k", 1000}}, 4000, score, directions);
  EXPECT_EQ(k, 1001);
}

TEST(PointSearch, ASearchStopsWhereTheScoreIsInfinite) {
  int asked = 0;
  const auto score = [&](const ParameterPoint& at) {
    ++asked;
    return number(at, "x") > -9.5 ? infinity : number(at, "x");
  };
  RandomStream directions = test_stream();
  climb(ranges, {{"x", -10}, {"y", 1}, {"k", 1}}, 1000, score, directions);
  EXPECT_LE(asked, 3);
  asked = 0;
  RandomStream points = test_stream();
  visit_edges(ranges, 1000, score, points);
  EXPECT_LE(asked, 30);
}

TEST(PointSearch, EveryEdgeIsVisitedAndNothingElse) {
  int inside[3] = {0, 0, 0}, visited = 0;
  const auto score = [&](const ParameterPoint& at) {
    int between = -1, count = 0, k = 0;
    for (const auto& [name, value] : at) {
      const auto& range = ranges[static_cast<std::size_t>(k)];
      if (value != range.lower && value != range.upper) {
        between = k;
        ++count;
      }
      ++k;
    }
    EXPECT_LE(count, 1);
    if (count == 1) ++inside[between];
    ++visited;
    return 0.0;
  };
  RandomStream points = test_stream();
  visit_edges(ranges, 600, score, points);
  EXPECT_EQ(visited, 600);
  for (const int count : inside) EXPECT_GE(count, 190);
}

TEST(PointSearch, ASimplerPointIsWantedAsWell) {
  const auto wanted = [](const ParameterPoint& at) { return number(at, "x") > 3.14159; };
  const ParameterPoint simple =
      simplified(ranges, {{"x", 7.123456789}, {"y", 12.3456}, {"k", 17}}, wanted);
  EXPECT_EQ(number(simple, "y"), 1);
  EXPECT_EQ(number(simple, "k"), 3);
  EXPECT_TRUE(wanted(simple));
  EXPECT_EQ(number(simple, "x"), 10);  // an end is simpler than what lies between
  const auto inside = [](const ParameterPoint& at) {
    return number(at, "x") > 3.14159 && number(at, "x") < 9;
  };
  EXPECT_NEAR(number(simplified(ranges, {{"x", 7.123456789}, {"y", 1}, {"k", 3}}, inside), "x"),
              3.142, 1e-9);
}

}  // namespace
}  // namespace dpverify
