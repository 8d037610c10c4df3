// `dpverify run ALGORITHM`: one private run of one algorithm on the user's data.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/claims/algorithm.hpp"
#include "bench/csv.hpp"

namespace dpverify {

struct RunCommandOptions {
  std::string data;                   // CSV file
  std::string target;                 // its column with the labels
  std::optional<std::string> bounds;  // CSV file of public bounds, see bench/csv.hpp
  // Absent: drawn from the operating system and told to nobody, as a private release needs. Given:
  // the run can be repeated, but whoever knows the seed can take the noise off again.
  std::optional<std::uint64_t> seed;
  // File for the JSON, which only its owner may read: it holds what is not private. There must be
  // no such file, or an empty one, or an earlier result.
  std::optional<std::string> out;
  MessageDetail message_detail = MessageDetail::places;
  bool json = false;  // JSON instead of text on `out`
};

// Runs the algorithm once and writes to `out`: the private part (w by column, the guarantee, the
// claim it comes from, the parameters), then, set apart, what only the data's owner may see: the
// empirical risk of w beside two null controls, the data-free run and the zero vector.
// `options` holds the texts of the algorithm's own options that the user gave; the others take
// their defaults. Returns 0. Throws std::invalid_argument for an unknown option, unusable data or
// parameters out of their domains, FileError for a file that is not to be replaced: before anything
// is drawn; and std::invalid_argument where a risk is not finite. Nothing is written then.
int run_command(const Algorithm& algorithm, const std::map<std::string, std::string>& options,
                const RunCommandOptions& common, std::ostream& out);

// The text of a file that `run --out` has written.
bool is_run_result(std::string_view text);

}  // namespace dpverify
