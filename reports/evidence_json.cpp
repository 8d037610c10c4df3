#include "reports/evidence_json.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "reports/json_text.hpp"
#include "reports/report.hpp"

namespace dpverify {
namespace {

constexpr std::uint64_t largest_index = std::numeric_limits<Index>::max();

// The largest double stands for infinity: whoever reads it can compare it, as no text can be.
Json tightness_number(const std::optional<double>& tightness) {
  if (!tightness) return nullptr;
  return std::min(*tightness, std::numeric_limits<double>::max());
}

std::optional<double> read_tightness(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const auto value = json.get<double>();
  return value == std::numeric_limits<double>::max() ? infinity : value;
}

// Of an enumeration whose names are words.
template <class Each, std::size_t N>
Each read_named(const Json& json, const std::array<Each, N>& all, const char* what) {
  const auto text = json.get<std::string>();
  for (const Each each : all)
    if (identifier(name(each)) == text) return each;
  throw std::invalid_argument(std::string(what) + " is " + text + ", but must be a known one");
}

template <class Range>
Json numbers(const Range& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_number(value));
  return json;
}

std::vector<double> read_numbers(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json) values.push_back(read_number(value));
  return values;
}

Json dataset(const Dataset& data) {
  Json features = Json::array();
  for (Index i = 0; i < data.size(); ++i) features.push_back(numbers(data.features.row(i)));
  return {{"features", std::move(features)}, {"labels", numbers(data.labels)}};
}

Dataset read_dataset(const Json& json) {
  const auto labels = read_numbers(json.at("labels"));
  const Json& rows = json.at("features");
  if (rows.size() != labels.size())
    throw std::invalid_argument("a witness dataset has " + std::to_string(rows.size()) +
                                " rows of features, but must have one per label");
  const std::size_t dimension = rows.empty() ? 0 : rows[0].size();
  Dataset data{Matrix(static_cast<Index>(rows.size()), static_cast<Index>(dimension)),
               Eigen::Map<const VectorXd>(labels.data(), static_cast<Index>(labels.size()))};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = read_numbers(rows[i]);
    if (row.size() != dimension)
      throw std::invalid_argument("row " + std::to_string(i) + " of a witness dataset has " +
                                  std::to_string(row.size()) + " features, but must have " +
                                  std::to_string(dimension));
    data.features.row(static_cast<Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), static_cast<Index>(dimension));
  }
  return data;
}

Json witness(const Witness& witness) {
  Json parameters = Json::array();
  for (const auto& [name, value] : witness.parameters) {
    parameters.push_back(named(name));
    parameters.back()["value"] = json_number(value);
  }
  Json json{{"parameters", std::move(parameters)}};
  if (witness.pair)
    json["pair"] = {{"data", dataset(witness.pair->data)},
                    {"neighbour", dataset(witness.pair->neighbour)},
                    {"replaced", witness.pair->replaced}};
  json["outcome_seed"] = witness.outcome_seed;
  json["outcomes"] = witness.outcomes;
  json["explanation"] = witness.explanation;
  return json;
}

Witness read_witness(const Json& json) {
  Witness witness;
  for (const Json& one : json.at("parameters"))
    witness.parameters.add(one.at("name").get<std::string>(), read_number(one.at("value")));
  if (json.contains("pair")) {
    const Json& pair = json["pair"];
    witness.pair = {
        .data = read_dataset(pair.at("data")),
        .neighbour = read_dataset(pair.at("neighbour")),
        .replaced = static_cast<Index>(read_integer(pair.at("replaced"), largest_index))};
    record_change(*witness.pair);  // complains of datasets that differ in more than a record
  }
  witness.outcome_seed = read_integer(json.at("outcome_seed"));
  for (const Json& outcome : json.at("outcomes"))
    witness.outcomes.push_back(static_cast<Index>(read_integer(outcome, largest_index)));
  witness.explanation = json.at("explanation").get<std::string>();
  return witness;
}

Json tables(const std::vector<Table>& tables) {
  Json json = Json::array();
  for (const Table& table : tables) {
    Json rows = Json::array();
    for (const auto& row : table.rows) rows.push_back(numbers(row));
    Json columns = Json::array();
    for (const std::string& column : table.columns) columns.push_back(named(column));
    json.push_back(named(table.name));
    json.back()["columns"] = std::move(columns);
    json.back()["rows"] = std::move(rows);
  }
  return json;
}

std::optional<double> read_optional(const Json& json, const char* field) {
  if (!json.contains(field)) return std::nullopt;
  return read_number(json[field]);
}

Verdict read_verdict(const Json& json) { return read_named(json, all_verdicts, "verdict"); }

}  // namespace

