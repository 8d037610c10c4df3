#include "audits/black_box/run_audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "audits/black_box/dependence.hpp"
#include "audits/black_box/faults.hpp"

namespace dpverify {
namespace {

std::string side_in_words(std::size_t side) {
  return side == 0 ? "on the first dataset" : "on the second dataset";
}

// "3 times exit status 1, 2 times killed by signal 9 (Killed)"
std::string kinds_in_words(const std::map<std::string, Index>& failures) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : failures)
    kinds.push_back(fmt::format("{} times {}", count, kind));
  return fmt::format("{}", fmt::join(kinds, ", "));
}

}  // namespace

VectorXd RunLog::failed(std::size_t side, const std::string& how) {
  ++failures_[side][how];
  return reader.failure(how);
}

void RunLog::keep(std::size_t side, const Outputs& outputs) {
  constexpr std::size_t most_kept = 20'000;
  for (const Output output : outputs)
    if (early_[side].size() < most_kept) early_[side].push_back(output);
}

std::string RunLog::failures_in_words() const {
  std::vector<std::string> sides;
  for (const std::size_t side : {0U, 1U})
    if (!failures_[side].empty())
      sides.push_back(side_in_words(side) + " " + kinds_in_words(failures_[side]));
  return fmt::format("{}{}", fmt::join(sides, "; "),
                     complaint.empty() ? "" : fmt::format(" (it said: {})", complaint));
}

bool RunLog::all_failed_alike(Index runs) const {
  const auto& [first, second] = failures_;
  return first == second && first.size() == 1 && first.begin()->second == runs;
}

std::string RunLog::dependence() const {
  constexpr double significance = 1e-4;  // that an audit of independent runs is left undecided
  for (const std::size_t side : {0U, 1U})
    if (const std::string found = dpverify::dependence(early_[side], significance / 2);
        !found.empty())
      return fmt::format("the outputs {} depend on each other ({})", side_in_words(side), found);
  return "";
}

RunAudit audit_runs(const RunRequest& request, const RunLog& log, const OutputSource& next) {
  RunAudit audit;
  audit.runs_needed = runs_to_refute(request.claimed, request.fault, request.significance,
                                     request.most_runs, request.threads);
  audit.found = audit_sequentially(next, request.claimed, request.significance,
                                   audit.runs_needed.value_or(request.most_runs), request.model);
  audit.found.reason = log.reader.with_texts(audit.found.reason);
  audit.failures = log.failures();
  audit.failures_in_words = log.failures_in_words();
  audit.dependence = log.dependence();
  return audit;
}

}  // namespace dpverify
