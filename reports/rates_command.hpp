// `dpverify rates`: sweeps with theory lines and controls, as tables and pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/command_line.hpp"
#include "reports/rate_baseline.hpp"

namespace dpverify {

struct RatesOptions {
  std::vector<Claim> claims;  // rate claims only, at least one
  CheckContext context;
  std::filesystem::path folder;  // for report.json, the pictures and the finished points
  bool json = false;             // the report instead of tables on standard output
  std::filesystem::path baseline;
  bool record_baseline = false;  // write it instead of comparing with it
};

// Runs the sweeps; a point finished by an earlier run of the same program with the same parameters
// is taken from its file. Evidence of `every_claim` that a report in the folder holds is kept if it
// has the same context. Returns an exit code.
int rates_command(const RatesOptions& options, const std::vector<Claim>& every_claim,
                  const Console& console);

// The rate claims among the claims, of the variable if given. Throws std::invalid_argument if there
// is none.
std::vector<Claim> rate_claims(const std::vector<Claim>& claims,
                               const std::optional<std::string>& variable);

// The baseline that comes with the source.
std::filesystem::path default_baseline();

// Compares the report's rates with the baseline, if its file exists, and says on the console what
// is worse. True if something is.
bool has_regressed(const Report& report, const std::filesystem::path& baseline,
                   const Console& console);

}  // namespace dpverify
