// `dpverify rates`: sweeps with theory lines and controls, as tables and pictures.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/command_line.hpp"
#include "reports/rate_baseline.hpp"
#include "reports/shard.hpp"

namespace dpverify {

struct RatesOptions {
  std::vector<Claim> claims;  // rate claims only, at least one
  Shard shard;                // not all of it: their points are kept, and no report is written
  CheckContext context;
  std::filesystem::path folder;    // for report.json, the pictures and the finished points
  bool json = false;               // the report instead of tables on standard output
  std::filesystem::path baseline;  // empty: none
  bool record_baseline = false;    // write it instead of comparing with it
};

// Runs the sweeps; a point finished by an earlier run of the same program with the same parameters
// is taken from its file. The report is written as report_file.hpp says, where `every_claim` holds
// all that the program knows. Returns an exit code.
int rates_command(const RatesOptions& options, const std::vector<Claim>& every_claim,
                  const Console& console);

// The rate claims among the claims, of the variable if given. Throws std::invalid_argument if there
// is none.
std::vector<Claim> rate_claims(const std::vector<Claim>& claims,
                               const std::optional<std::string>& variable);

// The baseline that comes with the source, of the papers' rates.
std::filesystem::path default_baseline();

// The rates in a baseline; none if there is no such file, or the path is empty. Throws
// std::invalid_argument if it is no baseline.
std::vector<RateRecord> known_rates(const std::filesystem::path& baseline);

// Compares the report's rates with those known, and says on the console what is worse than in the
// baseline. True if something is.
bool has_regressed(const Report& report, const std::vector<RateRecord>& known,
                   const std::filesystem::path& baseline, const Console& console);

// What says one line on standard error, over a line of progress.
std::function<void(const std::string&)> complaints_on(const Console& console);

}  // namespace dpverify
