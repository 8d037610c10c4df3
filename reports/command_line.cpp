#include "reports/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <thread>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "reports/atomic_file.hpp"
#include "reports/audit_command.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/figure_command.hpp"
#include "reports/json.hpp"
#include "reports/rates_command.hpp"
#include "reports/report_file.hpp"
#include "reports/run_command.hpp"
#include "reports/selection.hpp"
#include "reports/text.hpp"
#include "reports/validate.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

constexpr const char* default_folder = "out";

// Texts as typed. Read by the functions below rather than by CLI11, so that every complaint has the
// same form.
struct VerifyArguments {
  std::vector<std::string> only;
  std::string plan = "smoke";
  std::string out = default_folder;
  std::string seed = std::to_string(CheckContext{}.seed);
  std::string threads;
};

struct RatesArguments {
  VerifyArguments common;
  std::string variable;
  bool json = false;
  std::string baseline;
  bool record_baseline = false;
  std::string figure;
  std::string trials;
  std::string shrink = "1";
};

struct ListArguments {
  std::vector<std::string> only;
  bool json = false;
  bool markdown = false;
};

struct ExplainArguments {
  std::string id;
  std::string report;
};

struct AuditArguments {
  std::string id;
  std::string method = "all";
  std::string epsilon, delta;
  std::string samples = "100000";
  std::string transcripts = "20000";
  bool sequential = false;
  std::vector<std::string> pair;
  std::vector<std::string> outputs;
  std::string bits = "auto";
  std::string target;
  std::string setting;
  std::string significance = "0.05";
  std::string seed = std::to_string(CheckContext{}.seed);
  std::string threads;
  bool json = false;
};

struct RunArguments {
  std::string data;
  std::string target;
  std::string bounds;
  std::string seed;
  std::string out;
  bool json = false;
  std::map<std::string, std::string> options;  // of the algorithm, all of them
};

template <class Number>
Number read_integer(std::string_view what, const std::string& text, Number smallest,
                    Number largest) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  require(error == std::errc{} && stop == end && value >= smallest && value <= largest, what,
          "'" + text + "'", fmt::format("an integer from {} to {}", smallest, largest));
  return value;
}

double read_number(std::string_view what, const std::string& text, std::string_view range,
                   bool (*allowed)(double)) {
  double value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  require(error == std::errc{} && stop == end && allowed(value), what, "'" + text + "'",
          std::string(range));
  return value;
}

// Seeds stand in JSON: beyond 2^53 many readers would round them.
std::uint64_t read_seed(const std::string& text) {
  return read_integer<std::uint64_t>("--seed", text, 0, (std::uint64_t{1} << 53) - 1);
}

int read_threads(const std::string& text) {
  if (text.empty()) return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return read_integer("--threads", text, 1, 1024);
}

Plan read_plan(const std::string& text) {
  for (const PlanBudget& row : plan_budgets)
    if (text == row.name) return row.plan;
  require(false, "--plan", "'" + text + "'", "smoke, ci or nightly");
  return Plan::smoke;
}

int count_statistical_checks(const std::vector<Claim>& claims, Plan plan) {
  return static_cast<int>(std::ranges::count_if(
      claims, [plan](const Claim& claim) { return is_statistical(claim, plan); }));
}

