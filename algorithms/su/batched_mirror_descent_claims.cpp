// What is claimed of the sensitivity and privacy of batched mirror descent, and its entry for the
// command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/truncated_mirror_settings.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Settings {
  Loss loss = Loss::squared;
  double p = 1.5;
  double radius = 1;
  double smoothness = 1;
  std::optional<double> truncation;  // these three: auto: Theorem 14, balanced
  std::optional<Index> batches;
  std::optional<double> proximity;
  double sigma = 1;
  double epsilon = 1;
  double delta = 1e-5;
};

const Fields<Settings> fields = truncated_mirror_fields<Settings>("Theorem 14, balanced")
                                    .with(field("epsilon", &Settings::epsilon)
                                              .range(1.0, 1e-3, 1.0, logarithmic)
                                              .option("privacy parameter, positive", positive))
                                    .with(field("delta", &Settings::delta)
                                              .range(1e-5, 1e-12, 0.999, logarithmic)
                                              .option("privacy parameter, in (0, 1)", fraction));

BatchedMirrorParameters parameters(const Settings& s, Edition edition) {
  auto p = truncated_mirror_parameters<BatchedMirrorParameters>(s);
  p.epsilon = s.epsilon;
  p.delta = s.delta;
  p.edition = edition;
  return p;
}

// With the noise of epsilon/noise; T is cut to the number of records.
Family<Settings> family(Edition edition, double noise = 1) {
  return {fields,
          [=](const Dataset& data, const Settings& settings, Releases& releases) {
            BatchedMirrorParameters p = parameters(settings, edition);
            p.batches = std::min(p.batches, data.size());
            p.epsilon /= noise;
            return batched_mirror_descent(data, p, releases);
          },
          [](const Settings& s) {
            return PrivacyGuarantee{s.epsilon, s.delta};
          }};
}

const Family<Settings> as_printed =
    family(printed).over(fields.within(&Settings::p, 1.9, 1.01, 1.9));
const Family<Settings> as_corrected = family(corrected);
// Every gradient is kept: the claim's threshold is what the noise is scaled to, nothing else.
const Family<Settings> without_truncation =
    as_corrected.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const BatchedMirrorParameters p = parameters(settings, corrected);
      const MirrorSpace space = mirror_space(p, data.dimension());
      const double s = 2 * threshold(p, data.dimension()) / static_cast<double>(data.size());
      const VectorXd w = VectorXd::Zero(data.dimension());
      const auto mean = [&]() -> VectorXd {
        return gradients(p.loss, w, data.all()).colwise().mean();
      };
      return release_in(space, data.dimension(), mean, s,
                        mirror_noise_scale(corrected, space.kappa, s, p.epsilon, p.delta),
                        releases);
    });

Settings at(double p, Index batches, double epsilon = 1, double delta = 1e-5) {
  auto out = absolute_loss<Settings>(p, batches);
  out.epsilon = epsilon;
  out.delta = delta;
  return out;
}

const std::vector<std::string> neighbours{"replace-one neighbours", "batches chosen by index"};

void add_sensitivity(ClaimList& claims) {
  // q = 2, 3 and 10.
  const FamilySetting<Settings> euclidean{at(2, 1), 4, 2}, three{at(1.5, 2), 5, 3},
      ten{at(10.0 / 9, 1), 3, 3};
  const SensitivityClaim attained = as_corrected.sensitivity({1, 4}, {euclidean, three, ten}, true);
  const std::string moves =
      "One record moves the mean truncated gradient of its batch by at most 2 (beta M + "
      "lambda)/|B| in the dual norm, and some pair attains it";
  claims.add("sensitivity", printed, holds, {Text::su_supplement, "Algorithm 7, lines 5 and 8"},
             moves + ".", neighbours, as_printed.sensitivity({3, 5}, {three, ten}, true));
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "Algorithm 7 with the corrected mirror map"},
             moves + ": with the corrected mirror map, in any dimension and for 1 < p <= 2.",
             neighbours, attained);
  add_mutants(claims, attained, neighbours);
  claims.add("sensitivity.no_truncation", mutant, refuted,
             {Text::this_project, "planted fault: gradients are not truncated"},
             "One record moves the mean gradient of its batch by at most 2 (beta M + lambda)/|B| "
             "in the dual norm although no gradient is truncated.",
             neighbours, without_truncation.sensitivity({1, 4}, {euclidean, three, ten}));
}

