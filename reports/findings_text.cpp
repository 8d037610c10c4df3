#include "reports/findings_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "algorithms/claims/findings.hpp"
#include "algorithms/claims/results.hpp"
#include "algorithms/core/numbers.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

struct Found {
  const Finding* finding;
  const Claim* claim;
  const Evidence* evidence;  // null: not in the report
};

// How many times what is claimed; 0 if it was not measured.
double excess(const Found& found) {
  if (found.evidence == nullptr || found.evidence->verdict != Verdict::refuted) return 0;
  const double tightness = found.evidence->tightness.value_or(0);
  return std::holds_alternative<FloorClaim>(found.claim->check) && tightness > 0 ? 1 / tightness
                                                                                 : tightness;
}

bool graver(const Found& a, const Found& b) {
  if (a.finding->severity != b.finding->severity) return a.finding->severity < b.finding->severity;
  // Privacy lost once is told before how it comes about.
  const bool a_is_root = a.finding->same_as.empty(), b_is_root = b.finding->same_as.empty();
  if (a_is_root != b_is_root) return a_is_root;
  return excess(a) > excess(b);
}

bool is_in(std::string_view id, std::string_view where) {
  return where.empty() || (id.starts_with(where) && id.substr(where.size()).starts_with('.'));
}

std::string_view heading(Severity severity) {
  switch (severity) {
    case Severity::privacy:
      return "Privacy broken at parameters that people use";
    case Severity::privacy_extreme:
      return "Privacy broken at extreme parameters only";
    case Severity::accuracy:
      return "Accuracy, a rate or a lower bound not as stated";
    case Severity::proof_step:
      return "Steps of proofs; what they are to prove stands";
    case Severity::slip:
      return "Slips";
  }
  return "";
}

// "24.1 times what is claimed", or why else it fails.
std::string by_how_much(const Found& found) {
  const double times = excess(found);
  if (times > 0 && times < infinity) return fmt::format("{:.3g} times what is claimed", times);
  return found.evidence == nullptr ? "" : found.evidence->reason;
}

std::string entry(const Found& found, std::size_t rank) {
  const auto& [finding, claim, evidence] = found;
  std::string text = fmt::format("{}. {}\n", rank, claim->id);
  text += paragraph("Claimed", claim->statement);
  if (const std::string much = by_how_much(found); !much.empty()) text += paragraph("Found", much);
  if (evidence != nullptr && evidence->witness && !evidence->witness->explanation.empty())
    text += paragraph("Counterexample", evidence->witness->explanation);
  text += paragraph("Touches", std::string(finding->touches));
  text += paragraph("Repair", std::string(finding->repair));
  if (!finding->same_as.empty()) text += paragraph("Same as", std::string(finding->same_as));
  return text + "\n";
}

std::string counted(const std::vector<Found>& all) {
  std::map<Severity, std::size_t> counts;
  for (const Found& found : all) ++counts[found.finding->severity];
  std::vector<std::string> words;
  for (const auto& [severity, count] : counts)
    words.push_back(fmt::format("{} {}", count, name(severity)));
  return fmt::format("{}: {}", plural(all.size(), "finding"), fmt::join(words, ", "));
}

std::string paper_in_words(std::string_view paper, std::vector<Found> all, bool every_one) {
  std::ranges::stable_sort(all, graver);
  std::string text = fmt::format("{}\n{}\n\n", paper_title(paper), counted(all));
  std::size_t rank = 0;
  const Severity last = every_one ? Severity::slip : Severity::accuracy;
  for (std::size_t k = 0; k < all.size() && all[k].finding->severity <= last; ++k) {
    const Severity severity = all[k].finding->severity;
    if (k == 0 || all[k - 1].finding->severity != severity)
      text += fmt::format("{}\n\n", heading(severity));
    text += entry(all[k], ++rank);
  }
  if (rank < all.size())
    text += fmt::format("{} more: ./dpverify findings {} --all\n\n", all.size() - rank, paper);
  return text;
}

}  // namespace

std::string findings_in_words(const std::vector<Claim>& claims,
                              const std::vector<Evidence>& evidence, std::string_view where,
                              bool every_one) {
  std::map<std::string_view, const Evidence*> measured;
  for (const Evidence& one : evidence) measured[one.claim] = &one;
  std::vector<std::string_view> papers;  // in the order of the results
  for (const NumberedResult& result : numbered_results())
    if (papers.empty() || papers.back() != result.paper) papers.push_back(result.paper);
  std::string text;
  for (const std::string_view paper : papers) {
    std::vector<Found> of_paper;
    for (const Claim& claim : claims) {
      const Finding* finding = find_finding(claim.id);
      if (finding == nullptr || !is_in(claim.id, paper) || !is_in(claim.id, where)) continue;
      const auto it = measured.find(claim.id);
      of_paper.push_back({finding, &claim, it == measured.end() ? nullptr : it->second});
    }
    if (!of_paper.empty()) text += paper_in_words(paper, std::move(of_paper), every_one);
  }
  if (!text.empty()) return text + "More on each: ./dpverify explain ID\n";
  throw std::invalid_argument(
      fmt::format("no finding on '{}', but must be a paper ({}) or an algorithm with findings",
                  where, fmt::join(papers, ", ")));
}

}  // namespace dpverify
