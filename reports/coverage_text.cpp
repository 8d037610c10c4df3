#include "reports/coverage_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace dpverify {
namespace {

std::string_view paper_of(const Claim& claim) {
  return std::string_view(claim.algorithm).substr(0, claim.algorithm.find('.'));
}

// "`hu.peeling.privacy.printed` **refuted**", "`...` consistent (certified)".
std::string in_words(const Claim& claim, const std::map<std::string, const Evidence*>& found) {
  const auto it = found.find(claim.id);
  if (it == found.end()) return fmt::format("`{}` not in the report", claim.id);
  const Evidence& evidence = *it->second;
  if (evidence.verdict == Verdict::refuted) return fmt::format("`{}` **refuted**", claim.id);
  return fmt::format("`{}` {}{}", claim.id, name(evidence.verdict),
                     evidence.strength ? fmt::format(" ({})", name(*evidence.strength)) : "");
}

// The claims on one result: on what it says, and on steps of its proof or uses of it.
struct Claimed {
  std::vector<std::string> own;
  std::vector<std::string> in_passing;
};

std::string cell(const std::vector<std::string>& words) {
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, "<br>"));
}

std::string result_row(const NumberedResult& result, const Claimed& claimed) {
  return fmt::format(
      "| {} {} | {} | {} | {} |\n", name(result.number.kind), result.number.number, result.what,
      claimed.own.empty() && !result.unclaimed.empty() ? std::string(result.unclaimed)
                                                       : cell(claimed.own),
      cell(claimed.in_passing));
}

std::string paper_section(const NumberedPaper& paper, const std::vector<const Claim*>& claims,
                          const std::map<std::string, const Evidence*>& found) {
  std::map<ResultNumber, Claimed> claimed;
  std::map<std::string, std::vector<std::string>> elsewhere;
  for (const Claim* claim : claims) {
    const std::string words = in_words(*claim, found);
    const std::vector<Citation> cited = citations(claim->source.where);
    if (cited.empty()) elsewhere[claim->source.where].push_back(words);
    for (const Citation& citation : cited) {
      Claimed& of = claimed[citation.number];
      (citation.in_passing ? of.in_passing : of.own).push_back(words);
    }
  }
  std::string text;
  std::size_t all = 0, own = 0, some = 0;
  for (const NumberedResult& result : paper.results) {
    const Claimed& of = claimed[result.number];
    ++all;
    own += of.own.empty() ? 0 : 1;
    some += of.own.empty() && !of.in_passing.empty() ? 1 : 0;
    text += result_row(result, of);
  }
  text = fmt::format(
      "\n## {}\n\nOf {} numbered results {} are claimed by their own conclusion, {} only by steps "
      "of "
      "their proof or by their use.\n\n"
      "| result | what it says | claims | claims on steps of its proof, or that use it |\n"
      "|---|---|---|---|\n{}\n| other places of the text | claims |\n|---|---|\n",
      name(paper.text), all, own, some, text);
  for (const auto& [where, words] : elsewhere)
    text += fmt::format("| {} | {} |\n", where, cell(words));
  return text;
}

}  // namespace

std::string coverage_document(std::span<const NumberedPaper> papers,
                              const std::vector<Claim>& claims,
                              const std::vector<Evidence>& evidence, const std::string& origin) {
  std::map<std::string, const Evidence*> found;
  for (const Evidence& one : evidence) found[one.claim] = &one;
  std::string text = fmt::format(
      "# The numbered results of the papers\n\n"
      "Which claims speak of which result, and what was found: {}.\n"
      "A claim on a result's own conclusion stands apart from one on a step of its proof, and from "
      "one that uses it.\n",
      origin);
  for (const NumberedPaper& paper : papers) {
    std::vector<const Claim*> of_paper;
    for (const Claim& claim : claims)
      if (paper_of(claim) == paper.key && claim.edition != Edition::mutant)
        of_paper.push_back(&claim);
    text += paper_section(paper, of_paper, found);
  }
  return text;
}

}  // namespace dpverify
