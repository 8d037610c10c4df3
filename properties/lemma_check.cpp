#include "properties/lemma_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/numbers.hpp"
#include "properties/rapidcheck_bridge.hpp"

namespace dpverify {
namespace {

// Two sides that are equal in exact arithmetic may differ by rounding.
constexpr double last_places = 8 * std::numeric_limits<double>::epsilon();

double excess(const LemmaClaim::Sides& sides) {
  const double slack = last_places * std::max(std::abs(sides.left), std::abs(sides.right));
  const double excess = sides.left - sides.right - slack;
  return std::isnan(excess) ? infinity : excess;
}

std::string at(const ParameterPoint& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

Evidence check_lemma(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<LemmaClaim>(claim.check);
  Evidence evidence{.claim = claim.id, .method = "RapidCheck property over the claimed range"};
  evidence.seed = context.seed;
  RandomStream seeds({.seed = context.seed, .claim = claim.id, .purpose = "property"});
  // Where the inequality is closest to failing, for sides that are positive.
  struct {
    double ratio = -1;
    ParameterPoint point;
    LemmaClaim::Sides sides;
  } nearest;
  const auto holds = [&](const ParameterPoint& point) {
    const LemmaClaim::Sides sides = check.sides(point);
    const double ratio = sides.left / sides.right;
    if (sides.left >= 0 && sides.right > 0 && ratio > nearest.ratio)
      nearest = {ratio, point, sides};
    return excess(sides) <= 0;
  };
  const auto result = search_points(
      {.ranges = check.ranges, .seed = seeds.bits(), .cases = budget_of(context.plan).lemma_cases},
      holds);
  evidence.samples = result.cases;
  if (result.counterexample) {
    const LemmaClaim::Sides sides = check.sides(*result.counterexample);
    evidence.verdict = Verdict::refuted;
    evidence.estimate = sides.left;
    evidence.claimed = sides.right;
    evidence.tightness = sides.left / sides.right;
    const std::string explanation =
        fmt::format("at {} the left side is {:.6g} and the right side {:.6g}",
                    at(*result.counterexample), sides.left, sides.right);
    evidence.witness = Witness{.parameters = *result.counterexample, .explanation = explanation};
    evidence.reason = "The inequality fails: " + explanation + ".";
  } else {
    evidence.verdict = Verdict::consistent;
    evidence.reason = fmt::format("No violation at {} point{} of the ranges", result.cases,
                                  result.cases == 1 ? "" : "s");
    if (nearest.ratio >= 0) {
      evidence.estimate = nearest.sides.left;
      evidence.claimed = nearest.sides.right;
      evidence.tightness = nearest.ratio;
      evidence.reason += fmt::format("; nearest{} the sides are {:.6g} and {:.6g}",
                                     nearest.point.empty() ? "" : ", at " + at(nearest.point) + ",",
                                     nearest.sides.left, nearest.sides.right);
    }
    evidence.reason += '.';
  }
  return evidence;
}

}  // namespace dpverify
