#include "algorithms/su/approximate_objective_perturbation.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

void validate(const ApproximateObjectivePerturbationParameters& p) {
  require(p.accuracy > 0 && std::isfinite(p.accuracy), "accuracy alpha", p.accuracy,
          "positive and finite");
  require(p.approximation_sensitivity > 0 && std::isfinite(p.approximation_sensitivity),
          "sensitivity of the approximation", p.approximation_sensitivity, "positive and finite");
  require(p.standard_deviation > 0 && std::isfinite(p.standard_deviation),
          "standard deviation sigma_2", p.standard_deviation, "positive and finite");
}

// Of the mean objective J, in the Euclidean norm.
double modulus(const ObjectivePerturbationParameters& p) {
  return 2 * p.ridge + p.strong_convexity / (p.radius * p.radius);
}

VectorXd newton(const Objective& objective, const VectorXd& linear, double accuracy) {
  return minimise(objective, linear, accuracy).theta;
}

}  // namespace

VectorXd approximate_objective_perturbation(const std::shared_ptr<const Objective>& objective,
                                            Index n,
                                            const ApproximateObjectivePerturbationParameters& p,
                                            Releases& releases) {
  validate(p);
  const VectorXd theta_1 =
      releases.release(ObjectivePerturbation{.objective = objective,
                                             .sensitivity = 2 * lipschitz_constant(p.objective),
                                             .standard_deviation = p.objective.standard_deviation});
  // theta_1 is stationary for this linear term, and on the boundary for many others. The objective
  // is n J.
  const VectorXd linear = -objective->gradient(theta_1);
  const double accuracy = p.accuracy * static_cast<double>(n);
  const VectorXd theta_2 = (p.solver ? p.solver : newton)(*objective, linear, accuracy);
  const VectorXd noisy =
      releases.release(GaussianNoise{.value = theta_2,
                                     .sensitivity = p.approximation_sensitivity,
                                     .standard_deviation = p.standard_deviation});
  const double norm = noisy.norm(), radius = p.objective.radius;
  return norm > radius ? VectorXd(noisy * (radius / norm)) : noisy;
}

VectorXd approximate_objective_perturbation(const Dataset& data,
                                            const ApproximateObjectivePerturbationParameters& p,
                                            Releases& releases) {
  return approximate_objective_perturbation(regularised_objective(data, p.objective), data.size(),
                                            p, releases);
}

ApproximateObjectivePerturbationParameters approximate_objective_perturbation_from_theorem(
    Edition edition, Index n, Index dimension, double epsilon, double delta, Loss loss,
    double lipschitz, double radius, double strong_convexity) {
  require(n >= 1, "number of records n", static_cast<double>(n), "at least 1");
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  require(lipschitz > 0 && std::isfinite(lipschitz), "Lipschitz constant L", lipschitz,
          "positive and finite");
  require(radius > 0 && std::isfinite(radius), "radius of C", radius, "positive and finite");
  require(strong_convexity >= 0 && std::isfinite(strong_convexity), "strong convexity Delta",
          strong_convexity, "non-negative and finite");
  const bool printed = edition == Edition::printed;
  ApproximateObjectivePerturbationParameters p{.objective = {.loss = loss,
                                                             .lipschitz = lipschitz,
                                                             .radius = radius,
                                                             .strong_convexity = strong_convexity}};
  const auto size = static_cast<double>(n);
  const double l = lipschitz_constant(p.objective), diameter = 2 * radius;
  const double width = gaussian_width({.p = 2, .radius = radius, .dimension = dimension});
  const double log_delta = -std::log(delta);
  const double enough = rank_of_change(dimension) * smoothness(p.objective) / (epsilon * size);
  const double noise = std::log(2.5 / delta) / (epsilon * epsilon);
  p.objective.standard_deviation = l * std::sqrt(128 * noise);
  double radius_squared = 0;  // of theta_2 around theta_1, over alpha
  if (strong_convexity == 0) {
    p.objective.ridge = std::max(l / (std::sqrt(size) * diameter), enough);
    p.accuracy = std::min(l * diameter / std::pow(size, 1.5),
                          epsilon * epsilon * l * std::pow(diameter, 3) /
                              (width * width * log_delta * std::pow(size, 2.5)));
    p.standard_deviation = std::sqrt(64 * p.accuracy * noise / p.objective.ridge);
    radius_squared = printed ? 2 / p.objective.ridge : 2 / modulus(p.objective);
  } else {
    const double own = printed ? strong_convexity : strong_convexity / (2 * radius * radius);
    p.objective.ridge = std::max(enough - own, 0.0);
    p.accuracy = std::min(
        std::pow(l * diameter, 2) / (strong_convexity * size * size),
        std::pow(l, 4) * std::pow(diameter, 6) * epsilon * epsilon /
            (std::pow(strong_convexity, 3) * std::pow(size, 4) * width * width * log_delta));
    p.standard_deviation =
        std::sqrt(64 * p.accuracy * noise * diameter * diameter / strong_convexity);
    radius_squared =
        printed ? 2 * diameter * diameter / strong_convexity : 2 / modulus(p.objective);
  }
  p.approximation_sensitivity = 2 * std::sqrt(radius_squared * p.accuracy);
  return p;
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang";

// The worst solver that keeps its promise: as far from the minimiser along the first axis as alpha
// allows, to the side that the data choose.
VectorXd adversary(const Objective& objective, const VectorXd& linear, double accuracy) {
  const VectorXd best = minimise(objective, linear).theta;
  const VectorXd axis = VectorXd::Unit(best.size(), 0) *
                        (objective.gradient(VectorXd::Zero(best.size()))[0] < 0 ? -1 : 1);
  // The gap, by integrating the slope; best is stationary for this linear term.
  const auto gap = [&](double length) {
    return boost::math::quadrature::gauss<double, 7>::integrate(
        [&](double t) { return (objective.gradient(best + t * axis) + linear).dot(axis); }, 0.0,
        length);
  };
  double low = 0, high = std::sqrt(2 * accuracy / objective.strong_convexity());
  if (gap(high) <= accuracy) return best + high * axis;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    (gap(middle) <= accuracy ? low : high) = middle;
  }
  return best + low * axis;
}

