// `dpverify audit --outputs` and `audit --exec`: is a program (epsilon, delta)-DP that this one
// only sees from outside, by files with its outputs or by running it?
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "audits/black_box/program_audit.hpp"
#include "reports/audit_question.hpp"
#include "reports/context.hpp"

namespace dpverify {

// Whether the bits of outputs that were read from text are looked at: if they are written in full
// (see PrintedOutputs), always, or never.
enum class Bits { if_written, yes, no };

struct AuditFilesOptions : AuditQuestion {
  std::vector<std::string> files;  // two files of outputs, see read_output_files
  Bits bits = Bits::if_written;
};

// Asks about the guarantee of a program that is not seen: the two files hold its outputs on two
// neighbouring datasets, a line a run. Lines that are seen to depend on each other are not outputs
// of independent runs: then nothing is decided. Returns whether the verdict is consistent. Throws
// std::invalid_argument for files that cannot be used, see read_output_files.
bool audit_files_command(const AuditFilesOptions& options, std::ostream& out);

struct AuditProgramOptions {
  ProgramRequest request;
  // Instead of a path of the neighbour: it is the data without these records, see csv_without.
  std::string without;
  Bits bits = Bits::if_written;
  std::vector<std::string> given;  // the words that asked for this, but for the program's
  bool json = false;
};

// Asks about the guarantee of a program, by running it (see audit_program). Returns whether the
// verdict is consistent. Throws std::invalid_argument for datasets that cannot be read or hold the
// same, and as audit_program does.
bool audit_program_command(const AuditProgramOptions& options, std::ostream& out);

// The program, audit and these words, for a shell.
std::string audit_line(const std::vector<std::string>& what, const std::vector<std::string>& given,
                       const std::vector<std::string>& last);

// Of a run of one audit with this seed.
Context context_of_audit(std::uint64_t seed);

}  // namespace dpverify
