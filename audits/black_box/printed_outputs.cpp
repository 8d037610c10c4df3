#include "audits/black_box/printed_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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
std::string digits(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, text.find_first_of("eE")))
    if (c >= '0' && c <= '9' && (c != '0' || !out.empty())) out += c;
  return out;
}

std::string significant(std::string digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

// Whether another number may read as the same double: up to 15 digits never collide but for
// subnormal numbers; of more, one text of each length is the double's own.
bool may_collide(double value, const std::string& written) {
  const std::string kept = significant(written);
  if (kept.empty()) return value != 0;
  if (kept.size() <= 15 && std::abs(value) >= std::numeric_limits<double>::min()) return false;
  const auto precision = static_cast<int>(std::min<std::size_t>(written.size(), 800)) - 1;
  return significant(digits(fmt::format("{:.{}e}", value, precision))) != kept &&
         significant(digits(fmt::format("{}", value))) != kept;
}

}  // namespace

double PrintedOutputs::code_of(std::string_view text, bool failed) {
  std::uint64_t hash = failed ? 0x84222325cbf29ce4 : 0xcbf29ce484222325;  // Fowler, Noll and Vo
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;  // and all bits into the upper ones
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  const double code = static_cast<double>((hash >> 12) | (std::uint64_t{1} << 52));
  constexpr std::size_t most_texts = 1000, longest = 40;  // for words alone
  if (texts_.size() < most_texts) {
    std::string shown(text.substr(0, longest));
    std::ranges::replace_if(
        shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    if (text.size() > longest) shown += "...";
    texts_.emplace(code, failed ? "(" + shown + ")" : "'" + shown + "'");
  }
  return code;
}

VectorXd PrintedOutputs::read(std::string_view line) {
  std::vector<double> output, codes;
  bool full = false;
  for (const std::string_view cell : cells_of(line)) {
    const std::optional<double> number = number_in(cell);
    output.push_back(number.value_or(nan));
    const std::string written = number && std::isfinite(*number) ? digits(cell) : "";
    full = full || significant(written).size() > 15;
    if (!number || (std::isfinite(*number) && may_collide(*number, written)))
      codes.push_back(code_of(cell, false));
  }
  ++lines_;
  full_lines_ += full ? 1 : 0;
  output.insert(output.end(), codes.begin(), codes.end());
  return Eigen::Map<const VectorXd>(output.data(), static_cast<Index>(output.size()));
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
