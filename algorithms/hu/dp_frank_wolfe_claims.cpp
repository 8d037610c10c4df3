// What is claimed of the sensitivity and privacy of heavy-tailed DP Frank-Wolfe, and its entry for
// the command line; both read one table of its parameters.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

enum class Shape { l1_ball, simplex };

struct Settings {
  Loss loss = Loss::squared;
  std::optional<Index> iterations;  // auto: Theorem 2
  std::optional<double> scale;      // auto: Theorem 2
  double beta = 1;
  double radius = 1;
  double epsilon = 1;
  double shift = 0;  // of every vertex, along (1, ..., 1)
  Shape polytope = Shape::l1_ball;
  double smoothness = 1;
  double second_moment = 1;
  double failure_probability = 0.05;
};

const Fields<Settings> fields{
    field("loss", &Settings::loss, loss_choices())
        .range(Loss::squared, Loss::squared, Loss::absolute)
        .option(loss_help),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T, 1 to n; auto: Theorem 2", at_least_one),
    field("scale", &Settings::scale)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("s of the soft truncation, positive; auto: Theorem 2", positive),
    field("beta", &Settings::beta)
        .range(1.0, 0.05, 20.0, logarithmic)
        .option("smoothing: the noise factor has variance 1/beta", positive),
    field("radius", &Settings::radius)
        .range(1.0, 0.1, 10.0, logarithmic)
        .option("of the l1 ball, or the sum of the weights of the simplex"),
    field("epsilon", &Settings::epsilon)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("privacy parameter, positive", positive),
    field("shift", &Settings::shift).range(0.0, 0.0, 10.0),
    field("polytope", &Settings::polytope,
          {{"l1_ball", Shape::l1_ball}, {"simplex", Shape::simplex}})
        .option("l1_ball or simplex"),
    field("smoothness", &Settings::smoothness).option("alpha of Theorem 2: a public guess"),
    field("second-moment", &Settings::second_moment).option("tau of Theorem 2: a public guess"),
    field("failure-probability", &Settings::failure_probability).option("zeta of Theorem 2")};

Polytope polytope(const Settings& settings, Index d) {
  if (settings.polytope == Shape::simplex) return Polytope::simplex(d, settings.radius);
  if (settings.shift == 0) return Polytope::l1_ball(d, settings.radius);
  Matrix vertices = Matrix::Constant(2 * d, d, settings.shift);
  for (Index j = 0; j < d; ++j) {
    vertices(j, j) += settings.radius;
    vertices(d + j, j) -= settings.radius;
  }
  return Polytope::hull(std::move(vertices));
}

FrankWolfeParameters parameters(const Settings& settings, Index n, Index d) {
  FrankWolfeParameters p =
      from_theorem(n, settings.epsilon, polytope(settings, d), settings.loss,
                   {settings.smoothness, settings.second_moment, settings.failure_probability});
  p.iterations = settings.iterations.value_or(p.iterations);
  p.scale = settings.scale.value_or(p.scale);
  p.beta = settings.beta;
  return p;
}

// The algorithm with `change` made to its parameters; T is cut to the number of records.
template <class Change>
Family<Settings> family(Change change) {
  return {fields,
          [change](const Dataset& data, const Settings& settings, Releases& releases) {
            FrankWolfeParameters p = parameters(settings, data.size(), data.dimension());
            p.iterations = std::min(p.iterations, data.size());
            change(p, data);
            return dp_frank_wolfe(data, p, releases);
          },
          [](const Settings& settings) { return PrivacyGuarantee{.epsilon = settings.epsilon}; }};
}

const Family<Settings> as_corrected = family([](FrankWolfeParameters&, const Dataset&) {});
const Family<Settings> on_any_polytope =
    family([](FrankWolfeParameters& p, const Dataset&) { p.sensitivity = printed; });
const Family<Settings> as_printed = on_any_polytope.over(fields.without(&Settings::shift));
const Family<Settings> in_closed_form = family([](FrankWolfeParameters& p, const Dataset&) {
                                          p.sensitivity = printed;
                                          p.estimator =
                                              MeanEstimator::smooth_truncation_closed_form;
                                        }).over(fields.without(&Settings::shift));
const Family<Settings> without_truncation = family([](FrankWolfeParameters& p, const Dataset&) {
                                              p.estimator = MeanEstimator::plain_mean;
                                            }).over(fields.without(&Settings::shift));
const Family<Settings> with_step_from_data =
    family([](FrankWolfeParameters& p, const Dataset& data) {
      p.step_factor = 1 / (1 + std::abs(data.labels.mean()));
    });
const Family<Settings> with_overlapping_parts =
    as_corrected.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      return as_corrected.run(repeated(data, *settings.iterations), settings, releases);
    });

