#include "algorithms/su/regularized_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

void validate(const RegularizedMirrorParameters& p) {
  require(p.iterations >= 1, "iterations T", static_cast<double>(p.iterations), "at least 1");
  require(p.regularisation > 0 && std::isfinite(p.regularisation), "regularisation alpha",
          p.regularisation, "positive and finite");
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
}

// How far one record moves the mean gradient, in the dual norm.
double sensitivity(const RegularizedMirrorParameters& p, Index n) {
  return 2 * p.lipschitz / static_cast<double>(n);
}

double noise_scale(const RegularizedMirrorParameters& p, Index n, double kappa) {
  const auto iterations = static_cast<double>(p.iterations);
  if (p.edition == Edition::printed)
    return 8 * p.lipschitz * std::sqrt(kappa * iterations * -std::log(p.delta)) /
           (static_cast<double>(n) * p.epsilon);
  return sensitivity(p, n) *
         std::sqrt(kappa * iterations / (2 * concentrated_budget(p.epsilon, p.delta)));
}

}  // namespace

VectorXd regularized_mirror_descent(const MeanGradient& mean_gradient, Index n, Index dimension,
                                    const RegularizedMirrorParameters& p, Releases& releases) {
  validate(p);
  const MirrorSpace space = mirror_space(p.p, dimension, p.edition);
  const double beta = smoothness(p.loss, p.lipschitz), alpha = p.regularisation;
  const double growth = 1 + alpha / (2 * beta);
  const double scale = noise_scale(p, n, space.kappa);
  VectorXd w = VectorXd::Zero(dimension), average = w;
  double inverse_share = 0;  // sum over s <= t of growth^s, divided by growth^t
  for (Index t = 1; t <= p.iterations; ++t) {
    const VectorXd g = release_in(space, mean_gradient(w), sensitivity(p, n), scale, releases);
    // argmin <g, v> + beta D(v, w) + alpha Phi(v)
    w = mirror_step(space.map, w, g, beta, alpha);
    inverse_share = 1 + inverse_share / growth;
    average += (w - average) / inverse_share;
  }
  return average;
}

VectorXd regularized_mirror_descent(const Dataset& data, const RegularizedMirrorParameters& p,
                                    Releases& releases) {
  validate(p);
  const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
  const Dataset records = lipschitz_records(p.loss, data, space.dual, p.lipschitz);
  const auto mean_gradient = [&](const VectorXd& w) -> VectorXd {
    return gradients(p.loss, w, records.all()).colwise().mean();
  };
  return regularized_mirror_descent(mean_gradient, data.size(), data.dimension(), p, releases);
}

RegularizedMirrorParameters regularized_mirror_from_theorem(Index n, Index dimension, double p,
                                                            double epsilon, double delta, Loss loss,
                                                            double lipschitz, Edition edition) {
  RegularizedMirrorParameters out{.loss = loss,
                                  .p = p,
                                  .lipschitz = lipschitz,
                                  .epsilon = epsilon,
                                  .delta = delta,
                                  .edition = edition};
  validate(out);
  const double kappa = mirror_space(p, dimension, edition).kappa;
  const auto records = static_cast<double>(n);
  const double signal = records * epsilon * std::sqrt(kappa) /
                        std::sqrt(static_cast<double>(dimension) * -std::log(delta));
  out.iterations = static_cast<Index>(std::clamp(std::pow(signal, 0.4), 1.0, records / 2));
  const auto iterations = static_cast<double>(out.iterations);
  const double beta = smoothness(loss, lipschitz);
  out.regularisation =
      std::min(beta, 4 * beta / (iterations + 1) * std::log2(records / iterations));
  return out;
}

double regularized_mirror_bound(Index n, Index dimension, double kappa, double epsilon,
                                double delta) {
  const auto records = static_cast<double>(n);
  return std::pow(kappa, 0.8) *
         std::pow(
             std::sqrt(static_cast<double>(dimension) * -std::log(delta)) / (records * epsilon),
             0.4) *
         std::log2(records);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang (main text and supplement)";
const std::string here = "this project";

MechanismFamily family(Edition edition, double noise = 1) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      return regularized_mirror_descent(
          data,
          {.loss = point.at("logistic") == 1 ? Loss::logistic : Loss::pseudo_huber,
           .p = point.at("p"),
           .lipschitz = point.at("lipschitz"),
           .iterations = static_cast<Index>(point.at("iterations")),
           .regularisation = point.at("alpha"),
           .epsilon = point.at("epsilon") / noise,
           .delta = point.at("delta"),
           .edition = edition},
          releases);
    };
  };
}

