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

// The evidence in the text of a report, with the times of the checks, if it is a report of the same
// context (seed, plan, program, machine) as `context`; nothing otherwise, or if it cannot be read.
struct EarlierEvidence {
  std::vector<Evidence> evidence;
  std::vector<ClaimTiming> timings;
};
std::optional<EarlierEvidence> read_same_context(std::string_view report, const Context& context);

std::string json_library_version();

}  // namespace dpverify
