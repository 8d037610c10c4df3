#include "algorithms/su/shuffled_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"

namespace dpverify::su {
namespace {

void validate(const ShuffledMirrorParameters& p) {
  validate_truncated_descent(p.radius, p.smoothness, p.truncation, p.batches, p.proximity);
  require(p.local_epsilon > 0 && std::isfinite(p.local_epsilon), "local epsilon", p.local_epsilon,
          "positive and finite");
  require(p.local_delta > 0 && p.local_delta < 1, "local delta", p.local_delta, "in (0, 1)");
}

double threshold(const ShuffledMirrorParameters& p, const MirrorSpace& space, Index dimension) {
  return gradient_threshold(p.smoothness, p.truncation, p.p, p.radius, space, dimension);
}

// What n reports of local_delta add to delta, divided by n local_delta.
double delta_factor(double epsilon, double local_epsilon) {
  return (std::exp(epsilon) + 1) * (1 + std::exp(-local_epsilon) / 2);
}

}  // namespace

double amplified_epsilon(double local_epsilon, Index n, double delta) {
  require(local_epsilon >= 0, "local epsilon", local_epsilon, "at least 0");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  const auto reports = static_cast<double>(n);
  if (!(local_epsilon <= std::log(reports / (16 * std::log(2 / delta))))) return local_epsilon;
  const double growth = std::exp(local_epsilon);
  const double sum = 8 * std::sqrt(growth * std::log(4 / delta) / reports) + 8 * growth / reports;
  return std::min(local_epsilon, std::log1p(std::tanh(local_epsilon / 2) * sum));
}

PrivacyGuarantee shuffled_guarantee(const ShuffledMirrorParameters& p, Index n) {
  validate(p);
  // The shuffler's own delta equals what the reports' local_delta costs. Without amplification the
  // order does not matter, and one report's local_delta is all.
  const double delta =
      delta_factor(p.local_epsilon, p.local_epsilon) * static_cast<double>(n) * p.local_delta;
  const double epsilon =
      delta < 0.5 ? amplified_epsilon(p.local_epsilon, n, delta) : p.local_epsilon;
  if (epsilon >= p.local_epsilon) return {p.local_epsilon, p.local_delta};
  return {epsilon, 2 * delta};
}

VectorXd shuffled_mirror_descent(const Dataset& data, const ShuffledMirrorParameters& p,
                                 Releases& releases) {
  validate(p);
  const Index n = data.size(), d = data.dimension();
  require(p.batches <= n, "batches T", static_cast<double>(p.batches),
          "at most the number of records, " + std::to_string(n));
  const MirrorSpace space = mirror_space(p.p, d, p.edition);
  const double limit = threshold(p, space, d);
  const double s = 2 * limit;
  const double scale =
      mirror_noise_scale(p.edition, space.kappa, s, p.local_epsilon, p.local_delta);
  const VectorXd order = releases.release(UniformPermutation{n});
  const Index size = n / p.batches;
  VectorXd w = VectorXd::Zero(d), average = w;
  for (Index t = 1; t <= p.batches; ++t) {
    VectorXd mean = VectorXd::Zero(d);
    for (Index k = (t - 1) * size; k < t * size; ++k) {
      const auto i = static_cast<Index>(order[k]);
      const DataView record{{data.features.data() + i * d, 1, d}, {data.labels.data() + i, 1}};
      const VectorXd g =
          truncated_gradients(p.loss, w, record, space.dual, limit).row(0).transpose();
      mean += release_in(space, g, s, scale, releases) / static_cast<double>(size);
    }
    w = mirror_step_in_ball(space.map, w, mean, p.proximity, p.radius);
    average += (w - average) / static_cast<double>(t);
  }
  return average;
}

ShuffledMirrorParameters shuffled_mirror_from_theorem(Index n, Index dimension, double p,
                                                      double radius, double smoothness,
                                                      double sigma, double epsilon, double delta) {
  require(sigma > 0 && std::isfinite(sigma), "sigma", sigma, "positive and finite");
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  ShuffledMirrorParameters out{.p = p, .radius = radius, .smoothness = smoothness};
  validate(out);
  const MirrorSpace space = mirror_space(p, dimension, out.edition);
  const double m = diameter(p, radius, space, dimension);
  const auto records = static_cast<double>(n);
  const double budget = records * epsilon, dl = static_cast<double>(dimension) * -std::log(delta);
  out.truncation =
      std::max(sigma * std::sqrt(budget) / std::pow(space.kappa * space.kappa * dl, 0.25),
               std::max(smoothness, 1.0) * m);
  out.batches =
      static_cast<Index>(std::clamp(std::pow(m * budget / out.truncation, 2) / dl, 1.0, records));
  out.proximity = std::max(std::sqrt(static_cast<double>(out.batches)), 2 * smoothness);
  // The largest local epsilon, by bisection: the guarantee grows with it.
  const auto spends = [&](double local) { return amplified_epsilon(local, n, delta / 2); };
  double low = 0, high = std::max(epsilon, std::log(records / (16 * std::log(4 / delta))));
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (spends(middle) <= epsilon ? low : high) = middle;
  }
  out.local_epsilon = low;
  out.local_delta = delta / 2 / (delta_factor(low, low) * records);
  return out;
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang (main text and supplement)";
const std::string here = "this project";

ShuffledMirrorParameters parameters(const ParameterPoint& point, Edition edition) {
  return {.loss = static_cast<Loss>(static_cast<int>(point.at("loss"))),
          .p = point.at("p"),
          .radius = point.at("radius"),
          .smoothness = point.at("beta"),
          .truncation = point.at("lambda"),
          .batches = static_cast<Index>(point.at("batches")),
          .proximity = point.at("gamma"),
          .local_epsilon = point.at("local epsilon"),
          .local_delta = point.at("local delta"),
          .edition = edition};
}

MechanismFamily family(Edition edition, double noise = 1) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      ShuffledMirrorParameters p = parameters(point, edition);
      p.batches = std::min(p.batches, data.size());
      p.local_epsilon /= noise;
      return shuffled_mirror_descent(data, p, releases);
    };
  };
}

