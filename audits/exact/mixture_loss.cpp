#include "audits/exact/mixture_loss.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/exact/normal_interval.hpp"

namespace dpverify {
namespace {

using exact::normal_interval;

// Standard deviations beyond which, with probability 6e-39, losses count as extreme.
constexpr double mixture_reach = 13;

// A point where the loss has some value: on the branch where it rises, and on the one where it
// falls (-infinity: on none).
struct Preimage {
  double rising = 0;
  double falling = -infinity;
};

// The loss of the outcome w with the larger shift `high` on the dataset. It rises with w; where
// `low` is positive as well, it first falls from 0 to a least value.
struct MixtureLoss {
  double rate, high, low;

  // log(1 - rate + rate e^x)
  double log_mixture(double x) const {
    if (rate == 1) return x;
    if (x < 30) return std::log1p(rate * std::expm1(x));
    return x + std::log(rate + (1 - rate) * std::exp(-x));
  }
  double loss(double w) const {
    return log_mixture(high * w - high * high / 2) - log_mixture(low * w - low * low / 2);
  }
  double mass(double shift, double from, double to) const {
    if (!(from < to)) return 0;
    return (1 - rate) * normal_interval(from, to) +
           rate * normal_interval(from - shift, to - shift);
  }
  MassPair masses(double from, double to) const {
    return {mass(high, from, to), mass(low, from, to)};
  }
  // Where the loss is least.
  double turn() const {
    if (low <= 0) return -infinity;
    const double c_high = -high * high / 2, c_low = -low * low / 2;
    // (1 - rate) e^c_low = z ((1 - rate) 2 e^c_high + rate e^(c_high + c_low) z), z = e^(low w):
    // the derivative is 0.
    const double b = 2 * (1 - rate) * std::exp(c_high - c_low), a = rate * std::exp(c_high);
    const double c = 1 - rate;
    if (c == 0) return -infinity;
    return std::log(2 * c / (b + std::sqrt(b * b + 4 * a * c))) / low;
  }

  Preimage where(double value) const {
    if (low == 0) return {where_against_none(value)};
    if (low < 0)
      return {value < 0 ? -where_against_opposite(-value) : where_against_opposite(value)};
    return where_against_half(value);
  }

 private:
  // e^value = 1 - rate + rate e^(high w - high^2/2)
  double where_against_none(double value) const {
    const double excess = value > 30 ? value + std::log1p((rate - 1) * std::exp(-value))
                                     : std::log(std::expm1(value) + rate);
    return std::isnan(excess) ? -infinity : (excess - std::log(rate) + high * high / 2) / high;
  }
  // low = -high: a square equation for e^(high w); value >= 0.
  double where_against_opposite(double value) const {
    const double c = rate * std::exp(-high * high / 2);
    const double b = (1 - rate) * -std::expm1(-value);
    return (value + std::log((b + std::sqrt(b * b + 4 * std::exp(-value) * c * c)) / (2 * c))) /
           high;
  }
  // high = 2 low: a square equation for e^(low w).
  Preimage where_against_half(double value) const {
    const double c_high = rate * std::exp(-high * high / 2),
                 c_low = rate * std::exp(-low * low / 2);
    const double rest = (1 - rate) * std::exp(-value) * -std::expm1(-value);
    const double square = c_low * c_low + 4 * c_high * rest;
    const double bottom = turn();
    if (square <= 0) return {bottom, bottom};
    const double rising = value + std::log((c_low + std::sqrt(square)) / (2 * c_high));
    Preimage out{std::max(bottom, rising / low)};
    if (value < 0)
      out.falling = std::min(bottom, (value + std::log(-rest / c_high) + value - rising) / low);
    return out;
  }
};

LossLaw law_of(const MixtureLoss& pair) {
  LossLaw law;
  law.continuous = [pair](double from, double to) {
    const Preimage left = pair.where(from), right = pair.where(to);
    MassPair mass = pair.masses(left.rising, right.rising);
    const MassPair falling = pair.masses(right.falling, left.falling);
    return MassPair{mass.p + falling.p, mass.q + falling.q};
  };
  const double turn = pair.turn();
  law.lowest = pair.loss(std::isinf(turn) ? std::min(0.0, pair.low) - mixture_reach : turn);
  law.highest = pair.loss(pair.high + mixture_reach);
  law.below = law.above = normal_interval(mixture_reach, infinity);
  return law;
}

// The same laws, dataset and neighbour swapped.
LossLaw swapped(const LossLaw& law) {
  LossLaw out;
  out.continuous = [masses = law.continuous](double from, double to) {
    const MassPair mass = masses(-to, -from);
    return MassPair{mass.q, mass.p};
  };
  out.lowest = -law.highest;
  out.highest = -law.lowest;
  out.below = out.above = law.above;
  return out;
}

// Atoms at the losses k step, k >= 1, and at infinity, under both laws, and the slope of delta as a
// function of e^epsilon at 0.
struct HalfLaw {
  std::vector<MassPair> atoms;  // k = 1, 2, ...
  double infinite = 0, at_zero = 0, slope = 0;
};

// The lower convex hull of the points, as their indices.
std::vector<std::size_t> lower_hull(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::size_t> hull;
  const auto slope = [&](std::size_t i, std::size_t j) { return (y[j] - y[i]) / (x[j] - x[i]); };
  for (std::size_t k = 0; k < x.size(); ++k) {
    while (hull.size() >= 2 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), k))
      hull.pop_back();
    hull.push_back(k);
  }
  return hull;
}

