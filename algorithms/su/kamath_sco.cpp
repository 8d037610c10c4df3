#include "algorithms/su/kamath_sco.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/problems/counted_mean.hpp"
#include "algorithms/tao/median_of_means.hpp"

namespace dpverify::su {
namespace {

void validate(const KamathScoParameters& p, Index records) {
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
  require(p.clip > 0 && std::isfinite(p.clip), "clipping limit", p.clip, "positive and finite");
  require(p.blocks >= 1 && p.blocks <= records, "blocks m", static_cast<double>(p.blocks),
          "in 1.." + std::to_string(records) + " (the number of records)");
}

double sensitivity(const KamathScoParameters& p, Index records, Index dimension) {
  const Index block = records / p.blocks;
  return 2 * p.clip * std::sqrt(static_cast<double>(dimension)) / static_cast<double>(block);
}

// One fault: without clipping, or with `budget` times the privacy budget rho.
struct Fault {
  bool clips = true;
  double budget = 1;
};

// With the estimator on `gradients` of all the data.
VectorXd descend(const Dataset& data, const KamathScoParameters& p, const GradientOracle& gradients,
                 const tao::MeanEstimator& estimator, Releases& releases) {
  const std::vector<VectorXd> iterates = tao::sco_framework(data,
                                                            {.gradients = gradients,
                                                             .radius = p.radius,
                                                             .initial = p.initial,
                                                             .step = p.step,
                                                             .iterations = p.iterations,
                                                             .split = false},
                                                            estimator, releases);
  VectorXd sum = VectorXd::Zero(data.dimension());
  for (const VectorXd& w : iterates) sum += w;
  return sum / static_cast<double>(iterates.size());
}

VectorXd run(const Dataset& data, const KamathScoParameters& p, Releases& releases,
             const Fault& fault = {}) {
  validate(p, data.size());
  const tao::MeanEstimator estimator = [&](const Matrix& gradients, Releases& door) {
    const Matrix clipped = fault.clips ? clipped_entries(gradients, p.clip) : gradients;
    return door.release(
        GaussianNoise{median_of_means(clipped, p.blocks, MiddlePair::lower),
                      sensitivity(p, data.size(), data.dimension()),
                      noise_deviation(p, data.size(), data.dimension()) / std::sqrt(fault.budget)});
  };
  return descend(data, p, p.gradients, estimator, releases);
}

}  // namespace

double zcdp_budget(double epsilon, double delta) {
  const double logarithm = -std::log(delta);
  // The difference of the roots without cancellation.
  return std::pow(epsilon / (std::sqrt(logarithm + epsilon) + std::sqrt(logarithm)), 2);
}

double noise_deviation(const KamathScoParameters& p, Index records, Index dimension) {
  return sensitivity(p, records, dimension) *
         std::sqrt(static_cast<double>(p.iterations) / (2 * zcdp_budget(p.epsilon, p.delta)));
}

VectorXd kamath_sco(const Dataset& data, const KamathScoParameters& p, Releases& releases) {
  return run(data, p, releases);
}

VectorXd kamath_sco(const tao::BlockGradients& block_gradients, Index n, const Dataset& data,
                    const KamathScoParameters& p, Releases& releases) {
  validate(p, n);
  const tao::MeanEstimator estimator = [&](const Matrix& means, Releases& door) {
    return door.release(GaussianNoise{median_of_means(means, p.blocks, MiddlePair::lower),
                                      sensitivity(p, n, data.dimension()),
                                      noise_deviation(p, n, data.dimension())});
  };
  return descend(data, p, block_gradients, estimator, releases);
}

KamathScoParameters kamath_sco_from_theorem(Index n, Index dimension, double radius,
                                            double gradient_bound, double variance, double epsilon,
                                            double delta, double failure_probability) {
  require(radius > 0 && std::isfinite(radius), "radius", radius, "positive and finite");
  require(gradient_bound > 0 && std::isfinite(gradient_bound), "gradient bound R", gradient_bound,
          "positive and finite");
  require(variance >= 0 && std::isfinite(variance), "variance", variance, "finite and at least 0");
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  const double records = static_cast<double>(n), d = static_cast<double>(dimension);
  KamathScoParameters p{.radius = radius,
                        .initial = VectorXd::Zero(dimension),
                        .clip = std::sqrt((variance + gradient_bound * gradient_bound) * epsilon *
                                          records / std::sqrt(d)),
                        .blocks = tao::block_count(n, dimension, failure_probability),
                        .epsilon = epsilon,
                        .delta = delta};
  // The noise of T steps is sqrt(T) times that of one.
  const double one = noise_deviation(p, n, dimension) * std::sqrt(d);
  p.iterations = static_cast<Index>(std::clamp(std::pow(gradient_bound / (8 * one), 2), 1.0, 1e15));
  p.step = 2 * radius / (gradient_bound * std::sqrt(static_cast<double>(p.iterations)));
  return p;
}

double kamath_sco_bound(double n, double dimension, double diameter, double epsilon) {
  return diameter * dimension / std::sqrt(n) +
         std::sqrt(diameter) * std::pow(dimension, 1.25) / std::sqrt(n * epsilon);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string here = "this project";

MechanismFamily family(const Fault& fault = {}) {
  return [fault](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      return run(data,
                 {.gradients = numbered_oracle(point.at("loss")),
                  .initial = VectorXd::Zero(data.dimension()),
                  .step = point.at("step"),
                  .iterations = static_cast<Index>(point.at("iterations")),
                  .clip = point.at("clip"),
                  .blocks = std::min(static_cast<Index>(point.at("blocks")), data.size()),
                  .epsilon = point.at("epsilon"),
                  .delta = point.at("delta")},
                 releases, fault);
    };
  };
}

// Means of d numbers, loss -<w, x>, C the unit ball: the average over the way from w_0 to the
// boundary is as far from the optimum as Theorem 15 allows, M R/sqrt T. R is 3, four times what it
// need be, so that the steps are short and the way is not a matter of a few. (For a strongly convex
// loss it is at 1/T, and at 0 where T = 1 and the first step finds the mean at once: such a curve
// falls, then rises where T leaves 1, then falls again.)
RatePoint counted_point(Index n, Index dimension, double epsilon) {
  constexpr double delta = 1e-3, xi = 0.95;
  const auto d = static_cast<double>(dimension);
  const CountedMean law{dimension, dimension, {5 / std::sqrt(d), 0.7 / std::sqrt(d)}, {0.01, 0.99}};
  const double variance = 0.2;  // of a coordinate, at most; 0.1831 for d = 1
  const KamathScoParameters p =
      kamath_sco_from_theorem(n, dimension, 1, 3, variance, epsilon, delta, xi);
  const Index block = n / p.blocks;
  const tao::BlockGradients gradients = [=](const VectorXd&, const DataView& counts) {
    return law.block_means(counts, block,
                           [&](Index, double x) { return std::clamp(-x, -p.clip, p.clip); });
  };
  return {
      .records = n,
      .mechanism =
          [=](const Dataset& counts, Releases& releases) {
            return kamath_sco(gradients, n, counts, p, releases);
          },
      .bound = kamath_sco_bound(static_cast<double>(n), d, 2, epsilon),
      .dimension = dimension,
      .draw = [=](Index, RandomStream& stream) { return law.draw(p.blocks, block, stream); },
      .excess_risk = [mean = law.mean()](const VectorXd& w) { return mean.norm() - mean.dot(w); }};
}

RateClaim counted_rate(const std::string& variable) {
  RateClaim rate{
      .variable = variable,
      .problem = std::string("the mean of ") + (variable == "d" ? "d numbers" : "a number") +
                 ", 0.7/sqrt(d), and in one case of a hundred 5/sqrt(d), drawn as counts; loss "
                 "-<w, x>, C the unit ball, delta = 1e-3, xi = 0.95"};
  if (variable == "n") {
    rate.exponent = -0.5;
    rate.problem += ", epsilon = 0.99";
    rate.point = [](double n) { return counted_point(static_cast<Index>(n), 1, 0.99); };
    rate.smoke = {{1e7, 6e7, 4e8}, 24};
    rate.ci = {{1e7, 3e7, 1e8, 3e8, 1e9}, 100};
  } else if (variable == "epsilon") {
    rate.exponent = -0.5;
    rate.problem += ", n = 10^8";
    rate.point = [](double epsilon) { return counted_point(100'000'000, 1, epsilon); };
    rate.smoke = {{0.02, 0.14, 0.99}, 24};
    rate.ci = {{0.02, 0.05, 0.14, 0.4, 0.99}, 200};
  } else {
    rate.exponent = 1.25;
    rate.problem += ", n = 10^9, epsilon = 0.99";
    rate.point = [](double d) { return counted_point(1'000'000'000, static_cast<Index>(d), 0.99); };
    rate.smoke = {{2, 11, 64}, 24};
    rate.ci = {{2, 6, 20, 64}, 60};
  }
  return rate;
}

const std::vector<ParameterRange> norm_ranges{{"d", 10, 1, 1e4, Scale::integer},
                                              {"p", 4, 2, 1e6, Scale::logarithmic},
                                              {"n", 1e6, 1, 1e12, Scale::logarithmic},
                                              {"epsilon", 1, 1e-3, 1, Scale::logarithmic}};

}  // namespace

std::vector<Claim> kamath_sco_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "blocks chosen by index"};
  ClaimList claims("su.kamath_sco");
  const std::vector<ParameterRange> ranges{{"loss", 1, 0, 2, Scale::integer},
                                           {"iterations", 1, 1, 4, Scale::integer},
                                           {"blocks", 1, 1, 3, Scale::integer},
                                           {"clip", 1, 0.01, 100, Scale::logarithmic},
                                           {"step", 1, 0.01, 10, Scale::logarithmic},
                                           {"epsilon", 0.5, 0.001, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  const auto at = [](double iterations, Index records, Index dimension = 1, double epsilon = 0.999,
                     double delta = 1e-5) {
    return Setting{{{"loss", 1},
                    {"iterations", iterations},
                    {"blocks", 1},
                    {"clip", 1},
                    {"step", 1},
                    {"epsilon", epsilon},
                    {"delta", delta}},
                   records,
                   dimension};
  };
  const std::vector<Setting> corners{at(1, 3, 2), at(2, 4)};
  const SensitivityClaim tight{family(), ranges, 1, 3, corners, true};
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {here, "Theorem 15, the estimator of Kamath et al."},
             "At every step one record moves the vector of medians by at most 2 clip "
             "sqrt(d)/floor(n/m) in l2, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_clipping", Edition::mutant, Expectation::refuted,
             {here, "the algorithm without clipping"},
             "At every step one record moves the vector of medians by at most 2 clip "
             "sqrt(d)/floor(n/m).",
             neighbours, SensitivityClaim{family({.clips = false}), ranges, 1, 3, corners});
  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  const std::vector<Setting> exact{at(1, 3),
                                   at(10, 3),
                                   at(3, 3, 2),
                                   at(3, 3, 1, 0.01),
                                   at(3, 3, 1, 0.999, 1e-12),
                                   at(3, 3, 1, 0.999, 0.01)};
  std::vector<Setting> certified = exact;
  certified.push_back(at(1000, 3));
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {here, "Theorem 15, with the noise of concentrated privacy"},
             "The algorithm is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
             PrivacyClaim{family(), guarantee, exact, certified});
  claims.add("privacy.double_budget", Edition::mutant, Expectation::refuted,
             {here, "the algorithm with twice the budget rho"},
             "The algorithm is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
             PrivacyClaim{family({.budget = 2}), guarantee, {at(1, 3), at(10, 3)}, {}});
  claims.add("rate", Edition::corrected, Expectation::holds,
             {here, "Theorem 15 at p = 2, d = 1, with the constants that it hides"},
             "The excess risk of the average falls as M d/sqrt n + sqrt(M) d^(5/4)/sqrt(n "
             "epsilon).",
             {"Assumption 5", "xi chosen: 0.95"}, counted_rate("n"));
  claims.add("rate.dimension", Edition::corrected, Expectation::holds,
             {here, "Theorem 15 at p = 2, with the constants that it hides"},
             "The excess risk of the average grows in d no faster than M d/sqrt n + sqrt(M) "
             "d^(5/4)/sqrt(n epsilon).",
             {"Assumption 5", "xi chosen: 0.95"}, counted_rate("d"));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {here, "Theorem 15 at p = 2, d = 1, with the constants that it hides"},
             "The excess risk of the average falls in epsilon as M d/sqrt n + sqrt(M) "
             "d^(5/4)/sqrt(n epsilon).",
             {"Assumption 5", "xi chosen: 0.95"}, counted_rate("epsilon"));
  claims.add("lemma.change_of_norms", Edition::printed, Expectation::holds,
             {paper, "(29), from the bound of Kamath et al. at the l2 diameter d^(1/2-1/p) M"},
             "M' d/sqrt n + sqrt(M') d^(5/4)/sqrt(n epsilon) at M' = d^(1/2-1/p) is at most "
             "d^(3/2-1/p)/sqrt n + d^(3/2-1/(2p))/sqrt(n epsilon).",
             {"M = 1"}, LemmaClaim{norm_ranges, [](const ParameterPoint& at) {
                                     const double d = at.at("d"), p = at.at("p"), n = at.at("n");
                                     const double epsilon = at.at("epsilon");
                                     const double diameter = std::pow(d, 0.5 - 1 / p);
                                     return LemmaClaim::Sides{
                                         kamath_sco_bound(n, d, diameter, epsilon),
                                         (std::pow(d, 1.5 - 1 / p) / std::sqrt(n) +
                                          std::pow(d, 1.5 - 1 / (2 * p)) / std::sqrt(n * epsilon)) *
                                             (1 + 1e-12)};
                                   }});
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm kamath_sco_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Index n = data.size(), d = data.dimension();
    KamathScoParameters p =
        kamath_sco_from_theorem(n, d, options.number("radius"), options.number("gradient-bound"),
                                options.number("variance"), options.number("epsilon"),
                                options.number("delta"), options.number("failure-probability"));
    const Loss loss = loss_from_name(options.text("loss"));
    validate_labels(loss, data.all());
    p.gradients = gradient_oracle(loss);
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("clip")) p.clip = options.number("clip");
    if (!options.is_auto("blocks")) p.blocks = options.integer("blocks");
    if (!options.is_auto("step")) p.step = options.number("step");
    validate(p, n);
    require(p.iterations >= 1, "--iterations", static_cast<double>(p.iterations), "at least 1");
    require(p.step > 0, "--step", p.step, "positive");
    require(p.epsilon < 1, "--epsilon", p.epsilon, "in (0, 1)");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return kamath_sco(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "su.kamath_sco.privacy.corrected";
    run.parameters = {{"loss", std::string(name(loss))},
                      {"iterations", std::to_string(p.iterations)},
                      {"step", to_text(p.step)},
                      {"clip", to_text(p.clip)},
                      {"blocks", std::to_string(p.blocks)},
                      {"rho", to_text(zcdp_budget(p.epsilon, p.delta))},
                      {"noise standard deviation", to_text(noise_deviation(p, n, d))}};
    run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
      return empirical_risk(loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {
      "su.kamath_sco",
      "private gradient descent with medians of means of clipped gradients, (epsilon, delta)-DP",
      "Kamath, Liu and Zhang, Algorithm 1; Su, Zhao and Wang, Theorem 15",
      {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
       {"delta", "1e-5", "privacy parameter, in (0, 1)"},
       {"loss", "squared",
        "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or "
        "pseudo_huber"},
       {"radius", "1", "of the l2 ball"},
       {"iterations", "auto", "T; auto: balanced"},
       {"clip", "auto", "positive; auto: (sigma^2 + R^2)^(1/2) (epsilon n)^(1/2)/d^(1/4)"},
       {"blocks", "auto", "m; auto: ceil(4 log(2d/xi))"},
       {"step", "auto", "eta, positive; auto: 2 radius/(R sqrt T)"},
       {"gradient-bound", "1", "R of Assumption 5: a public guess"},
       {"variance", "1", "sigma^2 of Assumption 5: a public guess"},
       {"failure-probability", "0.05", "xi, in (0, 1)"}},
      prepare,
      kamath_sco_claims};
}

}  // namespace dpverify::su
