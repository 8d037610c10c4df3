#include "properties/lemma_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
  // Sides that are not positive have no ratio.
  EXPECT_FALSE(check_lemma(lemma([](double x) {
                             return LemmaClaim::Sides{-1 - x * x, 0};
                           }),
                           {})
                   .tightness);
}

}  // namespace
}  // namespace dpverify
