// The nearest points of convex bodies.
#pragma once

#include "algorithms/geometry/convex_body.hpp"

namespace dpverify {

// The point of the body that is nearest to v in the Euclidean norm, to a relative 1e-12: for a ball
// of l_p with 1 <= p <= 2 or p = infinity, d numbers. Throws std::invalid_argument for another body
// or a v that is not finite or of another dimension.
VectorXd euclidean_projection(const ConvexBody& body, const VectorXd& v);

}  // namespace dpverify
