#include "algorithms/core/dataset.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

DataView rows(const Dataset& data, Index first, Index count,
              std::shared_ptr<const Dataset> drawn = nullptr) {
  return {Eigen::Map<const Matrix>(data.features.data() + first * data.dimension(), count,
                                   data.dimension()),
          Eigen::Map<const VectorXd>(data.labels.data() + first, count), std::move(drawn)};
}

Dataset drawn_rows(const RecordSource& source, Index first, Index count) {
  constexpr Index size = RecordSource::records_per_block;
  Dataset out{Matrix(count, source.dimension), VectorXd(count)};
  for (Index done = 0; done < count;) {
    const Index block = (first + done) / size, offset = (first + done) % size;
    const Index taken = std::min(size - offset, count - done);
    const Dataset drawn = source.block(block, offset + taken);
    require(drawn.size() == offset + taken && drawn.dimension() == source.dimension,
            "records of block " + std::to_string(block), static_cast<double>(drawn.size()),
            std::to_string(offset + taken));
    out.features.middleRows(done, taken) = drawn.features.bottomRows(taken);
    out.labels.segment(done, taken) = drawn.labels.tail(taken);
    done += taken;
  }
  return out;
}

}  // namespace

DataView Dataset::all() const {
  require(!source, "view of all records", static_cast<double>(size()),
          "of records that are held, not drawn part by part");
  return rows(*this, 0, size());
}

DataView Dataset::part(Index t, Index parts) const {
  require(parts >= 1 && parts <= size(), "number of parts", static_cast<double>(parts),
          "in 1.." + std::to_string(size()) + " (the number of records)");
  require(t >= 1 && t <= parts, "part", static_cast<double>(t), "in 1.." + std::to_string(parts));
  const Index m = size() / parts;
  if (!source) return rows(*this, (t - 1) * m, m);
  auto drawn = std::make_shared<const Dataset>(drawn_rows(*source, (t - 1) * m, m));
  const Dataset& records = *drawn;
  return rows(records, 0, m, std::move(drawn));
}

Dataset from_source(RecordSource source) {
  require(source.records >= 1, "number of records", static_cast<double>(source.records),
          "at least 1");
  return {Matrix(), VectorXd(), std::make_shared<const RecordSource>(std::move(source))};
}

Dataset held(const RecordSource& source) { return drawn_rows(source, 0, source.records); }

void validate(const Dataset& data) {
  require(data.size() >= 1, "number of records", static_cast<double>(data.size()), "at least 1");
  require(data.dimension() >= 1, "number of features", static_cast<double>(data.dimension()),
          "at least 1");
  require(data.labels.size() == data.size(), "number of labels",
          static_cast<double>(data.labels.size()),
          "the number of records, " + std::to_string(data.size()));
  for (Index i = 0; i < data.size(); ++i) {
    require(std::isfinite(data.labels[i]), "label of record " + std::to_string(i), data.labels[i],
            "finite");
    for (Index j = 0; j < data.dimension(); ++j)
      require(std::isfinite(data.features(i, j)),
              "feature " + std::to_string(j) + " of record " + std::to_string(i),
              data.features(i, j), "finite");
  }
}

Dataset repeated(const Dataset& data, Index copies) {
  return {data.features.replicate(copies, 1), data.labels.replicate(copies, 1)};
}

RecordChange record_change(const NeighbouringPair& pair) {
  const Index size = pair.data.size(), other = pair.neighbour.size();
  require(std::abs(size - other) <= 1, "number of records of a neighbour",
          static_cast<double>(other),
          "from " + std::to_string(size - 1) + " to " + std::to_string(size + 1));
  require(pair.neighbour.dimension() == pair.data.dimension(), "number of features of a neighbour",
          static_cast<double>(pair.neighbour.dimension()), std::to_string(pair.data.dimension()));
  const Index last = std::max(size, other) - 1;
  require(pair.replaced >= 0 && pair.replaced <= last, "number of the record that differs",
          static_cast<double>(pair.replaced), "in 0.." + std::to_string(last));
  return size == other  ? RecordChange::replaced
         : size > other ? RecordChange::removed
                        : RecordChange::added;
}

NeighbouringPair make_pair(const std::vector<Record>& records, Index replaced,
                           const Record& replacement) {
  const auto n = static_cast<Index>(records.size());
  require(n >= 1, "number of records", static_cast<double>(n), "at least 1");
  require(replaced >= 0 && replaced < n, "replaced record", static_cast<double>(replaced),
          "in 0.." + std::to_string(n - 1));
  require(replacement.size() >= 2, "length of a record", static_cast<double>(replacement.size()),
          "at least 2");
  const auto d = static_cast<Index>(replacement.size()) - 1;
  NeighbouringPair pair{{Matrix(n, d), VectorXd(n)}, {}, replaced};
  const auto put = [d](const Record& record, Dataset& into, Index i) {
    require(static_cast<Index>(record.size()) == d + 1, "length of a record",
            static_cast<double>(record.size()), std::to_string(d + 1));
    for (Index j = 0; j < d; ++j) into.features(i, j) = record[static_cast<std::size_t>(j)];
    into.labels[i] = record[static_cast<std::size_t>(d)];
  };
  for (Index i = 0; i < n; ++i) put(records[static_cast<std::size_t>(i)], pair.data, i);
  pair.neighbour = pair.data;
  put(replacement, pair.neighbour, replaced);
  return pair;
}

}  // namespace dpverify
