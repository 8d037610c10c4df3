// A convex objective whose minimiser is private once a random linear term is added.
#pragma once

#include <memory>

#include "algorithms/core/types.hpp"

namespace dpverify {

// F on the l2 ball {||theta||_2 <= radius()} of R^d; radius() may be infinite. Twice continuously
// differentiable and strongly convex. Immutable: a law holds it by pointer.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual Index dimension() const = 0;
  virtual double radius() const = 0;
  virtual double strong_convexity()
      const = 0;  // a lower bound on the eigenvalues of hessian(), > 0
  virtual VectorXd gradient(const VectorXd& theta) const = 0;
  virtual Matrix hessian(const VectorXd& theta) const = 0;
  // The same domain and regularisation, no data.
  virtual std::shared_ptr<const Objective> without_data() const = 0;
};

// A point of the domain with F(theta) + <linear, theta> - minimum <= `gap`, certified by strong
// convexity: with modulus m and the residual r of the stationarity condition (on the boundary, with
// a multiplier of the ball), the gap is at most ||r||^2/(2m) and ||theta - minimiser|| <= ||r||/m.
struct Minimum {
  VectorXd theta;
  double gap = 0;
  double multiplier = 0;  // >= 0: of the ball, 0 in the interior
};

// Newton's method with the norm of the residual as its merit; the multiplier of the ball by
// bracketing. Stops as soon as the certified gap is
// at most `accuracy`, or at the accuracy of doubles. Throws std::runtime_error naming the accuracy
// reached if that is not enough. accuracy = 0: as accurate as doubles allow.
Minimum minimise(const Objective& objective, const VectorXd& linear, double accuracy = 0);

// log density of the minimiser of F(theta) + <g, theta>, g ~ N(0, standard_deviation^2 I): in the
// interior with respect to volume, on the boundary with respect to its surface (in one dimension,
// the log probability of the end point). -infinity outside.
double minimiser_log_density(const Objective& objective, double standard_deviation,
                             const VectorXd& theta);

// A lower bound on the largest ||gradient difference||_2 of two objectives over the domain, from
// the centre, points along the axes and `outcome` if given.
double gradient_distance(const Objective& objective, const Objective& neighbour,
                         const VectorXd* outcome = nullptr);

}  // namespace dpverify
