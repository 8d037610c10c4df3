// Peeling of the mean of clipped records: Hu, Ni, Xiao and Wang, Algorithm 4, whose steps are
// dpverify::peeling with the noise of Lemma 10, 2 lambda sqrt(3 s log(1/delta))/epsilon.
#pragma once

#include <numbers>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/fields.hpp"

namespace dpverify::hu {

inline constexpr double peeling_factor = 2 * std::numbers::sqrt3;
// Of delta, where this noise is certified for every epsilon < 1; it is too small for delta near 1.
inline constexpr Domain peeling_delta{[](double x) { return x > 0 && x <= 0.9; }, "in (0, 0.9]"};

std::vector<Claim> peeling_rates();
std::vector<Claim> peeling_lemmas();  // Lemmas 10, 12, 13 and 15
Algorithm peeling_algorithm();

}  // namespace dpverify::hu
