#include "audits/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/bracket.hpp"
#include "audits/privacy_check.hpp"
#include "audits/subject.hpp"

namespace dpverify {
namespace {

// What composition certifies on the pair's shape goes into the bracket.
void certify(const Claim& claim, const AuditRequest& request, const Subject& subject,
             Evidence& evidence, Bracket& bracket) {
  const ReplayFacts& facts = subject.facts;
  std::string& problem = bracket.problem;
  problem = !facts.own_randomness.empty() ? facts.own_randomness : facts.broken_promise;
  Certificate certificate;
  if (problem.empty()) {
    certificate =
        certify(subject.mechanism, subject.pair.data.size(), subject.pair.data.dimension(),
                subject.claimed.delta,
                RandomStream({.seed = request.seed, .claim = claim.id, .purpose = "certificate"}));
    problem = certificate.problem;
    bracket.beyond_certificates = !certificate.declared;
  }
  // Some promise that was not seen to be broken must be.
  if (problem.empty() && evidence.estimate.value_or(0) > certificate.epsilon * (1 + rounding))
    problem = fmt::format("epsilon is at least {:.6g}, above the {:.6g} that it would certify",
                          *evidence.estimate, certificate.epsilon);
  if (!problem.empty()) return;
  evidence.measurements.push_back({"epsilon certified by composition", certificate.epsilon});
  bracket.certified = certificate.epsilon / subject.claimed.epsilon;
}

// What the channel says for the claim, if it could have refuted it and did not. Outputs alone
// cannot speak for a mechanism that is seen to pass data around its releases.
std::optional<Strength> speaks(const ChannelFinding& finding, const ReplayFacts& facts) {
  if (finding.verdict != Verdict::consistent) return std::nullopt;
  if (finding.channel == name(Channel::exact)) return Strength::exact_on_searched_pairs;
  if (finding.channel == name(Channel::black_box) && !facts.leak.empty()) return std::nullopt;
  return Strength::sampled;
}

Evidence audit_setting(const Claim& claim, const AuditRequest& request) {
  const Subject subject = subject_of(claim, request, request.setting);
  const double claimed = subject.claimed.epsilon;
  Evidence evidence{.claim = claim.id};
  evidence.seed = request.seed;
  evidence.claimed = claimed;
  evidence.measurements = {{"delta claimed", subject.claimed.delta}};
  std::vector<std::string> methods, reasons;
  Bracket bracket{.pair_is_given = pair_is_given(claim, request)};
  bool refuted = false;
  Witness witness{.parameters = subject.setting.parameters,
                  .pair = subject.pair,
                  .outcome_seed = 0,
                  .outcomes = {},
                  .explanation = subject.origin};
  for (ChannelAudit& audit : look(claim, request, request.channels, subject)) {
    ChannelFinding& finding = audit.finding;
    methods.emplace_back(finding.channel);
    refuted = refuted || finding.verdict == Verdict::refuted;
    if (const auto strength = speaks(finding, subject.facts))
      bracket.looked = std::min(bracket.looked.value_or(*strength), *strength);
    evidence.estimate = std::max(evidence.estimate.value_or(0), finding.epsilon_lower.value_or(0));
    evidence.ceiling = std::max(evidence.ceiling.value_or(0), finding.ceiling.value_or(0));
    evidence.samples += finding.samples;
    if (finding.verdict != Verdict::not_run || !subject.facts.own_randomness.empty())
      reasons.push_back(in_words(finding));
    if (audit.exact) {
      witness.outcomes = audit.exact->path();
      witness.explanation = fmt::format("on {}, {}", subject.origin, audit.exact->explanation());
    }
    for (Table& table : audit.tables) evidence.tables.push_back(std::move(table));
    evidence.channels.push_back(std::move(finding));
  }
  evidence.method = fmt::format("{} audit", fmt::join(methods, ", "));
  bracket.found = times_claimed(evidence.estimate.value_or(0), claimed);
  if (request.certificate) certify(claim, request, subject, evidence, bracket);
  const Decision decision = decide(bracket);
  evidence.verdict = refuted ? Verdict::refuted : decision.verdict;
  evidence.tightness = refuted ? above_claimed(*bracket.found) : at_most_claimed(*bracket.found);
  if (!refuted) {
    evidence.strength = decision.strength;
    evidence.smallest_fault = smallest_fault(bracket.found);
  }
  reasons.push_back(refuted ? certifies_nothing(bracket.problem) : decision.reason);
  std::erase(reasons, "");
  evidence.reason = fmt::format("On {}: {}", subject.origin, fmt::join(reasons, " "));
  evidence.witness = std::move(witness);
  return evidence;
}

}  // namespace

AuditRequest audit_request(const Claim& claim, const CheckContext& context) {
  const PlanBudget& plan = budget_of(context.plan);
  const bool own_pair = std::get<PrivacyClaim>(claim.check).pair.has_value();
  AuditRequest request;
  request.budget.transcripts = own_pair ? plan.pair_transcripts : plan.worst_transcripts;
  request.budget.most_transcripts = 4 * request.budget.transcripts;
  request.budget.outputs = own_pair ? plan.pair_outputs : plan.worst_outputs;
  request.budget.significance = context.level;
  request.budget.threads = context.threads;
  request.every_setting = !own_pair;
  request.evaluations = plan.audit_evaluations;
  request.certificate = !own_pair;
  request.seed = context.seed;
  std::erase_if(request.channels, [&](Channel channel) {
    return (channel == Channel::transcript && request.budget.transcripts == 0) ||
           (channel == Channel::black_box && request.budget.outputs == 0);
  });
  return request;
}

std::size_t count_settings(const PrivacyClaim& check) {
  return check.settings.size() + check.certified.size();
}

Evidence audit_claim(const Claim& claim, const AuditRequest& request) {
  return request.every_setting ? audit_settings(claim, request) : audit_setting(claim, request);
}

Evidence check_privacy(const Claim& claim, const CheckContext& context) {
  return audit_claim(claim, audit_request(claim, context));
}

}  // namespace dpverify
