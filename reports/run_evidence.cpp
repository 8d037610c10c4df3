#include "reports/run_evidence.hpp"

#include <fmt/format.h>

namespace dpverify {
namespace {

// What the audit could have seen, for a claim that it did not refute.
std::string power_in_words(const RunRequest& request, const RunAudit& audit,
                           const RunWords& words) {
  const std::string fault =
      fmt::format("Laplace noise that needs {:.4g} times the claimed {}", request.fault,
                  request.claimed.epsilon > 0 ? "epsilon" : "delta");
  return audit.runs_needed
             ? fmt::format(
                   "{} would have been refuted by these {} runs a dataset (in 18 of 20 "
                   "simulations); a fault that shows in rarer events needs more.",
                   fault, *audit.runs_needed)
             : fmt::format(
                   "{} would not surely have been refuted by {} runs a dataset: {} "
                   "allows for more, {} asks for a larger one.",
                   fault, request.most_runs, words.most_runs, words.fault);
}

}  // namespace

std::string about_bits(OutputModel model, std::string_view no_bits) {
  return model == OutputModel::doubles
             ? fmt::format(
                   "Outputs are compared bit by bit, as doubles: what only their last bits show "
                   "may be no fault of the mechanism in real arithmetic ({} leaves them out).",
                   no_bits)
             : "Outputs are compared as numbers; what their last bits show is not looked for.";
}

Claim claim_of_the_outputs(PrivacyGuarantee claimed, const std::string& where,
                           const std::string& subject, std::string_view assumption) {
  Claim claim;
  claim.id = claim.algorithm = "outputs";
  claim.source = {Text::command_line, where};
  claim.statement =
      fmt::format("{} is ({:.6g}, {:.4g})-DP.", subject, claimed.epsilon, claimed.delta);
  claim.assumptions = {std::string(assumption)};
  claim.check = PrivacyClaim{};
  return claim;
}

Evidence evidence_of(const RunRequest& request, const RunAudit& audit, const RunWords& words) {
  const SequentialAudit& found = audit.found;
  Evidence evidence{.claim = "outputs", .method = std::string(words.method)};
  evidence.claimed = request.claimed.epsilon;
  evidence.measurements = {{"delta claimed", request.claimed.delta},
                           {"runs a dataset", static_cast<double>(found.samples)}};
  if (audit.runs_needed)
    evidence.measurements.push_back(
        {"runs a dataset that refute the fault", static_cast<double>(*audit.runs_needed)});
  evidence.samples = 2 * found.samples;
  evidence.seed = request.seed;
  const bool refuted = found.verdict == Verdict::refuted;
  evidence.verdict = !audit.dependence.empty() ? Verdict::inconclusive
                     : refuted                 ? Verdict::refuted
                     : audit.runs_needed       ? Verdict::consistent
                                               : Verdict::inconclusive;
  if (!audit.dependence.empty()) {
    evidence.reason = fmt::format("Nothing is counted: {}.", audit.dependence);
    return evidence;
  }
  evidence.reason = found.reason + ".";
  if (refuted) {
    evidence.estimate = found.epsilon_lower;
    evidence.tightness = above_claimed(times_claimed(found.epsilon_lower, request.claimed.epsilon));
  } else {
    evidence.reason += " " + power_in_words(request, audit, words);
    if (audit.runs_needed) {
      evidence.smallest_fault = request.fault;
      evidence.strength = Strength::sampled;
    }
  }
  if (!audit.failures_in_words.empty())
    evidence.reason += fmt::format(" How a run fails is an output: {}.", audit.failures_in_words);
  evidence.reason += fmt::format(" {} {}", words.granted, about_bits(request.model, words.no_bits));
  return evidence;
}

}  // namespace dpverify
