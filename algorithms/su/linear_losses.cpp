#include "algorithms/su/linear_losses.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/euclidean_projection.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify::su {

VectorXd perturbed_linear_losses(const VectorXd& sum, Index n, const ConvexBody& body,
                                 const ApproximateObjectivePerturbationParameters& p,
                                 Releases& releases) {
  const VectorXd gradient =
      releases.release(GaussianNoise{.value = -sum,
                                     .sensitivity = 2 * lipschitz_constant(p.objective),
                                     .standard_deviation = p.objective.standard_deviation});
  const VectorXd theta_1 =
      euclidean_projection(body, -gradient / (static_cast<double>(n) * modulus(p.objective)));
  return euclidean_projection(
      body, releases.release(GaussianNoise{.value = theta_1,
                                           .sensitivity = p.approximation_sensitivity,
                                           .standard_deviation = p.standard_deviation}));
}

RatePoint linear_rate_point(const ConvexBody& body, Index n, double epsilon, double delta,
                            double steepness) {
  const ApproximateObjectivePerturbationParameters p = theorem_2_on(body, n, epsilon, delta, 1, 0);
  const auto records = static_cast<double>(n);
  const double noise = gaussian_width(body) * p.objective.standard_deviation / records;
  const double slope = steepness * noise / body.radius;
  require(slope <= 1, "length of the mean record", slope, "at most L = 1");
  return {.records = n,
          .mechanism =
              [=](const Dataset& sum, Releases& releases) {
                return perturbed_linear_losses(sum.labels, n, body, p, releases);
              },
          .bound = noise + 2 * euclidean_radius(body) / std::sqrt(records),
          .dimension = body.dimension,
          .draw =
              [=](Index count, RandomStream& stream) {
                const Index ahead = draw_binomial(count, (1 + slope) / 2, stream);
                return Dataset{
                    Matrix::Zero(body.dimension, 1),
                    VectorXd::Unit(body.dimension, 0) * static_cast<double>(2 * ahead - count)};
              },
          .excess_risk =
              [=](const VectorXd& theta) { return slope * std::max(0.0, body.radius - theta[0]); }};
}

}  // namespace dpverify::su
