// Runs the check of every claim.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace dpverify {

struct ProgressState {
  std::size_t finished = 0;
  std::size_t claims = 0;
  double seconds_left = 0;  // a guess
  std::string claim;        // the one started or finished last
};

// Called at every start and end of a check, by one thread at a time. May be empty.
using Progress = std::function<void(const ProgressState&)>;

// Checks the claims, context.threads at a time. A check that throws gives evidence with the verdict
// `error`. Neither the number of threads nor the selection of claims changes the evidence on a
// claim, as long as `context` is otherwise the same.
Report verify(const std::vector<Claim>& claims, const CheckContext& context,
              const Progress& progress);

}  // namespace dpverify
