// Polytopes given by their vertices: the feasible sets of Frank-Wolfe.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

class Polytope {
 public:
  // {w : ||w||_1 <= radius}. Vertices 0..d-1 are +radius e_j, vertices d..2d-1 are -radius e_(j-d).
  static Polytope l1_ball(Index dimension, double radius);
  // {w >= 0 : sum w = total}. Vertex j is total e_j.
  static Polytope simplex(Index dimension, double total);
  // The convex hull of the rows of `vertices` (|V| x d, |V| >= 1, finite).
  static Polytope hull(Matrix vertices);

  Index vertex_count() const;
  Index dimension() const { return dimension_; }
  VectorXd vertex(Index v) const;
  VectorXd products(const VectorXd& g) const;                  // <v, g> for every vertex v
  double diameter_l1() const { return diameter_l1_; }          // max over u, v of ||u - v||_1
  double largest_norm_l1() const { return largest_norm_l1_; }  // max over v of ||v||_1
  VectorXd centre() const;  // mean of the vertices: a starting point that no data chose

 private:
  enum class Shape { l1_ball, simplex, hull };
  Polytope(Shape shape, Index dimension, double size, Matrix vertices);

  Shape shape_;
  Index dimension_;
  double size_;      // radius or total; unused by a hull
  Matrix vertices_;  // of a hull only
  double diameter_l1_ = 0;
  double largest_norm_l1_ = 0;
};

}  // namespace dpverify