// Every record reports twice.
Mechanism with_two_passes(const ParameterPoint& point) {
  return [point](const Dataset& data, Releases& releases) {
    const Mechanism once = family(Edition::corrected)(point);
    const VectorXd first = once(data, releases);
    return VectorXd((first + once(data, releases)) / 2);
  };
}

// Two features of independent signs, so that E||gradient||_3^2 <= 2^(2/3). The theorem bounds, with
// probability 1 - delta' over the data, the mean over the noise by sqrt(log(1/delta')) times what
// stands here; so it bounds the mean over both.
RateClaim theorem_rate() {
  const RobustModel model{.loss = Loss::pseudo_huber,
                          .optimum = (VectorXd(2) << 0.4, -0.3).finished(),
                          .levels = 1,
                          .outlier = 10,
                          .outlier_share = 0};
  const double p = 1.5, radius = 0.5, epsilon = 0.9, delta = 1e-5, sigma = std::cbrt(2.0);
  const MirrorSpace space = mirror_space(p, 2, Edition::corrected);
  RateClaim rate{.variable = "n",
                 .problem =
                     "pseudo-Huber regression, two features of independent signs, w* = (0.4, "
                     "-0.3), no label noise; C the Euclidean ball of radius 1/2; p = 1.5, "
                     "epsilon = 0.9, delta = 1e-5; population risk by exact summation",
                 .exponent = -0.5,
                 .dimension = 2,
                 .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    ShuffledMirrorParameters at =
        shuffled_mirror_from_theorem(records, 2, p, radius, 1, sigma, epsilon, delta);
    at.loss = Loss::pseudo_huber;
    const double m = diameter(p, radius, space, 2);
    return RatePoint{records,
                     [=](const Dataset& data, Releases& releases) {
                       return shuffled_mirror_descent(data, at, releases);
                     },
                     m * std::max(sigma, sigma * sigma) *
                         std::pow(space.kappa * space.kappa * 2 * -std::log(delta), 0.25) /
                         std::sqrt(n * epsilon)};
  };
  rate.learns = true;
  rate.smoke = {{300, 1e3, 3e3, 1e4}, 24};
  rate.ci = {{300, 1e3, 1e4, 1e5}, 40};
  rate.nightly = {{300, 1e3, 1e4, 1e5, 4e5}, 80};
  return rate;
}

}  // namespace

