// Gauss-Legendre nodes for integrands that are smooth between known points.
#pragma once

#include <vector>

namespace dpverify {

struct QuadratureNode {
  double x = 0;
  double weight = 0;
};

// Nodes and weights on [from, to], cut into equal panels of at most `panel`, 20 nodes each: exact
// up to rounding for products of exponentials whose exponents change by a few units a panel. Empty
// unless from < to.
std::vector<QuadratureNode> quadrature_nodes(double from, double to, double panel = 1);

}  // namespace dpverify
