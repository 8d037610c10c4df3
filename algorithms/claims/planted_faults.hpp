// Faults that can be planted into any mechanism by wrapping its releases or its dataset, to show
// that the checks see them.
#pragma once

#include <source_location>

#include "algorithms/claims/claim_list.hpp"

namespace dpverify {

// The mechanism with the declared sensitivity and the noise of every release times factor(data).
Mechanism with_noise_times(Mechanism honest, std::function<double(const Dataset&)> factor);

// The mechanism with the noise of every release times `factor`, the declared sensitivity as it is:
// what its laws declare to cost changes.
Mechanism with_noise_alone_times(Mechanism honest, double factor);

// The mechanism run without noise, which no release shows.
Mechanism without_noise(Mechanism honest);

// The mutants of a sensitivity claim that holds and is tight:
//   factor_2_lost       the noise is calibrated to half the sensitivity
//   noise_from_data     the noise depends on the records
//   value_without_noise the first release that reads the data gets no noise
//   constant_from_data  a label is added to the output
//   stale_seed          every run draws the same noise
//   record_twice        the first record also takes the place of the second
// `releases_are_shared`: more than one record reaches a release. If not, a record that is used
// twice is in two releases, within the sensitivity of each, and there is no such mutant.
void add_mutants(ClaimList& claims, SensitivityClaim honest,
                 const std::vector<std::string>& assumptions, bool releases_are_shared = true,
                 std::source_location stated = std::source_location::current());

}  // namespace dpverify
