#include "reports/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "algorithms/claims/plans.hpp"
#include "bench/csv.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

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

}  // namespace

bool has_colours(const Console& console) {
  const char* unwanted = std::getenv("NO_COLOR");
  return console.out_is_terminal && (unwanted == nullptr || *unwanted == '\0');
}

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

template Index read_integer(std::string_view, const std::string&, Index, Index);
template std::uint64_t read_integer(std::string_view, const std::string&, std::uint64_t,
                                    std::uint64_t);
template int read_integer(std::string_view, const std::string&, int, int);

double read_number(std::string_view what, const std::string& text, const Domain& domain) {
  double value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  require(error == std::errc{} && stop == end && domain.holds(value), what, "'" + text + "'",
          domain.words);
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

void refuse_options(const CLI::App& command, std::initializer_list<const char*> options,
                    std::string_view why) {
  for (const char* option : options)
    require(command.count(option) == 0, option, "given " + std::string(why),
            "left out: it would change nothing");
}

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

void add_filter(CLI::App& command, ClaimFilter& filter) {
  const auto globs = [&](const char* option, std::vector<std::string>& list, const char* help) {
    command.add_option(option, list, help)->type_name("GLOB")->allow_extra_args(false);
  };
  const auto words = [&](const char* option, std::vector<std::string>& list, const char* help) {
    command.add_option(option, list, help)
        ->type_name("WORD,...")
        ->delimiter(',')
        ->allow_extra_args(false);
  };
  globs("--only", filter.only, "Only the claims whose id matches (*, ?, [...]); may be repeated");
  globs("--exclude", filter.exclude, "Not the claims whose id matches; may be repeated");
  words("--paper", filter.papers, "Only of these papers: hu, tao, ... (as ids begin)");
  words("--kind", filter.kinds,
        "Only of these kinds: privacy, sensitivity, rate, lemma, floor, experiment");
  words("--edition", filter.editions,
        "Only of these editions: printed, proved, corrected, reading, mutant");
  words("--severity", filter.severities,
        "Only findings of this severity: privacy, privacy_at_extreme_parameters, accuracy, "
        "privacy_where_delta_is_near_1, proof_step, slip");
  words("--verdict", filter.verdicts,
        "Only with this verdict in the report: consistent, refuted, inconclusive, not_run, error");
}

void add_seed(CLI::App& command, std::string& seed) {
  command.add_option("--seed", seed, "Root of every random stream")->capture_default_str();
}

void add_threads(CLI::App& command, std::string& threads, const char* help) {
  command.add_option("--threads", threads, help);
}

std::string default_seed() { return std::to_string(CheckContext{}.seed); }

void add_show_data(CLI::App& command, bool& show_data) {
  command.add_flag("--show-data", show_data,
                   "Show the user's records and the cells that messages are about");
}

MessageDetail message_detail(bool show_data) {
  return show_data ? MessageDetail::values : MessageDetail::places;
}

void add_check_options(CLI::App& command, CheckArguments& arguments) {
  add_filter(command, arguments.filter);
  command
      .add_option("--plan", arguments.plan,
                  "smoke (about a minute), ci (minutes) or nightly (longest)")
      ->capture_default_str();
  command.add_option("--out", arguments.out, "Folder for report.json; other claims in it are kept")
      ->capture_default_str();
  add_seed(command, arguments.seed);
  add_threads(command, arguments.threads,
              "Checks at a time; changes no result (default: one a core)");
}

void add_shard(CLI::App& command, ShardArguments& arguments) {
  command
      .add_option("--shard", arguments.shard,
                  "Check only part I of N and keep what is found in the folder of --out; the same "
                  "command without --shard puts all parts together. auto: as mpirun numbers this "
                  "process")
      ->type_name("I/N");
  command
      .add_option("--costs", arguments.costs,
                  "With --shard: parts that take as long as each other by this report's times")
      ->type_name("REPORT");
}

std::vector<Claim> claims_asked_for(const CheckArguments& arguments,
                                    const std::vector<Claim>& every_claim) {
  return select_claims(every_claim, arguments.filter, [&] {
    return read_measured_file(std::filesystem::path(arguments.out) / report_name).evidence;
  });
}

CheckContext check_context(const CheckArguments& arguments, const std::vector<Claim>& every_claim) {
  CheckContext context;
  context.seed = read_seed(arguments.seed);
  context.plan = read_plan(arguments.plan);
  context.threads = read_threads(arguments.threads);
  context.statistical_checks = count_statistical_checks(every_claim, context.plan);
  return context;
}

}  // namespace dpverify