// An option that would change nothing is a misunderstanding. `why` goes on after "given".
void refuse_options(const CLI::App& command, std::initializer_list<const char*> options,
                    std::string_view why) {
  for (const char* option : options)
    require(command.count(option) == 0, option, "given " + std::string(why),
            "left out: it would change nothing");
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

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

int verify_command(const VerifyArguments& arguments, const Console& console,
                   const Catalogue& catalogue) {
  const std::vector<Claim>& every_claim = catalogue.claims();
  const Plan plan = read_plan(arguments.plan);
  const CheckContext context{.seed = read_seed(arguments.seed),
                             .plan = plan,
                             .threads = read_threads(arguments.threads),
                             .statistical_checks = count_statistical_checks(every_claim, plan)};
  const std::vector<Claim> claims = select_claims(every_claim, arguments.only);
  const std::filesystem::path folder = arguments.out, baseline = default_baseline();
  prepare_report(folder, {baseline});
  const std::vector<RateRecord> known = known_rates(baseline);

  CheckpointFiles unfinished(folder / "unfinished", program_fingerprint(), complaints_on(console));
  const Report report = verify(claims, context, progress_on(console), &unfinished);
  if (console.err_is_terminal) console.err << "\r\033[K" << std::flush;
  if (unfinished.recalled() > 0)
    console.err << fmt::format("dpverify: {} finished by an earlier run, taken from {}\n",
                               plural(unfinished.recalled(), "piece"),
                               (folder / "unfinished").string());

  const bool colours = console.out_is_terminal && std::getenv("NO_COLOR") == nullptr;
  const std::string table = report_table(report, colours);
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

int sweep_command(const CLI::App& command, const RatesArguments& arguments, const Console& console,
                  const Catalogue& catalogue) {
  if (!arguments.figure.empty()) {
    refuse_options(command,
                   {"--only", "--vary", "--plan", "--json", "--baseline", "--record-baseline"},
                   "with --figure");
    if (arguments.figure == "list")
      refuse_options(command, {"--trials", "--shrink", "--seed", "--threads", "--out"},
                     "with --figure list");
    FigureArguments figure;
    figure.id = arguments.figure;
    figure.out = arguments.common.out;
    figure.seed = read_seed(arguments.common.seed);
    figure.threads = read_threads(arguments.common.threads);
    if (!arguments.trials.empty())
      figure.trials = read_integer<Index>("--trials", arguments.trials, 2, 1'000'000);
    figure.records_divisor = read_number("--shrink", arguments.shrink, "at least 1 and finite",
                                         [](double x) { return x >= 1 && std::isfinite(x); });
    return figure_command(figure, console);
  }
  refuse_options(command, {"--trials", "--shrink"}, "without --figure");
  const std::vector<Claim>& every_claim = catalogue.claims();
  RatesOptions options;
  options.context.seed = read_seed(arguments.common.seed);
  options.context.plan = read_plan(arguments.common.plan);
  options.context.threads = read_threads(arguments.common.threads);
  options.context.statistical_checks = count_statistical_checks(every_claim, options.context.plan);
  options.claims =
      rate_claims(select_claims(every_claim, arguments.common.only),
                  arguments.variable.empty() ? std::nullopt : std::optional(arguments.variable));
  options.folder = arguments.common.out;
  options.json = arguments.json;
  options.baseline = arguments.baseline;
  if (arguments.baseline.empty()) options.baseline = default_baseline();
  options.record_baseline = arguments.record_baseline;
  require(arguments.baseline.empty() || arguments.record_baseline || file_exists(options.baseline),
          "--baseline", "'" + arguments.baseline + "'", "a file that exists");
  return rates_command(options, every_claim, console);
}

int list_command(const ListArguments& arguments, const Console& console,
                 const Catalogue& catalogue) {
  const std::vector<Claim> claims = select_claims(catalogue.claims(), arguments.only);
  console.out << (arguments.json       ? to_json(claims)
                  : arguments.markdown ? claims_table(claims)
                                       : claim_list(claims));
  return as_expected_code;
}

std::string count_errors(const std::vector<std::string>& lines) {
  if (lines.size() <= most_validation_lines) return plural(lines.size(), "error");
  return fmt::format("more than {}", plural(most_validation_lines, "error"));
}

int explain_command(const ExplainArguments& arguments, const Console& console,
                    const Catalogue& catalogue) {
  const Claim& claim = find_claim(catalogue.claims(), arguments.id);
  std::string text = claim_in_words(claim);
  std::filesystem::path file = arguments.report;
  if (file.empty()) file = std::filesystem::path(default_folder) / report_name;
  const std::string hint = fmt::format("\nTo check it:\n  ./dpverify verify --only {}\n", claim.id);
  if (arguments.report.empty() && !file_exists(file)) {
    text += hint;
  } else {
    const std::string report = read_file(file);
    if (const auto errors = validate_report(report); !errors.empty())
      throw std::invalid_argument(fmt::format("{} does not match the schema: {} ({})",
                                              file.string(), errors.front(), count_errors(errors)));
    if (const auto evidence = read_evidence(report, claim.id))
      text += "\n" + evidence_in_words(claim, *evidence, file.string());
    else
      text += fmt::format("\n{} has no evidence on this claim.\n", file.string()) + hint;
  }
  console.out << text;
  return as_expected_code;
}

int validate_command(const std::string& file, const Console& console) {
  const auto errors = validate_report(read_file(file));
  // Where nothing could be read there is nothing to list.
  const bool unreadable = errors.size() == 1 && errors[0].starts_with(unreadable_start);
  if (!unreadable)
    for (const std::string& error : errors) console.out << error << "\n";
  if (!errors.empty())
    throw std::invalid_argument(fmt::format("{} does not match the schema{} ({})", file,
                                            unreadable ? ": " + errors[0] : std::string(),
                                            count_errors(errors)));
  console.out << file << " matches the schema, version " << schema_version << "\n";
  return as_expected_code;
}

// Where the run commands' arguments are read to: one per algorithm, at fixed addresses.
using RunCommands = std::map<const CLI::App*, std::pair<const Algorithm*, RunArguments>>;

void add_run_commands(CLI::App& run, const std::vector<Algorithm>& algorithms,
                      RunCommands& commands) {
  for (const Algorithm& algorithm : algorithms) {
    CLI::App* command = run.add_subcommand(algorithm.id, algorithm.title);
    auto& [bound, arguments] = commands[command];
    bound = &algorithm;
    command->add_option("--data", arguments.data, "CSV file, first line the column names")
        ->required();
    command->add_option("--target", arguments.target, "Column of the labels")->required();
    command->add_option("--bounds", arguments.bounds,
                        "CSV file column,lower,upper of public bounds that are scaled to [-1, 1]");
    command->add_option("--seed", arguments.seed,
                        "Makes the run repeatable, and not private: for tests only");
    command->add_option("--out", arguments.out,
                        "File for the result as JSON, for its owner's eyes only: a new one, or an "
                        "earlier result");
    command->add_flag("--json", arguments.json, "Print JSON instead of text");
    for (const RunOption& option : algorithm.options)
      command->add_option("--" + option.name, arguments.options[option.name], option.help)
          ->default_str(option.default_text);
  }
}

std::vector<Channel> read_method(const std::string& text) {
  if (text == "all") return {std::begin(all_channels), std::end(all_channels)};
  for (const Channel channel : all_channels)
    if (text == name(channel)) return {channel};
  require(false, "--method", "'" + text + "'", "exact, transcript, black-box or all");
  return {};
}

Bits read_bits(const std::string& text) {
  if (text == "auto") return Bits::if_written;
  require(text == "yes" || text == "no", "--bits", "'" + text + "'", "auto, yes or no");
  return text == "yes" ? Bits::yes : Bits::no;
}

void refuse_idle_options(const CLI::App& command, const AuditArguments& arguments) {
  const auto refuse = [&](std::initializer_list<const char*> options, std::string_view why) {
    refuse_options(command, options, why);
  };
  if (!arguments.outputs.empty())
    refuse({"--method", "--samples", "--transcripts", "--sequential", "--pair", "--target",
            "--setting", "--threads"},
           "with --outputs");
  else
    refuse({"--bits"}, "without --outputs");
  if (arguments.method == "exact")
    refuse({"--samples", "--transcripts", "--sequential", "--significance", "--threads"},
           "with --method exact");
  if (arguments.method == "transcript")
    refuse({"--samples", "--sequential", "--threads"}, "with --method transcript");
  if (arguments.method == "black-box") refuse({"--transcripts"}, "with --method black-box");
  if (arguments.pair.size() != 2) refuse({"--target"}, "without the two files of --pair");
}

// The options as typed, each followed by its values, but for the given ones.
std::vector<std::string> options_given(const CLI::App& command,
                                       std::initializer_list<std::string_view> leave_out) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || !name.starts_with("--") || std::ranges::count(leave_out, name) > 0)
      continue;
    words.push_back(name);
    if (option->get_items_expected_max() == 0) continue;  // a flag
    for (const std::string& value : option->results()) words.push_back(value);
  }
  return words;
}

