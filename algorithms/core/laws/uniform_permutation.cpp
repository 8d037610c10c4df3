#include "algorithms/core/laws/uniform_permutation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {

const VectorXd& UniformPermutation::pre_noise_value() const {
  throw std::invalid_argument("a permutation has no pre-noise value");
}

void UniformPermutation::validate() const {
  require(count >= 1, "size of a permutation", static_cast<double>(count), "at least 1");
}

VectorXd UniformPermutation::draw(RandomStream& stream) const {
  VectorXd order = noiseless_outcome();
  for (Index k = count - 1; k > 0; --k) std::swap(order[k], order[stream.index(k + 1)]);
  return order;
}

VectorXd UniformPermutation::noiseless_outcome() const {
  return VectorXd::LinSpaced(count, 0, static_cast<double>(count - 1));
}

double UniformPermutation::log_density_at(const VectorXd& point) const {
  VectorXd sorted = point;
  std::sort(sorted.begin(), sorted.end());
  for (Index k = 0; k < sorted.size(); ++k)
    if (sorted[k] != static_cast<double>(k)) return -infinity;
  return -log_gamma(static_cast<double>(point.size()) + 1);
}

}  // namespace dpverify
