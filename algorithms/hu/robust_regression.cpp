#include "algorithms/hu/robust_regression.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {

FrankWolfeParameters robust_regression_from_theorem(Index n, Index dimension, double epsilon,
                                                    Loss loss, double failure_probability) {
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  require(failure_probability > 0 && failure_probability < 1, "failure probability",
          failure_probability, "in (0, 1)");
  require(loss != Loss::logistic, "loss", name(loss), "a function of the residual");
  const double budget = static_cast<double>(n) * epsilon;
  const double logarithm = std::log(static_cast<double>(dimension) / failure_probability);
  FrankWolfeParameters p;
  p.loss = loss;
  p.polytope = Polytope::l1_ball(dimension, 1);
  p.initial = VectorXd::Zero(dimension);
  p.iterations =
      static_cast<Index>(std::clamp(std::sqrt(budget / logarithm), 1.0, static_cast<double>(n)));
  const auto iterations = static_cast<double>(p.iterations);
  p.scale = std::sqrt(budget / (iterations * (logarithm + std::log(iterations))));
  p.epsilon = epsilon;
  p.step = Step::constant;
  return p;
}

double robust_regression_bound(Index n, Index dimension, double epsilon, double lambda_max,
                               double failure_probability) {
  const auto records = static_cast<double>(n);
  return lambda_max *
         std::pow(std::log(static_cast<double>(dimension) * records / failure_probability) /
                      (records * epsilon),
                  0.25);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Hu, Ni, Xiao and Wang (preprint and published edition)";

Loss robust_loss(const ParameterPoint& point) {
  return static_cast<Loss>(static_cast<int>(point.at("loss")));
}

// The three robust losses stand together at the end of the enumeration.
const ParameterRange losses{"loss", static_cast<double>(Loss::pseudo_huber),
                            static_cast<double>(Loss::biweight),
                            static_cast<double>(Loss::pseudo_huber), Scale::integer};

MechanismFamily family(Edition edition) {
  return [edition](const ParameterPoint& point) -> Mechanism {
    return [edition, point](const Dataset& data, Releases& releases) {
      FrankWolfeParameters p;
      p.loss = robust_loss(point);
      p.polytope = Polytope::l1_ball(data.dimension(), 1);
      p.initial = VectorXd::Zero(data.dimension());
      p.iterations = std::min(static_cast<Index>(point.at("iterations")), data.size());
      p.scale = point.at("scale");
      p.epsilon = point.at("epsilon");
      p.step = Step::constant;
      p.sensitivity = edition;
      return dp_frank_wolfe(data, p, releases);
    };
  };
}

Setting at(Loss loss, double iterations, double epsilon, Index records, Index dimension) {
  return {{{"loss", static_cast<double>(loss)},
           {"iterations", iterations},
           {"scale", 0.01},
           {"epsilon", epsilon}},
          records,
          dimension};
}

// c_psi of Lemma 7 on residuals up to `largest`: the infimum of psi'(r)/r.
double curvature_on(Loss loss, double largest) {
  return loss_derivative(loss, largest, 0) / largest;
}

constexpr double failure_probability = 0.25;

RobustModel heavy_model() {
  RobustModel model{.optimum = VectorXd::Zero(4)};
  model.optimum[0] = 0.7;
  model.optimum[1] = -0.3;
  return model;
}

// Theorem 3's parameters and bound.
RatePoint theorem_point(Edition edition, Index n, double epsilon, const RobustModel& model) {
  const Index dimension = model.optimum.size();
  FrankWolfeParameters p =
      robust_regression_from_theorem(n, dimension, epsilon, model.loss, failure_probability);
  p.sensitivity = edition;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return dp_frank_wolfe(data, p, releases); },
          .bound = robust_regression_bound(n, dimension, epsilon, model.second_moment(),
                                           failure_probability)};
}

