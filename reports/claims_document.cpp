#include "reports/claims_document.hpp"

#include <fmt/format.h>

#include <map>

#include "algorithms/claims/evidence.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

// For a cell of a table, whose cells end with a bar; a line that starts with a sign of Markdown
// does not occur in one.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

// Ids are <algorithm>.<what>.<edition>.
std::string what(const Claim& claim) {
  const std::size_t from = claim.algorithm.size() + 1;
  return claim.id.substr(from, claim.id.size() - from - name(claim.edition).size() - 1);
}

// In bold, unless the claim holds.
std::string emphasised(Expectation expectation) {
  const std::string_view verdict = name(expected_verdict(expectation));
  return expectation == Expectation::holds ? std::string(verdict) : fmt::format("**{}**", verdict);
}

std::string row(const Claim& claim) {
  return fmt::format("| {} | {} | {} | {} | {}; {} |\n", what(claim), name(claim.edition),
                     emphasised(claim.expectation), escaped(claim.statement),
                     name(claim.source.text), escaped(claim.source.where));
}

}  // namespace

std::string claims_document(const std::vector<Claim>& claims) {
  std::map<std::string, std::vector<const Claim*>> algorithms;
  for (const Claim& claim : claims) algorithms[claim.algorithm].push_back(&claim);
  std::string text = fmt::format(
      "# Claims\n\n"
      "Each of the {} statements that are checked, and the verdict that it gets: `{}` fails if "
      "one\n"
      "changes. `{}` says how it is checked and what was "
      "found. Editions:\n"
      "`printed`, as the text says; `proved`, what its proof supports; `corrected`, what this "
      "project ships;\n"
      "`reading`, one way to read a place that a copy garbles or the text leaves open, which says "
      "nothing against the "
      "paper. Made by\n"
      "`{}`.\n",
      claims.size(), command("verify"), command("explain ALGORITHM.CLAIM.EDITION"),
      command("list --markdown"));
  for (const auto& [algorithm, all] : algorithms) {
    text += fmt::format(
        "\n## {}\n\n| claim | edition | verdict | statement | source |\n|---|---|---|---|---|\n",
        algorithm);
    std::size_t mutants = 0;
    for (const Claim* claim : all)
      if (claim->edition == Edition::mutant)
        ++mutants;
      else
        text += row(*claim);
    if (mutants > 0)
      text += fmt::format(
          "| planted faults | mutant | **refuted**{} | What is shipped, with one fault planted. | "
          "this project |\n",
          mutants > 1 ? fmt::format(", all {}", mutants) : "");
  }
  return text;
}

}  // namespace dpverify
