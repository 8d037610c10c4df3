#include "reports/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "algorithms/claims/cited.hpp"
#include "algorithms/core/numbers.hpp"
#include "reports/envelope.hpp"
#include "reports/json_text.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

constexpr std::uint64_t largest_integer = std::numeric_limits<std::uint64_t>::max();
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
  witness.outcome_seed = read_integer(json.at("outcome_seed"), largest_integer);
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

// `meets`: whether the verdict is as expected, where that is known.
Json evidence(const Evidence& evidence, std::optional<bool> meets) {
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

std::optional<double> read_optional(const Json& json, const char* field) {
  if (!json.contains(field)) return std::nullopt;
  return read_number(json[field]);
}

Verdict read_verdict(const Json& json) { return read_named(json, all_verdicts, "verdict"); }

Evidence read_evidence_object(const Json& json) {
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
                                   .samples = read_integer(one.at("samples"), largest_integer),
                                   .reason = one.at("reason").get<std::string>()});
  if (json.contains("witness")) evidence.witness = read_witness(json["witness"]);
  evidence.samples = read_integer(json.at("samples"), largest_integer);
  evidence.seed = read_integer(json.at("seed"), largest_integer);
  evidence.reason = json.at("reason").get<std::string>();
  evidence.reproduce = json.at("reproduce").get<std::string>();
  return evidence;
}

Json finding(const Finding& finding) {
  Json json{{"severity", identifier(name(finding.severity))},
            {"touches", finding.touches},
            {"repair", finding.repair}};
  if (!finding.repaired_by.empty()) json["repaired_by"] = finding.repaired_by;
  if (!finding.same_as.empty()) json["same_as"] = finding.same_as;
  return json;
}

Json source(const Source& source) {
  const CitedPaper cited = cited_paper(source.text);
  Json json{{"paper", cited.key}, {"name", cited.name}};
  if (!cited.text.empty()) json["text"] = cited.text;
  json["where"] = source.where;
  return json;
}

Json claim(const Claim& claim) {
  Json json{{"id", claim.id},
            {"algorithm", claim.algorithm},
            {"kind", kind(claim)},
            {"edition", name(claim.edition)},
            {"source", source(claim.source)},
            {"statement", claim.statement},
            {"assumptions", claim.assumptions},
            {"expectation", name(claim.expectation)}};
  if (claim.finding) json["finding"] = finding(*claim.finding);
  if (const auto place = place_in_sources(claim.stated))
    json["stated"] = {{"file", place->file}, {"line", place->line}};
  return json;
}

Json claim_array(const std::vector<Claim>& claims) {
  Json json = Json::array();
  for (const Claim& each : claims) json.push_back(claim(each));
  return json;
}

Json evidence_array(const std::vector<Claim>& claims, const std::vector<Evidence>& found) {
  Json json = Json::array();
  for (std::size_t i = 0; i < found.size(); ++i)
    json.push_back(evidence(found[i], as_expected(claims.at(i), found[i])));
  return json;
}

Json summary(const Summary& summary) {
  Json unexpected = Json::array();
  for (const UnexpectedVerdict& each : summary.unexpected)
    unexpected.push_back({{"claim", each.claim},
                          {"verdict", name(each.verdict)},
                          {"expectation", name(each.expectation)},
                          {"reason", each.reason},
                          {"reproduce", each.reproduce}});
  Json verdicts = Json::object();
  for (const Verdict verdict : all_verdicts)
    verdicts[std::string(name(verdict))] = summary.verdicts[static_cast<std::size_t>(verdict)];
  Json json{{"unexpected", std::move(unexpected)}, {"claims", summary.claims},
            {"as_expected", summary.as_expected},  {"verdicts", std::move(verdicts)},
            {"mutants", summary.mutants},          {"mutants_refuted", summary.mutants_refuted}};
  if (summary.mutation_score) json["mutation_score"] = *summary.mutation_score;
  if (!summary.channels.empty()) {
    json["channels"] = Json::array();
    for (const ChannelScore& score : summary.channels)
      json["channels"].push_back({{"key", identifier(score.channel)},
                                  {"name", score.channel},
                                  {"broken", score.broken},
                                  {"caught", score.caught},
                                  {"twins", score.twins},
                                  {"flagged", score.flagged}});
  }
  return json;
}

Json timings(const Timings& timings) {
  Json claims = Json::array();
  for (const ClaimTiming& each : timings.claims)
    claims.push_back({{"claim", each.claim}, {"seconds", each.seconds}});
  return {{"threads", timings.threads},
          {"started", timings.started},
          {"seconds", timings.seconds},
          {"claims", std::move(claims)}};
}

