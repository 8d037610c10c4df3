#include "reports/audit_command.hpp"

#include <cmath>
#include <memory>
#include <ostream>
#include <sstream>

#include "algorithms/core/checked.hpp"
#include "reports/audit_one_run.hpp"
#include "reports/audit_outputs.hpp"
#include "reports/audit_recorded.hpp"
#include "reports/audit_sampling.hpp"
#include "reports/commands.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

struct AuditArguments {
  std::string id;
  std::string method = "all";
  std::string epsilon, delta;
  bool keep_noise = false;
  std::string samples = "100000";
  std::string transcripts = "20000";
  bool sequential = false;
  std::vector<std::string> pair;
  std::vector<std::string> outputs;
  SamplingArguments sampling;
  bool one_run = false;
  std::vector<std::string> guesses;
  std::string exec;  // the program and its words, each ended by NUL but the last
  std::string data, neighbour, without;
  std::string fault = to_text(usual_fault);
  std::string time_limit = "30";
  std::string memory_limit = "4096";
  std::string bits = "auto";
  std::string target;
  std::string setting;
  std::string significance = "0.05";
  std::string seed = default_seed();
  std::string threads;
  bool show_data = false;
  bool json = false;
};

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

double read_fault(const std::string& text) {
  return read_number("--fault", text,
                     {[](double x) { return x > 1 && std::isfinite(x); }, "above 1 and finite"});
}

// --transcripts names a file where nothing else is audited, and is a number in an audit by ID.
bool is_of_recorded(const CLI::App& command, const AuditArguments& arguments) {
  const bool number = arguments.transcripts.find_first_not_of("0123456789") == std::string::npos;
  return !number && arguments.id.empty() && arguments.outputs.empty() &&
         arguments.sampling.sampling.empty() && command.count("--exec") == 0 &&
         command.count("--transcripts") > 0;
}

bool is_of_a_claim(const CLI::App& command, const AuditArguments& arguments) {
  return arguments.outputs.empty() && arguments.exec.empty() &&
         arguments.sampling.sampling.empty() && !is_of_recorded(command, arguments);
}

void refuse_idle_options(const CLI::App& command, const AuditArguments& arguments) {
  const auto refuse = [&](std::initializer_list<const char*> options, std::string_view why) {
    refuse_options(command, options, why);
  };
  if (!arguments.exec.empty())
    refuse({"--method", "--transcripts", "--sequential", "--pair", "--target", "--setting"},
           "with --exec");
  else
    refuse({"--data", "--neighbour", "--without", "--time-limit", "--memory-limit"},
           "without --exec");
  if (!arguments.sampling.sampling.empty())
    refuse({"--method", "--samples", "--transcripts", "--sequential", "--pair", "--target",
            "--setting", "--threads", "--bits", "--fault", "--significance"},
           "with --sampling");
  else
    refuse(sampling_options, "without --sampling");
  if (arguments.outputs.empty()) refuse({"--one-run"}, "without --outputs");
  if (arguments.one_run)
    refuse({"--bits"}, "with --one-run");
  else
    refuse({"--guesses"}, "without --one-run");
  if (is_of_recorded(command, arguments))
    refuse({"--method", "--samples", "--sequential", "--pair", "--target", "--setting", "--threads",
            "--bits"},
           "with a file of --transcripts");
  else if (!arguments.outputs.empty())
    refuse({"--method", "--samples", "--transcripts", "--sequential", "--pair", "--target",
            "--setting", "--threads"},
           "with --outputs");
  else if (arguments.exec.empty())
    refuse({"--bits", "--fault"}, "without --outputs, --exec or a file of --transcripts");
  if (!is_of_a_claim(command, arguments)) refuse({"--keep-noise"}, "without an ID");
  if (arguments.method == "exact")
    refuse({"--samples", "--transcripts", "--sequential", "--significance", "--threads"},
           "with --method exact");
  if (arguments.method == "transcript")
    refuse({"--samples", "--sequential", "--threads"}, "with --method transcript");
  if (arguments.method == "black-box") refuse({"--transcripts"}, "with --method black-box");
  if (arguments.pair.size() != 2)
    refuse({"--target", "--show-data"}, "without the two files of --pair");
}

