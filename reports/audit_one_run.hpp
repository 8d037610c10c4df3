// `dpverify audit --outputs SCORES --one-run`: is a training (epsilon, delta)-DP, judged by one run
// of it?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "audits/black_box/one_run.hpp"

namespace dpverify {

struct AuditOneRunOptions {
  std::string file;  // of canaries, see read_canaries
  PrivacyGuarantee claimed;
  double significance = 0.05;
  std::optional<Guesses> guesses;  // absent: usual_guesses
  double fault = 2;  // a claim is consistent only if one of this size would have been refuted
  std::uint64_t seed = 0;
  std::vector<std::string> given;  // the words of the command line, for the line that repeats it
  bool json = false;
};

// Returns whether the verdict is consistent. Decides nothing if the canaries were not included by
// fair coins (an exact test, level 1e-4). Throws std::invalid_argument for a file that cannot be
// used and for more guesses than canaries.
bool audit_one_run_command(const AuditOneRunOptions& options, std::ostream& out);

}  // namespace dpverify
