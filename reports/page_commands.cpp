// `dpverify power` and `dpverify coverage`: pages of Markdown from a report.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "reports/commands.hpp"
#include "reports/coverage_text.hpp"
#include "reports/power_text.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

using Page = std::string (*)(const std::vector<Claim>&, const std::vector<Evidence>&,
                             const std::string& origin);

Command add_page(CLI::App& app, const Console& console, const Catalogue& catalogue,
                 const std::string& name, const std::string& description, Page page) {
  const auto file =
      std::make_shared<std::string>((std::filesystem::path(default_folder) / report_name).string());
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("--report", *file, "Report with the evidence (default: out/report.json)");
  return {command, [=, &console, &catalogue] {
            const Measured measured = read_measured_file(*file);
            console.out << page(
                catalogue.claims(), measured.evidence,
                fmt::format("measured by `./dpverify verify --plan {} --seed {}`\nat commit {}, "
                            "and written by `./dpverify {}`",
                            measured.plan, measured.seed, measured.commit.substr(0, 12), name));
            return as_expected_code;
          }};
}

}  // namespace

Command add_power(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  return add_page(app, console, catalogue, "power",
                  "How hard the checks of a report looked: the smallest faults, as Markdown",
                  power_document);
}

Command add_coverage(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  return add_page(app, console, catalogue, "coverage",
                  "The papers' numbered results, their claims and what a report found, as Markdown",
                  coverage_document);
}

}  // namespace dpverify
