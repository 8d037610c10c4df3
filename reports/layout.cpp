#include "reports/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr std::size_t width_in_a_log = 100;  // of indented words
constexpr std::size_t least_width = 20;
constexpr std::size_t least_words = 24;  // columns for the words of a list

// Where the character at `at` ends: a sequence of UTF-8, or one that sets a colour.
std::size_t character_end(std::string_view text, std::size_t at) {
  if (text[at] == '\033') return std::min(text.find('m', at), text.size() - 1) + 1;
  const auto goes_on = [&](std::size_t k) {
    return (static_cast<unsigned char>(text[k]) & 0xc0) == 0x80;
  };
  for (++at; at < text.size() && goes_on(at);) ++at;
  return at;
}

// How many bytes of the text fill so many columns, at most.
std::size_t bytes_in(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (; at < text.size() && (columns > 0 || text[at] == '\033');) {
    if (text[at] != '\033') --columns;
    at = character_end(text, at);
  }
  return at;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size(); at = character_end(text, at))
    if (text[at] != '\033') ++columns;
  return columns;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_command(std::string_view line) { return line.substr(indentation(line)).starts_with("./"); }

// The end of the word at `at`: quoted blanks belong to it if `quotes` mean something.
std::size_t word_end(std::string_view line, std::size_t at, bool quotes) {
  bool quoted = false;
  for (; at < line.size() && (quoted || line[at] != ' '); ++at)
    if (quotes && line[at] == '\'') quoted = !quoted;
  return at;
}

// Wraps between words, and within those that are longer than a line. Every further line is indented
// by `hang`.
std::string wrapped(std::string_view line, std::size_t columns, std::size_t hang) {
  const bool command = is_command(line);
  const std::string_view end_of_line = command ? " \\\n" : "\n",
                         end_within = command ? "\\\n" : "\n";
  if (command) columns -= 2;
  std::string out;
  std::size_t column = 0;
  bool has_words = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t start = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = word_end(line, start, command);
    std::string_view word = line.substr(start, end - start);
    std::size_t gap = start - at;
    at = end;
    if (has_words && column + gap + columns_of(word) > columns) {
      out += end_of_line;
      column = 0;
      gap = hang;
    }
    out.append(gap, ' ');
    column += gap;
    has_words = true;
    const bool whole = command && word.find('\'') != word.npos;
    while (!whole && column + columns_of(word) > columns) {
      const std::size_t head = bytes_in(word, columns - column);
      out.append(word.substr(0, head)).append(end_within);
      if (!command) out.append(hang, ' ');  // in which the shell would see the end of the word
      column = command ? 0 : hang;
      word.remove_prefix(head);
    }
    out += word;
    column += columns_of(word);
  }
  return out;
}

std::string words_laid_out(std::string_view line, std::size_t columns) {
  const std::size_t first = indentation(line);
  if (columns == 0 && (first == 0 || is_command(line))) return std::string(line);
  if (columns == 0) columns = width_in_a_log;
  if (columns_of(line) <= columns) return std::string(line);
  std::size_t hang = line.find("  ", first);
  if (hang != line.npos) hang = line.find_first_not_of(' ', hang);
  if (is_command(line) || hang == line.npos || hang > columns / 2) hang = first + 2;
  return wrapped(line, columns, std::min(hang, columns / 2));
}

using Row = std::vector<std::string_view>;

Row cells_of(std::string_view line) {
  Row cells;
  for (line.remove_prefix(indentation(line));;) {
    const std::size_t end = line.find('\t');
    cells.push_back(line.substr(0, end));
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], columns_of(row[c]));
  }
  return widths;
}

std::string padding(std::string_view cell, std::size_t width) {
  return std::string(width - columns_of(cell), ' ');
}

// Two blanks between the cells. If even a few words beside the others would be too wide, each row
// is a text of its own.
std::string list_laid_out(const std::vector<Row>& rows, std::size_t columns) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::size_t before_words = 0;
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) before_words += widths[c] + 2;
  const bool aligned =
      columns == 0 || before_words + std::min(least_words, widths.back()) <= columns;
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!aligned && row[c].empty()) continue;
      line += (line.empty() ? "" : "  ") + std::string(row[c]);
      if (aligned && c + 1 < row.size()) line += padding(row[c], widths[c]);
    }
    line = without_blanks_at_end(std::move(line));
    if (columns > 0 && columns_of(line) > columns)
      line = wrapped(line, columns, aligned ? before_words : 4);
    text += line + "\n";
  }
  return text;
}

// The first column, and as many of the others as there is room for; then again with those that are
// left.
std::string numbers_laid_out(const std::vector<Row>& rows, std::size_t indent,
                             std::size_t columns) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  for (std::size_t first = 1; first < widths.size();) {
    std::size_t last = first, width = indent + widths[0];
    do width += 1 + widths[last++];
    while (last < widths.size() && (columns == 0 || width + 1 + widths[last] <= columns));
    for (const Row& row : rows) {
      std::string line(indent, ' ');
      line += padding(row[0], widths[0]) + std::string(row[0]);
      for (std::size_t c = first; c < std::min(last, row.size()); ++c)
        line += " " + padding(row[c], widths[c]) + std::string(row[c]);
      text += (columns > 0 ? words_laid_out(line, columns) : line) + "\n";
    }
    first = last;
  }
  return text;
}

}  // namespace

std::string laid_out(std::string_view text, std::size_t columns) {
  if (columns > 0) columns = std::max(columns, least_width);
  std::string out;
  std::vector<Row> table;
  std::size_t indent = 0;
  const auto end_of_table = [&] {
    if (!table.empty())
      out += indent > 0 ? numbers_laid_out(table, indent, columns) : list_laid_out(table, columns);
    table.clear();
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.find('\t') != line.npos) {
      if (table.empty()) indent = indentation(line);
      table.push_back(cells_of(line));
    } else {
      end_of_table();
      out += words_laid_out(line, columns);
      if (end != text.npos) out += '\n';
    }
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  end_of_table();
  return out;
}

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
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    out += printable(text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string paragraph(std::string_view label, const std::string& text) {
  std::istringstream words(text);
  std::string result = fmt::format("  {}:", printable(label));
  for (std::string word; words >> word;) result += " " + printable(word);
  return result + "\n";
}

std::string coloured(std::string_view text, std::string_view colour, bool colours) {
  if (!colours || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", colour, text);
}

std::string with_coloured_verdicts(std::string text, bool colours) {
  constexpr std::string_view label = "  Verdict: ";
  for (std::size_t at = 0; colours && at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (std::string_view(text).substr(at).starts_with(label)) {
      at += label.size();
      const std::string words = text.substr(at, end - at);
      const auto begins = [&](Verdict verdict) { return words.starts_with(name(verdict)); };
      const bool expected = words.ends_with("as expected");
      const char* colour = begins(Verdict::inconclusive) || begins(Verdict::not_run) ? "33"
                           : words.ends_with("UNEXPECTED")                           ? "1;31"
                           : begins(Verdict::refuted) ? (expected ? "35" : "1;31")
                                                      : "32";
      const std::string shown = coloured(words, colour, true);
      text.replace(at, words.size(), shown);
      at += shown.size() + 1;
    } else {
      at = end + 1;
    }
  }
  return text;
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