RateClaim theorem_rate(std::string variable, const std::string& fixed) {
  const RobustModel model = heavy_model();
  return {.variable = std::move(variable),
          .problem =
              "pseudo-Huber regression, 4 features R(+-1, ..., +-1) with P(R = 2^k) ~ 8^(-k/2), k "
              "= 0..5, one label in ten moved by +-10, w* = (0.7, -0.3, 0, 0), unit l1 ball, " +
              fixed + "; population risk by exact summation",
          .exponent = -0.25,
          .failure_probability = failure_probability,
          .dimension = 4,
          .by_parts = true,
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
}

RateClaim records_rate(Edition edition) {
  const RobustModel model = heavy_model();
  RateClaim rate = theorem_rate("n", "epsilon = 1");
  if (edition == Edition::corrected)
    rate.problem += "; the comparators have the weaker (1, n^-1.1)-DP";
  rate.point = [=](double n) {
    RatePoint point = theorem_point(edition, static_cast<Index>(n), 1.0, model);
    if (edition == Edition::corrected)
      point.comparators =
          usual_comparators({.loss = model.loss,
                             .feasible = {.kind = FeasibleSet::Kind::l1_ball, .radius = 1},
                             .initial = VectorXd::Zero(4),
                             .smoothness = model.second_moment(),
                             .second_moment = model.second_moment()},
                            point.records, 1, std::pow(n, -1.1));
    return point;
  };
  rate.smoke = {{1.2e3, 3.9e4}, 24};
  rate.ci = {{1e3, 3.2e3, 1e4, 3.2e4, 1e5}, 60};
  rate.nightly = {{1e3, 3.2e3, 1e4, 3.2e4, 1e5, 3.2e5, 1e6}, 60};
  return rate;
}

RateClaim epsilon_rate() {
  constexpr Index records = 16'000;
  const RobustModel model = heavy_model();
  RateClaim rate = theorem_rate("epsilon", "n = 16000");
  rate.point = [=](double epsilon) {
    return theorem_point(Edition::corrected, records, epsilon, model);
  };
  rate.smoke = {{0.1, 3.2}, 22};
  rate.ci = {{0.1, 0.32, 1, 3.2}, 100};
  return rate;
}

}  // namespace

