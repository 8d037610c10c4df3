// How the error of Peeling grows, as rates.
#include "algorithms/mechanisms/peeling_rates.hpp"

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/hu/peeling.hpp"

namespace dpverify::hu {
namespace {

RateClaim dimension_rate() {
  const PeelingOfSigns signs{
      .factor = peeling_factor,
      .counted = true,
      .at_the_noise = true,
      .noise = [](double b, double log_d) { return 2 * (b * log_d) * (b * log_d); }};
  return rate_claim(
      "d", {.at = [=](double d) { return signs.at(500, static_cast<Index>(d), 3); }},
      {.words = "the mean of 500 vectors of d signs, 3 of them with the mean b log d, about the "
                "largest noise of a round, the others fair, drawn as the mean: at every d some "
                "selections go astray; s = 3, epsilon = 0.9, delta = 1e-5; squared distance to the "
                "mean"},
      {{{20, 93, 430, 2000}, 150}, {{20, 93, 430, 2000}, 400}});
}

RateClaim sparsity_rate() {
  const PeelingOfSigns signs{.factor = peeling_factor, .counted = true};
  return rate_claim(
      "s",
      {.exponent = 2, .at = [=](double s) { return signs.at(6000, 128, static_cast<Index>(s)); }},
      {.words =
           "the mean of 6000 vectors of 128 signs, s of them with the mean 1/2, the others "
           "fair, drawn as the mean; epsilon = 0.9, delta = 1e-5; squared distance to the mean"},
      {{{1, 5, 22, 100}, 60}, {{1, 5, 22, 100}, 200}});
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
             "Peeling of the mean of n signs lies within s v/n + 2 s b^2 of the s-sparse mean, up "
             "to a constant, in squared distance; v = 3/4, the variance of an informative sign.",
             neighbours,
             peeling_rate(peeling_factor,
                          {{{500, 2.3e3, 1.1e4, 5e4}, 60}, {{500, 2.3e3, 1.1e4, 5e4}, 200}}));
  claims.add(
      "rate.dimension", corrected, holds, variances,
      "Peeling of the mean of n vectors of d signs lies within s v/n + 2 s b^2 log^2 d of the "
      "s-sparse mean, up to a constant, in squared distance, v the variance of an informative "
      "sign: the number of coordinates to "
      "select from costs a logarithm.",
      neighbours, dimension_rate());
  claims.add("rate.sparsity", corrected, holds, variances,
             "The squared distance of Peeling of a mean of signs from the s-sparse mean grows in s "
             "no faster than s v/n + 2 s b^2, v = 3/4 the variance of an informative sign: b grows "
             "like sqrt s, so that the error grows like s^2.",
             neighbours, sparsity_rate());
  return claims.take();
}

}  // namespace dpverify::hu
