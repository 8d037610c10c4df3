#include "algorithms/geometry/net.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

double side(const BallNet& net) { return 2 * net.radius / static_cast<double>(net.cells); }

double norm(const BallNet& net, const CellIndices& k) {
  const double x = centre(net, k[0]);
  if (net.dimension == 1) return std::abs(x);
  const double y = centre(net, k[1]);
  return net.dimension == 2 ? std::hypot(x, y) : std::hypot(x, y, centre(net, k[2]));
}

}  // namespace

BallNet ball_net(Index dimension, double radius, double zeta) {
  require(dimension >= 1 && dimension <= 3, "dimension of a net", static_cast<double>(dimension),
          "1, 2 or 3");
  require(positive_and_finite, "radius of a net", radius);
  require(positive, "net distance zeta", zeta);
  const double root_d = std::sqrt(static_cast<double>(dimension));
  const double cells = std::max(1.0, std::ceil(radius * root_d / zeta));
  const double count = std::pow(cells, dimension);
  require(count <= 1e18, "number of cells of the net", count, "at most 10^18 (take a larger zeta)");
  return {dimension, radius, static_cast<Index>(cells)};
}

double cell_count(const BallNet& net) {
  return std::pow(static_cast<double>(net.cells), net.dimension);
}

double centre(const BallNet& net, Index index) {
  return side(net) * (static_cast<double>(index) + 0.5) - net.radius;
}

double half_diagonal(const BallNet& net) {
  if (net.dimension == 2) return side(net) / std::sqrt(2.0);
  return side(net) / 2 * (net.dimension == 1 ? 1 : std::sqrt(3.0));
}

CellIndices cell_indices(const BallNet& net, Index cell) {
  CellIndices out{};
  for (auto j = static_cast<std::size_t>(net.dimension); j-- > 0;) {
    out[j] = cell % net.cells;
    cell /= net.cells;
  }
  return out;
}

bool is_candidate(const BallNet& net, const CellIndices& indices) {
  return norm(net, indices) <= net.radius + half_diagonal(net);
}

VectorXd candidate(const BallNet& net, const CellIndices& indices) {
  VectorXd point(net.dimension);
  for (Index j = 0; j < net.dimension; ++j)
    point[j] = centre(net, indices[static_cast<std::size_t>(j)]);
  const double length = norm(net, indices);
  if (length > net.radius) point *= net.radius / length;
  return point;
}

Matrix list_candidates(const BallNet& net) {
  const double count = cell_count(net);
  require(count <= 1e7, "number of cells to list", count, "at most 10^7 (take a larger zeta)");
  std::vector<double> rows;
  for (Index cell = 0; cell < static_cast<Index>(count); ++cell) {
    const CellIndices indices = cell_indices(net, cell);
    if (!is_candidate(net, indices)) continue;
    const VectorXd point = candidate(net, indices);
    rows.insert(rows.end(), point.begin(), point.end());
  }
  return Eigen::Map<const Matrix>(rows.data(), static_cast<Index>(rows.size()) / net.dimension,
                                  net.dimension);
}

}  // namespace dpverify
