// Peeling, private selection of the s largest magnitudes: Tao, Wu, Cheng and Wang, Algorithm 4. The
// steps are those of hu::peeling with PeelingScale::tao; here are the claims that this paper makes.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::tao {

std::vector<Claim> peeling_claims();
Algorithm peeling_algorithm();  // on the mean of the thresholded features

}  // namespace dpverify::tao
