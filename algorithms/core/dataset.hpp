// A dataset of n records, its disjoint parts, and its replace-one neighbours.
#pragma once

#include <string>
#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

// A run of consecutive records of a Dataset, without a copy. Valid while the Dataset lives.
struct DataView {
  Eigen::Map<const Matrix> features;  // m x d
  Eigen::Map<const VectorXd> labels;  // m

  Index size() const { return features.rows(); }
  Index dimension() const { return features.cols(); }
};

struct Dataset {
  Matrix features;  // n x d, finite
  VectorXd labels;  // n, finite

  Index size() const { return features.rows(); }
  Index dimension() const { return features.cols(); }

  DataView all() const;

  // Part t of `parts` (t = 1..parts): m = floor(n/parts) consecutive records chosen by index alone,
  // so that one replaced record touches at most one part. The remaining n - m*parts records are
  // used by no part. Throws std::invalid_argument if parts < 1 or parts > n.
  DataView part(Index t, Index parts) const;
};

// Throws std::invalid_argument if the shapes disagree, n or d is 0, or an entry is not finite.
void validate(const Dataset& data);

// The dataset followed by itself, `copies` times in all: n*copies records.
Dataset repeated(const Dataset& data, Index copies);

// Two datasets of the same size that differ in record `replaced` only (replace-one neighbours).
struct NeighbouringPair {
  Dataset data;
  Dataset neighbour;
  Index replaced = 0;
};

// One record: d features, then the label.
using Record = std::vector<double>;

// Builds the pair from n records and the record that takes the place of number `replaced`.
NeighbouringPair make_pair(const std::vector<Record>& records, Index replaced,
                           const Record& replacement);

}  // namespace dpverify
