// The exponential mechanism over the cells of a grid too large to list: exact draws by a search
// that scores only the cells that can win.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/core/random.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// A block of cells: first[j] <= index along axis j <= last[j], both included. Axes from the grid's
// dimension on are {0, 0}.
struct CellBox {
  std::array<Index, 3> first{};
  std::array<Index, 3> last{};

  Index size() const;
  bool single() const { return first == last; }
};

// A score on some cells (the candidates) of a grid of cells() cells along each of 1 to 3 axes,
// computed when asked. Immutable: a law holds it by pointer. Cells are numbered in lexicographic
// order of their indices.
class GridScore {
 public:
  virtual ~GridScore() = default;
  virtual Index dimension() const = 0;
  virtual Index cells() const = 0;
  // False only if no cell of the box is a candidate; exact for a single cell.
  virtual bool may_hold_candidate(const CellBox& box) const = 0;
  virtual double score(Index cell) const = 0;  // of a candidate
  // At least the score of every candidate in the box, its rounding included.
  virtual double upper_bound(const CellBox& box) const = 0;
  // Most by which upper_bound exceeds the score of a single cell for the sake of rounding.
  virtual double rounding() const = 0;
};

Index grid_size(const GridScore& score);  // cells()^dimension()
CellBox whole_grid(const GridScore& score);
CellBox box_of(const GridScore& score, Index cell);
Index cell_of(const GridScore& score, const std::array<Index, 3>& indices);

// Work done: how many boxes were bounded and how many single cells scored.
struct GridSearchCost {
  Index boxes = 0;
  Index scored = 0;
};

// The candidate with the largest coefficient * score + Gumbel noise, independent in every cell: a
// draw with P(cell) proportional to exp(coefficient * score(cell)), exact up to the rounding of
// doubles. Throws std::invalid_argument if there is no candidate or more than 10^18 cells, and
// NonFiniteRelease if a score is not finite.
//
// The noise is drawn from the top down (Maddison, Tarlow and Minka, "A* sampling", 2014): the
// largest Gumbel variable of a box of m cells has location log m; it falls into one half of the box
// with probability its share of the cells, and the largest of the other half is a Gumbel variable
// cut at it. The box with the largest possible sum is halved first, and the search ends when no box
// can beat the best cell. Every node of the tree has a random stream of its own, keyed by `key` and
// the node, so that the noise of a cell does not depend on what the search visits.
Index sample_cell(const GridScore& score, double coefficient, std::uint64_t key,
                  GridSearchCost* cost = nullptr);

// A candidate whose score is the largest up to 2 rounding().
Index best_cell(const GridScore& score, GridSearchCost* cost = nullptr);

// The Gumbel variable of every cell under `key`, the whole tree expanded: grid_size numbers, at
// most 10^6. sample_cell is the argmax of coefficient * score + this.
VectorXd cell_noise(const GridScore& score, std::uint64_t key);

}  // namespace dpverify
