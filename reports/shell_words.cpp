#include "reports/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/layout.hpp"

namespace dpverify {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./:=,+%@").find(c) != std::string_view::npos;
}

// What a terminal would not show, in numbers of three digits.
std::string quoted_in_octal(const std::string& word) {
  std::string out = "$'";
  for (const char c : word)
    if (c == '\'' || c == '\\' || c < ' ' || c > '~')
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + "'";
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  if (printable(word) != word) return quoted_in_octal(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace

std::string shell_command(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + quoted(word);
  return out;
}

}  // namespace dpverify