struct Fault {
  double linear_noise = 1;  // factors of sigma_1, lambda and sigma_2
  double ridge = 1;
  double output_noise = 1;
};

// Delta = share r beta/(epsilon n), share 0 for the convex algorithm.
MechanismFamily family(Edition edition, Fault fault = {}) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      const Loss loss = point.at("logistic") == 1 ? Loss::logistic : Loss::pseudo_huber;
      const double enough = rank_of_change(data.dimension()) *
                            smoothness(ObjectivePerturbationParameters{
                                .loss = loss, .lipschitz = point.at("lipschitz")}) /
                            (point.at("epsilon") * static_cast<double>(data.size()));
      auto p = approximate_objective_perturbation_from_theorem(
          edition, data.size(), data.dimension(), point.at("epsilon"), point.at("delta"), loss,
          point.at("lipschitz"), point.at("radius"), point.at("share") * enough);
      p.objective.standard_deviation *= fault.linear_noise;
      p.objective.ridge *= fault.ridge;
      p.standard_deviation *= fault.output_noise;
      p.solver = adversary;
      return approximate_objective_perturbation(data, p, releases);
    };
  };
}

PrivacyGuarantee guarantee(const ParameterPoint& point) {
  return {point.at("epsilon"), point.at("delta")};
}

Setting setting(double share, double epsilon, double delta, double radius, Index records,
                Index dimension = 1) {
  return {{{"share", share},
           {"epsilon", epsilon},
           {"delta", delta},
           {"logistic", 0},
           {"lipschitz", 1},
           {"radius", radius}},
          records,
          dimension};
}

std::vector<ParameterRange> ranges(double share) {
  return {{"share", share, share > 0 ? 0.01 : 0, share > 0 ? 10.0 : 0},
          {"epsilon", 0.5, 0.01, 0.999, Scale::logarithmic},
          {"delta", 1e-5, 1e-10, 0.9, Scale::logarithmic},
          {"logistic", 0, 0, 1, Scale::integer},
          {"lipschitz", 1, 0.01, 100, Scale::logarithmic},
          {"radius", 1, 0.1, 10, Scale::logarithmic}};
}

const std::vector<std::string> neighbours{"replace-one neighbours",
                                          "generalised linear loss, L-Lipschitz and beta-smooth",
                                          "C a Euclidean ball"};

// y = <x, w*> + noise, x of independent signs: gradients bounded, risk in closed form. The loss
// adds quadratic ||w||_2^2/2.
struct BoundedProblem {
  RobustModel model;
  double quadratic = 0;
  double least = 0;  // the smallest risk above that of w*

  double total(const VectorXd& w) const {
    return model.excess_risk(w) + quadratic * w.squaredNorm() / 2;
  }
  double excess_risk(const VectorXd& w) const { return std::max(0.0, total(w) - least); }
};

