#include <fmt/format.h>

#include <ostream>

#include "algorithms/core/checked.hpp"
#include "reports/arguments.hpp"
#include "reports/audit_command.hpp"
#include "reports/audit_outputs.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/pair_files.hpp"
#include "reports/selection.hpp"

namespace dpverify {
namespace {

std::vector<Claim> privacy_claims(const std::vector<Claim>& claims, const std::string& id) {
  std::vector<Claim> found;
  for (const Claim& claim : claims)
    if (std::holds_alternative<PrivacyClaim>(claim.check) &&
        (claim.id == id || claim.algorithm == id))
      found.push_back(claim);
  if (!found.empty()) return found;
  const Claim& other = find_claim(claims, id);  // complains about an unknown id
  require(false, "claim to audit", "'" + id + "', of kind " + std::string(kind(other)),
          "a claim of kind privacy");
  return found;
}

// The claim as the user asks about it. Whether its mechanism has another guarantee than the claimed
// one, no paper says.
Claim as_asked(Claim claim, const AuditCommandOptions& options) {
  claim = at_guarantee(std::move(claim), options.asked);
  if (const auto& other = options.request.claimed) {
    claim.expectation = Expectation::holds;
    claim.statement += fmt::format(" Asked: is it, with its own noise, ({:.6g}, {:.4g})-DP?",
                                   other->epsilon, other->delta);
  }
  return claim;
}

// The user's own: who reads the evidence may not be one of those who may read the files.
void hide_records(Evidence& evidence) {
  if (!evidence.witness || !evidence.witness->pair) return;
  evidence.witness->pair.reset();
  evidence.witness->explanation += "; its records are shown with --show-data only";
}

}  // namespace

bool audit_command(const std::vector<Claim>& claims, const AuditCommandOptions& options,
                   std::ostream& out) {
  AuditRequest request = options.request;
  if (request.choice == PairChoice::given)
    request.pair = read_pair(options.files, options.target, message_detail(options.show_data));
  std::vector<Claim> audited = privacy_claims(claims, options.id);
  for (Claim& claim : audited) claim = as_asked(std::move(claim), options);
  std::vector<Evidence> found;
  bool expected = true;
  for (Claim& claim : audited) {
    request.setting = options.setting.value_or(0);
    Evidence evidence = audit_claim(claim, request);
    const std::size_t settings = count_settings(std::get<PrivacyClaim>(claim.check));
    while (!options.setting && claim.expectation == Expectation::refuted &&
           evidence.verdict != Verdict::refuted && request.setting + 1 < settings) {
      ++request.setting;
      evidence = audit_claim(claim, request);
    }
    // One that is known to be false is so at some of its parameters.
    if ((options.asked.epsilon || options.asked.delta) && evidence.verdict != Verdict::refuted)
      claim.expectation = Expectation::holds;
    if (request.choice == PairChoice::given && !options.show_data) hide_records(evidence);
    evidence.reproduce = audit_line(
        {claim.id}, options.given,
        {"--setting", std::to_string(request.setting + 1), "--seed", std::to_string(request.seed)});
    expected = expected && as_expected(claim, evidence);
    if (!options.json) {
      const std::string words = printable_lines(evidence_in_words(claim, evidence, "this audit"));
      out << with_coloured_verdicts(laid_out(claim.id + "\n" + words, options.columns),
                                    options.colours)
          << std::endl;
    }
    found.push_back(std::move(evidence));
  }
  if (options.json) out << to_json(context_of_audit(request.seed), audited, found);
  return expected;
}

}  // namespace dpverify
