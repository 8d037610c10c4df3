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

VectorXd release_in(const MirrorSpace& space, Index dimension,
                    const std::function<VectorXd()>& value, double sensitivity, double scale,
                    Releases& releases) {
  const VectorXd zeros = VectorXd::Zero(dimension);
  if (space.noise_norm == 2 && space.dual == 2)
    return releases.release(GaussianNoise{zeros, sensitivity, scale}, value);
  return releases.release(
      GeneralisedGaussianNoise{zeros, sensitivity, space.noise_norm, space.dual, scale}, value);
}

double plane_delta(double r, double q, double s, double epsilon, double edge) {
  const double log_c = -log_ball_volume(r, 2) - std::log(2.0);  // Gamma(2) = 1
  const auto log_density = [r, log_c](double x, double y) {
    const double large = std::max(std::abs(x), std::abs(y)),
                 small = std::min(std::abs(x), std::abs(y));
    if (large == 0) return log_c;
    return log_c - large * large * std::pow(1 + std::pow(small / large, r), 2 / r) / 2;
  };
  const int cells = static_cast<int>(2 * edge / 0.1);
  const auto centre = [=](int k) { return -edge + 2 * edge * (k + 0.5) / cells; };
  double worst = 0;
  for (const double second : {0.0, 0.5, 1.0}) {
    VectorXd shift = (VectorXd(2) << 1, second).finished();
    shift *= s / lp_norm(shift, q);
    double sum = 0;
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const double log_p = log_density(centre(i), centre(j));
        const double log_q = log_density(centre(i) - shift[0], centre(j) - shift[1]);
        if (log_p > log_q + epsilon) sum += std::exp(log_p) * -std::expm1(log_q + epsilon - log_p);
      }
    worst = std::max(worst, sum * std::pow(2 * edge / cells, 2));
  }
  return worst;
}

double lemma_3_delta(double kappa, double q, double epsilon, double delta) {
  const double logarithm = -std::log(delta);
  return plane_delta(kappa + 1, q, epsilon / std::sqrt(2 * kappa * logarithm), epsilon,
                     std::sqrt(2 * logarithm) + 6);
}

}  // namespace dpverify::su
