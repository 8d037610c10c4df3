#pragma once

#include <functional>
#include <utility>

#include "algorithms/core/types.hpp"

namespace dpverify {

// A matrix of known size whose entries are computed when they are asked for, which a release may
// never do. A matrix that is there already is one, as long as it stays where it is.
class LazyMatrix {
 public:
  LazyMatrix(Index rows, Index cols, std::function<Matrix()> compute)
      : rows_(rows), cols_(cols), compute_(std::move(compute)) {}
  LazyMatrix(const Matrix& there)
      : LazyMatrix(there.rows(), there.cols(), [&there] { return there; }) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Matrix operator()() const { return compute_(); }  // each time anew

 private:
  Index rows_, cols_;
  std::function<Matrix()> compute_;
};

}  // namespace dpverify
