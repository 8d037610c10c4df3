// What a check measured, and the verdict it supports. Used by every check; knows none of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// consistent:   nothing found against the claim; the evidence states how hard the check looked.
// refuted:      the claim fails, and the evidence holds the witness.
// inconclusive: the check had too little power to decide; says what it could have detected.
// not_run:      the plan leaves this check out.
// error:        the mechanism threw or returned a value that is not finite.
enum class Verdict { consistent, refuted, inconclusive, not_run, error };

std::string_view name(Verdict verdict);

// What a `consistent` on a privacy claim rests on, strongest first.
// certified:               composition of what the releases declare, given the sensitivity claims.
// exact_on_searched_pairs: the laws of the output or of the releases, on the worst pairs found.
// sampled:                 transcripts or outputs, on the worst pairs found.
enum class Strength { certified, exact_on_searched_pairs, sampled };

std::string_view name(Strength strength);

struct Interval {
  double lower = 0;
  double upper = 0;
  double level = 0.95;  // coverage; 1 for a certain enclosure
};

// A figure by name: {"exponent", -0.31}.
struct Measurement {
  std::string name;
  double value = 0;
};

struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

// The smallest counterexample found (or, where nothing was refuted, the worst pair seen).
struct Witness {
  ParameterPoint parameters;
  std::optional<NeighbouringPair> pair;
  std::uint64_t outcome_seed = 0;  // of the stream that drew the outcomes before the release
  std::vector<Index> outcomes;     // the path of selected indices, where it matters
  std::string explanation;         // one sentence
};

// What one way of looking at a mechanism found: exact laws, sampled transcripts, or outputs alone.
struct ChannelFinding {
  std::string channel;  // "exact", "transcript", "black-box"
  Verdict verdict = Verdict::not_run;
  std::optional<double> epsilon_lower;  // on the true epsilon at the claimed delta
  std::optional<double> ceiling;        // the largest epsilon_lower it could have shown
  std::uint64_t samples = 0;            // runs a side
  std::string reason;
};

struct Evidence {
  std::string claim;  // id
  Verdict verdict = Verdict::not_run;
  std::string method;                // "RapidCheck property and corner search", ...
  std::optional<double> estimate;    // in the claim's own unit
  std::optional<Interval> interval;  // of the estimate
  std::optional<double> claimed;     // what the claim allows at the estimate's setting
  // How many times what is claimed was measured, at least: a number from 0 to infinity, above 1 if
  // and only if the verdict is refuted, whatever the kind (docs/reports.md says what is measured of
  // each). Empty: nothing was measured.
  std::optional<double> tightness;
  std::optional<double> ceiling;  // the most this check could have shown
  // The smallest fault that would have changed the verdict, with probability 0.9 if the check
  // samples. Rates: a run slower by so much in the exponent. Floors: noise of so many
  // times less. Otherwise: a claim of so many times less (sensitivity, epsilon, right side of a
  // lemma). Empty: none would.
  std::optional<double> smallest_fault;
  std::optional<Strength> strength;  // of a privacy claim that is consistent
  std::string reading;               // rates: "falls as claimed", "vacuous", ...
  std::vector<Measurement> measurements;
  std::vector<Table> tables;
  std::vector<ChannelFinding> channels;  // privacy claims, on the pair shown
  std::optional<Witness> witness;
  std::uint64_t samples = 0;  // mechanism runs, or cases
  std::uint64_t seed = 0;     // root seed
  std::optional<Plan>
      run_by;             // of one that is not_run: the smallest plan that runs it, if any does
  std::string reason;     // why this verdict, in one sentence
  std::string reproduce;  // the command that repeats it
};

// Keeps finished pieces of long checks by key, so that a killed run can be resumed. `recall` gives
// the text kept under the key, if any; all may be called by several threads.
struct CheckpointStore {
  std::function<std::optional<std::string>(const std::string& key)> recall;
  std::function<void(const std::string& key, const std::string& text)> keep;
  // Told of a piece that was recalled how long it took when it was measured, in seconds.
  std::function<void(double seconds)> took_before;
};

// What a run of the checks is given.
struct CheckContext {
  std::uint64_t seed = 20240229;  // root seed of every random stream
  Plan plan = Plan::smoke;
  int threads = 1;
  // Probability, over the draws of a run, that a statistical check refutes its claim though it is
  // true (of rates: as far as Student's t holds for their skewed risks, see docs/rates.md). Each
  // claim's own, so that no other claim changes its evidence; at this one, 250 claims together stay
  // within 1e-6.
  double level = 4e-9;
  int statistical_checks = 0;        // in a run of every claim; only the report says so
  CheckpointStore checkpoints = {};  // empty functions: nothing is kept
};

// measured/claimed of two numbers of at least 0: infinity where the claim is 0 and is exceeded, 0
// where nothing was measured.
double times_claimed(double measured, double claimed);
// The tightness of a claim that is not refuted: the ratio, less what rounding adds to a 1.
double at_most_claimed(double ratio);
// That of one that is refuted: the ratio, above 1 also where a double cannot show by how much.
double above_claimed(double ratio);

// Whether the check of the claim draws samples in this plan, and spends its level.
bool is_statistical(const Claim& claim, Plan plan);

// The verdict that meets the expectation: consistent if the claim holds, else refuted.
Verdict expected_verdict(Expectation expectation);
bool as_expected(const Claim& claim, const Evidence& evidence);

}  // namespace dpverify
