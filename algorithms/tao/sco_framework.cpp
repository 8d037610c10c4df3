#include "algorithms/tao/sco_framework.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/lemmas.hpp"

namespace dpverify::tao {
namespace {

void validate(const FrameworkParameters& p, const Dataset& data) {
  require(p.iterations >= 1 && (!p.split || p.iterations <= data.size()), "iterations T",
          static_cast<double>(p.iterations),
          p.split ? "in 1.." + std::to_string(data.size()) + " (the number of records)"
                  : std::string("at least 1"));
  require(p.radius > 0 && std::isfinite(p.radius), "radius", p.radius, "positive and finite");
  require(p.step > 0 && std::isfinite(p.step), "step eta", p.step, "positive and finite");
  require(p.initial.size() == data.dimension(), "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(data.dimension()));
  const double norm = p.initial.norm();
  require(norm <= p.radius * (1 + 1e-12), "norm of the initial point", norm,
          "at most the radius, " + to_text(p.radius));
}

VectorXd projected(const VectorXd& w, double radius) {
  const double norm = w.stableNorm();
  return norm > radius ? VectorXd(w * (radius / norm)) : w;
}

void validate_estimator(const TruncatedScoParameters& p) {
  require(p.truncation > 0 && std::isfinite(p.truncation), "truncation B", p.truncation,
          "positive and finite");
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta <= 1, "delta", p.delta, "in (0, 1]");
}

// Algorithm 1 on each coordinate of m x d numbers.
VectorXd truncated_means(const Matrix& values, const TruncatedScoParameters& p,
                         Releases& releases) {
  const Matrix kept = thresholded(values, p.truncation);
  const double sensitivity = 2 * std::sqrt(static_cast<double>(values.cols())) * p.truncation /
                             static_cast<double>(values.rows());
  return releases.release(
      GaussianNoise{kept.colwise().mean(), sensitivity,
                    std::sqrt(2 * std::log(1.25 / p.delta)) * sensitivity / p.epsilon});
}

}  // namespace

std::vector<VectorXd> sco_framework(const Dataset& data, const FrameworkParameters& p,
                                    const MeanEstimator& estimator, Releases& releases) {
  validate(p, data);
  std::vector<VectorXd> iterates;
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const DataView part = p.split ? data.part(t, p.iterations) : data.all();
    const VectorXd g = estimator(p.gradients(w, part), releases);  // step 2
    w = projected(w - p.step * g, p.radius);                       // step 3
    iterates.push_back(w);
  }
  return iterates;
}

VectorXd truncated_sco(const Dataset& data, const TruncatedScoParameters& p, Releases& releases) {
  validate_estimator(p);
  const MeanEstimator estimator = [&p](const Matrix& gradients, Releases& door) {
    return truncated_means(gradients, p, door);
  };
  return sco_framework(data, p.framework, estimator, releases).back();
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

// Without the split every step sees all the data, with the noise that suits it.
MechanismFamily family(bool split = true) {
  return [split](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      const TruncatedScoParameters p{
          .framework = {.gradients = numbered_oracle(point.at("loss")),
                        .initial = VectorXd::Zero(data.dimension()),
                        .step = point.at("step"),
                        .iterations =
                            std::min(static_cast<Index>(point.at("iterations")), data.size()),
                        .split = split},
          .truncation = point.at("truncation"),
          .epsilon = point.at("epsilon"),
          .delta = point.at("delta")};
      return truncated_sco(data, p, releases);
    };
  };
}

// The mean of one number by T = ceil(log n) steps, alpha = beta = 1, eta = 1/2 (Lemma 18).
RateClaim rate() {
  const HeavyMean model{.centre = 0.8, .share = 0.01, .tail = 2.05};
  const double mean = model.mean(), moment = 4 * model.moment(2), epsilon = 0.99, delta = 0.01;
  return {.variable = "n",
          .problem =
              "the mean of numbers that are 0.8, and in one case of a hundred Pareto of index "
              "2.05, loss (w - x)^2/2, W = [-2, 2], v = 1, epsilon = 0.99, delta = 0.01",
          .exponent = -1,
          .by_parts = true,
          .point =
              [=](double n) {
                const auto records = static_cast<Index>(n);
                TruncatedScoParameters p{
                    .framework = {.gradients = mean_point_gradients,
                                  .radius = 2,
                                  .initial = VectorXd::Zero(1),
                                  .step = 0.5,
                                  .iterations = static_cast<Index>(std::ceil(std::log(n)))},
                    .epsilon = epsilon,
                    .delta = delta};
                const double part = n / static_cast<double>(p.framework.iterations);
                p.truncation = std::sqrt(moment * part * epsilon);
                return RatePoint{records,
                                 [p](const Dataset& data, Releases& releases) {
                                   return truncated_sco(data, p, releases);
                                 },
                                 moment * std::log(1.25 / delta) / (part * epsilon)};
              },
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [mean](const VectorXd& w) { return std::pow(w[0] - mean, 2) / 2; },
          .smoke = {{5e3, 2e4, 8e4, 3.2e5}, 40},
          .ci = {{5e3, 5e4, 5e5, 2e6}, 60},
          .nightly = {{5e3, 5e4, 5e5, 5e6, 2e7}, 70}};
}

}  // namespace

