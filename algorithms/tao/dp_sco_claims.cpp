// What is claimed of the sensitivity and privacy of Algorithm 2, and its entry for the command
// line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/tao/dp_sco.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  ClaimedLoss claimed_loss = ClaimedLoss::inner_product;
  Loss loss = Loss::squared;
  Branch branch = Branch::strongly_convex;
  double radius = 1;
  std::optional<Index> iterations;  // auto, here and below: Theorem 6 or 7
  std::optional<Index> blocks;      // auto: Algorithm 3
  std::optional<double> truncation;
  std::optional<double> step;
  double epsilon = 0.5;
  double delta = 1e-5;
  double gradient_bound = 1;
  double moment = 1;
  double order = 1;
  double strong_convexity = 1;
  double smoothness = 1;
  double failure_probability = 0.05;
};

// Claims range over losses of their own, `run` over those of linear models.
const Fields<Settings> fields{
    field("loss", &Settings::claimed_loss)
        .range(ClaimedLoss::inner_product, ClaimedLoss::distance, ClaimedLoss::squared),
    field("loss", &Settings::loss, loss_choices()).option(loss_help),
    field("branch", &Settings::branch,
          {{"convex", Branch::convex}, {"strongly-convex", Branch::strongly_convex}})
        .option("convex or strongly-convex"),
    field("radius", &Settings::radius).option("of the l2 ball", positive),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T; auto: Theorem 6 or 7 with balanced constants", at_least_one),
    field("blocks", &Settings::blocks)
        .range(1, 1, 3)
        .option("m; auto: Algorithm 3, line 1, rounded up", at_least_one),
    field("truncation", &Settings::truncation)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("tau, positive; auto: Theorem 6 or 7", positive),
    field("step", &Settings::step)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("eta, positive; auto: Theorem 6 or 7", positive),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("gradient-bound", &Settings::gradient_bound)
        .option("R of Assumption 1: a public guess", positive),
    field("moment", &Settings::moment).option("u of Assumption 1: a public guess", positive),
    field("order", &Settings::order).option("v, in (0, 1]", fraction_or_one),
    field("strong-convexity", &Settings::strong_convexity)
        .option("alpha of Theorem 7: a public guess", positive),
    field("smoothness", &Settings::smoothness)
        .option("beta of Assumption 1: a public guess", positive),
    field("failure-probability", &Settings::failure_probability)
        .option("xi of Algorithm 3, in (0, 1)", fraction)};

// T is cut to the number of records, m to those of a part.
DpScoParameters parameters(const Settings& settings, Branch branch, const Dataset& data) {
  const bool parts = branch == Branch::strongly_convex;
  DpScoParameters p{.gradients = gradient_oracle(settings.claimed_loss),
                    .branch = branch,
                    .initial = VectorXd::Zero(data.dimension()),
                    .step = settings.step.value(),
                    .iterations = parts ? std::min(*settings.iterations, data.size())
                                        : settings.iterations.value(),
                    .truncation = settings.truncation.value(),
                    .epsilon = settings.epsilon,
                    .delta = settings.delta};
  p.blocks = std::min(settings.blocks.value(), parts ? data.size() / p.iterations : data.size());
  return p;
}

