// `dpverify verify`: checks the claims.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "reports/atomic_file.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/commands.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/rates_command.hpp"
#include "reports/report_file.hpp"
#include "reports/report_text.hpp"
#include "reports/selection.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

// One line on a terminal, rewritten in place.
Progress progress_on(const Console& console) {
  if (!console.err_is_terminal) return {};
  return [&err = console.err](const ProgressState& state) {
    constexpr std::size_t width = 79;  // a longer line would wrap and could not be rewritten
    const std::string line = fmt::format("{}/{} checked, about {:.0f} s left, {}", state.finished,
                                         state.claims, state.seconds_left, state.claim);
    err << "\r\033[K" << line.substr(0, width) << std::flush;
  };
}

int verify_command(const CheckArguments& arguments, const Console& console,
                   const Catalogue& catalogue) {
  const std::vector<Claim>& every_claim = catalogue.claims();
  const CheckContext context = check_context(arguments, every_claim);
  const std::vector<Claim> claims = select_claims(every_claim, arguments.only);
  const std::filesystem::path folder = arguments.out, baseline = catalogue.baseline;
  prepare_report(folder, {baseline});
  const std::vector<RateRecord> known = known_rates(baseline);

  CheckpointFiles unfinished(folder / "unfinished", program_fingerprint(), complaints_on(console));
  const Report report = verify(claims, context, progress_on(console), &unfinished);
  if (console.err_is_terminal) console.err << "\r\033[K" << std::flush;
  if (unfinished.recalled() > 0)
    console.err << fmt::format("{}: {} finished by an earlier run, taken from {}\n", program().name,
                               plural(unfinished.recalled(), "piece"),
                               (folder / "unfinished").string());

  const std::string table = report_table(report, has_colours(console));
  WrittenReport written;
  // The file first: who reads the table may stop reading. But if it cannot be written, what was
  // found is at least shown.
  try {
    written = write_report(report, folder, every_claim);
  } catch (const FileError&) {
    console.out << table;
    throw;
  }
  // The next run is to check afresh.
  unfinished.remove();
  console.out << table << in_words(report.context.error_budget) << written.line << std::flush;
  const bool worse = has_regressed(report, known, baseline, console);
  if (!report.summary.unexpected.empty()) return unexpected_code;
  return worse ? regression_code : as_expected_code;
}

}  // namespace

Command add_verify(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("verify", "Check the claims and write report.json");
  add_check_options(*command, *arguments);
  return {command,
          [=, &console, &catalogue] { return verify_command(*arguments, console, catalogue); }};
}

}  // namespace dpverify
