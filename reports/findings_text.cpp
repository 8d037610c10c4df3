#include "reports/findings_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

struct Found {
  const Claim* claim;        // has a finding
  const Evidence* evidence;  // null: not in the report
  double worst = 0;  // how many times what is claimed, there or by the same defect elsewhere
};

Severity severity(const Found& found) { return found.claim->finding->severity; }

// How many times what is claimed; 0 if it was not measured.
double excess(const Found& found) {
  if (found.evidence == nullptr || found.evidence->verdict != Verdict::refuted) return 0;
  return found.evidence->tightness.value_or(0);
}

bool graver(const Found& a, const Found& b) {
  if (severity(a) != severity(b)) return severity(a) < severity(b);
  // Privacy lost once is told before how it comes about.
  const bool a_is_root = a.claim->finding->same_as.empty(),
             b_is_root = b.claim->finding->same_as.empty();
  if (a_is_root != b_is_root) return a_is_root;
  return a.worst > b.worst;
}

// Of all findings of a paper.
void find_the_worst(std::vector<Found>& all) {
  for (Found& found : all) {
    found.worst = excess(found);
    for (const Found& other : all)
      if (other.claim->finding->same_as == found.claim->id)
        found.worst = std::max(found.worst, excess(other));
  }
}

// A defect of its own, graver than a slip, and seen to fail wherever it was measured.
bool may_be_gravest(const Found& found) {
  return found.claim->finding->same_as.empty() && severity(found) != Severity::slip &&
         (found.evidence == nullptr || found.evidence->verdict == Verdict::refuted);
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
    case Severity::privacy_near_one:
      return "Privacy broken only where delta is near 1";
    case Severity::proof_step:
      return "Steps of proofs; what they are to prove stands";
    case Severity::slip:
      return "Slips";
  }
  return "";
}

std::string_view colour_of(Severity severity) {
  switch (severity) {
    case Severity::privacy:
      return "1;35";
    case Severity::privacy_extreme:
      return "35";
    case Severity::accuracy:
      return "33";
    case Severity::privacy_near_one:
      return "35";
    case Severity::proof_step:
    case Severity::slip:
      return "2";
  }
  return "";
}

// "24.08 times what is claimed", or why else it fails.
std::string by_how_much(const Found& found) {
  const double times = excess(found);
  // Of a rate it is no factor of one quantity.
  if (times > 0 && times < infinity && !std::holds_alternative<RateClaim>(found.claim->check))
    return fmt::format("{:.4g} times what is claimed", times);
  return found.evidence == nullptr ? "" : found.evidence->reason;
}

std::string entry(const Found& found, std::size_t rank) {
  const Claim* claim = found.claim;
  const Evidence* evidence = found.evidence;
  std::string text = fmt::format("{}. {}\n", rank, printable(claim->id));
  text += paragraph("Claimed", claim->statement);
  text += paragraph("Where", claim->source.where);
  text += paragraph("Why it fails", claim->finding->why);
  if (const std::string much = by_how_much(found); !much.empty()) text += paragraph("Found", much);
  if (evidence != nullptr && evidence->witness && !evidence->witness->explanation.empty())
    text += paragraph("Counterexample", evidence->witness->explanation);
  text += paragraph("Touches", claim->finding->touches);
  text += paragraph("Repair", claim->finding->repair);
  if (!claim->finding->same_as.empty()) text += paragraph("Same as", claim->finding->same_as);
  if (evidence != nullptr && !evidence->reproduce.empty())
    text += paragraph("Repeat", evidence->reproduce);
  return text + "\n";
}

std::string counted(const std::vector<Found>& all) {
  std::map<Severity, std::size_t> counts;
  for (const Found& found : all) ++counts[severity(found)];
  std::vector<std::string> words;
  for (const auto& [severity, count] : counts)
    words.push_back(fmt::format("{} {}", count, name(severity)));
  return fmt::format("{}: {}", plural(all.size(), "finding"), fmt::join(words, ", "));
}

std::string paper_in_words(std::string_view title, std::string_view key, std::vector<Found> all,
                           bool every_one, bool colours) {
  constexpr std::size_t few = 5;
  const std::size_t count = all.size();
  find_the_worst(all);
  std::ranges::stable_sort(all, graver);
  std::string text = fmt::format("{}\n{}\n\n", printable(title), counted(all));
  if (!every_one) {
    std::erase_if(all, [](const Found& found) { return !may_be_gravest(found); });
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(std::min(few, all.size())), all.end());
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || severity(all[k - 1]) != severity(all[k]))
      text += coloured(heading(severity(all[k])), colour_of(severity(all[k])), colours) + "\n\n";
    text += entry(all[k], k + 1);
  }
  if (all.size() < count)
    text += fmt::format("{} more: {}\n\n", count - all.size(),
                        command(fmt::format("findings {} --all", key)));
  return text;
}

}  // namespace

std::string findings_in_words(std::span<const NumberedPaper> papers,
                              const std::vector<Claim>& claims,
                              const std::vector<Evidence>& evidence, std::string_view where,
                              bool every_one, bool colours) {
  std::map<std::string_view, const Evidence*> measured;
  for (const Evidence& one : evidence) measured[one.claim] = &one;
  std::map<std::string_view, std::vector<Found>> found;  // by paper
  std::vector<std::string_view> keys;                    // in the order of `papers`, then others
  for (const NumberedPaper& paper : papers) keys.push_back(paper.key);
  for (const Claim& claim : claims) {
    if (!claim.finding || !is_in(claim.id, where)) continue;
    const std::string_view key = std::string_view(claim.id).substr(0, claim.id.find('.'));
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    const auto it = measured.find(claim.id);
    found[key].push_back(
        {.claim = &claim, .evidence = it == measured.end() ? nullptr : it->second});
  }
  std::string text;
  for (const std::string_view key : keys) {
    if (!found.contains(key)) continue;
    const auto paper = std::ranges::find(papers, key, &NumberedPaper::key);
    text += paper_in_words(paper == papers.end() ? key : name(paper->text), key,
                           std::move(found.at(key)), every_one, colours);
  }
  if (!text.empty()) return text + fmt::format("More on each: {}\n", command("explain ID"));
  throw std::invalid_argument(
      fmt::format("no finding on '{}', but must be a paper ({}) or an algorithm with findings",
                  where, fmt::join(keys, ", ")));
}

}  // namespace dpverify
