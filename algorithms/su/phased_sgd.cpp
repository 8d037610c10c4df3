#include "algorithms/su/phased_sgd.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {
namespace {

void validate(const PhasedSgdParameters& p) {
  const double beta = smoothness(p.loss, p.lipschitz);
  require(p.step > 0 && p.step * beta <= 8, "step eta", p.step,
          "in (0, " + to_text(8 / beta) + "] (steps eta/4^i of at most 2/beta)");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
  require(p.epsilon > 0 && p.epsilon <= -2 * std::log(p.delta), "epsilon", p.epsilon,
          "in (0, " + to_text(-2 * std::log(p.delta)) + "] (2 log(1/delta))");
}

}  // namespace

double phased_step(PhasedStep print, Index n, Index dimension, double epsilon, double delta,
                   double lipschitz) {
  const double root_n = std::sqrt(static_cast<double>(n));
  const double root_d = std::sqrt(static_cast<double>(dimension));
  const double logarithm = -std::log(delta);
  switch (print) {
    case PhasedStep::lemma_14:
      return std::min(4 / root_n, epsilon / (2 * root_d * std::sqrt(logarithm))) / lipschitz;
    case PhasedStep::theorem_13:
      return std::min(4 / root_n, epsilon / (2 * root_d * logarithm)) / lipschitz;
    case PhasedStep::proof:
      return std::min(1 / root_n, epsilon / (root_d * std::sqrt(logarithm))) / lipschitz;
  }
  return 0;
}

VectorXd phased_sgd(const Dataset& data, const PhasedSgdParameters& p, Releases& releases) {
  const Dataset records = lipschitz_records(p.loss, data, 2, p.lipschitz);
  validate(p);
  VectorXd w = VectorXd::Zero(data.dimension());  // line 2: w_0
  double eta = p.step;
  Index first = 0;                                            // of the records of the phase
  for (Index size = data.size() / 2; size >= 1; size /= 2) {  // floor(n/2^i), i = 1..floor(log2 n)
    eta /= 4;
    VectorXd sum = w;  // w_i^1
    for (Index t = first; t < first + size; ++t) {
      const auto x = records.features.row(t).transpose();
      w -= eta * loss_derivative(p.loss, x.dot(w), records.labels[t]) * x;  // line 5
      sum += w;
    }
    first += size;
    const auto n_i = static_cast<double>(size);
    double change = 2 * p.lipschitz * eta;
    if (p.sensitivity != Edition::printed) change *= n_i / (n_i + 1);
    w = releases.release(GaussianNoise{
        // lines 7 and 8
        .value = sum / (n_i + 1),
        .sensitivity = change,
        .standard_deviation = 2 * change * std::sqrt(-std::log(p.delta)) / p.epsilon});
  }
  return w;
}

PhasedSgdParameters phased_sgd_from_theorem(Index n, Index dimension, double epsilon, double delta,
                                            Loss loss, double lipschitz) {
  PhasedSgdParameters p{.loss = loss, .lipschitz = lipschitz, .epsilon = epsilon, .delta = delta};
  p.step = std::min(1 / smoothness(loss, lipschitz),
                    phased_step(PhasedStep::lemma_14, n, dimension, epsilon, delta, lipschitz));
  validate(p);
  return p;
}

double phased_sgd_bound(Index n, Index dimension, double epsilon, double delta, double lipschitz,
                        double optimum_norm) {
  const auto records = static_cast<double>(n);
  return lipschitz * optimum_norm * optimum_norm *
         (1 / std::sqrt(records) +
          std::sqrt(static_cast<double>(dimension) * -std::log(delta)) / (epsilon * records));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string here = "this project";

// `step` is in units of 1/beta; `epsilon` in units of 2 log(1/delta) is `share`.
PhasedSgdParameters parameters(const ParameterPoint& point, Edition edition) {
  PhasedSgdParameters p{.loss = point.at("logistic") == 1 ? Loss::logistic : Loss::pseudo_huber,
                        .lipschitz = point.at("lipschitz"),
                        .delta = point.at("delta"),
                        .sensitivity = edition};
  p.step = point.at("step") / smoothness(p.loss, p.lipschitz);
  p.epsilon = point.at("share") * -2 * std::log(p.delta);
  return p;
}

MechanismFamily family(Edition edition, double noise = 1) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      PhasedSgdParameters p = parameters(point, edition);
      p.epsilon /= noise;
      return phased_sgd(data, p, releases);
    };
  };
}

