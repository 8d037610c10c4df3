// What Algorithms 1 and 2 of Wang and Xu ("Differentially Private l1-norm Linear Regression with
// Heavy-tailed Data") share: the truncated empirical risk, the draw of a candidate, and the
// editions of its exponent. They differ in the order theta of the moment they assume: 2, or in (1,
// 2).
#pragma once

#include <variant>

#include "algorithms/claims/claims.hpp"
#include "algorithms/geometry/net.hpp"
#include "algorithms/wang_xu/log_truncation.hpp"

namespace dpverify::wang_xu {

// What a theorem assumes of the moment of order theta, and what tau bounds.
//   norm:        Assumptions 1 and 3, E ||x||_2^theta <= tau^theta
//   coordinates: Assumptions 2 and 4, E |x_j|^theta <= tau^theta for every j
enum class Moments { norm, coordinates };

// The exponent of step 2 is -coefficient * (truncated empirical risk).
//   printed:   n iota epsilon/log theta, step 2 as printed
//   proved:    n iota epsilon/(4 log theta), from the proof's sensitivity 2 log theta/(n iota)
//   corrected: n iota epsilon/(2 log theta), from the exact sensitivity log theta/(n iota)
//
// The candidates are a zeta-net of W, listed (N x d) or as the cells of a grid. A grid of at most
// `largest_listed` cells is listed; a larger one is searched by score, which draws from the same
// law (see grid_risk.hpp for what that costs).
struct L1RegressionParameters {
  std::variant<Matrix, BallNet> net;
  double iota = 1;     // > 0: residuals count up to 1/iota
  double epsilon = 1;  // > 0
  Edition coefficient = Edition::corrected;
  double theta = 2;  // order of the moment: 2 for Algorithm 1, in (1, 2) for Algorithm 2
  double largest_listed = 1e4;
};

// (2): (1/(n iota)) sum_i psi(iota |y_i - <x_i, w>|), in [0, log(theta)/iota]. A residual that
// overflows counts as log theta.
double truncated_risk(const DataView& data, const VectorXd& w, double iota,
                      const LogTruncation& psi);

// log(theta)/(n iota): the most that one replaced record changes a truncated risk.
double exact_sensitivity(Index n, const L1RegressionParameters& parameters);

// The coefficient of the exponent, as above, for n records.
double exponent_coefficient(Index n, const L1RegressionParameters& parameters);

// Steps 1 and 2, with the sensitivity that the edition of the paper states. Throws
// std::invalid_argument if iota, epsilon or the dimension of the net is out of its domain.
VectorXd draw_candidate(const Dataset& data, const L1RegressionParameters& parameters,
                        double stated_sensitivity, Releases& releases);

void validate(const L1RegressionParameters& parameters, const Dataset& data);

}  // namespace dpverify::wang_xu
