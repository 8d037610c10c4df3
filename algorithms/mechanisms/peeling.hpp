// Peeling: private selection of the s largest magnitudes of a vector. Hu, Ni, Xiao and Wang,
// Algorithm 4; Tao, Wu, Cheng and Wang, Algorithm 4 (with more noise).
#pragma once

#include <functional>
#include <numbers>

#include "algorithms/core/releases.hpp"

namespace dpverify {

struct PeelingParameters {
  Index sparsity = 1;      // s, 1..d
  double sensitivity = 1;  // lambda > 0: one record moves each coordinate of v by at most this
  double epsilon = 1;      // > 0
  double delta = 1e-5;     // in (0, 1)
  // > 0: the Laplace noise has the scale b = factor lambda sqrt(s log(1/delta))/epsilon. Hu et al.
  // have 2 sqrt3, Tao et al. 4 sqrt2.
  double factor = 2 * std::numbers::sqrt3;
  // The published edition of Hu et al. selects over all of [d] in each round, so that a coordinate
  // can be drawn again and the support shrinks; the preprint leaves out what was drawn before.
  bool repeats = false;
};

double noise_scale(const PeelingParameters& parameters);

// s rounds of the noisy maximum of |v_j|, then v_j plus Laplace noise for each selected j, 0
// elsewhere; d numbers. With the factors above (epsilon, delta)-DP if `sensitivity` holds.
// Throws std::invalid_argument for parameters out of their domains or s > d.
VectorXd peeling(const VectorXd& v, const PeelingParameters& parameters, Releases& releases);
// The same, of a vector of so many numbers that is computed once, if a release reads it.
VectorXd peeling(Index dimension, const std::function<VectorXd()>& v,
                 const PeelingParameters& parameters, Releases& releases);

// Throws std::invalid_argument for parameters out of their domains or s > dimension.
void validate(const PeelingParameters& parameters, Index dimension);

// Throws std::invalid_argument unless 1 <= sparsity <= dimension and `initial` is a point of that
// dimension with at most `sparsity` entries other than 0.
void validate_sparse(const VectorXd& initial, Index sparsity, Index dimension);

}  // namespace dpverify
