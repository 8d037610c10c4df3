// The lemmas behind both theorems of Wang and Xu.
#pragma once

#include <string>

#include "algorithms/claims/lemmas.hpp"

namespace dpverify::wang_xu {

enum class Bound { lower, upper };  // of psi

// The law of the deviation lemmas: of n records with one candidate, a residual is a/iota with
// probability q and 0 otherwise; shift is iota zeta ||x||. Everything depends on iota through a.
struct TwoPoints {
  double n = 1, q = 0.5, a = 1, eta = 0.5, theta = 1.5, shift = 0;
  static Fields<TwoPoints> fields();
};
inline const std::string two_points =
    "one candidate; its residual is a/iota with probability q and 0 otherwise, n <= 60";

struct SharedLemmas {
  std::string below, above, selection;  // where the theorem's text has them
  std::string moment;                   // "iota/2 E(y - <x, w>)^2"
  std::string log_theta;                // "log 2"
  Fields<TwoPoints> laws;
};
// lemma.deviation_below, lemma.deviation_above and lemma.selection.
void add_shared_lemmas(LemmaList& lemmas, const SharedLemmas& theorem);

}  // namespace dpverify::wang_xu
