// A dataset of n records, its disjoint parts, and its replace-one neighbours.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

struct Dataset;

// A run of consecutive records of a Dataset, without a copy. Valid while the Dataset lives.
struct DataView {
  Eigen::Map<const Matrix> features;  // m x d
  Eigen::Map<const VectorXd> labels;  // m
  // Records that were drawn for this view live as long as it does; null: they are the Dataset's.
  std::shared_ptr<const Dataset> drawn = nullptr;

  Index size() const { return features.rows(); }
  Index dimension() const { return features.cols(); }
};

// Records that are drawn when somebody asks for them, and not kept: more of them than fit into
// memory. Block b holds the records from b * records_per_block on.
struct RecordSource {
  static constexpr Index records_per_block = 8192;

  Index records = 0;    // n
  Index dimension = 0;  // d
  // The first `count` records of a block, count <= records_per_block: the same at every call, and
  // the same as the first `count` of more.
  std::function<Dataset(Index block, Index count)> block;
};

struct Dataset {
  Matrix features;  // n x d, finite
  VectorXd labels;  // n, finite
  // If set, the records come from here, and the two above are empty: only part() can read them.
  std::shared_ptr<const RecordSource> source = nullptr;

  Index size() const { return source ? source->records : features.rows(); }
  Index dimension() const { return source ? source->dimension : features.cols(); }

  // Throws std::invalid_argument if the records come from a source.
  DataView all() const;

  // Part t of `parts` (t = 1..parts): m = floor(n/parts) consecutive records chosen by index alone,
  // so that one replaced record touches at most one part. The remaining n - m*parts records are
  // used by no part. From a source, the part alone is drawn. Throws std::invalid_argument if parts
  // < 1 or parts > n.
  DataView part(Index t, Index parts) const;
};

// Throws std::invalid_argument if the shapes disagree, n or d is 0, or an entry is not finite.
void validate(const Dataset& data);

// The dataset of a source, and the same records held whole.
Dataset from_source(RecordSource source);
Dataset held(const RecordSource& source);

// The dataset followed by itself, `copies` times in all: n*copies records.
Dataset repeated(const Dataset& data, Index copies);

// Two datasets that differ in one record. Of the same size: record `replaced` (replace-one
// neighbours). The neighbour one record shorter: it lacks record `replaced` of the data. One record
// longer: its record `replaced` is not in the data.
struct NeighbouringPair {
  Dataset data;
  Dataset neighbour;
  Index replaced = 0;
};

enum class RecordChange { replaced, removed, added };

// What happens to the record on the way from the data to the neighbour. Throws
// std::invalid_argument unless the sizes differ by at most one, the numbers of features agree and
// `replaced` is a record of the datasets that should have it.
RecordChange record_change(const NeighbouringPair& pair);

// One record: d features, then the label.
using Record = std::vector<double>;

// Builds the pair from n records and the record that takes the place of number `replaced`.
NeighbouringPair make_pair(const std::vector<Record>& records, Index replaced,
                           const Record& replacement);

}  // namespace dpverify
