// Entry-wise clipping of records.
#pragma once

#include "algorithms/core/dataset.hpp"

namespace dpverify {

// Every feature and label moved to the nearest point of [-limit, limit] (sign(x) min(|x|, limit)).
// limit > 0.
Dataset clipped(const DataView& data, double limit);

// Every entry moved to the nearest point of [-limit, limit], NaN to 0. limit > 0.
Matrix clipped_entries(const Eigen::Ref<const Matrix>& values, double limit);

}  // namespace dpverify
