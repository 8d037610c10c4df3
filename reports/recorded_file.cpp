#include "reports/recorded_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "algorithms/core/checked.hpp"
#include "reports/json_schema.hpp"
#include "reports/json_text.hpp"

namespace dpverify {
namespace {

using nlohmann::json;

constexpr std::size_t longest_line = std::size_t{1} << 26;

std::string shown(const json& value) {
  constexpr std::size_t longest = 60;
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// The fields of a line; each is read by one that says what it must be.
class RecordedFields {
 public:
  explicit RecordedFields(const json& line) : line_(line) {
    require(line.is_object(), "the line", shown(line), "a JSON object");
  }

  bool has(const char* name) const { return line_.contains(name); }

  const json& at(const char* name, std::string_view allowed) {
    require(has(name), name, "missing", allowed);
    read_.insert(name);
    return line_[name];
  }
  double number(const char* name) {
    const json& value = at(name, "a number");
    require(value.is_number(), name, shown(value), "a number");
    return value.get<double>();
  }
  Index positive_integer(const char* name) {
    constexpr std::string_view allowed = "an integer from 1 to 10^9";
    const json& value = at(name, allowed);
    require(value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                value.get<std::uint64_t>() <= 1'000'000'000,
            name, shown(value), allowed);
    return value.get<Index>();
  }
  bool flag(const char* name) {
    const json& value = at(name, "true or false");
    require(value.is_boolean(), name, shown(value), "true or false");
    return value.get<bool>();
  }
  // A number alone is a vector of one, where that is allowed.
  VectorXd numbers(const char* name, bool or_one) {
    const std::string_view allowed =
        or_one ? "a number or an array of at least one" : "an array of at least one number";
    const json& value = at(name, allowed);
    if (or_one && value.is_number()) return VectorXd::Constant(1, value.get<double>());
    require(value.is_array() && !value.empty(), name, shown(value), allowed);
    VectorXd out(static_cast<Index>(value.size()));
    for (std::size_t i = 0; i < value.size(); ++i) {
      require(value[i].is_number(), fmt::format("{}[{}]", name, i), shown(value[i]), "a number");
      out[static_cast<Index>(i)] = value[i].get<double>();
    }
    return out;
  }
  template <class Value>
  Value one_of(const char* name, const std::map<std::string, Value>& values) {
    const json& value = at(name, "given");
    return look_up(values, name, value.is_string() ? value.get<std::string>() : shown(value));
  }
  DeclaredChange declared(ChangeNorm usual) {
    DeclaredChange out{.sensitivity = number("sensitivity"), .norm = usual};
    if (has("norm"))
      out.norm = one_of<ChangeNorm>("norm", {{"l1", ChangeNorm::l1},
                                             {"l2", ChangeNorm::l2},
                                             {"linf", ChangeNorm::linf},
                                             {"half_range", ChangeNorm::half_range}});
    return out;
  }
  MaxNoise score_noise() {
    return one_of<MaxNoise>("noise", {{"laplace", MaxNoise::laplace},
                                      {"exponential", MaxNoise::exponential},
                                      {"gumbel", MaxNoise::gumbel}});
  }
  // A misspelt field would change nothing, and nobody would notice.
  void require_all_read(std::string_view of) const {
    for (const auto& [name, value] : line_.items())
      require(read_.contains(name), "field '" + name + "'", shown(value),
              fmt::format("left out: {} has no such field", of));
  }

 private:
  const json& line_;
  std::set<std::string, std::less<>> read_;
};

using LawReader = RecordedRelease (*)(RecordedFields&);

// In the order of the schema.
const std::map<std::string, LawReader>& law_readers() {
  static const std::map<std::string, LawReader> readers{
      {"laplace",
       [](RecordedFields& line) {
         return recorded_laplace(line.numbers("value", true), line.number("scale"),
                                 line.declared(ChangeNorm::l1));
       }},
      {"gaussian",
       [](RecordedFields& line) {
         return recorded_gaussian(line.numbers("value", true), line.number("standard_deviation"),
                                  line.declared(ChangeNorm::l2));
       }},
      {"generalised_gaussian",
       [](RecordedFields& line) {
         return recorded_generalised_gaussian(line.numbers("value", true), line.number("exponent"),
                                              line.number("scale"), line.declared(ChangeNorm::l2));
       }},
      {"discrete_laplace",
       [](RecordedFields& line) {
         return recorded_discrete_laplace(line.numbers("value", true), line.number("scale"),
                                          line.declared(ChangeNorm::l1));
       }},
      {"discrete_gaussian",
       [](RecordedFields& line) {
         return recorded_discrete_gaussian(line.numbers("value", true),
                                           line.number("standard_deviation"),
                                           line.declared(ChangeNorm::l2));
       }},
      {"exponential",
       [](RecordedFields& line) {
         return recorded_exponential(line.numbers("scores", false), line.number("coefficient"),
                                     line.declared(ChangeNorm::linf));
       }},
      {"permute_and_flip",
       [](RecordedFields& line) {
         return recorded_permute_and_flip(line.numbers("scores", false), line.number("coefficient"),
                                          line.declared(ChangeNorm::linf));
       }},
      {"noisy_max",
       [](RecordedFields& line) {
         return recorded_noisy_max(line.numbers("scores", false), line.number("scale"),
                                   line.score_noise(), line.declared(ChangeNorm::linf));
       }},
      {"noisy_max_value",
       [](RecordedFields& line) {
         return recorded_noisy_max_value(line.numbers("scores", false), line.number("scale"),
                                         line.score_noise(), line.flag("with_index"),
                                         line.declared(ChangeNorm::linf));
       }},
      {"categorical",
       [](RecordedFields& line) {
         return recorded_categorical(line.numbers("probabilities", false),
                                     line.declared(ChangeNorm::linf));
       }},
      {"permutation",
       [](RecordedFields& line) { return recorded_permutation(line.positive_integer("count")); }}};
  return readers;
}

std::string run_name(RecordedFields& line) {
  constexpr std::string_view allowed = "a text or an integer of at least 0";
  const json& run = line.at("run", allowed);
  require((run.is_string() && !run.get<std::string>().empty()) || run.is_number_unsigned(), "run",
          shown(run), allowed);
  return run.dump(-1, ' ', false, json::error_handler_t::replace);
}

void read_recorded_line(const json& parsed, std::size_t number, RecordedRuns& runs) {
  RecordedFields line(parsed);
  const std::string run = run_name(line);
  const bool on_neighbour = line.one_of<bool>("side", {{"data", false}, {"neighbour", true}});
  if (line.has("output")) {
    const std::string output =
        line.at("output", "given").dump(-1, ' ', false, json::error_handler_t::replace);
    line.require_all_read("the end of a run");
    runs.add(RecordedEnd{number, run, on_neighbour, output});
    return;
  }
  require(line.has("law"), "law", "missing", "given, or \"output\" at the end of a run");
  const LawReader read_law = line.one_of("law", law_readers());
  RecordedLine out{.number = number,
                   .run = run,
                   .on_neighbour = on_neighbour,
                   .pinned = line.has("pinned") && line.flag("pinned"),
                   .release = line.positive_integer("release"),
                   .asked = read_law(line),
                   .outcome = {}};
  // Values alone on one side: a permutation of one is an array all the same.
  const bool index = support_size(out.asked.law) > 0;
  out.outcome = index ? VectorXd::Constant(1, line.number("outcome"))
                      : line.numbers("outcome", out.asked.value.size() > 0);
  line.require_all_read(fmt::format("the law {}", out.asked.kind));
  runs.add(std::move(out));
}

}  // namespace

RecordedFacts read_recorded_releases(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const bool good = file.is_open() && (file.peek() != EOF || !file.bad());
  if (!good)
    require(false, "file of recorded releases " + path,
            std::string("unreadable (") + std::strerror(errno) + ")", "a file that can be read");
  static const JsonSchema schema(recorded_release_schema());
  RecordedRuns runs(path);
  std::string text;
  for (std::size_t number = 1; file.peek() != EOF; ++number) {
    const std::string place = fmt::format("{}:{}: ", path, number);
    text.clear();
    for (int c = file.get(); c != '\n' && c != EOF; c = file.get()) {
      text += static_cast<char>(c);
      require(text.size() <= longest_line, place + "the line", "longer", "of at most 64 MiB");
    }
    json parsed;
    try {
      parsed = parse_json<json>(text);
    } catch (const std::invalid_argument& failure) {
      throw std::invalid_argument(place + "the line is " + failure.what());
    }
    try {
      read_recorded_line(parsed, number, runs);
    } catch (const std::invalid_argument& failure) {
      const std::string said = failure.what();
      throw std::invalid_argument(said.starts_with(path + ":") ? said : place + said);
    }
    if (const auto errors = schema.errors(parsed, 1); !errors.empty())
      throw std::invalid_argument(place + errors[0]);
  }
  return std::move(runs).finish();
}

}  // namespace dpverify
