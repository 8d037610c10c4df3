#include "reports/run_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/exact_releases.hpp"
#include "algorithms/core/parallel.hpp"
#include "algorithms/core/releases.hpp"
#include "bench/csv.hpp"
#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/envelope.hpp"
#include "reports/json_text.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

constexpr Index control_runs = 20;
// The controls use no secret: with noise of their own, they tell nothing about that of the run.
constexpr std::uint64_t control_seed = 20240229;

constexpr std::string_view neighbours = "replace-one";
constexpr std::string_view not_private =
    "computed from the data without noise and no part of the private output: do not publish";
constexpr std::string_view seed_is_known =
    "the seed was given: whoever knows it can take the noise off again, so this output is not "
    "private";

struct Controls {
  double risk = 0;  // of w
  double data_free_mean = 0;
  double data_free_smallest = 0;
  double data_free_largest = 0;
  double zero = 0;  // risk of the zero vector

  bool beats_data_free() const { return risk < data_free_mean; }
  bool beats_zero() const { return risk < zero; }
};

struct Result {
  const Algorithm& algorithm;
  const RunCommandOptions& common;
  const NamedDataset& named;
  const PreparedRun& prepared;
  VectorXd w;
  Controls controls;
  std::vector<std::string> warnings;
};

RunOptions with_defaults(const Algorithm& algorithm,
                         const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> texts;
  std::vector<std::string> names;
  for (const RunOption& option : algorithm.options) {
    texts[option.name] = option.default_text;
    names.push_back("--" + option.name);
  }
  for (const auto& [name, text] : given) {
    require(texts.contains(name), "option of " + algorithm.id, "--" + name,
            fmt::format("one of {}", fmt::join(names, ", ")));
    texts[name] = text;
  }
  return RunOptions(std::move(texts));
}

// A theorem's T may be millions for a single record, and every control takes as long as the run.
// Whoever gives the number has chosen to wait.
void require_few_iterations(const Algorithm& algorithm, const RunOptions& options,
                            const PreparedRun& prepared) {
  constexpr double most = 1e6;
  constexpr std::string_view name = "iterations";
  if (std::ranges::find(algorithm.options, name, &RunOption::name) == algorithm.options.end() ||
      !options.is_auto(std::string(name)))
    return;
  for (const auto& [parameter, text] : prepared.parameters)
    if (parameter == name)
      require(!(std::strtod(text.c_str(), nullptr) > most), "--iterations auto", text,
              fmt::format("at most {:.0f} for these records and parameters, or a number", most));
}

double room_for(const Dataset& data) { return rounding_room(data.size(), data.dimension()); }

std::string research_code(const Dataset& data) {
  return fmt::format(
      "research code: noise and selections are drawn exactly, from the operating system's "
      "generator, wider by a factor of 1 + {:.1e} because the sums before them are rounded; but "
      "the "
      "time of a run depends on the data",
      room_for(data) - 1);
}

std::string drawn_in_floating_point(const std::set<std::string>& laws) {
  return fmt::format(
      "drawn in double precision, not hardened against floating-point attacks: {}. Low bits of the "
      "output may tell more of the data than the guarantee allows",
      fmt::join(laws, ", "));
}

Controls compare_with_controls(const Algorithm& algorithm, const PreparedRun& prepared,
                               const Dataset& data, const VectorXd& w) {
  std::vector<double> risks(control_runs);
  const auto threads = static_cast<int>(std::thread::hardware_concurrency());
  parallel_for(control_runs, threads, [&](Index k) {
    const auto trial = static_cast<std::uint64_t>(k);
    DataFreeReleases releases(RandomStream({control_seed, algorithm.id, "data-free run", trial}));
    risks[static_cast<std::size_t>(k)] =
        prepared.empirical_risk(data.all(), prepared.mechanism(data, releases));
  });
  Controls controls;
  controls.risk = prepared.empirical_risk(data.all(), w);
  for (const double risk : risks) controls.data_free_mean += risk / control_runs;
  const auto [smallest, largest] = std::minmax_element(risks.begin(), risks.end());
  controls.data_free_smallest = *smallest;
  controls.data_free_largest = *largest;
  controls.zero = prepared.empirical_risk(data.all(), VectorXd::Zero(w.size()));
  return controls;
}

// A risk beyond the doubles compares with nothing: a run that has one is of no use, and does not
// count as one.
void require_finite(const Result& result) {
  const Controls& controls = result.controls;
  constexpr std::string_view finite =
      "finite: the data or the parameters are too large (--bounds puts columns on one scale)";
  require(result.w.allFinite(), "a coefficient of w", "infinite or no number", finite);
  for (const auto& [of, risk] :
       {std::pair{"the zero vector", controls.zero},
        std::pair{"the data-free run", controls.data_free_mean}, std::pair{"w", controls.risk}})
    require(std::isfinite(risk), fmt::format("{} of {}", result.prepared.risk_name, of), risk,
            finite);
}

