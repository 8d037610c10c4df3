#include "audits/exact/privacy_loss.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/exact/convolution.hpp"
#include "audits/exact/normal_interval.hpp"

namespace dpverify {
namespace {

using namespace exact;

// A first step: the grid's own spread, step^2/6 a step and a rise of half of that in the mean, must
// stay small against the width; atoms want to be on the grid.
double first_step(const std::vector<LossSteps>& steps, double width) {
  double count = 0, span = 0, atom = infinity;
  for (const LossSteps& one : steps) {
    require(one.count >= 1, "number of steps", static_cast<double>(one.count), "at least 1");
    count += static_cast<double>(one.count);
    double largest = std::max(std::abs(one.law.lowest), std::abs(one.law.highest));
    for (const LossLaw::Atom& a : one.law.atoms) {
      if (std::isinf(a.loss)) continue;
      largest = std::max(largest, std::abs(a.loss));
      if (std::abs(a.loss) > 0) atom = std::min(atom, std::abs(a.loss));
    }
    span = std::max(span, largest);
  }
  double step = std::min(std::sqrt(2 * width / count), std::max(span, 1e-6) / 4);
  if (std::isfinite(atom)) step = atom / std::ceil(atom / step);
  return step;
}

void check(const std::vector<LossSteps>& steps, double width) {
  require(!steps.empty(), "number of steps", "0", "at least 1");
  require(positive, "width of the interval", width);
}

// Refines the grid until `interval(step)` is narrow enough for `narrow`, or too fine.
template <class IntervalAt, class Narrow>
Interval refine(const std::vector<LossSteps>& steps, double width, const IntervalAt& interval,
                const Narrow& narrow) {
  double step = first_step(steps, width);
  Interval best{0, infinity, 1};
  for (int round = 0; round < 12; ++round, step /= 2) {
    const Interval found = interval(step);
    best.lower = std::max(best.lower, found.lower);
    best.upper = std::min(best.upper, found.upper);
    if (narrow(best)) break;
    double cells = 0;
    for (const LossSteps& one : steps) cells += (one.law.highest - one.law.lowest) / step;
    if (cells > static_cast<double>(most_points) / 8) break;
  }
  return best;
}

// delta(epsilon) of one step, in closed form: p(loss > epsilon) - e^epsilon q(loss > epsilon).
Interval delta_of_one(const LossLaw& law, double epsilon) {
  double delta = 0;
  for (const LossLaw::Atom& atom : law.atoms)
    if (atom.loss > epsilon) delta += atom.p * -std::expm1(epsilon - atom.loss);
  double above = 0;
  if (law.continuous && law.highest > epsilon) {
    const MassPair mass = law.continuous(std::max(epsilon, law.lowest), law.highest);
    delta += std::max(0.0, mass.p - std::exp(epsilon) * mass.q);
    above = law.above;
  }
  const double margin = rounding * delta;
  return {std::max(0.0, delta - margin), std::min(1.0, delta + margin + above), 1};
}

}  // namespace

LossLaw gaussian_loss(double mu) {
  require(positive_and_finite, "mu", mu);
  LossLaw law;
  law.continuous = [mu](double low, double high) {
    const double p = -mu / 2, q = mu / 2;
    return MassPair{normal_interval(low / mu + p, high / mu + p),
                    normal_interval(low / mu + q, high / mu + q)};
  };
  // Standard deviations beyond which, with probability 6e-39, losses count as -infinity or
  // infinity.
  constexpr double reach = 13;
  law.lowest = mu * (mu / 2 - reach);
  law.highest = mu * (mu / 2 + reach);
  law.below = law.above = normal_interval(reach, infinity);
  return law;
}

LossLaw laplace_loss(double shift) {
  require(positive_and_finite, "shift in scales", shift);
  LossLaw law;
  // Half of the mass keeps its distance: loss shift; the far side has loss -shift.
  law.atoms = {{shift, 0.5}, {-shift, std::exp(-shift) / 2}};
  law.lowest = -shift;
  law.highest = shift;
  law.continuous = [shift](double low, double high) {
    low = std::clamp(low, -shift, shift);
    high = std::clamp(high, -shift, shift);
    return MassPair{std::exp((high - shift) / 2) / 2 * -std::expm1((low - high) / 2),
                    std::exp((-low - shift) / 2) / 2 * -std::expm1((low - high) / 2)};
  };
  return law;
}

LossLaw finite_loss(const VectorXd& log_p, const VectorXd& log_q) {
  require(log_p.size() == log_q.size() && log_p.size() >= 1, "number of outcomes",
          static_cast<double>(log_q.size()), "that of the other law");
  LossLaw law;
  for (Index k = 0; k < log_p.size(); ++k)
    if (log_p[k] > -infinity)
      law.atoms.push_back({log_p[k] == log_q[k] ? 0 : log_p[k] - log_q[k], std::exp(log_p[k])});
  return law;
}

LossLaw randomised_response_loss(double epsilon) {
  require(positive_and_finite, "epsilon", epsilon);
  return {
      .atoms = {{epsilon, 1 / (1 + std::exp(-epsilon))}, {-epsilon, 1 / (1 + std::exp(epsilon))}}};
}

Interval composed_epsilon_interval(const std::vector<LossSteps>& steps, double delta,
                                   double width) {
  check(steps, width);
  require(fraction, "delta", delta);
  const auto end = [&](double step, Side side) {
    const std::vector<GridSteps> grid = discretise(steps, step, side);
    if (mass_at_infinity(grid) >= delta) return infinity;
    // P(loss >= K'(theta)) is about e^(K - theta K').
    const double theta = tilt(grid, step, [&](const Cumulants& at, double candidate) {
      return at.value - candidate * at.mean <= std::log(delta);
    });
    const Convolution sum(grid, step, theta);
    const auto exceeds = [&](double epsilon) {
      const Interval found = sum.delta(epsilon);
      return (side == Side::upper ? found.upper : found.lower) > delta;
    };
    // From the centre of the tilted law, where the figures are accurate, outwards.
    double low = std::max(0.0, cumulants(grid, step, theta).mean), high = low;
    const bool above = exceeds(low);
    for (double stride = 1e-3; exceeds(above ? high : low) == above; stride *= 2) {
      if (above) {
        low = high;
        high += stride;
      } else {
        if (low == 0) return 0.0;
        high = low;
        low = std::max(0.0, low - stride);
      }
    }
    const Bracket found = bisect(
        low, high, [&](double epsilon) { return !exceeds(epsilon); },
        [](double from, double to) { return to - from <= 1e-9 * (1 + to); });
    return side == Side::upper ? found.high : found.low;
  };
  // Where the laws themselves say no more of so much mass, no grid makes the upper end finite.
  double log_within = 0;
  for (const LossSteps& one : steps)
    log_within += static_cast<double>(one.count) * std::log1p(-std::min(1.0, one.law.above));
  const bool unbounded = -std::expm1(log_within) >= delta;
  return refine(
      steps, width,
      [&](double step) {
        return Interval{end(step, Side::lower), end(step, Side::upper), 1};
      },
      [&](const Interval& found) {
        return std::isinf(found.lower) || unbounded || found.upper - found.lower <= width;
      });
}

Interval composed_delta_interval(const std::vector<LossSteps>& steps, double epsilon, double width,
                                 double negligible) {
  check(steps, width);
  require(not_negative_and_finite, "epsilon", epsilon);
  if (steps.size() == 1 && steps[0].count == 1) return delta_of_one(steps[0].law, epsilon);
  const auto end = [&](double step, Side side) {
    const std::vector<GridSteps> grid = discretise(steps, step, side);
    const double theta =
        tilt(grid, step, [&](const Cumulants& at, double) { return at.mean >= epsilon; });
    const Interval found = Convolution(grid, step, theta).delta(epsilon);
    return side == Side::upper ? found.upper : found.lower;
  };
  return refine(
      steps, 1e-3,
      [&](double step) {
        return Interval{end(step, Side::lower), end(step, Side::upper), 1};
      },
      [&](const Interval& found) {
        return found.upper - found.lower <= width * found.upper || found.upper <= negligible;
      });
}

}  // namespace dpverify
