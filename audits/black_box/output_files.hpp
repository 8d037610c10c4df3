// Two files with the outputs of a program on two neighbouring datasets: text, a line a run, or
// arrays of numbers.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "audits/black_box/distinguishers.hpp"
#include "audits/black_box/printed_outputs.hpp"

namespace dpverify {

// Two files, of which so many outputs each are held; if both have at least twice as many, what
// follows is read as it is counted, so that memory does not grow with the files.
//
// Files that end in .f64 or .npy are arrays, see array_files.hpp, all others text. Every line of
// text counts, a blank one too, as PrintedOutputs says; but for a header, which is the first line
// of both files if it is the same there, holds no number and stands in no other line that is held.
class OutputFiles {
 public:
  // Throws std::invalid_argument if a file cannot be read or has fewer than 2 outputs, if both
  // start with headers that differ (lines that hold no number, where all others that are held are
  // numbers), or if one does beside an array.
  explicit OutputFiles(const std::array<std::string, 2>& paths, std::size_t held = 2'000'000);
  ~OutputFiles();
  OutputFiles(OutputFiles&&) noexcept;

  std::array<Outputs, 2> outputs;  // that are held
  PrintedOutputs reader;           // of them

  bool has_further() const { return further_; }
  // The next ones of a file; none after the last. Of both files at the same time, if one likes.
  Outputs further(std::size_t side);
  // Of those that further() has given.
  const std::array<std::size_t, 2>& further_sizes() const { return further_sizes_; }

 private:
  class File;
  std::array<std::unique_ptr<File>, 2> files_;
  bool further_ = false;
  std::array<std::size_t, 2> further_sizes_{};
};

}  // namespace dpverify
