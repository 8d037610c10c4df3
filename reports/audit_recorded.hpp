// `dpverify audit --transcripts FILE`: are the releases that other code has recorded
// (epsilon, delta)-DP together, and do they move by what they declare?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "reports/audit_question.hpp"

namespace dpverify {

// The seed is for the report alone: nothing is drawn.
struct AuditRecordedOptions : AuditQuestion {
  std::string file;
};

// Writes two pieces of evidence, on the declared sensitivities and on the guarantee. Returns
// whether both are consistent. Throws std::invalid_argument for files that cannot be used, see
// read_recorded_releases.
bool audit_recorded_command(const AuditRecordedOptions& options, std::ostream& out);

}  // namespace dpverify