int run_audit(const CLI::App& command, const AuditArguments& arguments, const Console& console,
              const Catalogue& catalogue) {
  require(arguments.id.empty() != arguments.outputs.empty(), "what to audit",
          arguments.id.empty() ? "missing" : "given twice", "an ID or --outputs, one of them");
  AuditCommandOptions options;
  options.id = arguments.id;
  options.target = arguments.target;
  options.json = arguments.json;
  AuditRequest& request = options.request;
  request.channels = read_method(arguments.method);
  const bool other_epsilon = command.count("--epsilon") > 0;
  const bool other_delta = command.count("--delta") > 0;
  require(!other_delta || other_epsilon, "--epsilon", "missing",
          "given with --delta: both make the guarantee that is asked about");
  if (other_epsilon) {
    request.claimed =
        PrivacyGuarantee{read_number("--epsilon", arguments.epsilon, "positive and finite",
                                     [](double x) { return x > 0 && std::isfinite(x); }),
                         other_delta ? read_number("--delta", arguments.delta, "in [0, 1)",
                                                   [](double x) { return x >= 0 && x < 1; })
                                     : 0};
  }
  request.budget.outputs = read_integer<Index>("--samples", arguments.samples, 100, 100'000'000);
  request.budget.transcripts =
      read_integer<Index>("--transcripts", arguments.transcripts, 100, 100'000'000);
  request.budget.sequential = arguments.sequential;
  request.budget.curves = true;
  request.budget.threads = read_threads(arguments.threads);
  const double significance = read_number("--significance", arguments.significance, "in (0, 1)",
                                          [](double x) { return x > 0 && x < 1; });
  request.budget.significance = significance;
  if (!arguments.setting.empty())
    options.setting = read_integer<std::size_t>("--setting", arguments.setting, 1, 1'000'000) - 1;
  request.seed = read_seed(arguments.seed);
  refuse_idle_options(command, arguments);
  if (!arguments.outputs.empty()) {
    require(other_epsilon, "--epsilon", "missing", "given with --outputs");
    const bool consistent =
        audit_files_command({.files = arguments.outputs,
                             .claimed = *request.claimed,
                             .significance = significance,
                             .bits = read_bits(arguments.bits),
                             .seed = request.seed,
                             .given = options_given(command, {"--seed", "--json"}),
                             .json = arguments.json},
                            console.out);
    return consistent ? as_expected_code : unexpected_code;
  }
  options.given = options_given(command, {"--setting", "--seed", "--threads", "--json"});
  if (arguments.pair.size() == 1) {
    require(arguments.pair[0] == "search" || arguments.pair[0] == "corner", "--pair",
            "'" + arguments.pair[0] + "'", "search, corner or two CSV files");
    request.choice = arguments.pair[0] == "search" ? PairChoice::search : PairChoice::corner;
  } else if (!arguments.pair.empty()) {
    request.choice = PairChoice::given;
    options.files = arguments.pair;
  }
  return audit_command(catalogue.claims(), options, console.out) ? as_expected_code
                                                                 : unexpected_code;
}

