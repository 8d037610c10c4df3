#include "algorithms/mechanisms/peeling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {

void validate(const PeelingParameters& p, Index dimension) {
  require(p.sparsity >= 1 && p.sparsity <= dimension, "sparsity s", static_cast<double>(p.sparsity),
          "in 1.." + std::to_string(dimension) + " (the dimension)");
  require(positive_and_finite, "sensitivity lambda", p.sensitivity);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  require(positive_and_finite, "factor of the noise", p.factor);
}

double noise_scale(const PeelingParameters& p) {
  return p.factor * p.sensitivity *
         std::sqrt(static_cast<double>(p.sparsity) * -std::log(p.delta)) / p.epsilon;
}

VectorXd peeling(const VectorXd& v, const PeelingParameters& p, Releases& releases) {
  return peeling(
      v.size(), [&v] { return v; }, p, releases);
}

VectorXd peeling(Index dimension, const std::function<VectorXd()>& v, const PeelingParameters& p,
                 Releases& releases) {
  validate(p, dimension);
  const double b = noise_scale(p);
  VectorXd computed;
  const auto entries = [&]() -> const VectorXd& {
    if (computed.size() == 0) computed = v();
    return computed;
  };
  std::vector<Index> left;  // the coordinates still to choose from
  for (Index j = 0; j < dimension; ++j) left.push_back(j);
  std::vector<Index> selected;
  for (Index round = 0; round < p.sparsity; ++round) {  // steps 3 to 6
    const Index k =
        releases.select(NoisyMax{VectorXd::Zero(static_cast<Index>(left.size())), p.sensitivity, b},
                        [&]() -> VectorXd { return entries()(left).cwiseAbs(); });
    selected.push_back(left[static_cast<std::size_t>(k)]);
    if (!p.repeats) left.erase(left.begin() + k);
  }
  std::sort(selected.begin(), selected.end());  // as a set: one release a coordinate
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  VectorXd out = VectorXd::Zero(dimension);
  for (const Index j : selected)  // steps 7 and 8
    out[j] = releases.release(LaplaceNoise{VectorXd::Zero(1), p.sensitivity, b},
                              [&]() -> VectorXd { return entries().segment(j, 1); })[0];
  return out;
}

void validate_sparse(const VectorXd& initial, Index sparsity, Index dimension) {
  require(sparsity >= 1 && sparsity <= dimension, "sparsity s", static_cast<double>(sparsity),
          "in 1.." + std::to_string(dimension) + " (the number of features)");
  require(initial.size() == dimension, "length of the initial point",
          static_cast<double>(initial.size()),
          "the number of features, " + std::to_string(dimension));
  const auto support = static_cast<double>((initial.array() != 0).count());
  require(support <= static_cast<double>(sparsity), "support of the initial point", support,
          "at most s = " + std::to_string(sparsity));
}

}  // namespace dpverify
