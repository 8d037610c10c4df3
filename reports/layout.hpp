// How words are laid out on a terminal or in a log.
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
// The same, but for the ends of lines and the tabs between the cells of a table.
std::string printable_lines(std::string_view text);

// What a command prints, for so many columns; 0: a log, whose lines may be of any length. Of three
// kinds of lines:
// - Those with tabs, as many as follow one another, are a table. At the margin it is a list, whose
//   last cell is words: aligned to the left. Indented it holds numbers below a heading: aligned to
//   the right.
// - Those that begin with "./" are commands for a shell.
// - Others are words. Their further lines begin below the text behind the first double blank, or
//   else two columns to the right.
// No line is wider than the columns (which count as at least 20), and nothing is left out: words
// are wrapped, a table of numbers is cut between columns into several, a command goes on after a
// backslash as the shell reads it; one with a quoted word that is too long stays. In a log only
// indented words are wrapped, at 100.
std::string laid_out(std::string_view text, std::size_t columns);

// "  label: text" on one line; printable.
std::string paragraph(std::string_view label, const std::string& text);

// The text in a colour, by the number that a terminal gives it ("1;31"), if `colours`.
std::string coloured(std::string_view text, std::string_view colour, bool colours);

// Evidence in words, laid out, whose lines "  Verdict: ..." have the colours of their meaning, if
// `colours`: red is a fault of what is tested, magenta one that is known, green what holds, yellow
// what is not decided.
std::string with_coloured_verdicts(std::string text, bool colours);

// "a = 1, b = 2"
std::string point_in_words(const ParameterPoint& parameters);

// "as expected", "UNEXPECTED" or, if the check has not run, "left out".
std::string_view standing(const Claim& claim, const Evidence& evidence);

}  // namespace dpverify
