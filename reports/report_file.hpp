// The report in the output folder: what this run found, beside what earlier runs did.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json.hpp"
#include "reports/report.hpp"

namespace dpverify {

inline constexpr const char* report_name = "report.json";

// Makes the folder and sees that a report can be written there, before the work is done. `inputs`
// are the files that the command reads. Throws FileError if not, and if a file of that name is
// there that is no report or no page of one (and not empty): it is not ours to lose.
void prepare_report(const std::filesystem::path& folder,
                    const std::vector<std::filesystem::path>& inputs);

// What the report in the file measured. Throws FileError, and std::invalid_argument with the file's
// name for text that is no report of `verify` or `rates`.
Measured read_measured_file(const std::filesystem::path& file);

// Writes the page of the report in `file` beside it, as a file of the same name that ends in .html,
// and gives its name. Throws FileError, also if a file of that name is there that is no such page.
std::filesystem::path write_page(const std::filesystem::path& file, std::string_view report);

struct WrittenReport {
  std::filesystem::path file;
  std::string line;  // "Report: FILE ...", where it is and why
};

// Writes the report and its page, so that no evidence on a claim that it does not hold is lost:
//   there is no report.json          it is written there;
//   one of the same context          the two are put together, the newer evidence where both have
//   it; one of another context, whose    it is replaced;
//     claims this one has all
//   one that has other claims        it stays, and the same holds for report-2.json, and so on.
// `every_claim` holds all that the program knows. Throws FileError.
WrittenReport write_report(const Report& report, const std::filesystem::path& folder,
                           const std::vector<Claim>& every_claim);

}  // namespace dpverify