std::string to_json(const Result& result) {
  const PreparedRun& prepared = result.prepared;
  const Controls& controls = result.controls;
  Json parameters = Json::object();
  for (const auto& [name, text] : prepared.parameters) parameters[identifier(name)] = text;
  Json w = Json::object();
  for (Index j = 0; j < result.w.size(); ++j)
    w[result.named.features[static_cast<std::size_t>(j)]] = json_number(result.w[j]);

  Json json;
  json["algorithm"] = result.algorithm.id;
  json["paper"] = result.algorithm.paper;
  json["data"] = {{"file", result.common.data},
                  {"records", result.named.data.size()},
                  {"features", result.named.data.dimension()},
                  {"target", result.named.target},
                  {"bounds", nullptr}};
  if (result.common.bounds) json["data"]["bounds"] = *result.common.bounds;
  json["warnings"] = result.warnings;
  json["seed"] = nullptr;
  if (result.common.seed) json["seed"] = *result.common.seed;
  json["privacy"] = {{"epsilon", json_number(prepared.guarantee.epsilon)},
                     {"delta", json_number(prepared.guarantee.delta)},
                     {"neighbours", neighbours},
                     {"claim", prepared.guarantee_source}};
  json["parameters"] = parameters;
  json["w"] = w;
  json["not_private"] = {{"note", not_private},
                         {"risk", prepared.risk_name},
                         {"w", json_number(controls.risk)},
                         {"data_free",
                          {{"runs", control_runs},
                           {"mean", json_number(controls.data_free_mean)},
                           {"smallest", json_number(controls.data_free_smallest)},
                           {"largest", json_number(controls.data_free_largest)}}},
                         {"zero_vector", json_number(controls.zero)},
                         {"beats_data_free", controls.beats_data_free()},
                         {"beats_zero_vector", controls.beats_zero()},
                         {"beats_both", controls.beats_data_free() && controls.beats_zero()}};
  return document(DocumentKind::run, describe(CheckContext{}), {{"result", std::move(json)}});
}

std::unique_ptr<BitSource> bits_of(const Result& result) {
  if (!result.common.seed) return std::make_unique<SystemBits>();
  return std::make_unique<StreamBits>(
      RandomStream({*result.common.seed, result.algorithm.id, "releases", 0}));
}

// The run and its controls. Throws std::invalid_argument where a number that is needed is beyond
// double precision or not finite.
void compute(Result& result) {
  const auto& [algorithm, common, named, prepared, w, controls, warnings] = result;
  const std::unique_ptr<BitSource> bits = bits_of(result);
  ExactReleases releases(*bits, room_for(named.data));
  try {
    result.w = prepared.mechanism(named.data, releases);
    if (w.size() == named.data.dimension())
      result.controls = compare_with_controls(algorithm, prepared, named.data, w);
  } catch (const std::runtime_error& failure) {  // as where no minimum is certified
    throw std::invalid_argument(fmt::format("no run of {} on these data with these parameters: {}",
                                            algorithm.id, failure.what()));
  }
  if (w.size() != named.data.dimension())
    throw std::logic_error(fmt::format("{} returned {} numbers for {} features", algorithm.id,
                                       w.size(), named.data.dimension()));
  require_finite(result);
  if (!releases.in_floating_point().empty())
    result.warnings.insert(result.warnings.begin(),
                           drawn_in_floating_point(releases.in_floating_point()));
}

// An earlier result may be replaced, and so may an empty file, as mktemp makes them. Anything else
// is not ours to lose.
void require_result_file(const std::filesystem::path& file, const RunCommandOptions& common) {
  std::vector<std::filesystem::path> inputs{common.data};
  if (common.bounds) inputs.emplace_back(*common.bounds);
  require_writable(file, inputs);
  if (!file_exists(file)) return;
  const std::string text = read_file(file);
  if (!text.empty() && !is_run_result(text))
    throw FileError(fmt::format("cannot write {}: it is there, and is not an earlier result of run",
                                file.string()));
}

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string table(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, text] : rows) width = std::max(width, printable(name).size());
  std::string out;
  for (const auto& [name, text] : rows)
    out += fmt::format("  {:<{}}  {}\n", printable(name), width, printable(text));
  return out;
}

std::string reading(const Controls& controls) {
  if (controls.beats_data_free() && controls.beats_zero())
    return "In this run w beats both the data-free run and the zero vector.";
  if (controls.beats_data_free())
    return "In this run w beats the data-free run, but not the zero vector.";
  if (controls.beats_zero())
    return "In this run w beats the zero vector, but not the data-free run.";
  return "In this run w beats neither the data-free run nor the zero vector: the data were of no "
         "use.";
}

