#include <gmock/gmock.h>

#include "algorithms/claims/lemmas.hpp"

namespace dpverify {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;
using ::testing::ElementsAre;

template <class Real>
struct Line {
  Real slope, x;
  static Fields<Line> fields() {
    return {field("slope", &Line::slope).range(1.0, 0.5, 2.0),
            field("x", &Line::x).range(2, 1, 8, integer)};
  }
};

struct Steps {
  Index count = 1;
  static Fields<Steps> fields() { return {field("count", &Steps::count).range(1, 1, 9)}; }
};

const LemmaClaim& check(const Claim& claim) { return std::get<LemmaClaim>(claim.check); }

std::vector<Claim> lemmas() {
  LemmaList list("paper.algorithm", Text::tao);
  list.add<Line>(
      "line", [](const auto& p) { return p.slope * log1p(p.x); },
      {{printed, refuted, "Lemma 1", "One.", 1.0},
       {corrected, holds, "Lemma 1, mended", "Two.", [](const auto& p) { return 2 * p.x; },
        Line<double>::fields().within(&Line<double>::slope, 1.0, 1.0, 1.5),
        [](const auto& p) { return p.slope; }, std::vector<std::string>{"its own"}, Text::wang_xu}},
      {"of the lemma"});
  list.add<Steps>("steps", [](const Steps& p) { return static_cast<double>(p.count); },
                  {{proved, holds, "Lemma 2", "Three.", 9}});
  list.add("numbers", {{"a", 1, 0, 4, linear}, {"n", 3, 1, 5, integer}},
           [](auto a, auto n) { return a / n; },
           {{printed, holds, "Lemma 3", "Four.", [](auto a, auto) { return sqrt(a); }},
            {reading,
             holds,
             "Lemma 3",
             "Five.",
             [](double a, Index n) { return a + double(n); },
             {{{{"a", 2, 0, 3, linear}, {"n", 3, 1, 5, integer}}}}}});
  return list.take();
}

TEST(LemmaList, AnEditionIsAClaim) {
  const std::vector<Claim> all = lemmas();
  std::vector<std::string> ids;
  for (const Claim& claim : all) ids.push_back(claim.id);
  EXPECT_THAT(
      ids,
      ElementsAre("paper.algorithm.lemma.line.printed", "paper.algorithm.lemma.line.corrected",
                  "paper.algorithm.lemma.steps.proved", "paper.algorithm.lemma.numbers.printed",
                  "paper.algorithm.lemma.numbers.reading"));
  EXPECT_EQ(all[0].algorithm, "paper.algorithm");
  EXPECT_EQ(all[0].expectation, refuted);
  EXPECT_EQ(all[0].statement, "One.");
  EXPECT_THAT(all[0].assumptions, ElementsAre("of the lemma"));
  EXPECT_THAT(all[1].assumptions, ElementsAre("its own"));
}

TEST(LemmaList, CorrectedEditionsAreThisProjectsUnlessSaid) {
  LemmaList list("paper.algorithm", Text::tao);
  list.add<Steps>("steps", 0.0,
                  {{printed, holds, "x", "One.", 1.0}, {corrected, holds, "x", "Two.", 1.0}});
  const std::vector<Claim> all = list.take();
  EXPECT_EQ(all[0].source.text, Text::tao);
  EXPECT_EQ(all[1].source.text, Text::this_project);
  EXPECT_EQ(lemmas()[1].source.text, Text::wang_xu);
}

TEST(LemmaList, SidesInDoublesAndIn100Digits) {
  const std::vector<Claim> all = lemmas();
  const ParameterPoint point{{"slope", 0.5}, {"x", 3}};
  const LemmaClaim::Sides line = check(all[0]).sides(point);
  EXPECT_DOUBLE_EQ(line.left, 0.5 * std::log(4.0));
  EXPECT_EQ(line.right, 1);
  const LemmaClaim::PreciseSides precise = check(all[0]).precise_sides(point);
  EXPECT_DOUBLE_EQ(precise.left, 0.5 * std::log(4.0));
  EXPECT_DOUBLE_EQ(precise.excess, 0.5 * std::log(4.0) - 1);
  const LemmaClaim::Sides mended = check(all[1]).sides(point);
  EXPECT_EQ(mended.left, 0.5);
  EXPECT_EQ(mended.right, 6);
  EXPECT_EQ(check(all[1]).ranges[0].upper, 1.5);
  EXPECT_EQ(check(all[0]).ranges[0].upper, 2);
  EXPECT_EQ(check(all[2]).sides({{"count", 4}}).left, 4);
  EXPECT_FALSE(check(all[2]).precise_sides);
}

TEST(LemmaList, NumbersComeInTheOrderOfTheirRanges) {
  const std::vector<Claim> all = lemmas();
  const ParameterPoint point{{"a", 4}, {"n", 5}};
  EXPECT_EQ(check(all[3]).sides(point).left, 0.8);
  EXPECT_EQ(check(all[3]).sides(point).right, 2);
  EXPECT_DOUBLE_EQ(check(all[3]).precise_sides(point).excess, 0.8 - 2);
  EXPECT_EQ(check(all[4]).sides(point).right, 9);
  EXPECT_FALSE(check(all[4]).precise_sides);  // one side takes doubles
  EXPECT_EQ(check(all[4]).ranges[0].upper, 3);
}

}  // namespace
}  // namespace dpverify
