#include "reports/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr std::size_t line_width = 100;

}  // namespace

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  std::string out;
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_plain);
    out.append(text.begin(), end);
    const auto after = std::find_if(end, text.end(), is_plain);
    // {:?} puts quotes around the text, and would put a backslash before some of the plain ones.
    const std::string escaped = fmt::format("{:?}", std::string_view(end, after));
    out.append(escaped, 1, escaped.size() - 2);
    text = std::string_view(after, text.end());
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    out += printable(text.substr(start, end - start));
    if (end < text.size()) out += '\n';
    start = end + 1;
  }
  return out;
}

std::string paragraph(std::string_view label, const std::string& text) {
  std::string result = fmt::format("  {}:", printable(label));
  std::size_t column = result.size();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    word = printable(word);
    if (column + 1 + word.size() > line_width) {
      result += "\n   ";
      column = 3;
    }
    result += " " + word;
    column += 1 + word.size();
  }
  return result + "\n";
}

std::string point_in_words(const ParameterPoint& parameters) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : parameters)
    texts.push_back(fmt::format("{} = {}", name, to_text(value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string_view standing(const Claim& claim, const Evidence& evidence) {
  if (evidence.verdict == Verdict::not_run) return "left out";
  return as_expected(claim, evidence) ? "as expected" : "UNEXPECTED";
}

}  // namespace dpverify
