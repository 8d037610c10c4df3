// Entry-wise thresholding: what is too large becomes 0 (clipping would move it to the limit).
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// Each entry x with |x| <= limit kept, every other one, NaN and the infinities among them, 0.
// limit > 0 and finite.
Matrix thresholded(const Eigen::Ref<const Matrix>& values, double limit);

}  // namespace dpverify
