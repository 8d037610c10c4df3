// A part of a run for each of several machines.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "reports/arguments.hpp"
#include "reports/command_line.hpp"
#include "reports/json.hpp"

namespace dpverify {

// Number 1..count of the parts of a run; one part: all of it.
struct Shard {
  int number = 1;
  int count = 1;
  std::vector<ClaimTiming> measured;  // how long claims took; of others it is guessed
};

// --shard: "2/7"; "auto" for what mpirun sets for each process (OMPI_COMM_WORLD_RANK, _SIZE); ""
// for all. --costs: a report, or "". Throws std::invalid_argument, and FileError if the report
// cannot be read.
Shard read_shard(const ShardArguments& arguments);

// A piece of a check that is too much for one part: trials of a point of a rate, or a trial of an
// experiment.
struct ShardPiece {
  std::string claim;
  std::string key;                                // under which it is kept
  double work = 0;                                // to compare pieces of one claim by
  std::function<void(const CheckContext&)> keep;  // measures it, if context.checkpoints has it not
};

// Those of the first look at a claim, which is mostly the last; none of a kind that is not divided,
// or if the plan leaves the claim out.
std::vector<ShardPiece> pieces_of_check(const Claim& claim, const CheckContext& context);

// What a part does.
struct Share {
  std::vector<Claim> claims;       // to be checked to the end
  std::vector<ShardPiece> pieces;  // of others: only to be measured
  double seconds = 0;              // of all of it, as measured or guessed
};

// Each claim is in exactly one part, whoever asks: the longest first, each to the part with the
// least so far. A rate or an experiment that would take a part more than half of its time is there
// in pieces, each in exactly one part; it is read, and given more trials if it needs them, by who
// puts the parts together. In the order given. `context` has the seed and plan of the run.
Share share_of(const std::vector<Claim>& claims, const CheckContext& context, const Shard& shard);

struct MeasuredPieces {
  std::size_t measured = 0;
  std::size_t left_out = 0;           // not begun
  std::vector<std::string> failures;  // "CLAIM: MESSAGE" of those that threw
};

// Measures the pieces, context.threads at a time, unless `over` says so before one has begun. They
// are kept by context.checkpoints.
MeasuredPieces measure_pieces(const std::vector<ShardPiece>& pieces, const CheckContext& context,
                              const std::function<bool()>& over);

// What a part prints when it has ended: what it kept ("12 of 90 claims"), where that is, and what
// puts the parts together.
std::string kept_in_words(const Shard& shard, const std::string& what,
                          const std::filesystem::path& folder);

// The end of a part of `verify` or `rates`, which writes no report: prints what is not as expected
// and what was kept. The exit code: 1 if a claim is not as expected or a piece failed, 3 if only
// time was lacking. `asked_for` counts the claims of all parts.
int end_of_part(const Report& report, const MeasuredPieces& pieces, const Shard& shard,
                std::size_t asked_for, const std::filesystem::path& folder, const Console& console);

}  // namespace dpverify
