#include "reports/audit_recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include "algorithms/core/composition.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/bracket.hpp"
#include "audits/exact/pair_audit.hpp"
#include "reports/audit_outputs.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/recorded_file.hpp"

namespace dpverify {
namespace {

constexpr std::string_view as_recorded =
    "Taken for granted: the two datasets are neighbours, each run has fresh noise, and whatever "
    "else is random in it (minibatches, say) is the same on both datasets and counts as published.";

Claim claim_of_the_releases(const std::string& kind, const std::string& file,
                            std::string statement) {
  Claim claim;
  claim.id = "releases." + kind;
  claim.algorithm = "releases";
  claim.source = {Text::command_line, file};
  claim.statement = std::move(statement);
  claim.assumptions = {std::string(as_recorded)};
  if (kind == "sensitivity")
    claim.check = SensitivityClaim{};
  else
    claim.check = PrivacyClaim{};
  return claim;
}

// The releases that move most, as a share of what they declare.
Table moved_most(const std::vector<RecordedPlace>& places) {
  constexpr std::size_t most = 20;
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](auto a, auto b) { return places[a].ratio > places[b].ratio; });
  Table table{"releases that move most",
              {"release", "change/declared", "change", "declared", "largest l1", "largest l2",
               "largest linf"},
              {}};
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const RecordedPlace& at = places[order[k]];
    table.rows.push_back({static_cast<double>(order[k] + 1), at.ratio, at.change,
                          at.declared.sensitivity, at.l1, at.l2, at.linf});
  }
  return table;
}

const RecordedPlace* worst_place(const std::vector<RecordedPlace>& places) {
  const auto worst = std::ranges::max_element(places, {}, &RecordedPlace::ratio);
  return worst == places.end() ? nullptr : &*worst;
}

std::string in_words(const RecordedPlace& at, std::size_t number) {
  return fmt::format("release {} ({}) of run {} moves by {:.6g} in {} where {:.6g} is declared",
                     number, at.law, at.run, at.change, name(at.declared.norm),
                     at.declared.sensitivity);
}

Evidence sensitivity_evidence(const RecordedFacts& facts, const AuditRecordedOptions& options) {
  Evidence evidence{.method = "recorded releases, replayed"};
  evidence.samples = facts.releases;
  evidence.seed = options.seed;
  const RecordedPlace* worst = worst_place(facts.places);
  const double ratio = worst == nullptr ? 0 : worst->ratio;
  const bool refuted = ratio > 1 + rounding, near = ratio * options.fault >= 1 - rounding;
  evidence.estimate = ratio;
  evidence.tightness = refuted ? above_claimed(ratio) : at_most_claimed(ratio);
  evidence.claimed = 1;
  evidence.tables = {moved_most(facts.places)};
  evidence.verdict = refuted ? Verdict::refuted
                     : near  ? Verdict::consistent
                             : Verdict::inconclusive;
  if (!refuted) evidence.smallest_fault = smallest_fault(ratio);
  if (ratio > 0) {
    const auto number = static_cast<std::size_t>(worst - facts.places.data()) + 1;
    evidence.reason = fmt::format("Of all that was recorded, {}", in_words(*worst, number));
    evidence.witness = Witness{.explanation = in_words(*worst, number)};
  } else {
    evidence.reason = "No value that was recorded differs between the datasets";
  }
  evidence.reason += refuted ? ": more than it may."
                     : near
                         ? "."
                         : fmt::format(
                               ": on this pair a sensitivity that is {:.4g} times too small would "
                               "not be seen (--fault).",
                               options.fault);
  if (!facts.data_in_the_noise.empty())
    evidence.reason +=
        fmt::format(" And {}: no sensitivity speaks of that.", facts.data_in_the_noise);
  return evidence;
}

// What the releases of a run cost together, the dearest seen at each place. Infinite, with a
// problem, if nothing is certified.
struct RecordedCertificate {
  double epsilon = infinity;
  std::string problem;
};

