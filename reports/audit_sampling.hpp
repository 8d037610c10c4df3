// `dpverify audit --sampling HOW`: are noisy sums over batches (the steps of DP-SGD)
// (epsilon, delta)-DP together, if the batches are drawn like this?
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "audits/accounting/sampled_gaussian.hpp"
#include "reports/audit_question.hpp"

namespace dpverify {

// Epsilon is positive, delta in (0, 1). Nothing is drawn: the seed is for the report alone, and
// there is no significance and no fault.
struct AuditSamplingOptions : AuditQuestion {
  BatchSampling sampler = BatchSampling::poisson;
  SampledSteps steps;
};

// Writes the verdict on this sampler, and what the other ones need beside it. Returns whether the
// guarantee is consistent. Throws std::invalid_argument for parameters outside their ranges.
bool audit_sampling_command(const AuditSamplingOptions& options, std::ostream& out);

// As typed.
struct SamplingArguments {
  std::string sampling, noise, rate, batch, records, steps;
  std::string neighbours = "add-remove";
};
inline constexpr auto sampling_options = {"--noise",   "--rate",  "--batch",
                                          "--records", "--steps", "--neighbours"};
void add_sampling_options(CLI::App& command, SamplingArguments& arguments);
AuditSamplingOptions read_sampling(const CLI::App& command, const SamplingArguments& arguments,
                                   const AuditQuestion& question);

}  // namespace dpverify
