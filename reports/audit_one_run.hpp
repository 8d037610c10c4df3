// `dpverify audit --outputs SCORES --one-run`: is a training (epsilon, delta)-DP, judged by one run
// of it?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "audits/black_box/one_run.hpp"
#include "reports/audit_question.hpp"

namespace dpverify {

struct AuditOneRunOptions : AuditQuestion {
  std::string file;                // of canaries, see read_canaries
  std::optional<Guesses> guesses;  // absent: usual_guesses
};

// Returns whether the verdict is consistent. Decides nothing if the canaries were not included by
// fair coins (an exact test, level 1e-4). Throws std::invalid_argument for a file that cannot be
// used and for more guesses than canaries.
bool audit_one_run_command(const AuditOneRunOptions& options, std::ostream& out);

}  // namespace dpverify
