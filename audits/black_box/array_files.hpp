// Outputs as arrays of numbers in binary files: raw doubles, and NumPy's format.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "audits/black_box/outputs.hpp"

namespace dpverify {

// Raw little-endian doubles (".f64") or NPY (".npy"), by the ending of the name.
bool is_array_file(const std::string& path);

// A file of numbers, some at a time.
//
// Raw: a double a run. NPY, versions 1 to 3, in C order, of '<f8', '<f4' or '<i8': one dimension is
// a number a run, two are a vector a run, a row each. Of integers that no double stands for, the
// nearest doubles, and after them what these leave of each.
class ArrayFile {
 public:
  // Throws std::invalid_argument, one line, for anything else, and unless the file holds exactly
  // the numbers its header says.
  explicit ArrayFile(const std::string& path);

  bool is_floating() const { return layout_.type != "<i8"; }
  std::uint64_t left() const { return layout_.rows - read_; }
  // The next runs, at most so many. Throws std::invalid_argument if the file has changed.
  Outputs next(std::uint64_t most);

 private:
  struct Layout {
    std::string type = "<f8";
    std::uint64_t rows = 0, columns = 1;
    std::uint64_t start = 0;  // of the first number, in bytes

    std::uint64_t width() const { return type == "<f4" ? 4 : 8; }
  };
  template <class Number>
  std::vector<Number> numbers(std::uint64_t rows);
  static Layout npy_layout(std::ifstream& file, const std::string& where);
  static void require_size(std::uint64_t size, const Layout& layout, const std::string& where);

  std::string where_;
  std::ifstream file_;
  Layout layout_;
  std::uint64_t read_ = 0;
};

}  // namespace dpverify
