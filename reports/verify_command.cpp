// `dpverify verify`: checks the claims.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>

#include "algorithms/core/numbers.hpp"
#include "reports/atomic_file.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/commands.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/progress_line.hpp"
#include "reports/rates_command.hpp"
#include "reports/report_file.hpp"
#include "reports/report_text.hpp"
#include "reports/shard.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

struct VerifyArguments {
  CheckArguments common;
  ShardArguments shard;
  bool verbose = false;
  std::string time_limit;
};

Progress progress_on(ProgressLine& line) {
  return [&line](const ProgressState& state) {
    line.show(fmt::format("{}/{} checked, about {:.0f} s left", state.finished, state.claims,
                          state.seconds_left),
              ", " + state.claim);
  };
}

// The verdicts of the report that is there, by claim. What cannot be read says nothing.
std::map<std::string, Verdict> earlier_verdicts(const fs::path& folder) {
  std::map<std::string, Verdict> out;
  try {
    for (const Evidence& one : read_measured_file(folder / report_name).evidence)
      out[one.claim] = one.verdict;
  } catch (const std::exception&) {
    out.clear();
  }
  return out;
}

std::string what_is_new(const Report& report, const std::map<std::string, Verdict>& before) {
  std::string text;
  for (const Evidence& found : report.evidence) {
    const auto it = before.find(found.claim);
    const bool ran = found.verdict != Verdict::not_run;
    if (it != before.end() && ran && it->second != Verdict::not_run && it->second != found.verdict)
      text +=
          fmt::format("New: {}: {} -> {}\n", found.claim, name(it->second), name(found.verdict));
  }
  return text;
}

std::string findings_counted(const Report& report) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < report.claims.size(); ++i)
    if (report.claims[i].finding && report.evidence[i].verdict == Verdict::refuted) ++count;
  if (count == 0) return "";
  return fmt::format("{} about the papers: {}\n", plural(count, "finding"), command("findings"));
}

std::string in_words(const Report& report, const VerifyArguments& arguments,
                     const std::map<std::string, Verdict>& before, bool colours) {
  std::string text;
  if (arguments.verbose) {
    text = report_table(report, colours);
  } else {
    text = unexpected_rows(report, colours);
    if (!text.empty()) text += "\n";
    text += unexpected_in_words(report, colours);
  }
  text += what_is_new(report, before) + findings_counted(report);
  return report.partial ? text + left_out_in_words(*report.partial) : text;
}

double read_time_limit(const std::string& text) {
  if (text.empty()) return infinity;
  return read_number("--time-limit", text,
                     {[](double x) { return x > 0 && std::isfinite(x); },
                      "a number of seconds above 0 and finite"});
}

int verify_command(const VerifyArguments& arguments, const Console& console,
                   const Catalogue& catalogue) {
  const std::vector<Claim>& every_claim = catalogue.claims();
  const CheckContext context = check_context(arguments.common, every_claim);
  const double time_limit = read_time_limit(arguments.time_limit);
  const std::vector<Claim> asked_for = claims_asked_for(arguments.common, every_claim);
  const Shard shard = read_shard(arguments.shard);
  const Share share = share_of(asked_for, context, shard);
  const fs::path folder = arguments.common.out, baseline = catalogue.baseline;
  prepare_report(folder, {baseline});
  const std::vector<RateRecord> known = known_rates(baseline);
  const std::map<std::string, Verdict> before = earlier_verdicts(folder);

  CheckpointFiles unfinished(folder / "unfinished", program_fingerprint(), complaints_on(console));
  ProgressLine progress(console);
  const auto start = std::chrono::steady_clock::now();
  const Report report =
      verify(share.claims, context, progress_on(progress), &unfinished, time_limit);
  CheckContext keeping = context;
  keeping.checkpoints = unfinished.store();
  const MeasuredPieces pieces = measure_pieces(share.pieces, keeping, [&] {
    return std::chrono::steady_clock::now() - start >= std::chrono::duration<double>(time_limit);
  });
  progress.clear();
  if (unfinished.recalled() > 0)
    console.err << fmt::format("{}: {} finished by an earlier run, taken from {}\n", program().name,
                               plural(unfinished.recalled(), "piece"),
                               (folder / "unfinished").string());

  if (shard.count > 1)
    return end_of_part(report, pieces, shard, asked_for.size(), folder / "unfinished", console);
  const std::string words =
      laid_out(in_words(report, arguments, before, has_colours(console)), console.columns);
  WrittenReport written;
  // The file first: who reads the words may stop reading. But if there is none, what was found is
  // at least shown.
  try {
    written = write_report(report, folder, every_claim);
  } catch (const std::exception&) {
    console.out << words;
    throw;
  }
  // The next run is to check afresh, unless this one has left something to do.
  if (!report.partial) unfinished.remove();
  console.out << words
              << laid_out(in_words(report.context.error_budget) + written.line, console.columns)
              << std::flush;
  const bool worse = has_regressed(report, known, baseline, console);
  if (!report.summary.unexpected.empty()) return unexpected_code;
  if (worse) return regression_code;
  return report.partial ? partial_code : as_expected_code;
}

}  // namespace

Command add_verify(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "Check the claims and write report.json");
  add_check_options(*command, arguments->common);
  command->add_flag("--verbose", arguments->verbose,
                    "A line for every claim, not only for what is not as expected");
  command->add_option("--time-limit", arguments->time_limit,
                      "Begin no check after so many seconds; the report says what was left out, "
                      "and the exit code is 3 if the rest is as expected");
  add_shard(*command, arguments->shard);
  return {command,
          [=, &console, &catalogue] { return verify_command(*arguments, console, catalogue); }};
}

}  // namespace dpverify
