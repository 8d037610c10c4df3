#include "algorithms/geometry/net.hpp"

#include <cmath>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Matrix ball_net(Index dimension, double radius, double zeta) {
  require(dimension == 1 || dimension == 2, "dimension of a net", static_cast<double>(dimension),
          "1 or 2");
  require(radius > 0 && std::isfinite(radius), "radius of a net", radius, "positive and finite");
  require(zeta > 0, "net distance zeta", zeta, "positive");
  const double root_d = std::sqrt(static_cast<double>(dimension));
  const double cells = std::max(1.0, std::ceil(radius * root_d / zeta));  // along each axis
  const double points = std::pow(cells, dimension);
  require(points <= 1e7, "number of points of the net", points,
          "at most 10^7 (take a larger zeta)");
  const double side = 2 * radius / cells;  // <= 2 zeta/sqrt d
  const auto count = static_cast<Index>(cells);
  const auto centre = [&](Index k) { return side * (static_cast<double>(k) + 0.5) - radius; };

  if (dimension == 1) {
    Matrix net(count, 1);
    for (Index k = 0; k < count; ++k) net(k, 0) = centre(k);
    return net;
  }
  std::vector<double> rows;
  for (Index a = 0; a < count; ++a)
    for (Index b = 0; b < count; ++b) {
      double x = centre(a), y = centre(b);
      const double norm = std::hypot(x, y);
      // A cell whose centre lies further out than half its diagonal does not meet the ball.
      if (norm > radius + side / std::sqrt(2.0)) continue;
      if (norm > radius) {
        x *= radius / norm;
        y *= radius / norm;
      }
      rows.insert(rows.end(), {x, y});
    }
  return Eigen::Map<const Matrix>(rows.data(), static_cast<Index>(rows.size()) / 2, 2);
}

}  // namespace dpverify
