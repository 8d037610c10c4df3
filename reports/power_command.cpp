// `dpverify power`: how hard the checks of a run looked.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/json.hpp"
#include "reports/power_text.hpp"
#include "reports/program.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

int power_command(const std::string& file, const Console& console, const Catalogue& catalogue) {
  Measured measured;
  try {
    measured = read_measured(read_file(file));
  } catch (const std::invalid_argument& failure) {
    throw std::invalid_argument(fmt::format("{}: {}", file, failure.what()));
  }
  console.out << power_document(
      catalogue.claims(), measured.evidence,
      fmt::format("measured by `{}`\nat commit {}, and written by `{}`",
                  command(fmt::format("verify --plan {} --seed {}", measured.plan, measured.seed)),
                  measured.commit.substr(0, 12), command("power")));
  return as_expected_code;
}

}  // namespace

Command add_power(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto file =
      std::make_shared<std::string>((std::filesystem::path(default_folder) / report_name).string());
  CLI::App* command = app.add_subcommand(
      "power", "How hard the checks of a report looked: the smallest faults, as Markdown");
  command->add_option("--report", *file, "Report with the evidence (default: out/report.json)");
  return {command, [=, &console, &catalogue] { return power_command(*file, console, catalogue); }};
}

}  // namespace dpverify
