// What is claimed of the sensitivity and privacy of objective perturbation with an approximate
// minimiser, convex and strongly convex, and the entries for the command line; all read the tables
// of its parameters.
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "algorithms/su/linear_losses.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  double share = 0;  // claims: Delta in units of r beta/(epsilon n), 0 for Algorithm 1
  double epsilon = 0.5;
  double delta = 1e-5;
  Loss loss = Loss::pseudo_huber;
  double lipschitz = 1;
  double radius = 1;
  double strong_convexity = 1;  // Delta itself, of Algorithm 2 run by a user
};

const Fields<Settings> convex{
    field("share", &Settings::share).range(0.0, 0.0, 0.0),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.01, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    logistic_field(&Settings::loss),
    loss_field(&Settings::loss),
    field("lipschitz", &Settings::lipschitz)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("features are shrunk onto this Euclidean norm", positive),
    field("radius", &Settings::radius)
        .range(1.0, 0.1, 10.0, logarithmic)
        .option("radius of the Euclidean ball the parameters come from", positive)};
const Fields<Settings> strongly_convex =
    convex.within(&Settings::share, 1.0, 0.01, 10.0)
        .with(field("strong-convexity", &Settings::strong_convexity)
                  .option("Delta: (Delta/2) ||theta||^2/radius^2 is added to the loss", positive));

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

ApproximateObjectivePerturbationParameters parameters(const Settings& s, double convexity,
                                                      Edition edition, const Dataset& data) {
  return approximate_objective_perturbation_from_theorem(edition, data.size(), data.dimension(),
                                                         s.epsilon, s.delta, s.loss, s.lipschitz,
                                                         s.radius, convexity);
}

struct Fault {
  double linear_noise = 1;  // factors of sigma_1, lambda and sigma_2
  double ridge = 1;
  double output_noise = 1;
};

Family<Settings> family(const Fields<Settings>& fields, Edition edition, Fault fault = {}) {
  return {fields,
          [=](const Dataset& data, const Settings& s, Releases& releases) {
            const double enough = rank_of_change(data.dimension()) *
                                  smoothness(s.loss, s.lipschitz) /
                                  (s.epsilon * static_cast<double>(data.size()));
            auto p = parameters(s, s.share * enough, edition, data);
            p.objective.standard_deviation *= fault.linear_noise;
            p.objective.ridge *= fault.ridge;
            p.standard_deviation *= fault.output_noise;
            p.solver = adversary;
            return approximate_objective_perturbation(data, p, releases);
          },
          [](const Settings& s) {
            return PrivacyGuarantee{s.epsilon, s.delta};
          }};
}

const std::vector<std::string> neighbours{"replace-one neighbours",
                                          "generalised linear loss, L-Lipschitz and beta-smooth",
                                          "C a Euclidean ball"};
const Source planted{Text::this_project, "a planted fault"};

void add_convex(ClaimList& claims) {
  const Family<Settings> algorithm_1 = family(convex, printed);
  const FamilySetting<Settings> simple{{}, 3}, tail{{.epsilon = 0.1, .delta = 1e-9, .radius = 10}};
  const FamilySetting<Settings> bulk{{.epsilon = 0.999}, 3},
      near_one{{.epsilon = 0.999, .delta = 0.999}};
  claims.add("sensitivity", printed, holds, {Text::su, "Algorithm 1; proof of Theorem 1, (2)"},
             "One record moves the gradient of the sum by at most 2 L, and theta_2 given theta_1 "
             "by at most sqrt(8 alpha/lambda), whatever alpha-accurate solver is used.",
             neighbours, algorithm_1.sensitivity({}, {simple}, true));
  add_mutants(claims, algorithm_1.sensitivity({}, {simple}), neighbours);
  claims.add("privacy", printed, holds, {Text::su, "Algorithm 1; Theorem 1"},
             "Algorithm 1 with sigma_1^2 = 128 L^2 log(2.5/delta)/epsilon^2, sigma_2^2 = 64 alpha "
             "log(2.5/delta)/(lambda epsilon^2) and lambda >= r beta/(epsilon n) is (epsilon, "
             "delta)-DP for "
             "0 < epsilon, delta < 1.",
             neighbours, algorithm_1.privacy({tail, bulk, near_one}));
  claims.add("privacy.regularisation_lost", mutant, refuted, planted,
             "Algorithm 1 with a hundredth of lambda, its noise unchanged, is (epsilon, delta)-DP.",
             neighbours, family(convex, printed, {.ridge = 0.01}).privacy({bulk}));
  claims.add("privacy.noise_of_the_output_lost", mutant, refuted, planted,
             "Algorithm 1 with a tenth of the noise H is (epsilon, delta)-DP.", neighbours,
             family(convex, printed, {.output_noise = 0.1}).privacy({bulk}));
}