// Two features of independent signs, w* = (1/2, -1/2), one label in fifty moved by +-10; p = 1.5,
// so L = ||(1, 1)||_3.
RateClaim theorem_rate(Edition edition, const std::string& variable) {
  const SignModel model{.optimum = (VectorXd(2) << 0.5, -0.5).finished(), .outlier_share = 0.02};
  const double p = 1.5, delta = 1e-5, lipschitz = std::cbrt(2.0);
  const double kappa = mirror_space(p, 2, edition).kappa;
  RateClaim rate{
      .variable = variable,
      .problem =
          "pseudo-Huber regression, 2 features of independent signs, w* = (1/2, -1/2), one label "
          "in fifty moved by +-10, drawn as counts; p = 1.5, delta = 1e-5; population risk by "
          "exact "
          "summation; " +
          std::string(variable == "n" ? "epsilon = 0.9" : "n = 10^7"),
      .exponent = -0.4,
      .dimension = 2,
      .draw = [model](Index n, RandomStream& stream) { return model.draw_counts(n, stream); },
      .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  const auto at = [=](Index records, double epsilon) {
    const RegularizedMirrorParameters parameters = regularized_mirror_from_theorem(
        records, 2, p, epsilon, delta, Loss::pseudo_huber, lipschitz, edition);
    return RatePoint{records,
                     [=](const Dataset& counts, Releases& releases) {
                       return regularized_mirror_descent(
                           [&](const VectorXd& w) { return model.mean_gradient(counts, w, 0); },
                           records, 2, parameters, releases);
                     },
                     regularized_mirror_bound(records, 2, kappa, epsilon, delta)};
  };
  if (variable == "n") {
    rate.point = [at](double n) { return at(static_cast<Index>(n), 0.9); };
    rate.smoke = {{3e5, 1e6, 3e6, 1e7}, 24};
    rate.ci = {{3e5, 1e6, 3e6, 1e7}, 100};
  } else {
    rate.point = [at](double epsilon) { return at(10'000'000, epsilon); };
    rate.smoke = {{0.027, 0.15, 0.9}, 24};
    rate.ci = {{0.027, 0.09, 0.3, 0.9}, 100};
  }
  return rate;
}

}  // namespace

