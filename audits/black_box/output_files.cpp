#include "audits/black_box/output_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "audits/black_box/array_files.hpp"

namespace dpverify {
namespace {

// The lines of a text file, one after another, of which it holds a block at a time.
class TextLines {
 public:
  explicit TextLines(const std::string& path) : file_(path, std::ios::binary) {
    const bool good = file_.is_open() && (file_.peek() != EOF || !file_.bad());
    if (!good)
      require(false, "file of outputs " + path,
              std::string("unreadable (") + std::strerror(errno) + ")",
              "a text file that can be read");
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    if (!unknown) size_ = static_cast<double>(size);
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    read_block();
    if (std::string_view(block_).starts_with(byte_order_mark)) start_ = byte_order_mark.size();
  }

  // Of all lines, if they are as long as those read so far; at most what lines of so many cells
  // leave room for. 0 if the file's size is not known.
  std::size_t estimated_lines(Index cells) const {
    const auto read = static_cast<double>(read_ - (block_.size() - start_));
    const double lines = read > 0 ? size_ * static_cast<double>(lines_) / read : 0;
    return static_cast<std::size_t>(
        std::min(1.05 * lines, size_ / (2 * static_cast<double>(cells))));
  }

  // Until the next call.
  bool next(std::string_view& line) {
    std::size_t end = block_.find('\n', start_);
    while (end == block_.npos && file_.good()) {
      const std::size_t seen = block_.size() - start_;
      read_block();
      end = block_.find('\n', start_ + seen);
    }
    if (end == block_.npos && start_ == block_.size()) return false;
    end = std::min(end, block_.size());
    ++lines_;
    line = std::string_view(block_).substr(start_, end - start_);
    start_ = std::min(end + 1, block_.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

 private:
  // Behind what is left of the last one.
  void read_block() {
    constexpr std::size_t size = std::size_t{1} << 20;
    block_.erase(0, std::exchange(start_, 0));
    const std::size_t kept = block_.size();
    const std::size_t wanted = std::max(size, kept);  // a long line in few steps
    block_.resize(kept + wanted);
    file_.read(block_.data() + kept, static_cast<std::streamsize>(wanted));
    const auto got = static_cast<std::size_t>(file_.gcount());
    block_.resize(kept + got);
    read_ += got;
  }

  std::ifstream file_;
  double size_ = 0;
  std::string block_;
  std::size_t start_ = 0, read_ = 0, lines_ = 0;
};

bool holds_number(std::string_view line) {
  const VectorXd output = PrintedOutputs().read(line);
  const auto cells = std::max<Index>(1, std::ranges::count(line, ',') + 1);
  for (Index i = 0; i < std::min(cells, output.size()); ++i)
    if (std::isfinite(output[i])) return true;
  return false;
}

// A text file: its first line, which may be a header, and the outputs of all others.
struct TextOutputs {
  PrintedOutputs reader;
  bool empty = true;
  std::string first;
  Outputs others;
  bool repeated = false;       // another line is the same as the first
  bool numbers_follow = true;  // every other line holds a number

  bool may_have_header() const { return !empty && !first.empty() && !holds_number(first); }
};

TextOutputs read_text(const std::string& path) {
  constexpr std::size_t lines_to_estimate_from = 1000;
  TextLines lines(path);
  TextOutputs out;
  std::string_view line;
  out.empty = !lines.next(line);
  if (!out.empty) out.first = line;
  const bool header = out.may_have_header();
  while (lines.next(line)) {
    out.reader.read(line, out.others);
    if (out.others.size() == lines_to_estimate_from) {  // growing takes half as much again
      const Index cells = std::max<Index>(1, out.others.back().size());
      out.others.reserve(lines.estimated_lines(cells), cells);
    }
    if (!header) continue;
    out.repeated = out.repeated || line == out.first;
    out.numbers_follow = out.numbers_follow && holds_number(line);
  }
  return out;
}

// Whether the first lines are a header.
bool have_header(const std::array<TextOutputs, 2>& texts, const std::array<std::string, 2>& paths) {
  const auto& [first, second] = texts;
  if (!first.may_have_header() || !second.may_have_header()) return false;
  if (first.first == second.first) return !first.repeated && !second.repeated;
  require(!first.numbers_follow || !second.numbers_follow, "columns of " + paths[1], "others",
          "those of " + paths[0]);
  return false;
}

}  // namespace

OutputFiles read_output_files(const std::array<std::string, 2>& paths) {
  OutputFiles files;
  std::array<TextOutputs, 2> texts;
  parallel_for(2, 2, [&](Index k) {
    const auto side = static_cast<std::size_t>(k);
    if (is_array_file(paths[side])) {
      ArrayOutputs read = read_array_file(paths[side]);
      texts[side].reader.count_unprinted(read.outputs.size(), read.floating);
      files.outputs[side] = std::move(read.outputs);
    } else {
      texts[side] = read_text(paths[side]);
    }
  });
  for (const TextOutputs& text : texts) files.reader.add(text.reader);
  const bool header = have_header(texts, paths);
  for (const std::size_t side : {0U, 1U}) {
    if (!is_array_file(paths[side])) {
      TextOutputs& text = texts[side];
      require(!is_array_file(paths[1 - side]) || !text.may_have_header() || !text.numbers_follow,
              "first line of " + paths[side], "a header",
              "an output: no header beside an array of outputs");
      if (!text.empty && !header) text.others.prepend(files.reader.read(text.first));
      files.outputs[side] = std::move(text.others);
    }
    require(files.outputs[side].size() >= 2, "number of outputs in " + paths[side],
            static_cast<double>(files.outputs[side].size()), "at least 2");
  }
  return files;
}

}  // namespace dpverify
