#include "algorithms/problems/counted_regression.hpp"

#include "algorithms/problems/counted_mean.hpp"

namespace dpverify {

VectorXd CountedRegression::eigenvalues() const {
  return size.array().square() / static_cast<double>(size.size());
}

double CountedRegression::fourth_moment() const {
  return size.array().pow(4).maxCoeff() / static_cast<double>(size.size());
}

double CountedRegression::excess_risk(const VectorXd& w) const {
  return (eigenvalues().array() * (w - optimum).array().square()).sum();
}

Dataset CountedRegression::draw(Index parts, Index part_size, RandomStream& stream) const {
  const Index d = optimum.size();
  Dataset out{Matrix::Zero(2 * parts, d), VectorXd::Zero(2 * parts)};
  for (Index t = 0; t < parts; ++t) {
    Index left = part_size;
    for (Index j = 0; j < d; ++j) {
      const Index records = draw_binomial(left, 1 / static_cast<double>(d - j), stream);
      const Index same = draw_binomial(records, 0.5, stream);
      out.features(2 * t, j) = static_cast<double>(same);
      out.features(2 * t + 1, j) = static_cast<double>(records - same);
      left -= records;
    }
  }
  return out;
}

VectorXd CountedRegression::mean(const DataView& counts, Index part_size,
                                 const std::function<double(Index, double, double)>& value) const {
  VectorXd out(optimum.size());
  for (Index j = 0; j < out.size(); ++j) {
    const double y = size[j] * optimum[j];
    out[j] = (counts.features(0, j) * value(j, size[j], y + outlier) +
              counts.features(1, j) * value(j, size[j], y - outlier)) /
             static_cast<double>(part_size);
  }
  return out;
}

}  // namespace dpverify
