// What checks have found as JSON text (see envelope.hpp), and evidence read back from it. Names are
// those of the structs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

// Of `verify` or `rates`, as report.kind says. Equal but for `timings`, its last field, whenever
// two runs measured the same.
std::string to_json(const Report& report);
// Of `list`.
std::string to_json(const Context& context, const std::vector<Claim>& claims);
// Of `audit`: one piece of evidence a claim.
std::string to_json(const Context& context, const std::vector<Claim>& claims,
                    const std::vector<Evidence>& evidence);

// The evidence on one claim in such a text, or nothing. The text must match the schema (see
// validate.hpp); otherwise throws std::invalid_argument.
std::optional<Evidence> read_evidence(std::string_view report, std::string_view claim);

// What a report measured, and with what.
struct Measured {
  std::string plan;
  std::uint64_t seed = 0;
  std::string commit;  // of the program
  std::vector<Evidence> evidence;
  std::vector<ClaimTiming> timings;
};
// Throws std::invalid_argument for text that is no report of `verify` or `rates`.
Measured read_measured(std::string_view report);

// A report of an earlier run, as far as another is to be put together with it.
struct EarlierReport {
  DocumentKind kind = DocumentKind::verify;
  std::vector<std::string> claims;  // ids of those it has evidence on, or leaves out
  std::optional<Partial> partial;
  // How its context (seed, plan, program, machine) differs, in words: "another seed". Empty if it
  // is the same; the evidence and the times are read only then.
  std::string difference;
  std::vector<Evidence> evidence;
  std::vector<ClaimTiming> timings;
};
// Throws std::invalid_argument for text that is no report of `verify` or `rates`.
EarlierReport read_earlier_report(std::string_view report, const Context& context);

// The evidence on one claim, as a run keeps it until its report is written. Reading gives back what
// was written, to the last bit. Throws std::invalid_argument for other texts.
struct FinishedCheck {
  Evidence evidence;
  double seconds = 0;
};
std::string to_json(const FinishedCheck& check);
FinishedCheck read_finished_check(std::string_view text);

std::string json_library_version();

}  // namespace dpverify
