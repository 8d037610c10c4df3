#include "algorithms/estimators/clipping.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Dataset clipped(const DataView& data, double limit) {
  require(limit > 0 && std::isfinite(limit), "clipping limit K", limit, "positive and finite");
  return {data.features.cwiseMax(-limit).cwiseMin(limit),
          data.labels.cwiseMax(-limit).cwiseMin(limit)};
}

Matrix clipped_entries(const Eigen::Ref<const Matrix>& values, double limit) {
  require(limit > 0 && std::isfinite(limit), "clipping limit", limit, "positive and finite");
  return values.unaryExpr(
      [limit](double x) { return std::isnan(x) ? 0.0 : std::clamp(x, -limit, limit); });
}

}  // namespace dpverify
