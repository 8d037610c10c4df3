// CSV files of data and of public bounds: read, or refused in a line that holds nothing of the
// file.
#include "bench/csv.hpp"

#include <algorithm>
#include <set>

#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::File file(fuzz::text_of(bytes, size));
  fuzz::accepted([&] {
    const CsvTable table = read_csv(file.path());
    fuzz::must(table.values.allFinite(), "every value is finite");
    fuzz::must(table.values.rows() >= 1, "there is a record");
    fuzz::must(table.values.cols() == static_cast<Index>(table.columns.size()),
               "there is a column for each name");
    const std::set<std::string> names(table.columns.begin(), table.columns.end());
    fuzz::must(names.size() == table.columns.size() && !names.contains(""), "names differ");
    NamedDataset named = dataset_with_target(table, table.columns[0]);
    fuzz::must(named.features.size() + 1 == table.columns.size(), "one column is the target");
  });
  fuzz::accepted([&] {
    const CsvTable table = read_csv(file.path(), MessageDetail::values);
    dataset_with_target(table, "no such column, surely");
  });
  fuzz::accepted([&] {
    for (const PublicBound& bound : read_bounds(file.path()))
      fuzz::must(bound.lower < bound.upper, "bounds are in order");
  });
  return 0;
}
