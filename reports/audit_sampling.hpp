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

namespace dpverify {

struct AuditSamplingOptions {
  BatchSampling sampler = BatchSampling::poisson;
  SampledSteps steps;
  PrivacyGuarantee claimed;        // epsilon positive, delta in (0, 1)
  std::uint64_t seed = 0;          // for the report alone: nothing is drawn
  std::vector<std::string> given;  // the words that asked for this, but for the seed
  bool json = false;
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
// The sampler and the steps alone.
AuditSamplingOptions read_sampling(const CLI::App& command, const SamplingArguments& arguments);

}  // namespace dpverify
