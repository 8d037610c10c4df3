#include "algorithms/geometry/polytope.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Polytope::Polytope(Shape shape, Index dimension, double size, Matrix vertices)
    : shape_(shape), dimension_(dimension), size_(size), vertices_(std::move(vertices)) {
  require(dimension >= 1, "dimension of a polytope", static_cast<double>(dimension), "at least 1");
  if (shape == Shape::hull) {
    require(vertices_.rows() >= 1, "number of vertices", static_cast<double>(vertices_.rows()),
            "at least 1");
    require(vertices_.allFinite(), "a vertex", "not finite", "finite");
    for (Index a = 0; a < vertices_.rows(); ++a) {
      largest_norm_l1_ = std::max(largest_norm_l1_, vertices_.row(a).lpNorm<1>());
      for (Index b = 0; b < a; ++b)
        diameter_l1_ = std::max(diameter_l1_, (vertices_.row(a) - vertices_.row(b)).lpNorm<1>());
    }
    return;
  }
  require(positive_and_finite, "radius of a polytope", size);
  largest_norm_l1_ = size;
  diameter_l1_ = shape == Shape::l1_ball || dimension > 1 ? 2 * size : 0;
}

Polytope Polytope::l1_ball(Index dimension, double radius) {
  return {Shape::l1_ball, dimension, radius, {}};
}

Polytope Polytope::simplex(Index dimension, double total) {
  return {Shape::simplex, dimension, total, {}};
}

Polytope Polytope::hull(Matrix vertices) {
  const Index dimension = vertices.cols();
  return {Shape::hull, dimension, 0, std::move(vertices)};
}

Index Polytope::vertex_count() const {
  switch (shape_) {
    case Shape::l1_ball:
      return 2 * dimension_;
    case Shape::simplex:
      return dimension_;
    case Shape::hull:
      return vertices_.rows();
  }
  return 0;
}

VectorXd Polytope::vertex(Index v) const {
  require(v >= 0 && v < vertex_count(), "vertex", static_cast<double>(v),
          "in 0.." + std::to_string(vertex_count() - 1));
  if (shape_ == Shape::hull) return vertices_.row(v);
  VectorXd out = VectorXd::Zero(dimension_);
  out[v % dimension_] = v < dimension_ ? size_ : -size_;
  return out;
}

VectorXd Polytope::products(const VectorXd& g) const {
  require(g.size() == dimension_, "length of a vector", static_cast<double>(g.size()),
          "the polytope's dimension, " + std::to_string(dimension_));
  switch (shape_) {
    case Shape::l1_ball: {
      VectorXd out(2 * dimension_);
      out << size_ * g, -size_ * g;
      return out;
    }
    case Shape::simplex:
      return size_ * g;
    case Shape::hull:
      return vertices_ * g;
  }
  return {};
}

VectorXd Polytope::centre() const {
  switch (shape_) {
    case Shape::l1_ball:
      return VectorXd::Zero(dimension_);
    case Shape::simplex:
      return VectorXd::Constant(dimension_, size_ / static_cast<double>(dimension_));
    case Shape::hull:
      return vertices_.colwise().mean();
  }
  return {};
}

}  // namespace dpverify
