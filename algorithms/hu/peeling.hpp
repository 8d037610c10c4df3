// Peeling of the mean of clipped records: Hu, Ni, Xiao and Wang, Algorithm 4, whose steps are
// dpverify::peeling with the noise of Lemma 10, 2 lambda sqrt(3 s log(1/delta))/epsilon.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::hu {

// How far Peeling of the mean of n vectors of signs, 3 of 10 with the mean 1/2, lies from the mean:
// sampling and noise together, s/n + 2 s b^2. `factor`: of the noise.
RateClaim peeling_rate(double factor);

std::vector<Claim> peeling_claims();
std::vector<Claim> peeling_lemmas();  // Lemmas 12, 13 and 15
Algorithm peeling_algorithm();        // on the mean of the clipped features

}  // namespace dpverify::hu
