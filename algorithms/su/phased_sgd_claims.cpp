// What is claimed of the sensitivity, privacy and rate of phased private SGD, and its entry for the
// command line.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/robust_model.hpp"
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
  for (const double delta : {1e-2, 1e-5, 1e-9})
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

// Every x has norm 2 = L.
constexpr double delta = 1e-5;
const RobustModel model{.loss = Loss::pseudo_huber,
                        .optimum = Eigen::Vector4d(1, -1, 0.5, 0),
                        .levels = 1,
                        .outlier = 10,
                        .outlier_share = 0.2};
const std::string words =
    "pseudo-Huber regression, 4 features of independent signs (L = 2), w* = (1, -1, 1/2, 0), one "
    "label in five moved by +-10, delta = 1e-5; population risk by exact summation; ";

RatePoint lemma_14(Edition edition, Index n, double epsilon) {
  PhasedSgdParameters p = phased_sgd_from_theorem(n, 4, epsilon, delta, Loss::pseudo_huber, 2);
  p.sensitivity = edition;
  return {.records = n,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return phased_sgd(data, p, releases); },
          .bound = phased_sgd_bound(n, 4, epsilon, delta, 2, model.optimum.norm())};
}

RateClaim records_rate(Edition edition) {
  const auto at = [edition](double n) {
    RatePoint point = lemma_14(edition, static_cast<Index>(n), 1.0);
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    if (edition == corrected)
      point.comparators = usual_comparators(
          {.loss = Loss::pseudo_huber, .initial = VectorXd::Zero(4)}, point.records, 1, delta);
    return point;
  };
  return rate_claim("n", {.exponent = -0.5, .at = at}, rate_problem(words + "epsilon = 1", model),
                    {{{1e3, 4e3, 1.6e4, 6.4e4}, 16},
                     {{1e3, 4e3, 1.6e4, 6.4e4, 2.56e5}, 30},
                     {{1e3, 1e4, 1e5, 1e6}, 100}});
}

RateClaim epsilon_rate() {
  const auto at = [](double epsilon) { return lemma_14(corrected, 32'000, epsilon); };
  return rate_claim("epsilon", {.exponent = -1, .at = at},
                    rate_problem(words + "n = 32,000", model),
                    {{{0.015, 0.08, 0.6}, 14}, {{0.015, 0.05, 0.15, 0.6}, 100}});
}

void add_rates(ClaimList& claims) {
  claims.add("rate", printed, holds, {Text::su_supplement, "Lemma 14; Theorem 13 for p = 2"},
             "With Lemma 14's eta the excess risk of Algorithm 6 falls as L ||theta*||^2 (1/sqrt n "
             "+ sqrt(d log(1/delta))/(epsilon n)).",
             assumptions, records_rate(printed));
  claims.add("rate", corrected, holds, exact_change,
             "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
             "Algorithm 6 falls as L ||theta*||^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).",
             assumptions, records_rate(corrected));
  claims.add("rate.epsilon", corrected, holds, exact_change,
             "With Lemma 14's eta and noise scaled to 2 L eta_i n_i/(n_i + 1) the excess risk of "
             "Algorithm 6 falls in epsilon at least as fast as L ||theta*||^2 (1/sqrt n + sqrt(d "
             "log(1/delta))/(epsilon n)).",
             assumptions, epsilon_rate());
}

std::vector<Claim> claims() {
  ClaimList out("su.phased_sgd");
  add_sensitivity(out);
  add_privacy(out);
  add_rates(out);
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
                        const Dataset records{view.features, view.labels};
                        return empirical_risk(
                            p.loss, w, lipschitz_records(p.loss, records, 2, p.lipschitz).all());
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
