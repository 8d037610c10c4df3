#include "reports/pair_files.hpp"

#include <algorithm>

#include "algorithms/core/checked.hpp"

namespace dpverify {

NeighbouringPair read_pair(const std::vector<std::string>& files, const std::string& target,
                           MessageDetail detail) {
  require(files.size() == 2, "--pair", std::to_string(files.size()) + " files",
          "search, corner or two CSV files");
  std::vector<Dataset> read;
  std::vector<std::string> columns;
  for (const std::string& file : files) {
    const CsvTable table = read_csv(file, detail);
    if (read.empty()) columns = table.columns;
    require(table.columns == columns, "columns of " + file, "others", "those of " + files[0]);
    read.push_back(dataset_with_target(table, target.empty() ? table.columns.back() : target).data);
  }
  const Dataset &data = read[0], &neighbour = read[1];
  const auto same = [&](Index i, Index j) {
    return data.features.row(i) == neighbour.features.row(j) &&
           data.labels[i] == neighbour.labels[j];
  };
  // The records agree up to the first difference, and after it in both.
  const Index shorter = std::min(data.size(), neighbour.size());
  Index first = 0;
  while (first < shorter && same(first, first)) ++first;
  const Index skip_data = data.size() >= neighbour.size() ? 1 : 0;
  const Index skip_neighbour = neighbour.size() >= data.size() ? 1 : 0;
  Index i = first + skip_data, j = first + skip_neighbour;
  while (i < data.size() && j < neighbour.size() && same(i, j)) ++i, ++j;
  const bool identical = first == shorter && data.size() == neighbour.size();
  require(!identical && i >= data.size() && j >= neighbour.size(), "the two datasets",
          identical ? "the same" : "differing in more than one record",
          "neighbours: one record replaced, or one more");
  return {data, neighbour, first};
}

}  // namespace dpverify
