// The rates of an earlier run, and whether those of another are worse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

// What the baseline keeps of the evidence on one rate claim: at each point of the sweep, excess
// risk/bound of the first trials, to four digits.
struct RateRecord {
  struct Point {
    double value = 0;  // of the varied quantity
    std::vector<double> ratios;
  };
  std::string claim;
  Plan plan = Plan::smoke;
  std::uint64_t seed = 0;
  std::vector<Point> points;
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

// The probability, over the seeds of both runs, that two runs of one unchanged program differ so
// much that some claim reads as a regression.
inline constexpr double false_alarm_probability = 1e-5;

// One line for each regression: at the values that both runs visit, excess risk/bound is larger
// now, by the ranks of the trials. For an unchanged program those are exchangeable, so that the
// claims together alarm with at most the probability above, whatever the law of the risks. A record
// is compared with that of the same claim and plan, or else with one of another plan.
struct Regressions {
  std::vector<std::string> lines;
  int compared = 0;
};
Regressions regressions(const std::vector<RateRecord>& baseline,
                        const std::vector<RateRecord>& records);

}  // namespace dpverify
