#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

#include "algorithms/core/types.hpp"

namespace dpverify {

// The lines of a text file, one after another, of which it holds a block at a time. Without a
// byte-order mark and the marks of their ends.
class TextLines {
 public:
  // Throws std::invalid_argument if the file cannot be read.
  explicit TextLines(const std::string& path);

  // Whether there is one; it stays until the next call.
  bool next(std::string_view& line);
  bool is_at_end();

  // If all lines are as long as those read so far; 0 if the file's size is not known. Of all lines
  // at most as many as there is room for so many cells in each.
  std::size_t estimated_lines(Index cells) const;
  double estimated_lines_left() const;

 private:
  void read_block();
  double bytes_taken() const { return static_cast<double>(read_ - (block_.size() - start_)); }

  std::ifstream file_;
  double size_ = 0;
  std::string block_;
  std::size_t start_ = 0, read_ = 0, lines_ = 0;  // of the block, of the file, taken
};

}  // namespace dpverify
