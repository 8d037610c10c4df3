// Two files with the outputs of a program on two neighbouring datasets: text, a line a run, or
// arrays of numbers.
#pragma once

#include <array>
#include <string>

#include "audits/black_box/distinguishers.hpp"
#include "audits/black_box/printed_outputs.hpp"

namespace dpverify {

struct OutputFiles {
  std::array<Outputs, 2> outputs;
  PrintedOutputs reader;
};

// Files that end in .f64 or .npy are arrays, see array_files.hpp, all others text. Every line of
// text counts, a blank one too, as PrintedOutputs says; but for a header, which is the first line
// of both files if it is the same there, holds no number and stands in no other line. Throws
// std::invalid_argument if a file cannot be read or has fewer than 2 outputs, if both start with
// headers that differ (lines that hold no number, where all others are numbers), or if one does
// beside an array.
OutputFiles read_output_files(const std::array<std::string, 2>& paths);

}  // namespace dpverify
