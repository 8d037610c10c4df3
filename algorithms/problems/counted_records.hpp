// For tests: the records that counts stand for.
#pragma once

#include <cmath>

#include "algorithms/problems/counted_mean.hpp"

namespace dpverify {

// Block by block `size` records: in each coordinate first those of the first value, and so on, and
// then the zeros.
inline Dataset counted_records(const CountedMean& law, const Dataset& counts, Index size) {
  const auto kinds = static_cast<Index>(law.values.size());
  const Index blocks = counts.size() / kinds;
  Dataset out{Matrix::Zero(blocks * size, law.dimension), VectorXd::Zero(blocks * size)};
  for (Index b = 0; b < blocks; ++b)
    for (Index j = 0; j < law.dimension; ++j) {
      Index at = b * size;
      for (Index k = 0; k < kinds; ++k)
        for (double left = counts.features(b * kinds + k, j); left > 0; --left)
          out.features(at++, j) = law.values[static_cast<std::size_t>(k)];
    }
  return out;
}

// The gradients of ||w - x||_2^2/2, those above `limit` counted as 0.
inline std::function<double(Index, double)> thresholded_mean_point(const VectorXd& w,
                                                                   double limit) {
  return [w, limit](Index j, double x) { return std::abs(w[j] - x) <= limit ? w[j] - x : 0; };
}

}  // namespace dpverify
