// Finite nets of Euclidean balls: the candidates of the exponential mechanism.
#pragma once

#include <array>

#include "algorithms/core/types.hpp"

namespace dpverify {

// A zeta-net of {w in R^d : ||w||_2 <= radius}, d = 1, 2 or 3: every point of the ball lies within
// zeta of a candidate, and every candidate lies in the ball. The candidates are the centres of the
// cells of side 2 radius/cells <= 2 zeta/sqrt d that meet the ball, those outside the ball moved
// onto it, which brings them no further from any point of the ball. At most (3 * 2 radius/zeta)^d
// candidates for zeta <= radius (Wang and Xu, Lemma 2).
//
// Cells are numbered 0..cells^d - 1 in lexicographic order of their indices.
struct BallNet {
  Index dimension = 1;
  double radius = 1;
  Index cells = 1;  // along each axis
};

// The net of at most 10^18 cells; nothing is listed. Throws std::invalid_argument for another d, or
// a radius or zeta that is not positive.
BallNet ball_net(Index dimension, double radius, double zeta);

double cell_count(const BallNet& net);           // cells^d, candidates or not
double centre(const BallNet& net, Index index);  // along one axis
double half_diagonal(const BallNet& net);        // of a cell

using CellIndices = std::array<Index, 3>;  // entries from the dimension on are 0
CellIndices cell_indices(const BallNet& net, Index cell);

// Does the cell meet the ball: is its centre no further out than half its diagonal?
bool is_candidate(const BallNet& net, const CellIndices& indices);

// The candidate of a cell.
VectorXd candidate(const BallNet& net, const CellIndices& indices);

// All candidates, one a row, in the order of their cells. Throws std::invalid_argument beyond 10^7
// cells.
Matrix list_candidates(const BallNet& net);

}  // namespace dpverify
