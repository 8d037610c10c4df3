#include "algorithms/su/mirror_space.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify::su {

MirrorSpace mirror_space(double p, Index dimension, Edition edition, double logarithms) {
  require(p > 1 && p <= 2, "exponent p", p, "in (1, 2]");
  const auto d = static_cast<double>(dimension);
  MirrorSpace space{.dual = dual_exponent(p)};
  if (edition == Edition::printed) {
    space.kappa = std::min(1 / (p - 1), logarithms * std::log(d));
    require(space.kappa > 1, "kappa", space.kappa,
            "above 1 for the printed exponent kappa/(kappa - 1)");
    space.noise_norm = space.kappa + 1;
    space.map = {space.kappa, space.kappa / (space.kappa - 1)};
  } else {
    space.noise_norm = std::min(space.dual, std::max(2.0, 2 * std::log(d)));
    space.kappa = (space.noise_norm - 1) * std::pow(d, 2 / space.noise_norm - 2 / space.dual);
    space.map = {space.kappa, dual_exponent(space.noise_norm)};
  }
  return space;
}

double concentrated_budget(double epsilon, double delta) {
  const double logarithm = -std::log(delta);
  // sqrt(l + epsilon) - sqrt(l) without cancellation
  return std::pow(epsilon / (std::sqrt(logarithm + epsilon) + std::sqrt(logarithm)), 2);
}

VectorXd release_in(const MirrorSpace& space, const VectorXd& value, double sensitivity,
                    double scale, Releases& releases) {
  if (space.noise_norm == 2 && space.dual == 2)
    return releases.release(GaussianNoise{value, sensitivity, scale});
  return releases.release(
      GeneralisedGaussianNoise{value, sensitivity, space.noise_norm, space.dual, scale});
}

}  // namespace dpverify::su
