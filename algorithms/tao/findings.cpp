#include "algorithms/finding_rows.hpp"

namespace dpverify {

// By id.
std::span<const FindingRow> tao_findings() {
  using enum Severity;
  static constexpr auto rows = std::to_array<FindingRow>({
      {"tao.dp_sco.floor.approximate.printed", accuracy,
       "Lemma 15, on which (26) rests, takes a bound for rho-zCDP and uses that rho-zCDP with rho "
       "= epsilon^2/(4 log(1/delta)) implies (epsilon, delta)-DP, where it needs the converse. The "
       "exponential mechanism that names the word with the most records is epsilon-DP, so "
       "(epsilon, delta)-DP for every delta, and names a wrong word with probability at most (M - "
       "1) E e^(-epsilon K/2), K the number of records that are not 0. That does not depend on "
       "delta, while the bound tends to alpha/2 (1 - log 2/log M) as delta tends to 0.",
       "the proof of Theorem 8 under (epsilon, delta)-DP",
       "State (26) for rho-zCDP estimates, with rho in place of epsilon^2/(4 log(1/delta)).",
       "tao.dp_sco.lemma.private_fano.corrected", "tao.dp_sco.lemma.private_fano.printed"},
      {"tao.dp_sco.floor.separation.printed", proof_step,
       "A mean has d/2 entries a and d/2 entries 0, so iota = a sqrt(d/2), and the constant vector "
       "a/2 is at distance sqrt(d) a/2 = iota/sqrt2 = 0.71 iota from every mean. It does not look "
       "at the data and is 0-DP, and 0.71 iota is less than 0.8 iota. The products of two means "
       "are not negative, so no two means are more than sqrt2 iota apart.",
       "the constant of (25); its order stands",
       "Use the distance iota/2, which Hamming distance d/8 gives: the bound is then 0.2 iota "
       "min{1, M e^(-10 epsilon n p)}.",
       "tao.dp_sco.lemma.packing_distance.corrected", "tao.dp_sco.lemma.packing_distance.printed"},
      {"tao.dp_sco.lemma.convex_iterations.printed", slip,
       "With R = 1 and that tau, T = (epsilon n)^(2v/(1+v))/d^((1+4v)/(1+v)). It is below 1 when "
       "epsilon n < d^((1+4v)/(2v)), and for d >= 2 this power of d grows without bound as v tends "
       "to 0. The theorem's bound is of the order Delta (T^(-1/2) + T^(-3/2)) for u = 1, so for T "
       "< 1 it is no better than the trivial Delta R.",
       "Theorem 6 where T < 1 and the bound says nothing",
       "Require epsilon n >= d^((1 + 4v)/(2v)), for R = 1.",
       "tao.dp_sco.lemma.convex_iterations.corrected"},
      {"tao.dp_sco.lemma.covering.printed", proof_step,
       "Thresholding sets a gradient beyond tau to 0, so a gradient that crosses tau on the way "
       "from one point to the other jumps by about tau, however small gamma is. The mean of k "
       "gradients then moves by about tau/k.",
       "the proof of Lemma 19, on which Theorem 6 rests",
       "Clip the gradients to [-tau, tau] instead of setting those beyond tau to 0.",
       "tao.dp_sco.lemma.covering.corrected"},
      {"tao.dp_sco.lemma.gradient_moment.printed", proof_step,
       "The proof bounds E|x_j|^(1+v) = u, which is the gradient's moment at w = 0 only. For u = 1 "
       "and w_j = -1 the moment is (1 - p) + p (1 + p^(-1/(1+v)))^(1+v), whose second term alone "
       "is (p^(1/(1+v)) + 1)^(1+v) > 1. In general |w_j - x_j|^(1+v) <= 2^v (|w_j|^(1+v) + "
       "|x_j|^(1+v)) gives 2^v (1 + u).",
       "the moments of Theorem 8's hard instance",
       "Write 2^v (1 + u) for u in the bound on the moments of Theorem 8."},
      {"tao.dp_sco.lemma.gradient_sign.printed", slip,
       "The derivative of (x - w)^2/2 in w is w - x. A step h (x - w), 0 < h < 1, multiplies the "
       "loss by (1 - h)^2 < 1, so it does lower the loss.",
       "a sign in the proof of Theorem 8",
       "Reverse the sign: the gradient of the loss is w - x, and that of the risk w - mu."},
      {"tao.dp_sco.lemma.moment_power.printed", proof_step,
       "At eta = Delta/(R sqrt T) the first two terms of Lemma 17, Delta^2/(2 eta T) and eta "
       "R^2/2, are Delta R/(2 sqrt T) each and do not depend on u. So the sum is at least Delta "
       "R/sqrt T, while the bound tends to 0 with u.",
       "Theorem 6 for u < 1", "Write max(1, u^2) for u^2.",
       "tao.dp_sco.lemma.moment_power.corrected"},
      {"tao.dp_sco.lemma.noise_variance.printed", slip,
       "1/epsilon'^2 is 8 T log(2/delta)/epsilon^2 and 1.25/delta' is 2.5 T/delta, so the left "
       "side is 64 T log(2/delta) log(2.5 T/delta)/epsilon^2. The display has one logarithm where "
       "there are two.",
       "logarithms in the proof of Lemma 19",
       "Write log(2/delta) log(2.5 T/delta) for log((2.5T + 2)/delta).",
       "tao.dp_sco.lemma.noise_variance.corrected"},
      {"tao.dp_sco.lemma.packing_distance.printed", proof_step,
       "A mean is a times its word of d/2 ones, so iota = a sqrt(d/2), and words at Hamming "
       "distance h d have means a sqrt(h d) = sqrt(2 h) iota apart. That is sqrt2 iota at most, at "
       "h = 1, and iota/2 is what h >= 1/8 guarantees.",
       "the constant of Theorem 8; its order stands", "Write iota/2 for 2 iota.",
       "tao.dp_sco.lemma.packing_distance.corrected"},
      {"tao.dp_sco.lemma.packing_mass.printed", proof_step,
       "At p = d/(n epsilon) the exponent 10 epsilon n p is 10 d, while 2^(7d/128) is e^(0.038 d), "
       "so the minimum is about e^(-9.96 d). With p = c d/(n epsilon) it is 1 for every d only if "
       "c is at most 7 log 2/1280 = 0.0038.",
       "the constant of Theorems 8 and 9; their order stands",
       "Take p = (7 log 2/1280) d/(n epsilon).", "tao.dp_sco.lemma.packing_mass.corrected"},
      {"tao.dp_sco.lemma.private_fano.printed", accuracy,
       "The proof takes a bound for rho-zCDP and uses that rho-zCDP with rho = epsilon^2/(4 "
       "log(1/delta)) implies (epsilon, delta)-DP, where it needs the converse, which is false. "
       "The exponential mechanism on the counts of the M points is epsilon-DP, so (epsilon, "
       "delta)-DP for every delta, and is wrong with probability at most (M - 1) E e^(-epsilon "
       "K/2), K the number of records that are not 0. That does not depend on delta, while the "
       "bound tends to (1 - log 2/log M)/2 as delta tends to 0.",
       "Lemma 15; the proofs of Theorems 8, 9 and 11 under (epsilon, delta)-DP",
       "State the lemma for rho-zCDP algorithms, with rho in place of epsilon^2/(4 log(1/delta)).",
       "tao.dp_sco.lemma.private_fano.corrected"},
      {"tao.dp_sco.lemma.truncation.printed", accuracy,
       "On n/T records Theorem 3 has the terms sqrt(d) u/tau^v and tau d T/(epsilon n), logarithms "
       "aside. They are equal at tau^(1+v) = u epsilon n/(T sqrt d), which gives the rate. Theorem "
       "7's tau^(1+v) is d/sqrt T times smaller, so for d > sqrt T its first term exceeds the rate "
       "by the factor (d/sqrt T)^(v/(1+v)).",
       "Theorem 7: its tau does not give its rate",
       "Take tau = (u epsilon n/(T sqrt d))^(1/(1+v)).", "tao.dp_sco.lemma.truncation.corrected"},
      {"tao.dp_sco.lemma.uniform_blocks.printed", proof_step,
       "The union bound over the covering takes xi = (gamma/Delta)^(2d) with gamma = n^(-v/(1+v)), "
       "which is exponentially small in d. So the proof needs a number of blocks of the order d "
       "log n, while line 1 gives one of the order log d at any xi that does not shrink with d.",
       "the number of blocks of Algorithm 2 in Lemma 19",
       "Set xi = (gamma/Delta)^(2d) in Algorithm 2, so that the number of blocks is 4 (log(2d) + "
       "2d log(Delta n^(v/(1+v)))), of the order d log n."},
      {"tao.dp_sco.privacy.strongly_convex.printed", slip,
       "Line 5 splits X into parts X_t, one a step, but line 7 reads {x in X}: one record then "
       "affects all T releases, each of which spends all of epsilon and delta. T Gaussian releases "
       "that shift by mu standard deviations each reveal as much as one that shifts by sqrt(T) mu, "
       "so the true epsilon grows with T.",
       "line 7 of Algorithm 2 to the letter; with line 5's X_t Theorem 5 stands",
       "Write {x in X_t} for {x in X} in line 7.", "tao.dp_sco.privacy.strongly_convex.corrected"},
      {"tao.median_of_means.lemma.block_count.printed", proof_step,
       "d e^(-m/4) is xi/2 exactly at m = 4 log(2d/xi). Rounding m down makes it larger, by a "
       "factor of up to e^(1/4).",
       "(16) with m rounded down", "Round 4 log(2d/xi) up to a whole number of blocks.",
       "tao.median_of_means.lemma.block_count.corrected"},
      {"tao.median_of_means.lemma.block_means.printed", slip,
       "The sum runs over all n records and not over the n/m records of the block, so on these "
       "data it gives (m/n) n = m.",
       "line 7 of Algorithm 3",
       "Sum over the block only: i from (k - 1) n/m + 1 to k n/m in line 7.",
       "tao.median_of_means.lemma.block_means.corrected"},
      {"tao.median_of_means.lemma.median.printed", slip,
       "The median is outside the radius only if half of the block means or more are. By "
       "Hoeffding's inequality that has probability at most e^(-2 (0.4)^2 m) = e^(-0.32 m) <= "
       "e^(-m/4), so the median is within the radius with probability at least 1 - e^(-m/4). (15) "
       "has the inequality inside its probability reversed.",
       "(15)",
       "Reverse the inequality inside the probability: the median is off by the radius or more "
       "with probability at most e^(-m/4).",
       "tao.median_of_means.lemma.median.corrected"},
      {"tao.median_of_means.lemma.moments_are_equivalent.printed", slip,
       "A shift of the law leaves the central moment as it is, while E|x|^(1+v) >= |mu|^(1+v) "
       "grows without bound. So no constant will do; Lemma 13 has the term 2 |mu|^(1+v) beside the "
       "central moment.",
       "two words of Section 4; Lemma 13, to which they point, has the mean beside the moment",
       "Assume a bounded mean for the converse.",
       "tao.median_of_means.lemma.moments_are_equivalent.corrected"},
      {"tao.median_of_means.privacy.remainder.printed", privacy_extreme,
       "The noise of line 12 is for the sensitivity 2 tau m sqrt(d)/n of blocks of n/m records. A "
       "block of floor(n/m) records moves by up to 2 tau sqrt(d)/floor(n/m), which is larger by a "
       "factor of up to 1 + 1/floor(n/m), nearly 2 for blocks of one record. The noise of Lemma 3 "
       "is large enough to cover that at delta = 1e-5 if blocks hold at least 4 records.",
       "Theorem 3 for blocks of one to three records of unequal size",
       "Compute the noise of line 12 from the sensitivity 2 tau sqrt(d)/floor(n/m).",
       "tao.median_of_means.privacy.corrected"},
      {"tao.median_of_means.sensitivity.remainder.printed", proof_step,
       "If m does not divide n some block has fewer than n/m records. The mean of one with "
       "floor(n/m) records, and the median with it, can move by 2 tau/floor(n/m) in each "
       "coordinate. At n = 2m - 1 blocks hold one record, and the median moves by 2 tau, where the "
       "claim has 2 tau m/(2m - 1).",
       "the proof of Theorem 3 where m does not divide n",
       "Write 2 tau sqrt(d)/floor(n/m) for 2 tau m sqrt(d)/n.",
       "tao.median_of_means.sensitivity.corrected"},
      {"tao.peeling.lemma.best_approximation.printed", proof_step,
       "If I has no selected index, v_S is 0 on I and the left side is all of ||v||^2. With s = 2, "
       "s-hat = 1, v = (1, 0, 0) on I and larger entries outside I that are selected, v-hat = v "
       "makes the right side the noise term alone, which may be as small as one likes, and the "
       "left side is 1.",
       "Lemma 24; its use stands", "Assume that the kept coordinates S lie in I.",
       "tao.peeling.lemma.best_approximation.proved"},
      {"tao.peeling.lemma.laplace_density.printed", slip,
       "Without the absolute value the function grows without bound for negative x. Its integral "
       "over [-t, t] is sinh(t/lambda), which exceeds 1 for t > 0.89 lambda.",
       "Lemma 2", "Write |x| for x in the density.", "tao.peeling.lemma.laplace_density.corrected"},
      {"tao.peeling.lemma.laplace_tail.printed", proof_step,
       "With t = 2 log(1/zeta) log d the probability is 1 - (1 - e^-t)^d. At d = 1 the threshold "
       "is 0 and the probability 1. At d = 2, where e^-t = zeta^1.386, it is about 2 zeta^1.386, "
       "which exceeds zeta once zeta is large enough, and so it does for every d as zeta tends to "
       "1.",
       "Lemma 26 for d = 1, or for large failure probabilities, from 0.19 on at d = 2",
       "Restrict the lemma to d >= 2 and to failure probabilities of at most 0.18.",
       "tao.peeling.lemma.laplace_tail.corrected"},
      {"tao.peeling.lemma.one_release.printed", privacy_near_one,
       "Near delta = 1, log(1/delta) is about 1 - delta, so the scale b of the noise falls like "
       "sqrt(1 - delta). A Laplace number that moves by lambda has the exact delta 1 - e^((epsilon "
       "- lambda/b)/2), so that 1 - exact delta is about e^(epsilon/2 - epsilon/(8 sqrt(2 (1 - "
       "delta)))), which is far smaller than 1 - delta as delta tends to 1.",
       "Lemma 22 and Theorem 10 for delta near 1",
       "Restrict delta to at most 0.999 for s = d = 1, and to at most 0.9 for larger s, where that "
       "is certified.",
       "tao.peeling.lemma.one_release.corrected", "tao.peeling.privacy.large_delta.printed"},
      {"tao.peeling.privacy.large_delta.printed", privacy_near_one,
       "Near delta = 1, log(1/delta) is about 1 - delta, so the scale b of the noise falls like "
       "sqrt(1 - delta). A Laplace number that moves by lambda has the exact delta 1 - e^((epsilon "
       "- lambda/b)/2), so that 1 - exact delta is for s = 1 about e^(epsilon/2 - epsilon/(8 "
       "sqrt(2 (1 - delta)))), which is far smaller than 1 - delta as delta tends to 1.",
       "Lemma 22 for delta near 1; up to 0.9 it is certified", "Restrict delta to at most 0.9.",
       "tao.peeling.privacy.printed"},
      {"tao.sco_framework.lemma.contraction.printed", proof_step,
       "On a quadratic of curvature h the step multiplies the distance by 1 - h/(alpha + beta) "
       "exactly. The claimed factor is 1 - 1/(alpha + beta), which is smaller whenever h < 1, and "
       "negative for alpha + beta < 1. The factor 1 - alpha beta/(alpha + beta)^2 is at least 1 - "
       "alpha/(alpha + beta), and so holds.",
       "Lemma 18", "Write 1 - alpha beta/(alpha + beta)^2 for 1 - (alpha + beta)/(alpha + beta)^2.",
       "tao.sco_framework.lemma.contraction.corrected"},
      {"tao.sco_framework.lemma.iterations.printed", slip,
       "For such V the numerator is the logarithm of a number below 1/2, so negative, and the "
       "denominator that of a number above 1, so positive: T is negative. With (alpha + beta)^2 "
       "for alpha^2 + beta^2, as in Theorem 7, the denominator is log(1 - alpha beta/(alpha + "
       "beta)^2), negative as well, and T is positive.",
       "T of Lemma 18; that of Theorem 7 has the right denominator",
       "Write (alpha + beta)^2 for alpha^2 + beta^2 below the fraction bar inside the second "
       "logarithm.",
       "tao.sco_framework.lemma.iterations.corrected"},
      {"tao.sco_framework.lemma.risk.printed", proof_step,
       "The distance to w* is at most (Delta + 1) (alpha + beta) V/(alpha beta) after T steps, and "
       "a beta-smooth risk is at most beta/2 times its square: beta stays once in the denominator. "
       "With alpha = beta and many steps along gradients off by V away from w*, the risk tends to "
       "V^2/(2 beta), which exceeds the claimed 2 (Delta + 1)^2 V^2/beta^2 for beta > 4 (Delta + "
       "1)^2.",
       "the second bound of Lemma 18",
       "Write 2 alpha^2 beta for 2 alpha^2 beta^2 in the denominator.",
       "tao.sco_framework.lemma.risk.corrected"},
      {"tao.sco_framework.lemma.strongly_convex.printed", proof_step,
       "The right side is the recursion's bound on the distance to w*, but the left side is a "
       "risk, which is up to beta/2 times the square of that distance. At alpha = beta = 1 one "
       "step halves the distance, gradient errors apart, so the risk is at least Delta^2/8, which "
       "exceeds Delta/2 + 2 V once Delta is large. The factor 1 - (alpha + beta)/(alpha + beta)^2 "
       "is wrong as well.",
       "the first bound of Lemma 18",
       "Claim the bound for the distance to w*, with the factor 1 - alpha beta/(alpha + beta)^2, "
       "and beta/2 times its square for the risk.",
       "tao.sco_framework.lemma.strongly_convex.corrected"},
      {"tao.sparse_optimization.lemma.balance.printed", proof_step,
       "With A = T log(d/xi) sqrt(s log(1/delta))/(gamma n epsilon) and B = A^(-1/(1+v)), for u = "
       "1, (56) is s A^(2v/(1+v)), and so are the bias and the noise term. The variance term s T "
       "B^(1-v) log(d/xi)/n is (56) times gamma epsilon/sqrt(s log(1/delta)), which grows without "
       "bound with gamma.",
       "(56) for gamma above sqrt(s log(1/delta))/epsilon",
       "Require gamma epsilon <= sqrt(s log(1/delta)), for which gamma <= 1 suffices if delta <= "
       "0.3.",
       "tao.sparse_optimization.lemma.balance.corrected"},
      {"tao.sparse_optimization.lemma.deviation.printed", proof_step,
       "A union bound over d coordinates needs log(d/xi) in both terms of Bernstein's inequality. "
       "Take q = 1/(d m), u = q and xi = 0.1: m times the bound is sqrt(2 log(10 d)/d) + "
       "log(10)/3, below 1 - 1/d for large d, so that a single 1 among the d m numbers breaks it. "
       "That has probability 1 - (1 - q)^(d m), about 0.63.",
       "(54)", "Write log(d/xi) for log(1/xi) in the second term of (54).",
       "tao.sparse_optimization.lemma.deviation.corrected"},
      {"tao.sparse_optimization.lemma.deviation_of_every_step.printed", proof_step,
       "The T steps use records of their own, and on the law checked each of them fails with a "
       "fixed positive probability f. Some step then fails with probability 1 - (1 - f)^T, which "
       "tends to 1, so the logarithm has to grow with T. The theorem's B has log(dT/xi), the "
       "proof's has log(d/xi).",
       "(54) to (56)", "Write log(d T/xi) for log(d/xi), as in Theorem 10's B.",
       "tao.sparse_optimization.lemma.deviation_of_every_step.corrected"},
      {"tao.sparse_optimization.lemma.example_logistic.printed", proof_step,
       "The logistic loss has second derivative 1/4 at 0, so the curvature of the risk along "
       "coordinate j is E x_j^2/4 at w = 0. With that law E|x_j|^(1+v) = 1, but E x_j^2 = "
       "q^(-(1-v)/(1+v)) grows without bound as q tends to 0 for v < 1, so that no constant will "
       "do.",
       "an example of Assumption 2; Theorem 10 stands where the assumption holds",
       "Assume a bounded second moment of the features too."},
      {"tao.sparse_optimization.lemma.example_mean.printed", proof_step,
       "The gradient w_j - x_j grows with w: E|w_j - x_j|^(1+v) >= |w_j|^(1+v), since E x_j = 0. "
       "Assumption 2 puts no bound on the size of w, so no constant will do.",
       "the moments of Assumption 2, which no risk with restricted strong convexity has for w of "
       "any size: its gradient grows with w",
       "Ask for the moments only on a bounded set of w: where |w_j| <= 1 they are at most 2^v (1 + "
       "E|x_j|^(1+v)).",
       "tao.sparse_optimization.lemma.example_mean.corrected"},
      {"tao.sparse_optimization.lemma.gain.printed", proof_step,
       "The share of (50) is 2/(72 kappa^2 + 1) + 1/(24 kappa). Its first term is less than 2/(72 "
       "kappa^2), at most 2/(72 kappa), and the second is 3/(72 kappa), so the sum is less than "
       "5/(72 kappa) for every kappa >= 1, and about 3/(72 kappa) for large kappa.",
       "after (52); Theorem 10 stands", "Write mu/(24 gamma) for 5 mu/(72 gamma).",
       "tao.sparse_optimization.lemma.gain.corrected"},
      {"tao.sparse_optimization.lemma.gain_final.printed", proof_step,
       "The share of (50) is 2/(72 kappa^2 + 1) + 1/(24 kappa), less than 2/(72 kappa) + 3/(72 "
       "kappa) for every kappa >= 1, and mu/(12 gamma) is 6/(72 kappa).",
       "the last line of the proof of Theorem 10", "Write mu/(24 gamma) for mu/(12 gamma).",
       "tao.sparse_optimization.lemma.gain.corrected",
       "tao.sparse_optimization.lemma.gain.printed"},
      {"tao.sparse_optimization.lemma.gradient_growth.printed", proof_step,
       "Take L(w) = ||w - a||^2/2, mu = 1, w* = a_0 e_0 with a_0 the largest entry of a, and w = "
       "w* + (a_1 + t) e_1. The left side is (t^2 - a_1^2)/4 + (a_1 + t)^2/4 = t^2/2 + a_1 t/2 and "
       "the right side is t^2, so that the inequality fails for 0 < t < a_1. There w, which has "
       "more coordinates, has less risk than w*.",
       "Lemma 25 where L(w) < L(w*), where Theorem 10 needs nothing",
       "Add the condition L(w) >= L(w*).", "tao.sparse_optimization.lemma.gradient_growth.proved"},
      {"tao.sparse_optimization.lemma.noise_union.printed", proof_step,
       "There are d N numbers, and the largest magnitude exceeds t times their scale with "
       "probability 1 - (1 - e^-t)^(d N), which is near 1 while e^t is far below d N. So the "
       "largest is about log(d N), and as d grows it passes every multiple of log(N/xi): d is "
       "missing from the logarithm.",
       "the union bound after Lemma 26", "Write log(d T s/xi) for log(Ts/xi).",
       "tao.sparse_optimization.lemma.noise_union.corrected"},
      {"tao.sparse_optimization.lemma.optimality.printed", slip,
       "(2) divided by that lower bound is s* (log d)^(v/(1+v)) (log n)^(2v/(1+v)) at xi = 1, "
       "constants apart. The logarithms of d and of n grow without bound, so no constant times s* "
       "will do.",
       "the abstract: optimal up to s*, logarithms apart",
       "Claim optimality up to s* and the logarithms of d and n."},
      {"tao.sparse_optimization.lemma.packing_distance.printed", proof_step,
       "A place where two words differ adds at least 1 to the square of their distance, and "
       "exactly 1 if one of them has a zero there. Words that differ in s*/2 places of that kind "
       "are sqrt(s*/2)/sqrt(2 s*) = 1/2 apart after the division.",
       "the constant of Theorem 11; its order stands", "Write 1/2 for sqrt(2).",
       "tao.sparse_optimization.lemma.packing_distance.corrected"},
      {"tao.sparse_optimization.lemma.steps.printed", slip,
       "From w^1 to w^(T+1) there are T steps, so the factor is (1 - mu/(12 gamma))^T. One more "
       "power makes it smaller, as the base is below 1.",
       "the last line of the proof of Theorem 10", "Write the exponent T for T + 1."},
      {"tao.sparse_optimization.privacy.large_delta.printed", privacy_near_one,
       "Each step is a run of Peeling on records of its own. Near delta = 1, log(1/delta) is about "
       "1 - delta, so the scale b of the noise falls like sqrt(1 - delta). A Laplace number that "
       "moves by lambda has the exact delta 1 - e^((epsilon - lambda/b)/2), so that 1 - exact "
       "delta is for s = 1 about e^(epsilon/2 - epsilon/(8 sqrt(2 (1 - delta)))), which is far "
       "smaller than 1 - delta as delta tends to 1.",
       "the privacy half of Theorem 10 for delta near 1; up to 0.9 it is certified",
       "Restrict delta to at most 0.9.", "tao.sparse_optimization.privacy.printed",
       "tao.peeling.privacy.large_delta.printed"},
      {"tao.sparse_optimization.sensitivity.proved", proof_step,
       "A truncated entry of a gradient lies in [-B, B], so one of m records moves the mean by up "
       "to 2 B/m and w^{t+0.5} by up to 2 B eta_0/m, whatever s is. The claimed figure is s/3 "
       "times that, too small for s = 1 and s = 2.",
       "the proof of Theorem 10; the noise of Algorithm 5 stands",
       "Write 2 B eta_0/m for 2 B eta_0 s/(3m).", "tao.sparse_optimization.sensitivity.printed"},
      {"tao.truncated_mean.lemma.any_delta.printed", proof_step,
       "Publishing each record with probability delta is (0, delta)-DP, since a changed record "
       "shows with probability delta only. The sum of the published records over n delta has the "
       "mean p tau and a variance of at most p tau^2/(n delta), so with n p = 1/epsilon it misses "
       "the mean by p tau/2 or more with probability at most 4 epsilon/delta (Chebyshev). That is "
       "small if delta is large against epsilon.",
       "Theorem 2 for delta above epsilon", "Restrict delta to at most epsilon.",
       "tao.truncated_mean.lemma.any_delta.corrected"},
      {"tao.truncated_mean.lemma.bernstein.printed", proof_step,
       "Lemma 6 bounds the probability of one side by xi, so that of both by 2 xi. As xi tends to "
       "1 the radius tends to 0, but a mean that takes the values k/n only (a = 0) misses an "
       "expectation q which is not among them by a fixed distance with probability 1.",
       "(5)", "Write 1 - 2 xi for 1 - xi.", "tao.truncated_mean.lemma.bernstein.corrected"},
      {"tao.truncated_mean.lemma.bias_term.printed", slip,
       "B^(1+v) = u n epsilon/(log(1/xi) sqrt(log(1.25/delta))), so u/B^v has log(1/xi) where (8) "
       "has log(2/xi), which is larger by log 2.",
       "(8)", "Write log(1/xi) for log(2/xi) in (8)."},
      {"tao.truncated_mean.lemma.constant.printed", proof_step,
       "With N = sqrt(log(1.25/delta)) the four terms are sqrt(2 epsilon/N), epsilon/(3N), 1 and 4 "
       "sqrt(2/log(1/xi)) times the bound without its 9. The last grows without bound as xi tends "
       "to 1. If log(1/xi) >= 1, N >= 1 and epsilon <= 1, the four add up to 8.41 at most.",
       "(10) for xi near 1", "Require xi <= 1/e and delta <= 1.25/e.",
       "tao.truncated_mean.lemma.constant.corrected"},
      {"tao.truncated_mean.lemma.gaussian_mechanism.printed", privacy_extreme,
       "With c = sqrt(2 log(1.25/delta)) and mu = epsilon/c the exact delta is Phi(mu/2 - "
       "epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu). As mu/2 - epsilon/mu = epsilon/(2c) - c "
       "grows with epsilon, the exact delta tends to 1, whatever delta is.",
       "Lemma 3 for large epsilon, above 8 at delta = 1e-5; Theorem 1 stands",
       "Restrict epsilon to at most 1.", "tao.truncated_mean.lemma.gaussian_mechanism.proved"},
      {"tao.truncated_mean.lemma.noise_exponent.printed", slip,
       "B is proportional to (n epsilon/sqrt(log(1.25/delta)))^(1/(1+v)), so B "
       "sqrt(log(1.25/delta))/(n epsilon) has sqrt(log(1.25/delta))/(n epsilon) to the power 1 - "
       "1/(1+v) = v/(1+v). The base is below 1 for large n, and for v < 1 the larger exponent "
       "1/(1+v) gives a smaller number.",
       "the first line of (9)", "Write the exponent v/(1+v) for 1/(1+v).",
       "tao.truncated_mean.lemma.noise_exponent.corrected"},
      {"tao.truncated_mean.lemma.tail_integral.printed", proof_step,
       "E |X| 1{|X| > B} is the integral over all t >= 0 of P(|X| 1{|X| > B} > t), and from 0 to B "
       "that probability is P(|X| > B): a term B P(|X| > B) is missing. For P(X > t) = t^-a the "
       "integral over t >= B is B^(1-a)/(a - 1), and the expectation is a times that.",
       "the proof of Lemma 10; Lemma 10 stands",
       "Add the term B P(|X| > B) to the integral, or prove Lemma 10 from |X|^(1+v) >= B^v |X| "
       "where |X| > B.",
       "tao.truncated_mean.lemma.tail_integral.corrected"},

  });
  return rows;
}

}  // namespace dpverify
