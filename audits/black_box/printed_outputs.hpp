// What programs print for a run, as outputs to audit: numbers, vectors, categories, text, nothing.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/types.hpp"
#include "audits/black_box/outputs.hpp"

namespace dpverify {

// Reads lines. Two lines become two outputs unless they differ only in how they write a number.
class PrintedOutputs {
 public:
  // The output of a line: its cells, separated by commas or, where there is none, by blanks. A cell
  // is a number (NaN and infinities too) or a category: any other text, none at all, or a number
  // that no double stands for, each NaN or its nearest number there, and its code at the end.
  VectorXd read(std::string_view line);
  // The same, at the end of others.
  void read(std::string_view line, Outputs& outputs);
  // The output of a run that gives no line, in words ("exit status 3"). No line is read as this.
  VectorXd failure(const std::string& words);

  // What another one has read, of the same program.
  void add(const PrintedOutputs& other);

  // Outputs that came as numbers, not as text; `full`: in all their bits.
  void count_unprinted(std::size_t count, bool full) {
    lines_ += count;
    full_lines_ += full ? count : 0;
  }

  // Whether the bits of the numbers can be looked at: at least half of the lines hold one that is
  // written in 16 or more significant digits.
  bool full_precision() const { return 2 * full_lines_ >= lines_; }

  // The words of an event with the texts in place of their codes.
  std::string with_texts(std::string words) const;

 private:
  double code_of(std::string_view text, bool failed);
  bool add_cell(std::string_view cell, std::optional<double> number);
  Output read_cells(std::string_view line);

  std::map<double, std::string> texts_;  // by code
  std::size_t lines_ = 0, full_lines_ = 0;
  std::vector<double> output_, codes_;  // of the line that is read
};

}  // namespace dpverify
