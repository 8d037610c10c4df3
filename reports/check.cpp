#include "reports/check.hpp"

#include <fmt/format.h>

#include <exception>
#include <ostream>

#include "audits/floor_check.hpp"
#include "audits/privacy_check.hpp"
#include "bench/experiment_check.hpp"
#include "bench/rate_check.hpp"
#include "properties/lemma_check.hpp"
#include "properties/sensitivity_check.hpp"
#include "reports/evidence_text.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

Evidence run_check(const Claim& claim, const CheckContext& context) {
  if (std::holds_alternative<SensitivityClaim>(claim.check))
    return check_sensitivity(claim, context);
  if (std::holds_alternative<PrivacyClaim>(claim.check)) return check_privacy(claim, context);
  if (std::holds_alternative<RateClaim>(claim.check)) return check_rate(claim, context);
  if (std::holds_alternative<FloorClaim>(claim.check)) return check_floor(claim, context);
  if (std::holds_alternative<ExperimentClaim>(claim.check)) return check_experiment(claim, context);
  return check_lemma(claim, context);
}

Evidence stopped(const Claim& claim, std::string_view why) {
  Evidence evidence;
  evidence.verdict = Verdict::error;
  evidence.method = fmt::format("{} check, stopped", kind(claim));
  evidence.reason = fmt::format("the check stopped: {}", why);
  return evidence;
}

}  // namespace

Evidence evidence_on(const Claim& claim, const CheckContext& context) {
  Evidence evidence;
  try {
    evidence = run_check(claim, context);
  } catch (const std::exception& failure) {
    evidence = stopped(claim, failure.what());
  } catch (...) {
    evidence = stopped(claim, "an exception of unknown type");
  }
  evidence.claim = claim.id;
  evidence.seed = context.seed;
  return evidence;
}

Checked check(const Claim& claim, const CheckContext& context) {
  Checked checked{claim, evidence_on(claim, context)};
  checked.evidence.reproduce =
      fmt::format("check({}, {{.seed = {}, .plan = Plan::{}}}) in {}", claim.id, context.seed,
                  name(context.plan), program().name);
  return checked;
}

Checked check(const Claim& claim, Plan plan) { return check(claim, CheckContext{.plan = plan}); }

std::string in_words(const Checked& checked) {
  return fmt::format("{}\n  {}\n{}", checked.claim.id, checked.claim.statement,
                     laid_out(evidence_in_words(checked.claim, checked.evidence, "this check"), 0));
}

std::ostream& operator<<(std::ostream& out, const Checked& checked) {
  return out << in_words(checked);
}

}  // namespace dpverify
