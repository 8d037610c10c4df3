// Evidence on a mechanism that was only seen to run (see audits/black_box/run_audit.hpp).
#pragma once

#include <string>
#include <string_view>

#include "algorithms/claims/evidence.hpp"
#include "audits/black_box/run_audit.hpp"

namespace dpverify {

// How whoever asks calls what can be asked for.
struct RunWords {
  std::string_view method;     // "black-box audit of a program, sequential"
  std::string_view granted;    // what is taken for granted, a sentence
  std::string_view most_runs;  // "--samples"
  std::string_view fault;      // "--fault"
  std::string_view no_bits;    // "--bits no"
};

// Consistent only if the fault that was asked about would have been refuted.
Evidence evidence_of(const RunRequest& request, const RunAudit& audit, const RunWords& words);

// Whether the bits of outputs were looked at, as a sentence.
std::string about_bits(OutputModel model, std::string_view no_bits);

// Of outputs that whoever asks gives: the claim that they are (epsilon, delta)-DP.
Claim claim_of_the_outputs(PrivacyGuarantee claimed, const std::string& where,
                           const std::string& subject, std::string_view assumption);

}  // namespace dpverify
