#include "algorithms/claims/evidence.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"consistent", "refuted", "inconclusive",
                                                  "not_run", "error"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view name(Strength strength) {
  constexpr std::array<std::string_view, 3> names{"certified", "exact on searched pairs",
                                                  "sampled"};
  return names[static_cast<std::size_t>(strength)];
}

double times_claimed(double measured, double claimed) {
  if (!(measured > 0)) return 0;
  return claimed > 0 ? measured / claimed : infinity;
}

double at_most_claimed(double ratio) { return std::min(ratio, 1.0); }

double above_claimed(double ratio) {
  return std::max(ratio, 1 + std::numeric_limits<double>::epsilon());
}

bool is_statistical(const Claim& claim, Plan plan) {
  if (const auto* privacy = std::get_if<PrivacyClaim>(&claim.check))
    return privacy->pair || (budget_of(plan).worst_outputs > 0 && !privacy->settings.empty());
  if (const auto* experiment = std::get_if<ExperimentClaim>(&claim.check))
    return plan >= experiment->smallest_plan;
  return std::holds_alternative<RateClaim>(claim.check) ||
         std::holds_alternative<FloorClaim>(claim.check);
}

Verdict expected_verdict(Expectation expectation) {
  return expectation == Expectation::holds ? Verdict::consistent : Verdict::refuted;
}

bool as_expected(const Claim& claim, const Evidence& evidence) {
  return evidence.verdict == expected_verdict(claim.expectation);
}

}  // namespace dpverify
