#include "audits/black_box/output_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/array_files.hpp"

namespace dpverify {
namespace {

// The lines of a text file, one after another.
class TextLines {
 public:
  explicit TextLines(const std::string& path) : file_(path, std::ios::binary) {
    const bool good = file_.is_open() && (file_.peek() != EOF || !file_.bad());
    if (!good)
      require(false, "file of outputs " + path,
              std::string("unreadable (") + std::strerror(errno) + ")",
              "a text file that can be read");
  }

  bool next(std::string& line) {
    if (!std::getline(file_, line)) return false;
    if (std::exchange(at_start_, false) && line.starts_with("\xEF\xBB\xBF")) {
      line.erase(0, 3);
      if (line.empty() && file_.eof()) return false;
    }
    if (line.ends_with('\r')) line.pop_back();
    return true;
  }

 private:
  std::ifstream file_;
  bool at_start_ = true;
};

bool holds_number(const std::string& line) {
  const VectorXd output = PrintedOutputs().read(line);
  const auto cells = std::max<Index>(1, std::ranges::count(line, ',') + 1);
  for (Index i = 0; i < std::min(cells, output.size()); ++i)
    if (std::isfinite(output[i])) return true;
  return false;
}

// A text file: its first line, which may be a header, and the outputs of all others.
struct TextOutputs {
  bool empty = true;
  std::string first;
  Outputs others;
  bool repeated = false;       // another line is the same as the first
  bool numbers_follow = true;  // every other line holds a number

  bool may_have_header() const { return !empty && !first.empty() && !holds_number(first); }
};

TextOutputs read_text(const std::string& path, PrintedOutputs& reader) {
  TextLines lines(path);
  TextOutputs out;
  out.empty = !lines.next(out.first);
  const bool header = out.may_have_header();
  for (std::string line; lines.next(line);) {
    out.others.push_back(reader.read(line));
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
  for (const std::size_t side : {0U, 1U}) {
    if (is_array_file(paths[side])) {
      ArrayOutputs read = read_array_file(paths[side]);
      files.reader.count_unprinted(read.outputs.size(), read.floating);
      files.outputs[side] = std::move(read.outputs);
    } else {
      texts[side] = read_text(paths[side], files.reader);
    }
  }
  const bool header = have_header(texts, paths);
  for (const std::size_t side : {0U, 1U}) {
    if (!is_array_file(paths[side])) {
      TextOutputs& text = texts[side];
      require(!is_array_file(paths[1 - side]) || !text.may_have_header() || !text.numbers_follow,
              "first line of " + paths[side], "a header",
              "an output: no header beside an array of outputs");
      if (!text.empty && !header)
        text.others.insert(text.others.begin(), files.reader.read(text.first));
      files.outputs[side] = std::move(text.others);
    }
    require(files.outputs[side].size() >= 2, "number of outputs in " + paths[side],
            static_cast<double>(files.outputs[side].size()), "at least 2");
  }
  return files;
}

}  // namespace dpverify