RecordedCertificate certificate_of(const RecordedFacts& facts, double delta) {
  if (!facts.leak.empty()) return {.problem = facts.leak};
  if (!facts.data_in_the_noise.empty()) return {.problem = facts.data_in_the_noise};
  std::vector<ReleaseCost> costs;
  double pure = 0, rho = 0;
  for (std::size_t k = 0; k < facts.places.size(); ++k) {
    const RecordedPlace& at = facts.places[k];
    if (at.ratio > 1 + rounding) return {.problem = in_words(at, k + 1)};
    const auto& [epsilon, mu, of_rho] = at.cost.declared;
    if (std::isinf(std::min({epsilon, mu, of_rho})))
      return {.problem = fmt::format("release {} ({}) declares no cost", k + 1, at.law)};
    costs.push_back(at.cost);
    pure += epsilon;
    rho += of_rho;
  }
  RecordedCertificate out;
  try {
    out.epsilon = composed_epsilon(costs, delta);
  } catch (const std::invalid_argument&) {  // too many different costs for the optimal composition
    out.epsilon = std::min(pure, zcdp_epsilon(rho, delta));
  }
  if (std::isinf(out.epsilon))
    out.problem =
        fmt::format("what the releases declare is finite for no epsilon at delta {:.4g}", delta);
  return out;
}

double share_of(double epsilon, double claimed) {
  return claimed > 0 ? epsilon / claimed : epsilon > 0 ? infinity : 0;
}

ChannelFinding by_exact_laws(const RecordedFacts& facts, PrivacyGuarantee claimed) {
  ChannelFinding out{.channel = "exact"};
  const NeighbouringPair pair = recorded_pair();
  const AuditMethod method = audit_method(*facts.mechanism, pair);
  const auto audit = audit_pair(method, *facts.mechanism, pair);
  out.epsilon_lower = audit->epsilon(claimed.delta);
  out.ceiling = infinity;
  out.verdict = *out.epsilon_lower > claimed.epsilon * (1 + rounding) ? Verdict::refuted
                                                                      : Verdict::consistent;
  out.reason = fmt::format(
      "The laws are the same in all {} runs: by {}, the datasets need an epsilon of {:.6g} at "
      "delta {:.4g}: {}.",
      facts.runs, describe(method), *out.epsilon_lower, claimed.delta, audit->explanation());
  return out;
}

// What the transcripts would have refuted, if they did not refute the claim; looked: whether that
// is enough.
std::string power_of(const RecordedFacts& facts, const AuditRecordedOptions& options,
                     Evidence& evidence, bool& looked) {
  const double smallest = transcripts::smallest_refuted_fault(
      options.claimed, static_cast<Index>(facts.forward.draws.size()),
      static_cast<Index>(facts.backward.draws.size()), options.significance);
  looked = smallest <= options.fault;
  if (!std::isfinite(smallest))
    return "So many runs would refute Laplace noise however little it is only by luck.";
  evidence.smallest_fault = smallest;
  return fmt::format(
      "So many runs refute Laplace noise that needs {:.4g} times the claimed {} or more; a fault "
      "that shows in rarer events has to be larger{}.",
      smallest, options.claimed.epsilon > 0 ? "epsilon" : "delta",
      looked ? "" : fmt::format(" (--fault {:.4g} was asked for)", options.fault));
}

// The bracket decides: the larger lower end, the certificate, and how hard the channels looked.
void judge_recorded(const RecordedFacts& facts, const AuditRecordedOptions& options,
                    const RecordedCertificate& certificate, double found, Evidence& evidence) {
  const double claimed = options.claimed.epsilon;
  Bracket bracket{.found = share_of(found, claimed), .pair_is_given = true};
  if (std::isfinite(certificate.epsilon))
    bracket.certified = share_of(certificate.epsilon, claimed);
  bracket.problem = certificate.problem;
  if (facts.mechanism && found > 0) {
    bracket.looked = Strength::exact_on_searched_pairs;
    evidence.smallest_fault = smallest_fault(bracket.found);
  } else {
    bool looked = false;
    evidence.reason += " " + power_of(facts, options, evidence, looked);
    const bool differs = std::max(facts.forward.largest(), facts.backward.largest()) > 0;
    if (looked && differs) bracket.looked = Strength::sampled;
  }
  const Decision decision = decide(bracket);
  evidence.verdict = decision.verdict;
  evidence.strength = decision.strength;
  evidence.reason += " " + decision.reason;
}

