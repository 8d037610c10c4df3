// What a replaced record may cost through the log determinant of the Hessian of objective
// perturbation, as a side of lemmas.
#pragma once

#include "algorithms/claims/fields.hpp"
#include "algorithms/claims/precise.hpp"

namespace dpverify::su {

// The eigenvalues of a record's Hessian are in [0, beta], at most `rank` of them positive.
template <class Real>
struct Hessians {
  Real epsilon, rank, dimension;
  static Fields<Hessians> fields() {
    return {field("epsilon", &Hessians::epsilon).range(0.999, 1e-3, 0.999, Scale::logarithmic),
            field("rank", &Hessians::rank).range(1, 1, 50, Scale::integer),
            field("dimension", &Hessians::dimension).range(1, 1, 100, Scale::integer)};
  }
};

// The largest log det H(D) - log det H(D') of the sums of the Hessians: `rank` directions in which
// the record adds beta on one side and nothing on the other, over 2 n lambda. `lambda` is one for
// beta = n = 1.
template <class Lambda>
auto log_determinant(Lambda lambda) {
  return [lambda](const auto& p) { return min(p.rank, p.dimension) * log1p(1 / (2 * lambda(p))); };
}

// r beta/(epsilon n), r = min{d, 2 rank}.
inline constexpr auto lambda_of_lemma_5 = [](const auto& p) {
  return min(p.dimension, 2 * p.rank) / p.epsilon;
};

}  // namespace dpverify::su
