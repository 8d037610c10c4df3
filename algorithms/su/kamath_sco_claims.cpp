// What is claimed of Theorem 15's algorithm, and its entry for the command line; claims and options
// read one table of its parameters.
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/lemmas.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/kamath_sco.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  ClaimedLoss claimed_loss = ClaimedLoss::inner_product;
  Loss loss = Loss::squared;
  double radius = 1;
  std::optional<Index> iterations;  // auto, here and below: kamath_sco_from_theorem()
  std::optional<Index> blocks;
  std::optional<double> clip;
  std::optional<double> step;
  double epsilon = 0.5;
  double delta = 1e-5;
  double gradient_bound = 1;
  double variance = 1;
  double failure_probability = 0.05;
};

// Claims range over losses of their own, `run` over those of linear models.
const Fields<Settings> fields{
    field("loss", &Settings::claimed_loss)
        .range(ClaimedLoss::inner_product, ClaimedLoss::distance, ClaimedLoss::squared),
    field("loss", &Settings::loss, loss_choices()).option(loss_help),
    field("radius", &Settings::radius).option("of the l2 ball", positive),
    field("iterations", &Settings::iterations)
        .range(1, 1, 4)
        .option("T; auto: balanced", at_least_one),
    field("blocks", &Settings::blocks)
        .range(1, 1, 3)
        .option("m; auto: ceil(4 log(2d/xi))", at_least_one),
    field("clip", &Settings::clip)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("positive; auto: (sigma^2 + R^2)^(1/2) (epsilon n)^(1/2)/d^(1/4)", positive),
    field("step", &Settings::step)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("eta, positive; auto: 2 radius/(R sqrt T)", positive),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 0.999, logarithmic)
        .option("privacy parameter, in (0, 1)", fraction),
    field("gradient-bound", &Settings::gradient_bound)
        .option("R of Assumption 5: a public guess", positive),
    field("variance", &Settings::variance)
        .option("sigma^2 of Assumption 5: a public guess", not_negative),
    field("failure-probability", &Settings::failure_probability).option("xi, in (0, 1)", fraction)};

// m is cut to the number of records.
KamathScoParameters parameters(const Settings& settings, const Dataset& data) {
  return {.gradients = gradient_oracle(settings.claimed_loss),
          .initial = VectorXd::Zero(data.dimension()),
          .step = settings.step.value(),
          .iterations = settings.iterations.value(),
          .clip = settings.clip.value(),
          .blocks = std::min(settings.blocks.value(), data.size()),
          .epsilon = settings.epsilon,
          .delta = settings.delta};
}

const Family<Settings> honest{
    fields,
    [](const Dataset& data, const Settings& settings, Releases& releases) {
      return kamath_sco(data, parameters(settings, data), releases);
    },
    [](const Settings& settings) {
      return PrivacyGuarantee{settings.epsilon, settings.delta};
    }};

// With `estimate` made of the matrix of clipped or raw gradients and the noise's deviation.
Family<Settings> faulty(bool clips, double budget) {
  return honest.running([=](const Dataset& data, const Settings& settings, Releases& releases) {
    const KamathScoParameters p = parameters(settings, data);
    const Index n = data.size(), d = data.dimension();
    const PrivateMean estimate = [&](const LazyMatrix& gradients, Releases& door) {
      return door.release(
          GaussianNoise{median_of_means(clips ? clipped_entries(gradients(), p.clip) : gradients(),
                                        p.blocks, MiddlePair::lower),
                        median_sensitivity(p, n, d), noise_deviation(p, n, d) / std::sqrt(budget)});
    };
    return kamath_sco(data, p, estimate, releases);
  });
}

const Family<Settings> without_clipping = faulty(false, 1);
const Family<Settings> with_twice_the_budget = faulty(true, 2);

FamilySetting<Settings> at(Index iterations, Index records, Index dimension = 1,
                           double epsilon = 0.999, double delta = 1e-5) {
  return {{.iterations = iterations,
           .blocks = 1,
           .clip = 1,
           .step = 1,
           .epsilon = epsilon,
           .delta = delta},
          records,
          dimension};
}

