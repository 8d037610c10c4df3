// What a reader needs to know to judge or repeat a run, apart from times and threads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/build_info.hpp"

namespace dpverify {

// The probability of a false alarm: each statistical check has the same share, whatever others
// there are, and a run of every claim at most the sum.
struct ErrorBudget {
  double significance = 0;  // of a run of every claim: statistical_checks * share
  int statistical_checks = 0;
  double share = 0;
};
// A line: "False alarms: ..."
std::string in_words(const ErrorBudget& budget);

struct Context {
  BuildInfo build;
  std::string name = "dpverify";  // of the program
  std::string
      program;  // digest of the program's file: the commit does not name uncommitted changes
  GitState git;
  std::string cpu;                                             // model name, or "unknown"
  std::vector<std::pair<std::string, std::string>> libraries;  // name and version
  std::uint64_t seed = 0;
  Plan plan = Plan::smoke;
  ErrorBudget error_budget;
};

Context describe(const CheckContext& check_context);

}  // namespace dpverify