std::vector<Claim> shuffled_mirror_claims() {
  const std::vector<std::string> assumptions{"replace-one neighbours"};
  ClaimList claims("su.shuffled_mirror_descent");
  const auto ranges = [](double smallest_p, double largest_p) {
    return std::vector<ParameterRange>{{"loss", 0, 0, 5, Scale::integer},
                                       {"p", largest_p, smallest_p, largest_p, Scale::linear},
                                       {"radius", 1, 0.1, 10, Scale::logarithmic},
                                       {"beta", 0, 0, 10, Scale::linear},
                                       {"lambda", 1, 0.01, 100, Scale::logarithmic},
                                       {"batches", 1, 1, 4, Scale::integer},
                                       {"gamma", 1, 0.01, 100, Scale::logarithmic},
                                       {"local epsilon", 0.5, 1e-3, 0.5, Scale::logarithmic},
                                       {"local delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}};
  };
  const auto at = [](double p, double batches, double local_epsilon, double local_delta) {
    return ParameterPoint{{"loss", 2},
                          {"p", p},
                          {"radius", 1},
                          {"beta", 0},
                          {"lambda", 3e6},
                          {"batches", batches},
                          {"gamma", 1},
                          {"local epsilon", local_epsilon},
                          {"local delta", local_delta}};
  };
  const std::vector<Setting> corners{{at(2, 1, 0.5, 1e-5), 4, 2},
                                     {at(1.5, 2, 0.5, 1e-5), 5, 2},
                                     {at(10.0 / 9, 1, 0.5, 1e-5), 3, 3}};
  const std::vector<Setting> printed_corners(corners.begin() + 1, corners.end());
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 4"},
      "In any order, a record's truncated gradient moves by at most 2 (beta M + lambda) in the "
      "dual norm, no other report moves, and some pair attains it.",
      assumptions,
      SensitivityClaim{family(Edition::printed), ranges(1.01, 1.7), 2, 4, printed_corners, true});
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {here, "Algorithm 4 with the corrected mirror map"},
             "The same in any dimension and for 1 < p <= 2.", assumptions,
             SensitivityClaim{family(Edition::corrected), ranges(1.01, 2), 1, 4, corners, true});
  // Each report is of one record.
  add_mutants(claims, {family(Edition::corrected), ranges(1.01, 2), 1, 4, corners}, assumptions,
              false);

  const auto local = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("local epsilon"), point.at("local delta")};
  };
  std::vector<Setting> certified;
  for (const double p : {1.9, 1.5, 1.1})
    for (const double local_delta : {1e-3, 1e-6, 1e-9})
      certified.push_back({at(p, 3, 0.5, local_delta), 12, 3});
  const std::vector<Setting> exact{{at(2, 1, 0.5, 1e-5), 1, 1}, {at(2, 1, 0.1, 1e-3), 1, 1}};
  claims.add("privacy.local", Edition::corrected, Expectation::holds,
             {here, "Algorithm 4 seen by whoever knows the order"},
             "Even with the order known, it is (local epsilon, local delta)-DP: the n reports are "
             "disjoint and each has noise sigma^2 = kappa s^2/(2 rho), s = 2 (beta M + lambda), "
             "rho + 2 sqrt(rho log(1/local delta)) = local epsilon.",
             assumptions, PrivacyClaim{family(Edition::corrected), local, exact, certified});
  // Lemma 3's kappa = 1/(p - 1) where that is the smaller, p >= 1 + 1/(2 log 3).
  std::vector<Setting> printed;
  for (const double p : {1.9, 1.5})
    for (const double local_delta : {1e-3, 1e-6, 1e-9})
      printed.push_back({at(p, 3, 0.5, local_delta), 12, 3});
  claims.add("privacy.local", Edition::printed, Expectation::holds,
             {paper, "Algorithm 4 with Lemma 3, before Theorem 9 amplifies"},
             "Even with the order known, it is (local epsilon, local delta)-DP: each report has "
             "noise sigma^2 = 2 kappa s^2 log(1/local delta)/local epsilon^2, kappa = 1/(p - 1) <= "
             "2 log d.",
             assumptions, PrivacyClaim{family(Edition::printed), local, {}, printed});
  claims.add("privacy.half_noise", Edition::mutant, Expectation::refuted,
             {here, "planted fault: half of the noise (p = 2)"},
             "The same with noise for twice the local epsilon.", assumptions,
             PrivacyClaim{family(Edition::corrected, 0.5), local, {exact.front()}, {}});
  claims.add("privacy.two_passes", Edition::mutant, Expectation::refuted,
             {here, "planted fault: two passes with the budget of one (p = 2)"},
             "Even with the order known, it is (local epsilon, local delta)-DP.", assumptions,
             PrivacyClaim{with_two_passes, local, {exact.front()}, {}});
  claims.add("rate", Edition::printed, Expectation::refuted,
             {paper, "Theorem 10 (supplement), every hidden constant 1; kappa and noise corrected"},
             "With the theorem's T and lambda the run learns, and its excess risk falls as M "
             "max{sigma^2, sigma} (kappa^2 d log(1/delta))^(1/4)/sqrt(n epsilon). The reports' "
             "noise, whose local epsilon grows like log n only, walks through T steps of 1/sqrt T "
             "more than 60 times the diameter M of C, for every n from 300 to 10^12.",
             {"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"}, theorem_rate());
  claims.append(shuffled_mirror_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm shuffled_mirror_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    ShuffledMirrorParameters p = shuffled_mirror_from_theorem(
        data.size(), data.dimension(), options.number("p"), options.number("radius"),
        options.number("smoothness"), options.number("sigma"), options.number("epsilon"),
        options.number("delta"));
    p.loss = loss_from_name(options.text("loss"));
    validate_labels(p.loss, data.all());
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    if (!options.is_auto("batches")) p.batches = options.integer("batches");
    if (!options.is_auto("proximity")) p.proximity = options.number("proximity");
    validate(p);
    require(p.batches <= data.size(), "--batches", static_cast<double>(p.batches),
            "in 1.." + std::to_string(data.size()));
    const MirrorSpace space = mirror_space(p.p, data.dimension(), p.edition);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return shuffled_mirror_descent(records, p, releases);
    };
    run.guarantee = shuffled_guarantee(p, data.size());
    // Of the local guarantee, su.shuffled_mirror_descent.privacy.local.corrected.
    run.guarantee_source = "su.shuffled_mirror_descent.lemma.amplification.printed";
    run.parameters = {{"loss", std::string(name(p.loss))},
                      {"p", to_text(p.p)},
                      {"exponent of the ball", to_text(space.map.exponent)},
                      {"radius", to_text(p.radius)},
                      {"gradients truncated at", to_text(threshold(p, space, data.dimension()))},
                      {"batches", std::to_string(p.batches)},
                      {"proximity", to_text(p.proximity)},
                      {"local epsilon", to_text(p.local_epsilon)},
                      {"local delta", to_text(p.local_delta)},
                      {"norm of the noise", to_text(space.noise_norm)}};
    run.empirical_risk = [p](const DataView& view, const VectorXd& w) {
      return empirical_risk(p.loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(p.loss)) + " loss";
    return run;
  };
  return {
      "su.shuffled_mirror_descent",
      "shuffled truncated mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
      "Su, Zhao and Wang, Algorithm 4",
      {{"epsilon", "0.5", "privacy parameter, positive; less is spent where shuffling allows"},
       {"delta", "1e-5", "privacy parameter, in (0, 1)"},
       {"p", "1.5", "in (1, 2]: w is measured in l_p, gradients in the dual norm"},
       {"loss", "squared",
        "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or pseudo_huber"},
       {"radius", "1", "of the ball that w stays in"},
       {"smoothness", "1", "beta of the risk: a public guess"},
       {"sigma", "1", "bound of the gradient's deviation: a public guess"},
       {"truncation", "auto", "lambda, positive; auto: Theorem 10"},
       {"batches", "auto", "T, 1 to n; auto: Theorem 10"},
       {"proximity", "auto", "gamma, positive; auto: sqrt T"}},
      prepare,
      shuffled_mirror_claims};
}

}  // namespace dpverify::su