void add_sensitivity_and_privacy(ClaimList& claims) {
  const std::vector<std::string> neighbours{"replace-one neighbours", "blocks chosen by index"};
  const std::vector<FamilySetting<Settings>> corners{at(1, 3, 2), at(2, 4)};
  const SensitivityClaim tight = honest.sensitivity({}, corners, true);
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "Theorem 15, the estimator of Kamath et al."},
             "At every step one record moves the vector of medians of clipped gradients by at most "
             "2 clip sqrt(d)/floor(n/m) in l2, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_clipping", mutant, refuted,
             {Text::this_project, "the algorithm without clipping"},
             "At every step one record moves the vector of medians of gradients that are not "
             "clipped by at most 2 clip sqrt(d)/floor(n/m).",
             neighbours, without_clipping.sensitivity({}, corners));
  const std::vector<FamilySetting<Settings>> exact{at(1, 3),
                                                   at(10, 3),
                                                   at(3, 3, 2),
                                                   at(3, 3, 1, 0.01),
                                                   at(3, 3, 1, 0.999, 1e-12),
                                                   at(3, 3, 1, 0.999, 0.01),
                                                   at(3, 3, 1, 0.999, 0.999)};
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Theorem 15, with the noise of concentrated privacy"},
             "Descent on noisy medians of clipped gradients, together rho-zCDP, is (epsilon, "
             "delta)-DP for 0 < epsilon, delta < 1.",
             neighbours, honest.privacy(exact, {at(1000, 3)}));
  add_accounting<Settings>(
      claims, honest,
      {.edition = corrected,
       .source = {Text::this_project, "Theorem 15, with the noise of concentrated privacy"},
       .releases = "The T medians of clipped gradients with Gaussian noise, each of rho/T,",
       .in_words = "(sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2",
       .rho =
           [](const Settings& s) {
             return std::pow(
                 std::sqrt(s.epsilon - std::log(s.delta)) - std::sqrt(-std::log(s.delta)), 2);
           }},
      {{"double_budget", "they spend twice the budget", with_twice_the_budget}});
  claims.add("privacy.double_budget", mutant, refuted,
             {Text::this_project, "the algorithm with twice the budget rho"},
             "Descent on noisy medians of clipped gradients that spends twice the budget rho is "
             "(epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours, with_twice_the_budget.privacy({at(1, 3), at(10, 3)}));
}

// The l2 diameter of the unit lp ball is d^(1/2-1/p).
template <class Real>
struct Norms {
  Real d, p, n, epsilon;
  static Fields<Norms> fields() {
    return {field("d", &Norms::d).range(10.0, 1.0, 1e4, integer),
            field("p", &Norms::p).range(4.0, 2.0, 1e6, logarithmic),
            field("n", &Norms::n).range(1e6, 1.0, 1e12, logarithmic),
            field("epsilon", &Norms::epsilon).range(1.0, 1e-3, 1.0, logarithmic)};
  }
};

std::vector<Claim> lemmas() {
  LemmaList out("su.kamath_sco", Text::su_supplement);
  out.add<Norms>(
      "change_of_norms",
      [](const auto& x) { return kamath_sco_bound(x.n, x.d, pow(x.d, 0.5 - 1 / x.p), x.epsilon); },
      {{printed, holds, "(29), from the bound of Kamath et al. at the l2 diameter d^(1/2-1/p) M",
        "M' d/sqrt n + sqrt(M') d^(5/4)/sqrt(n epsilon) at M' = d^(1/2-1/p) is at most "
        "d^(3/2-1/p)/sqrt n + d^(3/2-1/(2p))/sqrt(n epsilon).",
        [](const auto& x) {
          return (pow(x.d, 1.5 - 1 / x.p) / sqrt(x.n) +
                  pow(x.d, 1.5 - 1 / (2 * x.p)) / sqrt(x.n * x.epsilon)) *
                 (1 + 1e-12);
        }}},
      {"M = 1"});
  return out.take();
}

std::vector<Claim> claims() {
  ClaimList out("su.kamath_sco");
  add_sensitivity_and_privacy(out);
  out.append(kamath_sco_rates());
  out.append(lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  const Index n = data.size(), d = data.dimension();
  KamathScoParameters p =
      kamath_sco_from_theorem(n, d, settings.radius, settings.gradient_bound, settings.variance,
                              settings.epsilon, settings.delta, settings.failure_probability);
  p.gradients = gradient_oracle(settings.loss);
  settings.iterations = p.iterations = settings.iterations.value_or(p.iterations);
  settings.clip = p.clip = settings.clip.value_or(p.clip);
  settings.blocks = p.blocks = settings.blocks.value_or(p.blocks);
  settings.step = p.step = settings.step.value_or(p.step);
  validate(p, n);
  PreparedRun run{.mechanism = [p](const Dataset& records,
                                   Releases& releases) { return kamath_sco(records, p, releases); },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "su.kamath_sco.privacy.corrected",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(settings.loss),
                  .risk_name = mean_loss_name(settings.loss)};
  run.parameters.emplace_back("rho", to_text(zcdp_budget(p.epsilon, p.delta)));
  run.parameters.emplace_back("noise standard deviation", to_text(noise_deviation(p, n, d)));
  return run;
}

}  // namespace

Algorithm kamath_sco_algorithm() {
  return algorithm(
      "su.kamath_sco",
      "private gradient descent with medians of means of clipped gradients, (epsilon, delta)-DP",
      "Kamath, Liu and Zhang, Algorithm 1; Su, Zhao and Wang, Theorem 15", fields, prepare, claims);
}

}  // namespace dpverify::su
