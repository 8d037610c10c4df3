#include "algorithms/tao/peeling.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/counted_mean.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/tao/lemmas.hpp"

namespace dpverify::tao {
namespace {

// Peeling of the mean of records thresholded at 1: one record moves each coordinate by at most 2/n.
MechanismFamily family(bool noisy_values = true) {
  return [noisy_values](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      const VectorXd v = thresholded(data.features, 1).colwise().mean();
      VectorXd out =
          peeling(v,
                  {.sparsity = std::min(static_cast<Index>(point.at("sparsity")), data.dimension()),
                   .sensitivity = 2 / static_cast<double>(data.size()),
                   .epsilon = point.at("epsilon"),
                   .delta = point.at("delta"),
                   .factor = peeling_factor},
                  releases);
      if (noisy_values) return out;
      return VectorXd((out.array() != 0).select(v, 0));  // the selected entries of v as they are
    };
  };
}

// Peeling of the mean of n vectors of d signs, s of them with the mean 1/2, the others fair, drawn
// as the mean. The bound is the one of hu::peeling_rate; for `logarithm` the noise times log d,
// which Lemma 26 allows it.
RatePoint counted_point(Index n, Index dimension, Index sparsity, bool logarithm) {
  const PeelingParameters p{.sparsity = sparsity,
                            .sensitivity = 2 / static_cast<double>(n),
                            .epsilon = 0.9,
                            .delta = 1e-5,
                            .factor = peeling_factor};
  const double b = noise_scale(p) * (logarithm ? std::log(static_cast<double>(dimension)) : 1);
  VectorXd mean = VectorXd::Zero(dimension);
  mean.head(sparsity).setConstant(0.5);
  return {.records = n,
          .mechanism =
              [p](const Dataset& mean_of_signs, Releases& releases) {
                return peeling(mean_of_signs.features.row(0), p, releases);
              },
          .bound = static_cast<double>(sparsity) * (1 / static_cast<double>(n) + 2 * b * b),
          .dimension = dimension,
          .draw =
              [=](Index, RandomStream& stream) {
                Dataset data{Matrix(1, dimension), VectorXd::Zero(1)};
                for (Index j = 0; j < dimension; ++j) {
                  const auto ones =
                      static_cast<double>(draw_binomial(n, (1 + mean[j]) / 2, stream));
                  data.features(0, j) = 2 * ones / static_cast<double>(n) - 1;
                }
                return data;
              },
          .excess_risk = [mean](const VectorXd& w) { return (w - mean).squaredNorm(); }};
}

RateClaim counted_rate(const std::string& variable) {
  RateClaim rate{.variable = variable};
  rate.problem = "the mean of " + std::string(variable == "d" ? "d" : "100") + " signs, " +
                 (variable == "s" ? "s" : "3") +
                 " of them with the mean 1/2, the others fair, drawn as the mean; n = " +
                 (variable == "s" ? "20,000" : "2000") +
                 ", epsilon = 0.9, delta = 1e-5; squared distance to the mean";
  if (variable == "s") {
    rate.exponent = 2;
    rate.point = [](double s) { return counted_point(20'000, 100, static_cast<Index>(s), false); };
    rate.smoke = {{1, 6, 32}, 48};
    rate.ci = {{1, 3, 10, 32}, 400};
  } else {
    rate.point = [](double d) { return counted_point(2000, static_cast<Index>(d), 3, true); };
    rate.smoke = {{10, 60, 320}, 48};
    rate.ci = {{10, 60, 300, 2000}, 200};
  }
  return rate;
}

}  // namespace

std::vector<Claim> peeling_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours",
                                            "each coordinate of v moves by at most lambda"};
  ClaimList claims("tao.peeling");
  const std::vector<ParameterRange> ranges{{"sparsity", 1, 1, 4, Scale::integer},
                                           {"epsilon", 0.5, 0.001, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 0.99, Scale::logarithmic}};
  const auto at = [](double s, double epsilon, double delta, Index records, Index dimension) {
    return Setting{{{"sparsity", s}, {"epsilon", epsilon}, {"delta", delta}}, records, dimension};
  };
  const Setting corner = at(2, 0.5, 1e-5, 3, 4);
  const SensitivityClaim tight{family(), ranges, 1, 4, {corner}, true};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 4, lines 4 and 7"},
      "At every selection the magnitudes, and at every release the value, move by at most lambda, "
      "and some pair attains it.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.values_without_noise", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 4, line 7 returning v_S"},
             "With every outcome pinned the output is the same on both datasets.", neighbours,
             SensitivityClaim{family(false), ranges, 1, 4, {corner}});
  std::vector<Setting> certified;
  for (const auto& [s, epsilon, delta] : {std::tuple{1.0, 1.0, 1e-5},
                                          {5.0, 1.0, 1e-5},
                                          {10.0, 1.0, 1e-5},
                                          {20.0, 1.0, 1e-5},
                                          {50.0, 1.0, 1e-5},
                                          {50.0, 0.1, 1e-5},
                                          {50.0, 1.0, 1e-9},
                                          {50.0, 1.0, 0.1}})
    certified.push_back(at(s, epsilon, delta, 10, 60));
  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  claims.add("privacy", Edition::printed, Expectation::holds, {paper, "Algorithm 4; Lemma 22"},
             "Peeling with Laplace noise of scale 4 lambda sqrt(2 s log(1/delta))/epsilon is "
             "(epsilon, delta)-DP for 0 < epsilon < 1 (epsilon = 1 in the table) and 0 < delta <= "
             "0.999.",
             neighbours,
             PrivacyClaim{family(),
                          guarantee,
                          {at(1, 1, 1e-5, 1, 2), at(4, 1, 1e-5, 1, 4), at(1, 1, 0.999, 1, 1)},
                          certified});
  claims.add(
      "privacy.large_delta", Edition::printed, Expectation::refuted,
      {paper, "Algorithm 4; Lemma 22, 0 < delta < 1"},
      "The same for every delta < 1. The noise shrinks like sqrt(1 - delta) near 1, faster "
      "than what delta allows grows.",
      neighbours,
      PrivacyClaim{family(), guarantee, {at(1, 1, 0.9999, 1, 1), at(1, 1, 0.99999, 1, 1)}, {}});
  const PrivacyGuarantee hard{0.2, 1e-6};
  add_floor(claims, "", "Algorithm 4 on the mean of the thresholded records",
            "Lemma 27 with the words of a linear code and the constants of Barber and Duchi (2014)",
            estimation_floor(
                {.words = sparse_words(4, 31), .records = 60}, hard,
                family()({{"sparsity", 4}, {"epsilon", hard.epsilon}, {"delta", hard.delta}})));
  claims.add(
      "rate", Edition::corrected, Expectation::holds,
      {here, "the variance of a mean and of Laplace noise"},
      "Peeling of the mean of n signs lies within s/n + 2 s b^2 of the s-sparse mean, up to a "
      "constant, in squared distance.",
      neighbours, [] {
        RateClaim rate = hu::peeling_rate(peeling_factor);
        rate.ci = {{500, 5e3, 5e4, 2e5}, 60};
        rate.nightly = {{500, 5e3, 5e4, 5e5, 2e6}, 80};
        return rate;
      }());
  claims.add("rate.sparsity", Edition::corrected, Expectation::holds,
             {here, "the variance of a mean and of Laplace noise"},
             "The squared distance grows in s no faster than s/n + 2 s b^2, b^2 like s: s^2 where "
             "the noise is most of it.",
             neighbours, counted_rate("s"));
  claims.add("rate.dimension", Edition::corrected, Expectation::holds,
             {here, "the variance of a mean; Lemma 26, Laplace noise over d coordinates"},
             "The squared distance grows in d no faster than s/n + 2 s b^2 log^2 d.", neighbours,
             counted_rate("d"));
  claims.append(peeling_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm peeling_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double limit = options.number("threshold");
    require(limit > 0, "--threshold", limit, "positive");
    const PeelingParameters p{.sparsity = options.integer("sparsity"),
                              .sensitivity = 2 * limit / static_cast<double>(data.size()),
                              .epsilon = options.number("epsilon"),
                              .delta = options.number("delta"),
                              .factor = peeling_factor};
    require(p.sparsity >= 1 && p.sparsity <= data.dimension(), "--sparsity",
            static_cast<double>(p.sparsity),
            "in 1.." + std::to_string(data.dimension()) + " (the number of features)");
    require(p.epsilon > 0 && p.epsilon < 1, "--epsilon", p.epsilon, "in (0, 1)");
    require(p.delta > 0 && p.delta < 1, "--delta", p.delta, "in (0, 1)");
    PreparedRun run;
    run.mechanism = [p, limit](const Dataset& records, Releases& releases) {
      return peeling(thresholded(records.features, limit).colwise().mean(), p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "tao.peeling.privacy.printed";
    run.parameters = {{"sparsity", std::to_string(p.sparsity)},
                      {"threshold", to_text(limit)},
                      {"sensitivity of a coordinate", to_text(p.sensitivity)},
                      {"noise scale", to_text(noise_scale(p))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return (view.features.rowwise() - w.transpose()).rowwise().squaredNorm().mean();
    };
    run.risk_name = "mean squared distance of the features from w";
    return run;
  };
  return {"tao.peeling",
          "private selection of the s largest means of thresholded features, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 4",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"sparsity", "1", "s, 1 to the number of features"},
           {"threshold", "1", "features beyond it count as 0"}},
          prepare,
          peeling_claims};
}

}  // namespace dpverify::tao
