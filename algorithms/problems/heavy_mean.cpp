#include "algorithms/problems/heavy_mean.hpp"

#include <cmath>

namespace dpverify {

Dataset HeavyMean::draw(Index n, RandomStream& stream) const {
  Dataset data{Matrix(n, dimension), VectorXd::Zero(n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < dimension; ++j)
      data.features(i, j) =
          stream.uniform() < share ? std::exp(stream.exponential() / tail) : centre;
  return data;
}

double HeavyMean::mean() const { return (1 - share) * centre + share * tail / (tail - 1); }

double HeavyMean::moment(double order) const {
  return (1 - share) * std::pow(std::abs(centre), order) + share * tail / (tail - order);
}

double HeavyMean::error(const VectorXd& estimate) const {
  return (estimate.array() - mean()).matrix().norm();
}

CountedMean HeavyMean::rounded_down() const {
  constexpr int largest = 10;
  CountedMean out{dimension, dimension, {centre}, {1 - share}};
  for (int k = 0; k <= largest; ++k) {
    const double at_least = std::pow(4, -tail * k);
    const double above = k == largest ? 0 : std::pow(4, -tail * (k + 1));
    out.values.push_back(std::pow(4, k));
    out.probabilities.push_back(share * (at_least - above));
  }
  return out;
}

}  // namespace dpverify