// The problem of a strong convexity of Delta, its n and epsilon at one point.
struct BoundedPoint {
  double strong_convexity = 0;
  double epsilon = 0.9;
  Index n = 1;

  static constexpr double radius = 1, delta = 1e-5;
  Index dimension() const { return strong_convexity > 0 ? 1 : 2; }
  double lipschitz() const { return std::sqrt(static_cast<double>(dimension())); }
  ApproximateObjectivePerturbationParameters parameters(Edition edition) const {
    return approximate_objective_perturbation_from_theorem(edition, n, dimension(), epsilon, delta,
                                                           Loss::pseudo_huber, lipschitz(), radius,
                                                           strong_convexity);
  }
  double bound(const ApproximateObjectivePerturbationParameters& p) const {
    const double l = lipschitz_constant(p.objective), diameter = 2 * radius;
    const auto records = static_cast<double>(n);
    const double width = gaussian_width({.p = 2, .radius = radius, .dimension = dimension()});
    const double noise = l * width * std::sqrt(-std::log(delta)) / (epsilon * records);
    return strong_convexity > 0
               ? (l * l * diameter * diameter / records + noise * noise) / strong_convexity
               : noise + l * diameter / std::sqrt(records);
  }
};

BoundedProblem bounded_problem(double strong_convexity) {
  constexpr double radius = BoundedPoint::radius;
  const Index dimension = BoundedPoint{strong_convexity}.dimension();
  BoundedProblem problem{{.loss = Loss::pseudo_huber,
                          .optimum = VectorXd::LinSpaced(dimension, 0.7, -0.5),
                          .levels = 1,
                          .outlier = 10,
                          .outlier_share = 0.1},
                         strong_convexity / (radius * radius)};
  if (strong_convexity > 0)
    problem.least =
        boost::math::tools::brent_find_minima(
            [&](double w) { return problem.total(VectorXd::Constant(1, w)); }, -1.0, 1.0, 60)
            .second;
  return problem;
}

RateClaim rate(double strong_convexity, Edition edition) {
  const BoundedProblem problem = bounded_problem(strong_convexity);
  const Index dimension = problem.model.optimum.size();
  RateClaim claim;
  claim.variable = "n";
  claim.problem = "pseudo-Huber regression, independent signs as features, 10% outliers of size 10";
  claim.exponent = strong_convexity > 0 ? -1 : -0.5;
  claim.learns = true;
  claim.dimension = dimension;
  claim.point = [=](double n) {
    const BoundedPoint at{.strong_convexity = strong_convexity, .n = static_cast<Index>(n)};
    const auto p = at.parameters(edition);
    RatePoint point{at.n,
                    [p](const Dataset& data, Releases& releases) {
                      return approximate_objective_perturbation(data, p, releases);
                    },
                    at.bound(p)};
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    point.comparators = usual_comparators(
        {.loss = Loss::pseudo_huber,
         .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = BoundedPoint::radius},
         .initial = VectorXd::Zero(dimension),
         .smoothness = 1 + problem.quadratic,
         .regularizer = problem.quadratic},
        at.n, at.epsilon, BoundedPoint::delta);
    return point;
  };
  claim.draw = [problem](Index n, RandomStream& stream) { return problem.model.draw(n, stream); };
  claim.excess_risk = [problem](const VectorXd& w) { return problem.excess_risk(w); };
  claim.smoke = {{100, 300, 1e3, 3e3, 1e4}, 24};
  claim.ci = {{100, 300, 1e3, 3e3, 1e4, 3e4}, 60};
  claim.nightly = {{100, 1e3, 1e4, 1e5, 3e5}, 80};
  return claim;
}

// The same records, drawn as counts, at n = 10^4.
RateClaim epsilon_rate(double strong_convexity, Edition edition) {
  constexpr Index n = 10'000;
  const BoundedProblem problem = bounded_problem(strong_convexity);
  const SignModel model{.optimum = problem.model.optimum,
                        .outlier = problem.model.outlier,
                        .outlier_share = problem.model.outlier_share};
  RateClaim claim;
  claim.variable = "epsilon";
  claim.problem =
      "pseudo-Huber regression, independent signs as features, 10% outliers of size 10, drawn as "
      "counts; n = 10^4, delta = 1e-5";
  claim.exponent = strong_convexity > 0 ? -2 : -1;
  claim.learns = true;
  claim.dimension = problem.model.optimum.size();
  claim.point = [=, kinds = model.records()](double epsilon) {
    const BoundedPoint at{strong_convexity, epsilon, n};
    const auto p = at.parameters(edition);
    return RatePoint{n,
                     [=](const Dataset& counts, Releases& releases) {
                       return approximate_objective_perturbation(
                           regularised_objective(kinds, counts.labels, n, p.objective), n, p,
                           releases);
                     },
                     at.bound(p)};
  };
  claim.draw = [model](Index count, RandomStream& stream) {
    return model.draw_counts(count, stream);
  };
  claim.excess_risk = [problem](const VectorXd& w) { return problem.excess_risk(w); };
  claim.smoke = {{0.025, 0.15, 0.9}, 60};
  claim.ci = {{0.025, 0.06, 0.15, 0.4, 0.9}, 400};
  return claim;
}

