#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "reports/formats.hpp"

namespace dpverify {
namespace {

struct SuiteCounts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const ClaimOutcome& claim) {
    ++tests;
    failures += claim.outcome == TestOutcome::failed ? 1 : 0;
    errors += claim.outcome == TestOutcome::stopped ? 1 : 0;
    skipped += claim.outcome == TestOutcome::skipped ? 1 : 0;
    seconds += claim.seconds;
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                       failures, errors, skipped, seconds);
  }
};

std::string detail(const ClaimOutcome& claim, const char* element) {
  return fmt::format(
      "      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, name(claim.verdict),
      xml_text(why(claim)),
      xml_text(fmt::format("{}\nClaimed: {}\nSource: {}\nTo repeat it: {}", why(claim),
                           claim.statement, claim.source, claim.reproduce)));
}

std::string test_case(const ClaimOutcome& claim) {
  const std::string short_name = claim.claim.substr(claim.algorithm.size() + 1);
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                 xml_text(claim.algorithm), xml_text(short_name), claim.seconds);
  if (claim.stated)
    text +=
        fmt::format(" file=\"{}\" line=\"{}\"", xml_text(claim.stated->file), claim.stated->line);
  switch (claim.outcome) {
    case TestOutcome::passed:
      return text + "/>\n";
    case TestOutcome::failed:
      return text + ">\n" + detail(claim, "failure") + "    </testcase>\n";
    case TestOutcome::stopped:
      return text + ">\n" + detail(claim, "error") + "    </testcase>\n";
    case TestOutcome::skipped:
      break;
  }
  return text +
         fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml_text(why(claim)));
}

std::string properties(const Outcomes& outcomes) {
  std::string text = "    <properties>\n";
  const std::array<std::pair<const char*, std::string>, 4> all{
      {{"program", outcomes.program},
       {"commit", outcomes.commit},
       {"plan", outcomes.plan},
       {"seed", fmt::format("{}", outcomes.seed)}}};
  for (const auto& [key, value] : all)
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", key, xml_text(value));
  return text + "    </properties>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n')
      out += "&#10;";
    else if (c == '\t')
      out += "&#9;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += "\xEF\xBF\xBD";
    else
      out += c;
  }
  return out;
}

std::string junit_xml(const Outcomes& outcomes) {
  std::map<std::string, std::pair<SuiteCounts, std::string>> suites;  // with their test cases
  SuiteCounts all;
  for (const ClaimOutcome& claim : outcomes.claims) {
    auto& [counts, cases] = suites[claim.algorithm];
    counts.add(claim);
    all.add(claim);
    cases += test_case(claim);
  }
  const std::string started = outcomes.started.substr(0, outcomes.started.find('Z'));
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- dpverify {} -->\n"
      "<testsuites name=\"{}\" {}>\n",
      xml_text(outcomes.version), xml_text(outcomes.program), all.attributes());
  for (const auto& [algorithm, suite] : suites)
    text += fmt::format("  <testsuite name=\"{}\" timestamp=\"{}\" {}>\n{}{}  </testsuite>\n",
                        xml_text(algorithm), xml_text(started), suite.first.attributes(),
                        properties(outcomes), suite.second);
  return text + "</testsuites>\n";
}

}  // namespace dpverify
