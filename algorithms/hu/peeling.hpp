// Peeling: private selection of the s largest magnitudes of a vector. Hu, Ni, Xiao and Wang,
// Algorithm 4; Tao, Wu, Cheng and Wang, Algorithm 4 (the same with more noise).
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::hu {

// Laplace scale b for s = sparsity, lambda = sensitivity:
//   hu:  2 lambda sqrt(3 s log(1/delta))/epsilon
//   tao: 4 lambda sqrt(2 s log(1/delta))/epsilon
enum class PeelingScale { hu, tao };

struct PeelingParameters {
  Index sparsity = 1;      // s, 1..d
  double sensitivity = 1;  // lambda > 0: one record moves each coordinate of v by at most this
  double epsilon = 1;      // > 0
  double delta = 1e-5;     // in (0, 1)
  PeelingScale scale = PeelingScale::hu;
  // The published edition of Hu et al. selects over all of [d] in each round, so that a coordinate
  // can be drawn again and the support shrinks; the preprint leaves out what was drawn before.
  bool repeats = false;
};

double noise_scale(const PeelingParameters& parameters);

// (epsilon, delta)-DP if `sensitivity` holds. s rounds of the noisy maximum of |v_j|, then v_j plus
// Laplace noise for each selected j, 0 elsewhere; d numbers.
// Throws std::invalid_argument for parameters out of their domains or s > d.
VectorXd peeling(const VectorXd& v, const PeelingParameters& parameters, Releases& releases);

// Throws std::invalid_argument unless 1 <= sparsity <= dimension and `initial` is a point of that
// dimension with at most `sparsity` entries other than 0.
void validate_sparse(const VectorXd& initial, Index sparsity, Index dimension);

// How far Peeling of the mean of n vectors of signs, 3 of 10 with the mean 1/2, lies from the mean:
// sampling and noise together, s/n + 2 s b^2.
RateClaim peeling_rate(PeelingScale scale);

std::vector<Claim> peeling_claims();
Algorithm peeling_algorithm();  // on the mean of the clipped features

}  // namespace dpverify::hu
