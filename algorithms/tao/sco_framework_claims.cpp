// What is claimed of Algorithm 6 with Algorithm 1 on every coordinate, and its entry for the
// command line; claims and options read one table of its parameters.
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/sco_framework.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  ClaimedLoss claimed_loss = ClaimedLoss::inner_product;
  Loss loss = Loss::squared;
  double radius = 1;
  Index iterations = 5;
  std::optional<double> truncation;  // auto: from moment and order
  double step = 0.1;
  double epsilon = 0.5;
  double delta = 1e-5;
  double moment = 1;
  double order = 1;
};

// Claims range over losses of their own, `run` over those of linear models.
const Fields<Settings> fields{
    field("loss", &Settings::claimed_loss)
        .range(ClaimedLoss::inner_product, ClaimedLoss::distance, ClaimedLoss::squared),
    field("loss", &Settings::loss, loss_choices()).option(loss_help),
    field("radius", &Settings::radius).option("of the l2 ball", positive),
    field("iterations", &Settings::iterations).range(1, 1, 4).option("T, 1 to n", at_least_one),
    field("truncation", &Settings::truncation)
        .range(1.0, 0.01, 100.0, logarithmic)
        .option("B, positive; auto: (u m epsilon)^(1/(1+v))", positive),
    field("step", &Settings::step)
        .range(1.0, 0.01, 10.0, logarithmic)
        .option("eta, positive", positive),
    field("epsilon", &Settings::epsilon)
        .range(0.5, 0.001, 1.0, logarithmic)
        .option("privacy parameter, in (0, 1]", fraction_or_one),
    field("delta", &Settings::delta)
        .range(1e-5, 1e-12, 1.0, logarithmic)
        .option("privacy parameter, in (0, 1]", fraction_or_one),
    field("moment", &Settings::moment).option("u >= E|gradient_j|^(1+v): a public guess", positive),
    field("order", &Settings::order).option("v, in (0, 1]", fraction_or_one)};

TruncatedScoParameters parameters(const Settings& settings, GradientOracle gradients,
                                  const Dataset& data) {
  TruncatedScoParameters p{.framework = {.gradients = std::move(gradients),
                                         .radius = settings.radius,
                                         .initial = VectorXd::Zero(data.dimension()),
                                         .step = settings.step,
                                         .iterations = std::min(settings.iterations, data.size())},
                           .epsilon = settings.epsilon,
                           .delta = settings.delta};
  const Index part = data.size() / p.framework.iterations;
  p.truncation = settings.truncation.value_or(
      std::pow(settings.moment * static_cast<double>(part) * p.epsilon, 1 / (1 + settings.order)));
  return p;
}

// Without the split every step sees all the data, with the noise that suits it.
Family<Settings> family(bool split) {
  return {fields,
          [split](const Dataset& data, const Settings& settings, Releases& releases) {
            TruncatedScoParameters p =
                parameters(settings, gradient_oracle(settings.claimed_loss), data);
            p.framework.split = split;
            return truncated_sco(data, p, releases);
          },
          [](const Settings& settings) {
            return PrivacyGuarantee{settings.epsilon, settings.delta};
          }};
}

const Family<Settings> on_parts = family(true);
const Family<Settings> on_all_records = family(false);

FamilySetting<Settings> at(Index iterations, Index records, Index dimension, double epsilon = 1) {
  return {{.iterations = iterations, .truncation = 1, .step = 1, .epsilon = epsilon},
          records,
          dimension};
}

// The mean of one number by T = ceil(log n) steps, alpha = beta = 1, eta = 1/2 (Lemma 18).
RateClaim rate() {
  const HeavyMean model{.centre = 0.8, .share = 0.01, .tail = 2.05};
  const double mean = model.mean(), moment = 4 * model.moment(2), epsilon = 0.99, delta = 0.01;
  const auto point = [=](double n) {
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
    return RatePoint{
        static_cast<Index>(n),
        [p](const Dataset& data, Releases& releases) { return truncated_sco(data, p, releases); },
        moment * std::log(1.25 / delta) / (part * epsilon)};
  };
  return rate_claim(
      "n", {.exponent = -1, .by_parts = true, .at = point},
      {.words = "the mean of numbers that are 0.8, and in one case of a hundred Pareto of index "
                "2.05, loss (w - x)^2/2, W = [-2, 2], v = 1, epsilon = 0.99, delta = 0.01",
       .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
       .excess_risk = [mean](const VectorXd& w) { return std::pow(w[0] - mean, 2) / 2; }},
      {{{5e3, 2.5e4, 1e5, 5e5}, 56}, {{5e3, 5e4, 5e5, 2e6}, 80}, {{5e3, 5e4, 5e5, 5e6, 2e7}, 70}});
}