AskedGuarantee read_asked(const CLI::App& command, const AuditArguments& arguments) {
  AskedGuarantee asked;
  if (command.count("--epsilon") > 0)
    asked.epsilon = read_number("--epsilon", arguments.epsilon, not_negative_and_finite);
  if (command.count("--delta") > 0)
    asked.delta = read_number("--delta", arguments.delta, fraction_or_zero);
  const bool of_a_claim = is_of_a_claim(command, arguments);
  require(!asked.epsilon || *asked.epsilon > 0 || (asked.delta.value_or(0) > 0 && !of_a_claim),
          "--epsilon", "'" + arguments.epsilon + "'",
          of_a_claim ? "positive" : "positive, or 0 with --delta above 0");
  return asked;
}

// The guarantee that is asked about whatever the noise: of a claim, with --keep-noise.
std::optional<PrivacyGuarantee> read_guarantee(const CLI::App& command,
                                               const AuditArguments& arguments) {
  const AskedGuarantee asked = read_asked(command, arguments);
  if (is_of_a_claim(command, arguments) && !arguments.keep_noise) return std::nullopt;
  require(asked.epsilon || (!asked.delta && !arguments.keep_noise), "--epsilon", "missing",
          "given with --delta and with --keep-noise: the guarantee that is asked about");
  if (!asked.epsilon) return std::nullopt;
  return PrivacyGuarantee{*asked.epsilon, asked.delta.value_or(0)};
}

AuditRequest read_request(const CLI::App& command, const AuditArguments& arguments) {
  AuditRequest request;
  request.channels = read_method(arguments.method);
  request.claimed = read_guarantee(command, arguments);
  request.budget.outputs = read_integer<Index>("--samples", arguments.samples, 100, 100'000'000);
  if (!is_of_recorded(command, arguments))
    request.budget.transcripts =
        read_integer<Index>("--transcripts", arguments.transcripts, 100, 100'000'000);
  request.budget.sequential = arguments.sequential;
  request.budget.curves = true;
  request.budget.threads = read_threads(arguments.threads);
  request.budget.significance = read_number("--significance", arguments.significance, fraction);
  return request;
}

void read_pair_option(const AuditArguments& arguments, AuditCommandOptions& options) {
  if (arguments.pair.size() == 1) {
    require(arguments.pair[0] == "search" || arguments.pair[0] == "corner", "--pair",
            "'" + arguments.pair[0] + "'", "search, corner or two CSV files");
    options.request.choice =
        arguments.pair[0] == "search" ? PairChoice::search : PairChoice::corner;
  } else if (!arguments.pair.empty()) {
    options.request.choice = PairChoice::given;
    options.files = arguments.pair;
  }
}

AuditQuestion question_of(const CLI::App& command, const AuditArguments& arguments,
                          const AuditRequest& request) {
  return {.claimed = *request.claimed,
          .significance = request.budget.significance,
          .fault = read_fault(arguments.fault),
          .seed = request.seed,
          .given = options_given(command, {"--seed", "--json"}),
          .json = arguments.json};
}