std::vector<Claim> regularized_mirror_claims() {
  const std::vector<std::string> assumptions{
      "replace-one neighbours", "convex loss, L-Lipschitz and beta-smooth in ||.||_p, 1 < p < 2"};
  ClaimList claims("su.regularized_mirror_descent");
  const auto ranges = [](double smallest_p, double largest_p) {
    return std::vector<ParameterRange>{{"logistic", 0, 0, 1, Scale::integer},
                                       {"p", largest_p, smallest_p, largest_p, Scale::linear},
                                       {"lipschitz", 1, 0.01, 100, Scale::logarithmic},
                                       {"iterations", 1, 1, 4, Scale::integer},
                                       {"alpha", 0.1, 1e-3, 10, Scale::logarithmic},
                                       {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                                       {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  };
  const auto at = [](double p, double iterations, double epsilon, double delta) {
    return ParameterPoint{{"logistic", 0},  {"p", p},
                          {"lipschitz", 1}, {"iterations", iterations},
                          {"alpha", 0.1},   {"epsilon", epsilon},
                          {"delta", delta}};
  };
  const std::vector<Setting> corners{
      {at(1.5, 2, 1, 1e-5), 4, 2}, {at(1.1, 2, 1, 1e-5), 4, 2}, {at(4.0 / 3, 1, 1, 1e-5), 10, 3}};
  const Source line_4{paper, "Algorithm 3; proof of Theorem 6"};
  claims.add("sensitivity", Edition::printed, Expectation::holds, line_4,
             "One record moves the mean gradient by at most 2L/n in the dual norm, and some pair "
             "attains it.",
             assumptions,
             SensitivityClaim{family(Edition::printed), ranges(1.01, 1.9), 2, 4, corners, true});
  claims.add(
      "sensitivity", Edition::corrected, Expectation::holds, line_4,
      "The same with the corrected mirror map and noise, in any dimension and for 1 < p <= 2.",
      assumptions,
      SensitivityClaim{family(Edition::corrected), ranges(1.01, 2), 1, 4, corners, true});
  add_mutants(claims, {family(Edition::corrected), ranges(1.01, 2), 1, 4, corners}, assumptions);

  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  std::vector<Setting> certified;
  for (const double p : {1.9, 1.5, 1.2, 1.01})
    for (const double iterations : {1.0, 20.0})
      for (const double delta : {1e-2, 1e-5})
        certified.push_back({at(p, iterations, 1, delta), 20, 3});
  const std::vector<Setting> exact{{at(2, 1, 1, 1e-5), 4, 1}, {at(2, 3, 1, 1e-5), 4, 1}};
  claims.add(
      "privacy", Edition::printed, Expectation::holds, {paper, "Theorem 6"},
      "Algorithm 3 with sigma^2 = 64 L^2 kappa T log(1/delta)/(n^2 epsilon^2) is (epsilon, "
      "delta)-DP for 0 < epsilon, delta < 1.",
      assumptions,
      PrivacyClaim{
          .mechanism = family(Edition::printed), .guarantee = guarantee, .certified = certified});
  claims.add(
      "privacy", Edition::corrected, Expectation::holds,
      {here, "Theorem 6 by concentrated differential privacy"},
      "With kappa = (r - 1) d^(2/r - 2/q) and sigma^2 = kappa T (2L/n)^2/(2 rho), rho + 2 sqrt(rho "
      "log(1/delta)) = epsilon, it is (epsilon, delta)-DP for 0 < delta < 1 and every epsilon > 0.",
      assumptions, PrivacyClaim{family(Edition::corrected), guarantee, exact, certified});
  claims.add("privacy.half_noise", Edition::mutant, Expectation::refuted,
             {here, "planted fault: half of the noise (p = 2)"},
             "The same with noise for twice the epsilon.", assumptions,
             PrivacyClaim{family(Edition::corrected, 0.5), guarantee, {exact.front()}, {}});
  const std::string statement =
      "With the supplement's T and alpha the excess risk falls as kappa^(4/5) (sqrt(d "
      "log(1/delta))/(n epsilon))^(2/5), log n apart.";
  claims.add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 7, proof"}, statement,
             assumptions, theorem_rate(Edition::printed, "n"));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {here, "Theorem 7 with the corrected mirror map and noise"}, statement, assumptions,
             theorem_rate(Edition::corrected, "n"));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {here, "Theorem 7 with the corrected mirror map and noise"},
             "With the supplement's T and alpha the excess risk falls as epsilon^(-2/5).",
             assumptions, theorem_rate(Edition::corrected, "epsilon"));
  claims.append(regularized_mirror_lemmas());
  claims.append(generalised_gaussian_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm regularized_mirror_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double exponent = options.number("p");
    require(exponent > 1 && exponent <= 2, "--p", exponent, "in (1, 2]");
    const double lipschitz = options.is_auto("lipschitz")
                                 ? std::pow(static_cast<double>(data.dimension()), 1 - 1 / exponent)
                                 : options.number("lipschitz");
    RegularizedMirrorParameters p = regularized_mirror_from_theorem(
        data.size(), data.dimension(), exponent, options.number("epsilon"), options.number("delta"),
        loss_from_name(options.text("loss")), lipschitz, Edition::corrected);
    validate_labels(p.loss, data.all());
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("regularisation")) p.regularisation = options.number("regularisation");
    validate(p);
    const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return regularized_mirror_descent(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "su.regularized_mirror_descent.privacy.corrected";
    run.parameters = {{"loss", std::string(name(p.loss))},
                      {"p", to_text(p.p)},
                      {"Lipschitz constant", to_text(p.lipschitz)},
                      {"iterations", std::to_string(p.iterations)},
                      {"regularisation", to_text(p.regularisation)},
                      {"norm of the noise", to_text(space.noise_norm)},
                      {"noise scale", to_text(noise_scale(p, data.size(), space.kappa))}};
    run.empirical_risk = [p, space](const DataView& view, const VectorXd& w) {
      const Dataset data{view.features, view.labels};
      const Dataset records = lipschitz_records(p.loss, data, space.dual, p.lipschitz);
      return empirical_risk(p.loss, w, records.all());
    };
    run.risk_name = "mean " + std::string(name(p.loss)) + " loss, features shrunk as above";
    return run;
  };
  return {"su.regularized_mirror_descent",
          "noisy regularised mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
          "Su, Zhao and Wang, Algorithm 3",
          {{"epsilon", "1", "privacy parameter, positive"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"p", "1.5", "in (1, 2]: w is measured in l_p, features in the dual norm"},
           {"loss", "pseudo_huber", "pseudo_huber or logistic (labels -1 and 1)"},
           {"lipschitz", "auto",
            "L: records with longer features (dual norm) are shrunk to this; auto: d^(1 - 1/p), "
            "which features in [-1, 1] never exceed"},
           {"iterations", "auto", "T, at least 1; auto: Theorem 7"},
           {"regularisation", "auto", "alpha, positive; auto: Theorem 7"}},
          prepare,
          regularized_mirror_claims};
}

}  // namespace dpverify::su
