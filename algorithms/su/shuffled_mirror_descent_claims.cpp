// What is claimed of the sensitivity and privacy of shuffled mirror descent, and its entry for the
// command line; both read one table of its parameters.
#include <algorithm>
#include <optional>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"
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
  std::optional<double> truncation;  // these three: auto: Theorem 10
  std::optional<Index> batches;
  std::optional<double> proximity;
  double sigma = 1;
  double epsilon = 0.5;
  double delta = 1e-5;
  std::optional<double> local_epsilon;  // these two: auto: the most within (epsilon, delta)
  std::optional<double> local_delta;
};

// Claims speak of the local guarantee.
const Fields<Settings> fields =
    truncated_mirror_fields<Settings>("Theorem 10")
        .with(field("local epsilon", &Settings::local_epsilon).range(0.5, 1e-3, 0.5, logarithmic))
        .with(field("local delta", &Settings::local_delta).range(1e-5, 1e-12, 0.1, logarithmic))
        .with(field("epsilon", &Settings::epsilon)
                  .option("privacy parameter, positive; less is spent where shuffling allows",
                          positive))
        .with(field("delta", &Settings::delta).option("privacy parameter, in (0, 1)", fraction));

ShuffledMirrorParameters parameters(const Settings& s, Edition edition) {
  auto p = truncated_mirror_parameters<ShuffledMirrorParameters>(s);
  p.local_epsilon = s.local_epsilon.value();
  p.local_delta = s.local_delta.value();
  p.edition = edition;
  return p;
}

// With the noise of local epsilon/noise; T is cut to the number of records.
Family<Settings> family(Edition edition, double noise = 1) {
  return {fields,
          [=](const Dataset& data, const Settings& settings, Releases& releases) {
            ShuffledMirrorParameters p = parameters(settings, edition);
            p.batches = std::min(p.batches, data.size());
            p.local_epsilon /= noise;
            return shuffled_mirror_descent(data, p, releases);
          },
          [](const Settings& s) {
            return PrivacyGuarantee{s.local_epsilon.value(), s.local_delta.value()};
          }};
}

const Family<Settings> as_printed =
    family(printed).over(fields.within(&Settings::p, 1.7, 1.01, 1.7));
const Family<Settings> as_corrected = family(corrected);
// Every record reports twice.
const Family<Settings> with_two_passes =
    as_corrected.running([](const Dataset& data, const Settings& settings, Releases& releases) {
      const VectorXd first = as_corrected.run(data, settings, releases);
      return VectorXd((first + as_corrected.run(data, settings, releases)) / 2);
    });

Settings at(double p, Index batches, double local_epsilon = 0.5, double local_delta = 1e-5) {
  auto out = absolute_loss<Settings>(p, batches);
  out.local_epsilon = local_epsilon;
  out.local_delta = local_delta;
  return out;
}

const std::vector<std::string> neighbours{"replace-one neighbours"};

void add_sensitivity(ClaimList& claims) {
  const FamilySetting<Settings> euclidean{at(2, 1), 4, 2}, three{at(1.5, 2), 5, 2},
      ten{at(10.0 / 9, 1), 3, 3};
  const SensitivityClaim attained = as_corrected.sensitivity({1, 4}, {euclidean, three, ten}, true);
  const std::string moves =
      "In any order, a record's truncated gradient moves by at most 2 (beta M + lambda) in the "
      "dual norm, no other report moves, and some pair attains it";
  claims.add("sensitivity", printed, holds, {Text::su, "Algorithm 4"}, moves + ".", neighbours,
             as_printed.sensitivity({2, 4}, {three, ten}, true));
  claims.add("sensitivity", corrected, holds,
             {Text::this_project, "Algorithm 4 with the corrected mirror map"},
             moves + ": with the corrected mirror map, in any dimension and for 1 < p <= 2.",
             neighbours, attained);
  add_mutants(claims, attained, neighbours, false);  // each report is of one record
}

void add_privacy(ClaimList& claims) {
  // The corners of what is claimed.
  const auto corners = [](const std::vector<double>& exponents, const std::vector<double>& epsilons,
                          const std::vector<double>& deltas) {
    std::vector<FamilySetting<Settings>> out;
    for (const double p : exponents)
      for (const double local_epsilon : epsilons)
        for (const double local_delta : deltas)
          out.push_back({at(p, 3, local_epsilon, local_delta), 12, 3});
    return out;
  };
  const FamilySetting<Settings> one{at(2, 1), 1, 1}, small{at(2, 1, 0.1, 1e-3), 1, 1};
  claims.add(
      "privacy.local", corrected, holds,
      {Text::this_project, "Algorithm 4 seen by whoever knows the order"},
      "Even with the order known, Algorithm 4 is (local epsilon, local delta)-DP: the n "
      "reports are disjoint and each has noise sigma^2 = kappa s^2/(2 rho), s = 2 (beta M + "
      "lambda), rho + 2 sqrt(rho log(1/local delta)) = local epsilon, for every local epsilon > "
      "0 and 0 < local delta < 1.",
      neighbours,
      as_corrected.privacy({one, small}, corners({1.99, 1.5, 1.1, 1.01}, {1e-3, 0.5, 100},
                                                 {1e-12, 1e-6, 0.5, 0.99999})));
  // Lemma 3's kappa = 1/(p - 1) where that is the smaller, p >= 1 + 1/(2 log 3).
  claims.add(
      "privacy.local", printed, holds,
      {Text::su, "Algorithm 4 with Lemma 3, before Theorem 9 amplifies"},
      "Even with the order known, Algorithm 4 is (local epsilon, local delta)-DP: each "
      "report has noise sigma^2 = 2 kappa s^2 log(1/local delta)/local epsilon^2, kappa = "
      "1/(p - 1) <= 2 log d, for 0 < local epsilon <= 1/2 (what the proof of Theorem 9 asks for) "
      "and local delta up to 0.5.",
      neighbours, as_printed.privacy({}, corners({1.99, 1.5}, {1e-3, 0.5}, {1e-12, 1e-6, 0.5})));
  add_accounting<Settings>(
      claims, as_corrected,
      {.edition = corrected,
       .source = {Text::this_project, "Algorithm 4 seen by whoever knows the order"},
       .releases = "The twelve reports of corrected Algorithm 4 on twelve records, each with "
                   "generalised Gaussian noise of rho/12,",
       .in_words = "12 (sqrt(log(1/local delta) + local epsilon) - sqrt(log(1/local delta)))^2",
       .rho = [](const Settings& s) {
         return 12 * std::pow(std::sqrt(*s.local_epsilon - std::log(*s.local_delta)) -
                                  std::sqrt(-std::log(*s.local_delta)),
                              2);
       }});
  claims.add("privacy.half_noise", mutant, refuted,
             {Text::this_project, "planted fault: half of the noise (p = 2)"},
             "Corrected Algorithm 4 is (local epsilon, local delta)-DP with noise for twice the "
             "local epsilon.",
             neighbours, family(corrected, 0.5).privacy({one}));
  claims.add("privacy.two_passes", mutant, refuted,
             {Text::this_project, "planted fault: two passes with the budget of one (p = 2)"},
             "Even with the order known, corrected Algorithm 4 run twice over the records is "
             "(local epsilon, local delta)-DP.",
             neighbours, with_two_passes.privacy({one}));
}

