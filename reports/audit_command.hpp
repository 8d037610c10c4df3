// `dpverify audit ID`: is a mechanism really (epsilon, delta)-DP? Both ends of the bracket.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/at_guarantee.hpp"
#include "audits/audit.hpp"

namespace dpverify {

struct AuditCommandOptions {
  std::string id;        // of a privacy claim, or of an algorithm: all its privacy claims
  AuditRequest request;  // but for the pair's files and the setting
  AskedGuarantee asked;  // the mechanism runs with it; request.claimed: it runs as it is
  // From 0. Absent: the first; of a claim known to be false, the first that refutes it.
  std::optional<std::size_t> setting;
  std::vector<std::string> files;  // two CSV files, if the pair is given
  std::string target;              // their column of labels; empty: the last one
  // The words that asked for this, but for the id, the setting and the seed: for the line that
  // repeats an audit.
  std::vector<std::string> given;
  bool show_data = false;  // the records of a given pair, in the evidence and in messages
  bool json = false;
  std::size_t columns = 0;  // of `out`; 0: no limit
  bool colours = false;     // `out` shows them
};

// Audits and writes what was found. Returns whether every verdict is as expected: the claims' own
// expectation, or, if another guarantee was asked about of the same noise, that it holds. Throws
// std::invalid_argument if there is no such claim, if one cannot have the guarantee asked for, or
// the files are no pair of neighbours.
bool audit_command(const std::vector<Claim>& claims, const AuditCommandOptions& options,
                   std::ostream& out);

}  // namespace dpverify
