#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "reports/formats.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

// A summary above 1 MiB is refused by those who show it: in each of four sections so many claims,
// each with four texts cut to so many bytes, which no more than five stand for each.
constexpr std::size_t most_listed = 50;
constexpr std::size_t longest_text = 500;

// At most longest_text of its bytes, none of them part of a character that is cut.
std::string_view beginning(std::string_view text) {
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

// Words that Markdown and HTML leave as they are.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : beginning(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view("\\`*_{}[]()#!|>~@").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20)
      out += ' ';
    else
      out += c;
  }
  return text.size() > longest_text ? out + " ..." : out;
}

// In a code span, which no text of ours may end.
std::string code(std::string_view text) {
  std::string out;
  for (const char c : beginning(text))
    out += c == '`' || static_cast<unsigned char>(c) < 0x20 ? '\'' : c;
  return "`" + out + "`";
}

std::string entry(const ClaimOutcome& claim) {
  std::string text = fmt::format("- {} is {}\n", code(claim.claim), plain(why(claim)));
  if (claim.stated)
    text += fmt::format("  - stated in {}\n",
                        code(fmt::format("{}:{}", claim.stated->file, claim.stated->line)));
  return text + fmt::format("  - to repeat it: {}\n", code(claim.reproduce));
}

template <class Item, class InWords>
std::string section(std::string_view heading, const std::vector<Item>& items,
                    const InWords& in_words) {
  if (items.empty()) return "";
  std::string text = fmt::format("\n### {}\n\n", heading);
  for (std::size_t k = 0; k < std::min(items.size(), most_listed); ++k) text += in_words(items[k]);
  if (items.size() > most_listed)
    text += fmt::format("- and {} more\n", items.size() - most_listed);
  return text;
}

std::string counts(const Outcomes& outcomes) {
  constexpr std::array kinds{"privacy", "sensitivity", "rate", "lemma", "floor", "experiment"};
  std::string text =
      "\n| kind | claims | as expected | not as expected | not decided | stopped |\n"
      "|---|---:|---:|---:|---:|---:|\n";
  for (const char* kind : kinds) {
    std::array<int, 4> of{};
    int all = 0;
    for (const ClaimOutcome& claim : outcomes.claims)
      if (claim.kind == kind) {
        ++of.at(static_cast<std::size_t>(claim.outcome));
        ++all;
      }
    if (all > 0)
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", kind, all, of[0], of[1], of[2], of[3]);
  }
  return text;
}

std::string headline(const Outcomes& outcomes) {
  const std::size_t wrong = with_outcome(outcomes, TestOutcome::failed).size() +
                            with_outcome(outcomes, TestOutcome::stopped).size();
  const std::size_t right = with_outcome(outcomes, TestOutcome::passed).size();
  std::string text = wrong == 0 ? fmt::format("{} as expected", plural(right, "verdict"))
                                : fmt::format("{} not as expected", plural(wrong, "verdict"));
  if (outcomes.time_limit)
    text += fmt::format("; the time limit left {} unchecked",
                        plural(outcomes.left_out.size(), "claim"));
  return text;
}

}  // namespace

std::string markdown(const Outcomes& outcomes) {
  std::vector<const ClaimOutcome*> undecided;
  for (const ClaimOutcome* claim : with_outcome(outcomes, TestOutcome::skipped))
    if (claim->verdict == Verdict::inconclusive) undecided.push_back(claim);
  std::map<std::string, int> findings;
  for (const ClaimOutcome& claim : outcomes.claims)
    if (!claim.severity.empty() && claim.verdict == Verdict::refuted) ++findings[claim.severity];
  const auto in_words = [](const ClaimOutcome* claim) { return entry(*claim); };
  std::string text = fmt::format(
      "<!-- dpverify {} -->\n## {}: {}\n\nCommit {}{}, plan {}, seed {}.\n", outcomes.version,
      plain(outcomes.program), headline(outcomes), code(outcomes.commit.substr(0, 12)),
      outcomes.dirty ? " with changes" : "", outcomes.plan, outcomes.seed);
  text += section("Not as expected", with_outcome(outcomes, TestOutcome::failed), in_words);
  text += section("Stopped by an error", with_outcome(outcomes, TestOutcome::stopped), in_words);
  text += section("Not decided", undecided, in_words);
  text += section("Left out by the time limit", outcomes.left_out,
                  [](const std::string& claim) { return fmt::format("- {}\n", code(claim)); });
  text += counts(outcomes);
  if (!findings.empty()) {
    text += "\nRefuted claims of papers, as they are known to be:";
    for (const auto& [severity, count] : findings)
      text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", count, code(severity));
    text += ".\n";
  }
  return text;
}

}  // namespace dpverify
