// The lemmas that the proofs of Wang and Xu's Theorems 1 and 2 share, as claims.
#pragma once

#include "algorithms/claims/claim_list.hpp"

namespace dpverify::wang_xu {

// Lemmas 2, 4 and 5 and (9) of Theorem 1.
void add_second_moment_lemmas(ClaimList& claims);
// Lemmas 7, 8 and 10, (20) and the display after (39) of Theorem 2.
void add_theta_moment_lemmas(ClaimList& claims);

}  // namespace dpverify::wang_xu
