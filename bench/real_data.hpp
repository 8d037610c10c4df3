// The real data sets of data/, as populations for rate checks.
#pragma once

#include <string>

#include "algorithms/core/dataset.hpp"

namespace dpverify {

// The file `name`.csv of bench/data in the source folder, its columns mapped to [-1, 1] by
// `name`-bounds.csv, with a first feature that is 1 for every record (an intercept). Throws
// std::invalid_argument if a file cannot be read.
Dataset real_data(const std::string& name, const std::string& target);

}  // namespace dpverify
