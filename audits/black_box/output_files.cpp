#include "audits/black_box/output_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "audits/black_box/array_files.hpp"
#include "audits/black_box/text_lines.hpp"

namespace dpverify {
namespace {

bool holds_number(std::string_view line) {
  const VectorXd output = PrintedOutputs().read(line);
  const auto cells = std::max<Index>(1, std::ranges::count(line, ',') + 1);
  for (Index i = 0; i < std::min(cells, output.size()); ++i)
    if (std::isfinite(output[i])) return true;
  return false;
}

// Files that are read in less time than a thread takes to start.
bool are_small(const std::array<std::string, 2>& paths) {
  return std::ranges::all_of(paths, [](const std::string& path) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    return !unknown && size < 10'000;
  });
}

}  // namespace

// An array of numbers, or text whose first line may be a header.
class OutputFiles::File {
 public:
  explicit File(const std::string& path) : path_(path) {
    if (is_array_file(path)) {
      array_ = std::make_unique<ArrayFile>(path);
    } else {
      text_ = std::make_unique<TextLines>(path);
      std::string_view line;
      has_first_ = text_->next(line);
      first_ = line;
      may_have_header_ = has_first_ && !first_.empty() && !holds_number(first_);
    }
  }

  bool is_text() const { return text_ != nullptr; }
  const std::string& path() const { return path_; }
  const std::string& first() const { return first_; }
  bool has_first() const { return has_first_; }
  bool may_have_header() const { return may_have_header_; }
  bool is_repeated() const { return repeated_; }              // another line is the first
  bool do_numbers_follow() const { return numbers_follow_; }  // every other line holds a number
  const PrintedOutputs& reader() const { return reader_; }

  // The next outputs behind others, at most so many; of text the first line is none of them.
  void read(Outputs& outputs, std::size_t most) {
    if (array_ != nullptr) {
      Outputs next = array_->next(most);
      reader_.count_unprinted(next.size(), array_->is_floating());
      if (outputs.empty())
        outputs = std::move(next);
      else
        outputs.append(next);
      return;
    }
    constexpr std::size_t lines_to_estimate_from = 1000;
    std::string_view line;
    for (std::size_t k = 0; k < most && text_->next(line); ++k) {
      reader_.read(line, outputs);
      if (outputs.size() == lines_to_estimate_from) {  // growing takes half as much again
        const Index cells = std::max<Index>(1, outputs.back().size());
        outputs.reserve(std::min(text_->estimated_lines(cells), most), cells);
      }
      if (!may_have_header_) continue;
      repeated_ = repeated_ || line == first_;
      numbers_follow_ = numbers_follow_ && holds_number(line);
    }
  }

  // How many outputs follow, about; 0: none, or nobody knows.
  double left() {
    if (array_ != nullptr) return static_cast<double>(array_->left());
    return text_->is_at_end() ? 0 : text_->estimated_lines_left();
  }

 private:
  std::string path_;
  std::unique_ptr<ArrayFile> array_;
  std::unique_ptr<TextLines> text_;
  PrintedOutputs reader_;
  std::string first_;
  bool has_first_ = false, may_have_header_ = false, repeated_ = false, numbers_follow_ = true;
};

namespace {

// Whether the first lines are a header.
bool have_header(const auto& first, const auto& second) {
  if (!first.may_have_header() || !second.may_have_header()) return false;
  if (first.first() == second.first()) return !first.is_repeated() && !second.is_repeated();
  require(!first.do_numbers_follow() || !second.do_numbers_follow(), "columns of " + second.path(),
          "others", "those of " + first.path());
  return false;
}

}  // namespace

OutputFiles::OutputFiles(const std::array<std::string, 2>& paths, std::size_t held) {
  const int threads = are_small(paths) ? 1 : 2;
  const auto of_both = [&](const auto& task) {
    parallel_for(2, threads, [&](Index side) { task(static_cast<std::size_t>(side)); });
  };
  of_both([&](std::size_t side) {
    files_[side] = std::make_unique<File>(paths[side]);
    files_[side]->read(outputs[side], held);
  });
  const auto many = static_cast<double>(held);
  further_ = files_[0]->left() >= many && files_[1]->left() >= many;
  if (!further_)
    of_both([&](std::size_t side) {
      files_[side]->read(outputs[side], std::numeric_limits<std::size_t>::max());
    });
  const bool header = have_header(*files_[0], *files_[1]);
  for (const std::size_t side : {0U, 1U}) {
    File& file = *files_[side];
    reader.add(file.reader());
    if (file.is_text()) {
      require(files_[1 - side]->is_text() || !file.may_have_header() || !file.do_numbers_follow(),
              "first line of " + paths[side], "a header",
              "an output: no header beside an array of outputs");
      if (file.has_first() && !header) outputs[side].prepend(reader.read(file.first()));
    }
    require(outputs[side].size() >= 2, "number of outputs in " + paths[side],
            static_cast<double>(outputs[side].size()), "at least 2");
  }
}

OutputFiles::~OutputFiles() = default;
OutputFiles::OutputFiles(OutputFiles&&) noexcept = default;

Outputs OutputFiles::further(std::size_t side) {
  constexpr std::size_t at_once = 100'000;
  Outputs next;
  if (further_) files_[side]->read(next, at_once);
  further_sizes_[side] += next.size();
  return next;
}

}  // namespace dpverify
