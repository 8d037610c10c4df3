#include "algorithms/finding_rows.hpp"

namespace dpverify {

// By id.
std::span<const FindingRow> su_findings() {
  using enum Severity;
  static constexpr auto rows = std::to_array<FindingRow>({
      {"su.approximate_objective_perturbation.lemma.budget.proved", proof_step,
       "Basic composition adds the parameters: epsilon + epsilon/2 = 1.5 epsilon, and likewise 1.5 "
       "delta. The part of theta_1 has to be (epsilon/2, delta/2)-DP, and the noise of the main "
       "text, sigma_1^2 = 128 L^2 log(2.5/delta)/epsilon^2, is at least Lemma 5's noise at that "
       "budget.",
       "the proof of Theorem 1 in the supplement; Theorem 1 with the constants of the main text "
       "stands",
       "Apply Lemma 5 to theta_1 at (epsilon/2, delta/2).",
       "su.approximate_objective_perturbation.privacy.printed"},
      {"su.approximate_objective_perturbation_strongly_convex.lemma.first_term_of_theorem_4."
       "printed",
       slip,
       "The two terms differ by the factor 1/epsilon, which is above 1 for every epsilon < 1. The "
       "proof gives the smaller one, so Theorem 4 is true and says less than is proved.",
       "nothing: Theorem 4 says less than its proof shows",
       "Drop 1/epsilon from the first term of Theorem 4."},
      {"su.approximate_objective_perturbation_strongly_convex.lemma.log_determinant.printed",
       privacy,
       "Delta is a modulus in the Minkowski norm of C. On a ball of radius R it is a Euclidean "
       "modulus of Delta/R^2 only, here r beta/(R^2 epsilon n), and in one dimension a replaced "
       "record may cost the log determinant log(1 + R^2 epsilon). At R = 2 and epsilon = 1 that is "
       "log 5 = 1.61, where 0.5 is allowed.",
       "the proof of Theorem 3, and Theorem 3",
       "Set lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0}, so that the Euclidean "
       "modulus Delta/radius^2 + 2 lambda is at least 2 r beta/(epsilon n).",
       "su.approximate_objective_perturbation_strongly_convex.lemma.log_determinant.corrected",
       "su.approximate_objective_perturbation_strongly_convex.privacy.printed"},
      {"su.approximate_objective_perturbation_strongly_convex.lemma.objective_of_theorem_11."
       "printed",
       slip,
       "The factor 1/2 is counted twice, in l and in front of the sum. With both, the empirical "
       "risk is (1/(4n)) sum ||theta - x_i||^2 and the excess is ||theta - mean||^2/4.",
       "a line of the proof of Theorem 11",
       "Drop one of the two factors 1/2: write the empirical risk as (1/n) sum l(theta; x_i)."},
      {"su.approximate_objective_perturbation_strongly_convex.privacy.printed", privacy,
       "Delta is a modulus in the Minkowski norm of C, r beta/(epsilon n) one in the Euclidean "
       "norm. On a ball of radius R the loss has the Euclidean modulus Delta/R^2 only. Where Delta "
       "= r beta/(epsilon n), hence lambda = 0, the log determinant alone may cost log(1 + R^2 "
       "epsilon) in one dimension: at R = 2 that is log(1 + 4 epsilon), more than epsilon for "
       "every epsilon <= 1.",
       "Theorem 3: Algorithm 2 on balls of a radius above 1",
       "Set lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0}: lambda ||theta||^2 has the "
       "modulus 2 lambda.",
       "su.approximate_objective_perturbation_strongly_convex.privacy.corrected"},
      {"su.batched_mirror_descent.lemma.delta_near_one.printed", privacy_near_one,
       "For the half-space midway between the two laws privacy asks 1 - P(z_1 > s/2) <= e^epsilon "
       "P(z_1 > s/2) + delta, which is the inequality that is checked. As delta nears 1, "
       "log(1/delta) is about 1 - delta, so sigma shrinks like sqrt(1 - delta) and P(z_1 > s/2) "
       "like exp(-c/(1 - delta)) with some c > 0, far below 1 - delta. So it is with any constant "
       "in place of 8.",
       "the privacy half of Theorem 14 where delta nears 1",
       "Keep delta away from 1, at most 0.5 say.", "su.batched_mirror_descent.privacy.printed",
       "su.objective_perturbation.privacy.large_delta.proved"},
      {"su.batched_mirror_descent.lemma.exponent.printed", slip,
       "For d = 2 and every p < 2, 1/(p - 1) is above 1, so kappa = log 2 = 0.69. Then kappa - 1 "
       "is negative and kappa/(kappa - 1) = -2.26. From d = 3 on, log d > 1 and the exponent is "
       "above 1.",
       "Algorithm 7 in two dimensions",
       "Require kappa > 1, or take the exponent r/(r - 1) with r = min{q, max{2, 2 log d}} and q = "
       "p/(p - 1).",
       "su.regularized_mirror_descent.lemma.strong_convexity.corrected"},
      {"su.batched_mirror_descent.lemma.kappa.printed", privacy_extreme,
       "For d = 2 kappa is log 2 = 0.69 and r = 1.69, below 2, where the square of ||.||_r is not "
       "smooth as Lemma 3 needs it. For large q the change (s, s) has an l_q length near s, and "
       "the length s 2^(1/r) in ||.||_r. The privacy loss along it exceeds epsilon with "
       "probability delta^(kappa 2^(-2/r)) = delta^0.31, up to polynomial factors, which is more "
       "than delta.",
       "the noise of Algorithm 7 in two dimensions for p near 1",
       "Take kappa = (r - 1) d^(2/r - 2/q) with r = min{q, max{2, 2 log d}}.",
       "su.batched_mirror_descent.lemma.kappa_tail.corrected"},
      {"su.batched_mirror_descent.lemma.kappa_tail.printed", privacy_extreme,
       "The change s d^(-1/q) (1, ..., 1) has l_q length s, and the length s d^(1/r - 1/q) in "
       "||.||_r. The privacy loss along it exceeds epsilon with probability delta^(kappa d^(2/q - "
       "2/r)), up to polynomial factors, so that small delta needs kappa >= d^(2/r - 2/q). For d = "
       "3 and q without bound kappa is log 3 = 1.10 and the right side 3^(2/2.1) = 2.85.",
       "the noise of Algorithm 7 for p near 1 where delta falls to 0",
       "Take the kappa of a smooth norm: kappa = (r - 1) d^(2/r - 2/q) with r = min{q, max{2, 2 "
       "log d}}.",
       "su.batched_mirror_descent.lemma.kappa_tail.corrected"},
      {"su.batched_mirror_descent.lemma.theorem_14.printed", accuracy,
       "(28) contains kappa M^2 gamma/T = kappa M^2/sqrt T. The printed T falls as M^(-5/3), by "
       "1/M and by lambda, which grows as M^(2/3), so the term grows as M^(2 + 5/6), about M^2.83, "
       "where M^(4/3) is claimed. With M in the numerator of T and 1/sqrt M in lambda every term "
       "grows as M^(4/3) at most for M >= 1.",
       "T of Theorem 14: the error grows as M^2.8, not as M^1.3",
       "Write T = M n epsilon/(lambda sqrt(d log(1/delta))) and lambda = (sqrt(n epsilon)/(kappa "
       "sqrt(M) (d log(1/delta))^(1/4)))^(2/3), for M >= 1.",
       "su.batched_mirror_descent.lemma.theorem_14.corrected"},
      {"su.batched_mirror_descent.lemma.theorem_14_small_diameter.proved", accuracy,
       "The term sigma^2/gamma of (28) has no factor M. With gamma = sqrt T it is sigma^2/sqrt T, "
       "and T grows as M^(4/3). So the term grows as M^(-2/3) when M falls, where the bound falls "
       "as M^(4/3).",
       "Theorem 14 for M < 1",
       "Set gamma = sqrt(T)/M and drop M from T and lambda; the bound then has M for M^(4/3).",
       "su.batched_mirror_descent.lemma.theorem_14_small_diameter.corrected"},
      {"su.batched_mirror_descent.lemma.truncation.printed", accuracy,
       "Assumption 4 bounds the deviation of a gradient from its mean, not the mean. A gradient "
       "that always is one number above beta M + lambda has sigma = 0, so that both bounds are 0. "
       "It is always set to 0, and the error is the gradient itself.",
       "Lemma 17; Theorems 10 and 14 need one assumption more",
       "Assume in addition a mean gradient of norm at most beta M, as it is where a minimiser of "
       "the risk lies in C and is stationary.",
       "su.batched_mirror_descent.lemma.truncation.corrected"},
      {"su.objective_perturbation.lemma.linear_term.printed", privacy_near_one,
       "The shift is mu = epsilon/sqrt(8 log(1/delta)) standard deviations, and for the half-space "
       "midway privacy asks 1 - delta <= (1 + e^(epsilon/2)) P(Z > mu/2) with a standard normal Z. "
       "As delta nears 1 the right side falls like exp(-epsilon^2/(64 (1 - delta))), far below 1 - "
       "delta. Up to delta = 0.9 the noise is enough.",
       "the noise of Algorithm 5 for delta above 0.9", "Restrict delta to at most 0.9.",
       "su.objective_perturbation.lemma.linear_term.corrected",
       "su.objective_perturbation.privacy.large_delta.proved"},
      {"su.objective_perturbation.lemma.log_determinant.printed", slip,
       "J has the modulus 2 lambda = r beta/(epsilon n), and min{d, rank} eigenvalues may each "
       "grow by beta/n on top of that: the cost is min{d, rank} log(1 + epsilon/r). In one "
       "dimension r = 1, and log(1 + epsilon) is above epsilon/2 for epsilon <= 1. The same "
       "happens wherever d < 2 rank.",
       "line 2 of Algorithm 5; Lemma 5 asks for twice the lambda",
       "Require lambda >= r beta/(epsilon n), as Lemma 5 does.",
       "su.objective_perturbation.lemma.log_determinant.corrected",
       "su.objective_perturbation.privacy.printed"},
      {"su.objective_perturbation.lemma.noise_of_lemma_6.printed", slip,
       "128 is four times 32, whatever epsilon and delta are. The rate of Lemma 6 does not depend "
       "on the constant.",
       "a constant in the proof of Lemma 6", "Write 32 for 128 in the proof of Lemma 6."},
      {"su.objective_perturbation.privacy.large_delta.proved", privacy_near_one,
       "As delta nears 1 the noise vanishes: sigma_1^2 is about 32 L^2 (1 - delta)/epsilon^2. A "
       "replaced record may move the gradient of the sum by 2 L at every theta. The outputs on one "
       "side of a point then have probabilities within about exp(-epsilon^2/(64 (1 - delta))) of 1 "
       "and of 0, which is far less than the 1 - delta that privacy asks to be left.",
       "Lemma 5 for delta above 0.9", "Restrict delta to at most 0.9.",
       "su.objective_perturbation.lemma.linear_term.corrected"},
      {"su.objective_perturbation.privacy.printed", slip,
       "In one dimension r = 1 counts the two Hessians of a replaced record as one. J then has the "
       "modulus 2 lambda = beta/(epsilon n), and the log determinant alone may cost log(1 + "
       "epsilon), nearly epsilon where epsilon is small. The noise is made for epsilon/2, and the "
       "two together exceed epsilon.",
       "Algorithm 5 run without the condition of Lemma 5",
       "Require lambda >= r beta/(epsilon n), as Lemma 5 says.",
       "su.objective_perturbation.privacy.proved"},
      {"su.phased_sgd.lemma.first_phase.printed", proof_step,
       "The term eta L^2 does not shrink with ||theta*||. As theta* tends to 0 the left side tends "
       "to eta L^2 > 0 and the right side to 0. Since eta L^2 <= 4 L/sqrt n, the bound holds with "
       "||theta*||^2 + 1 in place of ||theta*||^2.",
       "||theta*|| in Lemma 14", "Replace ||theta*||^2 by ||theta*||^2 + 1 in the bound.",
       "su.phased_sgd.lemma.first_phase.corrected"},
      {"su.phased_sgd.lemma.optimum_at_zero.printed", accuracy,
       "The last phase adds Gaussian noise of variance sigma_k^2 > 0 to the average. The loss is "
       "convex and even, so its mean is least where the average is 0, and sqrt(1 + w^2) - 1 >= "
       "w^2/2 - w^4/8. The excess risk is therefore at least sigma_k^2/2 - 3 sigma_k^4/8, whatever "
       "the average, and that is positive for sigma_k < 1.",
       "Lemma 14 and Theorems 8 and 13 where theta* = 0",
       "Replace ||theta*||^2 by ||theta*||^2 + 1 in the bound.",
       "su.phased_sgd.lemma.first_phase.corrected"},
      {"su.phased_sgd.lemma.phase_noise.printed", proof_step,
       "Phase i starts from w_(i-1), the average of phase i - 1 plus the noise xi_(i-1) of that "
       "phase. Since eta_(i-1) = 4 eta_i, E||xi_(i-1)||^2 is 16 E||xi_i||^2. The sum over the "
       "phases keeps its order with a larger constant.",
       "(19); Lemma 14 stands",
       "Write E||xi_(i-1)||^2, which is 16 E||xi_i||^2, for E||xi_i||^2 in (19).",
       "su.phased_sgd.lemma.phase_noise.corrected"},
      {"su.phased_sgd.lemma.steps_agree.printed", slip,
       "Theorem 13 prints log(1/delta) outside the root. Where the second terms of the two minima "
       "decide, Lemma 14's eta is sqrt(log(1/delta)) times Theorem 13's, and that has no bound: at "
       "delta = 10^-300 it is 26.",
       "eta of Lemma 14 against that of Theorem 13",
       "Put the logarithm under the root in Theorem 13, as in Lemma 14.",
       "su.phased_sgd.lemma.theorem_13_step.corrected",
       "su.phased_sgd.lemma.theorem_13_step.printed"},
      {"su.phased_sgd.lemma.theorem_13_step.printed", slip,
       "Where the second term of eta decides, ||theta*||^2/(eta n) is 2 L ||theta*||^2 sqrt(d) "
       "log(1/delta)/(epsilon n). That is 2 sqrt(log(1/delta)) times the second term of the bound, "
       "and no constant covers it as delta falls to 0. With Lemma 14's eta the factor is 2.",
       "eta of Theorem 13, at tiny delta",
       "Put the logarithm under the root in eta, as in Lemma 14.",
       "su.phased_sgd.lemma.theorem_13_step.corrected"},
      {"su.regularized_mirror_descent.lemma.advanced_composition.proved", proof_step,
       "Lemma 1 gives each step epsilon' = epsilon/sqrt(2 T log(2/delta)) and a delta' of at most "
       "delta/T. By Lemma 3 such a step needs the variance 2 kappa (2L/n)^2 "
       "log(1/delta')/epsilon'^2, at least 16 L^2 kappa T log(2/delta) log(T/delta)/(n epsilon)^2. "
       "That has a product of two logarithms where 64 log(1/delta) has one, and is larger once "
       "log(1/delta) > 4; counted in concentrated differential privacy the printed noise is "
       "enough.",
       "the proof of Theorem 6; Theorem 6 stands",
       "Prove Theorem 6 by concentrated differential privacy in place of Lemma 1.",
       "su.regularized_mirror_descent.lemma.concentrated.corrected"},
      {"su.regularized_mirror_descent.lemma.composition.proved", proof_step,
       "The first term alone is epsilon, since sqrt(2 T log(2/delta)) epsilon' = epsilon. The "
       "second term, at least T epsilon'^2 = epsilon^2/(2 log(2/delta)), comes on top.",
       "the proof of Lemma 1; Lemma 1 stands",
       "Prove Lemma 1 by the optimal composition of pure steps.",
       "su.regularized_mirror_descent.lemma.composition.printed"},
      {"su.regularized_mirror_descent.lemma.delta_near_one.printed", privacy_near_one,
       "For the half-plane midway between the two laws privacy asks 1 - P(z_1 > s/2) <= e^epsilon "
       "P(z_1 > s/2) + delta, which is the inequality that is checked. In the plane ||z||_r^2 is "
       "exponential with mean 2 sigma^2, so P(z_1 > s/2) <= exp(-s^2/(8 sigma^2))/2. With "
       "log(1/delta) near 1 - delta that is about exp(-epsilon^2/(128 kappa (1 - delta)))/2, far "
       "below 1 - delta as delta nears 1, and so it is with any constant in place of 64.",
       "Theorem 6 where delta nears 1", "Restrict delta to at most 0.77.",
       "su.regularized_mirror_descent.privacy.printed",
       "su.objective_perturbation.privacy.large_delta.proved"},
      {"su.regularized_mirror_descent.lemma.hidden_factor.printed", slip,
       "If all n labels agree, the empirical risk falls towards 0 as w goes to infinity, and there "
       "is no minimiser. That has probability 2^(1 - n) > 0, so E||w~*||^2 is infinite for every "
       "n.",
       "the hidden factor of Theorem 7 where no minimiser exists",
       "Assume that E||w~*||^2 is finite."},
      {"su.regularized_mirror_descent.lemma.iterations_condition.printed", slip,
       "At epsilon = kappa = 1, d = 10 and delta = 10^-5 the right side is 10/115^2, below 0.001, "
       "so that no n meets the condition. It bounds n from above where a lower bound is meant: T "
       "<= sqrt(n sqrt(kappa)) for the T of Theorem 7 is n >= epsilon^4/((d log(1/delta))^2 "
       "sqrt(kappa)).",
       "the condition on n in the proof of Theorem 7",
       "Reverse the inequality: ask for n >= epsilon^4/((d log(1/delta))^2 sqrt(kappa)).",
       "su.regularized_mirror_descent.lemma.iterations.corrected"},
      {"su.regularized_mirror_descent.lemma.kappa.printed", slip,
       "For d = 1 log d is 0, and so are kappa and the noise, whose variance is proportional to "
       "kappa. For d >= 2 both 2 log d and 1/(p - 1) are above 1.",
       "kappa in one dimension", "Require d >= 2."},
      {"su.regularized_mirror_descent.lemma.last_display.printed", proof_step,
       "T = (kappa/u)^(2/5), so T^(3/2) sqrt(kappa) u = kappa^(3/5 + 1/2) u^(2/5). It grows as "
       "kappa^1.1 where kappa^0.8 is claimed. With sqrt(kappa) in T the power is 3/10 + 1/2 = 0.8.",
       "T of Theorem 7 in the main text",
       "Write sqrt(kappa) for kappa in T, as the supplement does.",
       "su.regularized_mirror_descent.lemma.last_display.proved"},
      {"su.regularized_mirror_descent.lemma.noise_normaliser.printed", slip,
       "In the integral over ||z||_r and direction the sphere counts by its cone measure, d times "
       "the volume of the unit ball, not by its surface area. For r = 1 in the plane the surface "
       "is 4 sqrt 2 and twice the area of the ball is 4, so the mass is 1/sqrt 2 = 0.71. The two "
       "measures agree for r = 2.",
       "the density of the generalised Gaussian law; sampling does not need it",
       "Normalise by the cone measure: 1/C = Vol(B_r) (2 sigma^2)^(d/2) Gamma(d/2 + 1).",
       "su.regularized_mirror_descent.lemma.noise_normaliser.corrected"},
      {"su.regularized_mirror_descent.lemma.noise_normaliser_above.printed", slip,
       "In the integral over ||z||_r and direction the sphere counts by its cone measure, d times "
       "the volume of the unit ball, not by its surface area. For r = 3 in the plane twice the "
       "area of the ball is 7.07 and the length of the sphere 6.75, so the mass is 1.05.",
       "the density of the generalised Gaussian law; sampling does not need it",
       "Normalise by the cone measure: 1/C = Vol(B_r) (2 sigma^2)^(d/2) Gamma(d/2 + 1).",
       "su.regularized_mirror_descent.lemma.noise_normaliser.corrected",
       "su.regularized_mirror_descent.lemma.noise_normaliser.printed"},
      {"su.regularized_mirror_descent.lemma.noise_privacy_small_delta.printed", privacy_extreme,
       "For large q kappa is 2 log 2 = 1.39 and r = 2.39. The change (s, s) has an l_q length near "
       "s, and the squared length 2^(2/r) s^2 = 1.79 s^2 in ||.||_r, more than kappa s^2. The "
       "privacy loss along it exceeds epsilon with probability delta^(1.39/1.79) = delta^0.78, up "
       "to polynomial factors, which is more than delta once delta is tiny.",
       "Lemma 3 for large q at delta about 10^-30",
       "Take r = 2, that is Gaussian noise, with kappa = d^(1 - 2/q) where 2 log d <= 2.",
       "su.regularized_mirror_descent.lemma.noise_privacy_small_delta.corrected"},
      {"su.regularized_mirror_descent.lemma.noise_proof.proved", proof_step,
       "2 sqrt(rho log(1/delta)) is epsilon already, and rho comes on top: the sum is epsilon + "
       "epsilon^2/(4 log(1/delta)). The optimal conversion of the same rho gives epsilon at delta, "
       "so Lemma 3 does not suffer.",
       "the proof of Lemma 3; Lemma 3 stands",
       "Use the optimal conversion of Renyi divergences to (epsilon, delta)-DP.",
       "su.regularized_mirror_descent.lemma.noise_proof.corrected"},
      {"su.regularized_mirror_descent.lemma.noise_split.printed", proof_step,
       "1-strong convexity is ||w - v||^2/2 <= D(w, v), hence ||w - v||^2 <= 2 D(w, v). For p = 2 "
       "and Phi = ||.||_2^2/2 that is an equality, and the claim is off by the factor 2. The split "
       "<g, h> <= a ||g||_*^2 + ||h||^2/(4a) avoids it and gives (13) as printed.",
       "before (13); (13) stands",
       "Write ||w - v||^2/(4a) for ||w - v||^2/(2a), that is ||w - v||^2/(4a) <= D(w, v)/(2a).",
       "su.regularized_mirror_descent.lemma.noise_split.corrected"},
      {"su.regularized_mirror_descent.lemma.strong_convexity.printed", proof_step,
       "kappa/(kappa - 1) is the exponent dual to kappa, but the square of ||.||_r is kappa-smooth "
       "for r = kappa + 1, whose dual exponent is (kappa + 1)/kappa. For kappa < 2 the printed a "
       "is above 2, and Phi is not strongly convex at all: from v = (1, 0) a step h along the "
       "second axis adds of the order of h^a to Phi, less than any multiple of h^2 for small h.",
       "the mirror map of Algorithm 3; the first sentence of the proof of Theorem 7",
       "Take the exponent a = r/(r - 1) and kappa = (r - 1) d^(2/r - 2/q), with r = min{q, max{2, "
       "2 log d}} and q = p/(p - 1).",
       "su.regularized_mirror_descent.lemma.strong_convexity.corrected"},
      {"su.regularized_mirror_descent.lemma.strong_convexity.proved", proof_step,
       "It fails where kappa = 2 log d < 1/(p - 1), for then a > p. Take v flat and a small step h "
       "whose coordinates have one size and signs that sum to 0: D is ||h||_a^2/2 to second order, "
       "and ||h||_a^2 = d^(2/a - 2/p) ||h||_p^2. So the modulus in ||.||_p is at most d^(2/a - "
       "2/p), which is below 1 and goes down to 1/e.",
       "a constant in the proof of Theorem 7",
       "Take kappa = (r - 1) d^(2/r - 2/q) with r = min{q, max{2, 2 log d}} and a = r/(r - 1); "
       "that kappa is at most e times as large.",
       "su.regularized_mirror_descent.lemma.strong_convexity.corrected"},
      {"su.shuffled_mirror_descent.lemma.averaged_noise.printed", proof_step,
       "Squares of the norms of independent vectors add up in the mean only for the Euclidean "
       "norm. The mean of many noises is nearly Gaussian, and for r = 8 and large d its mean "
       "square tends to r^(2/r) (Gamma(3/r)/Gamma(1/r)) (E|g|^r)^(2/r) = 1.69 times d "
       "sigma_1^2/|B|, g a standard normal variable. The (r - 1)-smoothness of ||.||_r^2 allows a "
       "factor of at most kappa = r - 1.",
       "a step of the proof of Theorem 10",
       "Multiply the bound by kappa, the most that the smoothness of the norm lets averaging "
       "lose."},
      {"su.shuffled_mirror_descent.lemma.largest_deviation.printed", slip,
       "A kept gradient of norm beta M + lambda against an opposite mean gradient of norm beta M "
       "is off by 2 beta M + lambda, as Lemma 17 says. For beta > 1 that is more than 2 M + "
       "lambda.",
       "Lemma 19", "Write 2 beta M + lambda for 2 M + lambda, as in Lemma 17."},
      {"su.shuffled_mirror_descent.lemma.proof_kappa.printed", slip,
       "Solved for sigma_1 the one line has the factor kappa and the other sqrt(kappa). Their "
       "ratio sqrt(kappa) = sqrt(2 log d) has no bound: it passes 4 where log d passes 8.",
       "a line of the proof of Theorem 9", "Write sqrt(kappa) for kappa in epsilon_0."},
      {"su.shuffled_mirror_descent.lemma.step_norm.printed", slip,
       "At the best gamma the right side is ||h||_2 ||xi||_q. The xi that is dual to h has <xi, h> "
       "= ||h||_p ||xi||_q, and for p < 2 ||h||_p is above ||h||_2 unless h has one coordinate "
       "only that is not 0.",
       "after (25) in the proof of Theorem 10",
       "Put the p-norm for the Euclidean: ||h||_p^2 for ||h||_2^2 on the right side.",
       "su.shuffled_mirror_descent.lemma.step_norm.corrected"},
      {"su.shuffled_mirror_descent.lemma.theorem_10.printed", accuracy,
       "(27) has the term sigma^2/gamma, without a factor M; one line later it is printed as M "
       "sigma^2/gamma. With gamma = sqrt T, and T proportional to M^2, the term grows as 1/M when "
       "M falls, where the bound falls as M.",
       "Theorem 10 for small M",
       "Set gamma = sigma sqrt(T)/M and T = sigma^2 n^2 epsilon^2/(lambda^2 d log(1/delta)).",
       "su.shuffled_mirror_descent.lemma.theorem_10_scaled.corrected"},
      {"su.shuffled_mirror_descent.lemma.theorem_10_lambda.printed", proof_step,
       "The term kappa M^2 gamma/T = kappa M lambda sqrt(d log(1/delta))/(n epsilon) of (27) is M "
       "(kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon) at this lambda, whatever sigma is. For "
       "sigma < 1 the bound is sigma times that, so no constant covers the term as sigma falls to "
       "0.",
       "lambda in the main text; the supplement has it right",
       "Multiply lambda by sigma, as the supplement does.",
       "su.shuffled_mirror_descent.lemma.theorem_10_scaled.corrected"},
      {"su.shuffled_mirror_descent.lemma.theorem_10_logarithm.printed", proof_step,
       "Without its logarithm the term of the noise, d log(1/delta) kappa T lambda^2/((n "
       "epsilon)^2 gamma) for lambda far above M, is M (kappa^2 d log(1/delta))^(1/4)/sqrt(n "
       "epsilon), the bound itself. (27) multiplies it by log(n/delta), which has no bound in n "
       "and which the result has lost.",
       "a factor log(n/delta) of Theorem 10", "Multiply the bound by log(n/delta).",
       "su.shuffled_mirror_descent.lemma.theorem_10_logarithm.corrected"},
      {"su.shuffled_mirror_descent.lemma.theorem_10_sigma.printed", accuracy,
       "(27) has the term sigma^2/gamma. With gamma = sqrt T, and T proportional to 1/lambda^2, "
       "hence to 1/sigma^2, it grows as sigma^3, where the bound grows as sigma^2.",
       "Theorem 10 for sigma > 1: sigma^3 for sigma^2",
       "Set gamma = sigma sqrt(T)/M and T = sigma^2 n^2 epsilon^2/(lambda^2 d log(1/delta)).",
       "su.shuffled_mirror_descent.lemma.theorem_10_scaled.corrected"},
      {"su.shuffled_mirror_descent.lemma.variance_term.printed", proof_step,
       "The ratio of the two is 18 lambda/M. lambda grows with n, as sqrt(n epsilon), while M is "
       "fixed, so no constant covers it.",
       "(27), a term of lower order", "Write lambda for M in that term of (27)."},
  });
  return rows;
}

}  // namespace dpverify
