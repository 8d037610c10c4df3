#include "algorithms/hu/peeling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/hard_laws.hpp"

namespace dpverify::hu {
// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Hu, Ni, Xiao and Wang (preprint and published edition)";

// Peeling of the mean of records clipped to [-1, 1]: one record moves each coordinate by at most
// 2/n.
MechanismFamily clipped_mean_family(bool repeats) {
  return [repeats](const ParameterPoint& point) -> Mechanism {
    return [repeats, point](const Dataset& data, Releases& releases) {
      const VectorXd v = data.features.cwiseMax(-1).cwiseMin(1).colwise().mean();
      const auto s = std::min(static_cast<Index>(point.at("sparsity")), data.dimension());
      return peeling(v,
                     {.sparsity = s,
                      .sensitivity = 2 / static_cast<double>(data.size()),
                      .epsilon = point.at("epsilon"),
                      .delta = point.at("delta"),
                      .repeats = repeats},
                     releases);
    };
  };
}

// What Peeling's steps cost, s selections and s values, whatever the vector.
std::vector<PureSteps> steps(const ParameterPoint& point) {
  const PeelingParameters p{.sparsity = static_cast<Index>(point.at("sparsity")),
                            .epsilon = point.at("epsilon"),
                            .delta = point.at("delta")};
  const double b = noise_scale(p);
  return {{2 * p.sensitivity / b, p.sparsity}, {p.sensitivity / b, p.sparsity}};
}

}  // namespace

namespace {

constexpr double rate_epsilon = 0.9, rate_delta = 1e-5;

// Peeling of the mean of n vectors of signs, the first s of d with the mean 1/2. In d the bound has
// the logarithm that the selection costs.
RatePoint peeling_point(double factor, Index n, Index dimension, Index sparsity, double logarithm) {
  const auto records = static_cast<double>(n);
  const PeelingParameters p{.sparsity = sparsity,
                            .sensitivity = 2 / records,
                            .epsilon = rate_epsilon,
                            .delta = rate_delta,
                            .factor = factor};
  VectorXd mean = VectorXd::Zero(dimension);
  mean.head(sparsity).setConstant(0.5);
  const double b = noise_scale(p);
  return {
      .records = n,
      .mechanism =
          [p](const Dataset& data, Releases& releases) {
            return peeling(data.features.colwise().mean(), p, releases);
          },
      .bound = static_cast<double>(sparsity) * (1 / records + 2 * b * b * logarithm * logarithm),
      .dimension = dimension,
      .draw =
          [mean](Index count, RandomStream& stream) {
            Dataset data{Matrix(count, mean.size()), VectorXd::Zero(count)};
            for (Index i = 0; i < count; ++i)
              for (Index j = 0; j < mean.size(); ++j)
                data.features(i, j) = stream.uniform() < (1 + mean[j]) / 2 ? 1 : -1;
            return data;
          },
      .excess_risk = [mean](const VectorXd& w) { return (w - mean).squaredNorm(); }};
}

RateClaim peeling_dimension_rate() {
  RateClaim rate{.variable = "d",
                 .problem =
                     "the mean of 500 vectors of d signs, 3 of them with the mean 1/2, the others "
                     "fair; s = 3, epsilon = 0.9, delta = 1e-5; squared distance to the mean",
                 .exponent = 0};
  rate.point = [](double d) {
    return peeling_point(2 * std::numbers::sqrt3, 500, static_cast<Index>(d), 3, std::log(d));
  };
  rate.smoke = {{4, 23, 128}, 40};
  rate.ci = {{4, 23, 128, 730}, 100};
  return rate;
}

RateClaim peeling_sparsity_rate() {
  RateClaim rate{.variable = "s",
                 .problem =
                     "the mean of 3000 vectors of 64 signs, s of them with the mean 1/2, the "
                     "others fair; epsilon = 0.9, delta = 1e-5; squared distance to the mean",
                 .exponent = 2};
  rate.point = [](double s) {
    return peeling_point(2 * std::numbers::sqrt3, 3000, 64, static_cast<Index>(s), 1.0);
  };
  rate.smoke = {{1, 6, 32}, 20};
  rate.ci = {{1, 3, 10, 32}, 100};
  return rate;
}

}  // namespace

RateClaim peeling_rate(double factor) {
  RateClaim rate{.variable = "n",
                 .problem =
                     "the mean of 10 signs, 3 of them with the mean 1/2, the others fair; s "
                     "= 3, epsilon = 0.9, delta = 1e-5; squared distance to the mean",
                 .exponent = -1,
                 .dimension = 10};
  rate.point = [factor](double n) {
    return peeling_point(factor, static_cast<Index>(n), 10, 3, 1.0);
  };
  rate.smoke = {{500, 3e3, 1.6e4}, 40};
  rate.ci = {{500, 5e3, 5e4}, 100};
  return rate;
}

