// How the error of Peeling grows, as rates.
#include "algorithms/mechanisms/peeling_rates.hpp"

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/tao/peeling.hpp"

namespace dpverify::tao {
namespace {

std::string drawn_as_the_mean(const std::string& signs, const std::string& sparsity,
                              const std::string& records) {
  return "the mean of " + signs + " signs, " + sparsity +
         " of them with the mean 1/2, the others fair, drawn as the mean; n = " + records +
         ", epsilon = 0.9, delta = 1e-5; squared distance to the mean";
}

RateClaim sparsity_rate() {
  const PeelingOfSigns signs{.factor = peeling_factor, .counted = true};
  return rate_claim(
      "s",
      {.exponent = 2, .at = [=](double s) { return signs.at(8000, 310, static_cast<Index>(s)); }},
      {.words = drawn_as_the_mean("310", "s", "8000")},
      {{{3, 15, 60, 300}, 24}, {{3, 10, 30, 100, 300}, 60}});
}

RateClaim dimension_rate() {
  const PeelingOfSigns signs{
      .factor = peeling_factor, .counted = true, .noise = [](double b, double log_d) {
        return 2 * (b * log_d) * (b * log_d);
      }};
  return rate_claim("d", {.at = [=](double d) { return signs.at(2000, static_cast<Index>(d), 3); }},
                    {.words = drawn_as_the_mean("d", "3", "2000")},
                    {{{10, 50, 200, 1000}, 560}, {{10, 30, 100, 300, 1000}, 800}});
}

}  // namespace

std::vector<Claim> peeling_rates() {
  using enum Edition;
  using enum Expectation;
  const std::vector<std::string> sensitivity{"each coordinate of v moves by at most lambda"};
  const Source variances{Text::this_project, "the variance of a mean and of Laplace noise"};
  ClaimList claims("tao.peeling");
  claims.add(
      "rate", corrected, holds, variances,
      "Peeling of the mean of n signs lies within s v/n + 2 s b^2 of the s-sparse mean, v the "
      "variance of an informative sign, up to a constant, in squared distance.",
      sensitivity,
      peeling_rate(peeling_factor, {{{500, 2.5e3, 1e4, 5e4}, 60},
                                    {{500, 5e3, 5e4, 2e5}, 100},
                                    {{500, 5e3, 5e4, 5e5, 2e6}, 80}}));
  claims.add("rate.sparsity", corrected, holds, variances,
             "The squared distance of Peeling of a mean of signs from the s-sparse mean grows in s "
             "no faster than s v/n + 2 s b^2, v the variance of an informative sign and b^2 like "
             "s: s^2 where the noise is most of it.",
             sensitivity, sparsity_rate());
  claims.add(
      "rate.dimension", corrected, holds,
      {Text::this_project, "the variance of a mean; Lemma 26, Laplace noise over d coordinates"},
      "The squared distance of Peeling of a mean of signs from the s-sparse mean grows in d "
      "no faster than s v/n + 2 s b^2 log^2 d, v the variance of an informative sign.",
      sensitivity, dimension_rate());
  return claims.take();
}

}  // namespace dpverify::tao
