#include "properties/lemma_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify {
namespace {

Claim lemma(std::function<LemmaClaim::Sides(double)> sides) {
  return {.id = "test.lemma.lemma.printed",
          .check = LemmaClaim{{{"x", 0, -10, 10, Scale::linear}},
                              [sides](const ParameterPoint& p) { return sides(number(p, "x")); }}};
}

TEST(LemmaCheck, DecidesInequalities) {
  using Sides = LemmaClaim::Sides;
  EXPECT_EQ(check_lemma(lemma([](double x) {
                          return Sides{1 + x, std::exp(x)};
                        }),
                        {})
                .verdict,
            Verdict::consistent);
  // Fails on (0, 0.1] only: one point in two hundred of the range.
  const Evidence narrow = check_lemma(lemma([](double x) {
                                        return Sides{x > 0 && x <= 0.1 ? 2.0 : 0.0, 1};
                                      }),
                                      {});
  EXPECT_EQ(narrow.verdict, Verdict::refuted);
  EXPECT_NEAR(number(narrow.witness->parameters, "x"), 0.05, 0.05);
  EXPECT_EQ(check_lemma(lemma([](double x) {
                          return Sides{std::sqrt(x), 10};
                        }),
                        {})
                .verdict,
            Verdict::refuted);  // not a number for x < 0
}

TEST(LemmaCheck, ShowsWhereItIsNearestToFailing) {
  const Evidence evidence = check_lemma(lemma([](double x) {
                                          return LemmaClaim::Sides{4 - x * x / 100, 8};
                                        }),
                                        {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  EXPECT_NEAR(*evidence.tightness, 0.5, 1e-12);  // at x = 0, the simplest value
  EXPECT_NEAR(*evidence.estimate, 4, 1e-11);
  EXPECT_EQ(*evidence.claimed, 8);
  EXPECT_NE(evidence.reason.find("nearest, at x = 0,"), std::string::npos) << evidence.reason;
  EXPECT_NEAR(*evidence.smallest_fault, 2, 1e-11);
  EXPECT_NE(evidence.reason.find(
                "as far as these points go, the constant could be 0.5 of what is claimed"),
            std::string::npos)
      << evidence.reason;
  // Sides without a common sign are as far apart as can be; of negative ones it is the inverse.
  const Evidence apart = check_lemma(lemma([](double x) {
                                       return LemmaClaim::Sides{-1 - x * x, 0};
                                     }),
                                     {});
  EXPECT_EQ(*apart.tightness, 0);
  EXPECT_FALSE(apart.smallest_fault) << "no constant changes the sign of a side";
  EXPECT_NEAR(*check_lemma(lemma([](double x) {
                             return LemmaClaim::Sides{-5 - x * x, -4};
                           }),
                           {})
                   .tightness,
              0.8, 1e-12);
}

// Above 1 whatever the signs of the sides, and where doubles cannot show by how much.
TEST(LemmaCheck, ARefutedLemmaIsMoreThanOnceWhatIsClaimed) {
  const auto tightness = [](LemmaClaim::Sides sides) {
    const Evidence evidence = check_lemma(lemma([=](double) { return sides; }), {});
    EXPECT_EQ(evidence.verdict, Verdict::refuted);
    return evidence.tightness.value_or(0);
  };
  EXPECT_EQ(tightness({2, 1}), 2);
  EXPECT_EQ(tightness({-1, -2}), 2);
  EXPECT_EQ(tightness({1, 0}), infinity);
  EXPECT_EQ(tightness({0, -1}), infinity);
  EXPECT_EQ(tightness({1, -1}), infinity);
  EXPECT_GT(tightness({1 + 1e-14, 1}), 1);
}

// A right side that is larger than a narrow peak at no grid point of the range, in two parameters
// of their own scale, by `times`.
Claim peak(double times) {
  return {.id = "test.peak.lemma.printed",
          .check = LemmaClaim{
              {{"x", 0, -10, 10, Scale::linear}, {"y", 1, 1e-6, 1e6, Scale::logarithmic}},
              [times](const ParameterPoint& p) {
                const double x = number(p, "x") - 1.23456789;
                const double y = std::log(number(p, "y") / 0.000123);
                return LemmaClaim::Sides{1 / (1 + 100 * x * x + y * y), times};
              }}};
}

// The random points come within some 15% of the peak.
TEST(LemmaCheck, ASearchFindsWhatRandomPointsMiss) {
  const Evidence sharp = check_lemma(peak(1.001), {});
  EXPECT_EQ(sharp.verdict, Verdict::consistent);
  EXPECT_NEAR(*sharp.smallest_fault, 1.001, 1e-6);
  EXPECT_EQ(check_lemma(peak(1), {}).verdict, Verdict::consistent);
  const Evidence fault = check_lemma(peak(0.9999), {});
  EXPECT_EQ(fault.verdict, Verdict::refuted);
  EXPECT_NEAR(number(fault.witness->parameters, "x"), 1.2346, 2e-3);
}

// The point that is nearest to failing leads nowhere: a corner, where the left side is alone with
// its 0.95. Searches from the best points of stretches of the random ones climb the hill to its
// top.
TEST(LemmaCheck, SearchesStartFromSeveralPoints) {
  LemmaClaim check;
  for (const char* name : {"x", "y", "z", "w"})
    check.ranges.push_back({name, 5, 0, 10, Scale::linear});
  check.sides = [](const ParameterPoint& p) {
    const double x = number(p, "x"), y = number(p, "y"), z = number(p, "z"), w = number(p, "w");
    if (x == 10 && y == 10 && z == 0 && w == 10) return LemmaClaim::Sides{0.95, 1};
    const double distance = std::pow(x - 3.21, 2) + std::pow(y - 7.89, 2);
    return LemmaClaim::Sides{1.01 / (1 + 40 * distance), 1};
  };
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Evidence fault =
        check_lemma({.id = "test.hill.lemma.printed", .check = check}, {.seed = seed});
    if (fault.verdict != Verdict::refuted) continue;
    ++refuted;
    EXPECT_NEAR(number(fault.witness->parameters, "x"), 3.21, 0.02);
  }
  EXPECT_EQ(refuted, 20) << "whatever the seed";
}

// A fault on one edge of the box alone, and on a fifteenth of it.
TEST(LemmaCheck, EdgesAreVisited) {
  const auto on_edge = [](double largest) {
    LemmaClaim check;
    for (const char* name : {"x", "y", "z", "w"})
      check.ranges.push_back({name, 5, 0, 10, Scale::linear});
    check.sides = [=](const ParameterPoint& p) {
      const double z = number(p, "z");
      const bool edge = number(p, "x") == 10 && number(p, "y") == 0 && number(p, "w") == 10;
      return LemmaClaim::Sides{edge && z > 3 && z < 3.67 ? largest : 1.0, 2};
    };
    return Claim{.id = "test.edge.lemma.printed", .check = check};
  };
  EXPECT_EQ(check_lemma(on_edge(1), {}).verdict, Verdict::consistent);
  const Evidence fault = check_lemma(on_edge(3), {});
  ASSERT_EQ(fault.verdict, Verdict::refuted);
  EXPECT_NEAR(number(fault.witness->parameters, "z"), 3.335, 0.335);
}

// Any smaller share of the right side than the evidence names is refuted.
TEST(LemmaCheck, AFaultBeyondTheSmallestIsRefuted) {
  int seen = 0;
  for (const Claim& claim : claims()) {
    const auto* lemma = std::get_if<LemmaClaim>(&claim.check);
    if (lemma == nullptr || !claim.id.starts_with("tao.sco_framework.")) continue;
    const Evidence evidence = check_lemma(claim, {});
    if (evidence.verdict != Verdict::consistent) continue;
    ASSERT_TRUE(evidence.smallest_fault) << claim.id;
    const auto with_right_times = [&](double share) {
      Claim other = claim;
      auto& check = std::get<LemmaClaim>(other.check);
      check.precise_sides = {};
      check.sides = [honest = lemma->sides, share](const ParameterPoint& point) {
        const LemmaClaim::Sides sides = honest(point);
        return LemmaClaim::Sides{sides.left, share * sides.right};
      };
      return check_lemma(other, {}).verdict;
    };
    EXPECT_EQ(with_right_times(0.99 / *evidence.smallest_fault), Verdict::refuted) << claim.id;
    EXPECT_EQ(with_right_times(1.0001 / *evidence.smallest_fault), Verdict::consistent) << claim.id;
    ++seen;
  }
  EXPECT_GE(seen, 4);
}

TEST(LemmaCheck, SaysWhatLargerConstantsFail) {
  const Evidence bounded = check_lemma(lemma([](double x) {
                                         return LemmaClaim::Sides{3 - x * x / 100, 1};
                                       }),
                                       {});
  EXPECT_EQ(bounded.verdict, Verdict::refuted);
  EXPECT_NE(bounded.reason.find("No constant below 3 times the claimed one would do"),
            std::string::npos)
      << bounded.reason;
  const Evidence unbounded = check_lemma(lemma([](double x) {
                                           return LemmaClaim::Sides{1, x - 5};
                                         }),
                                         {});
  EXPECT_NE(unbounded.reason.find("No constant would do where the sides are 1 and -"),
            std::string::npos)
      << unbounded.reason;
  // So small that it is 0 in doubles, and not in real numbers: the figures are shown, and no more
  // is said.
  const Evidence vanishing = check_lemma(lemma([](double x) {
                                           return LemmaClaim::Sides{1, std::exp(-1000 * x)};
                                         }),
                                         {});
  EXPECT_NE(vanishing.reason.find("where the sides are 1 and 0, as doubles"), std::string::npos)
      << vanishing.reason;
}

// (1000 + x) - 1000 against x: in doubles they differ by up to 10^-13, in 100 digits not.
TEST(LemmaCheck, RoundingIsNoViolation) {
  LemmaList list("test.rounding", Text::this_project);
  const auto cancels = [](auto x) { return (1e3 + x) - 1e3; };
  list.add("both", {{"x", 1, 0.5, 2, Scale::linear}}, cancels,
           {{Edition::printed, Expectation::holds, "", "", [](auto x) { return x; }}});
  list.add("doubles", {{"x", 1, 0.5, 2, Scale::linear}}, cancels,
           {{Edition::printed, Expectation::holds, "", "", [](double x) { return x; }}});
  const std::vector<Claim> both = list.take();
  EXPECT_EQ(check_lemma(both[0], {}).verdict, Verdict::consistent);
  EXPECT_EQ(check_lemma(both[1], {}).verdict, Verdict::refuted);
}

}  // namespace
}  // namespace dpverify
