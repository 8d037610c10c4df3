// `dpverify audit --transcripts FILE`: are the releases that other code has recorded
// (epsilon, delta)-DP together, and do they move by what they declare?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

struct AuditRecordedOptions {
  std::string file;
  PrivacyGuarantee claimed;
  double significance = 0.05;
  double fault = 2;  // consistent only if a claim of so many times less would have been refuted
  std::uint64_t seed = 0;          // for the report alone: nothing is drawn
  std::vector<std::string> given;  // the words that asked for this, but for the seed
  bool json = false;
};

// Writes two pieces of evidence, on the declared sensitivities and on the guarantee. Returns
// whether both are consistent. Throws std::invalid_argument for files that cannot be used, see
// read_recorded_releases.
bool audit_recorded_command(const AuditRecordedOptions& options, std::ostream& out);

}  // namespace dpverify
