// What the proofs of the papers that use Peeling say of its selections, in the same words.
#pragma once

#include <string>

#include "algorithms/claims/lemmas.hpp"

namespace dpverify {

// One run of Peeling's selections on a vector v of 12 random coordinates.
struct PeelingSelections {
  Index seed = 0;
  Index sparsity = 2;  // s, 1..11
  double noise = 0.1;  // scale of the Laplace noise
  double spread = 1;   // the magnitudes of v lie over this many powers of e
  double c = 1;        // of the lemmas
  Index exchanged = 1, kept = 1;

  static Fields<PeelingSelections> fields();  // without `exchanged` and `kept`
  static Fields<PeelingSelections> exchanging();
  static Fields<PeelingSelections> keeping();
};

double coordinates_kept(const PeelingSelections& run);

// I of best_approximation: all of [d]; S and some others; others alone, more than s of them.
enum class IndexSet { everything, with_selected, without_selected };

// ||v_S - v||^2 over I, and what best_approximation allows it: (1 + 1/c) (|I| - s)/(|I| - kept)
// ||v-hat - v||^2 + 4 (1 + c) sum_i ||w_i||_inf^2 for the best v-hat with `kept` entries. Both are
// 0 for |I| <= s. `repeats`: selections over all of [d], as the published edition of Hu et al.
double selection_error(const PeelingSelections& run, IndexSet set, bool repeats);
double selection_error_bound(const PeelingSelections& run, IndexSet set, bool repeats);

// Where a paper says them.
struct PeelingLemmaPlaces {
  std::string exchange, best_approximation, laplace_tail, laplace_tail_corrected;
};
// exchange, best_approximation (printed and proved) and laplace_tail (printed and corrected).
void add_peeling_lemmas(LemmaList& lemmas, const PeelingLemmaPlaces& places);

}  // namespace dpverify