// Records with one of d features, the loss Delta-strongly convex with Delta = 1/d, as the records
// make it on average. The bound has the noise's own constant, sigma_1^2 = 128 L^2 log(2.5/delta)
// /epsilon^2 in place of L^2 log(1/delta)/epsilon^2, and n epsilon is so small that its term is the
// larger one for every d.
RateClaim dimension_rate() {
  constexpr Index n = 2'000'000;
  constexpr double epsilon = 0.02, delta = 1e-5, radius = 1;
  RateClaim claim;
  claim.variable = "d";
  claim.problem =
      "pseudo-Huber regression on records with one feature of d, uniformly, w* = (0.9/sqrt(d), "
      "...), 10% outliers of size 10, drawn as counts; Delta = 1/d, n = 2 10^6, epsilon = 0.02, "
      "delta = 1e-5, unit ball";
  claim.exponent = 2;
  claim.point = [](double features) {
    const auto d = static_cast<Index>(features);
    const double convexity = 1 / features;
    const SignModel model{.optimum = VectorXd::Constant(d, 0.9 / std::sqrt(features)),
                          .one_feature = true,
                          .outlier = 10,
                          .outlier_share = 0.1};
    const auto total = [=](const VectorXd& w) {
      return model.excess_risk(w) + convexity * w.squaredNorm() / 2;
    };
    const double least = boost::math::tools::brent_find_minima(
                             [&](double w) { return total(VectorXd::Constant(d, w)); }, 0.0,
                             1 / std::sqrt(features), 60)
                             .second;
    const auto p = approximate_objective_perturbation_from_theorem(
        Edition::corrected, n, d, epsilon, delta, Loss::pseudo_huber, 1, radius, convexity);
    const double l = lipschitz_constant(p.objective), records = static_cast<double>(n);
    const double width = gaussian_width({.p = 2, .radius = radius, .dimension = d});
    return RatePoint{
        .records = n,
        .mechanism =
            [=, kinds = model.records()](const Dataset& counts, Releases& releases) {
              return approximate_objective_perturbation(
                  regularised_objective(kinds, counts.labels, n, p.objective), n, p, releases);
            },
        .bound = (std::pow(2 * radius * l, 2) / records +
                  std::pow(width * p.objective.standard_deviation / records, 2)) /
                 convexity,
        .dimension = d,
        .draw = [model](Index count,
                        RandomStream& stream) { return model.draw_counts(count, stream); },
        .excess_risk = [=](const VectorXd& w) { return std::max(0.0, total(w) - least); }};
  };
  claim.smoke = {{2, 11, 64}, 12};
  claim.ci = {{2, 6, 20, 64}, 60};
  return claim;
}

}  // namespace

