#include "algorithms/su/batched_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify::su {

void validate(const BatchedMirrorParameters& p, Index n) {
  validate_truncated_descent(p.radius, p.smoothness, p.truncation, p.batches, n, p.proximity);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
}

void validate_truncated_descent(double radius, double smoothness, double truncation, Index batches,
                                Index n, double proximity) {
  require(positive_and_finite, "radius", radius);
  require(not_negative_and_finite, "smoothness beta", smoothness);
  require(positive_and_finite, "truncation lambda", truncation);
  require(batches >= 1 && batches <= n, "batches T", static_cast<double>(batches),
          "in 1.." + std::to_string(n) + " (the number of records)");
  require(positive_and_finite, "proximity gamma", proximity);
}

double gradient_threshold(double smoothness, double truncation, double p, double radius,
                          const MirrorSpace& space, Index dimension) {
  return smoothness * diameter(p, radius, space, dimension) + truncation;
}

double threshold(const BatchedMirrorParameters& p, Index dimension) {
  return gradient_threshold(p.smoothness, p.truncation, p.p, p.radius, mirror_space(p, dimension),
                            dimension);
}

double mirror_noise_scale(Edition edition, double kappa, double s, double epsilon, double delta) {
  if (edition == Edition::printed) return s * std::sqrt(2 * kappa * -std::log(delta)) / epsilon;
  return s * std::sqrt(kappa / (2 * concentrated_budget(epsilon, delta)));
}

MirrorSpace mirror_space(const BatchedMirrorParameters& p, Index dimension) {
  return mirror_space(p.p, dimension, p.edition, 1);
}

double diameter(double p, double radius, const MirrorSpace& space, Index dimension) {
  // A printed exponent may even lie below p: then ||.||_p <= ||.||_a.
  const double stretch = std::max(0.0, 1 / p - 1 / space.map.exponent);
  return 2 * radius * std::pow(static_cast<double>(dimension), stretch);
}

Matrix truncated_gradients(Loss loss, const VectorXd& w, const DataView& data, double q,
                           double threshold) {
  Matrix out = gradients(loss, w, data);
  for (Index i = 0; i < out.rows(); ++i)
    if (!(lp_norm(out.row(i).transpose(), q) <= threshold)) out.row(i).setZero();  // or NaN
  return out;
}

VectorXd batched_mirror_descent(const BatchGradient& batch_gradient, Index n, Index dimension,
                                const BatchedMirrorParameters& p, Releases& releases) {
  validate(p, n);
  const MirrorSpace space = mirror_space(p, dimension);
  const Index size = n / p.batches;
  const double s = 2 * threshold(p, dimension) / static_cast<double>(size);
  const double scale = mirror_noise_scale(p.edition, space.kappa, s, p.epsilon, p.delta);
  VectorXd w = VectorXd::Zero(dimension), average = w;
  for (Index t = 1; t <= p.batches; ++t) {
    const VectorXd g = release_in(
        space, dimension, [&] { return batch_gradient(w, t); }, s, scale, releases);
    w = mirror_step_in_ball(space.map, w, g, p.proximity, p.radius);  // line 8
    average += (w - average) / static_cast<double>(t);                // line 10, gamma_t = gamma
  }
  return average;
}

VectorXd batched_mirror_descent(const Dataset& data, const BatchedMirrorParameters& p,
                                Releases& releases) {
  validate(p, data.size());
  const double q = mirror_space(p, data.dimension()).dual, limit = threshold(p, data.dimension());
  const auto batch_gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    const DataView batch = data.part(t, p.batches);                           // line 2
    return truncated_gradients(p.loss, w, batch, q, limit).colwise().mean();  // line 5
  };
  return batched_mirror_descent(batch_gradient, data.size(), data.dimension(), p, releases);
}

BatchedMirrorParameters batched_mirror_from_theorem(Index n, Index dimension, double p,
                                                    double radius, double smoothness, double sigma,
                                                    double epsilon, double delta, Edition theorem) {
  require(positive_and_finite, "sigma", sigma);
  BatchedMirrorParameters out{
      .p = p, .radius = radius, .smoothness = smoothness, .epsilon = epsilon, .delta = delta};
  validate(out, n);
  const MirrorSpace space = mirror_space(out, dimension);
  const double m = diameter(p, radius, space, dimension);
  const auto records = static_cast<double>(n);
  const double budget = records * epsilon, dl = static_cast<double>(dimension) * -std::log(delta);
  const bool printed = theorem == Edition::printed;
  const double numerator = printed ? m : sigma * sigma / std::sqrt(m);
  out.truncation = std::max(
      std::pow(numerator * std::sqrt(budget) / (space.kappa * std::pow(dl, 0.25)), 2.0 / 3),
      std::max(smoothness, 1.0) * m);
  const double batches = (printed ? 1 / m : m) * budget / (out.truncation * std::sqrt(dl));
  out.batches = static_cast<Index>(std::clamp(batches, 1.0, records));
  out.proximity = std::max(std::sqrt(static_cast<double>(out.batches)), 2 * smoothness);
  return out;
}

double batched_mirror_bound(Index n, Index dimension, double diameter, double sigma, double kappa,
                            double epsilon, double delta) {
  return std::pow(diameter * diameter * sigma * kappa, 2.0 / 3) *
         std::pow(static_cast<double>(dimension) * -std::log(delta), 1.0 / 6) /
         std::cbrt(static_cast<double>(n) * epsilon);
}

}  // namespace dpverify::su
