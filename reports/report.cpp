#include "reports/report.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace dpverify {
namespace {

void require_one_to_one(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence) {
  if (claims.size() != evidence.size())
    throw std::logic_error(std::to_string(evidence.size()) + " pieces of evidence for " +
                           std::to_string(claims.size()) + " claims");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (i > 0 && claims[i].id == claims[i - 1].id)
      throw std::logic_error("two claims have the id " + claims[i].id);
    if (claims[i].id != evidence[i].claim)
      throw std::logic_error("no evidence for the claim " + claims[i].id);
  }
}

void count(std::vector<ChannelScore>& scores, const std::string& channel, bool broken,
           bool refuted) {
  auto place = std::ranges::find(scores, channel, &ChannelScore::channel);
  if (place == scores.end()) place = scores.insert(place, {.channel = channel});
  ++(broken ? place->broken : place->twins);
  if (refuted) ++(broken ? place->caught : place->flagged);
}

std::vector<ChannelScore> channel_scores(const std::vector<Claim>& claims,
                                         const std::vector<Evidence>& evidence) {
  std::vector<ChannelScore> scores, any;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const bool broken = claims[i].expectation == Expectation::refuted;
    for (const ChannelFinding& finding : evidence[i].channels)
      if (finding.verdict != Verdict::not_run)
        count(scores, finding.channel, broken, finding.verdict == Verdict::refuted);
    if (!evidence[i].channels.empty())
      count(any, std::string(any_channel), broken, evidence[i].verdict == Verdict::refuted);
  }
  scores.insert(scores.end(), any.begin(), any.end());
  return scores;
}

Summary summarise(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence) {
  Summary summary;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    const Evidence& found = evidence[i];
    ++summary.claims;
    ++summary.verdicts[static_cast<std::size_t>(found.verdict)];
    if (claim.edition == Edition::mutant) {
      ++summary.mutants;
      if (found.verdict == Verdict::refuted) ++summary.mutants_refuted;
    }
    if (found.verdict == Verdict::not_run) continue;
    if (as_expected(claim, found))
      ++summary.as_expected;
    else
      summary.unexpected.push_back({.claim = claim.id,
                                    .verdict = found.verdict,
                                    .expectation = claim.expectation,
                                    .reason = found.reason,
                                    .reproduce = found.reproduce});
  }
  if (summary.mutants > 0)
    summary.mutation_score = static_cast<double>(summary.mutants_refuted) / summary.mutants;
  summary.channels = channel_scores(claims, evidence);
  return summary;
}

}  // namespace

std::string_view name(DocumentKind kind) {
  constexpr std::array<std::string_view, 6> names{"verify", "audit",  "run",
                                                  "rates",  "figure", "list"};
  return names[static_cast<std::size_t>(kind)];
}

Report make_report(Context context, std::vector<Claim> claims, std::vector<Evidence> evidence,
                   Timings timings) {
  std::ranges::sort(claims, std::less<>{}, &Claim::id);
  std::ranges::sort(evidence, std::less<>{}, &Evidence::claim);
  std::ranges::sort(timings.claims, std::less<>{}, &ClaimTiming::claim);
  require_one_to_one(claims, evidence);
  Summary summary = summarise(claims, evidence);
  return {.kind = DocumentKind::verify,
          .context = std::move(context),
          .claims = std::move(claims),
          .evidence = std::move(evidence),
          .summary = std::move(summary),
          .timings = std::move(timings)};
}

}  // namespace dpverify