Json evidence_json(const Evidence& evidence, std::optional<bool> meets) {
  Json json{{"claim", evidence.claim},
            {"verdict", name(evidence.verdict)},
            {"as_expected", nullptr},
            {"tightness", tightness_number(evidence.tightness)},
            {"method", evidence.method}};
  if (meets && evidence.verdict != Verdict::not_run) json["as_expected"] = *meets;
  if (evidence.run_by) json["run_by"] = name(*evidence.run_by);
  if (evidence.estimate) json["estimate"] = json_number(*evidence.estimate);
  if (evidence.interval)
    json["interval"] = {{"lower", json_number(evidence.interval->lower)},
                        {"upper", json_number(evidence.interval->upper)},
                        {"level", json_number(evidence.interval->level)}};
  if (evidence.claimed) json["claimed"] = json_number(*evidence.claimed);
  if (evidence.ceiling) json["ceiling"] = json_number(*evidence.ceiling);
  if (evidence.smallest_fault) json["smallest_fault"] = json_number(*evidence.smallest_fault);
  if (evidence.strength) json["strength"] = identifier(name(*evidence.strength));
  if (!evidence.reading.empty()) json["reading"] = evidence.reading;
  json["measurements"] = Json::array();
  for (const Measurement& measurement : evidence.measurements) {
    json["measurements"].push_back(named(measurement.name));
    json["measurements"].back()["value"] = json_number(measurement.value);
  }
  json["tables"] = tables(evidence.tables);
  if (!evidence.channels.empty()) {
    json["channels"] = Json::array();
    for (const ChannelFinding& finding : evidence.channels) {
      Json one = named(finding.channel);
      one["verdict"] = name(finding.verdict);
      if (finding.epsilon_lower) one["epsilon_lower"] = json_number(*finding.epsilon_lower);
      if (finding.ceiling) one["ceiling"] = json_number(*finding.ceiling);
      one["samples"] = finding.samples;
      one["reason"] = finding.reason;
      json["channels"].push_back(std::move(one));
    }
  }
  if (evidence.witness) json["witness"] = witness(*evidence.witness);
  json["samples"] = evidence.samples;
  json["seed"] = evidence.seed;
  json["reason"] = evidence.reason;
  json["reproduce"] = evidence.reproduce;
  return json;
}

Evidence read_evidence_json(const Json& json) {
  Evidence evidence;
  evidence.claim = json.at("claim").get<std::string>();
  evidence.verdict = read_verdict(json.at("verdict"));
  evidence.method = json.at("method").get<std::string>();
  evidence.estimate = read_optional(json, "estimate");
  if (json.contains("interval")) {
    const Json& interval = json["interval"];
    evidence.interval = {.lower = read_number(interval.at("lower")),
                         .upper = read_number(interval.at("upper")),
                         .level = read_number(interval.at("level"))};
  }
  evidence.claimed = read_optional(json, "claimed");
  evidence.tightness = read_tightness(json.at("tightness"));
  if (json.contains("run_by"))
    evidence.run_by =
        read_named(json["run_by"], std::array{Plan::smoke, Plan::ci, Plan::nightly}, "run_by");
  evidence.ceiling = read_optional(json, "ceiling");
  evidence.smallest_fault = read_optional(json, "smallest_fault");
  if (json.contains("strength"))
    evidence.strength = read_named(json["strength"], all_strengths, "strength");
  evidence.reading = json.value("reading", "");
  for (const Json& measurement : json.at("measurements"))
    evidence.measurements.push_back({.name = measurement.at("name").get<std::string>(),
                                     .value = read_number(measurement.at("value"))});
  for (const Json& table : json.at("tables")) {
    Table read{.name = table.at("name").get<std::string>(), .columns = {}, .rows = {}};
    for (const Json& column : table.at("columns"))
      read.columns.push_back(column.at("name").get<std::string>());
    for (const Json& row : table.at("rows")) read.rows.push_back(read_numbers(row));
    evidence.tables.push_back(std::move(read));
  }
  if (json.contains("channels"))
    for (const Json& one : json["channels"])
      evidence.channels.push_back({.channel = one.at("name").get<std::string>(),
                                   .verdict = read_verdict(one.at("verdict")),
                                   .epsilon_lower = read_optional(one, "epsilon_lower"),
                                   .ceiling = read_optional(one, "ceiling"),
                                   .samples = read_integer(one.at("samples")),
                                   .reason = one.at("reason").get<std::string>()});
  if (json.contains("witness")) evidence.witness = read_witness(json["witness"]);
  evidence.samples = read_integer(json.at("samples"));
  evidence.seed = read_integer(json.at("seed"));
  evidence.reason = json.at("reason").get<std::string>();
  evidence.reproduce = json.at("reproduce").get<std::string>();
  return evidence;
}

}  // namespace dpverify
