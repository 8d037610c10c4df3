#include "properties/point_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

using Shares = std::vector<double>;

constexpr std::uint64_t points_of_an_edge = 16;
constexpr double first_step = 0.1, longest_step = 0.25, shortest_step = 1e-10;
constexpr double decimals = 1e4;  // of a share, in a simplified point
constexpr int most_trials = 20'000;

ParameterPoint point_at(const std::vector<ParameterRange>& ranges, const Shares& shares) {
  ParameterPoint out;
  for (std::size_t k = 0; k < ranges.size(); ++k)
    out.add(ranges[k].name, value_at(ranges[k], shares[k]));
  return out;
}

Shares shares_of(const std::vector<ParameterRange>& ranges, const ParameterPoint& point) {
  Shares out;
  for (const auto& [name, value] : point) out.push_back(share_at(ranges[out.size()], value));
  return out;
}

class Climb {
 public:
  Climb(const std::vector<ParameterRange>& ranges, const ParameterPoint& start,
        std::uint64_t evaluations, const PointScore& score, RandomStream& stream)
      : ranges_(ranges),
        score_(score),
        stream_(stream),
        left_(evaluations),
        at_(shares_of(ranges, start)),
        best_(score(start)) {}

  void run() && {
    for (double step = first_step; step > shortest_step && left_ > 0 && best_ < infinity;) {
      const Shares before = at_;
      for (std::size_t k = 0; k < at_.size(); ++k) move_one(k, step);
      move_along(random_direction(), step);
      const bool moved = at_ != before;
      if (moved) follow(before);
      step = moved ? std::min(2 * step, longest_step) : step / 2;
    }
  }

 private:
  bool accept(Shares shares) {
    for (double& share : shares) share = std::clamp(share, 0.0, 1.0);
    if (shares == at_ || left_ == 0 || best_ == infinity) return false;
    --left_;
    const double found = score_(point_at(ranges_, shares));
    if (!(found > best_)) return false;
    best_ = found;
    at_ = std::move(shares);
    return true;
  }
  double step_of(std::size_t k, double step) const {
    const ParameterRange& range = ranges_[k];
    if (range.scale != Scale::integer || range.upper <= range.lower) return step;
    return std::max(step, 1 / (range.upper - range.lower));
  }
  void move_one(std::size_t k, double step) {
    for (const double side : {1.0, -1.0}) {
      Shares to = at_;
      to[k] += side * step_of(k, step);
      if (accept(std::move(to))) return;
    }
  }
  Shares random_direction() {
    Shares out(at_.size());
    for (double& entry : out) entry = stream_.normal();
    return out;
  }
  void move_along(const Shares& direction, double step) {
    for (const double side : {1.0, -1.0}) {
      Shares to = at_;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += side * step_of(k, step) * direction[k];
      if (accept(std::move(to))) return;
    }
  }
  void follow(Shares from) {
    for (bool further = true; further;) {
      Shares to = at_;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += at_[k] - from[k];
      from = at_;
      further = accept(std::move(to));
    }
  }

  const std::vector<ParameterRange>& ranges_;
  const PointScore& score_;
  RandomStream& stream_;
  std::uint64_t left_;
  Shares at_;
  double best_;
};

// How simple a value is: 0 the simplest, then the ends, then the others.
int rank(const ParameterRange& range, double value) {
  if (value == range.simplest) return 0;
  if (value == range.lower) return 1;
  return value == range.upper ? 2 : 3;
}

std::vector<double> simpler_values(const ParameterRange& range, double value) {
  std::vector<double> out;
  const int own = rank(range, value);
  for (const double special : {range.simplest, range.lower, range.upper})
    if (rank(range, special) < own) out.push_back(special);
  if (own < 3) return out;
  const double share = share_at(range, value), step = std::floor(share * decimals + 1e-6);
  for (const double coarse : {1e3, 1e2, 1e1, 1.0})
    out.push_back(value_at(range, std::floor(step / coarse) * coarse / decimals));
  for (const double lower : {std::floor(step / 2), step - 1})
    out.push_back(value_at(range, lower / decimals));
  std::erase_if(out, [&](double simpler) {
    return rank(range, simpler) == 3 && !(share_at(range, simpler) < share * (1 - 1e-9));
  });
  return out;
}

ParameterPoint with_value(const ParameterPoint& point, std::size_t changed, double value) {
  ParameterPoint out;
  for (const auto& [name, own] : point) out.add(name, out.size() == changed ? value : own);
  return out;
}

}  // namespace

double value_at(const ParameterRange& range, double share) {
  if (share <= 0) return range.lower;
  if (share >= 1) return range.upper;
  if (range.scale == Scale::logarithmic)
    return std::exp((1 - share) * std::log(range.lower) + share * std::log(range.upper));
  const double value = range.lower + share * (range.upper - range.lower);
  return range.scale == Scale::integer ? std::round(value) : value;
}

double share_at(const ParameterRange& range, double value) {
  if (!(range.upper > range.lower)) return 0;
  const bool logarithmic = range.scale == Scale::logarithmic;
  const auto scaled = [&](double x) { return logarithmic ? std::log(x) : x; };
  const double length = scaled(range.upper) - scaled(range.lower);
  return std::clamp((scaled(value) - scaled(range.lower)) / length, 0.0, 1.0);
}

void visit_edges(const std::vector<ParameterRange>& ranges, std::uint64_t evaluations,
                 const PointScore& score, RandomStream& stream) {
  if (ranges.empty()) return;
  const std::size_t dimension = ranges.size();
  const std::uint64_t corners = std::uint64_t{1} << (dimension - 1);
  const std::uint64_t edges = dimension * corners;
  const std::uint64_t wanted = std::max<std::uint64_t>(1, evaluations / points_of_an_edge);
  const bool all = edges <= wanted;
  const std::uint64_t points = all ? evaluations / edges : points_of_an_edge;
  for (std::uint64_t visited = 0; visited < (all ? edges : wanted); ++visited) {
    const std::uint64_t edge = all ? visited : stream.bits() % edges;
    std::uint64_t ends = edge / dimension;
    Shares shares(dimension);
    for (std::size_t k = 0; k < dimension; ++k) {
      if (k == edge % dimension) continue;
      shares[k] = static_cast<double>(ends % 2);
      ends /= 2;
    }
    for (std::uint64_t j = 0; j < points; ++j) {
      shares[edge % dimension] =
          (static_cast<double>(j) + stream.uniform()) / static_cast<double>(points);
      if (score(point_at(ranges, shares)) == infinity) return;
    }
  }
}

void climb(const std::vector<ParameterRange>& ranges, const ParameterPoint& start,
           std::uint64_t evaluations, const PointScore& score, RandomStream& stream) {
  if (!ranges.empty()) Climb(ranges, start, evaluations, score, stream).run();
}

ParameterPoint simplified(const std::vector<ParameterRange>& ranges, ParameterPoint point,
                          const std::function<bool(const ParameterPoint&)>& wanted) {
  int trials = 0;
  const auto simpler = [&](std::size_t k) -> std::optional<ParameterPoint> {
    for (const double value :
         simpler_values(ranges[k], (point.begin() + static_cast<std::ptrdiff_t>(k))->second)) {
      ParameterPoint next = with_value(point, k, value);
      if (++trials <= most_trials && wanted(next)) return next;
    }
    return {};
  };
  for (bool simplified = true; simplified && trials < most_trials;) {
    simplified = false;
    for (std::size_t k = 0; k < ranges.size(); ++k)
      if (auto next = simpler(k)) {
        point = std::move(*next);
        simplified = true;
      }
  }
  return point;
}

}  // namespace dpverify
