// Two CSV files that differ in one record.
#pragma once

#include <string>
#include <vector>

#include "algorithms/core/dataset.hpp"
#include "bench/csv.hpp"

namespace dpverify {

// Reads two datasets of the same columns that differ in one record: replaced, or missing in one of
// them. Throws std::invalid_argument otherwise.
NeighbouringPair read_pair(const std::vector<std::string>& files, const std::string& target,
                           MessageDetail detail = MessageDetail::places);

}  // namespace dpverify
