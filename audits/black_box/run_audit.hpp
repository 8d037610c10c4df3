// A mechanism that is only seen to run, on two neighbouring datasets, as often as needed to refute
// what is claimed of it, or to see that a fault of a stated size would have been refuted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "audits/black_box/black_box.hpp"
#include "audits/black_box/faults.hpp"
#include "audits/black_box/printed_outputs.hpp"

namespace dpverify {

// What is kept of the runs of a mechanism whose failures are outputs too.
class RunLog {
 public:
  PrintedOutputs reader;
  std::string complaint;  // of the last failure

  // The output of a run on this side (0, 1) that fails, and how it does: "exit status 3".
  VectorXd failed(std::size_t side, const std::string& how);
  // Outputs in the order in which they came.
  void keep(std::size_t side, const Outputs& outputs);

  // Runs that failed, by how.
  const std::array<std::map<std::string, Index>, 2>& failures() const { return failures_; }
  // "on the first dataset 3 times exit status 1 (it said: ...)"; empty if none failed.
  std::string failures_in_words() const;
  // Whether as many runs failed on either dataset, all of them alike.
  bool all_failed_alike(Index runs) const;
  // What is found against the independence of the outputs, in words; empty if nothing is.
  std::string dependence() const;

 private:
  std::array<std::map<std::string, Index>, 2> failures_;
  std::array<Outputs, 2> early_;
};

struct RunRequest {
  PrivacyGuarantee claimed;    // not epsilon = delta = 0
  double significance = 0.05;  // probability that a true claim is refuted
  Index most_runs = 100'000;   // a dataset, at least 100
  double fault = usual_fault;  // > 1: see runs_to_refute
  OutputModel model = OutputModel::reals;
  int threads = 1;  // changes no result
  std::uint64_t seed = 0;
};

struct RunAudit {
  SequentialAudit found;
  std::optional<Index> runs_needed;  // runs_to_refute the fault; absent: more than most_runs
  std::array<std::map<std::string, Index>, 2> failures;  // see RunLog
  std::string failures_in_words;
  std::string dependence;
};

// Draws runs from `next`, which keeps them in the log, until the claim is refuted or as many as
// refute the fault are drawn. Failures prove nothing where the claim is not refuted: the caller
// says so.
RunAudit audit_runs(const RunRequest& request, const RunLog& log, const OutputSource& next);

}  // namespace dpverify