// Of Theorem 9, at the end of its range of epsilon: all gradients are -(beta M + lambda) = -1, and
// one is 1 in the neighbour.
PrivacyClaim whole(Index n, double delta, double constant) {
  const auto records = static_cast<double>(n);
  const double epsilon = std::sqrt(std::log(records / delta) / records);
  const double variance =
      constant * std::log(records / delta) * -std::log(delta) / (records * epsilon * epsilon);
  NeighbouringPair pair{{Matrix::Constant(n, 1, -1), VectorXd::Zero(n)}, {}, 0};
  pair.neighbour = pair.data;
  pair.neighbour.features(0, 0) = 1;
  return {.mechanism = [mechanism = shuffled_reports(std::sqrt(variance))](
                           const ParameterPoint&) { return mechanism; },
          .guarantee =
              [=](const ParameterPoint&) {
                return PrivacyGuarantee{epsilon, delta};
              },
          .settings = {{{}, n, 1}},
          .pair = pair};
}

void add_whole(ClaimList& claims) {
  const std::string statement =
      "At n = 40, delta = 1e-5, d = T = 1 and epsilon = sqrt(log(n/delta)/n) = 0.62, the end of "
      "Theorem 9's range, the reports of Algorithm 4 in random order are together (epsilon, "
      "delta)-DP with sigma_1^2 = ";
  const std::string noise = "log(n/delta) kappa (beta M + lambda)^2 log(1/delta)/(n epsilon^2)";
  const std::vector<std::string> assumptions{"replace-one neighbours",
                                             "all gradients but one are -(beta M + lambda)"};
  claims.add("privacy.shuffled", printed, holds,
             {Text::su, "Algorithm 4; Theorem 9, the constant of its O() 1"},
             statement + noise + ".", assumptions, whole(40, 1e-5, 1));
  claims.add("privacy.shuffled.too_little_noise", mutant, refuted,
             {Text::this_project, "planted fault: a fiftieth of the variance"},
             statement + noise + "/50.", assumptions, whole(40, 1e-5, 0.02));
}

std::vector<Claim> claims() {
  ClaimList out("su.shuffled_mirror_descent");
  add_sensitivity(out);
  add_privacy(out);
  add_whole(out);
  out.append(shuffled_mirror_rates());
  out.append(shuffled_mirror_lemmas());
  out.append(shuffled_step_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Settings settings) {
  validate_labels(settings.loss, data.all());
  const ShuffledMirrorParameters theorem = shuffled_mirror_from_theorem(
      data.size(), data.dimension(), settings.p, settings.radius, settings.smoothness,
      settings.sigma, settings.epsilon, settings.delta);
  complete(settings, theorem);
  settings.local_epsilon = theorem.local_epsilon;
  settings.local_delta = theorem.local_delta;
  const ShuffledMirrorParameters p = parameters(settings, corrected);
  validate(p, data.size());
  const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
  PreparedRun run{.mechanism =
                      [p](const Dataset& records, Releases& releases) {
                        return shuffled_mirror_descent(records, p, releases);
                      },
                  .guarantee = shuffled_guarantee(p, data.size()),
                  // Of the local guarantee, su.shuffled_mirror_descent.privacy.local.corrected.
                  .guarantee_source = "su.shuffled_mirror_descent.lemma.amplification.printed",
                  .parameters = fields.texts(settings),
                  .empirical_risk = mean_loss(p.loss),
                  .risk_name = mean_loss_name(p.loss)};
  run.parameters.emplace_back("exponent of the ball", to_text(space.map.exponent));
  run.parameters.emplace_back("gradients truncated at", to_text(threshold(p, data.dimension())));
  run.parameters.emplace_back("local epsilon", to_text(p.local_epsilon));
  run.parameters.emplace_back("local delta", to_text(p.local_delta));
  run.parameters.emplace_back("norm of the noise", to_text(space.noise_norm));
  return run;
}

}  // namespace

Algorithm shuffled_mirror_algorithm() {
  return algorithm("su.shuffled_mirror_descent",
                   "shuffled truncated mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
                   "Su, Zhao and Wang, Algorithm 4", fields, prepare, claims);
}

}  // namespace dpverify::su
