#include "properties/lemma_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/numbers.hpp"
#include "properties/point_search.hpp"
#include "properties/rapidcheck_bridge.hpp"

namespace dpverify {
namespace {

// Two sides that are equal in exact arithmetic may differ by rounding.
constexpr double last_places = 8 * std::numeric_limits<double>::epsilon();
// Sides that fail in doubles are compared in 100 digits, which leave these.
constexpr double last_of_100_digits = 1e-90;
// Of the random points, for the edges, for the pattern searches, and for how far the sides of a
// refuted claim come apart.
constexpr std::uint64_t share_of_edges = 10, share_of_climbs = 5, share_of_worst = 500;
// The searches start from the best point of each of so many stretches of the cases, and from the
// best of all.
constexpr std::size_t stretches = 8;
// A point is nearer to failing than another only if by more than rounding.
constexpr double distinct = 1e-12;

bool holds(const LemmaClaim& check, const ParameterPoint& point, const LemmaClaim::Sides& sides) {
  const double size = std::max(std::abs(sides.left), std::abs(sides.right));
  const double excess = sides.left - sides.right;
  if (excess <= last_places * size) return true;
  if (!check.precise_sides) return false;
  return check.precise_sides(point).excess <= last_of_100_digits * size;
}

// left/right, or right/left for negative sides: 1 for an equality. Where they have not one sign, 0
// or infinity, as the inequality holds or not.
double ratio(const LemmaClaim::Sides& sides) {
  if (sides.left > 0 && sides.right > 0) return sides.left / sides.right;
  if (sides.left < 0 && sides.right < 0) return sides.right / sides.left;
  return sides.left <= sides.right ? 0 : infinity;
}

// Larger is nearer to failing: the logarithm of the ratio (at least -1500), or below that of any
// two sides of one sign, by their difference.
double closeness(const LemmaClaim::Sides& sides) {
  if (sides.left > 0 && sides.right <= 0) return infinity;
  const double left = std::abs(sides.left), right = std::abs(sides.right);
  if (sides.left > 0 && sides.right > 0) return std::log(left) - std::log(right);
  if (sides.left < 0 && sides.right < 0) return std::log(right) - std::log(left);
  return -2000 - std::log1p(sides.right - sides.left);
}

std::string at(const ParameterPoint& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, in_digits(value));
  return text;
}

double three_digits(double x, bool up) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 2);
  return (up ? std::ceil(x / unit) : std::floor(x / unit)) * unit;
}

class LemmaCheck {
 public:
  LemmaCheck(const Claim& claim, const CheckContext& context)
      : claim_(claim),
        check_(std::get<LemmaClaim>(claim.check)),
        context_(context),
        cases_(check_.ranges.empty() ? 1 : budget_of(context.plan).lemma_cases) {
    evidence_.claim = claim.id;
    evidence_.method = "RapidCheck property over the claimed range, edges and pattern search";
    evidence_.seed = context.seed;
  }

  Evidence run() && {
    try_random_points();
    if (!violation_) search();
    evidence_.samples = evaluations_;
    if (violation_)
      refute();
    else
      find_nothing();
    return std::move(evidence_);
  }

 private:
  struct Point {
    double closeness = -infinity;
    ParameterPoint parameters;
    LemmaClaim::Sides sides;
  };

  RandomStream stream(std::string_view purpose) const {
    return RandomStream({.seed = context_.seed, .claim = claim_.id, .purpose = purpose});
  }

  // How near to failing the inequality is there; infinity if it fails.
  double visit(const ParameterPoint& point) {
    const LemmaClaim::Sides sides = check_.sides(point);
    if (!holds(check_, point, sides)) {
      violation_ = point;
      return infinity;
    }
    ++evaluations_;
    const double found = closeness(sides);
    if (found > nearest_.closeness + distinct) nearest_ = {found, point, sides};
    return found;
  }

  void try_random_points() {
    std::uint64_t tried = 0;
    const auto try_point = [&](const ParameterPoint& point) {
      const double found = visit(point);
      if (found == infinity) return false;
      Point& best = starts_[std::min(tried++ * stretches / cases_, stretches - 1)];
      if (found > best.closeness) best = {found, point, {}};
      return true;
    };
    const auto result = search_points(
        {.ranges = check_.ranges, .seed = stream("property").bits(), .cases = cases_}, try_point);
    violation_ = result.counterexample;
    evaluations_ = result.cases;
  }

