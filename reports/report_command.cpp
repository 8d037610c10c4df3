// `dpverify report`: a report as a page to read.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/report_file.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

int report_command(const std::filesystem::path& folder, const Console& console) {
  const std::filesystem::path file = folder / report_name;
  const std::string report = read_file(file);
  if (const auto errors = validate_report(report); !errors.empty())
    throw std::invalid_argument(fmt::format("{} does not match the schema: {} ({})", file.string(),
                                            errors.front(), count_errors(errors)));
  (void)read_measured_file(file);  // complains of a document of another kind
  console.out << "Page: " << write_page(file, report).string() << "\n";
  return as_expected_code;
}

}  // namespace

Command add_report(CLI::App& app, const Console& console) {
  const auto folder = std::make_shared<std::string>(default_folder);
  CLI::App* command =
      app.add_subcommand("report", "Make DIR/report.html of DIR/report.json, a page to read");
  command->add_option("DIR", *folder, "Folder of the report (default: out)");
  return {command, [=, &console] { return report_command(*folder, console); }};
}

}  // namespace dpverify
