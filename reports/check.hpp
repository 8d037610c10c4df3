// One claim, decided: for a test suite, or any other program with claims of its own.
#pragma once

#include <iosfwd>
#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// A claim and what its check found.
struct Checked {
  Claim claim;
  Evidence evidence;
};

// Runs the check that the claim's kind asks for: a sensitivity search, an audit, a sweep, ... What
// throws on the way is evidence with the verdict `error`; the check itself throws nothing. Equal
// claims and contexts give equal evidence, whatever the number of threads.
Checked check(const Claim& claim, const CheckContext& context);
Checked check(const Claim& claim, Plan plan = Plan::smoke);

// Verdict, reason, figures and witness, over several lines.
std::string in_words(const Checked& checked);
std::ostream& operator<<(std::ostream& out, const Checked& checked);

// The evidence alone; without the line that repeats the check, which depends on who asked.
Evidence evidence_on(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
