// Records around a known mean with a heavy tail: mean estimation with errors in closed form.
#pragma once

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify {

// Each of d independent coordinates is `centre`, except with probability `share`, when it is a
// Pareto variable: >= 1, P(x > t) = t^-tail.
struct HeavyMean {
  Index dimension = 1;
  double centre = 1;
  double share = 0.05;  // in [0, 1]
  double tail = 2.05;   // > 1: moments of order below it are finite, no others

  Dataset draw(Index n, RandomStream& stream) const;
  double mean() const;                           // of a coordinate
  double moment(double order) const;             // E|x|^order of a coordinate; order < tail
  double error(const VectorXd& estimate) const;  // ||estimate - mean||_2
  // The same with the Pareto variable rounded down to a power of 4, at most 4^10: P(x >= 4^k) =
  // 4^(-tail k). As counts, for more records than one can draw.
  CountedMean rounded_down() const;
};

}  // namespace dpverify
