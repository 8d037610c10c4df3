#include "reports/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "algorithms/claims/cited.hpp"
#include "reports/envelope.hpp"
#include "reports/evidence_json.hpp"
#include "reports/json_text.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

Json finding(const Finding& finding) {
  Json json{{"severity", identifier(name(finding.severity))},
            {"why", finding.why},
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
  if (!cited.title.empty()) json["title"] = cited.title;
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
    json.push_back(evidence_json(found[i], as_expected(claims.at(i), found[i])));
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

std::vector<ClaimTiming> read_timings(const Json& report) {
  std::vector<ClaimTiming> out;
  for (const Json& each : report.at("timings").at("claims"))
    out.push_back({each.at("claim").get<std::string>(), each.at("seconds").get<double>()});
  return out;
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
      if (each.at("claim") == claim) return read_evidence_json(each);
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
                      .seed = read_integer(context.at("seed")),
                      .commit = context.at("git").at("commit").get<std::string>(),
                      .evidence = {},
                      .timings = read_timings(json)};
    for (const Json& each : json.at("evidence"))
      measured.evidence.push_back(read_evidence_json(each));
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
      if (earlier.difference.empty()) earlier.evidence.push_back(read_evidence_json(each));
    }
    if (earlier.difference.empty()) earlier.timings = read_timings(json);
    return earlier;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("it is no report of dpverify: ") + failure.what());
  }
}

std::string to_json(const FinishedCheck& check) {
  return json_as_text(
      {{"seconds", check.seconds}, {"evidence", evidence_json(check.evidence, std::nullopt)}});
}

FinishedCheck read_finished_check(std::string_view text) {
  try {
    const Json json = parse_json(text);
    return {.evidence = read_evidence_json(json.at("evidence")),
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
