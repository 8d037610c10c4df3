// What a reader needs to know to judge or repeat a run, apart from times and threads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/build_info.hpp"

namespace dpverify {

// How the probability of a false alarm is shared out.
struct ErrorBudget {
  double significance = 0;  // of the whole run
  int statistical_checks = 0;
  double share = 0;  // of each: significance/statistical_checks
};

struct Context {
  BuildInfo build;
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
