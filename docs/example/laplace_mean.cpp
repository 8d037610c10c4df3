// An algorithm with all that belongs to it: its steps, one table of its parameters, its claims, and
// its entry for the command line.
#include <cmath>

#include "algorithms/claims/family.hpp"
#include "algorithms/claims/lemmas.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/heavy_mean.hpp"

namespace dpverify::example {
namespace {

using enum Edition;
using enum Expectation;

struct Settings {
  double bound = 1;
  double epsilon = 1;
};

// The mean of one feature, clipped to [-B, B], with Laplace noise.
VectorXd laplace_mean(const Dataset& data, const Settings& p, Releases& releases) {
  const double sensitivity = 2 * p.bound / static_cast<double>(data.size());
  return releases.release(LaplaceNoise{clipped_entries(data.features, p.bound).colwise().mean(),
                                       sensitivity, sensitivity / p.epsilon});
}

const Family<Settings> family{
    .fields = {field("bound", &Settings::bound)
                   .range(1.0, 0.01, 100.0, Scale::logarithmic)
                   .option("B, positive", positive),
               field("epsilon", &Settings::epsilon)
                   .range(0.5, 0.001, 10.0, Scale::logarithmic)
                   .option("privacy parameter, positive", positive)},
    .run = laplace_mean,
    .guarantee = [](const Settings& p) { return PrivacyGuarantee{p.epsilon}; }};

// Clipped at 2, which no record passes: the error is the noise's and the sample's.
RateClaim rate() {
  const HeavyMean numbers{.share = 0, .tail = 2.05};
  const auto at = [](double epsilon) {
    return RatePoint{.records = 1000,
                     .mechanism = family({.bound = 2, .epsilon = epsilon}),
                     .bound = 4 / (1000 * epsilon)};
  };
  return rate_claim("epsilon", {.exponent = -1, .at = at},
                    {.words = "numbers that are 1, n = 1000; distance to the mean",
                     .draw = [numbers](Index n, RandomStream& s) { return numbers.draw(n, s); },
                     .excess_risk = [numbers](const VectorXd& w) { return numbers.error(w); }},
                    {.smoke = {{0.1, 0.3, 1, 10}, 60}, .ci = {{0.1, 0.3, 1, 3, 10}, 200}});
}

std::vector<Claim> claims() {
  const Source source{Text::folklore, "Laplace mechanism"};
  const std::vector<std::string> neighbours{"replace-one neighbours"};
  const SensitivityClaim tight = family.sensitivity({1, 1}, {{{}, 3, 1}}, true);
  ClaimList out("example.laplace_mean");
  out.add("sensitivity", printed, holds, source,
          "One record moves the clipped mean by at most 2B/n, and some pair attains it.",
          neighbours, tight);
  add_mutants(out, tight, neighbours);
  out.add("privacy", printed, holds, source, "The clipped mean with Laplace noise is epsilon-DP.",
          neighbours, family.privacy({{{}, 3, 1}}));
  out.add("rate", printed, holds, source, "The error falls as 1/(n epsilon).", {}, rate());
  LemmaList lemmas("example.laplace_mean", Text::folklore);
  lemmas.add("tail", {{"t", 1, 0.01, 10, Scale::linear}, {"b", 1, 0.1, 10, Scale::logarithmic}},
             [](auto t, auto b) { return exp(-t / b); },
             {{printed, holds, "Markov's inequality",
               "Laplace noise of scale b is beyond t with probability e^(-t/b), at most b/t.",
               [](auto t, auto b) { return b / t; }}});
  out.append(lemmas.take());
  return out.take();
}

PreparedRun prepare(const Dataset&, const Settings& settings) {
  return {.mechanism = family(settings),
          .guarantee = family.guarantee(settings),
          .guarantee_source = "example.laplace_mean.privacy.printed",
          .parameters = family.fields.texts(settings),
          .empirical_risk = mean_squared_distance,
          .risk_name = "mean squared distance of the feature from w"};
}

}  // namespace

Algorithm laplace_mean_algorithm() {
  return algorithm("example.laplace_mean", "private mean of one feature, epsilon-DP", "folklore",
                   family.fields, prepare, claims);
}

}  // namespace dpverify::example