// Every record twice in a row, so that one enters a phase twice.
Mechanism with_records_twice(const ParameterPoint& point) {
  return [point](const Dataset& data, Releases& releases) {
    Dataset twice{Matrix(2 * data.size(), data.dimension()), VectorXd(2 * data.size())};
    for (Index i = 0; i < twice.size(); ++i) {
      twice.features.row(i) = data.features.row(i / 2);
      twice.labels[i] = data.labels[i / 2];
    }
    return phased_sgd(twice, parameters(point, Edition::corrected), releases);
  };
}

std::vector<ParameterRange> ranges(double largest_step) {
  return {{"logistic", 0, 0, 1, Scale::integer},
          {"lipschitz", 1, 0.01, 100, Scale::logarithmic},
          {"step", 1, 0.001, largest_step, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic},
          {"share", 1, 1e-3, 1, Scale::logarithmic}};
}

// 4 features of independent signs, so that every x has norm 2 = L; one label in five moved by +-10.
RateClaim theorem_rate(Edition edition, const std::string& variable) {
  RobustModel model{.loss = Loss::pseudo_huber,
                    .optimum = VectorXd::Zero(4),
                    .levels = 1,
                    .outlier = 10,
                    .outlier_share = 0.2};
  model.optimum << 1, -1, 0.5, 0;
  const double delta = 1e-5, norm = model.optimum.norm();
  const auto at = [=](Index records, double epsilon) {
    PhasedSgdParameters p =
        phased_sgd_from_theorem(records, 4, epsilon, delta, Loss::pseudo_huber, 2);
    p.sensitivity = edition;
    RatePoint point{
        records,
        [p](const Dataset& data, Releases& releases) { return phased_sgd(data, p, releases); },
        phased_sgd_bound(records, 4, epsilon, delta, 2, norm)};
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    if (edition == Edition::corrected && variable == "n")
      point.comparators = usual_comparators(
          {.loss = Loss::pseudo_huber, .initial = VectorXd::Zero(4)}, records, epsilon, delta);
    return point;
  };
  RateClaim rate{
      .variable = variable,
      .problem =
          "pseudo-Huber regression, 4 features of independent signs (L = 2), w* = (1, "
          "-1, 1/2, 0), one label in five moved by +-10, delta = 1e-5; population risk by "
          "exact summation",
      .exponent = variable == "n" ? -0.5 : -1,
      .dimension = 4,
      .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
      .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  if (variable == "n") {
    rate.problem += "; epsilon = 1";
    rate.point = [at](double n) { return at(static_cast<Index>(n), 1.0); };
    rate.smoke = {{1e3, 4e3, 1.6e4, 6.4e4}, 16};
    rate.ci = {{1e3, 4e3, 1.6e4, 6.4e4, 2.56e5}, 30};
    rate.nightly = {{1e3, 1e4, 1e5, 1e6}, 100};
  } else {
    rate.problem += "; n = 32,000";
    rate.point = [at](double epsilon) { return at(32'000, epsilon); };
    rate.smoke = {{0.015, 0.08, 0.6}, 14};
    rate.ci = {{0.015, 0.05, 0.15, 0.6}, 100};
  }
  return rate;
}

}  // namespace

std::vector<Claim> phased_sgd_claims() {
  const std::vector<std::string> assumptions{
      "replace-one neighbours", "phases chosen by index",
      "convex, beta-smooth loss, L-Lipschitz in the Euclidean norm"};
  ClaimList claims("su.phased_sgd");
  const auto at = [](double step, double delta, double share) {
    return ParameterPoint{
        {"logistic", 0}, {"lipschitz", 1}, {"step", step}, {"delta", delta}, {"share", share}};
  };
  const std::vector<Setting> corners{{at(1, 1e-5, 0.04), 4, 1}, {at(1, 1e-5, 0.04), 20, 2}};
  claims.add("sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 6, line 8"},
             "For eta <= 1/beta the average of phase i moves by at most 2 L eta_i, half of what "
             "the noise 2 (2 L eta_i) sqrt(log(1/delta))/epsilon is scaled to.",
             assumptions, SensitivityClaim{family(Edition::printed), ranges(1), 1, 3, corners});
  claims.add("sensitivity", Edition::corrected, Expectation::holds, {here, "Algorithm 6, line 8"},
             "For eta <= 8/beta (every eta_i <= 2/beta) the average of phase i, n_i records, moves "
             "by at most 2 L eta_i n_i/(n_i + 1), and some pair attains it.",
             assumptions,
             SensitivityClaim{family(Edition::corrected), ranges(8), 1, 3, corners, true});
  add_mutants(claims, {family(Edition::corrected), ranges(8), 1, 3, corners}, assumptions);
  claims.add("sensitivity.records_twice", Edition::mutant, Expectation::refuted,
             {here, "planted fault: every record is used twice in a row"},
             "The average of phase i moves by at most 2 L eta_i n_i/(n_i + 1).", assumptions,
             SensitivityClaim{with_records_twice, ranges(1), 1, 3, corners});

  const auto guarantee = [](const ParameterPoint& point) {
    const PhasedSgdParameters p = parameters(point, Edition::printed);
    return PrivacyGuarantee{p.epsilon, p.delta};
  };
  const double unit = 0.5 / std::log(1e5);  // the share where epsilon = 1 at delta = 1e-5
  const std::vector<Setting> exact{{at(1, 1e-5, unit), 4, 1}, {at(1, 1e-5, 1), 4, 1}};
  std::vector<Setting> certified;
  for (const double delta : {1e-2, 1e-5, 1e-9})
    for (const double share : {0.1, 0.3, 1.0}) certified.push_back({at(1, delta, share), 20, 2});
  claims.add(
      "privacy", Edition::printed, Expectation::holds, {paper, "Lemma 14; Theorem 13"},
      "Algorithm 6 is (epsilon, delta)-DP for 0 < delta < 1 and 0 < epsilon <= 2 log(1/delta).",
      assumptions, PrivacyClaim{family(Edition::printed), guarantee, exact, certified});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {here, "Lemma 14 with the exact change of an average"},
             "The same with noise scaled to 2 L eta_i n_i/(n_i + 1).", assumptions,
             PrivacyClaim{family(Edition::corrected), guarantee, exact, certified});
  claims.add("privacy.half_noise", Edition::mutant, Expectation::refuted,
             {here, "planted fault: half of the noise"}, "The same with half of the noise.",
             assumptions,
             PrivacyClaim{family(Edition::corrected, 0.5), guarantee, {exact.front()}, {}});

  claims.append(phased_sgd_lemmas());
  const std::string statement =
      "With Lemma 14's eta the excess risk falls as L ||theta*||^2 (1/sqrt n + sqrt(d "
      "log(1/delta))/(epsilon n)).";
  claims.add("rate", Edition::printed, Expectation::holds,
             {paper, "Lemma 14; Theorem 13 for p = 2"}, statement, assumptions,
             theorem_rate(Edition::printed, "n"));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {here, "Lemma 14 with the exact change of an average"}, statement, assumptions,
             theorem_rate(Edition::corrected, "n"));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {here, "Lemma 14 with the exact change of an average"},
             "With Lemma 14's eta the excess risk falls in epsilon at least as fast as L "
             "||theta*||^2 (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).",
             assumptions, theorem_rate(Edition::corrected, "epsilon"));
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm phased_sgd_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const double lipschitz = options.is_auto("lipschitz")
                                 ? std::sqrt(static_cast<double>(data.dimension()))
                                 : options.number("lipschitz");
    PhasedSgdParameters p = phased_sgd_from_theorem(
        data.size(), data.dimension(), options.number("epsilon"), options.number("delta"),
        loss_from_name(options.text("loss")), lipschitz);
    validate_labels(p.loss, data.all());
    if (!options.is_auto("step")) p.step = options.number("step");
    validate(p);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return phased_sgd(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "su.phased_sgd.privacy.corrected";
    run.parameters = {{"loss", std::string(name(p.loss))},
                      {"Lipschitz constant", to_text(p.lipschitz)},
                      {"smoothness", to_text(smoothness(p.loss, p.lipschitz))},
                      {"step", to_text(p.step)}};
    run.empirical_risk = [p](const DataView& view, const VectorXd& w) {
      const Dataset data{view.features, view.labels};
      return empirical_risk(p.loss, w, lipschitz_records(p.loss, data, 2, p.lipschitz).all());
    };
    run.risk_name = "mean " + std::string(name(p.loss)) + " loss, features shrunk as above";
    return run;
  };
  return {"su.phased_sgd",
          "phased private SGD, unconstrained, (epsilon, delta)-DP",
          "Su, Zhao and Wang, Algorithm 6 (after Feldman, Koren and Talwar)",
          {{"epsilon", "1", "privacy parameter, in (0, 2 log(1/delta)]"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"loss", "pseudo_huber", "pseudo_huber or logistic (labels -1 and 1)"},
           {"lipschitz", "auto",
            "L: records with a longer feature vector are shrunk to this norm; auto: sqrt d, which "
            "features in [-1, 1] never exceed"},
           {"step", "auto", "eta, positive, at most 8/beta; auto: Lemma 14"}},
          prepare,
          phased_sgd_claims};
}

}  // namespace dpverify::su
