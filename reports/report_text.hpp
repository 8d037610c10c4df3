// Reports and lists of claims in words, to be laid out (layout.hpp).
#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

// One line a claim: verdict, whether it was expected, id, the figure, the reason. Then the
// unexpected verdicts with the commands that repeat them, and the counts.
std::string report_table(const Report& report, bool colours);

// The lines of that table whose verdict is not as expected.
std::string unexpected_rows(const Report& report, bool colours);

// The verdicts that are not as expected, with the commands that repeat them, and the counts.
std::string unexpected_in_words(const Report& report, bool colours);

// What a time limit left out, some of it by name.
std::string left_out_in_words(const Partial& partial);

// One line a claim: id, kind, edition, expectation, source.
std::string claim_list(const std::vector<Claim>& claims);

}  // namespace dpverify
