#include "algorithms/finding_rows.hpp"

namespace dpverify {

// By id.
std::span<const FindingRow> wang_xu_findings() {
  using enum Severity;
  static constexpr auto rows = std::to_array<FindingRow>({
      {"wang_xu.l1_regression_second_moment.lemma.display_logarithm.printed", slip, "",
       "the first line of Theorem 1's bound", "log(N/eta)"},
      {"wang_xu.l1_regression_second_moment.lemma.failure_probability.printed", proof_step, "",
       "(14)", "5 eta for 4 eta"},
      {"wang_xu.l1_regression_second_moment.lemma.final_logarithms.printed", proof_step, "",
       "(14) for large epsilon", "epsilon <= 1",
       "wang_xu.l1_regression_second_moment.lemma.final_logarithms.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.net_size.printed", slip, "",
       "Lemma 2 for nets coarser than the set", "zeta <= Delta",
       "wang_xu.l1_regression_second_moment.lemma.net_size.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.noise_moment.printed", accuracy, "",
       "(7) and (8) of Theorem 1 where the labels are noisy", "E(y - <x, w*>)^2 is bounded"},
      {"wang_xu.l1_regression_second_moment.lemma.second_moment.printed", proof_step, "",
       "the end of the proof of Theorem 1", "twice it",
       "wang_xu.l1_regression_second_moment.lemma.second_moment.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.third_lemma_assumption.printed", slip, "",
       "Lemma 6", "Assumption 1 for 2"},
      {"wang_xu.l1_regression_second_moment.lemma.third_lemma_logarithms.printed", proof_step, "",
       "Lemma 6", "two logarithms for one"},
      {"wang_xu.l1_regression_second_moment.privacy.printed", privacy, "",
       "Algorithm 1; the privacy half of Theorem 1",
       "the exponent n iota epsilon/(2 log 2): half of the printed",
       "wang_xu.l1_regression_second_moment.privacy.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.assumption_3_terms.proved", slip, "",
       "iota in the proof; that of Theorem 2 stands", "a factor 1/tau",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_3_terms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.printed", accuracy, "",
       "(19): its iota does not give its rate", "the exponent 1/theta",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.chernoff_display.printed", slip, "",
       "the line after (39)", "the inequality reversed, and a factor n"},
      {"wang_xu.l1_regression_theta_moment.lemma.final_logarithms.printed", proof_step, "", "(26)",
       "8/(n iota epsilon), epsilon <= 1",
       "wang_xu.l1_regression_theta_moment.lemma.final_logarithms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.final_moments.printed", proof_step, "",
       "(24) and (26)", "5 for 2 2^(theta-1)",
       "wang_xu.l1_regression_theta_moment.lemma.final_moments.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.norms.printed", proof_step, "",
       "the end of the proof of (19)", "powers theta on both sides",
       "wang_xu.l1_regression_theta_moment.lemma.norms.corrected"},
      {"wang_xu.l1_regression_theta_moment.privacy.printed", privacy, "",
       "Algorithm 2; the privacy half of Theorem 2",
       "the exponent n iota epsilon/(2 log theta): half of the printed",
       "wang_xu.l1_regression_theta_moment.privacy.corrected"},
      {"wang_xu.l1_regression_theta_moment.rate.coordinates.printed", accuracy, "",
       "(19): its iota does not give its rate", "the exponent 1/theta",
       "wang_xu.l1_regression_theta_moment.rate.coordinates.corrected",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.printed"},

  });
  return rows;
}

}  // namespace dpverify
