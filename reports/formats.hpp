// A report in the forms that continuous integration reads, each made of the JSON alone.
#pragma once

#include <string>

#include "reports/outcomes.hpp"

namespace dpverify {

// JUnit XML: a test suite an algorithm, a test case a claim; skipped is what was not decided.
std::string junit_xml(const Outcomes& outcomes);

// SARIF 2.1.0, with the file and line that state each claim: an error for what fails, a warning for
// what could not be decided, a note for each finding about a paper.
std::string sarif(const Outcomes& outcomes);

// Markdown for people, below 1 MiB however many claims: what does not pass, first, and counts.
std::string markdown(const Outcomes& outcomes);

// Workflow commands of GitHub Actions, "::error file=..,line=..::...", one line for each claim that
// does not pass.
std::string github_annotations(const Outcomes& outcomes);

// An SVG image of one line: "dpverify | 12 as expected".
std::string badge(const Outcomes& outcomes);

// Text for XML, between tags and in attributes: what XML cannot hold becomes a replacement
// character.
std::string xml_text(std::string_view text);

}  // namespace dpverify
