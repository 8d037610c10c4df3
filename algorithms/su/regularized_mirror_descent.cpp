#include "algorithms/su/regularized_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/mirror_space.hpp"

namespace dpverify::su {

void validate(const RegularizedMirrorParameters& p) {
  require(p.iterations >= 1, "iterations T", static_cast<double>(p.iterations), "at least 1");
  require(positive_and_finite, "regularisation alpha", p.regularisation);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
}

namespace {

// How far one record moves the mean gradient, in the dual norm.
double sensitivity(const RegularizedMirrorParameters& p, Index n) {
  return 2 * p.lipschitz / static_cast<double>(n);
}

}  // namespace

double noise_scale(const RegularizedMirrorParameters& p, Index n, Index dimension) {
  const double kappa = mirror_space(p.p, dimension, p.edition).kappa;
  const auto iterations = static_cast<double>(p.iterations);
  if (p.edition == Edition::printed)
    return 8 * p.lipschitz * std::sqrt(kappa * iterations * -std::log(p.delta)) /
           (static_cast<double>(n) * p.epsilon);
  return sensitivity(p, n) *
         std::sqrt(kappa * iterations / (2 * concentrated_budget(p.epsilon, p.delta)));
}

VectorXd regularized_mirror_descent(const MeanGradient& mean_gradient, Index n, Index dimension,
                                    const RegularizedMirrorParameters& p, Releases& releases) {
  validate(p);
  const MirrorSpace space = mirror_space(p.p, dimension, p.edition);
  const double beta = smoothness(p.loss, p.lipschitz), alpha = p.regularisation;
  const double growth = 1 + alpha / (2 * beta);
  const double scale = noise_scale(p, n, dimension);
  VectorXd w = VectorXd::Zero(dimension), average = w;
  double inverse_share = 0;  // sum over s <= t of growth^s, divided by growth^t
  for (Index t = 1; t <= p.iterations; ++t) {
    const VectorXd g = release_in(
        space, dimension, [&] { return mean_gradient(w); }, sensitivity(p, n), scale, releases);
    // argmin <g, v> + beta D(v, w) + alpha Phi(v)
    w = mirror_step(space.map, w, g, beta, alpha);
    inverse_share = 1 + inverse_share / growth;
    average += (w - average) / inverse_share;
  }
  return average;
}

VectorXd regularized_mirror_descent(const Dataset& data, const RegularizedMirrorParameters& p,
                                    Releases& releases) {
  validate(p);
  const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
  const Dataset records = lipschitz_records(p.loss, data, space.dual, p.lipschitz);
  const auto mean_gradient = [&](const VectorXd& w) -> VectorXd {
    return gradients(p.loss, w, records.all()).colwise().mean();
  };
  return regularized_mirror_descent(mean_gradient, data.size(), data.dimension(), p, releases);
}

RegularizedMirrorParameters regularized_mirror_from_theorem(Index n, Index dimension, double p,
                                                            double epsilon, double delta, Loss loss,
                                                            double lipschitz, Edition edition) {
  RegularizedMirrorParameters out{.loss = loss,
                                  .p = p,
                                  .lipschitz = lipschitz,
                                  .epsilon = epsilon,
                                  .delta = delta,
                                  .edition = edition};
  validate(out);
  const auto records = static_cast<double>(n);
  require(n >= 2, "number of records", records, "at least 2: Theorem 7's T is at most half of it");
  const double kappa = mirror_space(p, dimension, edition).kappa;
  const double signal = records * epsilon * std::sqrt(kappa) /
                        std::sqrt(static_cast<double>(dimension) * -std::log(delta));
  out.iterations = static_cast<Index>(std::clamp(std::pow(signal, 0.4), 1.0, records / 2));
  const auto iterations = static_cast<double>(out.iterations);
  const double beta = smoothness(loss, lipschitz);
  out.regularisation =
      std::min(beta, 4 * beta / (iterations + 1) * std::log2(records / iterations));
  return out;
}

double regularized_mirror_bound(Index n, Index dimension, double kappa, double epsilon,
                                double delta) {
  const auto records = static_cast<double>(n);
  return std::pow(kappa, 0.8) *
         std::pow(
             std::sqrt(static_cast<double>(dimension) * -std::log(delta)) / (records * epsilon),
             0.4) *
         std::log2(records);
}

}  // namespace dpverify::su
