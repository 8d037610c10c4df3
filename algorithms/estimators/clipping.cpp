#include "algorithms/estimators/clipping.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Dataset clipped(const DataView& data, double limit) {
  require(positive_and_finite, "clipping limit K", limit);
  return {data.features.cwiseMax(-limit).cwiseMin(limit),
          data.labels.cwiseMax(-limit).cwiseMin(limit)};
}

Matrix clipped_entries(const Eigen::Ref<const Matrix>& values, double limit) {
  require(positive_and_finite, "clipping limit", limit);
  return values.unaryExpr(
      [limit](double x) { return std::isnan(x) ? 0.0 : std::clamp(x, -limit, limit); });
}

}  // namespace dpverify
