// Two faults that can be planted into any mechanism, to show that the sensitivity check sees them.
#pragma once

#include "algorithms/core/claim_list.hpp"

namespace dpverify {

// The mechanism with the declared sensitivity and the noise of every release times factor(data).
Mechanism with_noise_times(Mechanism honest, std::function<double(const Dataset&)> factor);

// Two mutants of a sensitivity claim that holds and is tight: a factor 2 lost in the calibration of
// the noise, and noise that depends on the records.
void add_noise_mutants(ClaimList& claims, SensitivityClaim honest,
                       const std::vector<std::string>& assumptions);

}  // namespace dpverify
