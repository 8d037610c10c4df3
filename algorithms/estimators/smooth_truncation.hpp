// Catoni and Giulini's smoothed soft truncation, the robust mean of Hu et al., Section 4.
//
//   phi(x) = x - x^3/6 for |x| <= sqrt 2, and sign(x) 2 sqrt 2/3 beyond,
//   E phi(a + b Z) with Z ~ N(0, 1).
#pragma once

#include <array>
#include <numbers>

#include "algorithms/core/types.hpp"

namespace dpverify {

// The largest value of |phi|: 2 sqrt 2/3.
inline constexpr double truncation_limit = 2 * std::numbers::sqrt2 / 3;

double soft_truncation(double x);  // phi

// E phi(a + b Z), b >= 0, to an absolute error of 5e-15, always in [-truncation_limit,
// truncation_limit]; odd in a. Infinite a gives the limit for that fixed b.
//
// Computed from E phi(a + b Z) = integral over 0..sqrt 2 of
// (1 - t^2/2) (Phi((a+t)/b) - Phi((t-a)/b)) dt, whose weights are non-negative and sum to the
// limit, so that nothing cancels when a and b are large.
double smooth_truncation(double a, double b);

// E phi(a + b Z) = sum_k c_k b^(-2k), c_k of r = a/b alone: to 5e-15 for b >= 4.
using TruncationSeries = std::array<double, 10>;
TruncationSeries smooth_truncation_series(double r);

// The closed form as printed (Hu et al., (5) and its appendix, the correction term C-hat), in
// double precision. Right in exact arithmetic; in doubles its terms of order a^3 cancel, and from
// a = b = 1e5 on it leaves [-truncation_limit, truncation_limit]. Kept to show exactly that. The
// printed form is 0/0 at b = 0; there it returns phi(a), its limit.
double smooth_truncation_closed_form(double a, double b);

// The largest value of |E phi(a (1 + Z/sqrt beta))| over a: truncation_limit * erf(sqrt(beta/2)).
// It follows from E phi(aU) = integral over u > 0 of phi(au) (f(u) - f(-u)) du, f the density of
// U = 1 + Z/sqrt beta: f(u) > f(-u), so the expectation increases in a, to limit * P(|Z| < sqrt
// beta).
double smooth_truncation_limit(double beta);

// How one coordinate of the mean is estimated.
enum class MeanEstimator {
  smooth_truncation,              // the stable evaluation
  smooth_truncation_closed_form,  // the printed evaluation in double precision
  plain_mean,  // no truncation: no finite sensitivity; a comparator, never private
};

// Column-wise robust mean of m x d values: (scale/m) sum_i E phi((x_ij + eta x_ij)/scale) with
// eta ~ N(0, 1/beta) (Hu et al., (4)). scale > 0, beta > 0. An entry that overflowed to an infinity
// counts as its limit, one that is NaN (infinity minus infinity) as 0, so that one record can never
// move the mean by more than 2 scale * smooth_truncation_limit(beta)/m.
VectorXd robust_mean(const Matrix& values, double scale, double beta,
                     MeanEstimator estimator = MeanEstimator::smooth_truncation);

}  // namespace dpverify
