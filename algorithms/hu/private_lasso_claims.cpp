// What is claimed of the sensitivity and privacy of the private LASSO, and its entry for the
// command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/hu/private_lasso.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  double radius = 1;
  std::optional<double> clip;       // auto: Theorem 5
  std::optional<Index> iterations;  // auto: Theorem 5
  double start = 0;                 // the share of the way from 0 to the vertex R e_0
  double epsilon = 0.5;
  double delta = 1e-5;
  double largest_eigenvalue = 1;
  double failure_probability = 0.05;
};

// Where optimal composition certifies the steps' budget for every epsilon < 1.
constexpr Domain composed_delta_domain{[](double x) { return x > 0 && x <= 0.99; }, "in (0, 0.99]"};

const Fields<Settings> fields{
    field("radius", &Settings::radius)
        .range(1.0, 0.1, 100.0, logarithmic)
        .option("of the l1 ball", positive),
    field("clip", &Settings::clip)
        .range(1.0, 0.1, 100.0, logarithmic)
        .option("K: features and labels are clipped to [-K, K]; auto: Theorem 5", positive),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T, at least 1; auto: Theorem 5"),
    field("start", &Settings::start).range(1.0, 0.0, 1.0),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.01, 0.99, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.99, logarithmic)
        .option("privacy parameter, in (0, 0.99]", composed_delta_domain),
    field("largest-eigenvalue", &Settings::largest_eigenvalue).option("of E x x^T: a public guess"),
    field("failure-probability", &Settings::failure_probability).option("zeta of Theorem 5")};

PrivateLassoParameters parameters(const Settings& settings, Index n, Index d) {
  PrivateLassoParameters p =
      private_lasso_from_theorem(n, d, settings.epsilon, settings.delta,
                                 settings.largest_eigenvalue, settings.failure_probability);
  p.radius = settings.radius;
  p.clip = settings.clip.value_or(p.clip);
  p.iterations = settings.iterations.value_or(p.iterations);
  p.initial[0] = p.radius * settings.start;
  return p;
}