HalfLaw half_of_bounds(const std::function<double(double)>& bound, double step, double highest) {
  const auto count = static_cast<std::size_t>(std::ceil(highest / step));
  std::vector<double> x, y;
  for (std::size_t k = 0; k <= count; ++k) {
    x.push_back(std::exp(static_cast<double>(k) * step));
    const double value = bound(static_cast<double>(k) * step) * (1 + rounding);
    y.push_back(k == 0 ? value : std::min(value, y.back()));
  }
  const std::vector<std::size_t> hull = lower_hull(x, y);
  HalfLaw out{std::vector<MassPair>(count), y[hull.back()], y[0], 0};
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const auto slope = [&](std::size_t from) {
      if (from + 1 >= hull.size()) return 0.0;
      return (y[hull[from + 1]] - y[hull[from]]) / (x[hull[from + 1]] - x[hull[from]]);
    };
    if (i == 0) {
      out.slope = slope(0);
    } else {
      const double q = slope(i) - slope(i - 1);
      out.atoms[hull[i] - 1] = {x[hull[i]] * q, q};
    }
  }
  return out;
}

}  // namespace

LossLaw mixture_loss(const MixturePair& pair) {
  const auto& [rate, with, without] = pair;
  require(rate > 0 && rate <= 1, "rate", rate, "in (0, 1]");
  const double high = std::max(with, without), low = std::min(with, without);
  require(std::abs(with) <= 20 && std::abs(without) <= 20 && high >= 1e-3 &&
              (low == 0 || low == -high || 2 * low == high),
          "shifts of a mixture", to_text(with) + " and " + to_text(without),
          "(s, 0), (s, -s) or (2s, s), or the other way round, s in [0.001, 20]");
  const LossLaw law = law_of({rate, high, low});
  return with > without ? law : swapped(law);
}

LossLaw loss_of_bounds(const std::function<double(double)>& forward,
                       const std::function<double(double)>& backward, double step, double highest) {
  require(step > 0 && highest >= step, "step", step, "positive and at most the largest loss");
  const HalfLaw up = half_of_bounds(forward, step, highest),
                down = half_of_bounds(backward, step, highest);
  const double zero = 1 - std::max(up.at_zero, down.at_zero) + up.slope + down.slope;
  require(zero >= 0, "mass of a loss of 0", zero, "non-negative: the bounds are no delta(epsilon)");
  LossLaw law;
  for (std::size_t k = down.atoms.size(); k > 0; --k)
    if (down.atoms[k - 1].q > 0)
      law.atoms.push_back({-static_cast<double>(k) * step, down.atoms[k - 1].q});
  law.atoms.push_back({0, zero});
  for (std::size_t k = 1; k <= up.atoms.size(); ++k)
    if (up.atoms[k - 1].p > 0)
      law.atoms.push_back({static_cast<double>(k) * step, up.atoms[k - 1].p});
  law.atoms.push_back({infinity, up.infinite});
  return law;
}

}  // namespace dpverify
