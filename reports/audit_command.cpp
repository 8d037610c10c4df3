#include "reports/audit_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/black_box.hpp"
#include "audits/black_box/dependence.hpp"
#include "bench/csv.hpp"
#include "reports/commands.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/program.hpp"
#include "reports/selection.hpp"
#include "reports/shell_words.hpp"

namespace dpverify {
namespace {

std::vector<Claim> privacy_claims(const std::vector<Claim>& claims, const std::string& id) {
  std::vector<Claim> found;
  for (const Claim& claim : claims)
    if (std::holds_alternative<PrivacyClaim>(claim.check) &&
        (claim.id == id || claim.algorithm == id))
      found.push_back(claim);
  if (!found.empty()) return found;
  const Claim& other = find_claim(claims, id);  // complains about an unknown id
  require(false, "claim to audit", "'" + id + "', of kind " + std::string(kind(other)),
          "a claim of kind privacy");
  return found;
}

Outputs read_outputs(const CsvTable& table) {
  Outputs outputs;
  for (Index i = 0; i < table.values.rows(); ++i) outputs.emplace_back(table.values.row(i));
  return outputs;
}

constexpr std::string_view independent_runs =
    "Taken for granted: every line is the output of a run of its own, with fresh noise. Several "
    "scores of one run (losses, canaries) are not.";

std::string_view about_bits(bool bits) {
  return bits
             ? "Outputs are compared bit by bit, as doubles: what only their last bits show may be "
               "no fault of the mechanism in real arithmetic (--bits no leaves them out)."
             : "Outputs are compared as numbers; what their last bits show is not looked for.";
}

// What is found against the independence of the lines, from the name of their file on; empty if
// nothing is.
std::string dependence_in(const std::vector<CsvTable>& tables) {
  constexpr double significance = 1e-4;  // that an audit of independent runs is left undecided
  for (const CsvTable& table : tables) {
    const std::string found =
        dependence(read_outputs(table), significance / static_cast<double>(tables.size()));
    if (!found.empty()) return fmt::format("{} depend on each other ({})", table.path, found);
  }
  return "";
}

// The program, audit and these words, for a shell.
std::string reproduce_line(const std::vector<std::string>& what,
                           const std::vector<std::string>& given,
                           const std::vector<std::string>& last) {
  std::vector<std::string> words{"audit"};
  for (const auto* part : {&what, &given, &last})
    words.insert(words.end(), part->begin(), part->end());
  return command(shell_command(words));
}

Claim claim_of_the_outputs(const AuditFilesOptions& options) {
  Claim claim;
  claim.id = claim.algorithm = "outputs";
  claim.source = {Text::command_line, options.files[0] + ", " + options.files[1]};
  claim.statement = fmt::format("The program whose outputs these are is ({:.6g}, {:.4g})-DP.",
                                options.claimed.epsilon, options.claimed.delta);
  claim.assumptions = {std::string(independent_runs)};
  claim.check = PrivacyClaim{};
  return claim;
}

Evidence audit_of_the_outputs(const AuditFilesOptions& options, const CsvTable& first,
                              const CsvTable& second) {
  const PrivacyGuarantee claimed = options.claimed;
  Evidence evidence{.claim = "", .method = "black-box audit"};
  evidence.claimed = claimed.epsilon;
  evidence.measurements = {{"delta claimed", claimed.delta}};
  evidence.samples = static_cast<std::uint64_t>(first.values.rows() + second.values.rows());
  evidence.seed = options.seed;
  if (const std::string dependent = dependence_in({first, second}); !dependent.empty()) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The lines of {}: they are not the outputs of independent runs in the order in which these "
        "came, and nothing is counted.",
        dependent);
    return evidence;
  }
  const bool bits = options.bits == Bits::yes || (options.bits == Bits::if_written &&
                                                  first.full_precision && second.full_precision);
  BlackBoxAudit audit =
      audit_outputs(read_outputs(first), read_outputs(second), claimed, options.significance,
                    RandomStream({.seed = options.seed, .claim = "outputs", .purpose = "halves"}),
                    bits ? OutputModel::doubles : OutputModel::reals);
  evidence.verdict = audit.verdict;
  evidence.estimate = audit.epsilon_lower;
  if (claimed.epsilon > 0) evidence.tightness = audit.epsilon_lower / claimed.epsilon;
  evidence.ceiling = audit.ceiling;
  evidence.measurements.push_back({"mu at least", audit.mu_lower});
  evidence.measurements.push_back({"outputs a side that decide", audit.samples_needed});
  evidence.tables = {std::move(audit.trade_off)};
  evidence.reason = fmt::format("{}. {} {}", audit.reason, independent_runs, about_bits(bits));
  return evidence;
}

