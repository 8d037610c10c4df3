// The result of a run of the checks: what was asked, what was measured, how it compares.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "reports/context.hpp"

namespace dpverify {

// What a JSON text of this program holds, by the command that writes it.
enum class DocumentKind { verify, audit, run, rates, figure, list };
std::string_view name(DocumentKind kind);

struct UnexpectedVerdict {
  std::string claim;  // id
  Verdict verdict = Verdict::error;
  Expectation expectation = Expectation::holds;
  std::string reason;
  std::string reproduce;
};

// In place of a channel: at least one of them.
inline constexpr std::string_view any_channel = "any";

// How one channel did on the privacy claims that sampled channels look at: broken mechanisms are
// those of claims expected refuted, twins the others.
struct ChannelScore {
  std::string channel;
  int broken = 0;  // that it could look at
  int caught = 0;
  int twins = 0;
  int flagged = 0;  // false alarms
};

struct Summary {
  std::vector<UnexpectedVerdict> unexpected;
  int claims = 0;
  int as_expected = 0;
  std::array<int, 5> verdicts{};  // how many of each, by static_cast<int>(Verdict)
  int mutants = 0;                // claims of edition mutant
  int mutants_refuted = 0;
  std::optional<double> mutation_score;  // mutants_refuted/mutants, if there are mutants
  std::vector<ChannelScore> channels;    // after them any_channel
};

struct ClaimTiming {
  std::string claim;  // id
  double seconds = 0;
};

// Everything that differs between two runs that measure the same.
struct Timings {
  int threads = 1;
  std::string started;  // UTC, "2024-02-29T12:00:00Z"
  double seconds = 0;
  std::vector<ClaimTiming> claims;
};

// A run that a time limit ended.
struct Partial {
  double time_limit = 0;              // in seconds
  std::vector<std::string> left_out;  // ids of the claims whose checks had not begun, sorted
};

struct Report {
  DocumentKind kind = DocumentKind::verify;  // rates: all of it was found by `rates`
  Context context;
  std::vector<Claim> claims;       // sorted by id
  std::vector<Evidence> evidence;  // evidence[i] is of claims[i]
  Summary summary;
  Timings timings;
  std::optional<Partial> partial;  // if something was left out
};

// Every verdict, in the order of the enumeration.
inline constexpr std::array all_verdicts{Verdict::consistent, Verdict::refuted,
                                         Verdict::inconclusive, Verdict::not_run, Verdict::error};

inline constexpr std::array all_strengths{Strength::certified, Strength::exact_on_searched_pairs,
                                          Strength::sampled};

// Sorts and summarises. Throws std::logic_error unless there is one piece of evidence per claim and
// the ids are distinct.
Report make_report(Context context, std::vector<Claim> claims, std::vector<Evidence> evidence,
                   Timings timings);

}  // namespace dpverify
