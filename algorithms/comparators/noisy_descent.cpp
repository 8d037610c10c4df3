#include "algorithms/comparators/noisy_descent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/geometry/euclidean_projection.hpp"

namespace dpverify {
namespace {

VectorXd largest_entries(const VectorXd& w, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(w.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&w](Index a, Index b) { return std::abs(w[a]) > std::abs(w[b]); });
  VectorXd out = VectorXd::Zero(w.size());
  for (std::size_t k = 0; k < order.size() && k < static_cast<std::size_t>(count); ++k)
    out[order[k]] = w[order[k]];
  return out;
}

void validate(const NoisyDescentParameters& p, const Dataset& data) {
  require(p.iterations >= 1, "iterations T", static_cast<double>(p.iterations), "at least 1");
  require(positive_and_finite, "step", p.step);
  require(not_negative_and_finite, "regularizer", p.regularizer);
  require(positive_and_finite, "epsilon", p.epsilon);
  require(fraction, "delta", p.delta);
  require(p.initial.size() == data.dimension(), "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(data.dimension()));
}

// `sensitivity` in l2, of the mean gradient.
VectorXd descend(const NoisyDescentParameters& p, double sensitivity,
                 const std::function<VectorXd(const VectorXd&)>& mean_gradient,
                 Releases& releases) {
  const double mu = gaussian_mu(p.epsilon, p.delta) / std::sqrt(static_cast<double>(p.iterations));
  VectorXd w = project(p.initial, p.feasible);
  for (Index t = 0; t < p.iterations; ++t) {
    const VectorXd g =
        releases.release(GaussianNoise{VectorXd::Zero(w.size()), sensitivity, sensitivity / mu},
                         [&] { return mean_gradient(w); });
    w = project(w - p.step * (g + p.regularizer * w), p.feasible);
  }
  return w;
}

// The records first..first+count-1, without a copy.
DataView records(const Dataset& data, Index first, Index count) {
  const Index d = data.dimension();
  return {{data.features.data() + first * d, count, d}, {data.labels.data() + first, count}};
}

}  // namespace

VectorXd project(const VectorXd& w, const FeasibleSet& set) {
  using Kind = FeasibleSet::Kind;
  require(set.kind == Kind::whole_space || (set.radius > 0 && std::isfinite(set.radius)), "radius",
          set.radius, "positive and finite");
  require(set.sparsity >= 0 && (set.sparsity == 0 || set.kind != Kind::l1_ball), "sparsity limit",
          static_cast<double>(set.sparsity), "at least 0, and 0 with an l1 ball");
  if (set.kind == Kind::l1_ball)
    return euclidean_projection({.p = 1, .radius = set.radius, .dimension = w.size()}, w);
  VectorXd out = set.sparsity == 0 ? w : largest_entries(w, set.sparsity);
  if (set.kind == Kind::l2_ball) out /= std::max(1.0, out.stableNorm() / set.radius);
  return out;
}

VectorXd clipped_noisy_descent(const Dataset& data, const NoisyDescentParameters& p, double clip,
                               Releases& releases) {
  validate(p, data);
  require(positive_and_finite, "clip", clip);
  // A gradient is derivative * x: clipping its norm clips the derivative to clip/||x||.
  VectorXd limits(data.size());
  for (Index i = 0; i < data.size(); ++i) {
    const double norm = data.features.row(i).stableNorm();
    limits[i] = norm == 0 ? 0 : std::min(clip / norm, std::numeric_limits<double>::max());
  }
  const auto n = static_cast<double>(data.size());
  return descend(
      p, 2 * clip / n,
      [&](const VectorXd& w) -> VectorXd {
        const VectorXd predictions = data.features * w;
        VectorXd derivatives(data.size());
        for (Index i = 0; i < data.size(); ++i) {
          const double derivative = loss_derivative(p.loss, predictions[i], data.labels[i]);
          derivatives[i] =
              std::isnan(derivative) ? 0 : std::clamp(derivative, -limits[i], limits[i]);
        }
        return data.features.transpose() * derivatives / n;
      },
      releases);
}

VectorXd robust_noisy_descent(const Dataset& data, const NoisyDescentParameters& p, double scale,
                              Releases& releases) {
  validate(p, data);
  require(positive_and_finite, "truncation scale", scale);
  const auto n = static_cast<double>(data.size());
  const double coordinate = 2 * scale * smooth_truncation_limit(1) / n;
  constexpr Index block = 4096;  // records at a time: the gradients are not all kept
  return descend(
      p, std::sqrt(static_cast<double>(data.dimension())) * coordinate,
      [&](const VectorXd& w) {
        VectorXd sum = VectorXd::Zero(data.dimension());
        for (Index first = 0; first < data.size(); first += block) {
          const Index count = std::min(block, data.size() - first);
          sum += static_cast<double>(count) *
                 robust_mean(gradients(p.loss, w, records(data, first, count)), scale, 1);
        }
        return VectorXd(sum / n);
      },
      releases);
}

double balanced_scale(Index n, Index dimension, const NoisyDescentParameters& p,
                      double second_moment) {
  require(positive_and_finite, "second moment", second_moment);
  const double releases = static_cast<double>(dimension) * static_cast<double>(p.iterations);
  return std::sqrt(second_moment * static_cast<double>(n) * gaussian_mu(p.epsilon, p.delta) /
                   std::sqrt(releases));
}

std::vector<Comparator> usual_comparators(const ComparatorProblem& problem, Index n, double epsilon,
                                          double delta) {
  NoisyDescentParameters clipped{.loss = problem.loss,
                                 .feasible = problem.feasible,
                                 .initial = problem.initial,
                                 .iterations = 20,
                                 .step = 1 / problem.smoothness,
                                 .regularizer = problem.regularizer,
                                 .epsilon = epsilon,
                                 .delta = delta};
  NoisyDescentParameters robust = clipped;
  robust.iterations = 5;
  const Index d = problem.initial.size();
  const double clip = std::sqrt(static_cast<double>(d) * problem.second_moment);
  const double scale = balanced_scale(n, d, robust, problem.second_moment);
  return {{"clipped + Gaussian",
           [clipped, clip](const Dataset& data, Releases& releases) {
             return clipped_noisy_descent(data, clipped, clip, releases);
           }},
          {"robust + Gaussian", [robust, scale](const Dataset& data, Releases& releases) {
             return robust_noisy_descent(data, robust, scale, releases);
           }}};
}

}  // namespace dpverify
