#include "reports/report_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "reports/layout.hpp"

namespace dpverify {
namespace {

std::string figure(const Evidence& evidence) {
  if (evidence.tightness) return fmt::format("tightness {:.4g}", *evidence.tightness);
  if (evidence.estimate && evidence.claimed)
    return fmt::format("{:.4g} against {:.4g}", *evidence.estimate, *evidence.claimed);
  if (evidence.estimate) return fmt::format("estimate {:.4g}", *evidence.estimate);
  return "";
}

// The reason, led by the reading unless the reason gives it.
std::string reason(const Evidence& evidence) {
  const auto found = std::ranges::search(
      evidence.reason, evidence.reading,
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  const bool said = evidence.reading.empty() || !found.empty();
  return printable(said ? evidence.reason : evidence.reading + ": " + evidence.reason);
}

// By what it means: red is a fault of what is tested, magenta one of a paper, which is known; green
// is what holds, and a planted fault that is seen; yellow is not decided.
const char* colour_of(const Claim& claim, const Evidence& evidence) {
  if (evidence.verdict == Verdict::not_run) return "2";
  if (evidence.verdict == Verdict::inconclusive) return "33";
  if (!as_expected(claim, evidence)) return "1;31";
  return claim.finding ? "35" : "32";
}

std::string summary_line(const Summary& summary) {
  std::vector<std::string> counts;
  for (const Verdict verdict : all_verdicts)
    if (const int count = summary.verdicts[static_cast<std::size_t>(verdict)]; count > 0)
      counts.push_back(fmt::format("{} {}", count, name(verdict)));
  std::string line =
      fmt::format("{} claims: {}; {} as expected, {} unexpected", summary.claims,
                  fmt::join(counts, ", "), summary.as_expected, summary.unexpected.size());
  if (summary.mutation_score)
    line += fmt::format("; mutation score {:.3g} ({} of {} mutants refuted)",
                        *summary.mutation_score, summary.mutants_refuted, summary.mutants);
  for (const ChannelScore& score : summary.channels)
    line += fmt::format("; {}{} caught {} of {} broken mechanisms, flagged {} of {} twins",
                        score.channel, score.channel == any_channel ? " channel" : "", score.caught,
                        score.broken, score.flagged, score.twins);
  return line;
}

std::string rows_of(const Report& report, bool colours,
                    bool (*shown)(const Claim&, const Evidence&)) {
  std::string text;
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const Evidence& evidence = report.evidence[i];
    if (!shown(report.claims[i], evidence)) continue;
    const char* colour = colour_of(report.claims[i], evidence);
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", coloured(name(evidence.verdict), colour, colours),
                        coloured(standing(report.claims[i], evidence), colour, colours),
                        evidence.claim, figure(evidence), reason(evidence));
  }
  return text;
}

}  // namespace

std::string report_table(const Report& report, bool colours) {
  return rows_of(report, colours, [](const Claim&, const Evidence&) { return true; }) +
         (report.summary.unexpected.empty() ? "" : "\n") + unexpected_in_words(report, colours);
}

std::string unexpected_rows(const Report& report, bool colours) {
  return rows_of(report, colours, [](const Claim& claim, const Evidence& evidence) {
    return evidence.verdict != Verdict::not_run && !as_expected(claim, evidence);
  });
}

std::string unexpected_in_words(const Report& report, bool colours) {
  std::string text;
  for (const UnexpectedVerdict& each : report.summary.unexpected)
    text += fmt::format("{}: {} is {}, but was expected to be {}\n  {}\n",
                        coloured("UNEXPECTED", "1;31", colours), each.claim, name(each.verdict),
                        name(expected_verdict(each.expectation)), printable(each.reproduce));
  return text + "\n" + summary_line(report.summary) + "\n";
}

std::string left_out_in_words(const Partial& partial) {
  constexpr std::size_t shown = 5;
  const std::vector<std::string>& ids = partial.left_out;
  const std::size_t named = std::min(shown, ids.size());
  return fmt::format(
      "The time limit of {:.6g} s left {} unchecked: {}{}; the next run goes on from there.\n",
      partial.time_limit, plural(ids.size(), "claim"),
      fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(named), ", "),
      named < ids.size() ? fmt::format(" and {} more, which the report names", ids.size() - named)
                         : "");
}

std::string claim_list(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& claim : claims)
    text += fmt::format("{}\t{}\t{}\t{}\t{}; {}\n", claim.id, kind(claim), name(claim.edition),
                        name(claim.expectation), name(claim.source.text), claim.source.where);
  return text;
}

}  // namespace dpverify