std::vector<Claim> approximate_objective_perturbation_claims() {
  ClaimList claims("su.approximate_objective_perturbation");
  const Source theorem_1{paper, "Algorithm 1; Theorem 1"};
  claims.add("sensitivity", Edition::printed, Expectation::holds,
             {paper, "Algorithm 1; proof of Theorem 1, (2)"},
             "One record moves the gradient of the sum by at most 2 L, and theta_2 given theta_1 "
             "by at most sqrt(8 alpha/lambda), whatever alpha-accurate solver is used.",
             neighbours,
             SensitivityClaim{
                 family(Edition::printed), ranges(0), 1, 3, {setting(0, 0.5, 1e-5, 1, 3)}, true});
  add_mutants(
      claims,
      SensitivityClaim{family(Edition::printed), ranges(0), 1, 3, {setting(0, 0.5, 1e-5, 1, 3)}},
      neighbours);
  const std::vector<Setting> settings{setting(0, 0.1, 1e-9, 10, 1), setting(0, 0.999, 1e-5, 1, 3)};
  claims.add(
      "privacy", Edition::printed, Expectation::holds, theorem_1,
      "Algorithm 1 with sigma_1^2 = 128 L^2 log(2.5/delta)/epsilon^2, sigma_2^2 = 64 alpha "
      "log(2.5/delta)/(lambda epsilon^2) and lambda >= r beta/(epsilon n) is (epsilon, delta)-DP.",
      neighbours, PrivacyClaim{family(Edition::printed), guarantee, settings});
  claims.add("privacy.regularisation_lost", Edition::mutant, Expectation::refuted,
             {"this project", "a planted fault"},
             "The printed algorithm with a hundredth of lambda, its noise unchanged.", neighbours,
             PrivacyClaim{family(Edition::printed, {.ridge = 0.01}), guarantee, {settings[1]}});
  claims.add(
      "privacy.noise_of_the_output_lost", Edition::mutant, Expectation::refuted,
      {"this project", "a planted fault"}, "The printed algorithm with a tenth of the noise H.",
      neighbours,
      PrivacyClaim{family(Edition::printed, {.output_noise = 0.1}), guarantee, {settings[1]}});

  // theta_2 around theta_1 where nothing but lambda bends J: the records saturated.
  const std::vector<ParameterRange> accuracy{{"alpha", 1e-6, 1e-12, 1, Scale::logarithmic},
                                             {"lambda", 0.1, 1e-6, 10, Scale::logarithmic}};
  const auto moved = [accuracy](double factor) {
    return LemmaClaim{
        accuracy, [factor](const ParameterPoint& point) {
          // J moves by lambda distance^2.
          const double alpha = point.at("alpha"), lambda = point.at("lambda");
          return LemmaClaim::Sides{std::sqrt(alpha / lambda), std::sqrt(factor * alpha / lambda)};
        }};
  };
  claims.add("lemma.inner_accuracy", Edition::printed, Expectation::holds,
             {paper, "proof of Theorem 1, (2)"},
             "theta_2 lies within sqrt(2 alpha/lambda) of theta_1. (J has lambda ||theta||^2, "
             "hence modulus 2 lambda: the farthest point is at sqrt(alpha/lambda), so that "
             "sigma_2^2 is twice what its proof needs.)",
             {"the losses are linear around theta_1"}, moved(2));
  claims.add("lemma.inner_accuracy", Edition::corrected, Expectation::holds,
             {"this project", "(2) with the modulus 2 lambda"},
             "theta_2 lies within sqrt(alpha/lambda) of theta_1.",
             {"the losses are linear around theta_1"}, moved(1 + 1e-12));
  const std::vector<ParameterRange> privacy{{"epsilon", 0.5, 1e-3, 0.999, Scale::logarithmic},
                                            {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  const auto mechanism_delta = [](const ParameterPoint& point, double factor) {
    const double epsilon = point.at("epsilon"), delta = point.at("delta");
    // sensitivity^2/variance = factor (alpha/lambda)/(64 alpha log(2.5/delta)/(lambda epsilon^2)).
    const double mu = epsilon * std::sqrt(factor / (64 * std::log(2.5 / delta)));
    return LemmaClaim::Sides{gaussian_delta(mu, epsilon / 2), delta / 2};
  };
  claims.add("lemma.output_noise", Edition::printed, Expectation::holds,
             {paper, "proof of Theorem 1: the noise H"},
             "theta_2 - theta_1 + H is (epsilon/2, delta/2)-DP given theta_1, with the printed "
             "sensitivity sqrt(8 alpha/lambda).",
             {}, LemmaClaim{privacy, [mechanism_delta](const ParameterPoint& point) {
                              return mechanism_delta(point, 8);
                            }});
  // What H costs at the half budget (0.5, 5e-6) of (1, 1e-5), in epsilon: 0.359 with the printed
  // sensitivity, 0.247 with the true one.
  const auto epsilon_of_noise = [](double factor) {
    return LemmaClaim{{}, [factor](const ParameterPoint&) {
                        const double mu = std::sqrt(factor / (64 * std::log(2.5e5)));
                        return LemmaClaim::Sides{gaussian_epsilon(mu, 5e-6), 0.5};
                      }};
  };
  claims.add("lemma.epsilon_of_the_output", Edition::printed, Expectation::holds,
             {paper, "proof of Theorem 1: the noise H"},
             "At epsilon = 1, delta = 1e-5 the noise H on a shift of sqrt(8 alpha/lambda) is (0.5, "
             "5e-6)-DP.",
             {}, epsilon_of_noise(8));
  claims.add("lemma.epsilon_of_the_output", Edition::corrected, Expectation::holds,
             {"this project", "the same with the true shift"},
             "At epsilon = 1, delta = 1e-5 the noise H on a shift of sqrt(4 alpha/lambda) is (0.5, "
             "5e-6)-DP.",
             {}, epsilon_of_noise(4));
  claims.add("lemma.budget", Edition::proved, Expectation::refuted,
             {paper + ", supplement", "proof of Theorem 1: theta_1 by Lemma 5, then H"},
             "theta_1 at (epsilon, delta) by Lemma 5 and H at (epsilon/2, delta/2) add up to "
             "(epsilon, delta).",
             {}, LemmaClaim{{privacy[0]}, [](const ParameterPoint& point) {
                              const double epsilon = point.at("epsilon");
                              return LemmaClaim::Sides{epsilon + epsilon / 2, epsilon};
                            }});
  // theta_1 is Algorithm 5 at (epsilon/2, delta/2) with line 2's lambda: the log determinant.
  claims.add("lemma.first_half", Edition::printed, Expectation::refuted,
             {paper, "Algorithm 1: lambda >= r beta/(epsilon n), sigma_1 at (epsilon/2, delta/2)"},
             "The log determinant costs at most epsilon/4, half of what theta_1 may cost.",
             {"eigenvalues of a record's Hessian in [0, beta], at most `rank` of them positive"},
             LemmaClaim{{{"epsilon", 0.999, 1e-3, 0.999, Scale::logarithmic},
                         {"rank", 1, 1, 50, Scale::integer},
                         {"dimension", 1, 1, 100, Scale::integer}},
                        [](const ParameterPoint& point) {
                          const double d = point.at("dimension"), epsilon = point.at("epsilon");
                          const double rank = std::min(point.at("rank"), d);
                          const double ridge = std::min(d, 2 * point.at("rank")) / epsilon;
                          return LemmaClaim::Sides{rank * std::log1p(1 / (2 * ridge)), epsilon / 4};
                        }});
  claims.add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 2"},
             "The excess risk falls as L G_C sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             {"Assumption 1", "n >= r^2 beta^2 ||C||_2^2/(epsilon^2 L^2)"},
             rate(0, Edition::printed));
  claims.add(
      "rate.epsilon", Edition::printed, Expectation::holds, {paper, "Theorem 2"},
      "The excess risk falls in epsilon at least as fast as L G_C sqrt(log(1/delta))/(epsilon "
      "n) + L ||C||_2/sqrt n.",
      {"Assumption 1", "n >= r^2 beta^2 ||C||_2^2/(epsilon^2 L^2)"},
      epsilon_rate(0, Edition::printed));
  return claims.take();
}

std::vector<Claim> approximate_objective_perturbation_strongly_convex_claims() {
  ClaimList claims("su.approximate_objective_perturbation_strongly_convex");
  const Source algorithm_2{paper, "Algorithm 2; Theorem 3"};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds,
      {paper, "Algorithm 2; proof of Theorem 4"},
      "One record moves the gradient of the sum by at most 2 L, and theta_2 given theta_1 by at "
      "most sqrt(8 alpha ||C||_2^2/Delta), whatever alpha-accurate solver is used.",
      neighbours,
      SensitivityClaim{family(Edition::printed), ranges(1), 1, 3, {setting(1, 0.5, 1e-5, 1, 3)}});
  add_mutants(
      claims,
      SensitivityClaim{family(Edition::printed), ranges(1), 1, 3, {setting(1, 0.5, 1e-5, 1, 3)}},
      neighbours);
  const std::vector<Setting> settings{setting(1, 0.999, 1e-5, 10, 3), setting(1, 0.5, 1e-5, 1, 3)};
  claims.add(
      "privacy", Edition::printed, Expectation::refuted, algorithm_2,
      "Algorithm 2 with lambda = max{r beta/(epsilon n) - Delta, 0} is (epsilon, delta)-DP. Delta "
      "is a modulus in the Minkowski norm, r beta/(epsilon n) one in the Euclidean norm: on a ball "
      "of radius 10 the modulus that is left is a hundredth of what the log determinant needs.",
      neighbours, PrivacyClaim{family(Edition::printed), guarantee, settings});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {"this project", "Algorithm 2 with Delta's modulus in the Euclidean norm"},
             "Algorithm 2 with lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0} is "
             "(epsilon, delta)-DP.",
             neighbours, PrivacyClaim{family(Edition::corrected), guarantee, settings});
  claims.add(
      "privacy.noise_lost", Edition::mutant, Expectation::refuted,
      {"this project", "a planted fault"},
      "The corrected algorithm with a fiftieth of the linear noise.", neighbours,
      PrivacyClaim{family(Edition::corrected, {.linear_noise = 0.02}), guarantee, {settings[1]}});
  claims.add("privacy.regularisation_lost", Edition::mutant, Expectation::refuted,
             {"this project", "a planted fault"}, "The corrected algorithm without lambda.",
             neighbours,
             PrivacyClaim{family(Edition::corrected, {.ridge = 0}), guarantee, {settings[0]}});
  // What the log determinant costs in one dimension where Delta = r beta/(epsilon n), so that the
  // printed lambda is 0.
  const auto left = [](Edition edition) {
    return LemmaClaim{
        {{"radius", 10, 1, 10, Scale::logarithmic},
         {"epsilon", 0.999, 0.01, 0.999, Scale::logarithmic}},
        [edition](const ParameterPoint& point) {
          const double radius = point.at("radius"), epsilon = point.at("epsilon");
          const auto p = approximate_objective_perturbation_from_theorem(
              edition, 100, 1, epsilon, 1e-5, Loss::pseudo_huber, 1, radius, 1 / (100 * epsilon));
          return LemmaClaim::Sides{std::log1p(1 / (100 * modulus(p.objective))), epsilon / 2};
        }};
  };
  claims.add("lemma.log_determinant", Edition::printed, Expectation::refuted,
             {paper, "proof of Theorem 3: J is r beta/(epsilon n)-strongly convex"},
             "With Delta = r beta/(epsilon n), hence lambda = 0, the log determinant costs at most "
             "epsilon/2.",
             {"one dimension, beta = 1, n = 100"}, left(Edition::printed));
  claims.add("lemma.log_determinant", Edition::corrected, Expectation::holds,
             {"this project", "lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0}"},
             "With Delta = r beta/(epsilon n) the log determinant costs at most epsilon/2.",
             {"one dimension, beta = 1, n = 100"}, left(Edition::corrected));
  const std::vector<ParameterRange> bounds{{"epsilon", 0.1, 1e-3, 0.999, Scale::logarithmic}};
  claims.add("lemma.first_term_of_theorem_4", Edition::printed, Expectation::refuted,
             {paper, "Theorem 4 against its proof"},
             "The first term of the rate in the theorem, L^2 ||C||_2^2/(Delta n epsilon), is at "
             "most that of its proof, L^2 ||C||_2^2/(Delta n).",
             {}, LemmaClaim{bounds, [](const ParameterPoint& point) {
                              return LemmaClaim::Sides{1 / point.at("epsilon"), 1};
                            }});
  // Lemma 10 and the lower bound's instance on the l_p ball, p >= 2: C_min = radius, the largest
  // Euclidean norm radius d^(1/2-1/p); p <= 2: C_min = radius d^(1/2-1/p).
  claims.add("lemma.minkowski", Edition::printed, Expectation::holds,
             {paper + ", supplement", "Lemma 10"},
             "||x||_2 >= ||x||_C C_min, C_min the distance from 0 to the boundary of C.",
             {"C an l_p ball, x on a line between an axis and the diagonal"},
             LemmaClaim{{{"p", 1.5, 1, 10, Scale::linear},
                         {"dimension", 2, 1, 50, Scale::integer},
                         {"mix", 0, 0, 1, Scale::linear}},
                        [](const ParameterPoint& point) {
                          const auto d = static_cast<Index>(point.at("dimension"));
                          const double p = point.at("p");
                          VectorXd x = VectorXd::Constant(d, point.at("mix"));
                          x[0] = 1;
                          const double nearest =
                              std::min(1.0, std::pow(point.at("dimension"), 0.5 - 1 / p));
                          return LemmaClaim::Sides{
                              minkowski_norm({.p = p, .radius = 1, .dimension = d}, x) * nearest,
                              x.norm() * (1 + 1e-14)};
                        }});
  claims.add("lemma.objective_of_theorem_11", Edition::printed, Expectation::refuted,
             {paper + ", supplement", "proof of Theorem 11: the excess empirical risk"},
             "With l = ||theta - x||^2/2 and the empirical risk (1/(2n)) sum l, as printed, the "
             "excess risk is ||theta - mean||^2/2.",
             {"one record at 0"},
             LemmaClaim{{{"theta", 1, 0.1, 1, Scale::linear}}, [](const ParameterPoint& point) {
                          const double square = std::pow(point.at("theta"), 2);
                          return LemmaClaim::Sides{square / 2, square / 2 / 2};
                        }});
  claims.add("rate", Edition::proved, Expectation::holds, {paper, "Theorem 4, as its proof has it"},
             "The excess risk falls as L^2 ||C||_2^2/(Delta n) + G_C^2 L^2 log(1/delta)/(Delta n^2 "
             "epsilon^2).",
             {"Assumption 1 and Delta-strong convexity", "n >= L^2 ||C||_2^2/Delta^2"},
             rate(1, Edition::corrected));
  claims.add("rate.epsilon", Edition::proved, Expectation::holds,
             {paper, "Theorem 4, as its proof has it"},
             "The excess risk falls in epsilon at least as fast as L^2 ||C||_2^2/(Delta n) + G_C^2 "
             "L^2 log(1/delta)/(Delta n^2 epsilon^2).",
             {"Assumption 1 and Delta-strong convexity", "n >= L^2 ||C||_2^2/Delta^2"},
             epsilon_rate(1, Edition::corrected));
  claims.add("rate.dimension", Edition::proved, Expectation::holds,
             {paper, "Theorem 4, as its proof has it, with the constants of its noise"},
             "The excess risk grows in d no faster than L^2 ||C||_2^2/(Delta n) + G_C^2 "
             "sigma_1^2/(Delta n^2), G_C = sqrt(d) about.",
             {"Assumption 1 and Delta-strong convexity", "n >= L^2 ||C||_2^2/Delta^2"},
             dimension_rate());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

