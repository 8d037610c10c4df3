// Finite nets of Euclidean balls: the candidates of the exponential mechanism.
#pragma once

#include "algorithms/core/types.hpp"

namespace dpverify {

// A zeta-net of {w in R^d : ||w||_2 <= radius}, d = 1 or 2, one point a row: every point of the
// ball lies within zeta of a row, and every row lies in the ball. Centres of cells of side
// 2 zeta/sqrt d; those outside the ball are moved onto it, which brings them no further from any
// point of the ball. At most (3 * 2 radius/zeta)^d points for zeta <= radius (Wang and Xu, Lemma
// 2). Throws std::invalid_argument for another d, a radius or zeta that is not positive, or a net
// of more than 10^7 points.
Matrix ball_net(Index dimension, double radius, double zeta);

}  // namespace dpverify
