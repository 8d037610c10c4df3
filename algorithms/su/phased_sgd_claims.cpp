// What is claimed of the sensitivity and privacy of phased private SGD, and its entry for the
// command line.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/phased_sgd.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// Claims give eta and epsilon in units that depend on the other parameters; a user gives the
// numbers themselves, or leaves them to Lemma 14.
struct Settings {
  Loss loss = Loss::pseudo_huber;
  double lipschitz = 1;
  double step = 1;  // eta in units of 1/beta
  double delta = 1e-5;
  double share = 1;  // epsilon in units of 2 log(1/delta)
};

const Fields<Settings> fields{
    logistic_field(&Settings::loss),
    field("lipschitz", &Settings::lipschitz).range(1.0, 0.01, 100.0, logarithmic),
    field("step", &Settings::step).range(1.0, 0.001, 8.0, logarithmic),
    field("delta", &Settings::delta).range(1e-5, 1e-12, 0.999, logarithmic),
    field("share", &Settings::share).range(1.0, 1e-3, 1.0, logarithmic)};
const Fields<Settings> small_steps = fields.within(&Settings::step, 1.0, 0.001, 1.0);

struct Options {
  double epsilon = 1;
  double delta = 1e-5;
  Loss loss = Loss::pseudo_huber;
  std::optional<double> lipschitz;
  std::optional<double> step;
};

const Fields<Options> options{
    field("epsilon", &Options::epsilon).option("privacy parameter, in (0, 2 log(1/delta)]"),
    field("delta", &Options::delta).option("privacy parameter, in (0, 1)", fraction),
    loss_field(&Options::loss),
    field("lipschitz", &Options::lipschitz)
        .option("L: records with a longer feature vector are shrunk to this norm; auto: sqrt d, "
                "which features in [-1, 1] never exceed",
                positive),
    field("step", &Options::step)
        .option("eta, positive, at most 8/beta; auto: Lemma 14", positive)};

double epsilon(const Settings& s) { return s.share * -2 * std::log(s.delta); }

// `noise` multiplies the noise.
Family<Settings> family(const Fields<Settings>& over, Edition edition, double noise = 1) {
  return {over,
          [=](const Dataset& data, const Settings& s, Releases& releases) {
            return phased_sgd(data,
                              {.loss = s.loss,
                               .lipschitz = s.lipschitz,
                               .step = s.step / smoothness(s.loss, s.lipschitz),
                               .epsilon = epsilon(s) / noise,
                               .delta = s.delta,
                               .sensitivity = edition},
                              releases);
          },
          [](const Settings& s) {
            return PrivacyGuarantee{epsilon(s), s.delta};
          }};
}

const Family<Settings> as_printed = family(small_steps, printed);
const Family<Settings> as_corrected = family(fields, corrected);
// Every record twice in a row, so that one enters a phase twice.
const Family<Settings> with_records_twice =
    as_corrected.over(small_steps)
        .running([](const Dataset& data, const Settings& settings, Releases& releases) {
          Dataset twice{Matrix(2 * data.size(), data.dimension()), VectorXd(2 * data.size())};
          for (Index i = 0; i < twice.size(); ++i) {
            twice.features.row(i) = data.features.row(i / 2);
            twice.labels[i] = data.labels[i / 2];
          }
          return as_corrected.run(twice, settings, releases);
        });

const std::vector<std::string> assumptions{
    "replace-one neighbours", "phases chosen by index",
    "convex, beta-smooth loss, L-Lipschitz in the Euclidean norm"};
const Source exact_change{Text::this_project, "Lemma 14 with the exact change of an average"};

void add_sensitivity(ClaimList& claims) {
  const std::vector<FamilySetting<Settings>> corners{{{.share = 0.04}, 4, 1},
                                                     {{.share = 0.04}, 20, 2}};
  claims.add("sensitivity", printed, holds, {Text::su_supplement, "Algorithm 6, line 8"},
             "For eta <= 1/beta the average of phase i of Algorithm 6 moves by at most 2 L eta_i, "
             "half of what the noise 2 (2 L eta_i) sqrt(log(1/delta))/epsilon is scaled to.",
             assumptions, as_printed.sensitivity({}, corners));
  claims.add("sensitivity", corrected, holds, {Text::this_project, "Algorithm 6, line 8"},
             "For eta <= 8/beta (every eta_i <= 2/beta) the average of phase i of Algorithm 6, n_i "
             "records, moves by at most 2 L eta_i n_i/(n_i + 1), and some pair attains it.",
             assumptions, as_corrected.sensitivity({}, corners, true));
  add_mutants(claims, as_corrected.sensitivity({}, corners), assumptions);
  claims.add("sensitivity.records_twice", mutant, refuted,
             {Text::this_project, "planted fault: every record is used twice in a row"},
             "The average of phase i of Algorithm 6 moves by at most 2 L eta_i n_i/(n_i + 1), "
             "although every record is used twice in a row.",
             assumptions, with_records_twice.sensitivity({}, corners));
}

