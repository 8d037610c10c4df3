#include "algorithms/wang_xu/separable_regression.hpp"

#include <cmath>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify::wang_xu {
namespace {

// The records of each coordinate, as records of one feature; one of 0 where there are none.
std::vector<Dataset> by_coordinate(const Dataset& records, Index dimension) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(dimension));
  for (Index i = 0; i < records.size(); ++i)
    rows.at(static_cast<std::size_t>(records.features(i, 0))).push_back(i);
  std::vector<Dataset> out;
  for (const std::vector<Index>& own : rows) {
    const auto size = static_cast<Index>(own.size());
    Dataset part{Matrix::Zero(std::max<Index>(size, 1), 1),
                 VectorXd::Zero(std::max<Index>(size, 1))};
    for (Index k = 0; k < size; ++k) {
      const Index i = own[static_cast<std::size_t>(k)];
      part.features(k, 0) = records.features(i, 1);
      part.labels[k] = records.labels[i];
    }
    out.push_back(std::move(part));
  }
  return out;
}

}  // namespace

VectorXd separable_l1_regression(const Dataset& records, Index dimension,
                                 const L1RegressionParameters& p, Releases& releases) {
  VectorXd w(dimension);
  Index j = 0;
  for (const Dataset& part : by_coordinate(records, dimension))
    w[j++] = draw_candidate(part, p, exact_sensitivity(part.size(), p), releases)[0];
  return w;
}

BallNet cube_net(Index dimension, Index n) {
  return ball_net(1, 1 / std::sqrt(static_cast<double>(dimension)),
                  1 / (std::sqrt(static_cast<double>(dimension)) * static_cast<double>(n)));
}

}  // namespace dpverify::wang_xu
