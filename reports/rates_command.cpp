#include "reports/rates_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <utility>

#include "algorithms/core/build_info.hpp"
#include "algorithms/core/checked.hpp"
#include "bench/rate_check.hpp"
#include "reports/atomic_file.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/commands.hpp"
#include "reports/evidence_text.hpp"
#include "reports/figure_command.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/pictures.hpp"
#include "reports/program.hpp"
#include "reports/progress_line.hpp"
#include "reports/report_file.hpp"
#include "reports/report_text.hpp"
#include "reports/selection.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

// How far the sweeps have come, in pieces of their points.
class SweepProgress {
 public:
  SweepProgress(const Share& share, const CheckContext& context, const Console& console)
      : line_(console) {
    const auto add = [this](const std::vector<ShardPiece>& pieces) {
      for (const ShardPiece& piece : pieces) {
        work_[piece.key] = piece.work;
        left_ += piece.work;
      }
    };
    for (const Claim& claim : share.claims) add(pieces_of_check(claim, context));
    add(share.pieces);
  }

  void finish(const std::string& key, bool measured) {
    const std::scoped_lock lock(mutex_);
    ++finished_;
    left_ -= work_[key];
    if (measured) done_ += work_[key];
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    line_.show(fmt::format(
        "{}/{} pieces{}", finished_, work_.size(),
        done_ > 0 ? fmt::format(", about {:.0f} s left", seconds * left_ / done_) : ""));
  }

  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::map<std::string, double> work_;
  std::size_t finished_ = 0;
  double left_ = 0;
  double done_ = 0;
};

// Tells the progress of every piece that is kept or recalled.
CheckpointStore observed(CheckpointStore store, SweepProgress& progress) {
  return {.recall =
              [recall = std::move(store.recall), &progress](const std::string& key) {
                std::optional<std::string> text = recall(key);
                if (text) progress.finish(key, false);
                return text;
              },
          .keep =
              [keep = std::move(store.keep), &progress](const std::string& key,
                                                        const std::string& text) {
                keep(key, text);
                progress.finish(key, true);
              }};
}

fs::path picture_file(const fs::path& folder, const std::string& claim) {
  return folder / (claim + ".svg");
}

// Pictures of the claims of this run, and the page of all in the folder; where they are.
std::string draw(const Report& report, const WrittenReport& written, const fs::path& folder) {
  Pictures pictures = rate_pictures(read_file(written.file));
  if (!pictures.failure.empty()) return fmt::format("No pictures: {}\n", pictures.failure);
  for (const NamedPicture& each : pictures.all)
    if (std::ranges::find(report.claims, each.name, &Claim::id) != report.claims.end())
      write_atomically(picture_file(folder, each.name), each.svg);
  return fmt::format("Pictures: {}/CLAIM.svg, all in {}\n", folder.string(),
                     write_pictures_page(folder, std::move(pictures.all)).string());
}

}  // namespace

std::vector<Claim> rate_claims(const std::vector<Claim>& claims,
                               const std::optional<std::string>& variable) {
  std::vector<Claim> chosen;
  std::set<std::string> variables;
  for (const Claim& claim : claims) {
    const auto* check = std::get_if<RateClaim>(&claim.check);
    if (check == nullptr) continue;
    variables.insert(check->variable);
    if (!variable || check->variable == *variable) chosen.push_back(claim);
  }
  require(!variables.empty(), "claims that were chosen", "none of a rate", "some rate claims");
  require(!chosen.empty(), "--vary", "'" + variable.value_or("") + "'",
          fmt::format("one of {} for these claims", fmt::join(variables, ", ")));
  return chosen;
}

fs::path default_baseline() {
  return fs::path(build_info().source_folder) / "bench" / "baselines" / "rates.json";
}

std::vector<RateRecord> known_rates(const fs::path& baseline) {
  if (baseline.empty() || !file_exists(baseline)) return {};
  return read_baseline(read_file(baseline), baseline.string());
}

bool has_regressed(const Report& report, const std::vector<RateRecord>& known,
                   const fs::path& baseline, const Console& console) {
  const Regressions found = regressions(known, rate_records(report));
  for (const std::string& line : found.lines)
    console.err << program().name << ": regression against " << baseline.string() << ": " << line
                << "\n";
  return !found.lines.empty();
}

std::function<void(const std::string&)> complaints_on(const Console& console) {
  return [&err = console.err,
          start = console.err_is_terminal ? "\r\033[K" : ""](const std::string& line) {
    err << start << program().name << ": " << line << std::endl;
  };
}

