// A robust linear regression whose population risk is a finite sum, for any loss of the residual.
#pragma once

#include "algorithms/core/random.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify {

// x = scale R (+-1, ..., +-1) with independent fair signs, R = 2^k with probability proportional to
// 8^-(k/2) for k = 0..levels-1: the second moment is bounded, the fourth grows like 2^levels. y =
// <x, w*> + noise, the noise 0, or +-outlier with probability `outlier_share`, independent of x and
// symmetric.
struct RobustModel {
  Loss loss = Loss::pseudo_huber;
  VectorXd optimum;            // w*, d numbers; d at most 10 but for the squared loss
  Index levels = 6;            // of R, 1 to 20
  double outlier = 10;         // size of an outlier
  double outlier_share = 0.1;  // in [0, 1)
  double scale = 1;            // > 0

  Dataset draw(Index n, RandomStream& stream) const;
  // E loss(<x, w> - y) - E loss(<x, w*> - y), summed over signs, levels and noise; in closed form
  // for the squared loss. w* is the minimiser for the convex losses, because the noise is
  // symmetric.
  double excess_risk(const VectorXd& w) const;
  double second_moment() const;  // E x_j^2, every eigenvalue of E x x^T
  double fourth_moment() const;  // E (x_j x_k)^2
};

// Of l1 norm 1, spread thin: as many entries equal to `entry` in (0, 1] as fit, one with the rest,
// and zeros, ceil(2/entry) numbers in all. Where a private selection cannot tell entries of that
// size from nothing, it misses a constant share of each. Throws std::invalid_argument for other
// entries.
VectorXd spread_optimum(double entry);

}  // namespace dpverify
