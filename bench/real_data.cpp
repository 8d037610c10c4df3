#include "bench/real_data.hpp"

#include <filesystem>

#include "algorithms/core/build_info.hpp"
#include "bench/csv.hpp"

namespace dpverify {

Dataset real_data(const std::string& name, const std::string& target) {
  const std::filesystem::path folder =
      std::filesystem::path(build_info().source_folder) / "bench" / "data";
  NamedDataset named = dataset_with_target(read_csv(folder / (name + ".csv")), target);
  apply_public_bounds(named, read_bounds(folder / (name + "-bounds.csv")));
  Dataset data{Matrix(named.data.size(), named.data.dimension() + 1), named.data.labels};
  data.features << VectorXd::Ones(named.data.size()), named.data.features;
  return data;
}

}  // namespace dpverify
