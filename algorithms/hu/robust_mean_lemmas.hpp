#pragma once

#include "algorithms/claims/lemmas.hpp"

namespace dpverify::hu {

// The lemmas of the robust mean of Algorithm 1: of the smoothed truncation, and Lemmas 4 and 5.
void add_robust_mean(LemmaList& lemmas);

}  // namespace dpverify::hu
