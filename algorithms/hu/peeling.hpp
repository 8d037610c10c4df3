// Peeling of the mean of clipped records: Hu, Ni, Xiao and Wang, Algorithm 4, whose steps are
// dpverify::peeling with the noise of Lemma 10, 2 lambda sqrt(3 s log(1/delta))/epsilon.
#pragma once

#include <numbers>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::hu {

inline constexpr double peeling_factor = 2 * std::numbers::sqrt3;

std::vector<Claim> peeling_rates();
std::vector<Claim> peeling_lemmas();  // Lemmas 10, 12, 13 and 15
Algorithm peeling_algorithm();

}  // namespace dpverify::hu
