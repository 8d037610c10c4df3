// A part of a run for each of several machines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "reports/arguments.hpp"
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

// The claims of that part, in the order given. Each claim is in exactly one part, whoever asks: the
// longest first, each to the part with the least so far.
std::vector<Claim> share_of(const std::vector<Claim>& claims, const Shard& shard);

// What a part prints when it has ended: what it kept ("12 of 90 claims"), where that is, and what
// puts the parts together.
std::string kept_in_words(const Shard& shard, const std::string& what,
                          const std::filesystem::path& folder);

}  // namespace dpverify