void add_privacy(ClaimList& claims) {
  // The corners of what is claimed.
  const auto corners = [](const std::vector<double>& exponents, const std::vector<double>& epsilons,
                          const std::vector<double>& deltas) {
    std::vector<FamilySetting<Settings>> out;
    for (const double p : exponents)
      for (const double epsilon : epsilons)
        for (const double delta : deltas) out.push_back({at(p, 3, epsilon, delta), 12, 20});
    return out;
  };
  const FamilySetting<Settings> one{at(2, 1), 4, 1}, two{at(2, 2, 0.1, 1e-2), 4, 1};
  claims.add(
      "privacy", printed, holds, {Text::su_supplement, "Theorem 14"},
      "Algorithm 7 with sigma^2 = 8 kappa (beta M + lambda)^2 log(1/delta)/(|B| epsilon)^2 is "
      "(epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.5 where 1/(p - 1) <= log d. (For "
      "smaller p see lemma.kappa, for larger delta lemma.delta_near_one.)",
      neighbours,
      as_printed.privacy({}, corners({1.99, 1.5, 1.35}, {1e-3, 1}, {1e-12, 1e-5, 1e-2, 0.5})));
  claims.add("privacy", corrected, holds,
             {Text::this_project, "Theorem 14 by concentrated differential privacy"},
             "With kappa = (r - 1) d^(2/r - 2/q) and sigma^2 = 2 kappa (beta M + lambda)^2/(|B|^2 "
             "rho), rho + 2 sqrt(rho log(1/delta)) = epsilon, Algorithm 7 is (epsilon, delta)-DP "
             "for 0 < delta < 1 and every epsilon > 0.",
             neighbours,
             as_corrected.privacy({one, two}, corners({1.99, 1.5, 1.1, 1.01}, {1e-3, 1, 100},
                                                      {1e-12, 1e-5, 0.5, 0.99999})));
  add_accounting<Settings>(
      claims, as_corrected,
      {.edition = corrected,
       .source = {Text::this_project, "Theorem 14 by concentrated differential privacy"},
       .releases =
           "The T batches of corrected Algorithm 7, each with generalised Gaussian noise of rho/T,",
       .in_words = "T (sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2",
       .rho = [](const Settings& s) {
         return static_cast<double>(*s.batches) *
                std::pow(std::sqrt(s.epsilon - std::log(s.delta)) - std::sqrt(-std::log(s.delta)),
                         2);
       }});
  add_accounting_alone<Settings>(
      claims, as_printed.over(fields.within(&Settings::p, 1.9, 1.7, 1.9)),
      {.edition = printed,
       .source = {Text::su_supplement, "Theorem 14"},
       .releases = "The T batches of Algorithm 7 with sigma^2 = 8 kappa (beta M + lambda)^2 "
                   "log(1/delta)/(|B| epsilon)^2 and kappa = 1/(p - 1)",
       .in_words = "T epsilon^2/(4 log(1/delta))",
       .rho = [](const Settings& s) {
         return static_cast<double>(*s.batches) * s.epsilon * s.epsilon / (-4 * std::log(s.delta));
       }});
  claims.add("privacy.half_noise", mutant, refuted,
             {Text::this_project, "planted fault: half of the noise (p = 2)"},
             "Corrected Algorithm 7 is (epsilon, delta)-DP with noise for twice the epsilon.",
             neighbours, family(corrected, 0.5).privacy({one}));
}

std::vector<Claim> claims() {
  ClaimList out("su.batched_mirror_descent");
  add_sensitivity(out);
  add_privacy(out);
  out.append(batched_mirror_rates());
  out.append(batched_mirror_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  const BatchedMirrorParameters theorem = batched_mirror_from_theorem(
      data.size(), data.dimension(), settings.p, settings.radius, settings.smoothness,
      settings.sigma, settings.epsilon, settings.delta);
  complete(settings, theorem);
  const BatchedMirrorParameters p = parameters(settings, corrected);
  validate(p, data.size());
  const MirrorSpace space = mirror_space(p, data.dimension());
  PreparedRun run{
      .mechanism = [p](const Dataset& records,
                       Releases& releases) { return batched_mirror_descent(records, p, releases); },
      .guarantee = {p.epsilon, p.delta},
      .guarantee_source = "su.batched_mirror_descent.privacy.corrected",
      .parameters = fields.texts(settings),
      .empirical_risk = mean_loss(p.loss),
      .risk_name = mean_loss_name(p.loss)};
  run.parameters.emplace_back("exponent of the ball", to_text(space.map.exponent));
  run.parameters.emplace_back("gradients truncated at", to_text(threshold(p, data.dimension())));
  run.parameters.emplace_back("norm of the noise", to_text(space.noise_norm));
  return run;
}

}  // namespace

Algorithm batched_mirror_algorithm() {
  return algorithm("su.batched_mirror_descent",
                   "truncated batched mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
                   "Su, Zhao and Wang, Algorithm 7", fields, prepare, claims);
}

}  // namespace dpverify::su
