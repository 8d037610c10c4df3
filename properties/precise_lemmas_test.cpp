// Doubles against 100 digits, for every lemma of the registry whose sides can be had in both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/registry.hpp"
#include "properties/rapidcheck_bridge.hpp"

namespace dpverify {
namespace {

constexpr double accuracy = 1e-9;

// Relative; absolute below 1.
bool agree(double rounded, double precise) {
  if (!std::isfinite(precise) || !std::isfinite(rounded))
    return rounded == precise || (std::isnan(rounded) && std::isnan(precise));
  return std::abs(rounded - precise) <= accuracy * std::max(1.0, std::abs(precise));
}

// How the sides in doubles, or which of them is larger, differ from those in 100 digits at some
// random points of the ranges; empty if they do not.
std::string disagreement(const LemmaClaim& lemma, std::uint64_t seed) {
  std::string out;
  const auto compare = [&](const ParameterPoint& point) {
    const LemmaClaim::Sides sides = lemma.sides(point);
    const LemmaClaim::PreciseSides precise = lemma.precise_sides(point);
    const double size = std::max(std::abs(precise.left), std::abs(precise.right));
    const bool decided = std::abs(precise.excess) > accuracy * size;
    if (agree(sides.left, precise.left) && agree(sides.right, precise.right) &&
        (!decided || (sides.left > sides.right) == (precise.excess > 0)))
      return true;
    std::string at;
    for (const auto& [name, value] : point) at += fmt::format("{} = {}, ", name, value);
    out = fmt::format("at {}{} <= {} in doubles, {} <= {} in 100 digits, excess {}", at, sides.left,
                      sides.right, precise.left, precise.right, precise.excess);
    return false;
  };
  search_points({.ranges = lemma.ranges, .seed = seed, .cases = 50}, compare);
  return out;
}

TEST(PreciseLemmas, DoublesAgreeWithAHundredDigits) {
  std::uint64_t lemmas = 0;
  for (const Claim& claim : claims()) {
    const auto* lemma = std::get_if<LemmaClaim>(&claim.check);
    if (lemma == nullptr || !lemma->precise_sides) continue;
    EXPECT_EQ(disagreement(*lemma, ++lemmas), "") << claim.id;
  }
  EXPECT_GE(lemmas, 150U);
}

template <class Real>
struct OneNumber {
  Real a = 1;
  static Fields<OneNumber> fields() { return {field("a", &OneNumber::a).range(1.0, 0.1, 1.0)}; }
};

LemmaClaim lemma_on(GenericSide<OneNumber> left, GenericSide<OneNumber> right) {
  LemmaList list("test.numbers", Text::this_project);
  list.add<OneNumber>("one", left, {{Edition::printed, Expectation::holds, "", "", right}});
  return std::get<LemmaClaim>(list.take().front().check);
}

TEST(PreciseLemmas, CancellationIsSeen) {
  const auto identity = [](const auto& p) { return p.a; };
  EXPECT_EQ(disagreement(lemma_on([](const auto& p) { return exp(log(p.a)); }, identity), 1), "");
  // Of twelve digits in front, four remain behind the point.
  const auto cancels = [](const auto& p) { return (1e12 + p.a) - 1e12; };
  EXPECT_NE(disagreement(lemma_on(cancels, identity), 1), "");
}

}  // namespace
}  // namespace dpverify
