#include "algorithms/su/batched_mirror_descent.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

void validate(const BatchedMirrorParameters& p) {
  validate_truncated_descent(p.radius, p.smoothness, p.truncation, p.batches, p.proximity);
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
}

double threshold(const BatchedMirrorParameters& p, const MirrorSpace& space, Index dimension) {
  return gradient_threshold(p.smoothness, p.truncation, p.p, p.radius, space, dimension);
}

double noise_scale(const BatchedMirrorParameters& p, double kappa, double s) {
  return mirror_noise_scale(p.edition, kappa, s, p.epsilon, p.delta);
}

}  // namespace

void validate_truncated_descent(double radius, double smoothness, double truncation, Index batches,
                                double proximity) {
  require(radius > 0 && std::isfinite(radius), "radius", radius, "positive and finite");
  require(smoothness >= 0 && std::isfinite(smoothness), "smoothness beta", smoothness,
          "at least 0 and finite");
  require(truncation > 0 && std::isfinite(truncation), "truncation lambda", truncation,
          "positive and finite");
  require(batches >= 1, "batches T", static_cast<double>(batches), "at least 1");
  require(proximity > 0 && std::isfinite(proximity), "proximity gamma", proximity,
          "positive and finite");
}

double gradient_threshold(double smoothness, double truncation, double p, double radius,
                          const MirrorSpace& space, Index dimension) {
  return smoothness * diameter(p, radius, space, dimension) + truncation;
}

double mirror_noise_scale(Edition edition, double kappa, double s, double epsilon, double delta) {
  if (edition == Edition::printed) return s * std::sqrt(2 * kappa * -std::log(delta)) / epsilon;
  return s * std::sqrt(kappa / (2 * concentrated_budget(epsilon, delta)));
}

MirrorSpace mirror_space(const BatchedMirrorParameters& p, Index dimension) {
  return mirror_space(p.p, dimension, p.edition, 1);
}

double diameter(double p, double radius, const MirrorSpace& space, Index dimension) {
  // A printed exponent may even lie below p: then ||.||_p <= ||.||_a.
  const double stretch = std::max(0.0, 1 / p - 1 / space.map.exponent);
  return 2 * radius * std::pow(static_cast<double>(dimension), stretch);
}

Matrix truncated_gradients(Loss loss, const VectorXd& w, const DataView& data, double q,
                           double threshold) {
  Matrix out = gradients(loss, w, data);
  for (Index i = 0; i < out.rows(); ++i)
    if (!(lp_norm(out.row(i).transpose(), q) <= threshold)) out.row(i).setZero();  // or NaN
  return out;
}

VectorXd batched_mirror_descent(const BatchGradient& batch_gradient, Index n, Index dimension,
                                const BatchedMirrorParameters& p, Releases& releases) {
  validate(p);
  require(p.batches <= n, "batches T", static_cast<double>(p.batches),
          "at most the number of records, " + std::to_string(n));
  const MirrorSpace space = mirror_space(p, dimension);
  const Index size = n / p.batches;
  const double s = 2 * threshold(p, space, dimension) / static_cast<double>(size);
  const double scale = noise_scale(p, space.kappa, s);
  VectorXd w = VectorXd::Zero(dimension), average = w;
  for (Index t = 1; t <= p.batches; ++t) {
    const VectorXd g = release_in(space, batch_gradient(w, t), s, scale, releases);
    w = mirror_step_in_ball(space.map, w, g, p.proximity, p.radius);  // line 8
    average += (w - average) / static_cast<double>(t);                // line 10, gamma_t = gamma
  }
  return average;
}

VectorXd batched_mirror_descent(const Dataset& data, const BatchedMirrorParameters& p,
                                Releases& releases) {
  validate(p);
  const MirrorSpace space = mirror_space(p, data.dimension());
  const double limit = threshold(p, space, data.dimension());
  const auto batch_gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    const DataView batch = data.part(t, p.batches);                                    // line 2
    return truncated_gradients(p.loss, w, batch, space.dual, limit).colwise().mean();  // line 5
  };
  return batched_mirror_descent(batch_gradient, data.size(), data.dimension(), p, releases);
}