bool run_audit_of_one_run(const CLI::App& command, const AuditArguments& arguments,
                          const AuditRequest& request, std::ostream& out) {
  require(arguments.outputs.size() == 1, "--outputs",
          std::to_string(arguments.outputs.size()) + " files",
          "one file with --one-run: a line a canary");
  AuditOneRunOptions options{question_of(command, arguments, request), arguments.outputs[0], {}};
  if (!arguments.guesses.empty())
    options.guesses = {read_integer<Index>("--guesses", arguments.guesses[0], 0, 1'000'000'000),
                       read_integer<Index>("--guesses", arguments.guesses[1], 0, 1'000'000'000)};
  return audit_one_run_command(options, out);
}

bool run_audit_of_outputs(const CLI::App& command, const AuditArguments& arguments,
                          const AuditRequest& request, std::ostream& out) {
  if (arguments.one_run) return run_audit_of_one_run(command, arguments, request, out);
  return audit_files_command(
      {question_of(command, arguments, request), arguments.outputs, read_bits(arguments.bits)},
      out);
}

bool run_audit_of_recorded(const CLI::App& command, const AuditArguments& arguments,
                           const AuditRequest& request, std::ostream& out) {
  return audit_recorded_command({question_of(command, arguments, request), arguments.transcripts},
                                out);
}

bool run_audit_of_sampling(const CLI::App& command, const AuditArguments& arguments,
                           const AuditRequest& request, std::ostream& out) {
  const AuditQuestion question = question_of(command, arguments, request);
  require(question.claimed.epsilon > 0, "--epsilon", question.claimed.epsilon,
          "positive with --sampling");
  require(question.claimed.delta > 0, "--delta", question.claimed.delta,
          "in (0, 1) with --sampling: Gaussian noise has no pure guarantee");
  return audit_sampling_command(read_sampling(command, arguments.sampling, question), out);
}

std::vector<std::string> words_in(const std::string& joined) {
  std::vector<std::string> words(1);
  for (const char c : joined) {
    if (c == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

bool run_audit_of_program(const CLI::App& command, const AuditArguments& arguments,
                          const AuditRequest& request, std::ostream& out) {
  require(!arguments.data.empty(), "--data", "missing", "given with --exec: the path of a dataset");
  require(arguments.neighbour.empty() != arguments.without.empty(), "--neighbour",
          arguments.neighbour.empty() ? "missing" : "given with --without",
          "the path of a dataset, or --without what --data has and the neighbour has not");
  // g++ 12 destroys a nested aggregate twice if the initialiser of a later member throws.
  const Bits bits = read_bits(arguments.bits);
  AuditProgramOptions options{
      .request = {.words = words_in(arguments.exec),
                  .data = {arguments.data, arguments.neighbour},
                  .claimed = *request.claimed,
                  .significance = request.budget.significance,
                  .most_runs = request.budget.outputs,
                  .fault = read_fault(arguments.fault),
                  .processes = request.budget.threads,
                  .seed = request.seed},
      .without = arguments.without,
      .bits = bits,
      .given = options_given(command, {"--seed", "--json", "--exec", "--threads"}),
      .json = arguments.json};
  options.request.limits.seconds =
      read_number("--time-limit", arguments.time_limit,
                  {[](double x) { return x > 0 && x <= 1e6; }, "in (0, 1000000]"});
  options.request.limits.memory =
      read_integer<std::size_t>("--memory-limit", arguments.memory_limit, 16, 1'000'000) << 20;
  return audit_program_command(options, out);
}

int run_audit(const CLI::App& command, const AuditArguments& arguments, const Console& console,
              const Catalogue& catalogue) {
  const int subjects = (arguments.id.empty() ? 0 : 1) + (arguments.outputs.empty() ? 0 : 1) +
                       (command.count("--exec") == 0 ? 0 : 1) +
                       (command.count("--sampling") == 0 ? 0 : 1);
  const bool recorded = is_of_recorded(command, arguments);
  require(subjects == 1 || recorded, "what to audit", subjects == 0 ? "missing" : "given twice",
          "an ID, --outputs, --exec, --sampling or a file of --transcripts, one of them");
  require(command.count("--exec") == 0 || !arguments.exec.empty(), "--exec", "missing its program",
          "followed by the program and its words");
  AuditCommandOptions options;
  options.id = arguments.id;
  options.target = arguments.target;
  options.show_data = arguments.show_data;
  options.json = arguments.json;
  options.request = read_request(command, arguments);
  if (!arguments.setting.empty())
    options.setting = read_integer<std::size_t>("--setting", arguments.setting, 1, 1'000'000) - 1;
  options.request.seed = read_seed(arguments.seed);
  refuse_idle_options(command, arguments);
  if (arguments.id.empty()) {
    require(options.request.claimed.has_value(), "--epsilon", "missing",
            "given with --outputs, --exec, --sampling and a file of --transcripts");
    const auto run = recorded                          ? run_audit_of_recorded
                     : command.count("--sampling") > 0 ? run_audit_of_sampling
                     : arguments.exec.empty()          ? run_audit_of_outputs
                                                       : run_audit_of_program;
    std::ostringstream text;
    const bool consistent = run(command, arguments, options.request, text);
    console.out << (arguments.json ? text.str()
                                   : with_coloured_verdicts(laid_out(text.str(), console.columns),
                                                            has_colours(console)));
    return consistent ? as_expected_code : unexpected_code;
  }
  options.columns = console.columns;
  options.colours = has_colours(console);
  if (!arguments.keep_noise) options.asked = read_asked(command, arguments);
  options.given = options_given(command, {"--setting", "--seed", "--threads", "--json"});
  read_pair_option(arguments, options);
  return audit_command(catalogue.claims(), options, console.out) ? as_expected_code
                                                                 : unexpected_code;
}

void add_program_options(CLI::App& command, AuditArguments& arguments) {
  command
      .add_option("--exec", arguments.exec,
                  "Instead: a program, run on --data and --neighbour; its words go up to an option "
                  "of this command, after --exec -- to the end. {data}, {runs} and {seed} stand "
                  "for the path, the number of runs and a fresh number; without the first two, "
                  "path and number are its last words. It prints a line a run")
      ->type_name("PROGRAM WORD ...");
  command.add_option("--data", arguments.data, "With --exec: a dataset, in whatever form")
      ->type_name("FILE");
  command.add_option("--neighbour", arguments.neighbour, "With --exec: its neighbour")
      ->type_name("FILE");
  command
      .add_option(
          "--without", arguments.without,
          "With --exec and a CSV file as --data: its neighbour has no record with this text "
          "in this column (all that one user gives), or not the record of this number")
      ->type_name("COLUMN=VALUE|N");
  command
      .add_option("--fault", arguments.fault,
                  "With --outputs, --exec or recorded releases: consistent only if Laplace noise "
                  "that needs so many times the claimed epsilon would have been refuted; --exec "
                  "stops there")
      ->capture_default_str();
  command.add_option("--time-limit", arguments.time_limit, "With --exec: seconds a start")
      ->capture_default_str();
  command.add_option("--memory-limit", arguments.memory_limit, "With --exec: MiB a process")
      ->capture_default_str();
}

}  // namespace

Command add_audit(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<AuditArguments>();
  CLI::App* command = app.add_subcommand("audit", "Is a mechanism really (epsilon, delta)-DP?");
  command->add_option("ID", arguments->id, "A privacy claim, or an algorithm: all its claims");
  command
      ->add_option("--outputs", arguments->outputs,
                   "Instead of an ID: two files with a program's outputs on two neighbours, text, "
                   ".f64 or .npy")
      ->expected(1, 2)
      ->type_name("FILE FILE");
  command->add_flag("--one-run", arguments->one_run,
                    "With --outputs: one file instead, a line a canary of one training: its score "
                    "and whether a fair coin included it, 0 or 1");
  command
      ->add_option("--guesses", arguments->guesses,
                   "With --one-run: guess so many canaries of the largest scores to be included, "
                   "so many of the smallest not to be (default: six numbers share the "
                   "significance)")
      ->expected(2)
      ->type_name("N N");
  add_program_options(*command, *arguments);
  add_sampling_options(*command, arguments->sampling);
  command
      ->add_option(
          "--bits", arguments->bits,
          "With --outputs or --exec: look at the bits of doubles; auto: if they are written in "
          "full")
      ->capture_default_str();
  command->add_option("--method", arguments->method, "exact, transcript, black-box or all")
      ->capture_default_str();
  command->add_option("--epsilon", arguments->epsilon,
                      "The guarantee: of an ID, the parameter that its mechanism runs with and "
                      "claims (default: of its settings)");
  command->add_option("--delta", arguments->delta,
                      "As --epsilon (default: of an ID that of its settings, else 0)");
  command->add_flag("--keep-noise", arguments->keep_noise,
                    "With --epsilon and an ID: the mechanism runs as it is, and the question is "
                    "whether it has this guarantee instead of the claimed one");
  command
      ->add_option("--samples", arguments->samples,
                   "Outputs a side, black box; with --exec: runs a dataset, at most")
      ->capture_default_str();
  command
      ->add_option("--transcripts", arguments->transcripts,
                   "With an ID: transcripts a side. Without one: a file of recorded releases, a "
                   "line of JSON each, to audit (docs/audits.md)")
      ->type_name("N|FILE")
      ->capture_default_str();
  command->add_flag("--sequential", arguments->sequential,
                    "Black box: stop as soon as the evidence suffices, --samples at most");
  command
      ->add_option("--pair", arguments->pair,
                   "search, corner or two CSV files (default: the claim's pair, or search)")
      ->expected(1, 2)
      ->type_name("HOW");
  command->add_option("--target", arguments->target,
                      "Column of labels in the files (default: the last)");
  command->add_option(
      "--setting", arguments->setting,
      "Which setting of the claim, see explain (default: the first; of a claim known "
      "to be false, the first that refutes it)");
  command
      ->add_option("--significance", arguments->significance,
                   "Probability that sampling refutes a true claim")
      ->capture_default_str();
  add_seed(*command, arguments->seed);
  add_threads(*command, arguments->threads, "Changes no result (default: one a core)");
  add_show_data(*command, arguments->show_data);
  command->add_flag("--json", arguments->json, "As JSON");
  return {command, [=, &console, &catalogue] {
            return run_audit(*command, *arguments, console, catalogue);
          }};
}

}  // namespace dpverify
