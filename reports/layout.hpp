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

// "  label: text", wrapped between words, with every further line indented by four.
std::string paragraph(std::string_view label, const std::string& text);

// "a = 1, b = 2"
std::string point_in_words(const ParameterPoint& parameters);

// "as expected", "UNEXPECTED" or, if the check has not run, "left out".
std::string_view standing(const Claim& claim, const Evidence& evidence);

}  // namespace dpverify