const Source step_6{Text::hu, "Algorithm 1, step 6; proof of Theorem 1"};
const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      {{.iterations = 1, .scale = 1}, 5, 2},
      {{.iterations = 1, .scale = 1, .beta = 100}, 5, 2},
      {{.iterations = 2, .scale = 1, .radius = 5}, 6, 3}};
  claims.add("sensitivity", printed, holds, step_6,
             "On an l1 ball a score changes by at most Delta = ||W||_1 4 sqrt2 s/(3m), ||W||_1 the "
             "l1 diameter.",
             neighbours, as_printed.sensitivity({}, settings));
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "Algorithm 1, step 6, with the range of the smoothed truncation"},
             "For every polytope, half the range of the change of the scores is at most ||W||_1 2 "
             "sqrt2 s/(3m) erf(sqrt(beta/2)), and some pair attains it.",
             neighbours, as_corrected.sensitivity({}, settings, true));
  add_mutants(claims, as_corrected.sensitivity({}, settings), neighbours);
  claims.add("sensitivity.any_polytope", printed, refuted, step_6,
             "For every polytope W a score -<v, g> of a vertex v changes by at most Delta = "
             "||W||_1 4 sqrt2 s/(3m) when one record is replaced, because ||v||_1 <= ||W||_1, the "
             "l1 diameter. (The l1 balls of this radius, moved by shift times (1, ..., 1), are "
             "this check's; iterations is T and scale is s.)",
             neighbours,
             on_any_polytope.sensitivity({}, {{{.iterations = 1, .scale = 1, .shift = 10}, 4, 2}}));
  claims.add(
      "sensitivity.closed_form", printed, refuted,
      {Text::hu, "(5), the correction term C-hat, and Algorithm 1, step 4, in doubles"},
      "The closed form (5) of the smoothed truncation, with the correction C-hat, keeps the "
      "sensitivity Delta = ||W||_1 4 sqrt2 s/(3m) of a score. (Its evaluation in double precision "
      "is this check's, as are the l1 balls of this radius; iterations is T and scale is s.)",
      neighbours, in_closed_form.sensitivity({}));
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "planted fault: the gradients are averaged without truncation"},
             "The corrected sensitivity holds although the truncation is forgotten.", neighbours,
             without_truncation.sensitivity({}));
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> settings{
      {{.iterations = 1, .scale = 1}, 5, 2},
      {{.iterations = 1, .scale = 1}, 100, 2},
      {{.iterations = 1, .scale = 1, .beta = 4, .epsilon = 0.1}, 20, 2},
      {{.iterations = 2, .scale = 1, .radius = 5}, 40, 2},
      {{.iterations = 3, .scale = 1}, 12, 1}};
  const FamilySetting<Settings> one{{.iterations = 1, .scale = 1}, 5, 2};
  const FamilySetting<Settings> two{{.iterations = 2, .scale = 1}, 4, 1};
  claims.add("privacy", printed, holds, {Text::hu, "Theorem 1"},
             "Algorithm 1 with the printed Delta is epsilon-DP.", neighbours,
             as_printed.privacy(settings));
  add_accounting<Settings>(
      claims, as_corrected,
      {.edition = corrected,
       .source = {Text::hu, "Algorithm 1, step 6; Theorem 1"},
       .releases =
           "The T exponential mechanisms of Algorithm 1 over disjoint parts, each of epsilon,",
       .in_words = "T epsilon^2/8",
       .rho = [](const Settings& s) {
         return static_cast<double>(*s.iterations) * s.epsilon * s.epsilon / 8;
       }});
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Theorem 1 with the smallest safe Delta"},
             "Algorithm 1 with Delta = ||W||_1 2 sqrt2 s/(3m) erf(sqrt(beta/2)) is epsilon-DP, and "
             "no smaller Delta is safe.",
             neighbours, as_corrected.privacy(settings));
  claims.add("privacy.no_truncation", mutant, refuted,
             {Text::this_project, "planted fault: the gradients are averaged without truncation"},
             "epsilon-DP although the truncation is forgotten.", neighbours,
             without_truncation.privacy({one}));
  claims.add("privacy.step_from_data", mutant, refuted,
             {Text::this_project, "planted fault: the step size is read from the data"},
             "epsilon-DP although the step size depends on the mean label.", neighbours,
             with_step_from_data.privacy({two}));
  claims.add("privacy.overlapping_parts", mutant, refuted,
             {Text::this_project, "planted fault: every iteration sees the whole dataset"},
             "epsilon-DP by parallel composition although the parts overlap.", neighbours,
             with_overlapping_parts.privacy({two}));
}

std::vector<Claim> claims() {
  ClaimList out("hu.dp_frank_wolfe");
  add_sensitivity(out);
  add_privacy(out);
  out.append(dp_frank_wolfe_rates());
  out.append(dp_frank_wolfe_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  const FrankWolfeParameters p = parameters(settings, data.size(), data.dimension());
  validate(p, data);
  settings.iterations = p.iterations;
  settings.scale = p.scale;
  const Index part = data.size() / p.iterations;
  PreparedRun run{.mechanism = [p](const Dataset& d,
                                   Releases& releases) { return dp_frank_wolfe(d, p, releases); },
                  .guarantee = {.epsilon = p.epsilon},
                  .guarantee_source = "hu.dp_frank_wolfe.privacy.corrected",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(p.loss),
                  .risk_name = mean_loss_name(p.loss)};
  run.parameters.emplace_back("records in a part", std::to_string(part));
  run.parameters.emplace_back("score sensitivity", to_text(score_sensitivity(p, part)));
  return run;
}

}  // namespace

Algorithm dp_frank_wolfe_algorithm() {
  return algorithm("hu.dp_frank_wolfe", "heavy-tailed DP Frank-Wolfe over a polytope, epsilon-DP",
                   "Hu, Ni, Xiao and Wang, Algorithm 1", fields, prepare, claims);
}

}  // namespace dpverify::hu