  void search() {
    const PointScore score = [this](const ParameterPoint& point) { return visit(point); };
    RandomStream edges = stream("edges"), directions = stream("pattern search");
    visit_edges(check_.ranges, cases_ / share_of_edges, score, edges);
    const std::uint64_t each = cases_ / share_of_climbs / (2 * stretches);
    for (const Point& start : starts_)
      if (!violation_ && start.closeness > -infinity)
        climb(check_.ranges, start.parameters, each, score, directions);
    const ParameterPoint nearest = nearest_.parameters;
    if (!violation_) climb(check_.ranges, nearest, stretches * each, score, directions);
    if (violation_)
      violation_ = simplified(check_.ranges, *violation_, [this](const ParameterPoint& point) {
        return !holds(check_, point, check_.sides(point));
      });
  }

  void refute() {
    const LemmaClaim::Sides sides = check_.sides(*violation_);
    evidence_.verdict = Verdict::refuted;
    evidence_.estimate = sides.left;
    evidence_.claimed = sides.right;
    const double found = ratio(sides);
    evidence_.tightness = std::isnan(found) ? infinity : above_claimed(found);
    const std::string explanation =
        fmt::format("at {} the left side is {} and the right side {}", at(*violation_),
                    in_digits(sides.left), in_digits(sides.right));
    evidence_.witness = Witness{.parameters = *violation_, .explanation = explanation};
    evidence_.reason = "The inequality fails: " + explanation + ".";
    if (sides.left > 0) look_for_the_worst();
  }

  // How far the sides come apart: what larger constants fail as well.
  void look_for_the_worst() {
    double worst = 0;
    LemmaClaim::Sides there;
    const PointScore score = [&](const ParameterPoint& point) {
      const LemmaClaim::Sides sides = check_.sides(point);
      const double found = closeness(sides);
      if (std::exp(found) > worst) {
        worst = std::exp(found);
        there = sides;
      }
      return found;
    };
    RandomStream directions = stream("worst point");
    climb(check_.ranges, *violation_, cases_ / share_of_worst, score, directions);
    if (!(worst > 0)) return;  // a side that is no number
    evidence_.measurements.push_back({"largest left/right found", worst});
    evidence_.reason +=
        worst < infinity ? fmt::format(" No constant below {:.3g} times the claimed one would do.",
                                       three_digits(worst, false))
                         : fmt::format(
                               " No constant would do where the sides are {} and {}, "
                               "as doubles.",
                               in_digits(there.left), in_digits(there.right));
  }

  void find_nothing() {
    evidence_.verdict = Verdict::consistent;
    evidence_.reason = fmt::format("No violation at {} point{} of the ranges", evaluations_,
                                   evaluations_ == 1 ? "" : "s");
    const auto& [unused, point, sides] = nearest_;
    evidence_.estimate = sides.left;
    evidence_.claimed = sides.right;
    evidence_.reason += fmt::format("; nearest{} the sides are {} and {}",
                                    point.empty() ? "" : ", at " + at(point) + ",",
                                    in_digits(sides.left), in_digits(sides.right));
    const double sharpness = at_most_claimed(ratio(sides));
    evidence_.tightness = sharpness;
    if (sharpness > 0) {
      evidence_.smallest_fault = 1 / sharpness;
      evidence_.reason += in_words(sharpness, sides.right < 0);
    }
    evidence_.reason += '.';
  }

  // What constant would do at every point tried.
  static std::string in_words(double sharpness, bool negative) {
    if (sharpness > 1 - 1e-6) return ": no smaller constant will do";
    const double share = negative ? 1 / sharpness : sharpness;
    return fmt::format(
        ": as far as these points go, the constant could be {:.3g} of what is claimed",
        three_digits(share, !negative));
  }

  const Claim& claim_;
  const LemmaClaim& check_;
  const CheckContext& context_;
  std::uint64_t cases_;
  Evidence evidence_;
  std::uint64_t evaluations_ = 0;
  std::optional<ParameterPoint> violation_;
  Point nearest_;
  std::array<Point, stretches> starts_;
};

}  // namespace

Evidence check_lemma(const Claim& claim, const CheckContext& context) {
  return LemmaCheck(claim, context).run();
}

}  // namespace dpverify
