#pragma once

#include <functional>
#include <utility>

#include "algorithms/core/types.hpp"

namespace dpverify {

// A matrix of known size whose entries are computed when they are asked for, which a release may
// never do. A matrix that is there already is one.
class LazyMatrix {
 public:
  LazyMatrix(Index rows, Index cols, std::function<Matrix()> compute)
      : rows_(rows), cols_(cols), compute_(std::move(compute)) {}
  template <class Derived>
  LazyMatrix(const Eigen::MatrixBase<Derived>& there)
      : LazyMatrix(there.rows(), there.cols(), [copy = Matrix(there)] { return copy; }) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Matrix operator()() const { return compute_(); }  // each time anew

 private:
  Index rows_, cols_;
  std::function<Matrix()> compute_;
};

}  // namespace dpverify
