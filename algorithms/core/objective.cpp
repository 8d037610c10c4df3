#include "algorithms/core/objective.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// F(theta) + <linear, theta> + multiplier ||theta||^2/2 with its stationarity residual.
struct Newton {
  const Objective& objective;
  const VectorXd& linear;
  double accuracy;

  VectorXd residual(const VectorXd& theta, double multiplier) const {
    return objective.gradient(theta) + linear + multiplier * theta;
  }
  double gap(const VectorXd& residual, double multiplier) const {
    return residual.squaredNorm() / (2 * (objective.strong_convexity() + multiplier));
  }

  // From `theta` to the minimiser over R^d, until the gap is small enough or no longer shrinks.
  VectorXd descend(VectorXd theta, double multiplier) const {
    VectorXd r = residual(theta, multiplier);
    for (int iteration = 0; iteration < 200 && gap(r, multiplier) > accuracy; ++iteration) {
      Matrix hessian = objective.hessian(theta);
      hessian.diagonal().array() += multiplier;
      const VectorXd step = hessian.llt().solve(r);
      double length = 1;
      VectorXd next = theta - step, next_residual = residual(next, multiplier);
      // The residual's norm falls along the Newton direction at first: halve until it does.
      while (!(next_residual.norm() < r.norm()) && length > 1e-6) {
        length /= 2;
        next = theta - length * step;
        next_residual = residual(next, multiplier);
      }
      if (!(next_residual.norm() < r.norm())) break;  // the accuracy of doubles
      theta = next;
      r = next_residual;
    }
    return theta;
  }
};

double log_normal_cdf(double x) {
  if (x > -37) return std::log(std::erfc(-x / std::numbers::sqrt2) / 2);
  const double y = 1 / (x * x);
  return -x * x / 2 - std::log(-x * std::sqrt(2 * std::numbers::pi)) +
         std::log1p(-y * (1 - 3 * y * (1 - 5 * y)));
}

double log_normal(const VectorXd& x, double standard_deviation) {
  return -0.5 * (x / standard_deviation).squaredNorm() -
         static_cast<double>(x.size()) *
             std::log(standard_deviation * std::sqrt(2 * std::numbers::pi));
}

// A point theta of the sphere is the minimiser for every g = -gradient - t u, t >= 0, u its
// direction: the density adds up over t, with the Jacobian of (theta, t) -> g.
double boundary_log_density(const Objective& objective, double standard_deviation,
                            const VectorXd& theta) {
  const VectorXd gradient = objective.gradient(theta);
  const VectorXd u = theta.normalized();
  const double along = gradient.dot(u);
  if (theta.size() == 1) return log_normal_cdf(-along / standard_deviation);
  const Matrix complement =
      Matrix(u.householderQr().householderQ()).rightCols(theta.size() - 1);  // tangent directions
  const VectorXd curvature = Eigen::SelfAdjointEigenSolver<Matrix>(
                                 complement.transpose() * objective.hessian(theta) * complement)
                                 .eigenvalues();
  const double nearest = std::max(0.0, -along);
  const double scale = log_normal(gradient + nearest * u, standard_deviation) +
                       (curvature.array() + nearest / objective.radius()).log().sum();
  const auto density = [&](double t) {
    return std::exp(log_normal(gradient + t * u, standard_deviation) +
                    (curvature.array() + t / objective.radius()).log().sum() - scale);
  };
  const double variance = standard_deviation * standard_deviation;
  const double width = 60 * variance / (std::max(0.0, along) + 4 * standard_deviation);
  using Quadrature = boost::math::quadrature::gauss_kronrod<double, 31>;
  double integral = Quadrature::integrate(density, nearest, nearest + width, 12, 1e-12);
  if (nearest > 0)
    integral += Quadrature::integrate(density, std::max(0.0, nearest - width), nearest, 12, 1e-12);
  return scale + std::log(integral);
}

}  // namespace

Minimum minimise(const Objective& objective, const VectorXd& linear, double accuracy) {
  require(not_negative, "accuracy of a minimum", accuracy);
  require(positive, "strong convexity of an objective", objective.strong_convexity());
  // Half of what was asked: the projection onto the sphere below spends the rest.
  const Newton newton{objective, linear, accuracy / 2};
  const double radius = objective.radius();
  VectorXd theta = newton.descend(VectorXd::Zero(objective.dimension()), 0);
  if (!theta.allFinite()) throw std::runtime_error("a minimum is not finite");
  Minimum out{theta, newton.gap(newton.residual(theta, 0), 0), 0};
  if (theta.norm() > radius) {
    // ||theta(s)|| falls with the multiplier s; at ||gradient(0) + linear||/radius it is inside.
    const auto beyond = [&](double multiplier) {
      theta = newton.descend(theta, multiplier);
      return theta.norm() - radius;
    };
    const double high = newton.residual(VectorXd::Zero(theta.size()), 0).norm() / radius;
    const double outside = theta.norm() - radius, inside = beyond(high);
    double multiplier = high;
    if (inside < 0) {
      std::uintmax_t steps = 200;
      multiplier =
          boost::math::tools::toms748_solve(beyond, 0.0, high, outside, inside,
                                            boost::math::tools::eps_tolerance<double>(52), steps)
              .second;
    }
    theta = newton.descend(theta, multiplier);
    theta *= radius / theta.norm();
    const double along = -(objective.gradient(theta) + linear).dot(theta);
    out.multiplier = std::max(0.0, along / (radius * radius));
    out.theta = theta;
    out.gap = newton.gap(newton.residual(theta, out.multiplier), out.multiplier);
  }
  if (accuracy > 0 && out.gap > accuracy)
    throw std::runtime_error(fmt::format(
        "a minimum to within {:.3g} is beyond double precision here: certified only {:.3g}",
        accuracy, out.gap));
  return out;
}

double minimiser_log_density(const Objective& objective, double standard_deviation,
                             const VectorXd& theta) {
  const double norm = theta.norm(), radius = objective.radius();
  if (norm > radius * (1 + 1e-12)) return -infinity;
  if (norm >= radius * (1 - 1e-12))
    return boundary_log_density(objective, standard_deviation, theta);
  const Eigen::LLT<Matrix> factor(objective.hessian(theta));
  return log_normal(objective.gradient(theta), standard_deviation) +
         2 * factor.matrixLLT().diagonal().array().log().sum();
}

double gradient_distance(const Objective& objective, const Objective& neighbour,
                         const VectorXd* outcome) {
  double distance = 0;
  const auto look = [&](const VectorXd& theta) {
    const double change = (objective.gradient(theta) - neighbour.gradient(theta)).norm();
    distance = std::isnan(change) ? infinity : std::max(distance, change);
  };
  const Index d = objective.dimension();
  look(VectorXd::Zero(d));
  if (outcome != nullptr) look(*outcome);
  const double reach = std::isinf(objective.radius()) ? 10 : objective.radius();
  for (Index j = 0; j < d; ++j)
    for (const double share : {-1.0, -0.3, 0.3, 1.0}) look(share * reach * VectorXd::Unit(d, j));
  return distance;
}

}  // namespace dpverify