std::string to_plain_text(const Result& result) {
  const PreparedRun& prepared = result.prepared;
  const Controls& controls = result.controls;
  Rows w;
  for (Index j = 0; j < result.w.size(); ++j)
    w.emplace_back(result.named.features[static_cast<std::size_t>(j)],
                   fmt::format("{: .6g}", result.w[j]));

  std::string out = fmt::format("{}: {}\n{}\n", result.algorithm.id, result.algorithm.title,
                                result.algorithm.paper);
  for (const std::string& warning : result.warnings) out += fmt::format("Warning: {}\n", warning);
  out += "\nData\n";
  out += table({{"file", result.common.data},
                {"records", fmt::format("{}", result.named.data.size())},
                {"features", fmt::format("{}", result.named.data.dimension())},
                {"target", result.named.target},
                {"public bounds", result.common.bounds.value_or("none: columns as they are")}});
  out += "\nPrivacy spent\n";
  out += table({{"epsilon", to_text(prepared.guarantee.epsilon)},
                {"delta", to_text(prepared.guarantee.delta)},
                {"neighbours", std::string(neighbours)},
                {"claim", prepared.guarantee_source}});
  out += "\nParameters\n" + table(prepared.parameters);
  out += "\nPrivate output w\n" + table(w);
  out += fmt::format("\nNot private: {}\n", not_private);
  out +=
      table({{prepared.risk_name + " of w", fmt::format("{:.6g}", controls.risk)},
             {"of the data-free run",
              fmt::format("{:.6g}, mean of {} runs from {:.6g} to {:.6g}", controls.data_free_mean,
                          control_runs, controls.data_free_smallest, controls.data_free_largest)},
             {"of the zero vector", fmt::format("{:.6g}", controls.zero)}});
  return out + "  " + reading(controls) + "\n";
}

}  // namespace

bool is_run_result(std::string_view text) {
  try {
    const Json json = parse_json(text);
    return json.is_object() && json.value("kind", Json()) == name(DocumentKind::run) &&
           json.contains("result");
  } catch (const std::invalid_argument&) {
    return false;
  }
}

int run_command(const Algorithm& algorithm, const std::map<std::string, std::string>& options,
                const RunCommandOptions& common, std::ostream& out) {
  const RunOptions texts = with_defaults(algorithm, options);
  // Before anything is drawn: a result that cannot be kept would spend the privacy for nothing.
  if (common.out) require_result_file(*common.out, common);
  NamedDataset named =
      dataset_with_target(read_csv(common.data, common.message_detail), common.target);
  if (common.bounds) apply_public_bounds(named, read_bounds(*common.bounds));
  const PreparedRun prepared = algorithm.prepare(named.data, texts);
  require_few_iterations(algorithm, texts, prepared);

  Result result{algorithm, common, named, prepared, {}, {}, {research_code(named.data)}};
  if (common.seed) result.warnings.insert(result.warnings.begin(), std::string(seed_is_known));
  compute(result);

  const std::string json = to_json(result);
  // The file first: if it cannot be written, nothing has been released.
  if (common.out) write_atomically(*common.out, json, Readers::owner_only);
  out << (common.json ? json : to_plain_text(result));
  return 0;
}

namespace {

struct RunArguments {
  std::string data;
  std::string target;
  std::string bounds;
  std::string seed;
  std::string out;
  bool show_data = false;
  bool json = false;
  std::map<std::string, std::string> options;  // of the algorithm, all of them
};

void add_options(CLI::App* command, const Algorithm& algorithm, RunArguments& arguments) {
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
  add_show_data(*command, arguments.show_data);
  command->add_flag("--json", arguments.json, "Print JSON instead of text");
  for (const RunOption& option : algorithm.options)
    command->add_option("--" + option.name, arguments.options[option.name], option.help)
        ->default_str(option.default_text);
}

int run_algorithm(const CLI::App& command, const Algorithm& algorithm,
                  const RunArguments& arguments, const Console& console) {
  RunCommandOptions common{.data = arguments.data,
                           .target = arguments.target,
                           .bounds = std::nullopt,
                           .seed = std::nullopt,
                           .out = std::nullopt,
                           .message_detail = message_detail(arguments.show_data),
                           .json = arguments.json};
  if (command.count("--bounds") > 0) common.bounds = arguments.bounds;
  if (command.count("--seed") > 0) common.seed = read_seed(arguments.seed);
  if (command.count("--out") > 0) common.out = arguments.out;
  std::map<std::string, std::string> given;
  for (const auto& [name, text] : arguments.options)
    if (command.count("--" + name) > 0) given[name] = text;
  return run_command(algorithm, given, common, console.out);
}

}  // namespace

Command add_run(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  // Where the arguments are read to: at fixed addresses.
  struct OfAlgorithm {
    const Algorithm* algorithm = nullptr;
    RunArguments arguments;
  };
  const auto commands = std::make_shared<std::map<const CLI::App*, OfAlgorithm>>();
  CLI::App* run = app.add_subcommand("run", "Run one algorithm on a CSV file");
  run->require_subcommand(1);
  for (const Algorithm& algorithm : catalogue.algorithms()) {
    CLI::App* command = run->add_subcommand(algorithm.id, algorithm.title);
    OfAlgorithm& added = (*commands)[command];
    added.algorithm = &algorithm;
    add_options(command, algorithm, added.arguments);
  }
  return {run, [=, &console] {
            const CLI::App* command = run->get_subcommands().front();
            const auto& [algorithm, arguments] = commands->at(command);
            return run_algorithm(*command, *algorithm, arguments, console);
          }};
}

}  // namespace dpverify
