// `dpverify findings`: what is wrong in the papers, gravest first.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/findings_text.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

struct FindingsArguments {
  std::string where;
  std::string report;
  bool every_one = false;
};

int findings_command(const FindingsArguments& arguments, const Console& console,
                     const Catalogue& catalogue) {
  const std::filesystem::path usual = std::filesystem::path(default_folder) / report_name;
  const bool measured = !arguments.report.empty() || file_exists(usual);
  std::vector<Evidence> evidence;
  if (measured)
    evidence =
        read_measured_file(arguments.report.empty() ? usual.string() : arguments.report).evidence;
  const std::string text =
      findings_in_words(catalogue.papers, catalogue.claims(), evidence, arguments.where,
                        arguments.every_one, has_colours(console));
  if (!measured)
    console.err << fmt::format("Without figures and counterexamples: {} measures them.\n\n",
                               command("verify"));
  console.out << laid_out(text, console.columns);
  return as_expected_code;
}

}  // namespace

Command add_findings(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<FindingsArguments>();
  CLI::App* subcommand =
      app.add_subcommand("findings", "What is wrong in the papers, gravest first");
  subcommand->add_option("WHERE", arguments->where,
                         "Paper (hu, tao, wang_xu, su) or algorithm (hu.peeling); default: all");
  subcommand->add_flag("--all", arguments->every_one,
                       "All of them: by default the gravest five of a paper, each defect once");
  subcommand->add_option("--report", arguments->report,
                         "Report with the evidence (default: out/report.json, if it exists)");
  return {subcommand,
          [=, &console, &catalogue] { return findings_command(*arguments, console, catalogue); }};
}

}  // namespace dpverify
