// Theorems 8 and 9 on the words of a Hadamard matrix: what no private mechanism can do, and two
// bounds of the proofs that some private mechanism beats.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/dp_sco.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;

// Means of norm 1/2.
HardLaws hard_laws() {
  return {.words = sign_words(4), .records = 60, .probability = 1, .size = 0.25};
}

const PrivacyGuarantee hard{0.025, 1e-6};

FloorClaim floor_of(DpScoParameters p) {
  const HardLaws laws = hard_laws();
  p.initial = VectorXd::Zero(laws.words.dimension);
  p.iterations = 2;
  p.blocks = 3;
  p.epsilon = hard.epsilon;
  p.delta = hard.delta;
  return estimation_floor(laws, hard, [p](const Dataset& data, Releases& releases) {
    return dp_sco(data, p, releases);
  });
}

FloorClaim strongly_convex_floor() {
  return floor_of({.gradients = mean_point_gradients,
                   .branch = Branch::strongly_convex,
                   .step = 0.75,
                   .truncation = hard_laws().size + 1});
}

// The means have one norm: the law whose mean has the largest product with w is that of the
// nearest.
FloorClaim convex_floor() {
  return floor_of({.gradients = inner_product_gradients,
                   .branch = Branch::convex,
                   .step = 10,
                   .truncation = hard_laws().size});
}

// The words of a Hadamard matrix, means of norm iota = 0.71.
HardLaws printed_laws() { return {.words = half_weight_words(64), .records = 60, .size = 0.25}; }

// A bound of Lemma 21's proof on E||A(x) - mu|| on the same laws, for a mechanism that is never
// further than `largest` from mu.
FloorClaim printed_floor(double bound, double largest, const PrivacyGuarantee& guarantee,
                         Mechanism mechanism) {
  return {.problem = printed_laws().in_words() +
                     ". Error: the distance of the output from the mean, over " + to_text(largest) +
                     ", which it does not exceed",
          .mechanism = std::move(mechanism),
          .guarantee = guarantee,
          .draw =
              [=, laws = printed_laws()](RandomStream& stream) {
                const Index k = stream.index(laws.words.count);
                return Instance{laws.draw(k, stream), [=, mean = laws.mean(k)](const VectorXd& w) {
                                  return (w - mean).norm() / largest;
                                }};
              },
          .bound = bound / largest};
}

// (25) with Lemma 14's constants and the separation 2 iota; the mechanism always returns half of
// the means' largest entry, everywhere.
FloorClaim separation_floor() {
  const HardLaws laws = printed_laws();
  const PrivacyGuarantee guarantee{0.01, 0};
  const double iota = laws.mean(0).norm(), words = static_cast<double>(laws.words.count);
  const double told = std::exp(10 * guarantee.epsilon * laws.informative());
  return printed_floor(0.4 * 2 * iota * std::min(1.0, words / told), iota, guarantee,
                       [laws](const Dataset& data, Releases&) -> VectorXd {
                         return VectorXd::Constant(data.dimension(),
                                                   laws.probability * laws.size / 2);
                       });
}

// (26) with the true separation iota; the exponential mechanism over the words, scored by how many
// records are the word's, is epsilon-DP and so (epsilon, delta)-DP for every delta.
FloorClaim approximate_floor() {
  const HardLaws laws = printed_laws();
  const PrivacyGuarantee guarantee{0.6, 1e-20};
  const double np = laws.informative(), log_words = std::log(static_cast<double>(laws.words.count));
  const double rho = guarantee.epsilon * guarantee.epsilon / (-4 * std::log(guarantee.delta));
  const double told = (rho * np * (np + 1 - laws.probability) + std::numbers::ln2) / log_words;
  Matrix words(laws.words.count, laws.words.dimension);
  for (Index k = 0; k < laws.words.count; ++k) words.row(k) = laws.words.word(k);
  const double alpha = laws.separation();  // a word and its complement are sqrt2 times as far apart
  return printed_floor(alpha / 2 * (1 - told), std::numbers::sqrt2 * (1 + 1e-12) * alpha, guarantee,
                       [=](const Dataset& data, Releases& releases) -> VectorXd {
                         VectorXd scores = VectorXd::Zero(words.rows());
                         for (Index k = 0; k < words.rows(); ++k)
                           for (Index i = 0; i < data.size(); ++i)
                             if (data.features.row(i) == laws.size * words.row(k)) ++scores[k];
                         return laws.mean(releases.select(ExponentialMechanism::with_epsilon(
                             std::move(scores), 1, guarantee.epsilon)));
                       });
}

}  // namespace

std::vector<Claim> dp_sco_floors() {
  ClaimList claims("tao.dp_sco");
  const std::string constants = " with the rows of a Hadamard matrix, by group privacy";
  add_floor(claims, "", "Algorithm 2, strongly convex branch", "Theorem 8" + constants,
            strongly_convex_floor());
  add_floor(claims, ".convex", "Algorithm 2, convex branch", "Theorem 9" + constants,
            convex_floor());
  claims.add(
      "floor.separation", printed, refuted,
      {Text::tao, "proof of Theorem 8, (25), by Lemma 14 and ||mu - mu'|| >= 2 iota"},
      "Every epsilon-DP estimate from n records is, in expectation and on average over the M hard "
      "laws, at least 0.8 iota min{1, M e^(-10 epsilon n p)} from the law's mean: 0.4 times the "
      "least distance of two means, which the proof puts at 2 iota, times that minimum. Under a "
      "law a record is a fixed multiple of the law's word of d/2 ones with probability p and else "
      "0, and iota is the norm of every mean. (The 0.4 is Lemma 14's, where (25) writes Omega; the "
      "words, rows of a Hadamard matrix for d = 64, are this check's.)",
      {"replace-one neighbours"}, separation_floor());
  claims.add(
      "floor.approximate", printed, refuted,
      {Text::tao, "proof of Theorem 8, (26), by Lemma 15, epsilon << log(1/delta)"},
      "Every (epsilon, delta)-DP estimate from n records, epsilon much smaller than log(1/delta), "
      "is, in expectation and on average over the M hard laws, at least alpha/2 (1 - (epsilon^2/(4 "
      "log(1/delta)) (n^2 p^2 + n p (1 - p)) + log 2)/log M) from the law's mean, alpha the least "
      "distance of two means. Under a law a record is a fixed multiple of the law's word of d/2 "
      "ones with probability p and else 0. (The constants are Lemma 15's, where (26) writes Omega; "
      "the words, rows of a Hadamard matrix for d = 64, are this check's.)",
      {"replace-one neighbours"}, approximate_floor());
  return claims.take();
}

}  // namespace dpverify::tao