std::vector<Claim> sco_framework_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};
  ClaimList claims("tao.sco_framework");
  const std::vector<ParameterRange> ranges{{"loss", 1, 0, 2, Scale::integer},
                                           {"iterations", 1, 1, 4, Scale::integer},
                                           {"truncation", 1, 0.01, 100, Scale::logarithmic},
                                           {"step", 1, 0.01, 10, Scale::logarithmic},
                                           {"epsilon", 0.5, 0.001, 1, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 1, Scale::logarithmic}};
  const auto at = [](double loss, double iterations, Index records, Index dimension,
                     double epsilon = 1) {
    return Setting{{{"loss", loss},
                    {"iterations", iterations},
                    {"truncation", 1},
                    {"step", 1},
                    {"epsilon", epsilon},
                    {"delta", 1e-5}},
                   records,
                   dimension};
  };
  const std::vector<Setting> corners{at(1, 1, 3, 2), at(1, 2, 4, 3)};
  const SensitivityClaim tight{family(), ranges, 1, 3, corners, true};
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {here, "Algorithm 6 with Algorithm 1 on every coordinate"},
             "One record moves the estimate of its part of m records by at most 2 sqrt(d) B/m in "
             "l2, no other estimate, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  const std::vector<Setting> settings{at(1, 1, 3, 2), at(1, 3, 6, 1), at(1, 4, 8, 2, 0.1)};
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {here, "Algorithm 6 on disjoint parts, by parallel composition"},
             "With an (epsilon, delta)-DP estimator and disjoint X_t the iterates are (epsilon, "
             "delta)-DP.",
             neighbours, PrivacyClaim{family(), guarantee, settings, settings});
  claims.add("privacy.no_split", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 6 with X_t = X and an (epsilon, delta)-DP estimator"},
             "The iterates are (epsilon, delta)-DP.", neighbours,
             PrivacyClaim{family(false), guarantee, {at(1, 4, 4, 1)}, {}});
  claims.add("rate", Edition::corrected, Expectation::holds,
             {here, "Algorithm 6 with Algorithm 1, Lemma 18 with its variance"},
             "For a strongly convex loss the excess risk falls like the variance of one estimate, "
             "in n like log n/n for v = 1.",
             neighbours, rate());
  // Means of norm 0.71 in the unit ball; loss 0 is ||w - x||^2/2.
  const HardLaws laws{.words = half_weight_words(64), .records = 60, .size = 0.25};
  const PrivacyGuarantee hard{0.15, 1e-6};
  add_floor(claims, "", "Algorithm 6 with Algorithm 1",
            "Theorem 8 with the words of a Hadamard matrix and the constants of Barber and Duchi "
            "(2014)",
            estimation_floor(laws, hard,
                             family()({{"loss", 0},
                                       {"step", 0.75},
                                       {"iterations", 2},
                                       {"truncation", 1 + laws.size},
                                       {"epsilon", hard.epsilon},
                                       {"delta", hard.delta}})));
  claims.append(sco_framework_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm sco_framework_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Loss loss = loss_from_name(options.text("loss"));
    validate_labels(loss, data.all());
    TruncatedScoParameters p{.framework = {.gradients = gradient_oracle(loss),
                                           .radius = options.number("radius"),
                                           .initial = VectorXd::Zero(data.dimension()),
                                           .step = options.number("step"),
                                           .iterations = options.integer("iterations")},
                             .epsilon = options.number("epsilon"),
                             .delta = options.number("delta")};
    validate(p.framework, data);
    const Index size = data.size() / p.framework.iterations;
    const auto part = static_cast<double>(size);
    const double order = options.number("order");
    require(order > 0 && order <= 1, "--order", order, "in (0, 1]");
    p.truncation = options.is_auto("truncation")
                       ? std::pow(options.number("moment") * part * p.epsilon, 1 / (1 + order))
                       : options.number("truncation");
    validate_estimator(p);
    require(p.epsilon <= 1, "--epsilon", p.epsilon, "in (0, 1]");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return truncated_sco(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "tao.sco_framework.privacy.corrected";
    run.parameters = {{"loss", std::string(name(loss))},
                      {"radius", to_text(p.framework.radius)},
                      {"iterations", std::to_string(p.framework.iterations)},
                      {"step", to_text(p.framework.step)},
                      {"records in a part", to_text(part)},
                      {"truncation", to_text(p.truncation)}};
    run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
      return empirical_risk(loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {"tao.sco_framework",
          "private gradient descent on disjoint parts with truncated means, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 6 with Algorithm 1",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1]"},
           {"delta", "1e-5", "privacy parameter, in (0, 1]"},
           {"loss", "squared",
            "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or "
            "pseudo_huber"},
           {"radius", "1", "of the l2 ball"},
           {"iterations", "5", "T, 1 to n"},
           {"step", "0.1", "eta, positive"},
           {"truncation", "auto", "B, positive; auto: (u m epsilon)^(1/(1+v))"},
           {"moment", "1", "u >= E|gradient_j|^(1+v): a public guess"},
           {"order", "1", "v, in (0, 1]"}},
          prepare,
          sco_framework_claims};
}

}  // namespace dpverify::tao
