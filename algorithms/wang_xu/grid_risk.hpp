// The truncated empirical risk on a net that is not listed.
#pragma once

#include "algorithms/core/grid_search.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

// score(cell) = -truncated_risk(candidate of the cell). Keeps a copy of the records.
//
// The bound of a box: psi is concave on [0, infinity), so over the residuals a record can have
// in the box it lies above the line through its values at both ends (above a line through 0 if the
// residual can be 0). The lines add up to one linear function of w: where the data pull w both ways
// its slope is small, and the bound is short by a second-order term only. The sum of the records'
// own minima is a bound too, better for large boxes; the larger counts.
//
// What a draw costs: boxes bounded plus cells scored, each one pass over the records. With Theorem
// 2's parameters (theta = 1.5, zeta = 1/n, epsilon 0.1 to 10, n = 1000 and 10^4, nets of 10^3 to
// 5*10^12 cells) at most 25 for d = 1, 103 for d = 2 and 429 for d = 3; where half of the records
// pull one way and half the other (n = 1000), 32, 146 and 762. So the cost hardly depends on the
// size of the net, n or epsilon beyond the n of the pass, and grows four- to fivefold with each
// feature: that is what ends it, and d = 3 is the limit of the net. The figures come from the test
// GridRisk.CostDoesNotGrowWithTheNet. The bound is only as good as the risk is nearly convex near
// its minimum; nothing limits the number of boxes for data made to defeat it.
class GridRisk final : public GridScore {
 public:
  GridRisk(const Dataset& data, const BallNet& net, double iota, double theta);

  Index dimension() const override { return net_.dimension; }
  Index cells() const override { return net_.cells; }
  bool may_hold_candidate(const CellBox& box) const override;
  double score(Index cell) const override;
  double upper_bound(const CellBox& box) const override;
  double rounding() const override;

 private:
  Dataset data_;
  BallNet net_;
  double iota_;
  LogTruncation psi_;
};

}  // namespace dpverify::wang_xu
