// Exact privacy of one pair of finite output distributions.
#pragma once

#include <vector>

#include "algorithms/core/enumerate.hpp"

namespace dpverify {

// The distributions of a mechanism's output on two datasets, on the union of their supports.
struct OutputPair {
  struct Output {
    VectorXd value;
    std::vector<Index> path;  // one path of outcomes that leads to it
    double log_p = 0;         // on the dataset; -infinity if impossible
    double log_q = 0;         // on the neighbour
  };
  std::vector<Output> outputs;
  std::size_t paths = 0;  // walked on the dataset
};

// Paths that end in the same output, bit for bit, are one output: only outputs are seen.
OutputPair output_pair(const Mechanism& mechanism, const NeighbouringPair& pair,
                       std::size_t largest_paths = 1'000'000);

enum class Direction { forward, backward };  // P against Q, Q against P

// The smallest delta for which the pair is (epsilon, delta)-indistinguishable in one direction:
// sum over outputs of max(0, p - e^epsilon q). epsilon >= 0.
double delta_at(const OutputPair& pair, double epsilon, Direction direction);
double delta_at(const OutputPair& pair, double epsilon);  // the larger of both

// The smallest epsilon >= 0 with delta_at(epsilon) <= delta; infinity if there is none.
// delta = 0: the largest log ratio over the outputs, exact up to rounding. delta > 0: to a relative
// 1e-12, rounded down (it is reported as a lower bound on the true epsilon).
double smallest_epsilon(const OutputPair& pair, double delta);

// The output with the largest |log p - log q|.
const OutputPair::Output& worst_output(const OutputPair& pair);

}  // namespace dpverify
