// `dpverify compare`: what differs between two reports.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "algorithms/core/checked.hpp"
#include "reports/commands.hpp"
#include "reports/compare.hpp"
#include "reports/layout.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

struct CompareArguments {
  std::string older;
  std::string newer;
  std::vector<std::string> fail_on{"verdict", "lost"};
};

void require_changes(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const Change change : all_changes) known.push_back(name(change));
  for (const std::string& one : names)
    require(std::ranges::find(known, one) != known.end(), "--fail-on", "'" + one + "'",
            fmt::format("one of {}", fmt::join(known, ", ")));
}

std::string what_was_run(const Measured& measured) {
  return printable(fmt::format("plan {}, seed {}, commit {}", measured.plan, measured.seed,
                               measured.commit.substr(0, 12)));
}

int compare_command(const CompareArguments& arguments, const Console& console) {
  require_changes(arguments.fail_on);
  const Measured older = read_measured_file(arguments.older);
  const Measured newer = read_measured_file(arguments.newer);
  const Comparison comparison = compare(older, newer);
  std::string text =
      fmt::format("{}: {}\n{}: {}\n", printable(arguments.older), what_was_run(older),
                  printable(arguments.newer), what_was_run(newer));
  bool fails = false;
  for (const Difference& each : comparison.differences) {
    const bool grave =
        std::ranges::find(arguments.fail_on, name(each.change)) != arguments.fail_on.end();
    fails = fails || grave;
    text +=
        fmt::format("{}\t{}\t{}\t{}\n", coloured(grave ? "FAIL" : "", "1;31", has_colours(console)),
                    name(each.change), printable(each.claim), printable(each.in_words));
  }
  text += fmt::format("{}; {} the same, {} within noise\n",
                      plural(comparison.differences.size(), "difference"), comparison.same,
                      comparison.within_noise);
  console.out << laid_out(text, console.columns);
  return fails ? regression_code : as_expected_code;
}

}  // namespace

Command add_compare(CLI::App& app, const Console& console) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "What differs between two reports");
  command->add_option("OLD", arguments->older, "Report of the earlier run")->required();
  command->add_option("NEW", arguments->newer, "Report of the later run")->required();
  command
      ->add_option("--fail-on", arguments->fail_on,
                   "Changes that end it with exit code 4: verdict, lost, added, estimate, power "
                   "(default: verdict,lost)")
      ->delimiter(',');
  return {command, [=, &console] { return compare_command(*arguments, console); }};
}

}  // namespace dpverify