BatchedMirrorParameters batched_mirror_from_theorem(Index n, Index dimension, double p,
                                                    double radius, double smoothness, double sigma,
                                                    double epsilon, double delta, Edition theorem) {
  require(sigma > 0 && std::isfinite(sigma), "sigma", sigma, "positive and finite");
  BatchedMirrorParameters out{
      .p = p, .radius = radius, .smoothness = smoothness, .epsilon = epsilon, .delta = delta};
  validate(out);
  const MirrorSpace space = mirror_space(out, dimension);
  const double m = diameter(p, radius, space, dimension);
  const auto records = static_cast<double>(n);
  const double budget = records * epsilon, dl = static_cast<double>(dimension) * -std::log(delta);
  const bool printed = theorem == Edition::printed;
  const double numerator = printed ? m : sigma * sigma / std::sqrt(m);
  out.truncation = std::max(
      std::pow(numerator * std::sqrt(budget) / (space.kappa * std::pow(dl, 0.25)), 2.0 / 3),
      std::max(smoothness, 1.0) * m);
  const double batches = (printed ? 1 / m : m) * budget / (out.truncation * std::sqrt(dl));
  out.batches = static_cast<Index>(std::clamp(batches, 1.0, records));
  out.proximity = std::max(std::sqrt(static_cast<double>(out.batches)), 2 * smoothness);
  return out;
}

double batched_mirror_bound(Index n, Index dimension, double diameter, double sigma, double kappa,
                            double epsilon, double delta) {
  return std::pow(diameter * diameter * sigma * kappa, 2.0 / 3) *
         std::pow(static_cast<double>(dimension) * -std::log(delta), 1.0 / 6) /
         std::cbrt(static_cast<double>(n) * epsilon);
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string here = "this project";

BatchedMirrorParameters parameters(const ParameterPoint& point, Edition edition) {
  return {.loss = static_cast<Loss>(static_cast<int>(point.at("loss"))),
          .p = point.at("p"),
          .radius = point.at("radius"),
          .smoothness = point.at("beta"),
          .truncation = point.at("lambda"),
          .batches = static_cast<Index>(point.at("batches")),
          .proximity = point.at("gamma"),
          .epsilon = point.at("epsilon"),
          .delta = point.at("delta"),
          .edition = edition};
}

MechanismFamily family(Edition edition, double noise = 1) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      BatchedMirrorParameters p = parameters(point, edition);
      p.batches = std::min(p.batches, data.size());
      p.epsilon /= noise;
      return batched_mirror_descent(data, p, releases);
    };
  };
}

// Every gradient is kept: the claim's threshold is what the noise is scaled to, nothing else.
MechanismFamily without_truncation() {
  return [](const ParameterPoint& point) -> Mechanism {
    return [point](const Dataset& data, Releases& releases) {
      const BatchedMirrorParameters p = parameters(point, Edition::corrected);
      const MirrorSpace space = mirror_space(p, data.dimension());
      const double s = 2 * threshold(p, space, data.dimension()) / static_cast<double>(data.size());
      const VectorXd w = VectorXd::Zero(data.dimension());
      return release_in(space, gradients(p.loss, w, data.all()).colwise().mean(), s,
                        noise_scale(p, space.kappa, s), releases);
    };
  };
}

