// Sparse linear regression drawn as counts: a sweep may take as many records as a theorem's
// constants ask for. For algorithms that see nothing of a part of the records but the mean of what
// each record says.
#pragma once

#include <functional>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {

// y = <x, w*> + noise, squared loss. Each record has one feature that is not 0: j with probability
// 1/d, when x_j is size[j] or -size[j], fairly; the noise is `outlier` or -`outlier`, fairly. So E
// x x^T is diagonal, and E (x_j x_k)^2 is 0 for j != k.
struct CountedRegression {
  VectorXd optimum;    // w*, d numbers
  VectorXd size;       // d numbers > 0
  double outlier = 1;  // >= 0

  VectorXd eigenvalues() const;  // of E x x^T: size^2/d
  double fourth_moment() const;  // the largest E x_j^4
  // E(<x, w> - y)^2 - E(<x, w*> - y)^2.
  double excess_risk(const VectorXd& w) const;

  // Parts of `part_size` records each. Row 2t of the features counts, feature by feature, the
  // records of part t whose noise has the sign of x_j, row 2t + 1 the others. Labels are not used.
  // No counts at all are records of 0.
  Dataset draw(Index parts, Index part_size, RandomStream& stream) const;
  // The mean over the records of one part, of which `counts` are the two rows, of value(j, x, y) in
  // coordinate j: x = size[j], y = size[j] w*_j +- outlier. A record and its negative must say the
  // same, value(j, -x, -y) = value(j, x, y), as the gradients of the squared loss do. d numbers.
  VectorXd mean(const DataView& counts, Index part_size,
                const std::function<double(Index, double, double)>& value) const;
};

}  // namespace dpverify
