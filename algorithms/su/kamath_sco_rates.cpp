// Theorem 15 as rates.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/geometry/euclidean_projection.hpp"
#include "algorithms/problems/counted_mean.hpp"
#include "algorithms/su/kamath_sco.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;

// kamath_sco over [-1, 1]^d for a loss that is linear, so that the block means of gradients do not
// depend on w.
VectorXd descent_on_cube(const Matrix& block_means, Index n, const KamathScoParameters& p,
                         Releases& releases) {
  const Index d = block_means.cols();
  const VectorXd median = median_of_means(block_means, p.blocks, MiddlePair::lower);
  VectorXd w = VectorXd::Zero(d), average = w;
  for (Index t = 1; t <= p.iterations; ++t) {
    const VectorXd gradient = releases.release(
        GaussianNoise{median, median_sensitivity(p, n, d), noise_deviation(p, n, d)});
    w = euclidean_projection({.p = infinity, .dimension = d}, w - p.step * gradient);
    average += (w - average) / static_cast<double>(t);
  }
  return average;
}

// Means of d numbers, loss -<w, x>, C the unit ball: the average over the way from w_0 to the
// boundary is as far from the optimum as Theorem 15 allows, M R/sqrt T. R is 3, four times what it
// need be, so that the steps are short and the way is not a matter of a few. (For a strongly convex
// loss it is at 1/T, and at 0 where T = 1 and the first step finds the mean at once: such a curve
// falls, then rises where T leaves 1, then falls again.)
// In d the noise of a median, and with it 1/sqrt T, grows like d^(3/4) m, m = ceil(4 log(2d/xi))
// the blocks. The theorem hides m, which the bounds here have as a factor; its d^(5/4) leaves room
// for the m of order d with which every step is good at all w of a net of C.
//
// At p = infinity C is the cube [-1, 1]^d, of l2 radius sqrt d.
RatePoint counted_point(Index n, Index dimension, double epsilon, bool on_cube = false) {
  constexpr double delta = 1e-3, xi = 0.95;
  const auto d = static_cast<double>(dimension);
  const CountedMean law{dimension, dimension, {5 / std::sqrt(d), 0.7 / std::sqrt(d)}, {0.01, 0.99}};
  const double variance = 0.2;  // of a coordinate, at most; 0.1831 for d = 1
  const double radius = on_cube ? std::sqrt(d) : 1;
  const KamathScoParameters p =
      kamath_sco_from_theorem(n, dimension, radius, 3, variance, epsilon, delta, xi);
  const Index block = n / p.blocks;
  const BlockGradients gradients = [=](const VectorXd&, const DataView& counts) {
    return law.block_means(counts, block,
                           [&](Index, double x) { return std::clamp(-x, -p.clip, p.clip); });
  };
  return {.records = n,
          .mechanism =
              [=](const Dataset& counts, Releases& releases) {
                return on_cube ? descent_on_cube(gradients(p.initial, counts.all()), n, p, releases)
                               : kamath_sco(gradients, n, counts, p, releases);
              },
          .bound = kamath_sco_bound(static_cast<double>(n), d, 2 * radius, epsilon) *
                   static_cast<double>(p.blocks),
          .dimension = dimension,
          .draw = [=](Index, RandomStream& stream) { return law.draw(p.blocks, block, stream); },
          .excess_risk =
              [mean = law.mean(), on_cube](const VectorXd& w) {
                return (on_cube ? mean.lpNorm<1>() : mean.norm()) - mean.dot(w);
              }};
}

RateClaim counted_rate(std::string variable, double exponent, std::function<RatePoint(double)> at,
                       const std::string& numbers, const std::string& fixed, Sweeps sweeps) {
  return rate_claim(std::move(variable), {.exponent = exponent, .at = std::move(at)},
                    {.words = "the mean of " + numbers +
                              ", 0.7/sqrt(d), and in one case of a hundred 5/sqrt(d), drawn as "
                              "counts; loss -<w, x>, delta = 1e-3, xi = 0.95, " +
                              fixed},
                    std::move(sweeps));
}

}  // namespace

std::vector<Claim> kamath_sco_rates() {
  ClaimList claims("su.kamath_sco");
  const std::vector<std::string> assumptions{
      "Assumption 5 with R = 3, but for 3): the gradient of this loss is 0 nowhere",
      "xi chosen: 0.95"};
  std::vector<std::string> in_l2 = assumptions;
  in_l2.emplace_back("R bounds the gradient in l2, not in the dual norm");
  const std::string bound = " M d/sqrt n + sqrt(M) d^(5/4)/sqrt(n epsilon).";
  const Source at_d_1{Text::this_project,
                      "Theorem 15 at p = 2, d = 1, with the constants that it hides"};
  claims.add("rate", corrected, holds, at_d_1,
             "The excess risk of the average of Theorem 15's iterates falls in n as" + bound,
             assumptions,
             counted_rate("n", -0.5,
                          [](double n) { return counted_point(static_cast<Index>(n), 1, 0.99); },
                          "a number", "C the unit ball, epsilon = 0.99",
                          {{{5e6, 2.5e7, 1e8, 5e8}, 24}, {{1e7, 3e7, 1e8, 3e8, 1e9}, 50}}));
  claims.add(
      "rate.epsilon", corrected, holds, at_d_1,
      "The excess risk of the average of Theorem 15's iterates falls in epsilon as" + bound,
      assumptions,
      counted_rate("epsilon", -0.5,
                   [](double epsilon) { return counted_point(100'000'000, 1, epsilon); },
                   "a number", "C the unit ball, n = 10^8",
                   {{{0.0099, 0.05, 0.2, 0.99}, 24}, {{0.0099, 0.03, 0.1, 0.3, 0.99}, 200}}));
  claims.add(
      "rate.dimension", corrected, holds,
      {Text::this_project, "Theorem 15 at p = 2, with the constants that it hides"},
      "The excess risk of the average of Theorem 15's iterates grows in d no faster than m (M "
      "d/sqrt n + sqrt(M) d^(5/4)/sqrt(n epsilon)), m = ceil(4 log(2d/xi)) blocks.",
      assumptions,
      counted_rate(
          "d", 1.25,
          [](double d) { return counted_point(8'000'000'000, static_cast<Index>(d), 0.99); },
          "d numbers", "C the unit ball, n = 8 10^9, epsilon = 0.99",
          {{{1, 5, 20, 100}, 16}, {{1, 3, 10, 30, 100}, 40}}));
  claims.add(
      "rate.dimension.p_infinite", corrected, holds,
      {Text::this_project, "Theorem 15 at p = infinity, with the constants that it hides"},
      "In l_p^d at p = infinity, C a cube, the excess risk of the average of Theorem 15's iterates "
      "grows in d no faster than m (d^(3/2 - 1/p)/sqrt n + d^(3/2 - 1/(2p))/sqrt(n epsilon)), m = "
      "ceil(4 log(2d/xi)) blocks.",
      in_l2,
      counted_rate(
          "d", 1.5,
          [](double d) { return counted_point(8'000'000'000, static_cast<Index>(d), 0.99, true); },
          "d numbers", "C = [-1, 1]^d, n = 8 10^9, epsilon = 0.99",
          in_both({{1, 5, 20, 100}, 24})));
  return claims.take();
}

}  // namespace dpverify::su
