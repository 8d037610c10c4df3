// Reports as JSON text, and evidence read back from it. report.schema.json describes the form.
//
// Names are those of the structs. JSON has no infinities and no NaN: they are the strings "inf",
// "-inf" and "nan". A field without a value is left out. Later versions may add fields; a change
// that breaks readers raises schema_version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

inline constexpr int schema_version = 1;

// Equal but for `timings`, its last field, whenever two runs measured the same.
std::string to_json(const Report& report);
// An array of claims, as in `claims` of a report.
std::string to_json(const std::vector<Claim>& claims);

// An array of objects with one claim and its evidence each; as many of both.
std::string to_json(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence);

// The evidence on one claim in the text of a report, or nothing. The text must match the schema
// (see validate.hpp); otherwise throws std::invalid_argument.
std::optional<Evidence> read_evidence(std::string_view report, std::string_view claim);

// A report of an earlier run, as far as another is to be put together with it.
struct EarlierReport {
  std::vector<std::string> claims;  // ids of those it has evidence on
  // How its context (seed, plan, program, machine) differs, in words: "another seed". Empty if it
  // is the same; the evidence and the times are read only then.
  std::string difference;
  std::vector<Evidence> evidence;
  std::vector<ClaimTiming> timings;
};
// Throws std::invalid_argument for text that is no report.
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
