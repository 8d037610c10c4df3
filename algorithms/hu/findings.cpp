#include "algorithms/finding_rows.hpp"

namespace dpverify {

// By id.
std::span<const FindingRow> hu_findings() {
  using enum Severity;
  static constexpr auto rows = std::to_array<FindingRow>({
      {"hu.dp_frank_wolfe.lemma.curvature.printed", accuracy,
       "The curvature is quadratic in the diameter. On L(w) = ||w||_2^2/2, with alpha = 1, it is "
       "the largest ||u - v||_2^2, which the opposite vertices R e_1 and -R e_1 make 4 R^2, above "
       "2 R for every R > 1/2.",
       "Lemma 6, and the power of the diameter in Theorem 2",
       "Bound the curvature by alpha diam_2^2, the squared l2 diameter; Theorem 2 then has "
       "||W||_1^(4/3) in place of ||W||_1.",
       "hu.dp_frank_wolfe.lemma.curvature.corrected"},
      {"hu.dp_frank_wolfe.lemma.frank_wolfe.printed", proof_step,
       "The first step is 2/3 and not 1, so that a share of the excess risk h_0 at the start is "
       "left: on a linear function, with Gamma = 0, t exact steps leave h_0 times the product of "
       "k/(k + 2) for k = 1 to t, which is 2 h_0/((t + 1)(t + 2)). On ||w - (kappa, 0)||_2^2/2 "
       "with w^0 = (-R, 0) the gap h_0 is 2 kappa R for large kappa, while Gamma stays at 4 R^2.",
       "Lemma 6; Theorem 2 stands",
       "Add the term 2 h_0/((t + 1)(t + 2)) to the bound, h_0 the excess risk at the start.",
       "hu.dp_frank_wolfe.lemma.frank_wolfe.corrected"},
      {"hu.dp_frank_wolfe.lemma.large_epsilon.printed", proof_step,
       "The left side does not depend on epsilon and is at least beta, while the right side tends "
       "to 0 as epsilon grows: it fails for large epsilon, whatever the constant is. More privacy "
       "budget does not lower the sampling error; for epsilon <= 1 the constant 2 suffices.",
       "(28), and Theorem 2 for large epsilon", "Restrict (28) and Theorem 2 to epsilon <= 1.",
       "hu.dp_frank_wolfe.lemma.large_epsilon.corrected"},
      {"hu.dp_frank_wolfe.lemma.lasso_smoothness.printed", proof_step,
       "The Hessian of the risk is 2 E x x^T: at distance 1 along the first eigenvector the risk "
       "exceeds its tangent by lambda_max, twice what is allowed.",
       "the constant of Corollary 1", "Write 2 lambda_max(E x x^T) for the smoothness.",
       "hu.dp_frank_wolfe.lemma.lasso_smoothness.corrected"},
      {"hu.dp_frank_wolfe.lemma.log_moment.printed", slip,
       "f is phi itself, so that the left side is the logarithm of phi and the right side the "
       "logarithm of exp(phi). For eta = 0 and a constant x the equality would be log u = u with u "
       "= phi(x/s), which no u satisfies, as log u < u. The line lost an exponential that (15) "
       "has.",
       "(17); Lemma 4 stands", "Write log E exp(f(eta, x)) for log E f(eta, x)."},
      {"hu.dp_frank_wolfe.lemma.lower_tail.printed", slip,
       "E(1 + eta)^2 = 1 + 1/beta, so that the left side is twice the right side for every beta. "
       "The inequality (16), on which the line rests, halves the square: with (1 + eta)^2 E x^2/(2 "
       "s^2) under the integral the display and the result (20) are right.",
       "the line before (20); (20) stands",
       "Write (1 + eta)^2 E x^2/(2 s^2) for (1 + eta)^2 E x^2/s^2 under the integral."},
      {"hu.dp_frank_wolfe.lemma.selection_logarithms.printed", slip,
       "A sum of two logarithms is not bounded by a multiple of their product where one of them is "
       "below 1: as T/zeta tends to 1 the product tends to 0 and the sum to ln|V|, so that no "
       "constant will do. Where both are at least 1 the sum is at most twice the product.",
       "(24) and Lemma 5 where a logarithm is below 1",
       "Write ln|V| + ln(T/zeta) for the product of the two logarithms."},
      {"hu.dp_frank_wolfe.rate.experiments.printed", accuracy,
       "With s = n epsilon and m = n/T the noise of a selection, 2 Delta/epsilon = (8 sqrt2/3) "
       "||W||_1 T, grows with n, while the scores stay of the order 1: the vertices are drawn "
       "nearly without regard to the data. The error falls all the same, because w^T averages T "
       "random vertices and tends to the zero vector, at the pace 1/T, which is (n "
       "epsilon)^(-1/3).",
       "what Figure 1 shows of Algorithm 1; Theorem 2 stands",
       "Use the scale s = sqrt(n epsilon tau/(T log(|V|dT/zeta))) of Theorem 2.",
       "hu.dp_frank_wolfe.rate.printed"},
      {"hu.dp_frank_wolfe.sensitivity.any_polytope.printed", proof_step,
       "A score can change by ||v||_1 times the change of a coordinate of the gradient, and "
       "||v||_1 <= ||W||_1 is false away from the origin: around the centre c (1, ..., 1) in d "
       "dimensions the vertex c (1, ..., 1) + R e_1 has the norm d c + R, and the diameter stays 2 "
       "R. Privacy survives, because the exponential mechanism feels only the differences of "
       "scores, and <v - v', g> changes by at most Delta.",
       "a step of the proof of Theorem 1; Theorem 1 stands",
       "Bound half the range of the changes of the scores in place of the largest change: it is at "
       "most ||W||_1 2 sqrt2 s/(3m) for every polytope.",
       "hu.dp_frank_wolfe.sensitivity.corrected"},
      {"hu.dp_frank_wolfe.sensitivity.closed_form.printed", privacy,
       "The printed form is a difference of terms of the order a^3, a the gradient divided by s, "
       "and only this difference is bounded by 2 sqrt2/3. In doubles it is left with a rounding "
       "error of about 10^-16 a^3, which is above 1 from a = 3 10^5 on and grows without limit, "
       "and so does what one record moves the mean by. (At a gradient of 0, where b = 0 and the "
       "form divides by 0, its limit is taken.)",
       "Algorithms 1 and 5 as run in doubles; in exact arithmetic Theorem 1 stands",
       "Evaluate the smoothed truncation by quadrature and clamp it to [-2 sqrt2/3, 2 sqrt2/3].",
       "hu.dp_frank_wolfe.lemma.range.corrected"},
      {"hu.peeling.lemma.advanced_composition.proved", proof_step,
       "The squares of the 2s budgets add up to 5 epsilon^2/(12 L), L = log(1/delta). The first "
       "term of advanced composition is therefore sqrt(5/6) epsilon = 0.913 epsilon and the second "
       "at least 5 epsilon^2/(12 L); together they exceed epsilon where epsilon > 0.21 L, hence "
       "for epsilon near 1 once delta is above 0.0085. Optimal composition certifies epsilon there "
       "too.",
       "the proof of Lemma 10 by Lemma 2; Lemma 10 stands",
       "Prove Lemma 10 by optimal composition (Kairouz, Oh and Viswanath, 2015) in place of Lemma "
       "2.",
       "hu.peeling.lemma.optimal_composition.corrected"},
      {"hu.peeling.lemma.best_approximation.printed", proof_step,
       "If I leaves out S, v_S is 0 on I and the left side is ||v||^2. With s-hat = s and v-hat "
       "the s largest entries of v, the right side tends to ||v-hat - v||^2 as the noise vanishes "
       "and c grows, which is smaller. The convergence proof uses the lemma with an I that "
       "contains S, where it holds.",
       "Lemma 13; its use stands", "Require that I contains S, the coordinates that Peeling keeps.",
       "hu.peeling.lemma.best_approximation.proved"},
      {"hu.peeling.lemma.best_approximation_repeats.printed", slip,
       "One coordinate can win every round, so that for s = 2 the set S holds the largest entry "
       "alone. With s-hat = 1 and v-hat this entry, the left side is ||v-hat - v||^2, and the "
       "right side tends to (d - 2)/(d - 1) times that as the noise vanishes and c grows.",
       "Lemma 13 for Algorithm 4 as the published edition prints it",
       "Take the argmax over [d] without S, so that no coordinate is drawn twice, as the preprint "
       "does.",
       "hu.peeling.lemma.support.corrected"},
      {"hu.peeling.lemma.laplace_tail.printed", proof_step,
       "For d = 1 the threshold is 0 and exceeded with probability 1. For d = 2 one magnitude "
       "exceeds it with probability q = zeta^(2 log 2) = zeta^1.386 and the larger of the two with "
       "2q - q^2, which is above zeta from zeta = 0.19 on. For any d the lemma fails as zeta tends "
       "to 1, where the threshold tends to 0.",
       "Lemma 15 in three dimensions or fewer, or for zeta near 1",
       "Restrict the lemma to zeta <= 0.18 and d >= 2.", "hu.peeling.lemma.laplace_tail.corrected"},
      {"hu.peeling.lemma.support.printed", slip,
       "A coordinate that is larger than all others by much more than the noise wins every round, "
       "so that S holds it alone.",
       "accuracy of Algorithm 4 in the published edition; its privacy stands",
       "Take the argmax over [d] without S, so that no coordinate is drawn twice, as the preprint "
       "does.",
       "hu.peeling.lemma.support.corrected"},
      {"hu.peeling.privacy.large_delta.printed", privacy_near_one,
       "With s = 1 and one coordinate, Peeling releases a number that moves by lambda with Laplace "
       "noise of scale b, which is (epsilon, delta')-DP for delta' = 1 - exp((epsilon - "
       "lambda/b)/2) and no smaller. Here lambda/b = epsilon/(2 sqrt(3 log(1/delta))) grows like "
       "1/sqrt(1 - delta) as delta tends to 1, so that the exponential falls below 1 - delta and "
       "delta' exceeds delta.",
       "Lemma 10 for delta near 1; up to 0.9 it is certified", "Restrict delta to at most 0.9.",
       "hu.peeling.privacy.printed"},
      {"hu.private_lasso.lemma.advanced_composition.proved", proof_step,
       "With e = epsilon/(2 sqrt(2T L)), L = log(1/delta), the bound is epsilon/2 + T e (exp(e) - "
       "1), or T e where that is less. The second term is at least epsilon^2/(8 L), which for "
       "delta near 1 is above epsilon/2, and for T = 1 even e exceeds epsilon once L < 1/8. For "
       "some T and epsilon near 1 it fails from delta = 0.74 on; optimal composition certifies "
       "epsilon up to delta = 0.99.",
       "the proof of Theorem 4 for delta above 0.73",
       "Prove Theorem 4 by optimal composition (Kairouz, Oh and Viswanath, 2015) in place of Lemma "
       "2.",
       "hu.private_lasso.lemma.optimal_composition.corrected"},
      {"hu.private_lasso.lemma.clipping_bias_label.printed", slip,
       "For x_j = y = 2K the bias is 4K^2 - K^2 = 3K^2 and sqrt(M)/K^2 = 4: no constant will do "
       "for every K. The derivation gives M/K^2, as each of its two roots is at most sqrt(4M) "
       "sqrt(M/K^4).",
       "the line before (38); (39) stands", "Write M/K^2 for sqrt(M)/K^2."},
      {"hu.private_lasso.lemma.union_bound.printed", slip,
       "t = zeta/d^3 is below 1, so that (d^2 + d) e^-t is above (d^2 + d)/e, which exceeds 2 for "
       "d >= 2. With t = log(d^3/zeta) it is (d^2 + d) zeta/d^3, at most zeta for d >= 2.",
       "a line of the proof of Lemma 8", "Write t = log(d^3/zeta) for t = zeta/d^3.",
       "hu.private_lasso.lemma.union_bound.corrected"},
      {"hu.private_lasso.lemma.weaker_assumption.printed", slip,
       "Where x is 0 the gradient 2 x (<x,w> - y) is 0 whatever the label is, so that Assumption 1 "
       "says nothing of the label there and E y^4 can be of any size: no constant will do. The "
       "remark derives E(x_j x_k)^2 = O(tau) and does not look at the label.",
       "Remark 2, which looks at the features alone, for the label; no theorem rests on it",
       "Add a bound on E y^4 to Assumption 1 where it is to imply Assumption 3."},
      {"hu.private_lasso.privacy.any_radius.printed", privacy_extreme,
       "A coordinate of the gradient of a clipped record is as large as 2 K^2 (R + 1), so that one "
       "replaced record changes a score by up to 4 R (R + 1) K^2/n, which is (R + 1)/4 times "
       "Delta. A step then costs up to (R + 1)/4 times its budget epsilon/(2 sqrt(2 T "
       "log(1/delta))), and for T = 1 that is above epsilon once R + 1 exceeds 8 sqrt(2 "
       "log(1/delta)).",
       "Theorem 4 for l1 balls of radius 100; up to radius 3 it is certified",
       "Set Delta = 4 R (R + 1) K^2/n.", "hu.private_lasso.privacy.corrected"},
      {"hu.private_lasso.privacy.large_delta.printed", privacy_near_one,
       "As delta tends to 1 the budget epsilon/(2 sqrt(2 T log(1/delta))) of a step grows like "
       "1/sqrt(1 - delta). If one record decides which of two vertices has the better score, a "
       "step selects the better one but for a probability of the order q = exp(-c/sqrt(1 - "
       "delta)), c > 0. Then (epsilon, delta)-DP asks for 1 - q <= e^epsilon q + delta, that is 1 "
       "- delta <= (1 + e^epsilon) q, which is false near delta = 1.",
       "Theorem 4 for delta near 1; up to 0.99 it is certified", "Restrict delta to at most 0.99.",
       "hu.private_lasso.privacy.printed", "hu.peeling.privacy.large_delta.printed"},
      {"hu.private_lasso.sensitivity.printed", proof_step,
       "The proof takes |<x,w>| <= K, but it can be K R. A coordinate of the gradient of a clipped "
       "record is therefore as large as 2 K^2 (R + 1), and one of n records changes a score by up "
       "to R times 4 K^2 (R + 1)/n, which is attained and exceeds 16 R K^2/n for R > 3.",
       "Delta of Algorithm 2 for l1 balls of radius above 3; for the unit ball Theorem 4 stands",
       "Set Delta = 4 R (R + 1) K^2/n.", "hu.private_lasso.sensitivity.corrected"},
      {"hu.robust_regression.lemma.gradient_dominance_biweight.printed", accuracy,
       "psi' is 0 beyond c: where every residual x u that is not 0 is beyond c, the right side is "
       "0 and L(w) - L(w*) = share/6 is not, so that no c_psi > 0 will do. The proof takes "
       "psi'(r)/r >= c_psi for every residual r, but h'(0) > c_psi gives that near 0 only.",
       "Lemma 7, and Theorem 3 for the biweight loss, its own example",
       "Assume that every residual r stays within some B < c, and take for c_psi the least "
       "psi'(r)/r "
       "over |r| <= B.",
       "hu.robust_regression.lemma.gradient_dominance.corrected"},
      {"hu.robust_regression.lemma.gradient_dominance_geman_mcclure.printed", accuracy,
       "psi'(r) r = r^2/(1 + r^2)^2, so that at residuals of size B the left side is (1 + B^2)/2 "
       "times <grad L(w), w - w*>, and C_psi/(2 c_psi) = 0.556 is less for every B > 1/3. The "
       "proof takes psi'(r)/r >= c_psi for every residual r, but h'(0) > c_psi gives that near 0 "
       "only.",
       "Lemma 7, and Theorem 3 under Assumption 2",
       "Assume |<x, w - w*>| <= B for all x and w, and take c_psi = psi'(B)/B.",
       "hu.robust_regression.lemma.gradient_dominance.corrected"},
      {"hu.robust_regression.rate.biweight.printed", accuracy,
       "At w = 0 every residual is +-3, beyond c, where psi' is 0, and so it stays up to w = 2/3: "
       "every gradient is 0, the two vertices have equal scores, and no record says where w* is, "
       "however many there are.",
       "Theorem 3 for the biweight loss, its own example",
       "Restrict the theorem to features and w for which |<x, w - w*>| stays below c.",
       "hu.robust_regression.rate.biweight.corrected",
       "hu.robust_regression.lemma.gradient_dominance_biweight.printed"},
      {"hu.sparse_linear_regression.lemma.bias_term.printed", proof_step,
       "K^4 = n epsilon/(sT) makes the bias s M^2/K^4 = s^2 T M^2/(n epsilon), which is s "
       "M/log(d/zeta) times the claimed order and exceeds any multiple of it for large s.",
       "the line before (73); the order in s stands",
       "Write O(s^2 T M^2/(n epsilon)) for the bias."},
      {"hu.sparse_linear_regression.lemma.constant_c.printed", proof_step,
       "(c + 1)^2/(c (c - 1)) <= 3/2 means c^2 - 7c - 2 >= 0, that is c >= (7 + sqrt 57)/2 = 7.27; "
       "at c = 5.45 the ratio is 1.72.",
       "(61)", "Take c >= (7 + sqrt 57)/2 = 7.27.",
       "hu.sparse_linear_regression.lemma.constant_c.corrected"},
      {"hu.sparse_linear_regression.lemma.contraction.printed", proof_step,
       "5/72 = 1/36 + 1/24, so that the claim needs 2s*/(s + s*) >= mu/(36 gamma). With kappa = "
       "gamma/mu the left side is 2/(72 kappa^2 + 1), which is below 1/(36 kappa) for every kappa "
       ">= 1.",
       "after (71); Theorem 7 stands", "Write mu/(24 gamma) for 5/72 mu/gamma.",
       "hu.sparse_linear_regression.lemma.contraction.corrected"},
      {"hu.sparse_linear_regression.lemma.curvature_bounds.printed", proof_step,
       "g^t is the gradient of (1/2) E(<x,w> - y)^2, whose excess is (w - w*)^T E x x^T (w - "
       "w*)/2: along the eigenvector of mu it is mu/2 ||w - w*||^2, half the claimed lower bound. "
       "The printed bounds are those of the whole squared loss.",
       "the line before (74)", "Write mu/2 and gamma/2 for mu and gamma in the two bounds.",
       "hu.sparse_linear_regression.lemma.curvature_bounds.corrected"},
      {"hu.sparse_linear_regression.lemma.geometric_sum.printed", proof_step,
       "The geometric series adds up to 72 gamma/(5 mu) times the error of one step, which makes "
       "72/(5 mu gamma): 1/mu has the power 1, not 2. It exceeds 100/(mu^2 gamma) for mu > 7, and "
       "any other multiple of 1/(mu^2 gamma) for a larger mu.",
       "the last line of the proof of Theorem 7", "Write 1/(mu gamma) for 1/(mu^2 gamma).",
       "hu.sparse_linear_regression.lemma.geometric_sum.corrected"},
      {"hu.sparse_linear_regression.lemma.initial_condition.proved", proof_step,
       "At t = 1 the two conditions give ||w^(t+0.75) - w*||^2 <= (1 - c)/2, hence no more than "
       "||w^(t+0.75)|| <= 1/2 + sqrt((1 - c)/2), which is above 1.18 because c <= 5/72. The "
       "induction would need (1 - c)/2 <= 1/4, that is c >= 1/2.",
       "the induction of Theorem 7, and its condition on the start",
       "Ask for a start closer to w*: without the noise term ||w^1 - w*||^2 <= mu/(4 gamma) is "
       "enough, and with it less than that."},
      {"hu.sparse_linear_regression.lemma.peeled_sensitivity.printed", slip,
       "With s = 1 the vectors v = (1, 1 - lambda) and v' = (1 - lambda, 1) differ by lambda in "
       "each coordinate, but Peeling may keep the first coordinate of v and the second of v': (1, "
       "0) and (0, 1) differ by 1. The bound that the proof derives is one on w^(t+0.5), where it "
       "holds.",
       "a line of the proof of Theorem 6; Theorem 6 stands", "Write w^(t+0.5) for w^(t+0.75).",
       "hu.sparse_linear_regression.sensitivity.printed"},
      {"hu.sparse_linear_regression.lemma.powers.printed", accuracy,
       "With s = (gamma/mu)^2 s* and T = (gamma/mu) log n the terms come to gamma^5/mu^6, which is "
       "gamma mu times gamma^4/mu^7. The scale of the records shows it: with w* fixed, records "
       "twice as large have gamma and mu 4 times and M 16 times as large, which makes the risk 4 "
       "times larger and the printed bound 4 times smaller.",
       "gamma and mu in Theorem 7", "Write gamma^5/mu^6 for gamma^4/mu^7.",
       "hu.sparse_linear_regression.lemma.powers.corrected"},
      {"hu.sparse_linear_regression.lemma.sample_size.printed", proof_step,
       "This n makes the noise term mu^2 gamma/100, which is above mu/8 once mu gamma exceeds "
       "12.5; a larger constant only moves that point. The condition asks for fewer records than "
       "it must by the factor mu gamma.",
       "the condition on n in the proof of Theorem 7",
       "Ask for n of the order s^2 T M log^2(dT/zeta) log(1/delta)/(mu^2 gamma epsilon), which is "
       "mu gamma times as many."},
      {"hu.sparse_linear_regression.lemma.support_size.printed", slip,
       "Each of the s rounds of Peeling adds to S a coordinate that is not in it yet, so that S "
       "has s coordinates, more than 2 for every s > 2.",
       "a line of the proof of Theorem 7", "Write |S^(t+1)| <= s for |S^(t+1)| <= 2."},
      {"hu.sparse_linear_regression.privacy.large_delta.printed", privacy_near_one,
       "With one feature, s = 1 and w^1 = 1, the records (K, -K) and (K, K) make the released "
       "coordinate differ by 2 K^2 eta_0/m = lambda/2, and Laplace noise of scale b hides that at "
       "epsilon only with delta' = 1 - exp((epsilon - lambda/(2b))/2) or more. As lambda/b = "
       "epsilon/(2 sqrt(3 log(1/delta))) grows like 1/sqrt(1 - delta) for delta near 1, the "
       "exponential falls below 1 - delta and delta' exceeds delta.",
       "Theorem 6 for delta near 1; up to 0.9 it is certified", "Restrict delta to at most 0.9.",
       "hu.sparse_linear_regression.privacy.printed", "hu.peeling.privacy.large_delta.printed"},
      {"hu.sparse_linear_regression.rate.experiments.printed", accuracy,
       "The features have variance gamma = 5, so that a step of 0.5, beyond 2/gamma = 0.4, "
       "multiplies w - w* by 1 - 2.5 = -1.5, and only the projection onto the unit ball keeps w "
       "bounded. The Laplace noise of Peeling is several times as large as a coordinate of w* "
       "besides.",
       "what Figures 7 to 9 show of Algorithm 3; Theorem 7 stands",
       "Take the step eta_0 = 2/(3 gamma) of Theorem 7, and n epsilon above 10^6.",
       "hu.sparse_linear_regression.rate.printed"},
      {"hu.sparse_optimization.floor.printed", proof_step,
       "The constant 0 is (0, 0)-DP, and its risk on each of these laws is the squared norm of the "
       "mean, p tau ||v||^2 = p tau/2, a quarter of 2 p tau. With x = e^(-epsilon ceil(np)) and a "
       "small delta the fraction of (10) is about (|V| - 1) x/(2 (1 + (|V| - 1) x)), which is near "
       "1/2 once |V| x is large.",
       "the constant of Theorem 9; its order stands",
       "Write (rho*/2)^2 with rho* = sqrt(p tau)/2 for Phi(rho*) = 2 p tau.",
       "hu.sparse_optimization.lemma.constant_estimator.corrected"},
      {"hu.sparse_optimization.lemma.conclusions_lower_bound.printed", accuracy,
       "The conclusions drop the minimum with log(1/delta), which does not grow with s* or d: "
       "where s* log d exceeds 10 log(1/delta) their bound is more than 10 times that of Theorem "
       "9, and any other factor is exceeded for a larger s*.",
       "the conclusions; Theorem 9 stands", "Write min{s* log d, log(1/delta)} for s* log d."},
      {"hu.sparse_optimization.lemma.constant_estimator.printed", proof_step,
       "The constant 0 is (0, 0)-DP and has the risk p tau ||v||^2 = p tau/2, because ||v||^2 = "
       "1/2. For n p = 1 the fraction of (10) tends to 1/2 as |V| grows and delta tends to 0, so "
       "that the bound comes close to p tau, twice this risk.",
       "the constant of Theorem 9; its order stands",
       "Divide the bound by 32: write (rho*/2)^2 with rho* = sqrt(p tau)/2 for Phi(rho*) = 2 p "
       "tau.",
       "hu.sparse_optimization.lemma.constant_estimator.corrected",
       "hu.sparse_optimization.floor.printed"},
      {"hu.sparse_optimization.lemma.contraction.printed", proof_step,
       "1/12 = 1/24 + 1/24, so that the claim needs 2s*/(s + s*) >= mu/(24 gamma). With kappa = "
       "gamma/mu the left side is 2/(72 kappa^2 + 1), which is below 1/(24 kappa) for every kappa "
       ">= 1.",
       "after (45); Theorem 8 stands", "Write mu/(24 gamma) for mu/(12 gamma).",
       "hu.sparse_linear_regression.lemma.contraction.corrected"},
      {"hu.sparse_optimization.lemma.example_logistic.printed", proof_step,
       "The curvature of the logistic loss of one record along coordinate j is as large as "
       "x_j^2/4, which a second moment does not bound: here it is 1/(4q), with any q > 0. The "
       "curvature of the risk is at most E x_j^2/4 = 1/4.",
       "an example of Assumption 4; Theorem 8 stands where the assumption holds",
       "Assume bounded features, or ask for the smoothness of the risk alone.",
       "hu.sparse_optimization.lemma.example_logistic.corrected"},
      {"hu.sparse_optimization.lemma.example_mean.printed", proof_step,
       "E(2 (w_j - x_j))^2 = 4 (w_j^2 + 1) grows without limit with w_j, and Assumption 4 bounds "
       "it over all s-sparse w, of any size: no constant will do. Where |w_j| <= 1 it is at most "
       "8.",
       "the moments of Assumption 4, which no risk with restricted strong convexity has for w of "
       "any size: its gradient grows with w",
       "Restrict w to a bounded set, such as |w_j| <= 1.",
       "hu.sparse_optimization.lemma.example_mean.corrected"},
      {"hu.sparse_optimization.lemma.experiments_noise.printed", accuracy,
       "With k = n epsilon and m = n/T, n cancels from lambda = 4 sqrt2 k eta/m = 2 sqrt2 epsilon "
       "T. The Laplace scale 2 lambda sqrt(3 s log(1/delta))/epsilon = 4 T sqrt(6 s log(1/delta)) "
       "then grows like log(n)^(3/2), and it is above 1000 already at n = 10^4.",
       "what Figures 10 and 11 show of Algorithm 5; Theorem 8 stands",
       "Set k = (n^2 epsilon^2 tau^2/(s T^2))^(1/4), logarithms apart.",
       "hu.sparse_optimization.lemma.scale.corrected",
       "hu.sparse_optimization.rate.experiments.printed"},
      {"hu.sparse_optimization.lemma.last_step.printed", proof_step,
       "Where the minimum in p is its first argument, epsilon (np + 1) = log |V| and the fraction "
       "is (|V| - 1)/(4 (2|V| - 1)), below 1/8 for every |V|. For |V| >= 2 it is at least 1/12.",
       "the last step of Theorem 9", "Write 1/12 for 1/8.",
       "hu.sparse_optimization.lemma.last_step.corrected"},
      {"hu.sparse_optimization.lemma.near_optimality.printed", accuracy,
       "Where log(1/delta) is the smaller of the two, the ratio is s^(3/2) log "
       "d/sqrt(log(1/delta)), which exceeds 10 sqrt(s) log d sqrt(log(1/delta)) once log(1/delta) "
       "< s/10: there the lower bound does not grow with s, and the gap grows like s^(3/2). A "
       "lower bound that is s times larger holds, and with it the stated gap.",
       "the remark after Theorem 9 and the abstract: near optimal up to sqrt(s*)",
       "Leave the words v of the proof of Theorem 9 undivided by sqrt(2s), which makes the lower "
       "bound s* times larger.",
       "hu.sparse_optimization.lemma.near_optimality.corrected"},
      {"hu.sparse_optimization.lemma.noise_union.printed", proof_step,
       "A Laplace magnitude exceeds t times its scale with probability e^-t, so that the largest "
       "of N = d T (s + 1) of them is about log N times the scale. Once log d is well above 10 "
       "log(Ts/zeta), some entry is larger than that with near certainty, and any other constant "
       "fails for a larger d.",
       "the union bound in the proofs of Theorems 7 and 8, which themselves have log(d/zeta)",
       "Write log(d T s/zeta) for log(Ts/zeta).",
       "hu.sparse_optimization.lemma.noise_union.corrected"},
      {"hu.sparse_optimization.lemma.packing_distance.printed", proof_step,
       "Two words that differ in s/2 places, by 1 in each, are sqrt(s/2)/sqrt(2s) = 1/2 apart, "
       "such as (1, 1, 1, 1, 0) and (1, 1, 1, 0, 1) with s = 4.",
       "the separation in the proof of Theorem 9", "Write 1/2 for sqrt 2.",
       "hu.sparse_optimization.lemma.packing_distance.corrected"},
      {"hu.sparse_optimization.lemma.private_testing.printed", proof_step,
       "The midpoint of two words, returned always, is (0, 0)-DP and at the distance rho*/2 from "
       "both, so that the event never happens, while the fraction of (10) is above 0. An estimate "
       "nearer than rho*/2 to the truth is what identifies it, and the event must be its "
       "complement.",
       "Lemma 3 as quoted; the order of Theorem 9 stands",
       "Take the event rho(theta-hat, theta_v) >= rho*/2, and Phi(rho*/2) for Phi(rho*).",
       "hu.sparse_optimization.lemma.private_testing.corrected"},
      {"hu.sparse_optimization.lemma.probability.printed", slip,
       "For s above 2d/3 the ratio (d - s)/(s/2) is below 1, so that its logarithm and p are "
       "negative. The other logarithm is negative where 4 delta e^epsilon exceeds 1 - e^-epsilon.",
       "p in the proof of Theorem 9 where s nears d",
       "Assume 2 <= s <= d/4, epsilon <= 1 and delta <= (1 - e^-epsilon)/(4 e^epsilon).",
       "hu.sparse_optimization.lemma.probability.corrected"},
      {"hu.sparse_optimization.lemma.scale_experiments.printed", accuracy,
       "k = n epsilon makes the noise s^2 T^2 log^2(Ts/zeta) log(1/delta), which does not fall "
       "with n at all, while the bound falls like 1/n.",
       "what Figures 10 and 11 show of Algorithm 5; Theorem 8 stands",
       "Set k = (n^2 epsilon^2 tau^2/(s T^2))^(1/4), logarithms apart.",
       "hu.sparse_optimization.lemma.scale.corrected",
       "hu.sparse_optimization.rate.experiments.printed"},
      {"hu.sparse_optimization.lemma.scale_proof.printed", proof_step,
       "This k makes the bias s tau^2/k^2 = tau s^2 T sqrt(log(Ts/zeta))/(n epsilon): it grows "
       "like s^2 and exceeds any multiple of the bound for large s.",
       "the scale in the proof of Theorem 8", "Write s T^2 for (sT)^2 under the root of k.",
       "hu.sparse_optimization.lemma.scale.corrected"},
      {"hu.sparse_optimization.lemma.scale_theorem.printed", accuracy,
       "k^2 = n epsilon tau makes the noise tau s^2 T^2 log^2(Ts/zeta) log(1/delta)/(n epsilon), "
       "which is sqrt(s) T log(Ts/zeta) sqrt(log(1/delta)) times the bound.",
       "Theorem 8: its k does not give its rate",
       "Set k = (n^2 epsilon^2 tau^2/(s T^2))^(1/4), logarithms apart.",
       "hu.sparse_optimization.lemma.scale.corrected"},
      {"hu.sparse_optimization.lemma.zero_minimum.printed", slip,
       "E||x - w||^2 is least at the mean of x, where it is the trace of the covariance of x, here "
       "4 q (1 - q). The sentence's use, that the excess risk is ||w - E x||^2, stands.",
       "the sentence before Theorem 9",
       "Write that the least risk is the trace of the covariance of x."},
      {"hu.sparse_optimization.privacy.large_delta.printed", privacy_near_one,
       "With one feature and s = 1, a record with a huge gradient that turns its sign moves the "
       "released coordinate by nearly lambda/3 for large beta, and Laplace noise of scale b hides "
       "that at epsilon only with delta' = 1 - exp((epsilon - lambda/(3b))/2) or more. As lambda/b "
       "= epsilon/(2 sqrt(3 log(1/delta))) grows like 1/sqrt(1 - delta) for delta near 1, the "
       "exponential falls below 1 - delta and delta' exceeds delta.",
       "the privacy half of Theorem 8 for delta near 1; up to 0.9 it is certified",
       "Restrict delta to at most 0.9.", "hu.sparse_optimization.privacy.printed",
       "hu.peeling.privacy.large_delta.printed"},
      {"hu.sparse_optimization.rate.experiments.printed", accuracy,
       "With k = n epsilon and m = n/T, n cancels from lambda = 4 sqrt2 k eta/m = 2 sqrt2 epsilon "
       "T. The Laplace scale 4 T sqrt(6 s log(1/delta)) of Peeling grows like log(n)^(3/2) and is "
       "hundreds of times ||w*|| = 1, so that what is released is noise.",
       "what Figures 10 and 11 show of Algorithm 5; Theorem 8 stands",
       "Set k = (n^2 epsilon^2 tau^2/(s T^2))^(1/4), logarithms apart.",
       "hu.sparse_optimization.rate.corrected"},
      {"hu.sparse_optimization.rate.hidden.printed", proof_step,
       "The largest of d Laplace noises of scale b is about b log d, so that a mean of this size "
       "is missed now and then, which costs its square, b^2 log^2 d. This k does not depend on d, "
       "nor does b: the risk grows like log^2 d.",
       "a logarithm of d in Theorem 8 with the k of its proof; its O-tilde leaves room for the "
       "repair",
       "Write log^2(d T s/zeta) for log(Ts/zeta) under the root of k.",
       "hu.sparse_optimization.rate.hidden.corrected"},
      {"hu.sparse_optimization.rate.own_scale_sparsity.printed", accuracy,
       "The noise of the s kept coordinates costs 2 s b^2, and its scale b = 2 lambda sqrt(3 s "
       "log(1/delta))/epsilon is proportional to sqrt(s) k, which makes s^2 k^2. This k does not "
       "depend on s, so that the risk grows like s*^2; one that falls like s^(-1/4), which "
       "balances noise and bias, gives s*^(3/2).",
       "Theorem 8 in the sparsity, with its own k",
       "Set k = (n^2 epsilon^2 tau^2/(s T^2))^(1/4), logarithms apart.",
       "hu.sparse_optimization.rate.sparsity.corrected",
       "hu.sparse_optimization.lemma.scale_theorem.printed"},

  });
  return rows;
}

}  // namespace dpverify