Evidence privacy_evidence(const RecordedFacts& facts, const AuditRecordedOptions& options) {
  const PrivacyGuarantee claimed = options.claimed;
  Evidence evidence{.method = "recorded releases: transcripts, replayed"};
  evidence.claimed = claimed.epsilon;
  evidence.samples = facts.runs;
  evidence.seed = options.seed;
  evidence.measurements = {
      {"delta claimed", claimed.delta},
      {"runs drawn on the data", static_cast<double>(facts.forward.draws.size())},
      {"runs drawn on the neighbour", static_cast<double>(facts.backward.draws.size())}};
  if (!facts.not_drawn.empty()) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "Nothing is counted: {}. What was recorded is not how the outcomes came about; audit these "
        "(--outputs).",
        facts.not_drawn);
    return evidence;
  }
  TranscriptAudit sampled =
      transcripts::audit_losses(facts.forward, facts.backward, claimed, options.significance, {});
  evidence.channels = {{.channel = "transcript",
                        .verdict = sampled.verdict,
                        .epsilon_lower = sampled.epsilon_lower,
                        .samples = sampled.samples,
                        .reason = sampled.reason}};
  evidence.tables = {std::move(sampled.curve)};
  evidence.reason = sampled.reason;
  if (facts.mechanism) {
    evidence.method += ", and exact laws";
    evidence.channels.push_back(by_exact_laws(facts, claimed));
    evidence.reason += " " + evidence.channels.back().reason;
  }
  if (!facts.leak.empty())
    evidence.reason += fmt::format(
        " Data reach what is published outside the releases: {}; such a run counts as an infinite "
        "loss.",
        facts.leak);
  double found = 0;
  bool refuted = false;
  for (const ChannelFinding& channel : evidence.channels) {
    found = std::max(found, *channel.epsilon_lower);
    refuted = refuted || channel.verdict == Verdict::refuted;
  }
  evidence.estimate = found;
  const double ratio = times_claimed(found, claimed.epsilon);
  evidence.tightness = refuted ? above_claimed(ratio) : at_most_claimed(ratio);
  const RecordedCertificate certificate = certificate_of(facts, claimed.delta);
  evidence.measurements.push_back({"certified epsilon", certificate.epsilon});
  if (refuted) {
    evidence.verdict = Verdict::refuted;
    evidence.reason += " " + certifies_nothing(certificate.problem);
  } else {
    judge_recorded(facts, options, certificate, found, evidence);
  }
  return evidence;
}

}  // namespace

bool audit_recorded_command(const AuditRecordedOptions& options, std::ostream& out) {
  const RecordedFacts facts = read_recorded_releases(options.file);
  const std::vector<Claim> claims{
      claim_of_the_releases("sensitivity", options.file,
                            "Between the two datasets every value before noise moves by at most "
                            "the sensitivity its release declares, in the norm it declares."),
      claim_of_the_releases(
          "privacy", options.file,
          fmt::format("On the two datasets the releases of a run, and what is published beside "
                      "them, are ({:.6g}, {:.4g})-DP together.",
                      options.claimed.epsilon, options.claimed.delta))};
  std::vector<Evidence> found{sensitivity_evidence(facts, options),
                              privacy_evidence(facts, options)};
  bool expected = true;
  for (std::size_t k = 0; k < claims.size(); ++k) {
    found[k].claim = claims[k].id;
    found[k].reproduce = audit_line({}, options.given, {"--seed", std::to_string(options.seed)});
    found[k].reason += k == 1 ? " " + std::string(as_recorded) : "";
    expected = expected && as_expected(claims[k], found[k]);
    if (!options.json)
      out << claims[k].id << "\n" << answer_in_words(claims[k], found[k], "these releases");
  }
  if (options.json) out << to_json(context_of_audit(options.seed), claims, found);
  return expected;
}

}  // namespace dpverify
