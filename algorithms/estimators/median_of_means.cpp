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
  Eigen::MatrixXd means(blocks, values.cols());  // a column's in one piece
  Eigen::RowVectorXd sum(values.cols());
  for (Index k = 0; k < blocks; ++k) {
    sum.setZero();
    for (Index i = k * size; i < (k + 1) * size; ++i) sum += values.row(i);
    means.row(k) = sum / static_cast<double>(size);
  }
  VectorXd medians(values.cols());
  for (Index j = 0; j < values.cols(); ++j) {
    auto column = means.col(j);
    const auto place = column.begin() + (blocks - 1) / 2;
    std::nth_element(column.begin(), place, column.end());
    medians[j] = *place;
    if (middle == MiddlePair::average && blocks % 2 == 0)
      medians[j] = *place / 2 + *std::min_element(place + 1, column.end()) / 2;
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
