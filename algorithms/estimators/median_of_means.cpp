#include "algorithms/estimators/median_of_means.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "algorithms/core/checked.hpp"

namespace dpverify {

VectorXd median_of_means(const Eigen::Ref<const Matrix>& values, Index blocks, MiddlePair middle) {
  require(blocks >= 1 && blocks <= values.rows(), "blocks m", static_cast<double>(blocks),
          "in 1.." + std::to_string(values.rows()) + " (the number of records)");
  const Index size = values.rows() / blocks;
  Matrix means(blocks, values.cols());
  for (Index k = 0; k < blocks; ++k)
    means.row(k) = values.middleRows(k * size, size).colwise().mean();
  VectorXd medians(values.cols());
  for (Index j = 0; j < values.cols(); ++j) {
    VectorXd column = means.col(j);
    std::sort(column.begin(), column.end());
    const double lower = column[(blocks - 1) / 2], upper = column[blocks / 2];
    medians[j] = middle == MiddlePair::lower ? lower : lower / 2 + upper / 2;
  }
  return medians;
}

Index block_count(Index n, Index dimension, double failure_probability) {
  require(fraction, "failure probability xi", failure_probability);
  const double m =
      std::ceil(4 * std::log(2 * static_cast<double>(dimension) / failure_probability));
  return std::min(n, static_cast<Index>(m));
}

}  // namespace dpverify