// Two features of independent signs, so that E||gradient||_3^2 <= ||(1, 1)||_3^2 = 2^(2/3); labels
// without noise.
RateClaim theorem_rate(Edition theorem, const std::string& variable) {
  const SignModel model{.optimum = (VectorXd(2) << 0.4, -0.3).finished(), .outlier_share = 0};
  const double p = 1.5, radius = 0.5, delta = 1e-5, sigma = std::cbrt(2.0);
  const MirrorSpace space = mirror_space(p, 2, Edition::corrected);
  const auto parameters = [=](Index n, double epsilon) {
    return batched_mirror_from_theorem(n, 2, p, radius, 1, sigma, epsilon, delta, theorem);
  };
  RateClaim rate{.variable = variable,
                 .problem =
                     "pseudo-Huber regression, 2 features of independent signs, w* = (0.4, -0.3), "
                     "no label noise, drawn as counts; C the Euclidean ball of radius 1/2; p = "
                     "1.5, delta = 1e-5; population risk by exact summation; " +
                     std::string(variable == "n" ? "epsilon = 0.9" : "n = 700,000"),
                 .exponent = -1.0 / 3,
                 .dimension = 2,
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  const auto point = [=](Index records, double epsilon) {
    const BatchedMirrorParameters at = parameters(records, epsilon);
    const double limit = threshold(at, space, 2);
    return RatePoint{
        .records = records,
        .mechanism =
            [=](const Dataset& counts, Releases& releases) {
              return batched_mirror_descent(
                  [&](const VectorXd& w, Index t) {
                    return model.mean_gradient(counts, w, t - 1, space.dual, limit);
                  },
                  records, 2, at, releases);
            },
        .bound = batched_mirror_bound(records, 2, diameter(p, radius, space, 2), sigma, space.kappa,
                                      epsilon, delta),
        .draw = [=](Index n,
                    RandomStream& stream) { return model.draw_counts(n, stream, at.batches); }};
  };
  if (variable == "n") {
    rate.point = [point](double n) { return point(static_cast<Index>(n), 0.9); };
    rate.smoke = {{6e4, 2e5, 6e5, 2e6}, 20};
    rate.ci = {{6e4, 2e5, 6e5, 2e6}, 60};
  } else {
    rate.point = [point](double epsilon) { return point(700'000, epsilon); };
    rate.smoke = {{0.03, 0.17, 0.95}, 16};
    rate.ci = {{0.03, 0.1, 0.3, 0.95}, 80};
  }
  return rate;
}

}  // namespace

std::vector<Claim> batched_mirror_claims() {
  const std::vector<std::string> assumptions{"replace-one neighbours", "batches chosen by index"};
  ClaimList claims("su.batched_mirror_descent");
  const auto ranges = [](double smallest_p, double largest_p) {
    return std::vector<ParameterRange>{{"loss", 0, 0, 5, Scale::integer},
                                       {"p", largest_p, smallest_p, largest_p, Scale::linear},
                                       {"radius", 1, 0.1, 10, Scale::logarithmic},
                                       {"beta", 0, 0, 10, Scale::linear},
                                       {"lambda", 1, 0.01, 100, Scale::logarithmic},
                                       {"batches", 1, 1, 4, Scale::integer},
                                       {"gamma", 1, 0.01, 100, Scale::logarithmic},
                                       {"epsilon", 1, 1e-3, 1, Scale::logarithmic},
                                       {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  };
  const auto at = [](double p, double batches, double epsilon, double delta) {
    return ParameterPoint{
        {"loss", 2},          {"p", p},     {"radius", 1},        {"beta", 0},     {"lambda", 3e6},
        {"batches", batches}, {"gamma", 1}, {"epsilon", epsilon}, {"delta", delta}};
  };
  // q = 2, 3 and 10; the absolute loss, whose gradients can meet the threshold exactly.
  const std::vector<Setting> corners{
      {at(2, 1, 1, 1e-5), 4, 2}, {at(1.5, 2, 1, 1e-5), 5, 3}, {at(10.0 / 9, 1, 1, 1e-5), 3, 3}};
  const std::vector<Setting> printed_corners(corners.begin() + 1, corners.end());
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 7, lines 5 and 8"},
      "One record moves the mean truncated gradient of its batch by at most 2 (beta M + "
      "lambda)/|B| in the dual norm, and some pair attains it.",
      assumptions,
      SensitivityClaim{family(Edition::printed), ranges(1.01, 1.9), 3, 5, printed_corners, true});
  claims.add("sensitivity", Edition::corrected, Expectation::holds,
             {here, "Algorithm 7 with the corrected mirror map"},
             "The same in any dimension and for 1 < p <= 2.", assumptions,
             SensitivityClaim{family(Edition::corrected), ranges(1.01, 2), 1, 4, corners, true});
  add_mutants(claims, {family(Edition::corrected), ranges(1.01, 2), 1, 4, corners}, assumptions);
  claims.add("sensitivity.no_truncation", Edition::mutant, Expectation::refuted,
             {here, "planted fault: gradients are not truncated"},
             "One record moves the mean by at most 2 (beta M + lambda)/|B|.", assumptions,
             SensitivityClaim{without_truncation(), ranges(1.01, 2), 1, 4, corners});

  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  std::vector<Setting> certified;
  for (const double p : {1.9, 1.5, 1.35})
    for (const double delta : {1e-2, 1e-5, 1e-9}) certified.push_back({at(p, 3, 1, delta), 12, 20});
  const std::vector<Setting> exact{{at(2, 1, 1, 1e-5), 4, 1}, {at(2, 2, 0.1, 1e-2), 4, 1}};
  claims.add(
      "privacy", Edition::printed, Expectation::holds, {paper, "Theorem 14"},
      "Algorithm 7 with sigma^2 = 8 kappa (beta M + lambda)^2 log(1/delta)/(|B| epsilon)^2 is "
      "(epsilon, delta)-DP for 0 < epsilon, delta < 1 where 1/(p - 1) <= log d. (For smaller p see "
      "lemma.kappa.)",
      assumptions,
      PrivacyClaim{
          .mechanism = family(Edition::printed), .guarantee = guarantee, .certified = certified});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {here, "Theorem 14 by concentrated differential privacy"},
             "With kappa = (r - 1) d^(2/r - 2/q) and sigma^2 = 2 kappa (beta M + lambda)^2/(|B|^2 "
             "rho), rho + 2 sqrt(rho log(1/delta)) = epsilon, it is (epsilon, delta)-DP for 0 < "
             "delta < 1 and every epsilon > 0.",
             assumptions, PrivacyClaim{family(Edition::corrected), guarantee, exact, certified});
  claims.add("privacy.half_noise", Edition::mutant, Expectation::refuted,
             {here, "planted fault: half of the noise (p = 2)"},
             "The same with noise for twice the epsilon.", assumptions,
             PrivacyClaim{family(Edition::corrected, 0.5), guarantee, {exact.front()}, {}});
  const std::string statement =
      "The excess risk falls as (M^2 kappa)^(2/3) (d log(1/delta))^(1/6)/(n epsilon)^(1/3) in n.";
  claims.add("rate", Edition::printed, Expectation::holds,
             {paper, "Theorem 14, its T and lambda (kappa and noise corrected)"}, statement,
             {"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"},
             theorem_rate(Edition::printed, "n"));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {here, "Theorem 14 with T and lambda that balance its terms"}, statement,
             {"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"},
             theorem_rate(Edition::corrected, "n"));
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {here, "Theorem 14 with T and lambda that balance its terms"},
             "The excess risk falls as epsilon^(-1/3).",
             {"E||gradient - its mean||_q^2 <= sigma^2 = 2^(2/3)"},
             theorem_rate(Edition::corrected, "epsilon"));
  claims.append(batched_mirror_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm batched_mirror_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    BatchedMirrorParameters p = batched_mirror_from_theorem(
        data.size(), data.dimension(), options.number("p"), options.number("radius"),
        options.number("smoothness"), options.number("sigma"), options.number("epsilon"),
        options.number("delta"));
    p.loss = loss_from_name(options.text("loss"));
    validate_labels(p.loss, data.all());
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    if (!options.is_auto("batches")) p.batches = options.integer("batches");
    if (!options.is_auto("proximity")) p.proximity = options.number("proximity");
    validate(p);
    require(p.batches >= 1 && p.batches <= data.size(), "--batches", static_cast<double>(p.batches),
            "in 1.." + std::to_string(data.size()));
    const MirrorSpace space = mirror_space(p, data.dimension());
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return batched_mirror_descent(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "su.batched_mirror_descent.privacy.corrected";
    run.parameters = {{"loss", std::string(name(p.loss))},
                      {"p", to_text(p.p)},
                      {"exponent of the ball", to_text(space.map.exponent)},
                      {"radius", to_text(p.radius)},
                      {"gradients truncated at", to_text(threshold(p, space, data.dimension()))},
                      {"batches", std::to_string(p.batches)},
                      {"proximity", to_text(p.proximity)},
                      {"norm of the noise", to_text(space.noise_norm)}};
    run.empirical_risk = [p](const DataView& view, const VectorXd& w) {
      return empirical_risk(p.loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(p.loss)) + " loss";
    return run;
  };
  return {
      "su.batched_mirror_descent",
      "truncated batched mirror descent on l_p, 1 < p <= 2, (epsilon, delta)-DP",
      "Su, Zhao and Wang, Algorithm 7",
      {{"epsilon", "1", "privacy parameter, positive"},
       {"delta", "1e-5", "privacy parameter, in (0, 1)"},
       {"p", "1.5", "in (1, 2]: w is measured in l_p, gradients in the dual norm"},
       {"loss", "squared",
        "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or pseudo_huber"},
       {"radius", "1", "of the ball that w stays in"},
       {"smoothness", "1", "beta of the risk: a public guess"},
       {"sigma", "1", "bound of the gradient's deviation: a public guess"},
       {"truncation", "auto", "lambda, positive; auto: Theorem 14, balanced"},
       {"batches", "auto", "T, 1 to n; auto: Theorem 14, balanced"},
       {"proximity", "auto", "gamma, positive; auto: sqrt T"}},
      prepare,
      batched_mirror_claims};
}

}  // namespace dpverify::su
