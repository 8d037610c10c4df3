#include "algorithms/core/quadrature.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

namespace dpverify {

std::vector<QuadratureNode> quadrature_nodes(double from, double to, double panel) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  std::vector<QuadratureNode> nodes;
  const double panels = std::max(1.0, std::ceil((to - from) / panel));
  const double half = (to - from) / panels / 2;
  if (!(half > 0)) return nodes;
  nodes.reserve(static_cast<std::size_t>(panels) * 20);
  for (double k = 0; k < panels; ++k) {
    const double middle = from + (2 * k + 1) * half;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      const double offset = half * Rule::abscissa()[i], weight = half * Rule::weights()[i];
      nodes.push_back({middle - offset, weight});
      nodes.push_back({middle + offset, weight});
    }
  }
  return nodes;
}

}  // namespace dpverify
