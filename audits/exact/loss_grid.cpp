#include "audits/exact/loss_grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/core/numbers.hpp"

namespace dpverify::exact {
namespace {

// The grid point of a loss that lies on the grid up to rounding, or nothing.
std::optional<Index> on_grid(double loss, double step) {
  const double place = std::round(loss / step);
  if (std::abs(loss / step - place) > 1e-12 * std::max(1.0, std::abs(place))) return std::nullopt;
  return static_cast<Index>(place);
}

void add_atom(GridLaw& grid, const LossLaw::Atom& atom, double step, Side side) {
  if (std::isinf(atom.loss)) {
    if (atom.loss > 0) grid.at_infinity += atom.p;
    return;  // a loss of -infinity has mass 0 under p
  }
  if (const auto place = on_grid(atom.loss, step)) return grid.add(*place, atom.p);
  const auto left = static_cast<Index>(std::floor(atom.loss / step));
  if (side == Side::lower) return grid.add(left, atom.p);
  // Between two grid points a < loss < b: masses that keep those under p and q, p = p_a + p_b and q
  // = p_a e^-a + p_b e^-b.
  const double up = atom.loss - static_cast<double>(left) * step;
  const double share_right = std::expm1(-up) / std::expm1(-step);
  grid.add(left, atom.p * (1 - share_right));
  grid.add(left + 1, atom.p * share_right);
}

// Up: each cell's mass goes to its two ends, the masses under p and q kept.
void add_continuous_up(GridLaw& grid, const LossLaw& law, double step) {
  const auto from = static_cast<Index>(std::floor(law.lowest / step));
  const auto to = static_cast<Index>(std::ceil(law.highest / step));
  for (Index k = from; k < to; ++k) {
    const double left = static_cast<double>(k) * step;
    const MassPair cell = law.continuous(left, left + step);
    if (!(cell.p > 0)) continue;
    // p_left + p_right = p, p_left e^-left + p_right e^-right = q; in units of e^-left.
    const double right =
        std::clamp((cell.p - cell.q * std::exp(left)) / -std::expm1(-step), 0.0, cell.p);
    grid.add(k, cell.p - right);
    grid.add(k + 1, right);
  }
  grid.add(from, law.below);
  grid.at_infinity += law.above;
}

// Down: consecutive cells (a, b] around the grid points, cut so that log(p/q) of a cell is its grid
// point: seeing only the cell is a post-processing. Where that cannot be, the next lower point.
void add_continuous_down(GridLaw& grid, const LossLaw& law, double step) {
  const auto from = static_cast<Index>(std::floor(law.lowest / step));
  const auto to = static_cast<Index>(std::ceil(law.highest / step));
  double a = static_cast<double>(from) * step - step / 2;
  for (Index k = from; k <= to; ++k) {
    const double target = static_cast<double>(k) * step;
    const auto excess = [&](double b) {
      const MassPair cell = law.continuous(a, b);
      return cell.p > 0 && cell.q > 0 ? std::log(cell.p / cell.q) - target : -infinity;
    };
    // The loss of (a, b] grows with b, from below the target at b = target.
    double low = target, high = target + step;
    double b = std::clamp(2 * target - a, low, high);
    if (excess(high) >= 0) {
      for (int iteration = 0; iteration < 60 && high - low > 1e-9 * step; ++iteration) {
        const double now = excess(b);
        (now >= 0 ? high : low) = b;
        // The mean loss moves about half as fast as the end.
        const double newton = b - 2 * now;
        b = newton > low && newton < high ? newton : (low + high) / 2;
        if (std::abs(now) < 1e-13 && now >= 0) break;
      }
      b = high;
    } else {
      b = high;
    }
    const MassPair cell = law.continuous(a, b);
    if (cell.p > 0) {
      const bool reached = cell.q <= 0 || std::log(cell.p / cell.q) >= target - 1e-15;
      grid.add(reached ? k : k - 1, cell.p);
    }
    a = b;
  }
}

GridLaw on_the_grid(const LossLaw& law, double step, Side side) {
  GridLaw grid;
  for (const LossLaw::Atom& atom : law.atoms) add_atom(grid, atom, step, side);
  if (law.continuous) {
    if (side == Side::upper)
      add_continuous_up(grid, law, step);
    else
      add_continuous_down(grid, law, step);
  }
  if (grid.mass.empty()) grid.mass.push_back(0);
  return grid;
}

}  // namespace

std::vector<GridSteps> discretise(const std::vector<LossSteps>& steps, double step, Side side) {
  std::vector<GridSteps> out;
  for (const LossSteps& one : steps) out.push_back({on_the_grid(one.law, step, side), one.count});
  return out;
}

}  // namespace dpverify::exact