std::vector<Claim> robust_regression_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};
  ClaimList claims("hu.robust_regression");
  const std::vector<ParameterRange> ranges{losses,
                                           {"iterations", 1, 1, 4, Scale::integer},
                                           {"scale", 1, 0.01, 100, Scale::logarithmic},
                                           {"epsilon", 1, 0.01, 10, Scale::logarithmic}};
  const std::vector<Setting> corners{at(Loss::pseudo_huber, 1, 1, 4, 2),
                                     at(Loss::biweight, 1, 1, 4, 2),
                                     at(Loss::geman_mcclure, 2, 1, 4, 2)};
  claims.add("sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 1, step 6"},
             "With a biweight, Geman-McClure or pseudo-Huber loss a score changes by at most Delta "
             "= ||W||_1 4 sqrt2 s/(3m).",
             neighbours, SensitivityClaim{family(Edition::printed), ranges, 1, 3, corners});
  const SensitivityClaim tight{family(Edition::corrected), ranges, 1, 3, corners, true};
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {"this project", "Algorithm 1, step 6, with the range of the smoothed truncation"},
             "With these losses half the range of the change of the scores is at most ||W||_1 2 "
             "sqrt2 s/(3m) erf(sqrt(beta/2)), and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);

  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{.epsilon = point.at("epsilon")};
  };
  const std::vector<Setting> settings{at(Loss::biweight, 1, 1, 20, 2),
                                      at(Loss::geman_mcclure, 2, 0.1, 20, 2),
                                      at(Loss::pseudo_huber, 2, 1, 40, 1)};
  claims.add("privacy", Edition::printed, Expectation::holds,
             {paper, "Theorem 1 with the loss of Theorem 3"},
             "Algorithm 1 with a biweight, Geman-McClure or pseudo-Huber loss, the constant step "
             "1/sqrt T and the printed Delta is epsilon-DP.",
             neighbours, PrivacyClaim{family(Edition::printed), guarantee, settings});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 1 with the loss of Theorem 3 and the smallest safe Delta"},
             "The same with Delta = ||W||_1 2 sqrt2 s/(3m) erf(sqrt(beta/2)).", neighbours,
             PrivacyClaim{family(Edition::corrected), guarantee, settings});

  // Lemma 7 on the law: one feature, x = `x` with probability `share` and 0 otherwise, no noise, u
  // = w - w*. C_psi = 1 bounds psi' and psi'' of all three losses; h' (0) = psi''(0) = 1, so that
  // any c_psi < 1 is allowed.
  const auto law = [](const ParameterPoint& point, Loss loss, double factor) {
    const double u = point.at("u"), share = point.at("share"), residual = point.at("x") * u;
    return LemmaClaim::Sides{share * loss_value(loss, residual, 0),
                             factor * share * loss_derivative(loss, residual, 0) * residual};
  };
  const std::vector<ParameterRange> lemma_ranges{{"u", 1, -2, 2, Scale::linear},
                                                 {"x", 3, 0, 3, Scale::linear},
                                                 {"share", 1.0 / 9, 0, 1.0 / 9, Scale::linear},
                                                 {"c_psi", 0.5, 1e-6, 0.999, Scale::logarithmic}};
  const std::vector<std::string> one_feature{
      "one feature, x in [0, 3] with probability at most 1/9 and 0 otherwise: E x^2 <= 1",
      "no noise, w and w* in [-1, 1]", "C_psi = 1"};
  const Source lemma_7{paper, "proof of Theorem 3, Lemma 7; Assumption 2"};
  claims.add("lemma.gradient_dominance_biweight", Edition::printed, Expectation::refuted, lemma_7,
             "For the biweight loss (c = 1), which Assumption 2 is said to include, L(w) - L(w*) "
             "<= C_psi/(2 c_psi) <grad L(w), w - w*> for some c_psi > 0. Where every residual is "
             "beyond c the gradient is 0: no c_psi > 0 will do.",
             one_feature, LemmaClaim{lemma_ranges, [law](const ParameterPoint& point) {
                                       return law(point, Loss::biweight, 0.5 / point.at("c_psi"));
                                     }});
  // The biweight loss violates Assumption 2.2 (psi' > 0); this one meets all of it.
  claims.add("lemma.gradient_dominance_geman_mcclure", Edition::printed, Expectation::refuted,
             lemma_7,
             "For the Geman-McClure loss, which meets Assumption 2 with h'(0) = 1 > c_psi = 0.9, "
             "L(w) - L(w*) <= C_psi/(2 c_psi) <grad L(w), w - w*>. At residuals of size B the left "
             "side is (1 + B^2)/2 times the scalar product.",
             one_feature,
             LemmaClaim{{lemma_ranges[0], lemma_ranges[1], lemma_ranges[2]},
                        [law](const ParameterPoint& point) {
                          return law(point, Loss::geman_mcclure, 0.5 / 0.9);
                        }});
  claims.add(
      "lemma.gradient_dominance", Edition::corrected, Expectation::holds,
      {"this project", "Lemma 7 with c_psi the infimum of psi'(r)/r over the residuals that occur"},
      "If |<w - w*, x>| <= B for all x and w, L(w) - L(w*) <= C_psi/(2 c) <grad L(w), w - w*> with "
      "c = psi'(B)/B (B < 1 for the biweight loss).",
      {"no noise", "C_psi = 1"},
      LemmaClaim{{losses,
                  {"u", 1, -1, 1, Scale::linear},
                  {"bound", 0.5, 1e-3, 0.999, Scale::logarithmic},
                  {"unbounded", 0, 0, 1, Scale::integer},
                  {"share", 1, 0, 1, Scale::linear}},
                 [law](const ParameterPoint& point) {
                   const Loss loss = robust_loss(point);
                   // Beyond 1 for the two losses whose derivative stays positive.
                   const double stretch =
                       point.at("unbounded") == 1 && loss != Loss::biweight ? 1e3 : 1;
                   const double largest = stretch * point.at("bound");
                   return law({{"u", point.at("u")}, {"x", largest}, {"share", point.at("share")}},
                              loss, 0.5 / curvature_on(loss, largest));
                 }});
  claims.add("lemma.geometric", Edition::printed, Expectation::holds,
             {paper, "proof of Theorem 3, last note: (1 - eta)^T <= 1/(eta T)"},
             "(1 - eta)^T <= 1/(eta T) for every eta in (0, 1) and T >= 1.", {},
             LemmaClaim{{{"eta", 0.5, 1e-6, 0.999999, Scale::logarithmic},
                         {"iterations", 1, 1, 1e6, Scale::logarithmic}},
                        [](const ParameterPoint& point) {
                          const double eta = point.at("eta"), t = point.at("iterations");
                          return LemmaClaim::Sides{std::exp(t * std::log1p(-eta)), 1 / (eta * t)};
                        }});

  const std::vector<std::string> assumption_2{
      "pseudo-Huber loss, bounded <x, w - w*>: Lemma 7 holds", "symmetric noise, E x_j^2 = O(1)",
      "epsilon = O(1)"};
  claims.add(
      "rate", Edition::printed, Expectation::holds, {paper, "Theorem 3, (8)"},
      "With T = sqrt(n epsilon/log(d/zeta)), s = sqrt(n epsilon/(T log(dT/zeta))) and the step "
      "1/sqrt T the excess risk falls as lambda_max log(dn/zeta)^(1/4)/(n epsilon)^(1/4).",
      assumption_2, records_rate(Edition::printed));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 3 with the smallest safe Delta"},
             "The same with the corrected Delta.", assumption_2, records_rate(Edition::corrected));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 3 with the smallest safe Delta"},
             "The same in epsilon at a fixed n.", assumption_2, epsilon_rate());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm robust_regression_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Loss loss = loss_from_name(options.text("loss"));
    const double c = options.number("loss-constant");
    require(c > 0, "--loss-constant", c, "positive");
    FrankWolfeParameters p =
        robust_regression_from_theorem(data.size(), data.dimension(), options.number("epsilon"),
                                       loss, options.number("failure-probability"));
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("scale")) p.scale = options.number("scale");
    p.beta = options.number("beta");
    require(p.iterations >= 1 && p.iterations <= data.size(), "--iterations",
            static_cast<double>(p.iterations), "in 1.." + std::to_string(data.size()));
    require(p.scale > 0, "--scale", p.scale, "positive");
    require(p.beta > 0, "--beta", p.beta, "positive");
    // The loss with constant c is that with constant 1 in units of c.
    const auto in_units = [c](const Matrix& features, const VectorXd& labels) {
      return Dataset{features / c, labels / c};
    };
    PreparedRun run;
    run.mechanism = [p, in_units](const Dataset& records, Releases& releases) {
      return dp_frank_wolfe(in_units(records.features, records.labels), p, releases);
    };
    run.guarantee = {.epsilon = p.epsilon};
    run.guarantee_source = "hu.robust_regression.privacy.corrected";
    const Index part = data.size() / p.iterations;
    run.parameters = {{"loss", std::string(name(loss))},
                      {"loss constant", to_text(c)},
                      {"iterations", std::to_string(p.iterations)},
                      {"records in a part", std::to_string(part)},
                      {"scale", to_text(p.scale)},
                      {"beta", to_text(p.beta)},
                      {"score sensitivity", to_text(score_sensitivity(p, part))}};
    run.empirical_risk = [loss, c, in_units](const DataView& view, const VectorXd& w) {
      return c * c * empirical_risk(loss, w, in_units(view.features, view.labels).all());
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {"hu.robust_regression",
          "robust regression with heavy-tailed features on the unit l1 ball, epsilon-DP",
          "Hu, Ni, Xiao and Wang, Algorithm 1 with Theorem 3",
          {{"epsilon", "1", "privacy parameter, positive"},
           {"loss", "biweight", "biweight, geman_mcclure, pseudo_huber, squared or absolute"},
           {"loss-constant", "1", "c of the loss, in the unit of the labels, positive"},
           {"iterations", "auto", "T, 1 to n; auto: Theorem 3"},
           {"scale", "auto", "s of the soft truncation, positive; auto: Theorem 3"},
           {"beta", "1", "smoothing: the noise factor has variance 1/beta"},
           {"failure-probability", "0.05", "zeta of Theorem 3"}},
          prepare,
          robust_regression_claims};
}

}  // namespace dpverify::hu