Context context_of(std::uint64_t seed) {
  CheckContext context;
  context.seed = seed;
  return describe(context);
}

}  // namespace

NeighbouringPair read_pair(const std::vector<std::string>& files, const std::string& target) {
  require(files.size() == 2, "--pair", std::to_string(files.size()) + " files",
          "search, corner or two CSV files");
  std::vector<Dataset> read;
  std::vector<std::string> columns;
  for (const std::string& file : files) {
    const CsvTable table = read_csv(file);
    if (read.empty()) columns = table.columns;
    require(table.columns == columns, "columns of " + file, "others", "those of " + files[0]);
    read.push_back(dataset_with_target(table, target.empty() ? table.columns.back() : target).data);
  }
  const Dataset &data = read[0], &neighbour = read[1];
  const auto same = [&](Index i, Index j) {
    return data.features.row(i) == neighbour.features.row(j) &&
           data.labels[i] == neighbour.labels[j];
  };
  // The records agree up to the first difference, and after it in both.
  const Index shorter = std::min(data.size(), neighbour.size());
  Index first = 0;
  while (first < shorter && same(first, first)) ++first;
  const Index skip_data = data.size() >= neighbour.size() ? 1 : 0;
  const Index skip_neighbour = neighbour.size() >= data.size() ? 1 : 0;
  Index i = first + skip_data, j = first + skip_neighbour;
  while (i < data.size() && j < neighbour.size() && same(i, j)) ++i, ++j;
  const bool identical = first == shorter && data.size() == neighbour.size();
  require(!identical && i >= data.size() && j >= neighbour.size(), "the two datasets",
          identical ? "the same" : "differing in more than one record",
          "neighbours: one record replaced, or one more");
  return {data, neighbour, first};
}

bool audit_command(const std::vector<Claim>& claims, const AuditCommandOptions& options,
                   std::ostream& out) {
  AuditRequest request = options.request;
  if (request.choice == PairChoice::given) request.pair = read_pair(options.files, options.target);
  std::vector<Claim> audited = privacy_claims(claims, options.id);
  std::vector<Evidence> found;
  bool expected = true;
  for (Claim& claim : audited) {
    if (request.claimed) {
      claim.expectation = Expectation::holds;
      claim.statement += fmt::format(" Asked: is it ({:.6g}, {:.4g})-DP?", request.claimed->epsilon,
                                     request.claimed->delta);
    }
    request.setting = options.setting.value_or(0);
    Evidence evidence = audit_claim(claim, request);
    const std::size_t settings = count_settings(std::get<PrivacyClaim>(claim.check));
    while (!options.setting && claim.expectation == Expectation::refuted &&
           evidence.verdict != Verdict::refuted && request.setting + 1 < settings) {
      ++request.setting;
      evidence = audit_claim(claim, request);
    }
    evidence.reproduce = reproduce_line(
        {claim.id}, options.given,
        {"--setting", std::to_string(request.setting + 1), "--seed", std::to_string(request.seed)});
    expected = expected && as_expected(claim, evidence);
    if (!options.json) {
      out << claim.id << "\n" << evidence_in_words(claim, evidence, "this audit") << std::endl;
    }
    found.push_back(std::move(evidence));
  }
  if (options.json) out << to_json(context_of(request.seed), audited, found);
  return expected;
}

bool audit_files_command(const AuditFilesOptions& options, std::ostream& out) {
  const std::vector<std::string>& files = options.files;
  require(files.size() == 2, "--outputs", std::to_string(files.size()) + " files",
          "two CSV files, one a dataset");
  const CsvTable first = read_csv(files[0], CsvContent::outputs),
                 second = read_csv(files[1], CsvContent::outputs);
  require(first.columns == second.columns, "columns of " + files[1], "others",
          "those of " + files[0]);
  require(first.values.rows() >= 2 && second.values.rows() >= 2, "number of outputs a file",
          static_cast<double>(std::min(first.values.rows(), second.values.rows())), "at least 2");
  const Claim claim = claim_of_the_outputs(options);
  Evidence evidence = audit_of_the_outputs(options, first, second);
  evidence.claim = claim.id;
  evidence.reproduce = reproduce_line({}, options.given, {"--seed", std::to_string(options.seed)});
  if (options.json)
    out << to_json(context_of(options.seed), {claim}, {evidence});
  else
    out << evidence_in_words(claim, evidence, "these outputs");
  return as_expected(claim, evidence);
}

