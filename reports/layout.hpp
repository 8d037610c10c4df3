// How words are laid out on a terminal.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

template <class Items, class Length>
std::size_t widest(const Items& items, const Length& length) {
  std::size_t width = 0;
  for (const auto& item : items) width = std::max(width, std::size_t{length(item)});
  return width;
}

// "3 claims", "1 claim"
std::string plural(std::size_t count, std::string_view noun);

// The text on one line and as a terminal may show it: control characters and line ends, bytes that
// are not UTF-8 and characters that nobody sees become \x1b, \n, \u202e.
std::string printable(std::string_view text);
// The same, but for the ends of lines.
std::string printable_lines(std::string_view text);

// "  label: text", wrapped between words, with every further line indented by four; printable.
std::string paragraph(std::string_view label, const std::string& text);

// "a = 1, b = 2"
std::string point_in_words(const ParameterPoint& parameters);

// "as expected", "UNEXPECTED" or, if the check has not run, "left out".
std::string_view standing(const Claim& claim, const Evidence& evidence);

}  // namespace dpverify
