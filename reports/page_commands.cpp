// `dpverify power` and `dpverify coverage`: pages of Markdown from a report.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>

#include "reports/commands.hpp"
#include "reports/coverage_text.hpp"
#include "reports/power_text.hpp"
#include "reports/program.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

// Of the claims and the evidence; `origin` says in words where it was measured.
using Page = std::function<std::string(const std::vector<Evidence>&, const std::string& origin)>;

Command add_page(CLI::App& app, const Console& console, const std::string& name,
                 const std::string& description, const Page& page) {
  const auto file =
      std::make_shared<std::string>((std::filesystem::path(default_folder) / report_name).string());
  CLI::App* subcommand = app.add_subcommand(name, description);
  subcommand->add_option("--report", *file, "Report with the evidence (default: out/report.json)");
  return {subcommand, [=, &console] {
            const Measured measured = read_measured_file(*file);
            console.out << page(measured.evidence,
                                fmt::format("measured by `{}`\nat commit {}, and written by `{}`",
                                            command(fmt::format("verify --plan {} --seed {}",
                                                                measured.plan, measured.seed)),
                                            measured.commit.substr(0, 12), command(name)));
            return as_expected_code;
          }};
}

}  // namespace

Command add_power(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  return add_page(app, console, "power",
                  "How hard the checks of a report looked: the smallest faults, as Markdown",
                  [&catalogue](const std::vector<Evidence>& evidence, const std::string& origin) {
                    return power_document(catalogue.claims(), evidence, origin);
                  });
}

Command add_coverage(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  return add_page(app, console, "coverage",
                  "The papers' numbered results, their claims and what a report found, as Markdown",
                  [&catalogue](const std::vector<Evidence>& evidence, const std::string& origin) {
                    return coverage_document(catalogue.papers, catalogue.claims(), evidence,
                                             origin);
                  });
}

}  // namespace dpverify
