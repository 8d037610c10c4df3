// What the proofs that use Peeling say of its cost and of its selections.
#include "algorithms/mechanisms/peeling_lemmas.hpp"

#include "algorithms/core/composition.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/mechanisms/peeling.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Cost {
  Index sparsity = 20;
  double epsilon = 0.999, delta = 1e-2;
  static Fields<Cost> fields() {
    return {field("sparsity", &Cost::sparsity).range(20, 1, 100),
            field("epsilon", &Cost::epsilon).range(0.999, 0.01, 0.999, logarithmic),
            field("delta", &Cost::delta).range(1e-2, 1e-8, 0.9, logarithmic)};
  }
  // s selections and s values, whatever the vector.
  std::vector<PureSteps> steps() const {
    const double b = noise_scale(
        {.sparsity = sparsity, .epsilon = epsilon, .delta = delta, .factor = peeling_factor});
    return {{2 / b, sparsity}, {1 / b, sparsity}};
  }
};

struct Support {
  Index sparsity = 3, seed = 0;
  static Fields<Support> fields() {
    return {field("sparsity", &Support::sparsity).range(3, 2, 20),
            field("seed", &Support::seed).range(0, 0, 1000)};
  }
};

// How many of 20 coordinates are kept, with noise small against one dominant coordinate.
double support_size(const Support& p, bool repeats) {
  VectorXd v = VectorXd::Constant(20, 0.1);
  v[0] = 1e3;
  SamplingReleases releases(RandomStream(
      {.seed = static_cast<std::uint64_t>(p.seed), .claim = "hu.peeling", .purpose = "support"}));
  const VectorXd out =
      peeling(v, {.sparsity = p.sparsity, .sensitivity = 0.01, .repeats = repeats}, releases);
  return static_cast<double>((out.array() != 0).count());
}

void add_cost(LemmaList& lemmas) {
  lemmas.add<Cost>("advanced_composition",
                   [](const auto& p) { return advanced_composition(p.steps(), p.delta); },
                   {{proved, refuted, "Lemma 10 by Lemma 2 (advanced composition)",
                     "Advanced composition of Peeling's 2s steps certifies epsilon at delta for "
                     "all 0 < epsilon < 1 and 0 < delta <= 0.9. The steps are s selections of e = "
                     "epsilon/sqrt(3 s log(1/delta)) and s values of e/2. (The form sqrt(2 "
                     "log(1/delta) sum e_i^2) + sum e_i (exp(e_i) - 1), or sum e_i where that is "
                     "less, delta <= 0.9 and s <= 100 are this check's; sparsity is s.)",
                     [](const auto& p) { return p.epsilon; }}},
                   {"s <= 100"});
  lemmas.add<Cost>("optimal_composition",
                   [](const auto& p) { return composed_delta(p.steps(), p.epsilon); },
                   {{corrected, holds, "Lemma 10 by optimal composition",
                     "Optimal composition of Peeling's 2s steps certifies epsilon at delta for all "
                     "0 < epsilon < 1, 0 < delta <= 0.9.",
                     [](const auto& p) { return p.delta; }}},
                   {"s <= 100"});
}

void add_selections(LemmaList& lemmas) {
  add_peeling_lemmas(lemmas, {.exchange = "Lemma 12 (Lemma 3.4 of its source)",
                              .best_approximation = "Lemma 13 (Lemma A.3 of its source)",
                              .laplace_tail = "Lemma 15, with log^2 k read as log^2 d",
                              .laplace_tail_corrected = "Lemma 15 for d >= 2 and zeta <= 0.18"});
  lemmas.add<PeelingSelections>(
      "best_approximation_repeats",
      [](const auto& p) { return selection_error(p, IndexSet::everything, true); },
      {{printed, refuted, "Algorithm 4, argmax over [d], with Lemma 13",
        "Lemma 13 holds with I = [d] when every round of Peeling selects over all of [d]: ||v_S - "
        "v||^2 <= (1 + 1/c) (|I| - s)/(|I| - s-hat) ||v-hat - v||^2 + 4 (1 + c) sum_i "
        "||w_i||_inf^2 for every v-hat with at most s-hat <= s entries other than 0, S the "
        "coordinates kept and w_i the noise of round i. (Random vectors v of 12 entries are this "
        "check's; sparsity is s, kept is s-hat, noise is the scale of the Laplace noise, and "
        "spread is that of the logarithms of the magnitudes of v.)",
        [](const auto& p) { return selection_error_bound(p, IndexSet::everything, true); },
        PeelingSelections::keeping(), std::nullopt, std::nullopt, Text::hu_published}},
      {"12 coordinates"});
  const auto sparsity = [](const Support& p) { return static_cast<double>(p.sparsity); };
  lemmas.add<Support>(
      "support", sparsity,
      {{printed, refuted, "Algorithm 4, argmax over [d]",
        "Selecting over all of [d] in each round, Peeling keeps s coordinates, as Lemma 13 takes "
        "it to do. (A vector of 20 entries, one of them dominant, is this check's; sparsity is s.)",
        [](const auto& p) { return support_size(p, true); }, std::nullopt, std::nullopt,
        std::nullopt, Text::hu_published},
       {corrected, holds, "Algorithm 4, argmax over [d] without S",
        "Selecting over the coordinates not yet drawn, Peeling keeps s coordinates.",
        [](const auto& p) { return support_size(p, false); }, std::nullopt, std::nullopt,
        std::nullopt, Text::hu_preprint}});
}

}  // namespace

std::vector<Claim> peeling_lemmas() {
  LemmaList cost("hu.peeling", Text::hu), selections("hu.peeling", Text::hu_preprint);
  add_cost(cost);
  add_selections(selections);
  ClaimList claims("hu.peeling");
  claims.append(cost.take());
  claims.append(selections.take());
  return claims.take();
}

}  // namespace dpverify::hu