std::vector<Claim> peeling_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours",
                                            "each coordinate of v moves by at most lambda"};
  ClaimList claims("hu.peeling");
  const std::vector<ParameterRange> ranges{{"sparsity", 1, 1, 3, Scale::integer},
                                           {"epsilon", 0.5, 0.01, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-8, 0.5, Scale::logarithmic}};
  const auto at = [](double s, double epsilon, double delta) {
    return ParameterPoint{{"sparsity", s}, {"epsilon", epsilon}, {"delta", delta}};
  };
  const SensitivityClaim tight{clipped_mean_family(false), ranges, 1, 4,
                               {{at(2, 0.5, 1e-5), 3, 4}}, true};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 4, steps 4 and 7"},
      "At every selection the magnitudes, and at every release the value, move by at most lambda, "
      "and some pair attains it.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);
  std::vector<Setting> certified;
  for (const auto& [s, epsilon, delta] : {std::tuple{1.0, 0.999, 1e-5},
                                          {5.0, 0.999, 1e-5},
                                          {20.0, 0.1, 1e-5},
                                          {20.0, 0.999, 1e-2},
                                          {20.0, 0.999, 1e-5},
                                          {20.0, 0.999, 1e-7},
                                          {50.0, 0.999, 1e-7}})
    certified.push_back({at(s, epsilon, delta), 10, 60});
  claims.add("privacy", Edition::printed, Expectation::holds, {paper, "Algorithm 4; Lemma 10"},
             "Peeling with Laplace noise of scale 2 lambda sqrt(3 s log(1/delta))/epsilon is "
             "(epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.9.",
             neighbours,
             PrivacyClaim{.mechanism = clipped_mean_family(false),
                          .guarantee =
                              [](const ParameterPoint& point) {
                                return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
                              },
                          .settings = {{at(1, 0.999, 1e-5), 1, 2},
                                       {at(4, 0.999, 1e-5), 1, 4},
                                       {at(1, 0.999, 0.9), 1, 1}},
                          .certified = certified});
  claims.add("privacy.large_delta", Edition::printed, Expectation::refuted,
             {paper, "Algorithm 4; Lemma 10, 0 < delta < 1"},
             "The same for every delta < 1. The noise shrinks like sqrt(1 - delta) near 1, faster "
             "than what delta allows grows.",
             neighbours,
             PrivacyClaim{.mechanism = clipped_mean_family(false),
                          .guarantee =
                              [](const ParameterPoint& point) {
                                return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
                              },
                          .settings = {{at(1, 0.999, 0.99999), 1, 1}}});

  claims.add(
      "privacy.repeats", Edition::printed, Expectation::holds,
      {"Hu, Ni, Xiao and Wang (published edition)", "Algorithm 4, argmax over [d]"},
      "Selecting over all of [d] in each round, Peeling is (epsilon, delta)-DP all the same.",
      neighbours,
      PrivacyClaim{.mechanism = clipped_mean_family(true),
                   .guarantee =
                       [](const ParameterPoint& point) {
                         return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
                       },
                   .certified = {{at(5, 0.999, 1e-5), 10, 20}, {at(20, 0.999, 1e-2), 10, 60}}});

  const std::vector<ParameterRange> wide{{"sparsity", 20, 1, 100, Scale::integer},
                                         {"epsilon", 0.999, 0.01, 0.999, Scale::logarithmic},
                                         {"delta", 1e-2, 1e-8, 0.9, Scale::logarithmic}};
  claims.add("lemma.advanced_composition", Edition::proved, Expectation::refuted,
             {paper, "Lemma 10 by Lemma 2 (advanced composition)"},
             "Advanced composition of the 2s steps certifies epsilon at delta for all 0 < epsilon "
             "< 1, 0 < delta <= 0.9.",
             {}, LemmaClaim{wide, [](const ParameterPoint& point) {
                              return LemmaClaim::Sides{
                                  advanced_composition(steps(point), point.at("delta")),
                                  point.at("epsilon")};
                            }});
  claims.add("lemma.optimal_composition", Edition::corrected, Expectation::holds,
             {"this project", "Lemma 10 by optimal composition"},
             "Optimal composition of the 2s steps certifies epsilon at delta for all 0 < epsilon < "
             "1, 0 < delta <= 0.9.",
             {},
             LemmaClaim{wide, [](const ParameterPoint& point) {
                          return LemmaClaim::Sides{
                              composed_delta(steps(point), point.at("epsilon")), point.at("delta")};
                        }});

  // The support, with noise small against one dominant coordinate; a stream a point.
  const auto support = [](bool repeats) {
    return LemmaClaim{
        {{"sparsity", 3, 2, 20, Scale::integer}, {"seed", 0, 0, 1000, Scale::integer}},
        [repeats](const ParameterPoint& point) {
          VectorXd v = VectorXd::Constant(20, 0.1);
          v[0] = 1e3;
          SamplingReleases releases(
              RandomStream({.seed = static_cast<std::uint64_t>(point.at("seed")),
                            .claim = "hu.peeling",
                            .purpose = "support"}));
          const auto s = static_cast<Index>(point.at("sparsity"));
          const VectorXd out =
              peeling(v, {.sparsity = s, .sensitivity = 0.01, .repeats = repeats}, releases);
          return LemmaClaim::Sides{static_cast<double>(s),
                                   static_cast<double>((out.array() != 0).count())};
        }};
  };
  claims.add("lemma.support", Edition::printed, Expectation::refuted,
             {"Hu, Ni, Xiao and Wang (published edition)", "Algorithm 4, argmax over [d]"},
             "Selecting over all of [d] in each round, Peeling keeps s coordinates (Lemma 13 "
             "compares with the best s).",
             {}, support(true));
  claims.add("lemma.support", Edition::corrected, Expectation::holds,
             {"Hu, Ni, Xiao and Wang (preprint)", "Algorithm 4, argmax over [d] without S"},
             "Selecting over the coordinates not yet drawn, Peeling keeps s coordinates.", {},
             support(false));
  const PrivacyGuarantee hard{0.2, 1e-6};
  add_floor(
      claims, "", "Algorithm 4 on the mean of the clipped records",
      "Theorem 9 with the words of a linear code and half of Lemma 3's separation",
      estimation_floor({.words = sparse_words(4, 31), .records = 60}, hard,
                       clipped_mean_family(false)(
                           {{"sparsity", 4}, {"epsilon", hard.epsilon}, {"delta", hard.delta}})));
  claims.add(
      "rate", Edition::corrected, Expectation::holds,
      {"this project", "the variance of a mean and of Laplace noise"},
      "Peeling of the mean of n signs lies within s/n + 2 s b^2 of the s-sparse mean, up to a "
      "constant, in squared distance.",
      neighbours, peeling_rate(2 * std::numbers::sqrt3));
  const Source variances{"this project", "the variance of a mean and of Laplace noise"};
  claims.add(
      "rate.dimension", Edition::corrected, Expectation::holds, variances,
      "With the selection it lies within s/n + 2 s b^2 log^2 d, up to a constant: the number of "
      "coordinates costs a logarithm.",
      neighbours, peeling_dimension_rate());
  claims.add("rate.sparsity", Edition::corrected, Expectation::holds, variances,
             "The same in s: b grows like sqrt s, so that the error grows like s^2.", neighbours,
             peeling_sparsity_rate());
  claims.append(peeling_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm peeling_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double clip = options.number("clip");
    require(clip > 0, "--clip", clip, "positive");
    const PeelingParameters p{.sparsity = options.integer("sparsity"),
                              .sensitivity = 2 * clip / static_cast<double>(data.size()),
                              .epsilon = options.number("epsilon"),
                              .delta = options.number("delta")};
    validate(p, data.dimension());
    require(p.epsilon < 1, "--epsilon", p.epsilon, "in (0, 1)");
    PreparedRun run;
    run.mechanism = [p, clip](const Dataset& records, Releases& releases) {
      const VectorXd mean = records.features.cwiseMax(-clip).cwiseMin(clip).colwise().mean();
      return peeling(mean, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "hu.peeling.privacy.printed";
    run.parameters = {{"sparsity", std::to_string(p.sparsity)},
                      {"clip", to_text(clip)},
                      {"sensitivity of a coordinate", to_text(p.sensitivity)},
                      {"noise scale", to_text(noise_scale(p))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return (view.features.rowwise() - w.transpose()).rowwise().squaredNorm().mean();
    };
    run.risk_name = "mean squared distance of the features from w";
    return run;
  };
  return {"hu.peeling",
          "private selection of the s largest means of clipped features, (epsilon, delta)-DP",
          "Hu, Ni, Xiao and Wang, Algorithm 4",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"sparsity", "1", "s, 1 to the number of features"},
           {"clip", "1", "features are clipped to [-clip, clip]"}},
          prepare,
          peeling_claims};
}

}  // namespace dpverify::hu