Family<Settings> family(LassoSensitivity sensitivity) {
  return {fields,
          [sensitivity](const Dataset& data, const Settings& settings, Releases& releases) {
            PrivateLassoParameters p = parameters(settings, data.size(), data.dimension());
            p.sensitivity = sensitivity;
            return private_lasso(data, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> by_diameter = family(LassoSensitivity::printed_diameter);
const Family<Settings> by_radius = family(LassoSensitivity::printed_radius);
const Family<Settings> exactly = family(LassoSensitivity::corrected);
const std::vector<std::string> neighbours{"replace-one neighbours", "w^0 in the l1 ball"};

void add_sensitivity(ClaimList& claims) {
  const Fields<Settings> any_radius = fields.without(&Settings::delta);
  const Fields<Settings> small_radius = any_radius.within(&Settings::radius, 1.0, 0.1, 3.0);
  const auto corner = [](double radius) -> FamilySetting<Settings> {
    return {{.radius = radius, .clip = 1, .iterations = 1, .start = 1}, 3, 2};
  };
  const Source step_4{Text::hu, "Algorithm 2, step 4"};
  claims.add(
      "sensitivity", printed, refuted, step_4,
      "For an l1 ball of any radius R a score changes by at most Delta = 8 ||W||_1 K^2/n when one "
      "record is replaced, where ||W||_1 = 2R is the l1 diameter. (clip is K, iterations is T, and "
      "start is the share of the way from 0 to the vertex R e_1 at which w^0 lies.)",
      neighbours,
      by_diameter.over(any_radius)
          .sensitivity({}, {corner(1), corner(3), corner(3.5), corner(100)}));
  claims.add(
      "sensitivity", proved, holds, step_4,
      "For R <= 3 a score changes by at most 16 R K^2/n, and for R = 3 some pair attains it.",
      neighbours, by_diameter.over(small_radius).sensitivity({}, {corner(1), corner(3)}, true));
  claims.add(
      "sensitivity.radius_for_diameter", mutant, refuted,
      {Text::this_project, "Algorithm 2, step 4, with the radius for ||W||_1"},
      "A score changes by at most 8 R K^2/n, R the radius of the l1 ball, where the text has "
      "the diameter.",
      neighbours, by_radius.over(any_radius).sensitivity({}, {corner(1), corner(2)}));
  const SensitivityClaim tight =
      exactly.over(any_radius)
          .sensitivity({}, {corner(0.5), corner(1), corner(3.5), corner(5), corner(100)}, true);
  claims.add("sensitivity", corrected, holds, {Text::this_project, "Algorithm 2, step 4"},
             "A score changes by at most 4R(R+1)K^2/n, and some pair attains it.", neighbours,
             tight);
  add_mutants(claims, tight, neighbours);
}

// At w^0 = (1, 0) the gradient of the first record is (4, 4) or (4, -4), and eight more cancel its
// first coordinate: the step goes to -e_1 or to e_1.
PrivacyClaim near_one() {
  PrivacyClaim claim = by_diameter.privacy(
      {{{.clip = 1, .iterations = 1, .start = 1, .epsilon = 0.999, .delta = 1 - 1e-6}, 9, 2}});
  Dataset left{Matrix::Zero(9, 2), VectorXd::Ones(9)};
  left.features.col(0).setConstant(0.5);
  left.features.row(0).setOnes();
  left.labels[0] = -1;
  Dataset right = left;
  right.features(0, 1) = -1;
  claim.pair = NeighbouringPair{left, right};
  return claim;
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> exact{
      {{.clip = 1, .iterations = 1, .start = 1, .epsilon = 0.999}, 50, 2},
      {{.clip = 1, .iterations = 2, .start = 1, .epsilon = 0.5}, 10, 1}};
  const auto composed = [](Index iterations, double delta) -> FamilySetting<Settings> {
    return {{.clip = 1, .iterations = iterations, .epsilon = 0.999, .delta = delta}, 40, 2};
  };
  const auto ball = [](double radius, Index iterations, double delta = 1e-5,
                       double epsilon = 0.999) -> FamilySetting<Settings> {
    return {{.radius = radius,
             .clip = 1,
             .iterations = iterations,
             .start = 1,
             .epsilon = epsilon,
             .delta = delta},
            40,
            2};
  };
  const std::vector<FamilySetting<Settings>> certified{composed(1, 1e-5),   composed(10, 1e-5),
                                                       composed(40, 1e-5),  composed(100, 1e-5),
                                                       composed(400, 1e-7), composed(400, 1e-2)};
  std::vector<FamilySetting<Settings>> small_balls = certified, balls = certified;
  for (const auto& more : {ball(3, 10, 0.99), ball(0.1, 100, 1e-12), ball(3, 1000, 0.5, 0.1)})
    small_balls.push_back(more);
  balls.insert(balls.end(), small_balls.begin() + static_cast<std::ptrdiff_t>(certified.size()),
               small_balls.end());
  for (const auto& more : {ball(10, 100), ball(100, 1), ball(100, 1000, 0.99)})
    balls.push_back(more);
  claims.add("privacy", printed, holds,
             {Text::hu, "Theorem 4 (which names Algorithm 1 by mistake)"},
             "Algorithm 2 with the printed Delta = 8 ||W||_1 K^2/n, ||W||_1 = 2R, is (epsilon, "
             "delta)-DP for 0 < epsilon < 1, delta up to 0.99 and l1 balls of radius R up to 3.",
             neighbours, by_diameter.privacy(exact, small_balls));
  claims.add("privacy.any_radius", printed, refuted,
             {Text::hu, "Theorem 4, W the l1 ball of Algorithm 2, step 1"},
             "Algorithm 2 with Delta = 8 ||W||_1 K^2/n, where ||W||_1 = 2R is the l1 diameter, is "
             "(epsilon, delta)-DP for an l1 ball of any radius R. (clip is K, iterations is T, and "
             "start is the share of the way from 0 to the vertex R e_1 at which w^0 lies.)",
             neighbours, by_diameter.privacy({ball(100, 1)}));
  claims.add("privacy.large_delta", printed, refuted, {Text::hu, "Theorem 4, 0 < delta < 1"},
             "Algorithm 2 with Delta = 8 ||W||_1 K^2/n on the unit l1 ball is (epsilon, delta)-DP "
             "for 0 < epsilon < 1 and every delta < 1. (clip is K, iterations is T, and start is "
             "the share of the way from 0 to the vertex R e_1 at which w^0 lies.)",
             neighbours, near_one());
  claims.add(
      "privacy", corrected, holds,
      {Text::this_project, "Theorem 4 with the exact score sensitivity and delta up to 0.99"},
      "Algorithm 2 with Delta = 4R(R+1)K^2/n is (epsilon, delta)-DP for 0 < epsilon < 1, delta up "
      "to 0.99 and every radius R.",
      neighbours, exactly.privacy(exact, balls));
  add_accounting<Settings>(
      claims, exactly,
      {.edition = corrected,
       .source = {Text::hu, "Algorithm 2, step 5; Theorem 4"},
       .releases = "The T exponential mechanisms of Algorithm 2, each of epsilon/(2 sqrt(2 T "
                   "log(1/delta))),",
       .in_words = "epsilon^2/(64 log(1/delta))",
       .rho = [](const Settings& s) { return s.epsilon * s.epsilon / (64 * -std::log(s.delta)); }},
      {{"budget_not_split", "every step spends what it could if T were 1",
        exactly.running([](const Dataset& data, const Settings& settings, Releases& releases) {
          const auto steps = static_cast<double>(*settings.iterations);
          return with_noise_alone_times(exactly(settings), 1 / std::sqrt(steps))(data, releases);
        })}});
}

std::vector<Claim> claims() {
  ClaimList out("hu.private_lasso");
  add_sensitivity(out);
  add_privacy(out);
  out.append(private_lasso_rates());
  out.append(private_lasso_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  const PrivateLassoParameters p = parameters(settings, data.size(), data.dimension());
  validate(p, data.dimension());
  settings.clip = p.clip;
  settings.iterations = p.iterations;
  PreparedRun run{
      .mechanism = [p](const Dataset& records,
                       Releases& releases) { return private_lasso(records, p, releases); },
      .guarantee = {p.epsilon, p.delta},
      .guarantee_source = "hu.private_lasso.privacy.corrected",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_loss(Loss::squared),
      .risk_name = mean_loss_name(Loss::squared)};
  run.parameters.emplace_back("epsilon of one iteration", to_text(step_epsilon(p)));
  run.parameters.emplace_back("score sensitivity", to_text(score_sensitivity(p, data.size())));
  return run;
}

}  // namespace

Algorithm private_lasso_algorithm() {
  return algorithm("hu.private_lasso",
                   "heavy-tailed private LASSO on an l1 ball, (epsilon, delta)-DP",
                   "Hu, Ni, Xiao and Wang, Algorithm 2", fields, prepare, claims);
}

}  // namespace dpverify::hu
