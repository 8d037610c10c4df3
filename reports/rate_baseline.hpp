// The rates of an earlier run, and whether those of another are worse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

// What the baseline keeps of the evidence on one rate claim.
struct RateRecord {
  std::string claim;
  Plan plan = Plan::smoke;
  std::uint64_t seed = 0;
  double exponent = 0;
  double exponent_margin = 0;  // half the interval at the level 0.999
  double easy_end = 0;         // the largest value of a variable in which the risk falls
  double ratio = 0;            // excess risk/bound there
  double log_ratio_margin = 0;
};

// Of the consistent rate claims of a report: a curve that shows nothing has nothing to lose.
std::vector<RateRecord> rate_records(const Report& report);

// `baseline` with the records put in place of those of the same claim and plan; sorted.
std::vector<RateRecord> with_records(std::vector<RateRecord> baseline,
                                     const std::vector<RateRecord>& records);

// As JSON text and back. Reading throws std::invalid_argument, with `place` in the message, for
// anything that is not such a text.
std::string baseline_text(const std::vector<RateRecord>& records);
std::vector<RateRecord> read_baseline(std::string_view text, std::string_view place);

// One line for each regression: the exponent is larger, or the ratio at the same easy end is, and
// the intervals of the two runs do not meet. A record is compared with that of the same claim and
// plan, or else with one of another plan.
struct Regressions {
  std::vector<std::string> lines;
  int compared = 0;
};
Regressions regressions(const std::vector<RateRecord>& baseline,
                        const std::vector<RateRecord>& records);

}  // namespace dpverify
