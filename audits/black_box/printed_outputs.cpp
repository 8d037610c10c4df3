#include "audits/black_box/printed_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_texts = 1000;  // that are kept, for words alone

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return "";
  text = text.substr(first, text.find_last_not_of(blanks) - first + 1);
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  const bool commas = line.find(',') != line.npos;
  std::vector<std::string_view> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end =
        std::min(line.find_first_of(commas ? "," : " \t\r", start), line.size());
    const std::string_view cell = trimmed(line.substr(start, end - start));
    if (commas || !cell.empty()) cells.push_back(cell);
    start = end + 1;
  }
  if (cells.empty()) cells.emplace_back();
  return cells;
}

std::optional<double> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The digits of a number as written, without sign, point, exponent and leading zeros.
class Digits {
 public:
  explicit Digits(std::string_view text) : rest_(text.substr(0, text.find_first_of("eE"))) {
    while (!rest_.empty() && !(rest_.front() > '0' && rest_.front() <= '9')) rest_.remove_prefix(1);
  }

  // The next one; 0 after the last.
  int next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c >= '0' && c <= '9') return c - '0';
    }
    return 0;
  }
  bool is_at_end() const { return rest_.empty(); }

  struct Counts {
    std::size_t all = 0;
    std::size_t significant = 0;  // without the zeros at the end
  };
  Counts count() const {
    Counts counts;
    for (const char c : rest_)
      if (c >= '0' && c <= '9') {
        ++counts.all;
        if (c != '0') counts.significant = counts.all;
      }
    return counts;
  }
  // The same digits, but for zeros at the end.
  friend bool are_same(Digits a, Digits b) {
    while (!a.is_at_end() || !b.is_at_end())
      if (a.next() != b.next()) return false;
    return true;
  }

 private:
  std::string_view rest_;
};

// Whether another number may read as the same double: up to 15 digits never collide but for
// subnormal numbers; of more, one text of each length is the double's own.
bool may_collide(double value, std::string_view written, Digits::Counts counts) {
  if (counts.significant == 0) return value != 0;
  if (counts.significant <= 15 && std::abs(value) >= std::numeric_limits<double>::min())
    return false;
  constexpr std::size_t most = 800;  // a double has fewer digits
  std::array<char, most + 10> text{};
  const auto is_own = [&](auto... precision) {
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                            std::chars_format::scientific, precision...);
    return are_same(Digits({text.data(), end}), Digits(written));
  };
  return !is_own() && !is_own(static_cast<int>(std::min(counts.all, most)) - 1);
}

}  // namespace

double PrintedOutputs::code_of(std::string_view text, bool failed) {
  std::uint64_t hash = failed ? 0x84222325cbf29ce4 : 0xcbf29ce484222325;  // Fowler, Noll and Vo
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;  // and all bits into the upper ones
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  const double code = static_cast<double>((hash >> 12) | (std::uint64_t{1} << 52));
  if (texts_.size() < most_texts) {
    constexpr std::size_t longest = 40;
    std::string shown(text.substr(0, longest));
    std::ranges::replace_if(
        shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    if (text.size() > longest) shown += "...";
    texts_.emplace(code, failed ? "(" + shown + ")" : "'" + shown + "'");
  }
  return code;
}

void PrintedOutputs::add(const PrintedOutputs& other) {
  for (const auto& [code, text] : other.texts_)
    if (texts_.size() < most_texts) texts_.emplace(code, text);
  lines_ += other.lines_;
  full_lines_ += other.full_lines_;
}

// Whether it is a number that is written in full.
bool PrintedOutputs::add_cell(std::string_view cell, std::optional<double> number) {
  output_.push_back(number.value_or(nan));
  if (!number) codes_.push_back(code_of(cell, false));
  if (!number || !std::isfinite(*number)) return false;
  const Digits::Counts counts = Digits(cell).count();
  if (may_collide(*number, cell, counts)) codes_.push_back(code_of(cell, false));
  return counts.significant > 15;
}

Output PrintedOutputs::read_cells(std::string_view line) {
  output_.clear();
  codes_.clear();
  bool full = false;
  if (const std::optional<double> number = number_in(line)) {  // as most lines are
    full = add_cell(line, number);
  } else {
    for (const std::string_view cell : cells_of(line))
      full = add_cell(cell, number_in(cell)) || full;
  }
  ++lines_;
  full_lines_ += full ? 1 : 0;
  output_.insert(output_.end(), codes_.begin(), codes_.end());
  return {output_.data(), static_cast<Index>(output_.size())};
}

VectorXd PrintedOutputs::read(std::string_view line) { return read_cells(line); }

void PrintedOutputs::read(std::string_view line, Outputs& outputs) {
  outputs.push_back(read_cells(line));
}

VectorXd PrintedOutputs::failure(const std::string& words) {
  VectorXd output(2);
  output << nan, code_of(words, true);
  return output;
}

std::string PrintedOutputs::with_texts(std::string words) const {
  for (const auto& [code, text] : texts_) {
    const std::string number = to_text(code);
    for (std::size_t at = words.find(number); at != words.npos; at = words.find(number, at))
      words.replace(at, number.size(), text);
  }
  return words;
}

}  // namespace dpverify
