#include "audits/black_box/text_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "algorithms/core/checked.hpp"

namespace dpverify {

TextLines::TextLines(const std::string& path) : file_(path, std::ios::binary) {
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

bool TextLines::next(std::string_view& line) {
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

bool TextLines::is_at_end() {
  while (start_ == block_.size() && file_.good()) read_block();
  return start_ == block_.size();
}

std::size_t TextLines::estimated_lines(Index cells) const {
  const double taken = bytes_taken();
  const double lines = taken > 0 ? size_ * static_cast<double>(lines_) / taken : 0;
  return static_cast<std::size_t>(
      std::min(1.05 * lines, size_ / (2 * static_cast<double>(cells))));  // and some to spare
}

double TextLines::estimated_lines_left() const {
  const double taken = bytes_taken();
  return taken > 0 ? (size_ - taken) * static_cast<double>(lines_) / taken : 0;
}

// Behind what is left of the last one.
void TextLines::read_block() {
  constexpr std::size_t size = std::size_t{1} << 20;
  block_.erase(0, std::exchange(start_, 0));
  const std::size_t kept = block_.size();
  // A small file at once, and one more to see its end; a long line in few steps.
  const std::size_t least = size_ > 0 && size_ < size ? static_cast<std::size_t>(size_) + 1 : size;
  const std::size_t wanted = std::max(least, kept);
  block_.resize(kept + wanted);
  file_.read(block_.data() + kept, static_cast<std::streamsize>(wanted));
  const auto got = static_cast<std::size_t>(file_.gcount());
  block_.resize(kept + got);
  read_ += got;
}

}  // namespace dpverify