void add_privacy(ClaimList& claims) {
  const double unit = 0.5 / std::log(1e5);  // the share where epsilon = 1 at delta = 1e-5
  const FamilySetting<Settings> simple{{.share = unit}, 4, 1}, largest{{.share = 1}, 4, 1};
  std::vector<FamilySetting<Settings>> certified;
  // The corners of what is claimed.
  for (const double delta : {1e-12, 1e-5, 0.5, 0.99999})
    for (const double share : {0.1, 0.3, 1.0})
      certified.push_back({{.delta = delta, .share = share}, 20, 2});
  claims.add(
      "privacy", printed, holds, {Text::su_supplement, "Lemma 14; Theorem 13"},
      "Algorithm 6 is (epsilon, delta)-DP for 0 < delta < 1 and 0 < epsilon <= 2 log(1/delta).",
      assumptions, as_printed.privacy({simple, largest}, certified));
  claims.add("privacy", corrected, holds, exact_change,
             "Algorithm 6 with noise scaled to 2 L eta_i n_i/(n_i + 1) is (epsilon, delta)-DP for "
             "0 < delta < 1 and 0 < epsilon <= 2 log(1/delta).",
             assumptions, as_corrected.privacy({simple, largest}, certified));
  add_accounting<Settings>(
      claims, as_corrected,
      {.edition = corrected,
       .source = {Text::su_supplement, "Algorithm 6, line 8"},
       .releases = "On twelve records, the three averages of Algorithm 6, each with Gaussian noise "
                   "of 2 sqrt(log(1/delta))/epsilon sensitivities,",
       .in_words = "3 epsilon^2/(8 log(1/delta))",
       .rho = [](const Settings& s) {
         return 3 * std::pow(epsilon(s), 2) / (8 * -std::log(s.delta));
       }});
  claims.add("privacy.half_noise", mutant, refuted,
             {Text::this_project, "planted fault: half of the noise"},
             "Algorithm 6 with half of the noise that is scaled to 2 L eta_i n_i/(n_i + 1) is "
             "(epsilon, delta)-DP for 0 < delta < 1 and 0 < epsilon <= 2 log(1/delta).",
             assumptions, family(fields, corrected, 0.5).privacy({simple}));
}

std::vector<Claim> claims() {
  ClaimList out("su.phased_sgd");
  add_sensitivity(out);
  add_privacy(out);
  out.append(phased_sgd_rates());
  out.append(phased_sgd_lemmas());
  return out.take();
}

PreparedRun prepare(const Dataset& data, Options given) {
  const double root_d = std::sqrt(static_cast<double>(data.dimension()));
  PhasedSgdParameters p =
      phased_sgd_from_theorem(data.size(), data.dimension(), given.epsilon, given.delta, given.loss,
                              given.lipschitz.value_or(root_d));
  validate_labels(p.loss, data.all());
  p.step = given.step.value_or(p.step);
  validate(p);
  given.lipschitz = p.lipschitz;
  given.step = p.step;
  PreparedRun run{.mechanism = [p](const Dataset& records,
                                   Releases& releases) { return phased_sgd(records, p, releases); },
                  .guarantee = {p.epsilon, p.delta},
                  .guarantee_source = "su.phased_sgd.privacy.corrected",
                  .parameters = options.texts(given),
                  .empirical_risk =
                      [p](const DataView& view, const VectorXd& w) {
                        return lipschitz_risk(p.loss, w, view, 2, p.lipschitz);
                      },
                  .risk_name = mean_loss_name(p.loss) + ", features shrunk as above"};
  run.parameters.emplace_back("smoothness", to_text(smoothness(p.loss, p.lipschitz)));
  return run;
}

}  // namespace

Algorithm phased_sgd_algorithm() {
  return algorithm("su.phased_sgd", "phased private SGD, unconstrained, (epsilon, delta)-DP",
                   "Su, Zhao and Wang, Algorithm 6 (after Feldman, Koren and Talwar)", options,
                   prepare, claims);
}

}  // namespace dpverify::su
