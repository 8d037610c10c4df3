#include <fmt/format.h>

#include "reports/envelope.hpp"
#include "reports/formats.hpp"

namespace dpverify {
namespace {

// Of a relative path, for a URI.
std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// "error" of what fails, "warning" of what could not be decided, though it was looked at, "note" of
// what is wrong in a paper, which is known.
const char* level(const ClaimOutcome& claim) {
  if (is_finding(claim)) return "note";
  return claim.outcome == TestOutcome::skipped ? "warning" : "error";
}

bool is_result(const ClaimOutcome& claim) {
  return is_finding(claim) ||
         (claim.outcome != TestOutcome::passed && claim.verdict != Verdict::not_run);
}

std::string message(const ClaimOutcome& claim) {
  if (!is_finding(claim)) return fmt::format("{} is {}", claim.claim, why(claim));
  return fmt::format("{} does not hold: {} {} Repair: {}", claim.source, claim.statement,
                     claim.reason, claim.repair);
}

Json tags(const ClaimOutcome& claim) {
  Json tags = Json::array({"differential privacy", claim.kind});
  if (is_finding(claim)) tags.push_back("finding/" + claim.severity);
  return tags;
}

Json rule(const ClaimOutcome& claim) {
  return {{"id", claim.claim},
          {"shortDescription", {{"text", claim.statement}}},
          {"help", {{"text", fmt::format("{}. To repeat it: {}", claim.source, claim.reproduce)}}},
          {"defaultConfiguration", {{"level", level(claim)}}},
          {"properties", {{"tags", tags(claim)}}}};
}

Json location(const ClaimOutcome& claim) {
  Json json{{"logicalLocations", Json::array({Json{{"fullyQualifiedName", claim.claim}}})}};
  if (claim.stated)
    json["physicalLocation"] = {
        {"artifactLocation",
         {{"uri", percent_encoded(claim.stated->file)}, {"uriBaseId", "%SRCROOT%"}}},
        {"region", {{"startLine", claim.stated->line}}}};
  return json;
}

Json result(const ClaimOutcome& claim, std::size_t index) {
  return {{"ruleId", claim.claim},
          {"ruleIndex", index},
          {"kind", "fail"},
          {"level", level(claim)},
          {"message", {{"text", message(claim)}}},
          {"locations", Json::array({location(claim)})},
          {"partialFingerprints", {{"claim/v1", claim.claim}}}};
}

Json invocation(const Outcomes& outcomes) {
  Json json{{"executionSuccessful", !outcomes.time_limit}, {"startTimeUtc", outcomes.started}};
  if (outcomes.time_limit)
    json["toolExecutionNotifications"] = Json::array(
        {Json{{"level", "warning"},
              {"message",
               {{"text", fmt::format("The time limit of {:.6g} s left {} claims unchecked.",
                                     *outcomes.time_limit, outcomes.left_out.size())}}}}});
  return json;
}

}  // namespace

std::string sarif(const Outcomes& outcomes) {
  Json rules = Json::array(), results = Json::array();
  for (const ClaimOutcome& claim : outcomes.claims) {
    if (!is_result(claim)) continue;
    results.push_back(result(claim, rules.size()));
    rules.push_back(rule(claim));
  }
  Json properties{{"program", outcomes.program},
                  {"commit", outcomes.commit},
                  {"plan", outcomes.plan},
                  {"seed", outcomes.seed},
                  {"claims", outcomes.claims.size()}};
  Json run{
      {"tool",
       {{"driver",
         {{"name", "dpverify"},
          {"semanticVersion", outcomes.version},
          {"rules", std::move(rules)}}}}},
      {"automationDetails", {{"id", fmt::format("{}/{}/", outcomes.program, outcomes.plan)}}},
      {"invocations", Json::array({invocation(outcomes)})},
      {"originalUriBaseIds",
       {{"%SRCROOT%", {{"description", {{"text", "The top folder of the program's sources."}}}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)},
      {"properties", std::move(properties)}};
  return json_as_text({{"$schema",
                        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                        "sarif-schema-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Json::array({std::move(run)})}});
}

}  // namespace dpverify
