// What the formats for continuous integration are made of: a report, as its JSON has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/program.hpp"
#include "reports/report.hpp"

namespace dpverify {

// passed: as expected. failed: a verdict that is not. skipped: inconclusive or not run, so that
// nothing was decided. stopped: the check could not be completed.
enum class TestOutcome { passed, failed, skipped, stopped };

struct ClaimOutcome {
  std::string claim;  // id
  std::string algorithm;
  std::string kind;
  std::string statement;
  std::string paper;   // of its source, as ids begin: "wang_xu"
  std::string name;    // of that paper: "Wang and Xu"
  std::string source;  // "Wang and Xu; Theorem 2"
  std::string expectation;
  Verdict verdict = Verdict::error;
  TestOutcome outcome = TestOutcome::stopped;
  std::string severity;  // of its finding: an identifier; empty: none
  std::string repair;    // of its finding
  std::string reason;
  std::string reproduce;
  std::optional<SourcePlace> stated;
  double seconds = 0;
};

struct Outcomes {
  std::string program;
  std::string version;  // of the library
  std::string commit;   // of the program's sources, or "unknown"
  bool dirty = false;
  std::string plan;
  std::uint64_t seed = 0;
  std::string started;  // UTC, "2024-02-29T12:00:00Z"
  double seconds = 0;
  std::optional<double> time_limit;   // in seconds: it ended the run
  std::vector<std::string> left_out;  // ids of what it left out
  std::vector<ClaimOutcome> claims;   // sorted by id
};

// Throws std::invalid_argument for a text that is no report of `verify` or `rates`.
Outcomes read_outcomes(std::string_view report);

// That a paper is wrong there, as expected.
bool is_finding(const ClaimOutcome& claim);

std::vector<const ClaimOutcome*> with_outcome(const Outcomes& outcomes, TestOutcome outcome);

// "refuted, but was expected to be consistent: REASON": why it does not pass, in one line.
std::string why(const ClaimOutcome& claim);

}  // namespace dpverify