Family<Settings> family(Branch branch) {
  return {fields,
          [branch](const Dataset& data, const Settings& settings, Releases& releases) {
            return dp_sco(data, parameters(settings, branch, data), releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> convex = family(Branch::convex);
const Family<Settings> strongly_convex = family(Branch::strongly_convex);
const Family<Settings> as_line_7_prints_it = family(Branch::literal);
// The convex branch, whose steps spend all of delta, and of epsilon too.
Family<Settings> unsplit(bool epsilon_too) {
  return convex.running([=](const Dataset& data, const Settings& settings, Releases& releases) {
    const DpScoParameters p = parameters(settings, Branch::convex, data);
    MedianOfMeansParameters step = estimator_parameters(p);
    if (epsilon_too) step.epsilon = p.epsilon;
    step.delta = p.delta;
    const PrivateMean estimate = [&](const LazyMatrix& gradients, Releases& door) {
      return median_of_means(gradients, step, door);
    };
    return dp_sco(data, p, estimate, releases);
  });
}
const Family<Settings> without_composition = unsplit(true);
const Family<Settings> without_split_delta = unsplit(false);
const Family<Settings> without_truncation =
    convex.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const DpScoParameters p = parameters(settings, Branch::convex, data);
      const MedianOfMeansParameters step = estimator_parameters(p);
      const double sensitivity = std::sqrt(static_cast<double>(data.dimension())) *
                                 coordinate_sensitivity(step, data.size());
      const PrivateMean estimate = [&](const LazyMatrix& gradients, Releases& door) {
        return door.release(
            GaussianNoise{dpverify::median_of_means(gradients(), step.blocks, step.middle),
                          sensitivity, noise_deviation(step, data.size(), data.dimension())});
      };
      return dp_sco(data, p, estimate, releases);
    });

FamilySetting<Settings> at(Index iterations, Index records, Index dimension = 1,
                           double epsilon = 0.999, double delta = 1e-5) {
  return {{.iterations = iterations,
           .blocks = 1,
           .truncation = 1,
           .step = 1,
           .epsilon = epsilon,
           .delta = delta},
          records,
          dimension};
}

const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corners{at(1, 3, 2), at(2, 4)};
  claims.add("sensitivity.convex", printed, holds,
             {Text::tao, "Algorithm 2, convex branch; proof of Theorem 3"},
             "At every step of Algorithm 2's convex branch one record moves the vector of medians "
             "by at most 2 tau sqrt(d)/floor(n/m) in l2, and some pair attains it.",
             neighbours, convex.sensitivity({}, corners, true));
  const SensitivityClaim tight = strongly_convex.sensitivity({}, corners, true);
  claims.add("sensitivity.strongly_convex", printed, holds,
             {Text::tao, "Algorithm 2, strongly convex branch; proof of Theorem 3"},
             "In Algorithm 2's strongly convex branch one record moves the vector of medians of "
             "its part of k = floor(n/T) records by at most 2 tau sqrt(d)/floor(k/m) in l2, and "
             "some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "Algorithm 2, convex branch, without truncation"},
             "At every step of Algorithm 2's convex branch without truncation one record moves the "
             "vector of medians by at most 2 tau sqrt(d)/floor(n/m).",
             neighbours, without_truncation.sensitivity({}, corners));
}

void add_privacy(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> exact{at(1, 3),
                                                   at(10, 3),
                                                   at(3, 3, 2),
                                                   at(3, 3, 1, 0.01),
                                                   at(3, 3, 1, 0.999, 1e-12),
                                                   at(3, 3, 1, 0.999, 0.1),
                                                   at(3, 3, 1, 0.999, 1 - 1e-9)};
  claims.add("privacy.convex", printed, holds, {Text::tao, "Theorem 5"},
             "The convex branch of Algorithm 2 is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours, convex.privacy(exact, {at(100, 3), at(1000, 3), at(10'000, 3)}));
  add_accounting<Settings>(
      claims, convex,
      {.edition = printed,
       .source = {Text::tao, "Algorithm 2, convex branch; Lemma 3"},
       .releases = "The T Gaussian estimates of Algorithm 2's convex branch, each for epsilon' = "
                   "epsilon/(2 sqrt(2 T log(2/delta))) and delta' = delta/(2T),",
       .in_words = "epsilon^2/(32 log(2/delta) log(2.5 T/delta))",
       .rho =
           [](const Settings& s) {
             return s.epsilon * s.epsilon /
                    (32 * std::log(2 / s.delta) *
                     std::log(2.5 * static_cast<double>(*s.iterations) / s.delta));
           }},
      {{"budget_not_split", "every step spends all of epsilon and delta", without_composition},
       {"delta_not_split", "every step spends all of delta", without_split_delta}});
  const std::vector<FamilySetting<Settings>> parts{at(1, 3),
                                                   at(5, 10),
                                                   at(20, 40),
                                                   at(5, 10, 2),
                                                   at(5, 10, 1, 0.01),
                                                   at(5, 10, 1, 0.999, 1e-12),
                                                   at(5, 10, 1, 0.999, 1 - 1e-9)};
  claims.add("privacy.strongly_convex", corrected, holds,
             {Text::this_project, "Theorem 5 with X_t in line 7"},
             "The strongly convex branch of Algorithm 2 over X_t is (epsilon, delta)-DP for 0 < "
             "epsilon, delta < 1.",
             neighbours, strongly_convex.privacy(parts));
  claims.add("privacy.strongly_convex", printed, refuted,
             {Text::tao, "Theorem 5 with line 7 of Algorithm 2 as printed, over {x in X}"},
             "The strongly convex branch of Algorithm 2 as printed, whose every step sees all of X "
             "with epsilon' = epsilon and delta' = delta, is (epsilon, delta)-DP for 0 < epsilon, "
             "delta < 1. (In the counterexample iterations is T, blocks is the m of Algorithm 3, "
             "truncation is tau, step is eta, and loss says which loss: 0 for ||w - x||^2/2, 1 for "
             "-<w, x>, 2 for squared loss.)",
             neighbours,
             as_line_7_prints_it.privacy({at(1, 3), at(2, 3), at(5, 3), at(10, 3), at(20, 3)}));
  claims.add("privacy.no_composition", mutant, refuted,
             {Text::this_project,
              "Algorithm 2, convex branch, whose steps spend all of epsilon and delta"},
             "The convex branch of Algorithm 2, each of whose steps spends all of epsilon and "
             "delta, is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours, without_composition.privacy({at(4, 3)}));
}

std::vector<Claim> claims() {
  ClaimList out("tao.dp_sco");
  add_sensitivity(out);
  add_privacy(out);
  out.append(dp_sco_rates());
  out.append(dp_sco_floors());
  out.append(dp_sco_lemmas());
  out.append(dp_sco_lower_bound_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  const Index n = data.size(), d = data.dimension();
  const bool all_records = settings.branch == Branch::convex;
  const auto from_theorem = all_records ? convex_balanced : strongly_convex_from_theorem;
  DpScoParameters p = from_theorem(n, d,
                                   {.radius = settings.radius,
                                    .gradient_bound = settings.gradient_bound,
                                    .moment = settings.moment,
                                    .order = settings.order,
                                    .alpha = settings.strong_convexity,
                                    .beta = settings.smoothness},
                                   settings.epsilon, settings.delta, settings.failure_probability);
  p.gradients = gradient_oracle(settings.loss);
  settings.iterations = p.iterations = settings.iterations.value_or(p.iterations);
  settings.truncation = p.truncation = settings.truncation.value_or(p.truncation);
  settings.step = p.step = settings.step.value_or(p.step);
  const Index part = all_records ? n : n / p.iterations;
  require(part >= 1, "--iterations", static_cast<double>(p.iterations), "at most n for parts");
  settings.blocks = p.blocks =
      settings.blocks.value_or(block_count(part, d, settings.failure_probability));
  require(p.blocks <= part, "--blocks", static_cast<double>(p.blocks),
          "in 1.." + std::to_string(part) + " (the records of a step)");
  PreparedRun run{.mechanism = [p](const Dataset& records,
                                   Releases& releases) { return dp_sco(records, p, releases); },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = all_records ? "tao.dp_sco.privacy.convex.printed"
                                                  : "tao.dp_sco.privacy.strongly_convex.corrected",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(settings.loss),
                  .risk_name = mean_loss_name(settings.loss)};
  const MedianOfMeansParameters step = estimator_parameters(p);
  for (auto& [what, value] : {std::pair{"records of a step", static_cast<double>(part)},
                              {"epsilon of a step", step.epsilon},
                              {"delta of a step", step.delta},
                              {"noise standard deviation", noise_deviation(step, part, d)}})
    run.parameters.emplace_back(what, to_text(value));
  return run;
}

}  // namespace

Algorithm dp_sco_algorithm() {
  return algorithm("tao.dp_sco",
                   "private gradient descent with medians of block means, (epsilon, delta)-DP",
                   "Tao, Wu, Cheng and Wang, Algorithm 2", fields, prepare, claims);
}

}  // namespace dpverify::tao