namespace {

std::vector<RunOption> options(bool strongly_convex) {
  std::vector<RunOption> out{
      {"epsilon", "0.5", "privacy parameter, in (0, 1)"},
      {"delta", "1e-5", "privacy parameter, in (0, 1)"},
      {"loss", "pseudo_huber", "pseudo_huber or logistic"},
      {"lipschitz", "1", "features are shrunk onto this Euclidean norm"},
      {"radius", "1", "radius of the Euclidean ball the parameters come from"}};
  if (strongly_convex)
    out.push_back(
        {"strong-convexity", "1", "Delta: (Delta/2) ||theta||^2/radius^2 is added to the loss"});
  return out;
}

PreparedRun prepare(const Dataset& data, const RunOptions& options, bool strongly_convex) {
  const Loss loss = loss_from_name(options.text("loss"));
  const double epsilon = options.number("epsilon"), delta = options.number("delta");
  require(epsilon > 0 && epsilon < 1, "--epsilon", epsilon, "in (0, 1)");
  require(delta > 0 && delta < 1, "--delta", delta, "in (0, 1)");
  const double convexity = strongly_convex ? options.number("strong-convexity") : 0;
  if (strongly_convex) require(convexity > 0, "--strong-convexity", convexity, "positive");
  if (loss == Loss::logistic) validate_labels(loss, data.all());
  const auto p = approximate_objective_perturbation_from_theorem(
      Edition::corrected, data.size(), data.dimension(), epsilon, delta, loss,
      options.number("lipschitz"), options.number("radius"), convexity);
  PreparedRun run;
  run.mechanism = [p](const Dataset& records, Releases& releases) {
    return approximate_objective_perturbation(records, p, releases);
  };
  run.guarantee = {epsilon, delta};
  run.guarantee_source =
      strongly_convex ? "su.approximate_objective_perturbation_strongly_convex.privacy.corrected"
                      : "su.approximate_objective_perturbation.privacy.printed";
  run.parameters = {
      {"loss", std::string(name(loss))},
      {"lipschitz", to_text(p.objective.lipschitz)},
      {"radius", to_text(p.objective.radius)},
      {"lambda", to_text(p.objective.ridge)},
      {"standard deviation of the linear term", to_text(p.objective.standard_deviation)},
      {"accuracy alpha", to_text(p.accuracy)},
      {"standard deviation of the output noise", to_text(p.standard_deviation)}};
  run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
    return empirical_risk(loss, w, view);
  };
  run.risk_name = "mean " + std::string(name(loss)) + " loss";
  return run;
}

}  // namespace

Algorithm approximate_objective_perturbation_algorithm() {
  return {"su.approximate_objective_perturbation",
          "objective perturbation with an approximate minimiser, (epsilon, delta)-DP",
          "Su, Zhao and Wang, Algorithm 1",
          options(false),
          [](const Dataset& data, const RunOptions& given) { return prepare(data, given, false); },
          approximate_objective_perturbation_claims};
}

Algorithm approximate_objective_perturbation_strongly_convex_algorithm() {
  return {"su.approximate_objective_perturbation_strongly_convex",
          "the same for strongly convex losses, (epsilon, delta)-DP",
          "Su, Zhao and Wang, Algorithm 2",
          options(true),
          [](const Dataset& data, const RunOptions& given) { return prepare(data, given, true); },
          approximate_objective_perturbation_strongly_convex_claims};
}

}  // namespace dpverify::su
