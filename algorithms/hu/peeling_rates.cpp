// How the error of Peeling grows, as rates.
#include "algorithms/mechanisms/peeling_rates.hpp"

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/hu/peeling.hpp"

namespace dpverify::hu {
namespace {

RateClaim dimension_rate() {
  const PeelingOfSigns signs{.factor = peeling_factor, .noise = [](double b, double log_d) {
                               return 2 * b * b * log_d * log_d;
                             }};
  return rate_claim(
      "d", {.at = [=](double d) { return signs.at(500, static_cast<Index>(d), 3); }},
      {.words = "the mean of 500 vectors of d signs, 3 of them with the mean 1/2, the others "
                "fair; s = 3, epsilon = 0.9, delta = 1e-5; squared distance to the mean"},
      {{{4, 23, 128}, 40}, {{4, 23, 128, 730}, 100}});
}

RateClaim sparsity_rate() {
  const PeelingOfSigns signs{.factor = peeling_factor};
  return rate_claim(
      "s",
      {.exponent = 2, .at = [=](double s) { return signs.at(3000, 64, static_cast<Index>(s)); }},
      {.words = "the mean of 3000 vectors of 64 signs, s of them with the mean 1/2, the others "
                "fair; epsilon = 0.9, delta = 1e-5; squared distance to the mean"},
      {{{1, 6, 32}, 20}, {{1, 3, 10, 32}, 100}});
}

}  // namespace

std::vector<Claim> peeling_rates() {
  using enum Edition;
  using enum Expectation;
  const std::vector<std::string> neighbours{"replace-one neighbours",
                                            "each coordinate of v moves by at most lambda"};
  const Source variances{Text::this_project, "the variance of a mean and of Laplace noise"};
  ClaimList claims("hu.peeling");
  claims.add("rate", corrected, holds, variances,
             "Peeling of the mean of n signs lies within s/n + 2 s b^2 of the s-sparse mean, up to "
             "a constant, in squared distance.",
             neighbours,
             peeling_rate(peeling_factor, {{{500, 3e3, 1.6e4}, 40}, {{500, 5e3, 5e4}, 100}}));
  claims.add("rate.dimension", corrected, holds, variances,
             "Peeling of the mean of n vectors of d signs lies within s/n + 2 s b^2 log^2 d of the "
             "s-sparse mean, up to a constant, in squared distance: the number of coordinates to "
             "select from costs a logarithm.",
             neighbours, dimension_rate());
  claims.add("rate.sparsity", corrected, holds, variances,
             "The squared distance of Peeling of a mean of signs from the s-sparse mean grows in s "
             "no faster than s/n + 2 s b^2: b grows like sqrt s, so that the error grows like s^2.",
             neighbours, sparsity_rate());
  return claims.take();
}

}  // namespace dpverify::hu
