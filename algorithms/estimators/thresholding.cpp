#include "algorithms/estimators/thresholding.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Matrix thresholded(const Eigen::Ref<const Matrix>& values, double limit) {
  require(positive_and_finite, "threshold", limit);
  return values.unaryExpr([limit](double x) { return std::abs(x) <= limit ? x : 0.0; });
}

}  // namespace dpverify
