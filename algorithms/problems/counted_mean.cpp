#include "algorithms/problems/counted_mean.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

Index draw_binomial(Index n, double p, RandomStream& stream) {
  require(n >= 0, "trials", static_cast<double>(n), "at least 0");
  require(probability, "probability", p);
  if (p == 0) return 0;
  Index successes = 0;
  while (n > 20) {
    const Index middle = n / 2 + 1;  // the middle-th smallest of n uniform variables: a beta law
    const double a = stream.gamma(static_cast<double>(middle));
    const double b = stream.gamma(static_cast<double>(n + 1 - middle));
    const double split = a / (a + b);
    if (split <= p) {
      successes += middle;
      n -= middle;
      p = split < 1 ? (p - split) / (1 - split) : 0;
    } else {
      n = middle - 1;
      p /= split;
    }
  }
  for (Index i = 0; i < n; ++i) successes += stream.uniform() < p ? 1 : 0;
  return successes;
}

VectorXd CountedMean::mean() const {
  double each = 0;
  for (std::size_t k = 0; k < values.size(); ++k) each += probabilities[k] * values[k];
  VectorXd out = VectorXd::Zero(dimension);
  out.head(informative).setConstant(each);
  return out;
}

double CountedMean::moment(double order) const {
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    sum += probabilities[k] * std::pow(std::abs(values[k]), order);
  return sum;
}

Dataset CountedMean::draw(Index blocks, Index size, RandomStream& stream) const {
  const auto kinds = static_cast<Index>(values.size());
  Dataset out{Matrix::Zero(blocks * kinds, dimension), VectorXd::Zero(blocks * kinds)};
  for (Index b = 0; b < blocks; ++b)
    for (Index j = 0; j < informative; ++j) {
      Index left = size;
      double probability_left = 1;
      for (Index k = 0; k < kinds && left > 0; ++k) {
        const double p = probabilities[static_cast<std::size_t>(k)];
        const bool all = p > probability_left * (1 - 1e-12);
        const Index drawn = all ? left : draw_binomial(left, p / probability_left, stream);
        out.features(b * kinds + k, j) = static_cast<double>(drawn);
        left -= drawn;
        probability_left -= p;
      }
    }
  return out;
}

Matrix CountedMean::block_means(const DataView& counts, Index size,
                                const std::function<double(Index, double)>& value) const {
  const auto kinds = static_cast<Index>(values.size());
  const Index blocks = counts.size() / kinds;
  const auto records = static_cast<double>(size);
  Matrix out(blocks, dimension);
  for (Index j = 0; j < dimension; ++j) {
    const double of_zero = value(j, 0);
    for (Index b = 0; b < blocks; ++b) out(b, j) = of_zero;
    if (j >= informative) continue;
    for (Index k = 0; k < kinds; ++k) {
      const double change = value(j, values[static_cast<std::size_t>(k)]) - of_zero;
      for (Index b = 0; b < blocks; ++b)
        out(b, j) += counts.features(b * kinds + k, j) / records * change;
    }
  }
  return out;
}

}  // namespace dpverify
