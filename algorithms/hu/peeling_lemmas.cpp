// What the proofs that use Peeling say of its selections.
#include "algorithms/mechanisms/peeling_lemmas.hpp"

#include "algorithms/hu/peeling.hpp"

namespace dpverify::hu {

std::vector<Claim> peeling_lemmas() {
  using enum Edition;
  using enum Expectation;
  LemmaList lemmas("hu.peeling", Text::hu_preprint);
  add_peeling_lemmas(lemmas, {.exchange = "Lemma 12 (Lemma 3.4 of its source)",
                              .best_approximation = "Lemma 13 (Lemma A.3 of its source)",
                              .laplace_tail = "Lemma 15, with log^2 k read as log^2 d",
                              .laplace_tail_corrected = "Lemma 15 for d >= 2 and zeta <= 0.18"});
  lemmas.add<PeelingSelections>(
      "best_approximation_repeats",
      [](const auto& p) { return selection_error(p, IndexSet::everything, true); },
      {{printed, refuted, "Algorithm 4, argmax over [d], with Lemma 13",
        "Lemma 13 with I = [d] for selections over all of [d].",
        [](const auto& p) { return selection_error_bound(p, IndexSet::everything, true); },
        PeelingSelections::keeping(), std::nullopt, std::nullopt, Text::hu_published}},
      {"12 coordinates"});
  return lemmas.take();
}

}  // namespace dpverify::hu
