// Two text files with what a program printed on two neighbouring datasets, a line a run.
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

// Every line counts, a blank one too, as PrintedOutputs says; but for a header, which is the first
// line of both files if it is the same there, holds no number and stands in no other line. Throws
// std::invalid_argument if a file cannot be read or has fewer than 2 outputs, or if both start with
// headers that differ: with lines that hold no number, where all others are numbers.
OutputFiles read_output_files(const std::array<std::string, 2>& paths);

}  // namespace dpverify