// In words, the first field in which an earlier context differs; empty if none does. What the user
// has chosen comes first: it says most.
std::string difference(const Json& earlier, const Json& now) {
  if (earlier == now) return "";
  for (const auto& [field, words] :
       {std::pair{"seed", "another seed"}, std::pair{"plan", "another plan"},
        std::pair{"git", "another commit"}, std::pair{"program", "another build of the program"},
        std::pair{"cpu", "another machine"}})
    if (!earlier.contains(field) || earlier.at(field) != now.at(field)) return words;
  return "another version, compiler or error budget";
}

// Throws std::invalid_argument for a report of another version, whose fields mean something else.
void require_this_version(const Json& json) {
  const Json& version = json.at("schema_version");
  if (version != schema_version)
    throw std::invalid_argument(
        fmt::format("it is of version {} of the report, but must be of version {}; make it again",
                    version.dump(), schema_version));
}

DocumentKind read_report_kind(const Json& json) {
  for (const DocumentKind kind : {DocumentKind::verify, DocumentKind::rates})
    if (json == name(kind)) return kind;
  throw std::invalid_argument("its kind is " + json.dump() + ", but must be verify or rates");
}

}  // namespace

std::string to_json(const Report& report) {
  Json parts{{"summary", summary(report.summary)},
             {"claims", claim_array(report.claims)},
             {"evidence", evidence_array(report.claims, report.evidence)}};
  if (report.partial)
    parts["partial"] = {{"time_limit", report.partial->time_limit},
                        {"left_out", report.partial->left_out}};
  parts["timings"] = timings(report.timings);
  return document(report.kind, report.context, parts);
}

std::string to_json(const Context& context, const std::vector<Claim>& claims) {
  return document(DocumentKind::list, context, {{"claims", claim_array(claims)}});
}

std::string to_json(const Context& context, const std::vector<Claim>& claims,
                    const std::vector<Evidence>& evidence) {
  return document(
      DocumentKind::audit, context,
      {{"claims", claim_array(claims)}, {"evidence", evidence_array(claims, evidence)}});
}

std::optional<Evidence> read_evidence(std::string_view report, std::string_view claim) {
  try {
    const Json json = parse_json(report);
    require_this_version(json);
    if (!json.contains("evidence")) return std::nullopt;  // of another command
    for (const Json& each : json.at("evidence"))
      if (each.at("claim") == claim) return read_evidence_object(each);
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("the report cannot be read: ") + failure.what());
  }
  return std::nullopt;
}

Measured read_measured(std::string_view report) {
  try {
    const Json json = parse_json(report);
    require_this_version(json);
    const Json& context = json.at("context");
    Measured measured{.plan = context.at("plan").get<std::string>(),
                      .seed = read_integer(context.at("seed"), largest_integer),
                      .commit = context.at("git").at("commit").get<std::string>(),
                      .evidence = {}};
    for (const Json& each : json.at("evidence"))
      measured.evidence.push_back(read_evidence_object(each));
    return measured;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("it is no report of dpverify: ") + failure.what());
  }
}

EarlierReport read_earlier_report(std::string_view report, const Context& now) {
  try {
    const Json json = parse_json(report);
    if (!json.is_object() || !json.contains("schema_version"))
      throw std::invalid_argument("it has no schema_version");
    const bool same_version = json["schema_version"] == schema_version;
    EarlierReport earlier;
    if (same_version) earlier.kind = read_report_kind(json.at("kind"));
    earlier.difference = same_version
                             ? difference(json.at("context"), json_context(earlier.kind, now))
                             : "another version of the report";
    if (json.contains("partial"))
      earlier.partial = Partial{json["partial"].at("time_limit").get<double>(),
                                json["partial"].at("left_out").get<std::vector<std::string>>()};
    for (const Json& each : json.at("evidence")) {
      earlier.claims.push_back(each.at("claim").get<std::string>());
      if (earlier.difference.empty()) earlier.evidence.push_back(read_evidence_object(each));
    }
    if (earlier.difference.empty())
      for (const Json& each : json.at("timings").at("claims"))
        earlier.timings.push_back(
            {each.at("claim").get<std::string>(), each.at("seconds").get<double>()});
    return earlier;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("it is no report of dpverify: ") + failure.what());
  }
}

std::string to_json(const FinishedCheck& check) {
  return json_as_text(
      {{"seconds", check.seconds}, {"evidence", evidence(check.evidence, std::nullopt)}});
}

FinishedCheck read_finished_check(std::string_view text) {
  try {
    const Json json = parse_json(text);
    return {.evidence = read_evidence_object(json.at("evidence")),
            .seconds = json.at("seconds").get<double>()};
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("no evidence: ") + failure.what());
  }
}

std::string json_library_version() {
  return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace dpverify