void add_strongly_convex(ClaimList& claims) {
  const Family<Settings> algorithm_2 = family(strongly_convex, printed);
  const FamilySetting<Settings> simple{{.share = 1}, 3};
  const FamilySetting<Settings> wide{{.share = 1, .epsilon = 0.999, .radius = 2}, 3};
  const FamilySetting<Settings> tail{{.share = 0.1, .epsilon = 0.1, .delta = 1e-9, .radius = 10}},
      near_one{{.share = 1, .epsilon = 0.999, .delta = 0.999}};
  claims.add(
      "sensitivity", printed, holds, {Text::su, "Algorithm 2; proof of Theorem 4"},
      "One record moves the gradient of the sum by at most 2 L, and theta_2 given theta_1 by at "
      "most sqrt(8 alpha ||C||_2^2/Delta), whatever alpha-accurate solver is used.",
      neighbours, algorithm_2.sensitivity({}, {simple}));
  add_mutants(claims, algorithm_2.sensitivity({}, {simple}), neighbours);
  claims.add("privacy", printed, refuted, {Text::su, "Algorithm 2; Theorem 3"},
             "Algorithm 2 with lambda = max{r beta/(epsilon n) - Delta, 0} is (epsilon, delta)-DP "
             "for losses that are Delta-strongly convex in the Minkowski norm of C. Here C is the "
             "Euclidean ball of the given radius, and the loss is the logistic one (logistic = 1) "
             "or pseudo-Huber (logistic = 0), with features of norm at most lipschitz, plus "
             "(Delta/2) ||theta||^2/radius^2. Delta is share times r beta/(epsilon n).",
             neighbours, algorithm_2.privacy({wide, simple}));
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Algorithm 2 with Delta's modulus in the Euclidean norm"},
             "Algorithm 2 with lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0} is "
             "(epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours,
             family(strongly_convex, corrected).privacy({wide, simple, tail, near_one}));
  claims.add("privacy.noise_lost", mutant, refuted, planted,
             "Algorithm 2 with lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0} and a "
             "fiftieth of the linear noise is (epsilon, delta)-DP.",
             neighbours,
             family(strongly_convex, corrected, {.linear_noise = 0.02}).privacy({simple}));
  claims.add("privacy.regularisation_lost", mutant, refuted, planted,
             "Algorithm 2 without lambda is (epsilon, delta)-DP.", neighbours,
             family(strongly_convex, corrected, {.ridge = 0}).privacy({wide}));
}

// The mean point of records in the unit ball, loss ||theta - x||^2/2: Theorem 5's instance.
FloorClaim mean_point_floor() {
  const HardLaws laws{.words = sign_words(4), .records = 60, .probability = 1, .size = 0.25};
  const PrivacyGuarantee hard{0.025, 1e-6};
  const auto p = approximate_objective_perturbation_from_theorem(
      corrected, laws.records, 4, hard.epsilon, hard.delta, Loss::pseudo_huber, 1, 1, 1);
  return estimation_floor(laws, hard, [=](const Dataset& data, Releases& releases) {
    return perturbed_linear_losses(data.features.colwise().sum().transpose(), laws.records,
                                   {.p = 2, .radius = 1, .dimension = 4}, p, releases);
  });
}

PreparedRun prepare(const Dataset& data, const ApproximateObjectivePerturbationParameters& p,
                    const Settings& settings, const Fields<Settings>& fields) {
  const Loss loss = settings.loss;
  validate_labels(loss, data.all());
  PreparedRun run{.mechanism =
                      [p](const Dataset& records, Releases& releases) {
                        return approximate_objective_perturbation(records, p, releases);
                      },
                  .guarantee = {settings.epsilon, settings.delta},
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(loss),
                  .risk_name = mean_loss_name(loss)};
  run.parameters.insert(
      run.parameters.end(),
      {{"lambda", to_text(p.objective.ridge)},
       {"standard deviation of the linear term", to_text(p.objective.standard_deviation)},
       {"accuracy alpha", to_text(p.accuracy)},
       {"standard deviation of the output noise", to_text(p.standard_deviation)}});
  return run;
}

}  // namespace

Algorithm approximate_objective_perturbation_algorithm() {
  return algorithm(
      "su.approximate_objective_perturbation",
      "objective perturbation with an approximate minimiser, (epsilon, delta)-DP",
      "Su, Zhao and Wang, Algorithm 1", convex,
      [](const Dataset& data, const Settings& settings) {
        PreparedRun run = prepare(data, parameters(settings, 0, corrected, data), settings, convex);
        run.guarantee_source = "su.approximate_objective_perturbation.privacy.printed";
        return run;
      },
      [] {
        ClaimList claims("su.approximate_objective_perturbation");
        add_convex(claims);
        claims.append(approximate_objective_perturbation_rates());
        claims.append(approximate_objective_perturbation_lemmas());
        return claims.take();
      });
}

Algorithm approximate_objective_perturbation_strongly_convex_algorithm() {
  return algorithm(
      "su.approximate_objective_perturbation_strongly_convex",
      "objective perturbation with an approximate minimiser for strongly convex losses, (epsilon, "
      "delta)-DP",
      "Su, Zhao and Wang, Algorithm 2", strongly_convex,
      [](const Dataset& data, const Settings& settings) {
        PreparedRun run =
            prepare(data, parameters(settings, settings.strong_convexity, corrected, data),
                    settings, strongly_convex);
        run.guarantee_source =
            "su.approximate_objective_perturbation_strongly_convex.privacy.corrected";
        return run;
      },
      [] {
        ClaimList claims("su.approximate_objective_perturbation_strongly_convex");
        add_strongly_convex(claims);
        add_floor(claims, "", "Algorithm 2 with the loss ||theta - x||^2/2",
                  "Theorem 5 with the rows of a Hadamard matrix, by group privacy",
                  mean_point_floor());
        claims.append(approximate_objective_perturbation_strongly_convex_rates());
        claims.append(approximate_objective_perturbation_strongly_convex_lemmas());
        return claims.take();
      });
}

}  // namespace dpverify::su
