#include "reports/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string paragraph(std::string_view label, const std::string& text) {
  std::string result = fmt::format("  {}:", label);
  std::size_t column = result.size();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
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
