// Outputs as arrays of numbers in binary files: raw doubles, and NumPy's format.
#pragma once

#include <string>

#include "audits/black_box/distinguishers.hpp"

namespace dpverify {

struct ArrayOutputs {
  Outputs outputs;
  bool floating = true;  // false: integers
};

// Raw little-endian doubles (".f64") or NPY (".npy"), by the ending of the name.
bool is_array_file(const std::string& path);

// Raw: a double a run. NPY, versions 1 to 3, in C order, of '<f8', '<f4' or '<i8': one dimension is
// a number a run, two are a vector a run, a row each. Of integers that no double stands for, the
// nearest doubles, and after them what these leave of each. Throws std::invalid_argument, one line,
// for anything else, and unless the file holds exactly the numbers its header says.
ArrayOutputs read_array_file(const std::string& path);

}  // namespace dpverify