// ---- Command line ------------------------------------------------------------------------------

namespace {

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
  std::string seed = default_seed();
  std::string threads;
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

// The guarantee that is asked about, if another than the claimed one.
std::optional<PrivacyGuarantee> read_guarantee(const CLI::App& command,
                                               const AuditArguments& arguments) {
  const bool has_epsilon = command.count("--epsilon") > 0;
  const bool has_delta = command.count("--delta") > 0;
  require(!has_delta || has_epsilon, "--epsilon", "missing",
          "given with --delta: both make the guarantee that is asked about");
  if (!has_epsilon) return std::nullopt;
  PrivacyGuarantee guarantee;
  guarantee.epsilon = read_number("--epsilon", arguments.epsilon, "positive and finite",
                                  [](double x) { return x > 0 && std::isfinite(x); });
  if (has_delta)
    guarantee.delta = read_number("--delta", arguments.delta, "in [0, 1)",
                                  [](double x) { return x >= 0 && x < 1; });
  return guarantee;
}

AuditRequest read_request(const CLI::App& command, const AuditArguments& arguments) {
  AuditRequest request;
  request.channels = read_method(arguments.method);
  request.claimed = read_guarantee(command, arguments);
  request.budget.outputs = read_integer<Index>("--samples", arguments.samples, 100, 100'000'000);
  request.budget.transcripts =
      read_integer<Index>("--transcripts", arguments.transcripts, 100, 100'000'000);
  request.budget.sequential = arguments.sequential;
  request.budget.curves = true;
  request.budget.threads = read_threads(arguments.threads);
  request.budget.significance = read_number("--significance", arguments.significance, "in (0, 1)",
                                            [](double x) { return x > 0 && x < 1; });
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

int run_audit(const CLI::App& command, const AuditArguments& arguments, const Console& console,
              const Catalogue& catalogue) {
  require(arguments.id.empty() != arguments.outputs.empty(), "what to audit",
          arguments.id.empty() ? "missing" : "given twice", "an ID or --outputs, one of them");
  AuditCommandOptions options;
  options.id = arguments.id;
  options.target = arguments.target;
  options.json = arguments.json;
  options.request = read_request(command, arguments);
  if (!arguments.setting.empty())
    options.setting = read_integer<std::size_t>("--setting", arguments.setting, 1, 1'000'000) - 1;
  options.request.seed = read_seed(arguments.seed);
  refuse_idle_options(command, arguments);
  if (!arguments.outputs.empty()) {
    require(options.request.claimed.has_value(), "--epsilon", "missing", "given with --outputs");
    const bool consistent =
        audit_files_command({.files = arguments.outputs,
                             .claimed = *options.request.claimed,
                             .significance = options.request.budget.significance,
                             .bits = read_bits(arguments.bits),
                             .seed = options.request.seed,
                             .given = options_given(command, {"--seed", "--json"}),
                             .json = arguments.json},
                            console.out);
    return consistent ? as_expected_code : unexpected_code;
  }
  options.given = options_given(command, {"--setting", "--seed", "--threads", "--json"});
  read_pair_option(arguments, options);
  return audit_command(catalogue.claims(), options, console.out) ? as_expected_code
                                                                 : unexpected_code;
}

}  // namespace

Command add_audit(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<AuditArguments>();
  CLI::App* command = app.add_subcommand("audit", "Is a mechanism really (epsilon, delta)-DP?");
  command->add_option("ID", arguments->id, "A privacy claim, or an algorithm: all its claims");
  command
      ->add_option("--outputs", arguments->outputs,
                   "Instead of an ID: two CSV files with a program's outputs on two neighbours")
      ->expected(2)
      ->type_name("FILE FILE");
  command
      ->add_option("--bits", arguments->bits,
                   "With --outputs: look at the bits of doubles; auto: if they are written in full")
      ->capture_default_str();
  command->add_option("--method", arguments->method, "exact, transcript, black-box or all")
      ->capture_default_str();
  command->add_option("--epsilon", arguments->epsilon,
                      "Ask about this guarantee instead of the claimed one");
  command->add_option("--delta", arguments->delta, "With --epsilon (default: 0)");
  command->add_option("--samples", arguments->samples, "Outputs a side, black box")
      ->capture_default_str();
  command->add_option("--transcripts", arguments->transcripts, "Transcripts a side")
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
  command->add_flag("--json", arguments->json, "As JSON");
  return {command, [=, &console, &catalogue] {
            return run_audit(*command, *arguments, console, catalogue);
          }};
}

}  // namespace dpverify