// Means of norm 1/2 in the unit ball, loss ||w - x||^2/2.
FloorClaim floor_on_hard_laws() {
  const HardLaws laws{.words = sign_words(4), .records = 60, .probability = 1, .size = 0.25};
  const Settings settings{.claimed_loss = ClaimedLoss::distance,
                          .iterations = 2,
                          .truncation = 1 + laws.size,
                          .step = 0.75,
                          .epsilon = 0.025,
                          .delta = 1e-6};
  return estimation_floor(laws, on_parts.guarantee(settings), on_parts(settings));
}

const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};

std::vector<Claim> claims() {
  ClaimList out("tao.sco_framework");
  const SensitivityClaim tight = on_parts.sensitivity({}, {at(1, 3, 2), at(2, 4, 3)}, true);
  out.add("sensitivity", corrected, holds,
          {Text::this_project, "Algorithm 6 with Algorithm 1 on every coordinate"},
          "One record moves the estimate of its part of m records by at most 2 sqrt(d) B/m in l2, "
          "no other estimate, and some pair attains it.",
          neighbours, tight);
  add_mutants(out, tight, neighbours);
  const std::vector<FamilySetting<Settings>> settings{at(1, 3, 2), at(3, 6, 1), at(4, 8, 2, 0.1)};
  out.add("privacy", corrected, holds,
          {Text::this_project, "Algorithm 6 on disjoint parts, by parallel composition"},
          "With an (epsilon, delta)-DP estimator and disjoint X_t the iterates of Algorithm 6 are "
          "(epsilon, delta)-DP.",
          neighbours, on_parts.privacy(settings));
  add_accounting<Settings>(
      out, on_parts,
      {.edition = corrected,
       .source = {Text::tao, "Algorithm 6; Lemma 3"},
       .releases = "The T estimates of Algorithm 6 on disjoint parts, each with Gaussian noise of "
                   "sqrt(2 log(1.25/delta))/epsilon sensitivities,",
       .in_words = "T epsilon^2/(4 log(1.25/delta))",
       .rho = [](const Settings& s) {
         return static_cast<double>(s.iterations) * s.epsilon * s.epsilon /
                (4 * std::log(1.25 / s.delta));
       }});
  out.add("privacy.no_split", mutant, refuted,
          {Text::this_project, "Algorithm 6 with X_t = X and an (epsilon, delta)-DP estimator"},
          "With an (epsilon, delta)-DP estimator and X_t = X at every step the iterates of "
          "Algorithm 6 are (epsilon, delta)-DP.",
          neighbours, on_all_records.privacy({at(4, 4, 1)}));
  out.add("rate", corrected, holds,
          {Text::this_project, "Algorithm 6 with Algorithm 1, Lemma 18 with its variance"},
          "For a strongly convex loss the excess risk falls like the variance of one estimate, in "
          "n like log n/n for v = 1.",
          {"strongly convex and smooth loss", "E|gradient|^2 <= u, with u known"}, rate());
  add_floor(out, "", "Algorithm 6 with Algorithm 1",
            "Theorem 8 with the rows of a Hadamard matrix, by group privacy", floor_on_hard_laws());
  out.append(sco_framework_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  require(settings.iterations <= data.size(), "--iterations",
          static_cast<double>(settings.iterations),
          "at most " + std::to_string(data.size()) + " (the number of records)");
  const TruncatedScoParameters p = parameters(settings, gradient_oracle(settings.loss), data);
  validate(p, data);
  settings.truncation = p.truncation;
  PreparedRun run{
      .mechanism = [p](const Dataset& records,
                       Releases& releases) { return truncated_sco(records, p, releases); },
      .guarantee = {p.epsilon, p.delta},
      .guarantee_source = "tao.sco_framework.privacy.corrected",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_loss(settings.loss),
      .risk_name = mean_loss_name(settings.loss)};
  run.parameters.emplace_back("records in a part",
                              std::to_string(data.size() / p.framework.iterations));
  return run;
}

}  // namespace

Algorithm sco_framework_algorithm() {
  return algorithm(
      "tao.sco_framework",
      "private gradient descent on disjoint parts with truncated means, (epsilon, delta)-DP",
      "Tao, Wu, Cheng and Wang, Algorithm 6 with Algorithm 1", fields, prepare, claims);
}

}  // namespace dpverify::tao
