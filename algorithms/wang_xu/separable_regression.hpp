// Algorithms 1 and 2 of Wang and Xu in any dimension, on records of which one feature is not 0.
#pragma once

#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

// Records with one feature x_j that is not 0 are given as rows (j, x_j), j = 0..d-1, and labels.
// The truncated risk of such records is a sum over the coordinates of w. On a product of nets of an
// interval, which is a net of a cube, the exponential mechanism therefore draws each coordinate for
// itself, as it would from that coordinate's records alone: the exponent n iota epsilon/(...) of
// the mean over n records is that of the sum. So this is a draw of Algorithm 1 or 2 from the net of
// [-h, h]^d, whose size is that of `parameters.net` to the power d; parameters.net is the net of
// [-h, h]. A record moves the score of one coordinate. Returns one of the candidates, d numbers.
// Throws std::invalid_argument for parameters out of their domains.
VectorXd separable_l1_regression(const Dataset& records, Index dimension,
                                 const L1RegressionParameters& parameters, Releases& releases);

// The cube in the unit ball: half of its side, 1/sqrt d, and its zeta-net, zeta = 1/n.
BallNet cube_net(Index dimension, Index n);

}  // namespace dpverify::wang_xu
