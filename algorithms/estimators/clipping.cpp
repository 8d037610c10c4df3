#include "algorithms/estimators/clipping.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Dataset clipped(const DataView& data, double limit) {
  require(limit > 0 && std::isfinite(limit), "clipping limit K", limit, "positive and finite");
  return {data.features.cwiseMax(-limit).cwiseMin(limit),
          data.labels.cwiseMax(-limit).cwiseMin(limit)};
}

}  // namespace dpverify