int run_algorithm(const CLI::App& command, const Algorithm& algorithm,
                  const RunArguments& arguments, const Console& console) {
  RunCommandOptions common{.data = arguments.data,
                           .target = arguments.target,
                           .bounds = std::nullopt,
                           .seed = std::nullopt,
                           .out = std::nullopt,
                           .json = arguments.json};
  if (command.count("--bounds") > 0) common.bounds = arguments.bounds;
  if (command.count("--seed") > 0) common.seed = read_seed(arguments.seed);
  if (command.count("--out") > 0) common.out = arguments.out;
  std::map<std::string, std::string> given;
  for (const auto& [name, text] : arguments.options)
    if (command.count("--" + name) > 0) given[name] = text;
  return run_command(algorithm, given, common, console.out);
}

// Complains if the arguments name no command of `app`. A misspelt one is left over as an argument
// that nobody took.
void require_command(const CLI::App& app, std::string_view what) {
  if (!app.get_subcommands().empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string> left_over = app.remaining();
  require(false, what, left_over.empty() ? "missing" : "'" + left_over[0] + "'",
          fmt::format("one of {} (see --help)", fmt::join(names, ", ")));
}

std::string version_line() {
  const BuildInfo build = build_info();
  const GitState git = git_state();
  return fmt::format("dpverify {} (commit {}{}, {})", build.version, git.commit.substr(0, 12),
                     git.dirty ? " with changes" : "", build.compiler);
}

int dispatch(int argc, const char* const* argv, const Console& console,
             const Catalogue& catalogue) {
  CLI::App app(
      "Checks differentially private optimisation algorithms against the claims of their papers.",
      "dpverify");
  app.set_version_flag("--version", version_line);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");

  constexpr const char* glob_help =
      "Only the claims whose id matches (*, ?, [...]); may be repeated";
  const auto add_check_options = [](CLI::App* command, VerifyArguments& arguments) {
    command->add_option("--only", arguments.only, glob_help)
        ->type_name("GLOB")
        ->allow_extra_args(false);
    command
        ->add_option("--plan", arguments.plan,
                     "smoke (about a minute), ci (minutes) or nightly (longest)")
        ->capture_default_str();
    command
        ->add_option("--out", arguments.out, "Folder for report.json; other claims in it are kept")
        ->capture_default_str();
    command->add_option("--seed", arguments.seed, "Root of every random stream")
        ->capture_default_str();
    command->add_option("--threads", arguments.threads,
                        "Checks at a time; changes no result (default: one a core)");
  };
  VerifyArguments verify_arguments;
  CLI::App* verify = app.add_subcommand("verify", "Check the claims and write report.json");
  add_check_options(verify, verify_arguments);

  RatesArguments rates_arguments;
  CLI::App* rates = app.add_subcommand(
      "rates", "Sweep the rate claims: tables, pictures, and a comparison with the baseline");
  add_check_options(rates, rates_arguments.common);
  rates->add_option("--vary", rates_arguments.variable,
                    "Only the claims that vary this: n, epsilon, d or s");
  rates->add_flag("--json", rates_arguments.json, "Print the report instead of tables");
  rates->add_option("--baseline", rates_arguments.baseline,
                    "File to compare with (default: bench/baselines/rates.json of the source)");
  rates->add_flag("--record-baseline", rates_arguments.record_baseline,
                  "Write the rates of this run to that file instead");
  rates->add_option("--figure", rates_arguments.figure,
                    "Instead: re-run this panel of a paper's figure; 'list' names them");
  rates->add_option("--trials", rates_arguments.trials, "Of a figure's points (default: its own)");
  rates->add_option("--shrink", rates_arguments.shrink, "Divide a figure's n by this, for a look")
      ->capture_default_str();

  ListArguments list_arguments;
  CLI::App* list = app.add_subcommand("list", "List the claims");
  list->add_option("--only", list_arguments.only, glob_help)
      ->type_name("GLOB")
      ->allow_extra_args(false);
  CLI::Option* list_json = list->add_flag("--json", list_arguments.json,
                                          "As a JSON array, with statement and assumptions");
  list->add_flag("--markdown", list_arguments.markdown,
                 "As a Markdown table of statements and editions, with the expected verdicts")
      ->excludes(list_json);

  ExplainArguments explain_arguments;
  CLI::App* explain = app.add_subcommand("explain", "One claim and its evidence in words");
  explain->add_option("ID", explain_arguments.id, "Id of the claim")->required();
  explain->add_option("--report", explain_arguments.report,
                      "Report with the evidence (default: out/report.json, if it exists)");

  AuditArguments audit_arguments;
  CLI::App* audit = app.add_subcommand("audit", "Is a mechanism really (epsilon, delta)-DP?");
  audit->add_option("ID", audit_arguments.id, "A privacy claim, or an algorithm: all its claims");
  audit
      ->add_option("--outputs", audit_arguments.outputs,
                   "Instead of an ID: two CSV files with a program's outputs on two neighbours")
      ->expected(2)
      ->type_name("FILE FILE");
  audit
      ->add_option("--bits", audit_arguments.bits,
                   "With --outputs: look at the bits of doubles; auto: if they are written in full")
      ->capture_default_str();
  audit->add_option("--method", audit_arguments.method, "exact, transcript, black-box or all")
      ->capture_default_str();
  audit->add_option("--epsilon", audit_arguments.epsilon,
                    "Ask about this guarantee instead of the claimed one");
  audit->add_option("--delta", audit_arguments.delta, "With --epsilon (default: 0)");
  audit->add_option("--samples", audit_arguments.samples, "Outputs a side, black box")
      ->capture_default_str();
  audit->add_option("--transcripts", audit_arguments.transcripts, "Transcripts a side")
      ->capture_default_str();
  audit->add_flag("--sequential", audit_arguments.sequential,
                  "Black box: stop as soon as the evidence suffices, --samples at most");
  audit
      ->add_option("--pair", audit_arguments.pair,
                   "search, corner or two CSV files (default: the claim's pair, or search)")
      ->expected(1, 2)
      ->type_name("HOW");
  audit->add_option("--target", audit_arguments.target,
                    "Column of labels in the files (default: the last)");
  audit->add_option("--setting", audit_arguments.setting,
                    "Which setting of the claim, see explain (default: the first; of a claim known "
                    "to be false, the first that refutes it)");
  audit
      ->add_option("--significance", audit_arguments.significance,
                   "Probability that sampling refutes a true claim")
      ->capture_default_str();
  audit->add_option("--seed", audit_arguments.seed, "Root of every random stream")
      ->capture_default_str();
  audit->add_option("--threads", audit_arguments.threads,
                    "Changes no result (default: one a core)");
  audit->add_flag("--json", audit_arguments.json, "As JSON");

  CLI::App* run = app.add_subcommand("run", "Run one algorithm on a CSV file");
  run->require_subcommand(1);
  RunCommands run_commands;
  add_run_commands(*run, catalogue.algorithms(), run_commands);

  std::string validate_file;
  CLI::App* validate = app.add_subcommand("validate", "Check a report against the JSON Schema");
  validate->add_option("FILE", validate_file, "A report.json")->required();

  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
  // Last, because the commands would inherit it.
  app.footer(
      "  test                        Run the project's own tests (handled by the wrapper)\n\n"
      "Exit codes: 0 every verdict as expected, 1 a verdict not as expected, 2 usage, bad input "
      "or\n"
      "a file or output that cannot be written, 4 a rate worse than in the baseline, 5 internal "
      "error.");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {
    // Help and version arrive as exceptions too.
    if (outcome.get_exit_code() == 0) return app.exit(outcome, console.out, console.err);
    require_command(app, "command");
    if (*run) require_command(*run, "algorithm");
    throw std::invalid_argument(std::string(outcome.what()) + " (see --help)");
  }
  if (*verify) return verify_command(verify_arguments, console, catalogue);
  if (*rates) return sweep_command(*rates, rates_arguments, console, catalogue);
  if (*list) return list_command(list_arguments, console, catalogue);
  if (*explain) return explain_command(explain_arguments, console, catalogue);
  if (*audit) return run_audit(*audit, audit_arguments, console, catalogue);
  if (*validate) return validate_command(validate_file, console);
  const CLI::App* command = run->get_subcommands().front();
  const auto& [algorithm, arguments] = run_commands.at(command);
  return run_algorithm(*command, *algorithm, arguments, console);
}

int complain(const Console& console, std::string message, ExitCode code) {
  std::ranges::replace(message, '\n', ' ');
  console.err << "dpverify: " << message << std::endl;
  return code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const Console& console,
                     const Catalogue& catalogue) {
  try {
    const int code = dispatch(argc, argv, console, catalogue);
    console.out.flush();
    if (!console.out) throw FileError("cannot write to standard output");
    return code;
  } catch (const std::invalid_argument& error) {
    return complain(console, error.what(), bad_input_code);
  } catch (const FileError& error) {
    return complain(console, error.what(), bad_input_code);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(console, error.what(), bad_input_code);
  } catch (const NonFiniteRelease& error) {
    // Finite data too large for the arithmetic.
    return complain(console, error.what(), bad_input_code);
  } catch (const std::exception& error) {
    return complain(console, std::string("internal error: ") + error.what(), internal_code);
  } catch (...) {
    return complain(console, "internal error: an exception of unknown type", internal_code);
  }
}

}  // namespace dpverify
