// A linear model of which one feature of d is ever different from 0: the records on which the
// bounds of private learning with an L-Lipschitz loss are attained. The loss is linear where it
// matters, so that nothing but its small mean gradient tells where to go.
#pragma once

#include <functional>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify::su {

// x = (L, 0, ..., 0) and pseudo-Huber loss; y is `signal` with probability `share`, and otherwise
// +-outlier, each as often: the mean gradient is -share L e_1 about, each record's of norm L, as
// long as |L w_1| is far below outlier and |L w_1 - signal| far above 1.
struct HiddenDirection {
  double lipschitz = 1;  // L > 0
  Index dimension = 1;   // d
  double share = 0.5;    // in [0, 1]
  double signal = 1000;
  double outlier = 1000;

  Dataset records() const;  // one of each of the three kinds
  Dataset draw(Index n, RandomStream& stream) const;
  // n records, split evenly into batches: labels[3 batch + k] counts the records of kind k; the
  // features are unused.
  Dataset draw_counts(Index n, RandomStream& stream, Index batches = 1) const;
  // At w, of a batch of such counts; 0 for an empty batch.
  VectorXd mean_gradient(const Dataset& counts, const VectorXd& w, Index batch) const;
  // E loss at a w with this first coordinate, less that at 0.
  double risk(double first_coordinate) const;
  // E loss less that at end e_1, at least 0.
  std::function<double(const VectorXd&)> excess_over(double end) const;

 private:
  double label(Index kind) const;
};

// A sweep's point on such records as counts of batches, where end e_1 is the optimum.
RatePoint hidden_direction_point(const HiddenDirection& law, double end, Index n, Index batches,
                                 double bound, Mechanism mechanism);

}  // namespace dpverify::su
