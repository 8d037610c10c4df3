// A program that is only run, on two neighbouring datasets, as often as needed to refute what is
// claimed of it, or to see that a fault of a stated size would have been refuted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audits/black_box/process.hpp"
#include "audits/black_box/run_audit.hpp"

namespace dpverify {

// The program and its words. In each word {data} stands for the path of a dataset, {runs} for a
// number of runs and {seed} for a number that is another one at every start (up to 2^31 - 1); where
// neither {data} nor {runs} is used, path and number are its last two words. It must print as many
// lines as runs, each the output of a run of its own with fresh noise, and end with exit status 0.
struct ProgramRequest {
  std::vector<std::string> words;
  std::array<std::string, 2> data;   // the paths
  PrivacyGuarantee claimed;          // not epsilon = delta = 0
  double significance = 0.05;        // probability that a true claim is refuted
  Index most_runs = 100'000;         // a dataset, at least 100
  double fault = usual_fault;        // > 1: see runs_to_refute
  std::optional<OutputModel> model;  // absent: bits, if the outputs are written in full
  ProcessLimits limits;
  int processes = 1;  // at once
  std::uint64_t seed = 0;
};

struct ProgramAudit {
  RunAudit runs;
  OutputModel model = OutputModel::reals;
  bool single_runs = false;  // each run was a start of its own, and failing an output
};

// Several runs a start, as long as every start ends well. If one does not, the audit begins anew
// with one run a start: then how a run fails (exit status, signal, time, nothing printed) is its
// output. Either audit has half of the significance. Throws std::invalid_argument, one line, if the
// program cannot be started, fails alike at its first runs on both datasets, prints the same at
// every start, or fails at some runs and the claim is not refuted: a failure that does not depend
// on the data is a fault of the program, and no run is left out.
ProgramAudit audit_program(const ProgramRequest& request);

}  // namespace dpverify
