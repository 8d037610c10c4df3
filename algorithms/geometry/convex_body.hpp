// Convex bodies, and how wide they look to a Gaussian vector.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// v moved towards 0 until its l_p norm is at most `radius` > 0; for any finite v.
VectorXd shrunk(const VectorXd& v, double p, double radius);

// A convex body around or at 0:
//   ball:    {w in R^d : ||w||_p <= radius}
//   simplex: {w >= 0 : sum w = radius}; p is not used
struct ConvexBody {
  enum class Shape { ball, simplex } shape = Shape::ball;
  double p = 2;
  double radius = 1;
  Index dimension = 1;
};

// Minkowski norm min{r >= 0 : v in r C}; infinity if there is none.
double minkowski_norm(const ConvexBody& body, const VectorXd& v);

// E sup{<g, w> : w in C}, g ~ N(0, I_d), to a relative 1e-8: for a ball radius * E||g||_q with q
// dual to p, for the simplex radius * E max_j g_j.
double gaussian_width(const ConvexBody& body);

// sup{||w||_2 : w in C}.
double euclidean_radius(const ConvexBody& body);

}  // namespace dpverify
