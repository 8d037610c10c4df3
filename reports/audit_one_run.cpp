#include "reports/audit_one_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "reports/audit_outputs.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/run_evidence.hpp"

namespace dpverify {
namespace {

constexpr std::string_view fair_coins =
    "Taken for granted: a fair coin of its own decided whether each canary was included, and the "
    "scores follow from what the training gave out alone. The guarantee is for adding or removing "
    "a canary.";

// What so many guesses could have shown, for a claim that they did not refute.
std::string power_of_guesses(const AuditOneRunOptions& options, Index canaries,
                             const std::vector<Guesses>& tried, Evidence& evidence) {
  const double smallest =
      smallest_refuted_one_run_fault(canaries, tried, options.claimed, options.significance);
  if (smallest > options.fault) evidence.verdict = Verdict::inconclusive;
  if (!std::isfinite(smallest)) return "So many canaries would refute no fault but by luck. ";
  evidence.smallest_fault = smallest;
  return fmt::format(
      "So many canaries refute randomised response that needs {:.4g} times the claimed {} or more; "
      "scores that tell less need more canaries{}. ",
      smallest, options.claimed.epsilon > 0 ? "epsilon" : "delta",
      smallest > options.fault ? fmt::format(" (--fault {:.4g} was asked for)", options.fault)
                               : "");
}

Evidence evidence_of_one_run(const AuditOneRunOptions& options) {
  const std::vector<Canary> canaries = read_canaries(options.file);
  const auto size = static_cast<Index>(canaries.size());
  const std::vector<Guesses> tried =
      options.guesses ? std::vector<Guesses>{*options.guesses} : usual_guesses(size);
  Evidence evidence{.claim = "", .method = "black-box audit of one run"};
  evidence.claimed = options.claimed.epsilon;
  evidence.measurements = {{"delta claimed", options.claimed.delta}};
  evidence.samples = canaries.size();
  evidence.seed = options.seed;
  const OneRunAudit audit =
      audit_one_run(canaries, tried, options.claimed, options.significance,
                    RandomStream({.seed = options.seed, .claim = "canaries", .purpose = "ties"}));
  constexpr double significance = 1e-4;  // that an audit of fair coins is left undecided
  if (fair_coins_p_value(canaries) < significance) {
    const auto included =
        std::ranges::count_if(canaries, [](const Canary& canary) { return canary.included; });
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "{} of {} canaries are included, which fair coins hardly give: nothing is counted.",
        included, size);
    return evidence;
  }
  evidence.verdict = audit.verdict;
  evidence.estimate = audit.epsilon_lower;
  const double ratio = times_claimed(audit.epsilon_lower, options.claimed.epsilon);
  evidence.tightness =
      audit.verdict == Verdict::refuted ? above_claimed(ratio) : at_most_claimed(ratio);
  evidence.ceiling = audit.ceiling;
  evidence.measurements.push_back({"guesses", static_cast<double>(audit.guesses.total())});
  evidence.measurements.push_back({"right guesses", static_cast<double>(audit.correct)});
  evidence.measurements.push_back({"p-value", std::min(1.0, audit.p_value)});
  const std::string power =
      audit.verdict == Verdict::refuted ? "" : power_of_guesses(options, size, tried, evidence);
  evidence.reason = fmt::format("{}. {}{}", audit.reason, power, fair_coins);
  return evidence;
}

}  // namespace

bool audit_one_run_command(const AuditOneRunOptions& options, std::ostream& out) {
  const Claim claim = claim_of_the_outputs(options.claimed, options.file,
                                           "The training whose canaries these are", fair_coins);
  Evidence evidence = evidence_of_one_run(options);
  evidence.claim = claim.id;
  evidence.reproduce = audit_line({}, options.given, {"--seed", std::to_string(options.seed)});
  if (options.json)
    out << to_json(context_of_audit(options.seed), {claim}, {evidence});
  else
    out << printable_lines(answer_in_words(claim, evidence, "these canaries"));
  return as_expected(claim, evidence);
}

}  // namespace dpverify
