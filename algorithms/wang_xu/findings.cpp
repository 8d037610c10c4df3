#include "algorithms/finding_rows.hpp"

namespace dpverify {

// By id.
std::span<const FindingRow> wang_xu_findings() {
  using enum Severity;
  static constexpr auto rows = std::to_array<FindingRow>({
      {"wang_xu.l1_regression_second_moment.lemma.display_logarithm.printed", slip,
       "log(N/zeta) does not contain the failure probability eta, and log(N/eta) grows without "
       "bound as eta falls to 0 at a fixed n. No constant will do.",
       "the first line of Theorem 1's bound", "Write log(N/eta) for log(N/zeta)."},
      {"wang_xu.l1_regression_second_moment.lemma.failure_probability.printed", proof_step,
       "The union bound adds the probabilities up to eta + eta + eta + 2 eta = 5 eta. The proof of "
       "Theorem 2 counts 5 eta for the same steps.",
       "(14)", "Write 1 - 5 eta for 1 - 4 eta."},
      {"wang_xu.l1_regression_second_moment.lemma.final_logarithms.printed", proof_step,
       "The ratio of the two is 3 epsilon + 4 log 2, which grows without bound with epsilon. For "
       "epsilon <= 1 it is at most 5.8.",
       "(14) for large epsilon", "Restrict epsilon to at most 1.",
       "wang_xu.l1_regression_second_moment.lemma.final_logarithms.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.net_size.printed", slip,
       "For zeta > 3 Delta the bound is below 1, and every set that is not empty needs one ball.",
       "Lemma 2 for nets coarser than the set", "Restrict zeta to at most Delta.",
       "wang_xu.l1_regression_second_moment.lemma.net_size.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.noise_moment.printed", accuracy,
       "Assumption 1 bounds E||x||_2^2 and says nothing of the labels. For y = <x, w*> + noise, "
       "E(y - <x, w*>)^2 is the second moment of the noise, which may be anything for one Delta "
       "and tau.",
       "(7) and (8) of Theorem 1 where the labels are noisy",
       "Assume in addition that E(y - <x, w*>)^2 = O(Delta^2 tau^2)."},
      {"wang_xu.l1_regression_second_moment.lemma.second_moment.printed", proof_step,
       "(a + b)^2 <= 2 a^2 + 2 b^2 has the factor 2 on both terms. With a = y - 1 and b = 1 - w "
       "the left side is a^2 + 2ab + b^2 and the right side a^2 + 2 b^2, which is smaller once b < "
       "2a.",
       "the end of the proof of Theorem 1",
       "Write 2 E(y - <x, w*>)^2 for E(y - <x, w*>)^2 on the right side.",
       "wang_xu.l1_regression_second_moment.lemma.second_moment.corrected"},
      {"wang_xu.l1_regression_second_moment.lemma.third_lemma_assumption.printed", slip,
       "At x = (tau, ..., tau) Assumption 2 holds and E||x||_2 is tau sqrt d. Assumption 1 gives "
       "E||x||_2 <= tau.",
       "Lemma 6", "Write Assumption 1 for Assumption 2 in Lemma 6."},
      {"wang_xu.l1_regression_second_moment.lemma.third_lemma_logarithms.printed", proof_step,
       "The two add up to log(N/eta) + log(1/eta), and log(1/eta) > 0. Theorem 2's step (24) has 2 "
       "log(N/eta), which covers them.",
       "Lemma 6", "Write 2 log(N/eta) for log(N/eta) in Lemma 6."},
      {"wang_xu.l1_regression_second_moment.privacy.printed", privacy,
       "psi lies between 0 and log 2 on the absolute residuals, so one record can change L(w) by "
       "log 2/(n iota), and the logarithm of the weight by epsilon: up for one candidate and down "
       "for all others at once. Their odds then change by e^(2 epsilon), and so does the "
       "probability of the one where the others hold nearly all of it. An exponential mechanism "
       "has to divide epsilon by twice the sensitivity.",
       "Algorithm 1; the privacy half of Theorem 1",
       "Halve the exponent: exp(-n iota epsilon L(w)/(2 log 2)).",
       "wang_xu.l1_regression_second_moment.privacy.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.assumption_3_terms.proved", slip,
       "At this iota the term log(N/eta)/(n iota epsilon) of (17) does not depend on tau, while "
       "(18) is proportional to tau, so no constant covers it as tau falls to 0. With 1/tau in "
       "iota that term and iota^(theta - 1) tau^theta are both proportional to tau.",
       "iota in the proof; that of Theorem 2 stands", "Divide iota by tau, as Theorem 2 does.",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_3_terms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.printed", accuracy,
       "With x = log n log(1/eta)/(n epsilon) the moment term iota^(theta - 1) d tau^theta of (17) "
       "is d tau x^((theta - 1)^2/theta), where (19) has d tau x^((theta - 1)/theta). For theta < "
       "2 the first exponent is the smaller one, so the ratio has no bound as n grows. With the "
       "exponent 1/theta in iota the two agree.",
       "(19): its iota does not give its rate",
       "Write the exponent 1/theta for (theta - 1)/theta in iota.",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.chernoff_display.printed", slip,
       "The Chernoff bound from (39) holds with the inequality the other way round and with n "
       "times the mean. As printed take n = 1 and a residual that is always 0, with zeta = 0: the "
       "left side is 0 and the right side log(1/eta) > 0, so the display never holds.",
       "the line after (39)",
       "Reverse the inequality, multiply all of the right side but log(1/eta) by n, and add n iota "
       "zeta E||x||, which the line before (39) has."},
      {"wang_xu.l1_regression_theta_moment.lemma.final_logarithms.printed", proof_step,
       "8 log(theta)/epsilon covers 4 + 4 log(theta)/epsilon only where epsilon <= log theta. For "
       "theta = 1.5 that is epsilon <= 0.405, and it tends to 0 as theta tends to 1.",
       "(26)", "Write 8/(n iota epsilon) log(N/eta) and restrict epsilon to at most 1.",
       "wang_xu.l1_regression_theta_moment.lemma.final_logarithms.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.final_moments.printed", proof_step,
       "In units of iota^(theta - 1)/theta sup E|y - <x, w>|^theta the four are 1, 1, 2^(theta - "
       "1) and 1, together 3 + 2^(theta - 1), and the term is 2 2^(theta - 1). Since 2^(theta - 1) "
       "< 2, it never covers them. (24) gives its factor 2 to the term with zeta^theta instead.",
       "(24) and (26)", "Write 5 iota^(theta - 1)/theta for 2 (2 iota)^(theta - 1)/theta.",
       "wang_xu.l1_regression_theta_moment.lemma.final_moments.corrected"},
      {"wang_xu.l1_regression_theta_moment.lemma.norms.printed", proof_step,
       "With one coordinate alone it says x_1^2 <= |x_1|^theta, which is false for |x_1| > 1 since "
       "theta < 2. With the power theta on both sides it is true.",
       "the end of the proof of (19)", "Write ||x||_2^theta for ||x||_2^2 on the left side.",
       "wang_xu.l1_regression_theta_moment.lemma.norms.corrected"},
      {"wang_xu.l1_regression_theta_moment.privacy.printed", privacy,
       "psi lies between 0 and log theta on the absolute residuals, so one record can change L(w) "
       "by log theta/(n iota), and the logarithm of the weight by epsilon: up for one candidate "
       "and down for all others at once. Their odds then change by e^(2 epsilon), and so does the "
       "probability of the one where the others hold nearly all of it. An exponential mechanism "
       "has to divide epsilon by twice the sensitivity.",
       "Algorithm 2; the privacy half of Theorem 2",
       "Halve the exponent: exp(-n iota epsilon L(w)/(2 log theta)).",
       "wang_xu.l1_regression_theta_moment.privacy.corrected",
       "wang_xu.l1_regression_second_moment.privacy.printed"},
      {"wang_xu.l1_regression_theta_moment.rate.coordinates.printed", accuracy,
       "iota is too large. The truncation costs up to the order of iota^(theta - 1) d tau^theta, "
       "and at this iota that falls as n^(-(theta - 1)^2/theta), for theta = 1.5 as n^(-1/6), "
       "where n^(-1/3) is claimed. On the law of the check the few records that decide are "
       "truncated, and the small ones outvote them.",
       "(19): its iota does not give its rate",
       "Write the exponent 1/theta for (theta - 1)/theta in iota.",
       "wang_xu.l1_regression_theta_moment.rate.coordinates.corrected",
       "wang_xu.l1_regression_theta_moment.lemma.assumption_4_terms.printed"},
  });
  return rows;
}

}  // namespace dpverify
