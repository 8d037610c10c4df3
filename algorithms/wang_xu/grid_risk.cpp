#include "algorithms/wang_xu/grid_risk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dpverify::wang_xu {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

// Where the centres of a box lie, and how far from 0.
struct Centres {
  std::array<double, 3> lower{}, upper{};
  double nearest = 0, furthest = 0;
};

Centres centres_of(const BallNet& net, const CellBox& box) {
  Centres out;
  double nearest = 0, furthest = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(net.dimension); ++j) {
    const double low = out.lower[j] = centre(net, box.first[j]);
    const double high = out.upper[j] = centre(net, box.last[j]);
    const double near = low > 0 ? low : high < 0 ? -high : 0;
    nearest += near * near;
    furthest += std::max(low * low, high * high);
  }
  out.nearest = std::sqrt(nearest);
  out.furthest = std::sqrt(furthest);
  return out;
}

}  // namespace

GridRisk::GridRisk(const Dataset& data, const BallNet& net, double iota, double theta)
    : data_(data), net_(net), iota_(iota), psi_(theta) {}

bool GridRisk::may_hold_candidate(const CellBox& box) const {
  if (box.single()) return is_candidate(net_, box.first);
  return centres_of(net_, box).nearest <= (net_.radius + half_diagonal(net_)) * (1 + 8 * unit);
}

double GridRisk::score(Index cell) const {
  return -truncated_risk(data_.all(), candidate(net_, cell_indices(net_, cell)), iota_, psi_);
}

double GridRisk::rounding() const {
  // Each of the sums below has n terms of at most log theta, and errs by less than n + 20 units.
  return (static_cast<double>(data_.size()) + 20) * unit * psi_.largest() / iota_;
}

double GridRisk::upper_bound(const CellBox& box) const {
  const auto d = static_cast<std::size_t>(net_.dimension);
  // The candidates of the box: centres, some of them moved towards 0 onto the ball.
  const Centres centres = centres_of(net_, box);
  const double reach =
      std::min(centres.furthest, net_.radius + half_diagonal(net_)) * (1 + 8 * unit);
  const double factor = std::min(1.0, net_.radius / reach * (1 - 8 * unit));
  std::array<double, 3> middle{}, half{};
  for (std::size_t j = 0; j < d; ++j) {
    const double outer = net_.radius * (1 + 8 * unit);
    const double low = std::max(-outer, std::min(centres.lower[j], centres.lower[j] * factor));
    const double high = std::min(outer, std::max(centres.upper[j], centres.upper[j] * factor));
    middle[j] = (low + high) / 2;
    half[j] = (high - low) / 2 * (1 + 8 * unit) + 4 * unit * net_.radius;
  }

  double minima = 0, level = 0;   // of the records' own minima; of the linear function
  std::array<double, 3> slope{};  // of the linear function
  const double* x = data_.features.data();
  for (Index i = 0; i < data_.size(); ++i, x += d) {
    double residual = data_.labels[i], spread = 0;
    for (std::size_t j = 0; j < d; ++j) {
      residual -= x[j] * middle[j];
      spread += std::abs(x[j]) * half[j];
    }
    residual *= iota_;
    spread *= iota_;
    const double size = std::abs(residual);
    if (!std::isfinite(size) || !std::isfinite(spread)) continue;  // psi >= 0
    if (size - spread >= 1) {
      minima += psi_.largest();
      level += psi_.largest();
      continue;
    }
    const double high = psi_(size + spread);
    double steepness;  // of the line, per unit of the scaled residual
    if (size >= spread) {
      const double low = psi_(size - spread);
      minima += low;
      level += (low + high) / 2;
      steepness = spread > 0 ? (high - low) / (2 * spread) : 0;
    } else {
      // The residual can be 0. A line through (0, 0), flatter the nearer the middle is to it.
      steepness = high / (size + spread) * (size / spread);
      level += steepness * size;
    }
    const double weight = std::copysign(steepness * iota_, residual);
    for (std::size_t j = 0; j < d; ++j) slope[j] -= weight * x[j];
  }
  double linear = level;
  for (std::size_t j = 0; j < d; ++j) linear -= std::abs(slope[j]) * half[j];
  return -std::max(minima, linear) / (static_cast<double>(data_.size()) * iota_) + rounding();
}

}  // namespace dpverify::wang_xu