int rates_command(const RatesOptions& options, const std::vector<Claim>& every_claim,
                  const Console& console) {
  // All that could be in the way of the results, before the work is done.
  prepare_report(options.folder, {options.baseline});
  prepare_pictures_page(options.folder);
  for (const Claim& claim : options.claims)
    require_writable(picture_file(options.folder, claim.id), {options.baseline});
  if (options.record_baseline) {
    prepare_folder(fs::absolute(options.baseline).parent_path());
    require_writable(options.baseline, {options.folder / report_name});
  }
  const std::vector<RateRecord> known = known_rates(options.baseline);

  const fs::path kept = options.folder / "rate-points";
  CheckpointFiles points(kept, program_fingerprint(), complaints_on(console));
  CheckContext context = options.context;
  const Share share = share_of(options.claims, context, options.shard);
  SweepProgress progress(share, context, console);
  context.checkpoints = observed(points.store(), progress);
  Report report = verify(share.claims, context, {});
  report.kind = DocumentKind::rates;
  const MeasuredPieces pieces = measure_pieces(share.pieces, context, [] { return false; });
  progress.clear();
  if (options.shard.count > 1)
    return end_of_part(report, pieces, options.shard, options.claims.size(), kept, console);

  // Files first: who reads the output may stop reading.
  const WrittenReport written = write_report(report, options.folder, every_claim);
  const std::string pictures = draw(report, written, options.folder);
  if (options.record_baseline) {
    const FolderLock lock(fs::absolute(options.baseline).parent_path());
    write_atomically(options.baseline, baseline_text(with_records(known_rates(options.baseline),
                                                                  rate_records(report))));
  }
  if (options.json) {
    console.out << to_json(report);
  } else {
    std::string text;
    for (std::size_t k = 0; k < report.claims.size(); ++k)
      text += rate_in_words(report.claims[k], report.evidence[k]) + "\n";
    text += unexpected_in_words(report, has_colours(console)) + pictures + written.line;
    if (options.record_baseline) text += "Baseline: " + options.baseline.string() + "\n";
    console.out << laid_out(text, console.columns);
  }
  const bool worse =
      !options.record_baseline && has_regressed(report, known, options.baseline, console);
  if (!report.summary.unexpected.empty()) return unexpected_code;
  return worse ? regression_code : as_expected_code;
}

namespace {

struct RatesArguments {
  CheckArguments common;
  ShardArguments shard;
  std::string variable;
  bool json = false;
  std::string baseline;
  bool record_baseline = false;
  std::string figure;
  std::string trials;
  std::string shrink = "1";
};

int run_figure_command(const CLI::App& command, const RatesArguments& arguments,
                       const Console& console, const Catalogue& catalogue) {
  refuse_options(
      command,
      {"--only", "--vary", "--plan", "--json", "--baseline", "--record-baseline", "--costs"},
      "with --figure");
  if (arguments.figure == "list")
    refuse_options(command, {"--trials", "--shrink", "--seed", "--threads", "--out", "--shard"},
                   "with --figure list");
  FigureArguments figure;
  figure.id = arguments.figure;
  figure.out = arguments.common.out;
  figure.seed = read_seed(arguments.common.seed);
  figure.threads = read_threads(arguments.common.threads);
  if (!arguments.trials.empty())
    figure.trials = read_integer<Index>("--trials", arguments.trials, 2, 1'000'000);
  figure.records_divisor =
      read_number("--shrink", arguments.shrink,
                  {[](double x) { return x >= 1 && std::isfinite(x); }, "at least 1 and finite"});
  figure.shard = read_shard(arguments.shard);
  return figure_command(figure, catalogue.figures(), console);
}

int sweep_command(const CLI::App& command, const RatesArguments& arguments, const Console& console,
                  const Catalogue& catalogue) {
  if (!arguments.figure.empty()) return run_figure_command(command, arguments, console, catalogue);
  if (catalogue.figures) refuse_options(command, {"--trials", "--shrink"}, "without --figure");
  const std::vector<Claim>& every_claim = catalogue.claims();
  RatesOptions options;
  options.context = check_context(arguments.common, every_claim);
  options.claims =
      rate_claims(claims_asked_for(arguments.common, every_claim),
                  arguments.variable.empty() ? std::nullopt : std::optional(arguments.variable));
  options.shard = read_shard(arguments.shard);
  if (!arguments.shard.shard.empty())
    refuse_options(command, {"--json", "--record-baseline"}, "with --shard");
  options.folder = arguments.common.out;
  options.json = arguments.json;
  options.baseline = arguments.baseline;
  if (arguments.baseline.empty()) options.baseline = catalogue.baseline;
  options.record_baseline = arguments.record_baseline;
  require(!options.record_baseline || !options.baseline.empty(), "--baseline", "missing",
          "given with --record-baseline: the file to write");
  require(arguments.baseline.empty() || arguments.record_baseline || file_exists(options.baseline),
          "--baseline", "'" + arguments.baseline + "'", "a file that exists");
  return rates_command(options, every_claim, console);
}

}  // namespace

Command add_rates(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<RatesArguments>();
  CLI::App* command = app.add_subcommand(
      "rates", "Sweep the rate claims: tables, pictures, and a comparison with the baseline");
  add_check_options(*command, arguments->common);
  add_shard(*command, arguments->shard);
  command->add_option("--vary", arguments->variable,
                      "Only the claims that vary this: n, epsilon, d or s");
  command->add_flag("--json", arguments->json, "Print the report instead of tables");
  command->add_option(
      "--baseline", arguments->baseline,
      catalogue.baseline.empty()
          ? "File to compare with (default: none)"
          : "File to compare with (default: bench/baselines/rates.json of the source)");
  command->add_flag("--record-baseline", arguments->record_baseline,
                    "Write the rates of this run to that file instead");
  if (catalogue.figures) {
    command->add_option("--figure", arguments->figure,
                        "Instead: re-run this panel of a paper's figure; 'list' names them");
    command->add_option("--trials", arguments->trials, "Of a figure's points (default: its own)");
    command->add_option("--shrink", arguments->shrink, "Divide a figure's n by this, for a look")
        ->capture_default_str();
  }
  return {command, [=, &console, &catalogue] {
            return sweep_command(*command, *arguments, console, catalogue);
          }};
}

}  // namespace dpverify
