#include "reports/outcomes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "reports/envelope.hpp"
#include "reports/json_text.hpp"

namespace dpverify {
namespace {

Verdict verdict_named(const std::string& text) {
  const auto* found =
      std::ranges::find_if(all_verdicts, [&](Verdict each) { return name(each) == text; });
  if (found == all_verdicts.end()) throw std::invalid_argument("unknown verdict " + text);
  return *found;
}

TestOutcome outcome_of(Verdict verdict, const Json& as_expected) {
  if (verdict == Verdict::error) return TestOutcome::stopped;
  if (verdict == Verdict::not_run || verdict == Verdict::inconclusive) return TestOutcome::skipped;
  return as_expected.get<bool>() ? TestOutcome::passed : TestOutcome::failed;
}

std::string source_in_words(const Json& source) {
  const std::string text = source.value("text", "");
  return fmt::format("{}{}; {}", source.at("name").get<std::string>(),
                     text.empty() ? "" : " (" + text + ")", source.at("where").get<std::string>());
}

ClaimOutcome claim_outcome(const Json& claim, const Json& evidence, double seconds) {
  ClaimOutcome out;
  out.claim = claim.at("id").get<std::string>();
  out.algorithm = claim.at("algorithm").get<std::string>();
  out.kind = claim.at("kind").get<std::string>();
  out.statement = claim.at("statement").get<std::string>();
  out.paper = claim.at("source").at("paper").get<std::string>();
  out.name = claim.at("source").at("name").get<std::string>();
  out.source = source_in_words(claim.at("source"));
  out.expectation = claim.at("expectation").get<std::string>();
  out.verdict = verdict_named(evidence.at("verdict").get<std::string>());
  out.outcome = outcome_of(out.verdict, evidence.at("as_expected"));
  if (claim.contains("finding")) {
    out.severity = claim["finding"].at("severity").get<std::string>();
    out.repair = claim["finding"].at("repair").get<std::string>();
  }
  out.reason = evidence.at("reason").get<std::string>();
  out.reproduce = evidence.at("reproduce").get<std::string>();
  if (claim.contains("stated"))
    out.stated =
        SourcePlace{claim["stated"].at("file").get<std::string>(),
                    static_cast<unsigned>(read_integer(claim["stated"].at("line"),
                                                       std::numeric_limits<unsigned>::max()))};
  out.seconds = seconds;
  return out;
}

}  // namespace

Outcomes read_outcomes(std::string_view report) {
  try {
    const Json json = parse_json(report);
    const Json& context = json.at("context");
    const Json& timings = json.at("timings");
    Outcomes out{
        .program = context.value("name", "dpverify"),
        .version = context.at("version").get<std::string>(),
        .commit = context.at("git").at("commit").get<std::string>(),
        .dirty = context.at("git").at("dirty").get<bool>(),
        .plan = context.at("plan").get<std::string>(),
        .seed = read_integer(context.at("seed"), std::numeric_limits<std::uint64_t>::max()),
        .started = timings.at("started").get<std::string>(),
        .seconds = timings.at("seconds").get<double>(),
        .time_limit = {},
        .left_out = {},
        .claims = {}};
    if (json.contains("partial")) {
      out.time_limit = json["partial"].at("time_limit").get<double>();
      out.left_out = json["partial"].at("left_out").get<std::vector<std::string>>();
    }
    std::map<std::string, double> seconds;
    for (const Json& each : timings.at("claims"))
      seconds[each.at("claim").get<std::string>()] = each.at("seconds").get<double>();
    const Json& claims = json.at("claims");
    const Json& evidence = json.at("evidence");
    if (claims.size() != evidence.size())
      throw std::invalid_argument("it has not one piece of evidence a claim");
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto id = claims[i].at("id").get<std::string>();
      if (evidence[i].at("claim") != id)
        throw std::invalid_argument("its evidence is not in the order of its claims");
      out.claims.push_back(claim_outcome(claims[i], evidence[i], seconds[id]));
    }
    return out;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(std::string("it is no report of dpverify: ") + failure.what());
  }
}

bool is_finding(const ClaimOutcome& claim) {
  return claim.outcome == TestOutcome::passed && claim.verdict == Verdict::refuted &&
         !claim.severity.empty();
}

std::vector<const ClaimOutcome*> with_outcome(const Outcomes& outcomes, TestOutcome outcome) {
  std::vector<const ClaimOutcome*> out;
  for (const ClaimOutcome& claim : outcomes.claims)
    if (claim.outcome == outcome) out.push_back(&claim);
  return out;
}

std::string why(const ClaimOutcome& claim) {
  std::string text =
      claim.outcome == TestOutcome::failed
          ? fmt::format("{}, but was expected to be {}: {}", name(claim.verdict),
                        claim.expectation == "holds" ? "consistent" : "refuted", claim.reason)
          : fmt::format("{}: {}", name(claim.verdict), claim.reason);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace dpverify
